"""A sampled position of a match, with values that several checks share and that are computed once."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.testing.random_matches import MatchRun, SampleSizes


def accept_any_pieces(s: State) -> None:
    """Accept every state, for games without a check of their pieces."""


@dataclass(frozen=True)
class AuthorChecks:
    """Checks that only the author of a game can provide."""

    conserved: Callable[[State], None] = accept_any_pieces
    slow_scores: Callable[[State], list[int]] | None = None
    derived: tuple[str, ...] = ()  # attributes of its state that need not be in `state_key`


@dataclass
class CheckTotals:
    """Totals over all matches of a game, checked at the end."""

    worlds: int = 0  # worlds resampled in the first half of a match
    true_worlds: int = 0  # those of them that equal the true world
    visible_width: int = 0  # total width of the published bounds of hidden scores
    sampled_width: int = 0  # total width of these scores over resampled worlds
    tried_options: int = 0  # all tried options; some games allow every option and refuse none
    event_count: int = 0  # number of events with a message
    compared_events: int = 0  # number of comparisons between the events of two worlds
    missing_texts: set[str] = field(default_factory=set)  # messages that a catalogue lacks


class MatchSample:
    """The current position of a match and everything that checks derive from it."""

    def __init__(self, match_run: MatchRun, checks: AuthorChecks, samples: SampleSizes, totals: CheckTotals) -> None:
        self.match_run = match_run
        self.game: Game = match_run.case.game
        self.checks = checks
        self.samples = samples
        self.totals = totals
        self.rng = Rng(6)
        self.period = (0, 0)  # the round and the turn of the previous position
        self.readers: list[Reader] = []  # one reader for each language, created on first use
        # earlier clones, with their attributes at the time of cloning
        self.old_clones: list[tuple[State, int, dict[str, object]]] = []
        self.reset()

    def reset(self) -> None:
        """Clear all cached values at a new position."""
        self._views: dict[Seat, dict[str, object]] = {}
        self._texts: dict[Seat, str] = {}
        self._worlds: dict[Seat, list[State]] = {}
        self._scores: list[Score] | None = None

    @property
    def viewers(self) -> list[Seat]:
        """All seats and a spectator."""
        return [NOBODY, *range(self.match_run.case.seats)]

    @property
    def is_first_half(self) -> bool:
        """True in the first half of the match."""
        return self.match_run.move < self.match_run.length // 2

    def view(self, seat: Seat) -> dict[str, object]:
        if seat not in self._views:
            self._views[seat] = view_json_for(self.game, self.match_run.state, seat)
        return self._views[seat]

    def get_view_text(self, seat: Seat) -> str:
        """Return the view as text."""
        if seat not in self._texts:
            self._texts[seat] = json.dumps(self.view(seat), sort_keys=True)
        return self._texts[seat]

    def sample_worlds(self, seat: Seat) -> list[State]:
        """Return other worlds that the viewer cannot distinguish from this one. Without secrets there are none.

        Checks must not change them.
        """
        if seat not in self._worlds:
            count = self.samples.worlds if self.game.has_secrets else 0
            self._worlds[seat] = [self.match_run.state.resample(seat, self.rng) for _ in range(count)]
        return self._worlds[seat]

    def scores(self) -> list[Score]:
        if self._scores is None:
            self._scores = self.game.scores(self.match_run.state)
        return self._scores


def view_json_for(game: Game, s: State, seat: Seat) -> dict[str, object]:
    """Return the view of a seat as JSON data. NOBODY is a spectator."""
    return game.view_json(s, None if seat == NOBODY else seat)


def dump_view(game: Game, s: State, seat: Seat) -> str:
    return json.dumps(view_json_for(game, s, seat), sort_keys=True)


def snapshot_state(s: State) -> dict[str, object]:
    """Return everything that a change of the state could affect, by name."""
    return {
        "digest": s.digest(),
        "state_key": s.state_key(),
        "stack": s.stack[:],
        "who": s.who,
        "options": s.options(),
        "chance": s.rng.state_key(),
        "undo_barrier": s.undo_barrier,
    }


def assert_same(actual: object, expected: object, what: str) -> None:
    """Fail with the path of the first difference, if there is one."""
    if actual != expected:
        raise AssertionError(f"{what}: {find_difference(actual, expected) or 'they differ'}")


def find_difference(actual: object, expected: object, path: str = "") -> str | None:
    """Return the first difference of two values, for example ``hands.1: 3, not 2``, or None."""
    if isinstance(actual, dict) and isinstance(expected, dict) and actual.keys() == expected.keys():
        pairs = [(f"{path}.{key}", actual[key], expected[key]) for key in actual]
    elif isinstance(actual, (list, tuple)) and isinstance(expected, (list, tuple)) and 0 < len(actual) == len(expected):
        pairs = [(f"{path}.{i}", actual[i], expected[i]) for i in range(len(actual))]
    else:
        return None if actual == expected else f"{path.lstrip('.') or 'it is'}: {actual!r}, not {expected!r}"
    for inner, actual_item, expected_item in pairs:
        problem = find_difference(actual_item, expected_item, inner)
        if problem is not None:
            return problem
    return None
