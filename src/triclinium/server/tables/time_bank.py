"""Time banks: every seat has a time bank, and the first seconds of each turn are free.

A turn lasts from a seat's first question until another seat is asked. Many short answers in one turn therefore gain no
extra free time. All times except `since` are in milliseconds.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from triclinium.engine.core.state import Seat

NETWORK_ALLOWANCE = 1000  # milliseconds of each decision that are not charged, for the network
DAY = 86400
LIVE_LIMITS, SLOW_LIMITS = (
    ((60, 7200), (5, 600)),
    ((DAY, 14 * DAY), (4 * 3600, 72 * 3600)),
)  # limits of time banks and of free times, in seconds


def is_valid_clock(bank: int, free: int) -> bool:
    """Return whether a table may have this clock. Two zeros mean no clock, which is valid too."""
    if bank == 0:
        return free == 0
    return any(
        low <= bank <= high and least <= free <= most for (low, high), (least, most) in (LIVE_LIMITS, SLOW_LIMITS)
    )


@dataclass(frozen=True, slots=True)
class SeatTime:
    """The time of one seat."""

    left: int  # milliseconds left in the time bank
    free_used: int = 0  # free time that is used up in this turn
    pending: int = 0  # time that was charged to the time bank but is not yet stored with a move


@dataclass(frozen=True, slots=True)
class TimeBankClock:
    """The clocks of a table. The object never changes: each change creates a new one."""

    free: int
    seats: tuple[SeatTime, ...]
    since: float  # time up to which the clocks are settled; a future time means a pause

    @classmethod
    def with_full_banks(cls, bank: int, free: int, seats: int, now: float) -> "TimeBankClock":
        """Return clocks with full time banks. The arguments are in seconds."""
        return cls(free * 1000, (SeatTime(bank * 1000),) * seats, now)

    def get_time_left(self, seat: Seat) -> int:
        """Return the time that a seat has left, including its free time."""
        return self.seats[seat].left + self.get_free_time_left(seat)

    def get_free_time_left(self, seat: Seat) -> int:
        """Return the free time that a seat has left in this turn."""
        return self.free - self.seats[seat].free_used

    def with_time_spent(self, seat: Seat, span: int) -> "TimeBankClock":
        """Return the clocks after a seat has spent time.

        Free time is used first, then the time bank, which cannot become negative.
        """
        seat_time = self.seats[seat]
        free_used = min(self.free, seat_time.free_used + span)
        spent = min(seat_time.left, seat_time.free_used + span - free_used)
        return self._with_seat_time(seat, SeatTime(seat_time.left - spent, free_used, seat_time.pending + spent))

    def take_pending(self, seat: Seat) -> tuple[int, "TimeBankClock"]:
        """Return the time that a seat's move is charged with, and the clocks after that."""
        seat_time = self.seats[seat]
        return seat_time.pending, self._with_seat_time(seat, replace(seat_time, pending=0))

    def with_new_period(self, seat: Seat) -> "TimeBankClock":
        """Return the clocks after a new turn of a seat has begun."""
        return self._with_seat_time(seat, replace(self.seats[seat], free_used=0))

    def with_return_bonus(self, seat: Seat) -> "TimeBankClock":
        """Return the clocks after a player has taken a seat or returned to it.

        An empty time bank gets twice the free time.
        """
        seat_time = self.seats[seat]
        return self if seat_time.left else self._with_seat_time(seat, replace(seat_time, left=2 * self.free))

    def with_since(self, since: float) -> "TimeBankClock":
        return replace(self, since=since)

    def _with_seat_time(self, seat: Seat, time: SeatTime) -> "TimeBankClock":
        return replace(self, seats=(*self.seats[:seat], time, *self.seats[seat + 1 :]))


def replay_banks(bank: int, free: int, seats: int, took: Iterable[tuple[Seat, int]]) -> list[int]:
    """Return the time bank of each seat after some moves; ``took`` has the seat and the time charged for each move."""
    left = [bank * 1000] * seats
    for seat, spent in took:
        if spent > left[seat]:  # a player has returned in the meantime and got extra time
            left[seat] = 2000 * free
        left[seat] -= spent
    return left
