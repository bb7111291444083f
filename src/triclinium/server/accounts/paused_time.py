"""Paused time: when the server was closed, and at slow tables the vacations and quiet hours of players."""

import datetime
from collections.abc import Iterable, Iterator
from typing import TypeAlias
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, delete, exists, insert, select

from triclinium.server.storage import key_value
from triclinium.server.storage.schema import people, tables
from triclinium.server.storage.schema_vacations import away, closings
from triclinium.server.storage.store import Store

TimeSpan: TypeAlias = tuple[float, float]
ALIVE_KEY = "alive"  # key of the time at which the server was last known to be open
MAX_QUIET_SECONDS = 12 * 3600.0  # longest quiet hours in a day
CLOSING_RETENTION = 120 * 86400.0  # seconds for which closings are stored; no clock needs them longer


def count_elapsed(since: float, now: float, pauses: Iterable[TimeSpan]) -> float:
    """Return the seconds between two moments without those in the pauses, which may overlap."""
    counted, at = 0.0, since
    for start, end in sorted(pauses):
        if start >= now:
            break
        if end > at:
            counted += max(0.0, start - at)
            at = end
    return counted + max(0.0, now - at)


def list_quiet_hours(zone: str, quiet: str, since: float, now: float) -> Iterator[TimeSpan]:
    """Yield the quiet hours between two moments.

    ``quiet`` is a span such as ``22:30-08:00`` in the time zone ``zone``, or "" for none.
    """
    if not quiet:
        return
    there = ZoneInfo(zone or "UTC")
    begin, end = (datetime.time.fromisoformat(text) for text in quiet.split("-"))
    day = datetime.datetime.fromtimestamp(since, there).date() - datetime.timedelta(days=1)
    last = datetime.datetime.fromtimestamp(now, there).date()
    while day <= last:
        following = day + datetime.timedelta(days=1)
        start = datetime.datetime.combine(day, begin, there).timestamp()
        until = datetime.datetime.combine(day if begin < end else following, end, there).timestamp()
        yield (start, min(until, start + MAX_QUIET_SECONDS))
        day = following


class PausedTime:
    """A cache of the times when the server was closed and of all vacations."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.closed_spans: list[TimeSpan] = []
        self.vacations: dict[int, list[TimeSpan]] = {}  # vacations by person

    async def record_opening(self, opened: float, grace: float) -> None:
        """Record the opening of the server, and count the time since the last heartbeat as paused.

        No player could move while the server was closed. After the opening, players get ``grace`` seconds to reconnect.
        """

        def job(connection: Connection) -> tuple[list[TimeSpan], dict[int, list[TimeSpan]]]:
            alive = key_value.load_value(connection, ALIVE_KEY)
            # Time does not count as paused if another server was open.
            if alive and not (self.store.database.shared and opened - float(alive) < grace):
                connection.execute(insert(closings).values(start=float(alive), until=opened + grace))
            connection.execute(delete(closings).where(closings.c.until < opened - CLOSING_RETENTION))
            store_heartbeat(connection, opened)
            closed = [(row.start, row.until) for row in connection.execute(select(closings))]
            return closed, _load_vacations(connection)

        self.closed_spans, self.vacations = await self.store.write_with_retry(job)

    def read(self, connection: Connection) -> None:
        """Load the stored closings and vacations."""
        self.closed_spans = [(row.start, row.until) for row in connection.execute(select(closings))]
        self.vacations = _load_vacations(connection)

    async def record_heartbeat(self, now: float) -> None:
        """Store the current time as the last heartbeat, if any clock is running."""
        with self.store.read_connection() as connection:
            running = select(exists().where(tables.c.status == "playing", tables.c.store > 0))
            if not connection.execute(running).scalar_one():
                return
        await self.store.write(lambda connection: store_heartbeat(connection, now))

    def get_vacations(self, person: int | None) -> list[TimeSpan]:
        """Return the past and planned vacations of a person."""
        return [] if person is None else self.vacations.get(person, [])

    def load_quiet_hours(self, person: int | None, since: float, now: float) -> list[TimeSpan]:
        """Return the quiet hours of a person between two moments."""
        if person is None:
            return []
        with self.store.read_connection() as connection:
            row = connection.execute(select(people.c.zone, people.c.quiet).where(people.c.id == person)).one()
        try:
            return list(list_quiet_hours(row.zone, row.quiet, since, now))
        except (KeyError, ValueError, OSError):  # this machine does not know the time zone
            return []


def store_heartbeat(connection: Connection, now: float) -> None:
    """Store the time at which the server was last known to be open."""
    key_value.store_value(connection, ALIVE_KEY, repr(now))


def _load_vacations(connection: Connection) -> dict[int, list[TimeSpan]]:
    vacations: dict[int, list[TimeSpan]] = {}
    for row in connection.execute(select(away).order_by(away.c.start)):
        vacations.setdefault(row.person, []).append((row.start, row.until))
    return vacations
