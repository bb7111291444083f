"""The part of a game that serves training and measuring: observations, returns, chance. See `docs/research.md`."""

from triclinium.engine.core.encoding import Encoding
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.observer import Observer
from triclinium.engine.core.score import Score, compute_margins, win_shares
from triclinium.engine.core.state import CHANCE, NOBODY, Draw, Seat, State
from triclinium.engine.core.weights import Weights


class GameObservation:
    """Base of `Game`: observations as bytes, and results as numbers."""

    id: str
    observer: Observer | None
    weights: Weights
    usual_decisions = 0  # 999 of 1,000 matches of random bots with the most seats ask fewer; 0: nobody has counted
    has_chance = True  # False: nothing is drawn once it is dealt
    has_listed_chance = False  # True: all of its chance is in `Draw` steps, whose outcomes can be listed

    def scores(self, s: State) -> list[Score]:
        """The score of each seat, in seat order."""
        raise NotImplementedError

    def observe(self, s: State, seat: Seat) -> bytes:
        """What this seat (NOBODY: a spectator) knows, as bytes; `encoding` says what they mean."""
        if not NOBODY <= seat < s.seats:
            raise BadSetup(f"seats are counted from 0 to {s.seats - 1}, {NOBODY} is a spectator; there is no {seat}")
        return self.required_observer.observe(s, seat)

    @property
    def encoding(self) -> Encoding:
        return self.required_observer.encoding

    @property
    def required_observer(self) -> Observer:
        """The observer, in a game that has one."""
        if self.observer is None:
            raise BadSetup(f"{self.id} has no observer: nobody has written how its positions are told in bytes")
        return self.observer

    def returns(self, s: State) -> list[float]:
        """What each seat has of the win, in sum 1; nothing while the match runs."""
        return win_shares(self.scores(s)) if s.over else [0.0] * s.seats

    def margins(self, s: State) -> list[float]:
        """By how much each seat is ahead of the best other, from -1 to 1, as the scores stand."""
        return compute_margins(self.scores(s), self.weights.scale)

    def outcomes(self, s: State) -> list[tuple[int, int]]:
        """What chance can do where it is asked, each with its weight."""
        step = s.asked if s.who == CHANCE else None
        if not isinstance(step, Draw):
            raise BadSetup("no chance is asked here: deal with chance=True, and look where `who` is CHANCE")
        return step.outcomes(s)
