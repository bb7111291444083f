"""Tests of backups: a damaged backup is refused before anything changes, and a failed restore changes nothing."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import insert, select

from tests import postgres
from tests.databases import put_database
from tests.shell import Shell
from triclinium.server.admin import backup, checksum, postgres_backup
from triclinium.server.services import Services
from triclinium.server.settings import Settings
from triclinium.server.storage.schema import people
from triclinium.server.storage.store import Store

KINDS = ("sqlite", "postgresql")
FLIPS, CUTS = 20, (10, 50, 90, 99)


def server_with(kind: str, folder: Path, *names: str) -> str:
    """Return the URL of a stopped server with these people."""
    folder.mkdir(exist_ok=True)
    if kind == "sqlite":
        put_database(folder)
    url = f"sqlite:///{folder / 'house.db'}" if kind == "sqlite" else postgres.make_database()
    store = Store(url)
    store.database.claim_database()
    store.database.load_or_create_secret("key", lambda: b"k" * 32)
    with store.engine.begin() as connection:
        for name in names:
            connection.execute(insert(people).values(name=name, made=1.0))
    store.close()
    return url


def names_in(url: str) -> list[str]:
    store = Store(url)
    with store.engine.connect() as connection:
        found = list(connection.execute(select(people.c.name).order_by(people.c.id)).scalars())
    store.engine.dispose()
    return found


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("kind", KINDS)
def test_one_flipped_byte_or_a_cut_is_refused_and_changes_nothing(kind: str, shell: Shell, tmp_path: Path) -> None:
    """The restore stops before it changes the database, whichever byte is wrong."""
    url = server_with(kind, tmp_path / "here", "Anna")
    copy, bad = tmp_path / "copy", tmp_path / "bad"
    backup.create_backup(url, copy)
    whole = copy.read_bytes()
    before = files_in(tmp_path / "here")
    rng = random.Random(1)
    places = [0, len(whole) - 1, len(whole) - 70, *(rng.randrange(len(whole)) for _ in range(FLIPS - 3))]
    damaged = [whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :] for place in places]
    damaged += [whole[: len(whole) * share // 100] for share in CUTS] + [whole[:-1], b"", whole + b"\n"]
    sentences = set()
    for content in damaged:
        bad.write_bytes(content)
        for words in (["restore", "--overwrite", "--yes"], ["verify"]):
            said = shell.refused("admin", words[0], str(bad), *words[1:], "--database", url)
            sentences.add(said.removeprefix(str(bad)))
    assert {sentence.split(":")[0] for sentence in sentences} == {" is damaged", " has no checksum at its end"}
    assert files_in(tmp_path / "here") == before
    assert names_in(url) == ["Anna"]
    assert "is a whole backup" in shell.run("admin", "verify", str(copy)).out


def test_a_backup_without_a_checksum_is_refused(shell: Shell, tmp_path: Path) -> None:
    url = server_with("sqlite", tmp_path / "here", "Anna")
    shutil.copy(tmp_path / "here" / "house.db", tmp_path / "old")
    said = shell.refused("admin", "restore", str(tmp_path / "old"), "--overwrite", "--yes", "--database", url)
    assert said == checksum.MISSING.format(tmp_path / "old")


@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_opens_without_triclinium(kind: str, tmp_path: Path) -> None:
    """SQLite and pg_restore ignore the checksum at the end."""
    backup.create_backup(server_with(kind, tmp_path / "here", "Anna"), tmp_path / "copy")
    if kind == "sqlite":
        with closing(sqlite3.connect(tmp_path / "copy")) as connection:
            assert connection.execute("SELECT name FROM people").fetchall() == [("Anna",)]
    else:
        listed = subprocess.run(["pg_restore", "--list", tmp_path / "copy"], capture_output=True, text=True, check=True)
        assert "TABLE DATA public people" in listed.stdout


# -- restores that fail halfway ---------------------------------------------------------------------------------------


def test_a_crash_after_the_swap_leaves_database_and_key_of_one_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Renaming the file is the decisive step. The key follows when the server starts."""
    url = server_with("sqlite", tmp_path / "here", "Anna")
    backup.create_backup(url, tmp_path / "copy")
    other = server_with("sqlite", tmp_path / "there", "Ben")
    (tmp_path / "there" / "house.key").write_bytes(b"o" * 32)
    with monkeypatch.context() as patch:
        patch.setattr("triclinium.server.storage.sqlite.SqliteDatabase.store_secret", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            backup.restore_backup(other, tmp_path / "copy", overwrite=True)
    assert names_in(other) == ["Anna"]
    server = Services(Settings(other))
    server.open_database()
    server.store.close()
    assert (tmp_path / "there" / "house.key").read_bytes() == b"k" * 32
    with closing(sqlite3.connect(tmp_path / "there" / "house.db")) as connection:
        assert not connection.execute("SELECT name FROM sqlite_master WHERE name = 'backup_secrets'").fetchall()


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("moment", ["copying", "renaming"])
@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_full_disk_or_ctrl_c_leaves_the_file_unchanged(
    moment: str, failure: BaseException, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server_with("sqlite", tmp_path / "here", "Anna")
    backup.create_backup(url, tmp_path / "copy")
    store = Store(url)
    with store.engine.begin() as connection:
        connection.execute(insert(people).values(name="Ben", made=1.0))
    before = names_in(url)  # SQLite's log still holds the second name

    def fail(*_: object) -> None:
        raise failure

    if moment == "copying":
        monkeypatch.setattr(backup, "_sync_to_disk", fail)
    else:
        monkeypatch.setattr("pathlib.Path.replace", _failing(Path.replace, "house.db", fail))
    done = shell.run("admin", "restore", str(tmp_path / "copy"), "--overwrite", "--yes", "--database", url)
    monkeypatch.undo()
    assert done.code != 0
    assert done.error.count("\n") == 1
    assert "Traceback" not in done.error
    assert names_in(url) == before == ["Anna", "Ben"]
    store.close()
    assert {path.name for path in (tmp_path / "here").iterdir()} <= {"house.db", "house.db.lock", "house.key"}


def _failing(replace: Callable[..., Path], name: str, fail: Callable[[], None]) -> Callable[..., Path]:
    def replaced(source: Path, to: Path) -> Path:
        if Path(to).name == name:
            fail()
        return replace(source, to)

    return replaced


PROGRAMS = {  # faulty replacements for pg_restore and psql
    "pg_restore: an older one": ("pg_restore", 'echo "pg_restore: error: unsupported version (1.16)" >&2; exit 1'),
    "pg_restore: it fails at the end": ("pg_restore", '{real} "$@" && exit 1'),
    "pg_restore: it is killed halfway": ("pg_restore", '{real} "$@" | head -c 6000; kill -9 $$'),
    "psql: it is killed": ("psql", "sleep 0.2; kill -9 $$"),
}


@pytest.mark.parametrize("case", PROGRAMS)
def test_failing_programs_leave_postgresql_unchanged(
    case: str, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup.create_backup(server_with("postgresql", tmp_path / "here", "Anna"), tmp_path / "copy")
    other = server_with("postgresql", tmp_path / "there", "Ben")
    name, script = PROGRAMS[case]
    real = postgres_backup._find_program(name)
    (tmp_path / "bin").mkdir()
    fake = tmp_path / "bin" / name
    looking = f'case "$*" in *alembic_version*) exec {real} "$@";; esac\n' if name == "pg_restore" else ""
    fake.write_text(f"#!/bin/sh\n{looking}{script.format(real=real)}\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    said = shell.refused("admin", "restore", str(tmp_path / "copy"), "--overwrite", "--yes", "--database", other)
    assert said.startswith(f"{name} failed: ")
    assert said.endswith("nothing has changed")
    assert names_in(other) == ["Ben"]
    monkeypatch.undo()
    backup.restore_backup(other, tmp_path / "copy", overwrite=True)
    assert names_in(other) == ["Anna"]


def test_ctrl_c_leaves_postgresql_unchanged(tmp_path: Path) -> None:
    """The command is interrupted while it waits for a table that another connection has locked."""
    backup.create_backup(server_with("postgresql", tmp_path / "here", "Anna"), tmp_path / "copy")
    other = server_with("postgresql", tmp_path / "there", "Ben")
    words = ["admin", "restore", str(tmp_path / "copy"), "--overwrite", "--yes", "--database", other]
    code = (
        # a background job ignores the signal
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    )
    code += "from triclinium.server.admin import postgres_backup; from triclinium.cli.main import main; "
    code += "postgres_backup.COUNT_SESSIONS = 'SELECT 0'; sys.exit(main(sys.argv[1:]))"
    with psycopg.connect(other) as holding:
        holding.execute("SELECT * FROM people")
        command = subprocess.Popen([sys.executable, "-c", code, *words], stderr=subprocess.PIPE, text=True)
        with psycopg.connect(other, autocommit=True) as looking:
            _wait_for_lock(looking)
        command.send_signal(signal.SIGINT)
        _, error = command.communicate(timeout=60)
        assert command.returncode != 0
        assert error == "triclinium: interrupted\n"
    assert names_in(other) == ["Ben"]


def _wait_for_lock(connection: "psycopg.Connection[tuple[object, ...]]") -> None:
    until = time.monotonic() + 60
    while connection.execute("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'").fetchone() is None:
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_restored_postgresql_continues_its_sequences(tmp_path: Path) -> None:
    """The restore includes sequences, indexes and foreign keys."""
    url = server_with("postgresql", tmp_path / "here", "Anna", "Ben")
    backup.create_backup(url, tmp_path / "copy")
    other = server_with("postgresql", tmp_path / "there", "Cleo", "Dora", "Eve")
    backup.restore_backup(other, tmp_path / "copy", overwrite=True)
    store = Store(other)
    store.migrate()
    with store.engine.begin() as connection:
        connection.execute(insert(people).values(name="Felix", made=1.0))
    store.close()
    assert names_in(other) == ["Anna", "Ben", "Felix"]
    count = "SELECT count(*) FROM pg_constraint WHERE connamespace = 'public'::regnamespace"
    with psycopg.connect(url) as one, psycopg.connect(other) as two:
        assert one.execute(count).fetchone() == two.execute(count).fetchone()
