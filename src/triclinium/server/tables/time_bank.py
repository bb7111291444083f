"""The store clock: every seat has a store of time, and the first free seconds of each spell cost nothing.

A spell lasts from being asked until somebody else is asked. So many small answers hoard nothing, and it suits decisions
out of turn. All times but `since` are milliseconds.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from triclinium.engine.core.state import Seat

NETWORK_ALLOWANCE = 1000  # of every decision: what the way to the server may take
DAY = 86400
LIVE_LIMITS, SLOW_LIMITS = (
    ((60, 7200), (5, 600)),
    ((DAY, 14 * DAY), (4 * 3600, 72 * 3600)),
)  # seconds: stores, free times


def is_valid_clock(bank: int, free: int) -> bool:
    """Whether a table may have such a clock; none at all is one, too."""
    if bank == 0:
        return free == 0
    return any(
        low <= bank <= high and least <= free <= most for (low, high), (least, most) in (LIVE_LIMITS, SLOW_LIMITS)
    )


@dataclass(frozen=True, slots=True)
class SeatTime:
    """The time of one seat."""

    left: int  # of the store
    free_used: int = 0  # free time used since it was asked
    pending: int = 0  # taken from the store, and not yet written with a move


@dataclass(frozen=True, slots=True)
class TimeBankClock:
    """The clocks of a table. It never changes: a new one takes its place when that is stored."""

    free: int
    seats: tuple[SeatTime, ...]
    since: float  # until when time is counted, by the server's clock; in the future: the match is paused

    @classmethod
    def with_full_banks(cls, bank: int, free: int, seats: int, now: float) -> "TimeBankClock":
        """Full stores; in seconds."""
        return cls(free * 1000, (SeatTime(bank * 1000),) * seats, now)

    def get_time_left(self, seat: Seat) -> int:
        """How long a seat may still think."""
        return self.seats[seat].left + self.get_free_time_left(seat)

    def get_free_time_left(self, seat: Seat) -> int:
        """How long that costs nothing."""
        return self.free - self.seats[seat].free_used

    def with_time_spent(self, seat: Seat, span: int) -> "TimeBankClock":
        """A seat has thought: first free time goes, then the store, down to nothing."""
        seat_time = self.seats[seat]
        free_used = min(self.free, seat_time.free_used + span)
        spent = min(seat_time.left, seat_time.free_used + span - free_used)
        return self._with_seat_time(seat, SeatTime(seat_time.left - spent, free_used, seat_time.pending + spent))

    def take_pending(self, seat: Seat) -> tuple[int, "TimeBankClock"]:
        """What a move of this seat tells that it took."""
        seat_time = self.seats[seat]
        return seat_time.pending, self._with_seat_time(seat, replace(seat_time, pending=0))

    def with_new_period(self, seat: Seat) -> "TimeBankClock":
        """Its spell begins."""
        return self._with_seat_time(seat, replace(self.seats[seat], free_used=0))

    def with_return_bonus(self, seat: Seat) -> "TimeBankClock":
        """Whoever comes to a seat without time has twice the free time."""
        seat_time = self.seats[seat]
        return self if seat_time.left else self._with_seat_time(seat, replace(seat_time, left=2 * self.free))

    def with_since(self, since: float) -> "TimeBankClock":
        return replace(self, since=since)

    def _with_seat_time(self, seat: Seat, time: SeatTime) -> "TimeBankClock":
        return replace(self, seats=(*self.seats[:seat], time, *self.seats[seat + 1 :]))


def replay_banks(bank: int, free: int, seats: int, took: Iterable[tuple[Seat, int]]) -> list[int]:
    """What each seat had left after some moves: whose time each took, and how much."""
    left = [bank * 1000] * seats
    for seat, spent in took:
        if spent > left[seat]:  # somebody came back in between
            left[seat] = 2000 * free
        left[seat] -= spent
    return left
