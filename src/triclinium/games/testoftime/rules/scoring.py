"""Scores: gold dots times age, Testament by Testament (chapter SCORING)."""

from triclinium.engine.core.score import Score, ScoreSheetLine, rank_keys
from triclinium.engine.core.state import Seat
from triclinium.games.testoftime.rules.components import KINDS
from triclinium.games.testoftime.rules.state import NONE, Slot, TestOfTime


def count_testament_age(s: TestOfTime, slot: Slot) -> int:
    """TT-13.1  Return the age of a Testament, which is the number of its records."""
    return len(s.past[slot])


def count_visible_dots(s: TestOfTime, slot: Slot) -> int:
    """Return the gold dots on the visible sections."""
    return 0 if s.kind[slot] == NONE else s.c.dots[s.kind[slot]][s.visible[slot]]


def count_testament_points(s: TestOfTime, slot: Slot) -> int:
    """TT-13.2  Return gold dots times age; a buried Testament has none."""
    return count_visible_dots(s, slot) * len(s.past[slot])


def count_total_points(s: TestOfTime, seat: Seat) -> int:
    """Return the points of all Testaments of a seat."""
    spaces = s.c.spaces
    points_sum = 0
    for slot in range(seat * spaces, (seat + 1) * spaces):
        points_sum += count_testament_points(s, slot)
    return points_sum


def scores(s: TestOfTime) -> list[Score]:
    """TT-13.3  Return the scores. The highest total wins; a tie goes to more shamans in play, or the victory is shared.

    There is a line for each Testament, with its kind and space (``temple 2``).
    """
    totals = [count_total_points(s, seat) for seat in range(s.seats)]
    keys: list[tuple[int, ...]] = [(totals[seat], s.shamans[seat]) for seat in range(s.seats)]
    order = rank_keys(keys)
    seat_scores: list[Score] = []
    for seat in range(s.seats):
        lines: list[ScoreSheetLine] = []
        for space in range(s.c.spaces):
            slot = seat * s.c.spaces + space
            if s.kind[slot] != NONE:
                kind = KINDS[s.kind[slot]]
                lines.append(ScoreSheetLine(f"{kind} {space + 1}", count_testament_points(s, slot), kind))
        seat_scores.append(Score(seat, order[seat], totals[seat], lines))
    return seat_scores
