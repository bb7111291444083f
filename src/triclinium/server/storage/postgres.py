"""PostgreSQL: a database that outlives its servers, and that several of them may share."""

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
from triclinium.server.storage.database import Database
from triclinium.server.storage.key_value import keep, kept
from triclinium.server.storage.schema import house

DRIVER = "postgresql+psycopg"
SPELT = ("postgresql", "postgres", DRIVER)
OTHERS = ("postgresql+asyncpg", "postgresql+psycopg2", "postgresql+pg8000")  # drivers that somebody may name


USED = "used"  # when a connection was given back last
RESTED = 0.5  # seconds


def _note(_: DBAPIConnection | None, kept: ConnectionPoolEntry) -> None:
    kept.info[USED] = time.monotonic()


class Postgres(Database):
    """A database of a PostgreSQL. What is acknowledged is on its disk."""

    shared = True

    def __init__(self, url: URL, busy: float) -> None:
        """``busy``: how many seconds a statement waits for a lock that somebody else holds."""
        self._busy = busy
        self.url = url
        self.name = url.render_as_string(hide_password=True)
        options = f"-c lock_timeout={round(busy * 1000)} -c synchronous_commit=on -c timezone=UTC"
        try:
            self.engine = create_engine(
                url.set(drivername=DRIVER),
                poolclass=QueuePool,
                pool_size=4,
                hide_parameters=True,
                connect_args={"options": options, "connect_timeout": 10},
            )
        except ModuleNotFoundError:
            raise BadSetup("PostgreSQL needs a package more: install triclinium[postgres]") from None
        event.listen(self.engine, "checkout", self._try)
        event.listen(self.engine, "checkin", _note)

    def _try(self, connection: DBAPIConnection, kept: ConnectionPoolEntry, _: object) -> None:
        """A database that was started anew is noticed before somebody is refused: a connection that rested is tried.

        One that was just used is not: every look into the database would wait for two answers.
        """
        if time.monotonic() - kept.info.get(USED, 0.0) > RESTED:
            try:
                self.engine.dialect.do_ping(connection)
            except Exception:  # whatever the driver raises
                raise DisconnectionError from None

    def claim(self) -> None:
        """Several servers may hold it."""

    def release(self) -> None:
        """Connections are closed with the engine."""

    def check_sound(self, connection: Connection) -> None:
        """PostgreSQL looks after its own files."""

    def complete_restore(self, connection: Connection) -> None:
        """Secrets are rows like all others here."""

    def look_through(self) -> None:
        """So it does after the start."""

    def explain(self, error: SQLAlchemyError) -> str:
        cause = str(getattr(error, "orig", None) or error).strip().splitlines()
        return f"the database {self.name} does not open: {cause[-1] if cause else type(error).__name__}"

    def check(self) -> None:
        """A connection that is lost says so itself."""

    def check_writable(self) -> None:
        """A database that takes no writes says so itself."""

    @contextmanager
    def writing(self, connection: Connection, seconds: float) -> Iterator[None]:
        with connection.begin():
            if seconds != self._busy:  # 0 would be without a limit
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = {max(1, round(seconds * 1000))}")
            yield

    def check_kept(self) -> None:
        """What it has committed is kept."""

    def sweep(self) -> None:
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM")

    def secret(self, name: str, make: Callable[[], bytes]) -> bytes:
        """Kept among the facts of the house: whichever server comes first makes it, and all have the same."""
        known = select(house.c.value).where(house.c.name == f"secret {name}")
        with self.engine.begin() as connection:
            found = connection.execute(known).scalar_one_or_none()
            if found is None:
                made = base64.b64encode(make()).decode("ascii")
                connection.execute(insert(house).values(name=f"secret {name}", value=made).on_conflict_do_nothing())
                found = connection.execute(known).scalar_one()
        return base64.b64decode(str(found))

    def kept_secret(self, name: str) -> bytes:
        with self.engine.connect() as connection:
            return base64.b64decode(kept(connection, f"secret {name}"))

    def put_secret(self, name: str, content: bytes) -> None:
        with self.engine.begin() as connection:
            keep(connection, f"secret {name}", base64.b64encode(content).decode("ascii"))
