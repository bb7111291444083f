"""Being away: up to 21 days a year somebody's clocks at slow tables rest."""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select, update

from triclinium.server import server_time
from triclinium.server.accounts.paused_time import TimeSpan
from triclinium.server.accounts.users import Person
from triclinium.server.errors import Conflict, RequestError
from triclinium.server.services import Services
from triclinium.server.storage.schema_vacations import away

DAY = 86400.0
YEAR = 365 * DAY
YEARLY_ALLOWANCE = 21 * DAY  # in any year
MAX_ADVANCE = YEAR  # seconds from now that an absence may begin


@dataclass(frozen=True, slots=True)
class VacationStatus:
    """What somebody has said of it."""

    span: TimeSpan | None  # that is now, or will be
    days_left: int  # whole days that are left in the year until now


def get_vacation_status(services: Services, person: int) -> VacationStatus:
    """As it stands."""
    now = server_time.now()
    spans = services.paused_time.get_vacations(person)
    coming = next((span for span in spans if span[1] > now), None)
    return VacationStatus(coming, int((YEARLY_ALLOWANCE - _count_used_seconds(spans, now)) // DAY))


async def schedule_vacation(services: Services, person: Person, start: float, until: float) -> None:
    """Be away between two moments, in the place of what was said before of the time to come."""
    now = server_time.now()
    start = max(start, now)
    if not start < until or start > now + MAX_ADVANCE:
        raise RequestError("say from when, within a year, and until when after that you are away")
    spans = [*_select_past_spans(services.paused_time.get_vacations(person.id), now), (start, until)]
    if any(_count_used_seconds(spans, end) > YEARLY_ALLOWANCE for _, end in spans):
        raise Conflict("you may be away for 21 days a year: that would be more")
    await _store_vacation(services, person.id, now, (start, until))


async def end_vacation(services: Services, person: Person) -> None:
    """Be back now, or do not go."""
    await _store_vacation(services, person.id, server_time.now(), None)


def _count_used_seconds(spans: list[TimeSpan], at: float) -> float:
    """Seconds away in the year until then."""
    return sum(max(0.0, min(end, at) - max(start, at - YEAR)) for start, end in spans)


def _select_past_spans(spans: list[TimeSpan], now: float) -> list[TimeSpan]:
    return [(start, min(end, now)) for start, end in spans if start < now]


async def _store_vacation(services: Services, person: int, now: float, new: TimeSpan | None) -> None:
    """What is past stays: clocks have rested then."""
    own = away.c.person == person

    def job(connection: Connection) -> list[TimeSpan]:
        connection.execute(delete(away).where(own, away.c.start >= now))
        connection.execute(update(away).where(own, away.c.until > now).values(until=now))
        if new is not None:
            connection.execute(insert(away).values(person=person, start=new[0], until=new[1]))
        rows = connection.execute(select(away).where(own).order_by(away.c.start))
        return [(row.start, row.until) for row in rows]

    services.paused_time.vacations[person] = await services.store.write_and_reload_peers(job)
