"""Timekeeping: the clock that runs at a table, and storage of the clocks after moves and changes of seats.

Nothing is charged for bots, pauses, downtime of the server, and one second of network time for each decision.
"""

from dataclasses import dataclass, replace

from sqlalchemy import Connection, bindparam, update

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.server import server_time
from triclinium.server.accounts.paused_time import PausedTime, TimeSpan, count_elapsed
from triclinium.server.services import Services
from triclinium.server.storage.schema import seats, tables
from triclinium.server.storage.statements import PreparedStatement
from triclinium.server.tables.table import HistoryRow, Occupant, Table
from triclinium.server.tables.time_bank import NETWORK_ALLOWANCE, TimeBankClock

_UPDATE_SEAT = PreparedStatement(
    update(seats)
    .where(seats.c.table == bindparam("b_table"), seats.c.seat == bindparam("b_seat"))
    .values(left=bindparam("b_left"), free_used=bindparam("b_free_used"), pending=bindparam("b_pending"))
)
_UPDATE_COUNTED = PreparedStatement(
    update(tables).where(tables.c.id == bindparam("b_id")).values(counted=bindparam("b_counted"))
)


def find_timed_occupant(table: Table) -> Occupant | None:
    """Return the occupant whose clock runs, or None."""
    if table.clock is None or table.status != "playing" or table.who == NOBODY:
        return None
    occupant = table.occupants[table.who]
    return None if occupant.deciding_bot else occupant


def list_paused_spans(paused_time: PausedTime, table: Table, occupant: Occupant, now: float) -> list[TimeSpan]:
    """Return the periods in which this player's clock does not run."""
    if not table.options.slow or table.clock is None:
        return paused_time.closed_spans
    own = paused_time.load_quiet_hours(occupant.person, table.clock.since, now)
    return [*paused_time.closed_spans, *paused_time.get_vacations(occupant.person), *own]


def measure_thinking_ms(paused_time: PausedTime, table: Table, now: float) -> int:
    """Return the milliseconds that the seat to move has used since the clocks were last settled."""
    occupant = find_timed_occupant(table)
    if table.clock is None or occupant is None:
        return 0
    return int(1000 * count_elapsed(table.clock.since, now, list_paused_spans(paused_time, table, occupant, now)))


def compute_times_left(paused_time: PausedTime, table: Table, seat: Seat, now: float | None = None) -> tuple[int, int]:
    """Return the milliseconds that a seat has left, in its time bank and as free time."""
    assert table.clock is not None
    now = server_time.now() if now is None else now
    then = (
        table.clock.with_time_spent(seat, measure_thinking_ms(paused_time, table, now))
        if seat == table.who
        else table.clock
    )
    return then.seats[seat].left, then.get_free_time_left(seat)


# -- storage ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ThinkingTime:
    """The seat to move and its thinking time. Measure it before a move, because the move changes the seat to move."""

    seat: Seat
    milliseconds: int
    at: float

    @classmethod
    def measure(cls, services: Services, table: Table) -> "ThinkingTime":
        at = server_time.now()
        return cls(table.who, max(0, measure_thinking_ms(services.paused_time, table, at) - NETWORK_ALLOWANCE), at)


def charge_time(table: Table, spent: ThinkingTime, done: list[HistoryRow], who: Seat) -> TimeBankClock | None:
    """Enter the thinking time in the first of these rows, and return the clocks after all of them.

    ``who`` has to decide next. After an undo the earlier turn continues, so that the undo returns no time.
    """
    if table.clock is None or spent.seat == NOBODY:
        return table.clock
    took, after = table.clock.with_time_spent(spent.seat, spent.milliseconds).take_pending(spent.seat)
    undone = done[0].kind == "undo"
    done[0] = replace(done[0], time_spent=took, timed_seat=spent.seat)
    if who not in (spent.seat, NOBODY) and not undone:
        after = after.with_new_period(who)
    return after.with_since(spent.at)


def settle_clock(paused_time: PausedTime, table: Table, now: float) -> TimeBankClock | None:
    """Return the clocks after charging all time up to now, for a change that is not a move."""
    if table.clock is None:
        return None
    if table.status != "playing" or table.who == NOBODY:
        return table.clock
    at = max(now, table.clock.since) if table.paused_until > now else now
    return table.clock.with_time_spent(table.who, measure_thinking_ms(paused_time, table, now)).with_since(at)


def write(connection: Connection, table: Table, after: TimeBankClock) -> None:
    """Store new clocks of a table. Only the changed ones are written."""
    before = table.clock
    for seat, time in enumerate(after.seats):
        if before is None or before.seats[seat] != time:
            row = {"b_left": time.left, "b_free_used": time.free_used, "b_pending": time.pending}
            _UPDATE_SEAT.run(connection, {"b_table": table.id, "b_seat": seat, **row})
    _UPDATE_COUNTED.run(connection, {"b_id": table.id, "b_counted": after.since})
