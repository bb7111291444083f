"""Tests of problems under a running server: a locked, missing or read-only file, and a clock that jumps."""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests import postgres
from tests.server.api_client import ApiClient, get_server, make_client, make_settings
from triclinium.engine.record import Record
from triclinium.server.app import create_app
from triclinium.server.bots import worker
from triclinium.server.bots.worker_queue import TaskOrigin
from triclinium.server.tables.table import Table
from triclinium.web.app import create_app as pages

pytestmark = pytest.mark.skipif(postgres.WANTED, reason="about the file of a server")

SOON = 30.0  # seconds, because a busy machine starts the bot process late


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a write lock as another program."""
    with closing(sqlite3.connect(folder / "house.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def wait_for(what: Callable[[], object], seconds: float = SOON) -> None:
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.02)


def against_a_bot(client: TestClient) -> ApiClient:
    """Open a table of a person against a bot where the person is asked."""
    api = ApiClient(client, bot="novice", shuffle_seats=False)
    wait_for(lambda: api.who == 0)
    return api


def play_until_the_bot_thinks(api: ApiClient) -> None:
    wait_for(lambda: api.who == 0)
    while api.who == 0:
        api.play(api.options()[-1])


def table_of(api: ApiClient) -> Table:
    assert api.client.portal is not None
    found: Table = api.client.portal.call(get_server(api.client).tables.get_table, api.id)
    return found


def stored_moves(folder: Path, id: str) -> int:
    with closing(sqlite3.connect(folder / "house.db")) as connection:
        row = connection.execute('SELECT count(*) FROM history WHERE "table" = ?', (id,)).fetchone()
    return int(row[0])


# -- a locked database ------------------------------------------------------------------------------------------------


def test_a_bot_continues_after_a_failed_write(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def leisurely(record: Record, origin: TaskOrigin, name: str, components: str, seed: int | None) -> str:
        await asyncio.sleep(0.3)
        return worker.choose_any_legal(worker.MatchInput(record.dumps(), components))

    with TestClient(create_app(make_settings(tmp_path, busy=0.3))) as client, caplog.at_level(logging.WARNING):
        monkeypatch.setattr(get_server(client).bot_pool, "choose", leisurely)
        api = against_a_bot(client)
        thinks = False
        while not thinks:
            play_until_the_bot_thinks(api)  # some tenths of a second; on a busy machine it may be done already
            with locked(tmp_path):
                before, thinks = api.version, api.who != 0
                if thinks:
                    wait_for(lambda: "tries again in 2 s" in caplog.text)
                    assert api.version == before
        wait_for(lambda: api.version > before)


def test_a_bot_is_restarted_at_an_unattended_table(tmp_path: Path) -> None:
    """The server finds a bot that is asked but not running, at a table that is not in memory and has a player left."""
    with TestClient(create_app(make_settings(tmp_path))) as client:
        api = ApiClient(client).fill()
        before, asked = api.version, api.who
    with TestClient(create_app(make_settings(tmp_path, sweep=0.2))) as client:
        with closing(sqlite3.connect(tmp_path / "house.db", isolation_level=None)) as connection:
            connection.execute("UPDATE seats SET substitute = 'novice' WHERE seat = ?", [asked])
        get_server(client).tables._tables.clear()
        wait_for(lambda: stored_moves(tmp_path, api.id) > before)


def test_a_locked_database_costs_one_move_and_nothing_else(tmp_path: Path) -> None:
    with TestClient(create_app(make_settings(tmp_path, busy=0.3))) as client:
        api = ApiClient(client).fill()
        option, version = api.options()[0], api.version
        who = api.who
        assert who is not None
        with locked(tmp_path):
            refused = api.post(who, option, version)
            assert (refused.status_code, refused.json()["error"]) == (503, "not_stored")
            assert api.version == version
        assert api.post(who, option, version).status_code == 200


def test_six_moves_at_once_wait_for_a_lock_together(tmp_path: Path) -> None:
    """Each move is refused within the documented time, not one after another, and may be sent again."""
    busy = 3.0
    with TestClient(create_app(make_settings(tmp_path, busy=busy))) as client, ThreadPoolExecutor(6) as senders:
        tables = [ApiClient(make_client(client)).fill() for _ in range(6)]
        moves = [(api, api.who, api.options()[0], api.version) for api in tables]
        stored = [stored_moves(tmp_path, api.id) for api in tables]

        def send(api: ApiClient, who: int | None, option: str, version: int) -> tuple[int, float]:
            assert who is not None
            began = time.monotonic()
            return api.post(who, option, version).status_code, time.monotonic() - began

        with locked(tmp_path):
            refused = list(senders.map(lambda move: send(*move), moves))
            took = max(seconds for _, seconds in refused)
        assert [code for code, _ in refused] == [503] * 6
        assert min(seconds for _, seconds in refused) > busy * 0.9
        assert took < busy * 2, "they waited one after the other"
        assert [stored_moves(tmp_path, api.id) for api in tables] == stored
        assert [send(*move)[0] for move in moves] == [200] * 6
        assert [stored_moves(tmp_path, api.id) for api in tables] == [count + 1 for count in stored]


# -- a changed file ---------------------------------------------------------------------------------------------------


def refuses_everything(api: ApiClient, sentence: str) -> None:
    """Check that a move and a new table are refused with this sentence."""
    client = api.client
    who = api.who
    assert who is not None
    chairs = [{"kind": "me"}, {"kind": "invite"}]
    for answer in (
        api.post(who, api.options()[0], api.version),
        client.post("/api/v1/tables", json={"game": "portals", "player": "Eve", "seats": chairs}),
    ):
        assert (answer.status_code, answer.json()["error"]) == (503, "not_stored")
        assert sentence in answer.json()["message"]


def delete_file(path: Path) -> None:
    path.unlink()


def replace_file(path: Path) -> None:
    copy = path.with_name("copy.db")
    with closing(sqlite3.connect(path)) as server, closing(sqlite3.connect(copy)) as other:
        server.backup(other)
    copy.replace(path)


def delete_log(path: Path) -> None:
    path.with_name("house.db-wal").unlink()


@pytest.mark.parametrize("happen", [delete_file, replace_file, delete_log])
def test_a_missing_file_is_noticed_before_a_move_is_acknowledged(
    own_client: TestClient, tmp_path: Path, caplog: pytest.LogCaptureFixture, happen: Callable[[Path], None]
) -> None:
    api = ApiClient(own_client).fill()
    api.play_at_random(4)
    happen(tmp_path / "house.db")
    with caplog.at_level(logging.ERROR):
        refuses_everything(api, "The server’s database file is missing. Its operator must")
    told = [line for line in caplog.records if line.levelno == logging.ERROR]
    assert [line.name for line in told] == ["triclinium.store"]  # logged once, not for each write
    assert (tmp_path / "house.db").exists() == (
        happen is not delete_file
    )  # the server creates no empty file in its place


def test_a_missing_file_is_reported_in_the_readers_language(tmp_path: Path) -> None:
    with TestClient(pages(make_settings(tmp_path))) as client:
        (tmp_path / "house.db").unlink()
        client.cookies.set("triclinium", "a-cookie-that-nobody-remembers")
        client.cookies.set("language", "fr")
        for path in ("/", "/me", "/tables"):
            answer = client.get(path)
            assert answer.status_code == 503
            assert "Le fichier de la base de données a disparu" in answer.text


def test_a_file_that_comes_back_is_written_again(own_client: TestClient, tmp_path: Path) -> None:
    api = ApiClient(own_client).fill()
    (tmp_path / "house.db").rename(tmp_path / "away.db")
    refuses_everything(api, "The server’s database file is missing. Its operator must")
    (tmp_path / "away.db").rename(tmp_path / "house.db")
    api.play_at_random(2)
    assert stored_moves(tmp_path, api.id) == 2


@pytest.mark.parametrize("what", ["house.db", "."])
def test_a_read_only_file_is_noticed_and_the_server_recovers(own_client: TestClient, tmp_path: Path, what: str) -> None:
    api = ApiClient(own_client).fill()
    api.play_at_random(2)
    path = tmp_path / what
    mode = path.stat().st_mode
    path.chmod(mode & ~0o222)
    try:
        refuses_everything(api, "The server’s database file is read-only. Nothing can be")
        assert stored_moves(tmp_path, api.id) == api.version == 2
    finally:
        path.chmod(mode)
    api.play_at_random(1)
    assert stored_moves(tmp_path, api.id) == 3


# -- a clock that jumps -----------------------------------------------------------------------------------------------


def test_a_wall_clock_two_hours_ahead_lets_no_bot_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TestClient(create_app(make_settings(tmp_path, sweep=0.05))) as client:
        api = ApiClient(client, time_bank=60, delay=5).fill()
        api.play("start rome")
        true = time.time
        monkeypatch.setattr(time, "time", lambda: true() + 7200)
        time.sleep(0.5)  # several checks for absent players
        assert not any(occupant.substitute for occupant in table_of(api).occupants)
        api.play("start corinth")
        assert table_of(api).moved < true() + 60  # no wrong time is stored either


def test_nobody_is_replaced_in_the_first_minutes_after_a_start(tmp_path: Path) -> None:
    """Nobody counts as absent while the server is stopped."""
    with TestClient(create_app(make_settings(tmp_path))) as client:
        api = ApiClient(client, variants={"stenographer": "1"}).fill()
    with closing(sqlite3.connect(tmp_path / "house.db", isolation_level=None)) as connection:
        connection.execute("UPDATE tables SET moved = moved - 100000")  # the server was stopped for a day
    with TestClient(create_app(make_settings(tmp_path))) as client:
        api.client = client
        for vote in ("vote-substitute", "vote-remove"):
            refused = client.post(f"{api.url}/seats/1/{vote}", headers=api.auth(0))
            assert (refused.status_code, "by vote in" in refused.json()["message"]) == (409, True)
