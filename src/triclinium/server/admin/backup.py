"""A copy of a house in one file, with its key, and the way back. A house that is open may be copied meanwhile."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from triclinium.engine.core.errors import BadSetup
from triclinium.server.admin import postgres_copy
from triclinium.server.admin.release import check_known
from triclinium.server.storage.datafile import PRIVATE
from triclinium.server.storage.db import database_of
from triclinium.server.storage.postgres import Postgres
from triclinium.server.storage.sqlite import SqliteFile

HEAD = b"SQLite format 3\0"
SECRETS = ("key", "oldkeys", "vapid")  # files beside the database: a copy holds them in a table of its own
OTHER_KIND = "{0} is a copy of a house in {1}: give a --database of that kind"


def back_up(url: str, to: Path) -> int:
    """Copy a house into a new private file; its size. Raises BadSetup."""
    if to.exists():
        raise BadSetup(f"{to} is there already: a backup overwrites nothing")
    database = database_of(url, 10.0)
    half = to.with_name(to.name + ".new")
    half.unlink(missing_ok=True)
    try:
        os.close(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
        if isinstance(database, Postgres):
            postgres_copy.dump(database, half)
        else:
            assert isinstance(database, SqliteFile)
            _copy(database, half)
        _to_disk(half)
        half.replace(to)
    except OSError as error:
        raise BadSetup(f"{to} cannot be written: {error.strerror}") from None
    finally:
        half.unlink(missing_ok=True)
        database.engine.dispose()
    return to.stat().st_size


def restore(url: str, source: Path, overwrite: bool) -> None:
    """Put a copy in the place of a house that is closed; raises BadSetup, and then nothing has changed."""
    try:
        with source.open("rb") as file:
            head = file.read(len(HEAD))
    except OSError as error:
        raise BadSetup(f"{source} cannot be read: {error.strerror}") from None
    database = database_of(url, 10.0)
    if head != HEAD and not head.startswith(postgres_copy.HEAD):
        raise BadSetup(f"{source} is no backup of a house")
    if isinstance(database, Postgres):
        if head == HEAD:
            raise BadSetup(OTHER_KIND.format(source, "SQLite"))
        postgres_copy.restore(database, source, overwrite)
        return
    assert isinstance(database, SqliteFile)
    if head != HEAD:
        raise BadSetup(OTHER_KIND.format(source, "PostgreSQL"))
    _check(source)
    existed = database.path.exists()
    database.claim()
    try:
        if existed and database.path.stat().st_size and not overwrite:
            raise BadSetup(f"there is a house in {database.path}: --overwrite puts the backup in its place")
        _put(database, source)
    finally:
        database.release()


def _copy(database: SqliteFile, to: Path) -> None:
    """By SQLite's own copying, which sees what is committed and hinders nobody who writes."""
    if not database.path.is_file():
        raise BadSetup(f"there is no house in the database {database.path}")
    try:
        with (
            closing(sqlite3.connect(f"{database.path.resolve().as_uri()}?mode=ro", uri=True)) as here,
            closing(sqlite3.connect(to, isolation_level=None)) as there,
        ):
            here.backup(there)
            there.execute("PRAGMA journal_mode=DELETE")
            there.execute("CREATE TABLE backup_secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL)")
            for name in SECRETS:
                if database.secret_path(name).exists():
                    value = database.secret_path(name).read_bytes()
                    there.execute("INSERT INTO backup_secrets VALUES (?, ?)", (name, value))
    except sqlite3.Error as error:
        raise BadSetup(f"the database {database.path} cannot be copied: {error}") from None


def _check(source: Path) -> None:
    """That the copy is whole, and not of a later release; raises BadSetup."""
    try:
        with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as copy:
            found = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
            revision = copy.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        raise BadSetup(f"{source} is damaged: {error}") from None
    if found != "ok":
        raise BadSetup(f"{source} is damaged: {str(found).splitlines()[-1]}")
    check_known(str(revision[0]) if revision else "", str(source))


def _put(database: SqliteFile, source: Path) -> None:
    """First the new file, then its secrets, then the name: a house is never half of one and half of another."""
    path = database.path.resolve()
    half = path.with_name(path.name + ".new")
    half.unlink(missing_ok=True)
    os.close(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
    with (
        closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as copy,
        closing(sqlite3.connect(half, isolation_level=None)) as here,
    ):
        copy.backup(here)
        known = here.execute("SELECT name FROM sqlite_master WHERE name = 'backup_secrets'").fetchone()
        kept: dict[str, bytes] = dict(
            here.execute("SELECT name, value FROM backup_secrets").fetchall() if known else []
        )
        here.execute("PRAGMA secure_delete=ON")
        here.execute("DROP TABLE IF EXISTS backup_secrets")
    _to_disk(half)
    if known:  # a copy made by other means has none: the key that lies there stays
        for name in SECRETS:
            database.put_secret(name, kept.get(name, b""))
    for rest in ("-wal", "-shm"):
        path.with_name(path.name + rest).unlink(missing_ok=True)
    half.replace(path)


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
