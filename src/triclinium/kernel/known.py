"""The scores as far as a viewer can tell them in the middle of a match.

``State.scores`` counts hidden cards too. What is the same in many worlds that the viewer cannot tell apart is known to
it; the rest is not shown. The truth itself is never consulted.
"""

from dataclasses import dataclass

from triclinium.kernel.rng import SEED_LIMIT, Rng
from triclinium.kernel.score import Score
from triclinium.kernel.state import Seat, State, digest_of
from triclinium.kernel.title import Title

WORLDS = 24


@dataclass(frozen=True)
class KnownScore:
    """A score of which parts may be unknown (None)."""

    seat: Seat
    rank: int | None
    total: int | None
    lines: dict[str, int | None]

    def to_json(self) -> dict[str, object]:
        """The score as one JSON object."""
        return {"seat": self.seat, "rank": self.rank, "total": self.total, "lines": self.lines}


def known_scores(title: Title, s: State, viewer: Seat) -> list[KnownScore]:
    """What this seat (NOBODY: a spectator) can tell; everything once the match is over, or if no score is hidden."""
    if s.over or title.open_scores:
        return [_agreed([score]) for score in s.scores()]
    # The same question gets the same answer; and only the match's own generator, which nobody knows, could foretell
    # which worlds are tried: else their choice would say something about the true one.
    rng = Rng(digest_of([*s.rng.facts(), viewer]) % SEED_LIMIT)
    worlds = [s.resample(viewer, rng).scores() for _ in range(WORLDS)]
    return [_agreed([scores[seat] for scores in worlds]) for seat in range(s.seats)]


def _agreed(scores: list[Score]) -> KnownScore:
    sheets = [_sheet(score) for score in scores]
    names = dict.fromkeys(name for sheet in sheets for name in sheet)
    return KnownScore(
        scores[0].seat,
        _same([score.rank for score in scores]),
        _same([score.total for score in scores]),
        {name: _same([sheet.get(name, 0) for sheet in sheets]) for name in names},
    )


def _sheet(score: Score) -> dict[str, int]:
    """The lines by name; a name that comes twice is added up."""
    sheet: dict[str, int] = {}
    for line in score.lines:
        sheet[line.name] = sheet.get(line.name, 0) + line.points
    return sheet


def _same(numbers: list[int]) -> int | None:
    return numbers[0] if len(set(numbers)) == 1 else None
