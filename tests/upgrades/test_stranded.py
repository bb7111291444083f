"""Tests of tables that cannot be replayed after an upgrade: shown as they were, and abandoned by the host."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.server.api_client import ApiClient, get_server, make_settings
from tests.server.locked_tables import make_move
from tests.upgrades.changing_game import COMPONENTS, make_release
from tests.web.browser import PlainBrowser
from triclinium.bots.time_slices import run_to_end
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.game import Game
from triclinium.engine.record import Record
from triclinium.server.bots import worker
from triclinium.server.services import Services
from triclinium.server.tables import snapshots
from triclinium.server.tables.create import NewTable, continue_match, find_edition, open_table
from triclinium.server.tables.options import SeatOptions, TableOptions
from triclinium.server.tables.rematch import open_rematch
from triclinium.server.tables.table import Table
from triclinium.web.app import create_app

POORER = COMPONENTS.replace("coins = 3", "coins = 1")
NOT_KEPT = "This match cannot continue here: its components are no longer available."


@contextmanager
def server(folder: Path) -> Iterator[TestClient]:
    with TestClient(create_app(make_settings(folder)), follow_redirects=True) as client:
        yield client


@pytest.fixture
def server_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "house"
    folder.mkdir()
    return folder


@pytest.fixture(autouse=True)
def _patient_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the pace of people, where snapshots do not wait for a minute."""
    monkeypatch.setattr(snapshots, "MIN_SECONDS_BETWEEN", 0.0)


def start_table(client: TestClient, moves: int) -> ApiClient:
    """Return a table of two API clients in the middle of a match.

    One deal of twenty ends before 23 moves, so another deal is used then.
    """
    while True:
        api = ApiClient(client, "changing", variants={"rounds": "9"}).fill()
        client.cookies.clear()
        api.play_at_random(moves, but="stop")  # the match would be over if every seat stopped early
        if api.who is not None:
            return api


def reopen_table(api: ApiClient, client: TestClient) -> ApiClient:
    """Return the same table on a restarted server."""
    api.client = client
    return api


def _version_dropped(folder: Path) -> AbstractContextManager[Game]:
    return make_release(folder, versions=(2, 3))


def _components_lost(folder: Path) -> AbstractContextManager[Game]:
    return make_release(folder, components=POORER)


@contextmanager
def _not_installed(folder: Path) -> Iterator[None]:
    yield


def _rules_that_fail(folder: Path) -> AbstractContextManager[Game]:
    return make_release(folder, fails=True)


CASES: list[tuple[Callable[[Path], AbstractContextManager[object]], str]] = [
    (_version_dropped, "This match cannot continue here: version 1 of its rules is no longer available."),
    (_components_lost, NOT_KEPT),
    (_not_installed, "This match cannot continue here: its game is not installed."),
    (_rules_that_fail, "This match cannot continue here: the rules installed on this server cannot replay its moves."),
]


@pytest.mark.parametrize(("upgrade", "why"), CASES)
def test_a_table_without_its_rules_can_be_read_and_ended(
    tmp_path: Path, server_folder: Path, upgrade: Callable[[Path], AbstractContextManager[object]], why: str
) -> None:
    with make_release(tmp_path), server(server_folder) as client:
        api = start_table(client, 23)
        views = [client.get(f"{api.url}/view", headers=api.auth(seat)).json() for seat in (0, 1)]
    with upgrade(tmp_path), server(server_folder) as client:
        api = reopen_table(api, client)
        for seat in (0, 1):
            facts = api.see(seat)
            assert (facts["status"], facts["stranded"], facts["snapshot_moves"]) == ("playing", why, 20)
            assert (facts["seat"], facts["moves"], facts["who"]) == (seat, 23, None)
            view = client.get(f"{api.url}/view", headers=api.auth(seat)).json()
            assert view == facts["view"]
            assert view["viewer"] == views[seat]["viewer"] == seat
            assert view.keys() - {"options"} == views[seat].keys() - {"options"}
        told = client.get(f"{api.url}/log", headers=api.auth(0)).json()
        assert [line["move"] for line in told if line["move"] > 20] == [21, 22, 23]
        assert Record.loads(api.record()).seed is None
        moved = api.post(0, "stop", 23)
        assert (moved.status_code, moved.json()["error"], moved.json()["message"]) == (409, "not_replayable", why)
        assert client.post(f"{api.url}/end", headers=api.auth(0)).json()["status"] == "playing"  # only the host may
        ended = client.post(f"{api.url}/end", headers=api.auth(1)).json()
        assert (ended["status"], ended["unrated"]) == ("over", ["ended_early"])
        assert Record.loads(api.record()).seed is not None
        assert client.post(f"{api.url}/end", headers=api.auth(0)).status_code == 409
    with (
        make_release(tmp_path),
        server(server_folder) as client,
    ):  # with the previous release the match stays over
        facts = reopen_table(api, client).see(0)
        assert (facts["status"], facts["stranded"]) == (
            "over",
            "All players agreed to end this match in its last position.",
        )
        with get_server(client).store.read_connection() as connection:
            result = connection.exec_driver_sql(f"SELECT result, who FROM tables WHERE id = '{api.id}'").one()
        assert re.fullmatch(r"\[\[\d, \d+\], \[\d, \d+\]\]", result[0])
        assert result[1] == -1


def test_a_table_continues_with_its_version_and_components(tmp_path: Path, server_folder: Path) -> None:
    with make_release(tmp_path) as game, server(server_folder) as client:
        api = start_table(client, 5)
        hash = game.hash
    hashes = f'"{hash}" = {{ why = "the first" }}\n'
    old = {hash: COMPONENTS}
    with (
        make_release(tmp_path, versions=(1, 2), components=POORER, hashes=hashes, old=old) as game,
        server(server_folder) as client,
    ):
        reopen_table(api, client).play_at_random(300)
        record = Record.loads(api.record())
        assert (record.version, record.components, record.replay().over) == (1, hash, True)
        fresh = start_table(client, 2)
        record = Record.loads(fresh.record())
        assert (record.version, record.components) == (2, game.hash)
        uploaded = client.post("/api/v1/records", content=api.record())
        assert uploaded.status_code == 201, uploaded.text


def test_the_page_shows_each_reader_their_seat_and_the_reason_once(tmp_path: Path, server_folder: Path) -> None:
    with make_release(tmp_path), server(server_folder) as client:
        host = PlainBrowser(client)
        host.post("/play/changing", level="novice")
        table = host.table
        watch = re.search(r"/watch/\w+/[\w-]+", host.page)
        assert watch is not None
        cookies = dict(host.client.cookies)
    with sqlite3.connect(server_folder / "house.db") as database:
        database.execute("UPDATE tables SET rules = 7")
        stored = json.loads(database.execute("SELECT text FROM snapshots").fetchone()[0])
    assert sorted(stored["views"]) == ["-1", "0"]  # Views are not stored for bots.
    with make_release(tmp_path), server(server_folder) as client:
        host = PlainBrowser(client)
        host.client.cookies.update(cookies)
        page = host.get(table)
        assert host.status == 200
        assert page.count("cannot continue here: version 7 of its rules is no longer available") == 1
        assert "End match as it is" in page
        assert f'href="{table}/record"' in page
        assert host.get(f"{table}/positions/0").count("cannot continue here") == 1
        guest = PlainBrowser(client)
        seen = guest.get(watch[0])
        assert "cannot continue here" in seen
        assert "End match as it is" not in seen
        assert "End match as it is" not in guest.get(f"{table}?as=0")
        guest.get(table)
        guest.post(f"{table}/end", confirmed="on")
        assert guest.status == 403
        host.get(table)
        assert "Tick the box" in host.post(f"{table}/end")
        ended = host.post(f"{table}/end", confirmed="on")
        assert host.status == 200
        assert "All players agreed to end this match in its last position." in ended
        assert "End match as it is" not in ended
        assert "rank 1" in ended
        host.post("/settings", language="fr", back=table)
        assert "Tous les joueurs ont accepté de clore cette partie" in host.page
        assert host.post(f"{table}/rematch")
        assert host.status == 200
        assert host.table != table


def test_every_seat_has_its_own_snapshot_and_only_that(tmp_path: Path, server_folder: Path) -> None:
    """Stored views are those that the seats saw. A spectator's view has no hand."""
    with make_release(tmp_path), server(server_folder) as client:
        api = start_table(client, 20)
        shown = [client.get(f"{api.url}/view", headers=api.auth(seat)).json() for seat in (0, 1)]
    with sqlite3.connect(server_folder / "house.db") as database:
        database.execute(
            "UPDATE tables SET components = 'ffffffffffffffff', options = json_set(options, '$.shown', 'watched')"
        )
    with make_release(tmp_path), server(server_folder) as client:
        reopen_table(api, client)
        for seat in (0, 1):
            assert api.see(seat)["view"] == shown[seat]
        watched = client.get(api.url).json()
        assert watched["view"].get("hand") is None
        assert watched["seat"] is None
        spoken = client.get(f"{api.url}/log").json()
        assert all("drew fig" not in line["text"] for line in spoken)


def test_a_table_without_snapshots_is_read_from_its_moves(tmp_path: Path, server_folder: Path) -> None:
    with make_release(tmp_path), server(server_folder) as client:
        api = start_table(client, 3)
    with sqlite3.connect(server_folder / "house.db") as database:
        database.execute("DELETE FROM snapshots")
        database.execute("DELETE FROM snapshot_logs")
    with make_release(tmp_path, components=POORER), server(server_folder) as client:
        facts = reopen_table(api, client).see(0)
        assert facts["stranded"] == NOT_KEPT
        assert "view" not in facts
        told = client.get(f"{api.url}/log", headers=api.auth(0), params={"language": "fr"}).json()
        assert [line["move"] for line in told] == [1, 2, 3]
        assert "\N{NO-BREAK SPACE}: " in told[0]["text"]
        assert client.post(f"{api.url}/end", headers=api.auth(0)).json()["status"] == "playing"
        assert client.post(f"{api.url}/end", headers=api.auth(1)).json()["status"] == "over"
    with sqlite3.connect(server_folder / "house.db") as database:
        assert database.execute("SELECT result FROM tables").fetchone() == ("[]",)


def list_snapshots(home: Path) -> set[int]:
    """Return the numbers of moves after which the snapshots of a server were taken."""
    with sqlite3.connect(home / "house.db") as database:
        return {row[0] for row in database.execute("SELECT moves FROM snapshots")}


def test_fast_moves_get_a_snapshot_after_a_minute_or_a_hundred_moves(
    tmp_path: Path, server_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "MIN_SECONDS_BETWEEN", 60.0)
    monkeypatch.setattr(snapshots, "MOVES_BETWEEN", 3)
    monkeypatch.setattr(snapshots, "MAX_MOVES_BETWEEN", 6)
    with make_release(tmp_path), server(server_folder) as client:
        api = start_table(client, 4)
        assert list_snapshots(server_folder) == {0}
        with monkeypatch.context() as later:
            later.setattr(snapshots, "MIN_SECONDS_BETWEEN", 0.0)
            api.play_at_random(1, but="stop")
        assert list_snapshots(server_folder) == {5}
        api.play_at_random(5, but="stop")
        assert list_snapshots(server_folder) == {5}
        api.play_at_random(1, but="stop")
        assert list_snapshots(server_folder) == {11}


def test_an_undo_also_reverts_the_snapshot(tmp_path: Path, server_folder: Path) -> None:
    with make_release(tmp_path), server(server_folder) as client:
        api = start_table(client, 20)
        both = range(2)
        for _ in both:  # The second request is the other player's consent.
            for seat in both:
                client.post(f"{api.url}/request-undo", headers=api.auth(seat), json={"version": api.version})
        left = api.see(0)["moves"]
        assert isinstance(left, int)
        assert left < 20
    with sqlite3.connect(server_folder / "house.db") as database:
        logs = {row[0] for row in database.execute("SELECT moves FROM snapshot_logs")}
    assert list_snapshots(server_folder) == logs
    assert max(logs) <= left


async def open_edited_table(server: Services, components: str) -> str:
    """Open a table for two at one device, on an edited file."""
    host, _ = await server.people.create_person("Anna")
    seats, options = [SeatOptions("me"), SeatOptions("hot")], TableOptions({"rounds": "9"}, shown="watched")
    new = NewTable(find_edition("changing", components), seats, options, components=components)
    return (await open_table(server, host, new)).id


async def continue_table(server: Services, id: str) -> list[Table]:
    """Play the table to its end. Return it, a rematch, and a match continued from its second move."""
    table = await server.tables.get_table(id)
    host = server.people.load_person(table.host)
    while table.status != "over":
        await make_move(server, table, table.who, table.list_option_texts()[0], table.version)
    return [table, await open_rematch(server, host, table), await continue_match(server, host, table, 2)]


def test_an_edited_file_is_kept_with_its_table(tmp_path: Path, server_folder: Path) -> None:
    """The table keeps it if the printed file changes. Rematches, continued matches, records and bots get it too."""
    richer = COMPONENTS.replace("coins = 3", "coins = 8").replace("Figs", "Dates")
    with make_release(tmp_path), server(server_folder) as client:
        assert client.portal is not None
        id = client.portal.call(open_edited_table, get_server(client), richer)
    with make_release(tmp_path, components=POORER) as game, server(server_folder) as client:
        assert client.portal is not None
        facts = client.get(f"/api/v1/tables/{id}").json()
        assert "stranded" not in facts
        assert facts["view"]["coins"] == [8, 8]
        tables = client.portal.call(continue_table, get_server(client), id)
        assert {table.components for table in tables} == {
            game.with_components(ComponentsFile(richer, "richer.toml")).hash
        }
        over = client.get(f"/api/v1/tables/{id}/record").text
        uploaded = client.post("/api/v1/records", content=over)
        assert uploaded.status_code == 201, uploaded.text
        case = worker.MatchInput(Record.loads(over).truncate(4).dumps(), richer)
        assert not run_to_end(worker.choose_option(case, "edited", "greedy", 1, 1, 1)).fault
    with sqlite3.connect(server_folder / "house.db") as database:
        assert database.execute("SELECT count(*) FROM components").fetchone() == (1,)
        assert database.execute("SELECT count(*) FROM tables WHERE file = ''").fetchone() == (0,)
