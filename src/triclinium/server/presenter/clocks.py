"""Clocks of a table: in milliseconds for the API, as text for pages."""

from dataclasses import dataclass

from triclinium.engine.core.state import Seat
from triclinium.server import server_time
from triclinium.server.accounts.paused_time import PausedTime
from triclinium.server.services import Services
from triclinium.server.tables import timekeeping
from triclinium.server.tables.absence import find_current_vacation, format_clock_time
from triclinium.server.tables.table import Table
from triclinium.server.tables.time_bank import replay_banks

SLOW_LOW_SECONDS = 6 * 3600  # in slow matches, a time bank is low at this many seconds or a quarter of its start


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of one seat."""

    left: int  # milliseconds left in the time bank
    free: int  # milliseconds left of this turn's free time
    runs: bool
    low: bool
    low_limit: int  # the time bank is low from this many milliseconds on

    @property
    def text(self) -> str:
        """The remaining time as text: ``12:40``, or ``71 h 05 min`` for long times."""
        return format_clock_time((self.left + 999) // 1000)


def load_seat_clocks(services: Services, table: Table, past: int | None = None) -> list[SeatClock]:
    """Return the clocks of all seats, now or after ``past`` moves. Return [] if the table has no clocks."""
    if table.clock is None:
        return []
    seats = range(len(table.occupants))
    if past is not None:
        took = [(row.timed_seat, row.time_spent) for row in table.history[:past] if row.timed_seat >= 0]
        then = replay_banks(table.options.store, table.options.free, len(seats), took)
        return [_make_clock(table, left, 0, False) for left in then]
    return [_compute_clock(services.paused_time, table, seat) for seat in seats]


def _compute_clock(paused_time: PausedTime, table: Table, seat: Seat) -> SeatClock:
    now = server_time.now()
    left, free = timekeeping.compute_times_left(paused_time, table, seat, now)
    owner = timekeeping.find_timed_occupant(table)
    runs = owner is not None and owner.seat == seat and not table.is_paused(now)
    if runs and table.options.slow and owner is not None:
        runs = find_current_vacation(paused_time, owner) is None
    return _make_clock(table, left, free if runs else 0, runs)


def _make_clock(table: Table, left: int, free: int, runs: bool) -> SeatClock:
    quarter = table.options.store * 250
    least = max(quarter, SLOW_LOW_SECONDS * 1000) if table.options.slow else quarter
    return SeatClock(left, free, runs, left <= least, least)


def build_clock_json(services: Services, table: Table) -> dict[str, object]:
    """Return the clocks as JSON, for the API and for the script of the table page."""
    if table.clock is None:
        return {"clock": None}
    return {
        "clock": {
            "time_bank": table.options.store,
            "delay": table.options.free,
            "auto_substitute": table.options.bots,
            "paused_until": table.paused_until if table.is_paused(server_time.now()) else None,
            "seats": [
                {"time_bank_ms": seat_clock.left, "delay_ms": seat_clock.free, "running": seat_clock.runs}
                for seat_clock in load_seat_clocks(services, table)
            ],
        }
    }
