"""PostgreSQL backend: a database that several servers can share."""

import base64
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import URL, Connection, create_engine, event, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DisconnectionError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.extras import describe_missing_extra
from triclinium.server.storage.database import Database
from triclinium.server.storage.key_value import load_value, store_value
from triclinium.server.storage.schema import key_values

DRIVER = "postgresql+psycopg"
URL_SCHEMES = ("postgresql", "postgres", DRIVER)
OTHER_DRIVERS = ("postgresql+asyncpg", "postgresql+psycopg2", "postgresql+pg8000")  # drivers that a URL may name


LAST_USED = "used"  # key for the time at which a connection was last returned to the pool
IDLE_SECONDS = 0.5  # a connection that was idle for longer is tested before it is used


def _record_checkin(_: DBAPIConnection | None, entry: ConnectionPoolEntry) -> None:
    entry.info[LAST_USED] = time.monotonic()


class PostgresDatabase(Database):
    """A PostgreSQL database, which writes each commit to its disk before it answers."""

    shared = True

    def __init__(self, url: URL, lock_timeout: float) -> None:
        """Create the engine.

        ``lock_timeout`` is the number of seconds that a statement waits for another program's lock.
        """
        self._lock_timeout = lock_timeout
        self.url = url
        self.name = url.render_as_string(hide_password=True)
        options = f"-c lock_timeout={round(lock_timeout * 1000)} -c synchronous_commit=on -c timezone=UTC"
        try:
            self.engine = create_engine(
                url.set(drivername=DRIVER),
                poolclass=QueuePool,
                pool_size=4,
                hide_parameters=True,
                connect_args={"options": options, "connect_timeout": 10},
            )
        except ModuleNotFoundError:
            raise BadSetup(describe_missing_extra("PostgreSQL", "postgres")) from None
        event.listen(self.engine, "checkout", self._ping_idle_connection)
        event.listen(self.engine, "checkin", _record_checkin)

    def _ping_idle_connection(self, connection: DBAPIConnection, entry: ConnectionPoolEntry, _: object) -> None:
        """Test a connection that has been idle, so that no request fails because the database was restarted.

        A connection that was just used is not tested, because the test costs one more round trip.
        """
        if time.monotonic() - entry.info.get(LAST_USED, 0.0) > IDLE_SECONDS:
            try:
                self.engine.dialect.do_ping(connection)
            except Exception:  # the class of the error depends on the driver
                raise DisconnectionError from None

    def claim_database(self) -> None:
        """Do nothing, because several servers can use the database."""

    def release_database(self) -> None:
        """Do nothing, because closing the engine closes its connections."""

    def check_integrity(self, connection: Connection) -> None:
        """Do nothing, because PostgreSQL checks its own files."""

    def complete_restore(self, connection: Connection) -> None:
        """Do nothing, because secrets are ordinary rows that the backup has restored."""

    def check_integrity_fully(self) -> None:
        """Do nothing, because PostgreSQL checks its own files."""

    def explain_error(self, error: SQLAlchemyError) -> str:
        cause = str(getattr(error, "orig", None) or error).strip().splitlines()
        return f"the database {self.name} does not open: {cause[-1] if cause else type(error).__name__}"

    def check(self) -> None:
        """Do nothing, because a statement on a lost connection raises its own error."""

    def check_writable(self) -> None:
        """Do nothing, because a write to a read-only database raises its own error."""

    @contextmanager
    def write_transaction(self, connection: Connection, seconds: float) -> Iterator[None]:
        with connection.begin():
            if seconds != self._lock_timeout:  # PostgreSQL reads 0 as no limit, so the timeout is at least 1 ms
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = {max(1, round(seconds * 1000))}")
            yield

    def check_persisted(self) -> None:
        """Do nothing, because PostgreSQL keeps each transaction that it has committed."""

    def vacuum(self) -> None:
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM")

    def load_or_create_secret(self, name: str, make: Callable[[], bytes]) -> bytes:
        """Return a secret from the key-value table, or create it.

        The first server to call this creates the secret, and all servers that share the database get the same one.
        """
        query = select(key_values.c.value).where(key_values.c.name == f"secret {name}")
        with self.engine.begin() as connection:
            value = connection.execute(query).scalar_one_or_none()
            if value is None:
                encoded = base64.b64encode(make()).decode("ascii")
                connection.execute(
                    insert(key_values).values(name=f"secret {name}", value=encoded).on_conflict_do_nothing()
                )
                value = connection.execute(query).scalar_one()
        return base64.b64decode(str(value))

    def load_secret(self, name: str) -> bytes:
        with self.engine.connect() as connection:
            return base64.b64decode(load_value(connection, f"secret {name}"))

    def store_secret(self, name: str, content: bytes) -> None:
        with self.engine.begin() as connection:
            store_value(connection, f"secret {name}", base64.b64encode(content).decode("ascii"))
