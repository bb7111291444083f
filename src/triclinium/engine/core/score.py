"""A result: ranks and, in games that count points, totals with their breakdown, line by line as on the score sheet."""

from typing import Final

from mypy_extensions import mypyc_attr


@mypyc_attr(acyclic=True)
class ScoreSheetLine:
    """One line of the score sheet: its name (a word of the game's ui/text.py) and the points it gives.

    Lines of one group are of one sort: every Temple, wherever it stands. A line without one is a group of its own.
    """

    def __init__(self, name: str, points: int, group: str = "") -> None:
        self.name: Final = name
        self.points: Final = points
        self.group: Final = group or name

    def __repr__(self) -> str:
        return f"{self.name} {self.points}"


@mypyc_attr(acyclic=True)
class Score:
    """A seat's result. Rank 1 is best; seats that the game's tie-breaks cannot part share a rank.

    A game without points has ranks alone: its total is None, and its lines tell what the rank goes by.
    """

    def __init__(self, seat: int, rank: int, total: int | None, lines: list[ScoreSheetLine]) -> None:
        self.seat: Final = seat
        self.rank: Final = rank
        self.total: Final = total
        self.lines: Final = lines

    @property
    def points(self) -> int:
        """The total, in a game that counts points."""
        assert self.total is not None
        return self.total

    def line_points(self, name: str) -> int:
        """The points of one line of the breakdown."""
        for line in self.lines:
            if line.name == name:
                return line.points
        raise KeyError(name)

    def __repr__(self) -> str:
        return f"Score(seat {self.seat}: rank {self.rank}, {self.total} = {self.lines})"


def compute_lead(scores: list[Score], seats: list[int]) -> int:
    """By how much the best of these seats is ahead of the best other: in points, or in ranks where there are none."""
    own: list[int] = []
    others: list[int] = []
    for score in scores:
        worth = -score.rank if score.total is None else score.total
        if score.seat in seats:
            own.append(worth)
        else:
            others.append(worth)
    return max(own) - max(others)


def win_shares(scores: list[Score]) -> list[float]:
    """What each seat has of the win, in sum 1: who shares the first rank shares it."""
    winners = sum([1 for score in scores if score.rank == 1])
    return [1.0 / winners if score.rank == 1 else 0.0 for score in scores]


def compute_margins(scores: list[Score], scale: float) -> list[float]:
    """By how much each seat is ahead of the best other, as a part of ``scale`` points, from -1 to 1; without points by
    ranks, of which the most count 1."""
    seat_margins: list[float] = []
    for score in scores:
        ahead = float(compute_lead(scores, [score.seat]))
        part = ahead / (max(1, len(scores) - 1) if score.total is None else scale)
        seat_margins.append(max(-1.0, min(1.0, part)))
    return seat_margins


def rank_keys(keys: list[tuple[int, ...]]) -> list[int]:
    """The rank of each seat, given for each a key of which the larger is better."""
    return [1 + sum([1 for other in keys if other > key]) for key in keys]
