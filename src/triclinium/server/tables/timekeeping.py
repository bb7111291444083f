"""Whose clock runs at a table, and what is stored of it: with every move, and whenever somebody comes or goes.

Bots, pauses, the server's own absence and a second of network for each decision cost nobody anything.
"""

from dataclasses import dataclass, replace

from sqlalchemy import Connection, bindparam, update

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.server import server_time
from triclinium.server.server import Server
from triclinium.server.storage.schema import seats, tables
from triclinium.server.storage.statements import Prepared
from triclinium.server.tables.paused_time import Span, lapse
from triclinium.server.tables.table import HistoryRow, Occupant, Table
from triclinium.server.tables.time_bank import NETWORK, StoreClock

_SEAT = Prepared(
    update(seats)
    .where(seats.c.table == bindparam("b_table"), seats.c.seat == bindparam("b_seat"))
    .values(left=bindparam("b_left"), spell=bindparam("b_spell"), pending=bindparam("b_pending"))
)
_COUNTED = Prepared(update(tables).where(tables.c.id == bindparam("b_id")).values(counted=bindparam("b_counted")))


def running(table: Table) -> Occupant | None:
    """Who is asked and pays for it; None: nobody's clock runs."""
    if table.clock is None or table.status != "playing" or table.who == NOBODY:
        return None
    occupant = table.occupants[table.who]
    return None if occupant.plays_by_itself else occupant


def resting(server: Server, table: Table, occupant: Occupant, now: float) -> list[Span]:
    """When this player's clock does not run."""
    if not table.options.slow or table.clock is None:
        return server.rests.closed
    own = server.rests.asleep(occupant.person, table.clock.since, now)
    return [*server.rests.closed, *server.rests.of(occupant.person), *own]


def thought(server: Server, table: Table, now: float) -> int:
    """Milliseconds that who is asked has thought since time was last counted."""
    occupant = running(table)
    if table.clock is None or occupant is None:
        return 0
    return int(1000 * lapse(table.clock.since, now, resting(server, table, occupant, now)))


def rest(server: Server, table: Table, seat: Seat, now: float | None = None) -> tuple[int, int]:
    """Milliseconds of its store that a seat has now, and of free time."""
    assert table.clock is not None
    now = server_time.now() if now is None else now
    then = table.clock.thought(seat, thought(server, table, now)) if seat == table.who else table.clock
    return then.seats[seat].left, then.free_left(seat)


# -- what is stored ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spent:
    """Who is asked, and how long they have thought: taken before a move is made, since it asks somebody else."""

    asked: Seat
    span: int
    at: float

    @classmethod
    def now(cls, server: Server, table: Table) -> "Spent":
        at = server_time.now()
        return cls(table.who, max(0, thought(server, table, at) - NETWORK), at)


def stamp(table: Table, spent: Spent, done: list[HistoryRow], who: Seat) -> StoreClock | None:
    """Note in the first of these rows what it took; the clocks after all of them.

    ``who`` is asked next. Whoever is asked again by an undo goes on in the same spell: that returns no time.
    """
    if table.clock is None or spent.asked == NOBODY:
        return table.clock
    took, after = table.clock.thought(spent.asked, spent.span).written(spent.asked)
    undone = done[0].kind == "undo"
    done[0] = replace(done[0], took=took, asked=spent.asked)
    if who not in (spent.asked, NOBODY) and not undone:
        after = after.asked(who)
    return after.at(spent.at)


def settled(server: Server, table: Table, now: float) -> StoreClock | None:
    """The clocks with all time counted until now, for a change that is no move."""
    if table.clock is None:
        return None
    if table.status != "playing" or table.who == NOBODY:
        return table.clock
    at = max(now, table.clock.since) if table.paused > now else now
    return table.clock.thought(table.who, thought(server, table, now)).at(at)


def write(connection: Connection, table: Table, after: StoreClock) -> None:
    """Store clocks in the place of the table's; only what has changed."""
    before = table.clock
    for seat, time in enumerate(after.seats):
        if before is None or before.seats[seat] != time:
            row = {"b_left": time.left, "b_spell": time.spell, "b_pending": time.pending}
            _SEAT.run(connection, {"b_table": table.id, "b_seat": seat, **row})
    _COUNTED.run(connection, {"b_id": table.id, "b_counted": after.since})
