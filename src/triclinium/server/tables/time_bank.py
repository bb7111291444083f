"""The store clock: every seat has a store of time, and the first free seconds of each spell cost nothing.

A spell lasts from being asked until somebody else is asked. So many small answers hoard nothing, and it suits decisions
out of turn. All times but `since` are milliseconds.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from triclinium.engine.core.state import Seat

NETWORK = 1000  # of every decision: what the way to the server may take
DAY = 86400
LIVE, SLOW = ((60, 7200), (5, 600)), ((DAY, 14 * DAY), (4 * 3600, 72 * 3600))  # seconds: stores, free times


def fits(store: int, free: int) -> bool:
    """Whether a table may have such a clock; none at all is one, too."""
    if store == 0:
        return free == 0
    return any(low <= store <= high and least <= free <= most for (low, high), (least, most) in (LIVE, SLOW))


@dataclass(frozen=True, slots=True)
class SeatTime:
    """The time of one seat."""

    left: int  # of the store
    spell: int = 0  # free time used since it was asked
    pending: int = 0  # taken from the store, and not yet written with a move


@dataclass(frozen=True, slots=True)
class StoreClock:
    """The clocks of a table. It never changes: a new one takes its place when that is stored."""

    free: int
    seats: tuple[SeatTime, ...]
    since: float  # until when time is counted, by the server's clock; in the future: the match is paused

    @classmethod
    def dealt(cls, store: int, free: int, seats: int, now: float) -> "StoreClock":
        """Full stores; in seconds."""
        return cls(free * 1000, (SeatTime(store * 1000),) * seats, now)

    def rest(self, seat: Seat) -> int:
        """How long a seat may still think."""
        return self.seats[seat].left + self.free_left(seat)

    def free_left(self, seat: Seat) -> int:
        """How long that costs nothing."""
        return self.free - self.seats[seat].spell

    def thought(self, seat: Seat, span: int) -> "StoreClock":
        """A seat has thought: first free time goes, then the store, down to nothing."""
        one = self.seats[seat]
        spell = min(self.free, one.spell + span)
        spent = min(one.left, one.spell + span - spell)
        return self._with(seat, SeatTime(one.left - spent, spell, one.pending + spent))

    def written(self, seat: Seat) -> tuple[int, "StoreClock"]:
        """What a move of this seat tells that it took."""
        one = self.seats[seat]
        return one.pending, self._with(seat, replace(one, pending=0))

    def asked(self, seat: Seat) -> "StoreClock":
        """Its spell begins."""
        return self._with(seat, replace(self.seats[seat], spell=0))

    def back(self, seat: Seat) -> "StoreClock":
        """Whoever comes to a seat without time has twice the free time."""
        one = self.seats[seat]
        return self if one.left else self._with(seat, replace(one, left=2 * self.free))

    def at(self, since: float) -> "StoreClock":
        return replace(self, since=since)

    def _with(self, seat: Seat, time: SeatTime) -> "StoreClock":
        return replace(self, seats=(*self.seats[:seat], time, *self.seats[seat + 1 :]))


def replayed(store: int, free: int, seats: int, took: Iterable[tuple[Seat, int]]) -> list[int]:
    """What each seat had left after some moves: whose time each took, and how much."""
    left = [store * 1000] * seats
    for seat, spent in took:
        if spent > left[seat]:  # somebody came back in between
            left[seat] = 2000 * free
        left[seat] -= spent
    return left
