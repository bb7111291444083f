"""SQLite: one file for one server, on disk before anything is acknowledged."""

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
from triclinium.server.storage.file_guard import DataFile, keep_private, put_private
from triclinium.server.storage.statements import at_once

LARGE = 64 * 2**20  # bytes: what is looked through in half a second
log = logging.getLogger("triclinium.store")
WAITS = "waits"  # how many seconds a connection waits for a lock
DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
SECRETS_TABLE = "backup_secrets"  # in a backup, and until `complete_restore` in the file that was restored from it


class SqliteFile(Database):
    """A database in a file; its secrets lie beside it."""

    def __init__(self, path: Path, busy: float) -> None:
        """``busy``: how many seconds a write waits while another program locks the file."""
        self._busy = busy
        self.path = path
        self.name = str(path)
        self.file = DataFile(path)
        # Without hide_parameters a failed statement would be logged with the seed of the table.
        self.engine = create_engine(
            "sqlite://", creator=lambda: self.file.connect(busy), poolclass=QueuePool, hide_parameters=True
        )
        event.listen(self.engine, "connect", _open)
        event.listen(self.engine, "begin", _begin)

    def claim(self) -> None:
        self.file.claim()

    def release(self) -> None:
        self.file.release()

    def check_sound(self, connection: Connection) -> None:
        """Of a large file only its head: nobody waits for the rest of it to be read."""
        if not self._is_large and (found := _wrong(connection)):
            raise BadSetup(self._damaged(found))

    def look_through(self) -> None:
        """The whole of a large file."""
        if self._is_large:
            try:
                with self.engine.connect() as connection:
                    found = _wrong(connection)
            except SQLAlchemyError as error:
                found = str(getattr(error, "orig", None) or error)
            if found:
                log.error("%s", self._damaged(found))

    @property
    def _is_large(self) -> bool:
        return self.path.stat().st_size > LARGE

    def explain(self, error: SQLAlchemyError) -> str:
        cause = getattr(error, "orig", None) or error
        if str(getattr(cause, "sqlite_errorname", "")).startswith(DAMAGED):
            return self._damaged(str(cause))
        return f"the database {self.path} does not open: {cause}"

    def _damaged(self, how: str) -> str:
        return f"the database {self.path} is damaged: {how.splitlines()[-1]}; put a backup in its place"

    def check(self) -> None:
        self.file.check()

    def check_writable(self) -> None:
        self.file.check_writable()

    @contextmanager
    def writing(self, connection: Connection, seconds: float) -> Iterator[None]:
        if connection.info.get(WAITS, self._busy) != seconds:
            at_once(connection, f"PRAGMA busy_timeout = {round(seconds * 1000)}")
            connection.info[WAITS] = seconds
        with connection.begin():
            yield

    def check_kept(self) -> None:
        self.file.check_kept()

    def complete_restore(self, connection: Connection) -> None:
        known = "SELECT name FROM sqlite_master WHERE name = ?"
        if connection.exec_driver_sql(known, (SECRETS_TABLE,)).first() is not None:
            for name, value in connection.exec_driver_sql(f"SELECT name, value FROM {SECRETS_TABLE}").all():
                self.put_secret(name, value)
            connection.exec_driver_sql(f"DROP TABLE {SECRETS_TABLE}")

    def fold_log(self) -> None:
        """Write SQLite's log into the file, as far as a damaged file lets it."""
        if self.path.stat().st_size:
            try:
                self._run_alone("PRAGMA wal_checkpoint(TRUNCATE)")
            except (SQLAlchemyError, sqlite3.Error) as error:
                log.warning("the log of %s cannot be written into it: %s", self.path, error)
            finally:
                self.engine.dispose()

    def sweep(self) -> None:
        self._run_alone("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")

    def _run_alone(self, *statements: str) -> None:
        """Run statements that no transaction may hold."""
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            raw = connection.connection.cursor()
            for statement in statements:
                raw.execute(statement)
            raw.close()

    def secret(self, name: str, make: Callable[[], bytes]) -> bytes:
        return secret_file(self.secret_path(name), make)

    def kept_secret(self, name: str) -> bytes:
        path = self.secret_path(name)
        return path.read_bytes() if path.exists() else b""

    def put_secret(self, name: str, content: bytes) -> None:
        if content:
            put_private(self.secret_path(name), content)
        else:
            self.secret_path(name).unlink(missing_ok=True)

    def secret_path(self, name: str) -> Path:
        """A file beside the database."""
        return self.path.with_suffix(f".{name}")


def _wrong(connection: Connection) -> str:
    """What is wrong with the pages of the file; nothing: they are sound."""
    found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar())
    return "" if found == "ok" else found


def secret_file(path: Path, make: Callable[[], bytes]) -> bytes:
    """What a private file holds; it is made if there is none."""
    try:
        found = path.read_bytes()
    except FileNotFoundError:
        found = make()
        put_private(path, found)
    keep_private(path)
    return found


def _open(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # transactions are begun by us, not guessed by the driver
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")  # a commit is on disk before it is answered
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA secure_delete=ON")  # what is erased is not left in the file
    cursor.close()


def _begin(connection: Connection) -> None:
    immediate = connection.get_execution_options().get("writer")
    at_once(connection, "BEGIN IMMEDIATE" if immediate else "BEGIN")
