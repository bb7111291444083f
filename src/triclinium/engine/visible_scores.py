"""Scores during a match, limited to the knowledge of a viewer.

``Game.scores`` counts hidden cards too. From the viewer's knowledge alone, a game gives each number exactly, with
bounds, or as unknown. Nothing is sampled, so the numbers hold in every world that is possible for the viewer.

The API returns the bounds. A single number is easier for people to read. A game may therefore add the score of the
cards that the viewer knows. Pages show that number with the remark that unseen cards are not included.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from triclinium.engine.core.score import Score
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Arg, Message, Reader

Bounds: TypeAlias = tuple[int, int]  # the lowest and the highest possible number
VisibleNumber: TypeAlias = int | Bounds | None  # None if the number is unknown
RankKey: TypeAlias = tuple[int, ...]  # the value that decides a seat's rank; larger is better

UNKNOWN = "?"


@dataclass(frozen=True)
class VisibleScore:
    """A score whose parts may be bounded or unknown. The rank is given only if it is certain.

    ``known_lines`` count only the cards that the viewer knows. None means that they were not computed.
    """

    seat: Seat
    rank: int | None
    total: VisibleNumber
    lines: dict[str, VisibleNumber]
    known_lines: dict[str, int] | None = None

    @property
    def shown_total(self) -> VisibleNumber:
        """The total for people: the certain total, or else the total of the known cards."""
        return self.total if self.known_lines is None or self._is_certain else sum(self.known_lines.values())

    @property
    def shown_lines(self) -> Mapping[str, VisibleNumber]:
        """The lines for people."""
        return self.lines if self.known_lines is None or self._is_certain else self.known_lines

    @property
    def is_provisional(self) -> bool:
        """True if unseen cards can change the numbers that people see."""
        return self.known_lines is not None and not self._is_certain

    @property
    def _is_certain(self) -> bool:
        """True if the total is exact. It can be even with unseen cards, if they can only be in one place."""
        return isinstance(self.total, int)

    def to_json(self) -> dict[str, object]:
        """Return the score as a JSON object. An uncertain number is null, and its bounds are in a separate field."""
        facts: dict[str, object] = {
            "seat": self.seat,
            "rank": self.rank,
            "total": _get_certain_number(self.total),
            "lines": {name: _get_certain_number(value) for name, value in self.lines.items()},
            "total_bounds": _build_bounds_json(self.total),
            "line_bounds": {name: list(value) for name, value in self.lines.items() if isinstance(value, tuple)},
        }
        return (
            facts
            if self.known_lines is None
            else {
                **facts,
                "known_total": sum(self.known_lines.values()),
                "known_lines": self.known_lines,
            }
        )


@dataclass(frozen=True)
class ScoreContest:
    """A contest of several seats that gives points: its name and each seat's count."""

    name: Arg
    counts: list[int]


def make_exact_score(score: Score) -> VisibleScore:
    """Return an exact score. Lines with the same name are added up."""
    lines: dict[str, VisibleNumber] = {}
    for name in dict.fromkeys(line.name for line in score.lines):
        lines[name] = sum(line.points for line in score.lines if line.name == name)
    return VisibleScore(score.seat, score.rank, score.total, lines)


def make_bounded_number(low: int, high: int) -> VisibleNumber:
    """Return a number between two bounds, or the exact number if they are equal."""
    assert low <= high, f"bounds from {low} to {high}"
    return low if low == high else (low, high)


def get_lower_bound(value: int | Bounds) -> int:
    return value[0] if isinstance(value, tuple) else value


def get_upper_bound(value: int | Bounds) -> int:
    return value[1] if isinstance(value, tuple) else value


def find_certain_rank(low: RankKey, high: RankKey, rivals: list[tuple[RankKey, RankKey]]) -> int | None:
    """Return the rank of a seat whose key is between two bounds, or None if it is uncertain.

    ``rivals`` gives the bounds of each rival's key.
    """
    surely_ahead = sum(1 for least_key, _ in rivals if least_key > high)
    perhaps_ahead = sum(1 for _, greatest_key in rivals if greatest_key > low)
    return 1 + surely_ahead if surely_ahead == perhaps_ahead else None


def format_number(value: VisibleNumber, reader: Reader) -> str:
    """Return the number as text: ``41–52`` for bounds, or a question mark."""
    return reader.format_arg(describe_number(value))


def describe_number(value: VisibleNumber) -> Arg:
    """Return the number as a part of a message."""
    if value is None:
        return UNKNOWN
    return Message("{0}–{1}", *value) if isinstance(value, tuple) else value


def _get_certain_number(value: VisibleNumber) -> int | None:
    return value if isinstance(value, int) else None


def _build_bounds_json(value: VisibleNumber) -> list[int] | None:
    return list(value) if isinstance(value, tuple) else None
