"""Points of an evening: the points of each round, and the ranking.

A round gives the margin: the points of a seat less the mean of its table, rounded. In a game without points it gives
5, 3, 2 and 1 points by rank. A player who left the match before its end gets no more than 0. Bots get no points.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

RANK_POINTS: Final = (5, 3, 2, 1)


@dataclass(frozen=True, slots=True)
class GuestResult:
    """The result of one seat, for the guest who sat there at the start."""

    number: int  # number of the guest
    rank: int
    total: int | None  # None: the game has no points
    left: bool = False  # the guest left before the end


@dataclass(frozen=True, slots=True)
class RoundPoints:
    """The points of a guest in one round."""

    points: int
    won: bool


@dataclass(frozen=True, slots=True)
class RankedGuest:
    """The points of a guest over all rounds. Guests with equal points and wins share a place."""

    number: int
    place: int
    points: int
    wins: int
    start: int  # points with which a late guest began
    rounds: Mapping[int, RoundPoints]


def score_table(results: Sequence[GuestResult]) -> dict[int, RoundPoints]:
    """Return the points of everyone at a table whose match has ended."""
    totals = [result.total for result in results if result.total is not None]
    if len(totals) < len(results):
        return {result.number: _make_points(result, _score_rank(result.rank)) for result in results}
    mean = Fraction(sum(totals), len(totals))
    return {result.number: _make_points(result, round((result.total or 0) - mean)) for result in results}


def _score_rank(rank: int) -> int:
    return RANK_POINTS[rank - 1] if rank <= len(RANK_POINTS) else 0


def _make_points(result: GuestResult, points: int) -> RoundPoints:
    return RoundPoints(min(0, points) if result.left else points, result.rank == 1 and not result.left)


def build_ranking(
    starts: Mapping[int, int], rounds: Mapping[int, Iterable[Mapping[int, RoundPoints]]]
) -> list[RankedGuest]:
    """Return the ranking, the best first.

    ``starts`` has the starting points of everyone who is listed, and ``rounds`` the tables of each round that have
    ended.
    """
    own: dict[int, dict[int, RoundPoints]] = {number: {} for number in starts}
    for n, tables in rounds.items():
        for table in tables:
            for number in table.keys() & own.keys():
                own[number][n] = table[number]
    sums = {
        number: (starts[number] + sum(each.points for each in mine.values()), sum(each.won for each in mine.values()))
        for number, mine in own.items()
    }
    return [
        RankedGuest(
            number, 1 + sum(other > sums[number] for other in sums.values()), *sums[number], starts[number], mine
        )
        for number, mine in sorted(own.items(), key=lambda item: (*[-part for part in sums[item[0]]], item[0]))
    ]


def compute_late_start(points: Iterable[int]) -> int:
    """Return the points with which a late guest begins: the mean of the lower half of the others, rounded."""
    lower = sorted(points)
    lower = lower[: len(lower) // 2] or lower
    return round(Fraction(sum(lower), len(lower))) if lower else 0
