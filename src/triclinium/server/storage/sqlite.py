"""SQLite backend: one file for one server, synced to disk before a write is acknowledged."""

import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from triclinium.engine.core.errors import BadSetup
from triclinium.server.storage.database import Database
from triclinium.server.storage.file_guard import DatabaseFile, restrict_to_owner, write_private_file
from triclinium.server.storage.statements import execute_sqlite

LARGE_FILE_BYTES = 64 * 2**20  # larger files take more than about half a second to check
log = logging.getLogger("triclinium.store")
LOCK_TIMEOUT_KEY = "waits"  # key for a connection's current lock timeout
CORRUPTION_CODES = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
SECRETS_TABLE = "backup_secrets"  # exists in backups, and after a restore until `complete_restore` has run


class SqliteDatabase(Database):
    """A database in a file, with its secrets in files next to it."""

    def __init__(self, path: Path, lock_timeout: float) -> None:
        """Create the engine.

        ``lock_timeout`` is the number of seconds that a write waits while another program locks the file.
        """
        self._lock_timeout = lock_timeout
        self.path = path
        self.name = str(path)
        self.file = DatabaseFile(path)
        # Without hide_parameters, SQLAlchemy would log the seed of a table when a statement fails.
        self.engine = create_engine(
            "sqlite://", creator=lambda: self.file.connect(lock_timeout), poolclass=QueuePool, hide_parameters=True
        )
        event.listen(self.engine, "connect", _configure_connection)
        event.listen(self.engine, "begin", _begin_transaction)

    def claim_database(self) -> None:
        self.file.claim_file()

    def release_database(self) -> None:
        self.file.release_file()

    def check_integrity(self, connection: Connection) -> None:
        """Raise `BadSetup` if the file is damaged.

        Large files are left to `check_integrity_fully`, so that the start is fast.
        """
        if not self._is_large and (damage := _find_damage(connection)):
            raise BadSetup(self._format_damage(damage))

    def check_integrity_fully(self) -> None:
        """Check the whole of a large file, and log damage."""
        if self._is_large:
            try:
                with self.engine.connect() as connection:
                    damage = _find_damage(connection)
            except SQLAlchemyError as error:
                damage = str(getattr(error, "orig", None) or error)
            if damage:
                log.error("%s", self._format_damage(damage))

    @property
    def _is_large(self) -> bool:
        return self.path.stat().st_size > LARGE_FILE_BYTES

    def explain_error(self, error: SQLAlchemyError) -> str:
        cause = getattr(error, "orig", None) or error
        if str(getattr(cause, "sqlite_errorname", "")).startswith(CORRUPTION_CODES):
            return self._format_damage(str(cause))
        return f"cannot open the database {self.path}: {cause}"

    def _format_damage(self, damage: str) -> str:
        return f"the database {self.path} is damaged: {damage.splitlines()[-1]}; put a backup in its place"

    def check(self) -> None:
        self.file.check()

    def check_writable(self) -> None:
        self.file.check_writable()

    @contextmanager
    def write_transaction(self, connection: Connection, seconds: float) -> Iterator[None]:
        if connection.info.get(LOCK_TIMEOUT_KEY, self._lock_timeout) != seconds:
            execute_sqlite(connection, f"PRAGMA busy_timeout = {round(seconds * 1000)}")
            connection.info[LOCK_TIMEOUT_KEY] = seconds
        with connection.begin():
            yield

    def check_persisted(self) -> None:
        self.file.check_persisted()

    def complete_restore(self, connection: Connection) -> None:
        query = "SELECT name FROM sqlite_master WHERE name = ?"
        if connection.exec_driver_sql(query, (SECRETS_TABLE,)).first() is not None:
            for name, value in connection.exec_driver_sql(f"SELECT name, value FROM {SECRETS_TABLE}").all():
                self.store_secret(name, value)
            connection.exec_driver_sql(f"DROP TABLE {SECRETS_TABLE}")

    def checkpoint_wal(self) -> None:
        """Write SQLite's write-ahead log into the file. Log a warning if a damaged file prevents it."""
        if self.path.stat().st_size:
            try:
                self._run_outside_transaction("PRAGMA wal_checkpoint(TRUNCATE)")
            except (SQLAlchemyError, sqlite3.Error) as error:
                log.warning("the write-ahead log of %s cannot be copied into the database: %s", self.path, error)
            finally:
                self.engine.dispose()

    def vacuum(self) -> None:
        self._run_outside_transaction("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")

    def _run_outside_transaction(self, *statements: str) -> None:
        """Run statements that SQLite does not allow in a transaction."""
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            raw = connection.connection.cursor()
            for statement in statements:
                raw.execute(statement)
            raw.close()

    def load_or_create_secret(self, name: str, make: Callable[[], bytes]) -> bytes:
        return load_or_create_file(self.get_secret_path(name), make)

    def load_secret(self, name: str) -> bytes:
        path = self.get_secret_path(name)
        return path.read_bytes() if path.exists() else b""

    def store_secret(self, name: str, content: bytes) -> None:
        if content:
            write_private_file(self.get_secret_path(name), content)
        else:
            self.get_secret_path(name).unlink(missing_ok=True)

    def get_secret_path(self, name: str) -> Path:
        """Return the path of a secret's file, next to the database."""
        return self.path.with_suffix(f".{name}")


def _find_damage(connection: Connection) -> str:
    """Return the damage that SQLite finds in the file, or "" if there is none."""
    result = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar())
    return "" if result == "ok" else result


def load_or_create_file(path: Path, make: Callable[[], bytes]) -> bytes:
    """Return the content of a private file. Create the file with ``make`` if it does not exist."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        content = make()
        write_private_file(path, content)
    restrict_to_owner(path)
    return content


def _configure_connection(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # disables the driver's implicit transactions
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")  # a commit is on disk before it is acknowledged
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA secure_delete=ON")  # overwrites deleted data in the file
    cursor.close()


def _begin_transaction(connection: Connection) -> None:
    immediate = connection.get_execution_options().get("writer")
    execute_sqlite(connection, "BEGIN IMMEDIATE" if immediate else "BEGIN")
