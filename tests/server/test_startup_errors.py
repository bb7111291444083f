"""Tests of startup errors: each is one sentence, and nothing is changed."""

import errno
import os
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bench.server_process import ServerProcess, find_free_port
from tests import postgres
from tests.forked_servers import ForkedProcess, get_fork_server
from tests.server.api_client import make_settings
from triclinium.cli.main import main
from triclinium.engine.core.errors import BadSetup
from triclinium.server.services import Services
from triclinium.server.settings import Settings, resolve_database
from triclinium.server.storage import sqlite
from triclinium.server.storage.store import Store
from triclinium.web.graceful_server import _describe_listen_error, open_listening_sockets

pytestmark = pytest.mark.skipif(postgres.WANTED, reason="about the file of a server")


def refusal(*words: str) -> str:
    """Return the error line of a server that does not start, with exit code 2."""
    command = [sys.executable, "-m", "triclinium", "serve", "--no-browser", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    (sentence,) = done.stderr.splitlines()
    return sentence


def refused(folder: Path, *words: str) -> str:
    """Return the error of a forked server, which starts faster."""
    log = folder / "refused.log"
    assert ForkedProcess(get_fork_server(), ["serve", "--no-browser", *words], log).wait() == 2
    (sentence,) = log.read_text(encoding="utf-8").splitlines()
    return sentence


def test_a_second_server_on_the_same_file_is_refused(server: ServerProcess, tmp_path: Path) -> None:
    other_name = tmp_path / "other.db"
    other_name.symlink_to(server.database)
    said = refused(tmp_path, "--port", str(find_free_port()), "--database", f"sqlite:///{other_name}")
    assert said.startswith(f"triclinium: the database {server.database} is in use by another server")
    with pytest.raises(BadSetup, match="in use by another server"):
        Services(make_settings(tmp_path)).open_database()
    server.kill_alone()
    server.start()  # The server starts, so no stale lock remains.


def test_a_file_with_two_names_is_refused(tmp_path: Path) -> None:
    (tmp_path / "house.db").touch()
    (tmp_path / "second.db").hardlink_to(tmp_path / "house.db")
    with pytest.raises(BadSetup, match="second name"):
        Store(f"sqlite:///{tmp_path / 'second.db'}").migrate()


def test_a_second_server_in_the_same_process_is_refused(tmp_path: Path) -> None:
    first = Services(make_settings(tmp_path))
    first.open_database()
    with pytest.raises(BadSetup, match="in use by another server"):
        Services(make_settings(tmp_path)).open_database()
    first.store.close()
    second = Services(make_settings(tmp_path))
    second.open_database()
    second.store.close()


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("postgresql+asyncpg://anna:sesame@host/house", r"through psycopg; give postgresql://"),
        ("mysql://anna:sesame@host/house", "mysql is not supported"),
        ("sqlite+aiosqlite:///house.db", r"sqlite\+aiosqlite is not supported"),
        ("sqlite://", "a server needs a file"),
        ("sqlite:///:memory:", "a server needs a file"),
        ("house.db", "a database must be given as a URL"),
    ],
)
def test_any_other_database_is_refused(url: str, sentence: str) -> None:
    with pytest.raises(BadSetup, match=sentence) as refused:
        Services(Settings(url))
    assert "sesame" not in str(refused.value)


@pytest.mark.parametrize("url", ["postgresql://anna:sesame@host/house", "postgresql://host/house?password=sesame"])
def test_a_password_on_the_command_line_is_refused(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Other users of the machine could read it in the process list."""
    said = refused(tmp_path, "--database", url)
    assert "put the whole URL into the environment variable TRICLINIUM_DATABASE" in said
    assert "sesame" not in said
    assert main(["admin", "tables", "--database", url]) == 2
    assert "sesame" not in capsys.readouterr().err
    monkeypatch.setenv("TRICLINIUM_DATABASE", url)
    assert Settings().database == url
    assert resolve_database("sqlite:///house.db") == "sqlite:///house.db"


def test_database_errors_give_one_message(tmp_path: Path) -> None:
    (tmp_path / "house.db").write_bytes(b"This is not a database. " * 400)
    (tmp_path / "house.db").chmod(0o600)
    said = refused(tmp_path, "--database", f"sqlite:///{tmp_path / 'house.db'}")
    assert "house.db is damaged: file is not a database" in said


def test_damaged_pages_give_one_message(tmp_path: Path) -> None:
    made = Services(make_settings(tmp_path))
    made.open_database()
    made.store.close()
    path = tmp_path / "house.db"
    whole = path.read_bytes()
    for page in (2, 5, 9):
        path.write_bytes(whole[: page * 4096] + os.urandom(4096) + whole[(page + 1) * 4096 :])
        with pytest.raises(BadSetup, match="is damaged"):
            Services(make_settings(tmp_path)).open_database()
    path.write_bytes(whole)
    again = Services(make_settings(tmp_path))
    again.open_database()
    again.store.close()


def test_a_large_file_is_checked_after_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A server with 100,000 tables starts as fast as one with 1,000. Damage is reported nevertheless."""
    made = Services(make_settings(tmp_path))
    made.open_database()
    made.store.close()
    monkeypatch.setattr(sqlite, "LARGE_FILE_BYTES", 0)
    path = tmp_path / "house.db"
    whole = path.read_bytes()
    with closing(sqlite3.connect(path)) as connection:
        find = "SELECT rootpage FROM sqlite_master WHERE name = 'quota_uses'"  # a table that the start does not read
        start = (connection.execute(find).fetchone()[0] - 1) * 4096
    path.write_bytes(whole[:start] + os.urandom(4096) + whole[start + 4096 :])
    again = Services(make_settings(tmp_path))
    again.open_database()
    again.store.database.check_integrity_fully()
    again.store.close()
    assert "house.db is damaged" in caplog.text
    path.write_bytes(whole)
    caplog.clear()
    again.store.database.check_integrity_fully()
    assert caplog.text == ""


def test_unusable_databases_give_one_message(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "house.db", isolation_level=None)) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        connection.execute("BEGIN EXCLUSIVE")
        with pytest.raises(BadSetup, match=r"cannot open the database .*: database is locked"):
            Services(make_settings(tmp_path, busy=0.1)).open_database()
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")
        connection.execute("COMMIT")
    with pytest.raises(BadSetup, match="newer release of Triclinium"):
        Services(make_settings(tmp_path)).open_database()
    (tmp_path / "folder.db").mkdir()
    with pytest.raises(BadSetup, match=r"cannot open the database .*: Is a directory"):
        Services(Settings(f"sqlite:///{tmp_path / 'folder.db'}")).open_database()


def test_a_damaged_key_gives_one_message(tmp_path: Path) -> None:
    (tmp_path / "house.key").write_bytes(b"")  # with an empty key anyone could sign links
    with pytest.raises(BadSetup, match=r"key .* is damaged"):
        Services(make_settings(tmp_path)).open_database()


def test_a_taken_port_gives_one_message(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = ("--port", str(port), "--database", f"sqlite:///{tmp_path / 'house.db'}")
        said = refusal(*words)
    assert said == f"triclinium: port {port} is taken: another program listens there; choose another with --port"


def test_a_foreign_address_gives_one_message() -> None:
    with pytest.raises(BadSetup, match=r"203\.0\.113\.9 is not an address of this machine"):
        open_listening_sockets("203.0.113.9", 0)
    with pytest.raises(BadSetup, match=r"the address no\.such\.house\.invalid does not exist"):
        open_listening_sockets("no.such.house.invalid", 0)
    forbidden = _describe_listen_error(PermissionError(errno.EACCES, "Permission denied"), "0.0.0.0", 80)
    assert forbidden == "port 80 is not allowed for this user; choose one above 1023 with --port"
