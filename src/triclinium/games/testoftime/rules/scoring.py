"""The scores: gold dots times age, Testament by Testament (chapter SCORING)."""

from triclinium.engine.core.score import Line, Score, ranks
from triclinium.engine.core.state import Seat
from triclinium.games.testoftime.rules.components import KINDS
from triclinium.games.testoftime.rules.state import NONE, Slot, TestOfTime


def age(s: TestOfTime, slot: Slot) -> int:
    """TT-13.1  The number of its records."""
    return len(s.past[slot])


def dots(s: TestOfTime, slot: Slot) -> int:
    """The gold dots on the visible sections."""
    return 0 if s.kind[slot] == NONE else s.c.dots[s.kind[slot]][s.seen[slot]]


def points(s: TestOfTime, slot: Slot) -> int:
    """TT-13.2  Gold dots times age; a buried Testament shows none."""
    return dots(s, slot) * len(s.past[slot])


def total(s: TestOfTime, seat: Seat) -> int:
    """The points of all Testaments of a seat."""
    spaces = s.c.spaces
    found = 0
    for slot in range(seat * spaces, (seat + 1) * spaces):
        found += points(s, slot)
    return found


def scores(s: TestOfTime) -> list[Score]:
    """TT-13.3  The highest total wins; ties: more shamans in play; then the victory is shared.

    A line for each Testament: its kind and its space (``temple 2``).
    """
    totals = [total(s, seat) for seat in range(s.seats)]
    keys: list[tuple[int, ...]] = [(totals[seat], s.shamans[seat]) for seat in range(s.seats)]
    order = ranks(keys)
    found: list[Score] = []
    for seat in range(s.seats):
        lines: list[Line] = []
        for space in range(s.c.spaces):
            slot = seat * s.c.spaces + space
            if s.kind[slot] != NONE:
                kind = KINDS[s.kind[slot]]
                lines.append(Line(f"{kind} {space + 1}", points(s, slot), kind))
        found.append(Score(seat, order[seat], totals[seat], lines))
    return found
