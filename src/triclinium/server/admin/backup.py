"""Backups of a server in one file, with its key and a checksum. The server may keep running."""

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from triclinium.engine.core.errors import BadSetup
from triclinium.server.admin import postgres_backup
from triclinium.server.admin.checksum import append_checksum, verify_checksum
from triclinium.server.storage.file_guard import PRIVATE_MODE
from triclinium.server.storage.postgres import PostgresDatabase
from triclinium.server.storage.revisions import check_revision
from triclinium.server.storage.sqlite import SECRETS_TABLE, SqliteDatabase
from triclinium.server.storage.store import create_database

SQLITE_MAGIC = b"SQLite format 3\0"
SECRETS = ("key", "oldkeys", "vapid")  # secrets next to the database; a backup contains them in a table
WRONG_DATABASE_KIND = "{0} is a backup of a server in {1}; give a --database of that kind"


def create_backup(url: str, target: Path) -> int:
    """Copy a server into a new private file and return its size. Raise `BadSetup` if that fails."""
    if target.exists():
        raise BadSetup(f"{target} already exists, and a backup never overwrites a file")
    database = create_database(url, 10.0)
    partial_file = target.with_name(target.name + ".new")
    partial_file.unlink(missing_ok=True)
    try:
        os.close(os.open(partial_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_MODE))
        if isinstance(database, PostgresDatabase):
            postgres_backup.dump_database(database, partial_file)
        else:
            assert isinstance(database, SqliteDatabase)
            _copy_sqlite(database, partial_file)
        append_checksum(partial_file)
        partial_file.replace(target)
    except OSError as error:
        raise BadSetup(f"{target} cannot be written: {error.strerror}") from None
    finally:
        partial_file.unlink(missing_ok=True)
        database.engine.dispose()
    return target.stat().st_size


def verify_backup(source: Path) -> str:
    """Return the kind of database in a backup. Raise `BadSetup` unless the backup is complete and readable."""
    verify_checksum(source)
    with source.open("rb") as file:
        head = file.read(len(SQLITE_MAGIC))
    if head == SQLITE_MAGIC:
        _check_sqlite(source)
        return "SQLite"
    if head.startswith(postgres_backup.DUMP_MAGIC):
        postgres_backup.check_backup(source)
        return "PostgreSQL"
    raise BadSetup(f"{source} is not a backup of a server")


def restore_backup(url: str, source: Path, overwrite: bool) -> None:
    """Replace the database of a stopped server by a backup.

    Raise `BadSetup` if that fails; then nothing has changed.
    """
    kind = verify_backup(source)
    database = create_database(url, 10.0)
    if kind != ("PostgreSQL" if isinstance(database, PostgresDatabase) else "SQLite"):
        raise BadSetup(WRONG_DATABASE_KIND.format(source, kind))
    if isinstance(database, PostgresDatabase):
        postgres_backup.restore_database(database, source, overwrite)
        return
    assert isinstance(database, SqliteDatabase)
    existed = database.path.exists()
    database.claim_database()
    try:
        if existed and database.path.stat().st_size and not overwrite:
            raise BadSetup(f"{database.path} already has the data of a server; --overwrite replaces it")
        _replace_database(database, source)
    except BaseException:
        if not existed and not database.path.stat().st_size:
            database.path.unlink()
        raise
    finally:
        database.release_database()


def _copy_sqlite(database: SqliteDatabase, target: Path) -> None:
    """Copy the committed data with SQLite's backup function, which does not delay writers."""
    if not database.path.is_file():
        raise BadSetup(f"there is no server data in the database {database.path}")
    try:
        with (
            closing(sqlite3.connect(f"{database.path.resolve().as_uri()}?mode=ro", uri=True)) as here,
            closing(sqlite3.connect(target, isolation_level=None)) as there,
        ):
            here.backup(there)
            there.execute("PRAGMA journal_mode=DELETE")
            there.execute(f"DROP TABLE IF EXISTS {SECRETS_TABLE}")
            there.execute(f"CREATE TABLE {SECRETS_TABLE} (name TEXT PRIMARY KEY, value BLOB NOT NULL)")
            for name in SECRETS:
                value = database.get_secret_path(name).read_bytes() if database.get_secret_path(name).exists() else b""
                there.execute(f"INSERT INTO {SECRETS_TABLE} VALUES (?, ?)", (name, value))
    except sqlite3.Error as error:
        raise BadSetup(f"the database {database.path} cannot be copied: {error}") from None


def _check_sqlite(source: Path) -> None:
    """Raise `BadSetup` if the copied database is damaged, or if this release cannot upgrade it."""
    try:
        with closing(_open_backup(source)) as copy:
            integrity = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
            revision = copy.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        raise BadSetup(f"{source} is damaged: {error}") from None
    if integrity != "ok":
        raise BadSetup(f"{source} is damaged: {str(integrity).splitlines()[-1]}")
    if revision is None:
        raise BadSetup(f"{source} is not a backup of a server")
    check_revision(str(revision[0]), str(source))


def _open_backup(source: Path) -> sqlite3.Connection:
    """Open a verified backup read-only. A journal file next to it is ignored."""
    return sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro&immutable=1", uri=True)


def _replace_database(database: SqliteDatabase, source: Path) -> None:
    """Write the backup to a new file, then rename it, so that a crash leaves the old or the new database.

    The new file also contains the secrets. `complete_restore` moves them to their own files, now or, after a crash, at
    the next start of the server.
    """
    path = database.path.resolve()
    partial_file = path.with_name(path.name + ".new")
    moved_logs: list[tuple[Path, Path]] = []
    try:
        partial_file.unlink(missing_ok=True)
        os.close(os.open(partial_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_MODE))
        with (
            closing(_open_backup(source)) as copy,
            closing(sqlite3.connect(partial_file, isolation_level=None)) as here,
        ):
            copy.backup(here)
        _sync_to_disk(partial_file)
        database.checkpoint_wal()
        for suffix in ("-wal", "-shm"):  # SQLite would apply these files to the new database
            log = path.with_name(path.name + suffix)
            if log.exists():
                moved_logs.append((log, log.replace(log.with_name(log.name + ".old"))))
        partial_file.replace(path)
    except (OSError, sqlite3.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadSetup(f"{path} cannot be written, and nothing has changed: {reason}") from None
    finally:
        replaced = not partial_file.exists()
        partial_file.unlink(missing_ok=True)
        for log, old in moved_logs:
            if replaced:
                old.unlink()
            else:
                old.replace(log)
    _sync_to_disk(path.parent)
    with database.engine.execution_options(writer=True).begin() as connection:
        database.complete_restore(connection)
    database.engine.dispose()


def _sync_to_disk(path: Path) -> None:
    """Flush a file, or a folder if the system supports it, to disk."""
    if sys.platform == "win32" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
