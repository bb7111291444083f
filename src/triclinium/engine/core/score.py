"""Results: ranks and, in games with points, totals with a breakdown as on the score sheet."""

from typing import Final

from mypy_extensions import mypyc_attr


@mypyc_attr(acyclic=True)
class ScoreSheetLine:
    """One line of the score sheet: its name (a word of the game's ui/text.py) and its points.

    Lines of one group count the same kind of thing, for example every Temple. A line without a group forms its own.
    """

    def __init__(self, name: str, points: int, group: str = "") -> None:
        self.name: Final = name
        self.points: Final = points
        self.group: Final = group or name

    def __repr__(self) -> str:
        return f"{self.name} {self.points}"


@mypyc_attr(acyclic=True)
class Score:
    """The result of one seat. Rank 1 is best. Seats that the game's tie-breaks cannot separate share a rank.

    In a game without points the total is None, and the lines show the values that decide the rank.
    """

    def __init__(self, seat: int, rank: int, total: int | None, lines: list[ScoreSheetLine]) -> None:
        self.seat: Final = seat
        self.rank: Final = rank
        self.total: Final = total
        self.lines: Final = lines

    @property
    def points(self) -> int:
        """The total of a game with points."""
        assert self.total is not None
        return self.total

    def line_points(self, name: str) -> int:
        """Return the points of one line of the breakdown. Raise KeyError if there is none."""
        for line in self.lines:
            if line.name == name:
                return line.points
        raise KeyError(name)

    def __repr__(self) -> str:
        return f"Score(seat {self.seat}: rank {self.rank}, {self.total} = {self.lines})"


def compute_lead(scores: list[Score], seats: list[int]) -> int:
    """Return how far the best of these seats is ahead of the best other seat: in points, or in ranks without points."""
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
    """Return each seat's share of the win. The shares add up to 1, and seats that tie for first divide it equally."""
    winners = sum([1 for score in scores if score.rank == 1])
    return [1.0 / winners if score.rank == 1 else 0.0 for score in scores]


def compute_margins(scores: list[Score], scale: float) -> list[float]:
    """Return how far each seat is ahead of the best other seat, from -1 to 1.

    With points, a lead of ``scale`` points counts as 1. Without points, the largest possible difference of ranks does.
    """
    seat_margins: list[float] = []
    for score in scores:
        ahead = float(compute_lead(scores, [score.seat]))
        part = ahead / (max(1, len(scores) - 1) if score.total is None else scale)
        seat_margins.append(max(-1.0, min(1.0, part)))
    return seat_margins


def rank_keys(keys: list[tuple[int, ...]]) -> list[int]:
    """Return the rank of each seat. A larger key is better."""
    return [1 + sum([1 for other in keys if other > key]) for key in keys]
