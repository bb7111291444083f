"""Being away: up to 21 days a year somebody's clocks at slow tables rest."""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select, update

from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.errors import Conflict, RequestError
from triclinium.server.server import Server
from triclinium.server.storage.schema_vacations import away
from triclinium.server.tables.paused_time import Span

DAY = 86400.0
YEAR = 365 * DAY
ALLOWED = 21 * DAY  # in any year
AHEAD = YEAR  # seconds from now that an absence may begin


@dataclass(frozen=True, slots=True)
class Away:
    """What somebody has said of it."""

    span: Span | None  # that is now, or will be
    days: int  # whole days that are left in the year until now


def away_of(server: Server, person: int) -> Away:
    """As it stands."""
    now = server_time.now()
    spans = server.rests.of(person)
    coming = next((span for span in spans if span[1] > now), None)
    return Away(coming, int((ALLOWED - _used(spans, now)) // DAY))


async def go_away(server: Server, person: Person, start: float, until: float) -> None:
    """Be away between two moments, in the place of what was said before of the time to come."""
    now = server_time.now()
    start = max(start, now)
    if not start < until or start > now + AHEAD:
        raise RequestError("say from when, within a year, and until when after that you are away")
    spans = [*_past(server.rests.of(person.id), now), (start, until)]
    if any(_used(spans, end) > ALLOWED for _, end in spans):
        raise Conflict("you may be away for 21 days a year: that would be more")
    await _keep(server, person.id, now, (start, until))


async def come_back(server: Server, person: Person) -> None:
    """Be back now, or do not go."""
    await _keep(server, person.id, server_time.now(), None)


def _used(spans: list[Span], at: float) -> float:
    """Seconds away in the year until then."""
    return sum(max(0.0, min(end, at) - max(start, at - YEAR)) for start, end in spans)


def _past(spans: list[Span], now: float) -> list[Span]:
    return [(start, min(end, now)) for start, end in spans if start < now]


async def _keep(server: Server, person: int, now: float, new: Span | None) -> None:
    """What is past stays: clocks have rested then."""
    own = away.c.person == person

    def job(connection: Connection) -> list[Span]:
        connection.execute(delete(away).where(own, away.c.start >= now))
        connection.execute(update(away).where(own, away.c.until > now).values(until=now))
        if new is not None:
            connection.execute(insert(away).values(person=person, start=new[0], until=new[1]))
        rows = connection.execute(select(away).where(own).order_by(away.c.start))
        return [(row.start, row.until) for row in rows]

    server.rests.away[person] = await server.store.write_for_all(job)
