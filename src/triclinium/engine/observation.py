"""Observations and results of a game for training and measurement. See `docs/research.md`."""

from triclinium.engine.core.encoding import Encoding
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.observer import Observer
from triclinium.engine.core.score import Score, compute_margins, win_shares
from triclinium.engine.core.state import CHANCE, NOBODY, Draw, Seat, State
from triclinium.engine.core.weights import Weights


class GameObservation:
    """Base class of `Game`: observations as bytes and results as numbers."""

    id: str
    observer: Observer | None
    weights: Weights
    # decisions that 99.9% of the matches of random bots with the most seats do not exceed; 0: not measured
    usual_decisions = 0
    has_chance = True  # False if nothing is drawn after the deal
    has_listed_chance = False  # True if every random event is a `Draw` step with listed outcomes

    def scores(self, s: State) -> list[Score]:
        """Return the score of each seat in seat order."""
        raise NotImplementedError

    def observe(self, s: State, seat: Seat) -> bytes:
        """Return everything that this seat knows as bytes in the format of `encoding`. NOBODY is a spectator.

        Raise BadSetup for an unknown seat or a game without an observer.
        """
        if not NOBODY <= seat < s.seats:
            raise BadSetup(f"seats are 0 to {s.seats - 1}, and {NOBODY} is a spectator; there is no seat {seat}")
        return self.required_observer.observe(s, seat)

    @property
    def encoding(self) -> Encoding:
        return self.required_observer.encoding

    @property
    def required_observer(self) -> Observer:
        """The game's observer. Raise BadSetup if it has none."""
        if self.observer is None:
            raise BadSetup(f"{self.id} has no observer, which would write its positions as bytes")
        return self.observer

    def returns(self, s: State) -> list[float]:
        """Return each seat's share of the win (sum 1), or zeros while the match runs."""
        return win_shares(self.scores(s)) if s.over else [0.0] * s.seats

    def margins(self, s: State) -> list[float]:
        """Return how far each seat is ahead of the best other seat by the current scores, from -1 to 1."""
        return compute_margins(self.scores(s), self.weights.scale)

    def outcomes(self, s: State) -> list[tuple[int, int]]:
        """Return the outcomes of the pending draw with their weights. Raise BadSetup if no draw is pending."""
        step = s.asked if s.who == CHANCE else None
        if not isinstance(step, Draw):
            raise BadSetup("no draw is pending; deal with chance=True, and call this where `who` is CHANCE")
        return step.outcomes(s)
