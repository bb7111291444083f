"""Vacations: for up to 21 days a year a person's clocks at slow tables are paused."""

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
YEARLY_ALLOWANCE = 21 * DAY  # maximum vacation in any period of 365 days
MAX_ADVANCE = YEAR  # a vacation must begin within this many seconds from now


@dataclass(frozen=True, slots=True)
class VacationStatus:
    """The current or next vacation of a person, and the days that are left."""

    span: TimeSpan | None  # current or next vacation
    days_left: int  # whole days left, after the vacations of the past 365 days


def get_vacation_status(services: Services, person: int) -> VacationStatus:
    """Return the vacation status of a person."""
    now = server_time.now()
    spans = services.paused_time.get_vacations(person)
    coming = next((span for span in spans if span[1] > now), None)
    return VacationStatus(coming, int((YEARLY_ALLOWANCE - _count_used_seconds(spans, now)) // DAY))


async def schedule_vacation(services: Services, person: Person, start: float, until: float) -> None:
    """Plan a vacation between two moments, instead of the one planned before.

    Raise `RequestError` for an impossible span, and `Conflict` if it exceeds the yearly allowance.
    """
    now = server_time.now()
    start = max(start, now)
    if not start < until or start > now + MAX_ADVANCE:
        raise RequestError("Choose a start date within the next year and an end date after it.")
    spans = [*_select_past_spans(services.paused_time.get_vacations(person.id), now), (start, until)]
    if any(_count_used_seconds(spans, end) > YEARLY_ALLOWANCE for _, end in spans):
        raise Conflict("Vacations are limited to 21 days a year. These dates exceed the limit.")
    await _store_vacation(services, person.id, now, (start, until))


async def end_vacation(services: Services, person: Person) -> None:
    """End the current vacation now, and cancel a planned one."""
    await _store_vacation(services, person.id, server_time.now(), None)


def _count_used_seconds(spans: list[TimeSpan], at: float) -> float:
    """Return the seconds of vacation in the year before a moment."""
    return sum(max(0.0, min(end, at) - max(start, at - YEAR)) for start, end in spans)


def _select_past_spans(spans: list[TimeSpan], now: float) -> list[TimeSpan]:
    return [(start, min(end, now)) for start, end in spans if start < now]


async def _store_vacation(services: Services, person: int, now: float, new: TimeSpan | None) -> None:
    """Replace the current or planned vacation. The part that has passed stays, because clocks were paused during it."""
    own = away.c.person == person

    def job(connection: Connection) -> list[TimeSpan]:
        connection.execute(delete(away).where(own, away.c.start >= now))
        connection.execute(update(away).where(own, away.c.until > now).values(until=now))
        if new is not None:
            connection.execute(insert(away).values(person=person, start=new[0], until=new[1]))
        rows = connection.execute(select(away).where(own).order_by(away.c.start))
        return [(row.start, row.until) for row in rows]

    services.paused_time.vacations[person] = await services.store.write_and_reload_peers(job)
