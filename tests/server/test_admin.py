"""Tests of ``triclinium admin``: backups, tables, people and the key, on a running or a stopped server
(docs/operating.md)."""

import json
import logging
import shutil
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import insert, select

from tests import postgres
from tests.databases import put_database
from tests.server.api_client import ApiClient, make_client
from tests.server.server_driver import ServerDriver, insert_ended_match
from tests.shell import Shell
from triclinium.server import server_time
from triclinium.server.admin import backup, command_queue, postgres_backup
from triclinium.server.admin.checksum import append_checksum
from triclinium.server.errors import NotFound
from triclinium.server.ratings import stats
from triclinium.server.services import Services
from triclinium.server.settings import Settings
from triclinium.server.storage.schema import people, tables
from triclinium.server.storage.schema_admin import orders as orders_kept
from triclinium.server.storage.store import Store
from triclinium.server.tables import retention
from triclinium.server.tables.event_stream import EventListener
from triclinium.server.tables.table import Table
from triclinium.web.app import create_app

DAY = 86400.0


class Admin:
    """The admin command on one database."""

    def __init__(self, shell: Shell, url: str) -> None:
        self.shell, self.url = shell, url

    def __call__(self, *words: str) -> str:
        done = self.shell.run("admin", *words, "--database", self.url)
        assert (done.code, done.error) == (0, ""), done.error
        return done.out

    def json(self, *words: str) -> list[dict[str, object]]:
        (found,) = json.loads(self(*words, "--json")).values()
        assert isinstance(found, list)
        return found

    def refused(self, *words: str, typed: str = "") -> str:
        return self.shell.refused("admin", *words, "--database", self.url, typed=typed)

    def refused_after_question(self, *words: str) -> str:
        """Answer no to the question, and check that nothing has changed."""
        done = self.shell.run("admin", *words, "--database", self.url, typed="n\n")
        assert (done.code, done.out) == (2, "")
        assert "[y/N]" in done.error
        return done.error


@pytest.fixture(autouse=True)
def mute_logging() -> Iterator[None]:
    """Mute the log of the server in this process, so that it does not mix with the command's output."""
    log = logging.getLogger("triclinium")
    with pytest.MonkeyPatch.context() as patch:  # a separate context, because tests undo their own patches
        patch.setattr(log, "propagate", False)
        patch.setattr(log, "handlers", [logging.NullHandler()])
        yield


@pytest.fixture(scope="module")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Run a server that owns its file and often checks for commands."""
    folder = tmp_path_factory.mktemp("admin")
    put_database(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command_queue, "POLL_SECONDS", 0.02)
        with TestClient(
            create_app(Settings(f"sqlite:///{folder / 'house.db'}", limits=False, bot_pause=0.0))
        ) as client:
            yield client


@pytest.fixture
def driver(open_server: TestClient) -> ServerDriver:
    return ServerDriver(make_client(open_server))


@pytest.fixture
def admin(driver: ServerDriver, shell: Shell) -> Admin:
    return Admin(shell, driver.server.settings.database)


# -- copies -----------------------------------------------------------------------------------------------------------


def test_a_backup_of_a_running_server_contains_its_key(admin: Admin, driver: ServerDriver, tmp_path: Path) -> None:
    api = ApiClient(make_client(driver.client)).fill()
    api.play_at_random(3)
    copy, there = tmp_path / "copy", f"sqlite:///{tmp_path / 'there.db'}"
    assert "contains all data of the server" in admin("backup", str(copy))
    assert copy.stat().st_mode & 0o077 == 0
    api.play_at_random(2)
    assert "already exists" in admin.refused("backup", str(copy))
    assert "in use by another server" in admin.refused("restore", str(copy), "--overwrite", "--yes")
    again = Admin(admin.shell, there)
    assert "You can start the server now." in again("restore", str(copy))
    assert "--overwrite" in again.refused("restore", str(copy))
    assert "nothing was changed" in again.refused_after_question("restore", str(copy), "--overwrite")
    again("restore", str(copy), "--overwrite", "--yes")
    restored = Services(Settings(there))
    restored.open_database()
    try:
        assert restored.key.sign("seat") == driver.server.key.sign("seat")
        assert len(restored.tables.load_history(api.id)) == 3
        with restored.store.read_connection() as connection:
            assert not connection.exec_driver_sql(
                "SELECT name FROM sqlite_master WHERE name = 'backup_secrets'"
            ).fetchall()
    finally:
        restored.store.close()


def test_invalid_and_newer_backups_are_refused(shell: Shell, tmp_path: Path) -> None:
    put_database(tmp_path)
    admin = Admin(shell, f"sqlite:///{tmp_path / 'new.db'}")
    (tmp_path / "text").write_text("This is not a house.")
    assert "not a backup" in admin.refused("restore", str(tmp_path / "text"))
    assert "cannot be read" in admin.refused("restore", str(tmp_path / "nothing"))
    assert "there is no server data" in admin.refused("backup", str(tmp_path / "copy"))
    with closing(sqlite3.connect(tmp_path / "house.db")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    backup.create_backup(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "later")
    assert "newer release of Triclinium" in admin.refused("restore", str(tmp_path / "later"))
    damaged = bytearray((tmp_path / "later").read_bytes())
    damaged[4096 * 2 : 4096 * 4] = b"x" * 8192
    (tmp_path / "damaged").write_bytes(damaged)
    append_checksum(tmp_path / "damaged")  # simulates a server file that was damaged before the backup
    assert "is damaged" in admin.refused("restore", str(tmp_path / "damaged"))
    assert not (tmp_path / "new.db").exists()


def test_postgresql_is_backed_up_the_same_way(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = Admin(shell, postgres.make_database()), Admin(shell, postgres.get_cluster().new())
    put(one.url, "Anna")
    one("backup", str(tmp_path / "copy"))
    assert (tmp_path / "copy").stat().st_mode & 0o077 == 0
    other("restore", str(tmp_path / "copy"))
    assert [person["name"] for person in other.json("people")] == ["Anna"]
    put(other.url, "Ben")
    assert "--overwrite" in other.refused("restore", str(tmp_path / "copy"))
    busy = Store(other.url)
    with busy.engine.connect():
        assert "stop every server" in other.refused("restore", str(tmp_path / "copy"), "--overwrite", "--yes")
    busy.engine.dispose()
    other("restore", str(tmp_path / "copy"), "--overwrite", "--yes")
    assert [person["name"] for person in other.json("people")] == ["Anna"]
    here = Admin(shell, f"sqlite:///{tmp_path / 'house.db'}")
    assert "server in PostgreSQL" in here.refused("restore", str(tmp_path / "copy"))
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(postgres_backup, "INSTALL_FOLDER", tmp_path)
    assert one.refused("backup", str(tmp_path / "more")).startswith("pg_dump is not installed")
    assert not (tmp_path / "more").exists()


def put(url: str, name: str) -> None:
    store = Store(url)
    with store.engine.begin() as connection:
        connection.execute(insert(people).values(name=name, made=1.0))
    store.engine.dispose()


# -- tables -----------------------------------------------------------------------------------------------------------


def test_tables_are_listed_closed_and_deleted_while_the_server_runs(admin: Admin, driver: ServerDriver) -> None:
    anna, ben = driver.create_person("Anna"), driver.create_person("Ben")
    played = driver.open_table(anna, ben)
    driver.play(played, 3)
    waiting = ApiClient(make_client(driver.client), game_id="portals")
    states = {one["id"]: one["state"] for one in admin.json("tables")}
    assert (states[played.id], states[waiting.id]) == ("playing", "waiting")
    assert [one["id"] for one in admin.json("tables", "--game", "portals")] == [waiting.id]
    assert admin.json("tables", "--older", "3") == []
    assert played.id in admin("tables", "--state", "playing")
    assert "nothing was changed" in admin.refused_after_question("close", played.id)
    admin("close", played.id, waiting.id, "--yes")
    assert (played.status, played.abandoned) == ("over", True)
    assert driver.load_results(played)[0]["unrated"] == "abandoned"
    assert "already over" in admin.refused("close", played.id, "--yes")
    admin("delete", played.id, waiting.id, "--yes")
    assert "no such table" in admin.refused("delete", played.id, "--yes")
    with driver.server.store.read_connection() as connection:
        kept = connection.execute(select(tables.c.status, tables.c.seed).where(tables.c.id == played.id)).one()
        assert tuple(kept) == ("removed", "")
        assert connection.execute(select(tables).where(tables.c.id == waiting.id)).first() is None
        (match,) = stats.list_matches(connection, anna.id)
        assert not match.has_table
        assert connection.execute(select(orders_kept)).first() is None
    driver.client.cookies.set("triclinium", driver.cookies["Anna"])
    assert driver.client.get(f"/tables/{played.id}").status_code == 404
    page = driver.client.get(f"/players/{anna.id}").text
    assert f"/tables/{played.id}" not in page
    assert admin.json("tables", "--state", "over") == []


def test_old_tables_are_deleted_after_a_notice(
    admin: Admin, driver: ServerDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = driver.open_table(driver.create_person("Anna"), driver.create_person("Ben"))
    admin("close", played.id, "--yes")
    now = server_time.now()
    monkeypatch.setattr(driver.server.settings, "keep_finished", 30)
    driver.client.cookies.set("triclinium", driver.cookies["Anna"])
    for language, said in (("en", "deletes a table 30 days after"), ("fr", "supprime une table 30 jours après")):
        driver.client.cookies.set("language", language)
        assert said in driver.client.get(f"/tables/{played.id}").text
        assert said in driver.client.get("/tables").text
    assert driver.portal.call(retention.delete_old_tables, driver.server.tables, 30) == 0
    monkeypatch.setattr(server_time, "now", lambda: now + 31 * DAY)
    assert driver.portal.call(retention.delete_old_tables, driver.server.tables, 30) == 1
    with pytest.raises(NotFound):
        driver.portal.call(driver.server.tables.get_table, played.id)
    monkeypatch.undo()
    assert "0 tables deleted" in admin("sweep", "--older", "30", "--yes")
    assert "--older is missing" in admin.refused("sweep", "--yes")


# -- people -----------------------------------------------------------------------------------------------------------


def test_people_are_listed_exported_and_erased(admin: Admin, driver: ServerDriver, tmp_path: Path) -> None:
    anna, ben = driver.create_person("Annabel"), driver.create_person("Benedict")
    played = driver.open_table(anna, ben)
    driver.play(played, 2)
    (listed,) = admin.json("people", "--name", "annabel")
    assert (listed["id"], listed["seats"], listed["devices"]) == (anna.id, 1, 1)
    assert "Annabel" in admin("people")
    admin("export", str(anna.id), str(tmp_path / "anna.zip"))
    with zipfile.ZipFile(tmp_path / "anna.zip") as file:
        assert f"records/{played.id}.txt" in file.namelist()
    assert "nothing was changed" in admin.refused_after_question("erase", str(anna.id))
    assert "The account of Annabel is deleted" in admin("erase", str(anna.id), "--yes")
    assert driver.server.people.find_by_cookie(driver.cookies["Annabel"]) is None
    assert admin.json("people", "--name", "annabel") == []
    assert played.occupants[0].name != "Annabel"


def test_a_muted_person_cannot_write_and_a_banned_one_cannot_enter(admin: Admin, driver: ServerDriver) -> None:
    anna, ben = driver.create_person("Anna"), driver.create_person("Ben")
    table = driver.open_table(anna, ben)
    client = driver.client
    client.cookies.set("triclinium", driver.cookies["Anna"])
    csrf = driver.server.key.sign("form", anna.device)
    assert "does not write until" in admin("mute", str(anna.id), "--for", "3d")
    said = client.post(f"/tables/{table.id}/chat", data={"csrf": csrf, "text": "hello"})
    assert said.status_code == 403
    assert "You cannot write messages on this server until" in said.text
    assert client.get(f"/tables/{table.id}").status_code == 200
    admin("ban", str(anna.id), "--for", "90m")
    client.cookies.set("language", "fr")
    for path in ("/", f"/tables/{table.id}"):
        refused = client.get(path)
        assert refused.status_code == 403
        assert refused.text.startswith("Vous êtes banni de ce serveur jusqu’au 20")
    told = client.get("/api/v1/games").json()
    assert told["message"].startswith("You are banned from this server until 20")
    (listed,) = [one for one in admin.json("people") if one["id"] == anna.id]
    assert float(str(listed["banned"])) > server_time.now() + 80 * 60
    client.cookies.set("triclinium", driver.cookies["Ben"])
    assert client.get("/").status_code == 200
    admin("pardon", str(anna.id))
    client.cookies.set("triclinium", driver.cookies["Anna"])
    assert client.get("/").status_code == 200


def test_a_ban_ends_streams_and_covers_seat_tokens(admin: Admin, driver: ServerDriver) -> None:
    api = ApiClient(make_client(driver.client)).fill()
    table = driver.server.tables.find_cached_table(api.id)
    assert table is not None
    person = table.occupants[0].person
    ears = [table.occupants[seat].token for seat in (0, 1)]
    listeners = [driver.portal.call(_listen, table, token) for token in ears]
    admin("ban", str(person), "--for", "1h")
    assert [listener.closed for listener in listeners] == [True, False]
    assert api.client.get(api.url, headers=api.auth(0)).status_code == 403
    assert api.client.get(api.url, headers=api.auth(1)).status_code == 200
    admin("pardon", str(person))
    assert api.client.get(api.url, headers=api.auth(0)).status_code == 200


def _listen(table: Table, token: str) -> EventListener:
    ear = EventListener(token=token)
    table.hub.add(ear)
    return ear


# -- the key ----------------------------------------------------------------------------------------------------------


def test_old_links_work_for_a_week_after_a_key_rotation(
    admin: Admin, driver: ServerDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = driver.server
    anna = driver.create_person("Anna")
    before = server.key.sign("seat", 1)
    phrase = server.key.sign("phrase", "six words")
    assert "lead on until" in admin("rotate-key")
    assert server.key.sign("seat", 1) != before
    assert server.key.is_signature_valid(before, "seat", 1)
    now = server_time.now()
    monkeypatch.setattr(server_time, "now", lambda: now + 8 * DAY)
    assert not server.key.is_signature_valid(before, "seat", 1)
    assert phrase in server.key.sign_with_all_keys("phrase", "six words")
    monkeypatch.undo()
    second = server.key.sign("seat", 1)
    assert "nothing was changed" in admin.refused_after_question("rotate-key", "--at-once")
    admin("rotate-key", "--at-once", "--yes")
    assert not server.key.is_signature_valid(second, "seat", 1)
    assert not server.key.is_signature_valid(before, "seat", 1)
    assert server.people.find_by_cookie(driver.cookies["Anna"]) is not None
    assert anna.id
    monkeypatch.setenv("TRICLINIUM_KEY", "ab" * 32)
    assert "TRICLINIUM_KEY sets the key" in admin.refused("rotate-key")


# -- a stopped server, and one with a shared database -----------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_admin_commands_work_on_a_stopped_server(kind: str, shell: Shell, tmp_path: Path) -> None:
    if kind == "sqlite":
        put_database(tmp_path)
    admin = Admin(shell, postgres.make_database() if kind == "postgresql" else f"sqlite:///{tmp_path / 'house.db'}")
    store = Store(admin.url)
    with store.engine.begin() as connection:
        connection.execute(insert(people).values(id=7, name="Anna", made=1.0))
        old = insert_ended_match(connection, 1, [(7, 1), ("greedy", 2)])
        new = insert_ended_match(connection, 2, [(7, 1), ("greedy", 2)], at=server_time.now())
    store.engine.dispose()
    assert [one["id"] for one in admin.json("tables")] == [old, new]
    assert "1 tables deleted" in admin("sweep", "--older", "30", "--yes")
    assert [one["id"] for one in admin.json("tables")] == [new]
    admin("mute", "7", "--for", "2w")
    admin("rotate-key")
    (listed,) = admin.json("people")
    assert listed["muted"]
    assert shell.run("ratings", "rebuild", "--database", admin.url, "--json").json() == {"matches": 2}
    admin("erase", "7", "--yes")
    assert admin.json("people")[0]["name"] == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["erase", "Anna", "--yes"], "a person is given by a number"),
        (["erase", "99999", "--yes"], "No account has the number 99999."),
        (["mute", "1", "--for", "soon"], "a time must be like 90m"),
        (["tables", "--older", "old"], "an age must be a number of days"),
        (["delete", "nothing", "--yes"], "There is no such table."),
    ],
)
def test_wrong_input_gives_one_message(admin: Admin, words: list[str], said: str) -> None:
    assert said in admin.refused(*words)


def test_every_command_has_a_help_text(shell: Shell) -> None:
    told = shell.run("admin", "--help").out
    words = "backup verify restore tables close delete sweep people export erase mute ban"
    for word in words.split():
        assert f"  {word} " in told
    assert "--at-once" in shell.run("admin", "rotate-key", "--help").out
