"""Access to the database: reads run at once, writes are queued for one thread that commits many together.

The server acknowledges a write when it is on disk. During a commit the next writes gather in the queue, so a busy
server needs few commits and a quiet one never waits for a batch.
"""

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from alembic import command
from sqlalchemy import Connection, make_url, select
from sqlalchemy.exc import ArgumentError, InterfaceError, OperationalError, SQLAlchemyError

from triclinium.engine.core.errors import BadSetup
from triclinium.server.errors import NotStored
from triclinium.server.storage import postgres
from triclinium.server.storage.database import Database
from triclinium.server.storage.pubsub import RELOAD_ALL, Peers, PostgresPeers
from triclinium.server.storage.revisions import build_alembic_config, check_revision, load_stored_revision
from triclinium.server.storage.sqlite import SqliteDatabase

T = TypeVar("T")
MAX_BATCH = 256
FULL_TIMEOUT_SHARE = 0.99  # a write that has at least this share of its time left still gets all of it
RECOVERY_SECONDS = 60.0  # time allowed for a database restart
RETRY_SECONDS = 0.5  # pause between two tries
EXAMPLE_URL = "sqlite:///triclinium.db"
log = logging.getLogger("triclinium.store")


@dataclass(slots=True, eq=False)
class PendingWrite:
    """A job for the writer, with the future of the caller who waits for it.

    The job may run twice, so it must change nothing but the database.
    """

    job: Callable[[Connection], None]
    resource: str  # the table it changes, or "": jobs are sorted by it so that all servers lock rows in the same order
    done: "asyncio.Future[None]"
    queued_at: float = field(default_factory=time.monotonic, init=False)
    error: Exception | None = field(default=None, init=False)


class Store:
    """The access of one server to its database."""

    def __init__(self, url: str, lock_timeout: float = 10.0) -> None:
        """Connect to a database.

        ``lock_timeout`` is the number of seconds that a write waits for another program's lock.
        """
        self.lock_timeout = lock_timeout
        self.database = create_database(url, lock_timeout)
        self.engine = self.database.engine
        self.peers = PostgresPeers(self.engine) if self.database.shared else Peers()
        self._queue: queue.SimpleQueue[PendingWrite | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._last_error = ""
        self.on_commit: Callable[[int, float], None] | None = None  # gets the writes and seconds of a commit

    def migrate(self) -> None:
        """Claim the database and upgrade its schema, or create it. Raise `BadSetup` if it cannot be used."""
        self.database.claim_database()
        config = build_alembic_config()
        try:
            with self.engine.connect() as connection:
                self.database.check_integrity(connection)
                if revision := load_stored_revision(connection):
                    check_revision(revision, self.database.name)
                self.database.complete_restore(connection)
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
                connection.commit()
        except SQLAlchemyError as error:
            self.close()
            raise BadSetup(self.database.explain_error(error)) from None
        except BaseException:
            self.close()
            raise

    def open(self) -> None:
        """Start the writer's thread."""
        connection = self.engine.connect().execution_options(writer=True)
        self._thread = threading.Thread(
            target=self._run_writer, args=[connection], name="triclinium-writer", daemon=True
        )
        self._thread.start()

    def close(self, seconds: float | None = None) -> None:
        """Finish the pending writes and close the database.

        Writes that take longer than ``seconds`` are lost, unacknowledged.
        """
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join(seconds)
            if self._thread.is_alive():
                log.warning("the database is busy; waiting writes are dropped")
                return  # the file stays locked while the thread may still write to it
            self._thread = None
        self.engine.dispose()
        self.database.release_database()

    @property
    def pending_writes(self) -> int:
        """The number of writes that wait for the next commit."""
        return self._queue.qsize()

    @property
    def is_open(self) -> bool:
        """True if the writer's thread exists. It may outlive `close` to finish a slow write."""
        return self._thread is not None

    @contextmanager
    def read_connection(self) -> Iterator[Connection]:
        """Yield a connection for reading. Raise `NotStored` if the database file is lost."""
        try:
            self.database.check()
        except NotStored as error:
            self._log_error_once(error)
            raise
        with self.engine.connect() as connection:
            yield connection

    def can_read(self) -> bool:
        """Return whether the database can be read now."""
        try:
            with self.read_connection() as connection:
                return bool(connection.execute(select(1)).scalar_one() == 1)
        except (SQLAlchemyError, NotStored):
            return False

    def vacuum(self) -> None:
        """Erase deleted data from the disk. Call this in a thread, while no write is urgent."""
        self.database.vacuum()

    async def write(self, job: Callable[[Connection], T], resource: str = "") -> T:
        """Run a job on the writer's thread and return its result once it is on disk.

        ``resource`` is the table that it changes.
        """
        answer: list[T] = []

        def run(connection: Connection) -> None:
            answer[:] = [job(connection)]

        done = asyncio.get_running_loop().create_future()
        self._queue.put(PendingWrite(run, resource, done))
        await done
        return answer[0]

    async def write_with_retry(self, job: Callable[[Connection], T]) -> T:
        """Write data that the server needs to start. Retry for up to a minute while the database restarts."""
        until = time.monotonic() + RECOVERY_SECONDS
        while True:
            try:
                return await self.write(job)
            except (OperationalError, InterfaceError):
                if time.monotonic() >= until:
                    raise
                await asyncio.sleep(RETRY_SECONDS)

    def write_before_start(self, job: Callable[[Connection], T]) -> T:
        """Write before the server answers requests, with the same retries."""
        until = time.monotonic() + RECOVERY_SECONDS
        while True:
            try:
                with self.engine.execution_options(writer=True).begin() as connection:
                    return job(connection)
            except (OperationalError, InterfaceError):
                if time.monotonic() >= until:
                    raise
                time.sleep(RETRY_SECONDS)

    async def write_and_reload_peers(self, job: Callable[[Connection], T]) -> T:
        """Write data that other servers cache, and make them reload it."""

        def publish_and_run(connection: Connection) -> T:
            self.peers.publish_on_commit(connection, RELOAD_ALL)
            return job(connection)

        return await self.write(publish_and_run)

    # -- the writer's thread ------------------------------------------------------------------------------------

    def _run_writer(self, connection: Connection) -> None:
        with connection:
            is_running = True
            while is_running:
                batch: list[PendingWrite] = []
                first = self._queue.get()
                if first is None:
                    return
                batch.append(first)
                while len(batch) < MAX_BATCH:
                    try:
                        more = self._queue.get_nowait()
                    except queue.Empty:
                        break
                    if more is None:
                        is_running = False
                        break
                    batch.append(more)
                batch.sort(key=lambda write: write.resource)  # the same order on all servers prevents deadlocks
                self._commit_batch(connection, batch)

    def _commit_batch(self, connection: Connection, batch: list[PendingWrite]) -> None:
        """Run the jobs in one commit and resolve their futures.

        If a job fails, run each job alone, the oldest first. A write fails with `NotStored` if the file is missing
        before or after the commit.
        """
        began = time.perf_counter()
        try:
            self.database.check_writable()
            with self.database.write_transaction(connection, self._count_seconds_left(batch)):
                for write in batch:
                    write.job(connection)
            self.database.check_persisted()
            self._last_error = ""
        except NotStored as error:
            self._log_error_once(error)
            for write in batch:
                write.error = error
        except Exception as error:
            if len(batch) > 1:
                for write in sorted(batch, key=lambda write: write.queued_at):
                    self._commit_batch(connection, [write])
                return
            batch[0].error = error
            if isinstance(error, SQLAlchemyError):
                log.warning("a write failed: %s", error)
        if self.on_commit is not None:
            self.on_commit(len(batch), time.perf_counter() - began)
        for loop in {write.done.get_loop() for write in batch}:
            try:
                loop.call_soon_threadsafe(_resolve_futures, [write for write in batch if write.done.get_loop() is loop])
            except RuntimeError:
                log.info("a client disconnected before its change was committed")

    def _count_seconds_left(self, batch: list[PendingWrite]) -> float:
        """Return how long a job may wait for a lock, so that no write waits longer than `lock_timeout` in all."""
        left = min(write.queued_at for write in batch) + self.lock_timeout - time.monotonic()
        return self.lock_timeout if left > self.lock_timeout * FULL_TIMEOUT_SHARE else max(0.0, left)

    def _log_error_once(self, error: NotStored) -> None:
        """Log an error, unless it repeats the last one."""
        if self._last_error != str(error):
            self._last_error = str(error)
            log.error("%s (%s)", error, self.database.name)


def _resolve_futures(batch: list[PendingWrite]) -> None:
    for write in batch:
        if write.done.cancelled():
            continue
        if write.error is None:
            write.done.set_result(None)
        else:
            write.done.set_exception(write.error)


# -- choice of the database -------------------------------------------------------------------------------------------


def create_database(url: str, lock_timeout: float) -> Database:
    """Return the database that a URL names, or raise `BadSetup`.

    The error repeats only the scheme of a URL, because the URL may contain a password.
    """
    try:
        parsed_url = make_url(url)
    except (ArgumentError, ValueError):
        raise BadSetup(f"a database must be given as a URL such as {EXAMPLE_URL}, not {url!r}") from None
    kind = parsed_url.drivername
    if kind in postgres.URL_SCHEMES:
        return postgres.PostgresDatabase(parsed_url, lock_timeout)
    if kind in postgres.OTHER_DRIVERS:
        raise BadSetup(f"this server uses PostgreSQL through psycopg; give postgresql://… instead of {kind}://…")
    if kind not in ("sqlite", "sqlite+pysqlite"):
        raise BadSetup(
            f"a server stores its tables in SQLite, as in {EXAMPLE_URL}, or in PostgreSQL; {kind} is not supported"
        )
    name = parsed_url.database or ""
    if name in ("", ":memory:") or name.startswith("file:") or parsed_url.query:
        raise BadSetup(f"a server needs a file for its tables, as in {EXAMPLE_URL}")
    return SqliteDatabase(Path(name), lock_timeout)
