"""The clocks of a table as they are told: to programs in milliseconds, to people in words and digits."""

from dataclasses import dataclass

from triclinium.engine.core.state import Seat
from triclinium.server import server_time
from triclinium.server.server import Server
from triclinium.server.tables import timekeeping
from triclinium.server.tables.absence import away_now, span
from triclinium.server.tables.table import Table
from triclinium.server.tables.time_bank import replayed

SLOW_LAST = 6 * 3600  # seconds: a slow store is low when so much is left, or a quarter


@dataclass(frozen=True, slots=True)
class Hand:
    """The clock of one seat."""

    left: int  # milliseconds of its store
    free: int  # of free time in this spell
    runs: bool
    low: bool
    quarter: int  # milliseconds from which on it is low

    @property
    def said(self) -> str:
        """``12:40``, or for long times ``71 h 05 min``."""
        return span((self.left + 999) // 1000)


def hands(server: Server, table: Table, past: int | None = None) -> list[Hand]:
    """The clock of every seat, now or after so many moves; none: the table has no clocks."""
    if table.clock is None:
        return []
    seats = range(len(table.occupants))
    if past is not None:
        took = [(row.asked, row.took) for row in table.history[:past] if row.asked >= 0]
        then = replayed(table.options.store, table.options.free, len(seats), took)
        return [_hand(table, left, 0, False) for left in then]
    return [_now(server, table, seat) for seat in seats]


def _now(server: Server, table: Table, seat: Seat) -> Hand:
    now = server_time.now()
    left, free = timekeeping.rest(server, table, seat, now)
    owner = timekeeping.running(table)
    runs = owner is not None and owner.seat == seat and not table.paused_at(now)
    if runs and table.options.slow and owner is not None:
        runs = away_now(server, owner) is None
    return _hand(table, left, free if runs else 0, runs)


def _hand(table: Table, left: int, free: int, runs: bool) -> Hand:
    quarter = table.options.store * 250
    least = max(quarter, SLOW_LAST * 1000) if table.options.slow else quarter
    return Hand(left, free, runs, left <= least, least)


def clock_facts(server: Server, table: Table) -> dict[str, object]:
    """For programs, and for the script of the page."""
    if table.clock is None:
        return {"clock": None}
    return {
        "clock": {
            "store": table.options.store,
            "free": table.options.free,
            "bots": table.options.bots,
            "paused_until": table.paused if table.paused_at(server_time.now()) else None,
            "seats": [{"left": one.left, "free": one.free, "runs": one.runs} for one in hands(server, table)],
        }
    }
