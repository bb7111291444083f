"""Tests of a database from an earlier release: it opens, and its matches continue. Development versions are refused.

`fixture/` holds the database of a server and its clients' data: cookies, tokens and the view of every seat.
"""

import random
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import inspect, text

from tests.server.api_client import get_server, make_client
from tests.slow import mark_slow_except
from tests.upgrades.make_fixture import ANNA, BEN, GAMES, make
from tests.upgrades.stored_server import BACKENDS, FACTS, content, restore
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.record import Record
from triclinium.server.admin import backup
from triclinium.server.services import Services
from triclinium.server.settings import Settings
from triclinium.server.storage import revisions
from triclinium.server.storage.store import create_database
from triclinium.web.app import create_app

MOVES = 6
SECOND = """
import sqlalchemy as sa
from alembic import op

revision = "0101"
down_revision = "0100"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("motto", sa.String(60), nullable=False, server_default=""))
    op.execute("UPDATE tables SET motto = name")
    with op.batch_alter_table("seats") as seats:
        seats.alter_column("name", type_=sa.String(80), existing_type=sa.String(40), existing_nullable=False)
    op.create_table("mottos", sa.Column("text", sa.String(60), primary_key=True))
    op.create_index("tables_motto", "tables", ["motto"])
"""


def settings(url: str) -> Settings:
    return Settings(url, limits=False, bot_pause=0.0, absence_check_seconds=3600.0)


@pytest.fixture(scope="module", params=BACKENDS)
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Yield the server of the fixture, opened by this release."""
    url = restore(request.param, tmp_path_factory.mktemp("fixture"))
    with TestClient(create_app(settings(url))) as client:
        yield client


class Player:
    """One seat of a running match of the fixture."""

    def __init__(self, client: TestClient, game: str, seat: int) -> None:
        self.client = make_client(client)
        self.url = f"/api/v1/tables/{FACTS['running'][game]['table']}"
        if seat == ANNA:
            self.client.cookies.set("triclinium", FACTS["cookies"]["Anna"])
        else:
            self.client.headers["authorization"] = f"Bearer {FACTS['running'][game]['tokens'][str(seat)]}"

    def get(self, path: str = "") -> Any:
        answer = self.client.get(self.url + path)
        assert answer.status_code == 200, answer.text
        return answer.json()


def contains(now: object, then: object) -> bool:
    """Return whether all earlier values are still there. A later release may add values."""
    if isinstance(now, dict) and isinstance(then, dict):
        return all(name in now and contains(now[name], value) for name, value in then.items())
    if isinstance(now, list) and isinstance(then, list):
        return len(now) == len(then) and all(map(contains, now, then))
    return now == then


def play_on(client: TestClient, game: str) -> None:
    """Play some options for the people at a table, with a bot's own moves in between."""
    players = {seat: Player(client, game, seat) for seat in (ANNA, BEN)}
    before, chance = players[ANNA].get(), random.Random(3)
    assert (before["status"], "stranded" in before) == ("playing", False)
    for _ in range(MOVES):
        facts = players[ANNA].get()
        until = time.monotonic() + 60
        while facts["who"] not in players:
            assert time.monotonic() < until, "the bot does not play"
            time.sleep(0.02)
            facts = players[ANNA].get()
        player = players[facts["who"]]
        options = [one["option"] for one in player.get("/options")["decision"]["options"]]
        wish = {"option": chance.choice(options), "version": facts["version"]}
        done = player.client.post(f"{player.url}/move", json=wish)
        assert done.status_code == 200, done.text
    after = players[ANNA].get()
    assert after["moves"] >= before["moves"] + MOVES
    assert after["status"] == "playing"


@pytest.mark.parametrize("game", GAMES)
def test_a_running_match_continues_after_an_upgrade(running: TestClient, game: str) -> None:
    """Every seat sees the same view, the chat is there, and people and bots continue."""
    for seat in (ANNA, BEN):
        player = Player(running, game, seat)
        assert contains(player.get("/view"), FACTS["running"][game]["views"][str(seat)])
        assert "Good luck!" in [one["text"] for one in player.get("/chat")]
    play_on(running, game)
    record = Record.loads(Player(running, game, ANNA).client.get(f"{Player(running, game, ANNA).url}/record").text)
    assert len(record.options) >= MOVES


def test_a_finished_match_is_unchanged(running: TestClient) -> None:
    """Record, rated result and share link are unchanged."""
    over = FACTS["over"]
    browser = make_client(running)
    browser.cookies.set("triclinium", FACTS["cookies"]["Anna"])
    assert browser.get(f"/api/v1/tables/{over['table']}/record").text == over["record"]
    facts = browser.get(f"/api/v1/tables/{over['table']}").json()
    assert (facts["status"], facts["rated"]) == ("over", True)
    assert browser.get("/api/v1/me").json()["name"] == "Anna"
    assert make_client(running).get(over["share"]).status_code == 200
    with get_server(running).store.read_connection() as connection:
        assert connection.execute(text("SELECT count(*) FROM ratings")).scalar() == 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_second_migration_upgrades_running_matches(
    backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After another migration the matches continue, and this release refuses the database."""
    url = restore(backend, tmp_path)
    with monkeypatch.context() as later:
        folder = tmp_path / "migrations"
        shutil.copytree(revisions.MIGRATIONS, folder)
        (folder / "versions" / "0101_mottos.py").write_text(SECOND)
        later.setattr(revisions, "MIGRATIONS", folder)
        with TestClient(create_app(settings(url))) as client:
            store = get_server(client).store
            with store.read_connection() as connection:
                assert revisions.load_stored_revision(connection) == "0101"
                assert connection.execute(text("SELECT count(*) FROM tables WHERE motto = name")).scalar() == 6
            assert "mottos" in inspect(store.engine).get_table_names()
            for game in GAMES:
                play_on(client, game)
    with pytest.raises(BadSetup, match="was made by a newer release of Triclinium; use that release"):
        Services(settings(url)).open_database()


@pytest.mark.parametrize("backend", mark_slow_except(list(BACKENDS), "sqlite"))
def test_a_database_that_cannot_be_upgraded_is_left_alone(backend: str, tmp_path: Path) -> None:
    """A development version, an unknown and a newer release get a sentence that says what to do."""
    url = restore(backend, tmp_path)
    development = r"made by a development version .* cannot be upgraded; move it away and start with a new database"
    cases = dict.fromkeys(("0001", "0013", "0021", "0099", "3f2a9c01"), development)
    for revision, sentence in {**cases, "0101": "newer release", "9999": "newer release"}.items():
        _set_revision(url, revision)
        before = content(url)
        files = {path: path.read_bytes() for path in tmp_path.iterdir() if path.suffix in (".db", ".key")}
        with pytest.raises(BadSetup, match=sentence):
            Services(settings(url)).open_database()
        assert content(url) == before
        assert {path: path.read_bytes() for path in files} == files


def test_a_backup_of_a_development_version_is_not_restored(tmp_path: Path) -> None:
    url = restore("sqlite", tmp_path)
    _set_revision(url, "0021")
    backup.create_backup(url, tmp_path / "copy")
    other = tmp_path / "other.db"
    with pytest.raises(BadSetup, match=r"copy was made by a development version of Triclinium \(revision 0021\)"):
        backup.restore_backup(f"sqlite:///{other}", tmp_path / "copy", overwrite=False)
    assert not other.exists()


@pytest.mark.slow
def test_the_fixture_is_reproducible(tmp_path: Path) -> None:
    """Writing it again shows only real changes."""
    make(tmp_path / "one")
    make(tmp_path / "two")
    for name in ("server.sql", "server.json"):
        assert (tmp_path / "one" / name).read_text() == (tmp_path / "two" / name).read_text()


def _set_revision(url: str, revision: str) -> None:
    database = create_database(url, 10.0)
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})
    database.engine.dispose()
