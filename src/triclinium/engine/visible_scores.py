"""The scores as far as a viewer can tell them in the middle of a match.

``Game.scores`` counts hidden cards too. A game says of each number, from what the viewer knows alone, whether it is
known, lies between bounds or is unknown. Nothing is sampled: what is told holds in every world of the viewer.

Programs are told the bounds. People read a number more easily than two: a game may add what the score is on the cards
that the viewer knows, and people are told that, with the reserve that unseen cards are not in it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from triclinium.engine.core.score import Score
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Arg, Message, Reader

Bounds: TypeAlias = tuple[int, int]  # the least and the greatest that a number can be
VisibleNumber: TypeAlias = int | Bounds | None  # None: nothing is known of it
RankKey: TypeAlias = tuple[int, ...]  # what ranks a seat, the larger the better

UNKNOWN = "?"


@dataclass(frozen=True)
class VisibleScore:
    """A score of which parts may lie between bounds or be unknown. The rank is told only if it is certain.

    ``known`` are the lines on the cards that the viewer knows, without those it has not seen; None: not counted.
    """

    seat: Seat
    rank: int | None
    total: VisibleNumber
    lines: dict[str, VisibleNumber]
    known_lines: dict[str, int] | None = None

    @property
    def shown_total(self) -> VisibleNumber:
        """The total as people are told it: what is certain, or else what the known cards give."""
        return self.total if self.known_lines is None or self._is_certain else sum(self.known_lines.values())

    @property
    def shown_lines(self) -> Mapping[str, VisibleNumber]:
        """The lines as people are told them."""
        return self.lines if self.known_lines is None or self._is_certain else self.known_lines

    @property
    def is_provisional(self) -> bool:
        """Whether unseen cards can change what people are told."""
        return self.known_lines is not None and not self._is_certain

    @property
    def _is_certain(self) -> bool:
        """Unseen cards may be known for all that: where there is no other place for them."""
        return isinstance(self.total, int)

    def to_json(self) -> dict[str, object]:
        """The score as one JSON object: a number that is not certain is null, and its bounds stand beside it."""
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
    """Something that seats compete for, of which points come: how much of it each seat has."""

    name: Arg
    counts: list[int]


def make_exact_score(score: Score) -> VisibleScore:
    """A score that counts nothing hidden; lines of one name are added up."""
    lines: dict[str, VisibleNumber] = {}
    for name in dict.fromkeys(line.name for line in score.lines):
        lines[name] = sum(line.points for line in score.lines if line.name == name)
    return VisibleScore(score.seat, score.rank, score.total, lines)


def make_bounded_number(low: int, high: int) -> VisibleNumber:
    """A number that lies between these two; known if they are the same."""
    assert low <= high, f"bounds from {low} to {high}"
    return low if low == high else (low, high)


def get_lower_bound(value: int | Bounds) -> int:
    return value[0] if isinstance(value, tuple) else value


def get_upper_bound(value: int | Bounds) -> int:
    return value[1] if isinstance(value, tuple) else value


def find_certain_rank(low: RankKey, high: RankKey, rivals: list[tuple[RankKey, RankKey]]) -> int | None:
    """The rank of one whose key lies between two, among rivals of whom the same is known; None if it is open."""
    surely_ahead = sum(1 for least_key, _ in rivals if least_key > high)
    perhaps_ahead = sum(1 for _, greatest_key in rivals if greatest_key > low)
    return 1 + surely_ahead if surely_ahead == perhaps_ahead else None


def format_number(value: VisibleNumber, reader: Reader) -> str:
    """The number, ``41–52`` for what lies between bounds, or a question mark."""
    if value is None:
        return UNKNOWN
    return reader.read(Message("{0}–{1}", *value)) if isinstance(value, tuple) else reader.format_arg(value)


def _get_certain_number(value: VisibleNumber) -> int | None:
    return value if isinstance(value, int) else None


def _build_bounds_json(value: VisibleNumber) -> list[int] | None:
    return list(value) if isinstance(value, tuple) else None
