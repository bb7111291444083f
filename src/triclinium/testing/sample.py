"""One moment of a walk: what several properties share there, made once."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.testing.random_matches import Samples, Walk


def nothing_to_conserve(s: State) -> None:
    """For a game that says nothing of its pieces."""


@dataclass(frozen=True)
class Checks:
    """What only the author of a game can say of it."""

    conserved: Callable[[State], None] = nothing_to_conserve
    slow_scores: Callable[[State], list[int]] | None = None
    derived: tuple[str, ...] = ()  # attributes of its state that need not be in `state_key`


@dataclass
class Tally:
    """What is counted over all matches of a game and judged in the end."""

    worlds: int = 0  # worlds resampled in the first half of a match
    same: int = 0  # worlds among these that equal the true one
    told_width: int = 0  # the summed width of the bounds that are told of hidden scores
    found_width: int = 0  # the summed width of these scores over resampled worlds
    tried: int = 0  # options, legal or not; where every one is legal a game refuses nothing, and need not
    told: int = 0  # events
    compared: int = 0  # events of two worlds
    missing: set[str] = field(default_factory=set)  # what the French catalogue lacks


class Sample:
    """Where we are, and what is seen from there."""

    def __init__(self, walk: Walk, checks: Checks, samples: Samples, tally: Tally) -> None:
        self.walk = walk
        self.game: Game = walk.case.game
        self.checks = checks
        self.samples = samples
        self.tally = tally
        self.rng = Rng(6)
        self.period = (0, 0)  # the round and the turn of the moment before
        self.readers: list[Reader] = []  # one of each language, once somebody has asked for them
        self.kept: list[tuple[State, int, dict[str, object]]] = []  # clones, with what they held when they were made
        self.fresh()

    def fresh(self) -> None:
        """A new moment: nothing has been looked at."""
        self._views: dict[Seat, dict[str, object]] = {}
        self._texts: dict[Seat, str] = {}
        self._worlds: dict[Seat, list[State]] = {}
        self._scores: list[Score] | None = None

    @property
    def viewers(self) -> list[Seat]:
        """Every seat, and a spectator."""
        return [NOBODY, *range(self.walk.case.seats)]

    @property
    def early(self) -> bool:
        """Whether the first half of the match is played."""
        return self.walk.move < self.walk.length // 2

    def view(self, seat: Seat) -> dict[str, object]:
        if seat not in self._views:
            self._views[seat] = seen_by(self.game, self.walk.state, seat)
        return self._views[seat]

    def text(self, seat: Seat) -> str:
        """The view as text."""
        if seat not in self._texts:
            self._texts[seat] = json.dumps(self.view(seat), sort_keys=True)
        return self._texts[seat]

    def worlds(self, seat: Seat) -> list[State]:
        """Other worlds that the viewer cannot tell from this; none where nothing is hidden. They are only looked at."""
        if seat not in self._worlds:
            count = self.samples.worlds if self.game.secrets else 0
            self._worlds[seat] = [self.walk.state.resample(seat, self.rng) for _ in range(count)]
        return self._worlds[seat]

    def scores(self) -> list[Score]:
        if self._scores is None:
            self._scores = self.game.scores(self.walk.state)
        return self._scores


def seen_by(game: Game, s: State, seat: Seat) -> dict[str, object]:
    """The view of a seat or, for NOBODY, of a spectator."""
    return game.view_json(s, None if seat == NOBODY else seat)


def dumped(game: Game, s: State, seat: Seat) -> str:
    return json.dumps(seen_by(game, s, seat), sort_keys=True)


def all_of(s: State) -> dict[str, object]:
    """All that could have changed, by name."""
    return {
        "digest": s.digest(),
        "state_key": s.state_key(),
        "stack": s.stack[:],
        "who": s.who,
        "options": s.options(),
        "chance": s.rng.state_key(),
        "undo_barrier": s.undo_barrier,
    }


def same(found: object, wanted: object, what: str) -> None:
    """Fail with the path of the first difference, if there is one."""
    if found != wanted:
        raise AssertionError(f"{what}: {difference(found, wanted) or 'they differ'}")


def difference(found: object, wanted: object, path: str = "") -> str | None:
    """Where two values differ and how: ``hands.1: 3, not 2``; None: nowhere."""
    if isinstance(found, dict) and isinstance(wanted, dict) and found.keys() == wanted.keys():
        pairs = [(f"{path}.{key}", found[key], wanted[key]) for key in found]
    elif isinstance(found, (list, tuple)) and isinstance(wanted, (list, tuple)) and 0 < len(found) == len(wanted):
        pairs = [(f"{path}.{i}", found[i], wanted[i]) for i in range(len(found))]
    else:
        return None if found == wanted else f"{path.lstrip('.') or 'it is'}: {found!r}, not {wanted!r}"
    for inner, one, other in pairs:
        told = difference(one, other, inner)
        if told is not None:
            return told
    return None
