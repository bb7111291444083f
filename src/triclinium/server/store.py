"""The database: reads at once, writes one after the other on a thread of their own, many in one commit.

A write is answered when it is on disk. While one commit waits for the disk the next ones gather, so that a busy house
pays for few commits and a quiet one waits for none.
"""

import asyncio
import logging
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from triclinium.kernel.errors import BadSetup

T = TypeVar("T")
BATCH = 256
log = logging.getLogger("triclinium.store")


class Write:
    """One job for the writer, and who waits for it. The job may be run twice: it must only use the connection."""

    def __init__(self, job: Callable[[Connection], None], done: "asyncio.Future[None]") -> None:
        self.job = job
        self.done = done
        self.error: Exception | None = None


class Store:
    """One database."""

    def __init__(self, url: str) -> None:
        try:
            self.url = make_url(url)
        except ArgumentError:
            raise BadSetup(f"a database is given as a URL like sqlite:///triclinium.db, not {url!r}") from None
        self.engine = create_engine(self.url, connect_args={"check_same_thread": False} if self.is_sqlite else {})
        if self.is_sqlite:
            event.listen(self.engine, "connect", _open_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)
        self._queue: queue.SimpleQueue[Write | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    @property
    def is_sqlite(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    @property
    def path(self) -> Path | None:
        """The file of an embedded database."""
        return Path(self.url.database) if self.is_sqlite and self.url.database else None

    def migrate(self) -> None:
        """Bring the database up to date, or make it."""
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        config.set_main_option("path_separator", "os")
        with self.engine.connect() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            connection.commit()

    def open(self) -> None:
        """Start the writer."""
        self._thread = threading.Thread(target=self._write_all, name="triclinium-writer", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write what is waiting, then stop."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None
        self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees what is committed."""
        with self.engine.connect() as connection:
            yield connection

    async def write(self, job: Callable[[Connection], T]) -> T:
        """Run the job on the writer's thread and wait until it is on disk."""
        answer: list[T] = []

        def run(connection: Connection) -> None:
            answer[:] = [job(connection)]

        done = asyncio.get_running_loop().create_future()
        self._queue.put(Write(run, done))
        await done
        return answer[0]

    # -- the writer's thread ------------------------------------------------------------------------------------

    def _write_all(self) -> None:
        with self.engine.connect().execution_options(writer=True) as connection:
            going = True
            while going:
                batch: list[Write] = []
                first = self._queue.get()
                if first is None:
                    return
                batch.append(first)
                while len(batch) < BATCH:
                    try:
                        more = self._queue.get_nowait()
                    except queue.Empty:
                        break
                    if more is None:
                        going = False
                        break
                    batch.append(more)
                self._commit(connection, batch)
                for loop in {write.done.get_loop() for write in batch}:
                    try:
                        loop.call_soon_threadsafe(_tell, [write for write in batch if write.done.get_loop() is loop])
                    except RuntimeError:
                        log.info("somebody waited for a commit and left before it was done")

    def _commit(self, connection: Connection, batch: list[Write]) -> None:
        """All in one commit; if one of them fails, each in a commit of its own."""
        try:
            with connection.begin():
                for write in batch:
                    write.job(connection)
        except Exception as error:
            if len(batch) == 1:
                batch[0].error = error
                if isinstance(error, SQLAlchemyError):
                    log.warning("a write failed: %s", error)
                return
            for write in batch:
                self._commit(connection, [write])


def _tell(batch: list[Write]) -> None:
    for write in batch:
        if write.done.cancelled():
            continue
        if write.error is None:
            write.done.set_result(None)
        else:
            write.done.set_exception(write.error)


def _open_sqlite(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # transactions are begun by us, not guessed by the driver
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")  # a commit is on disk before it is answered
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA busy_timeout=10000")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    immediate = connection.get_execution_options().get("writer")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
