"""Evaluators: they turn a position into the numbers that bots weigh. Each game has one in its folder `ai`."""

from mypy_extensions import mypyc_attr

from triclinium.engine.core.score import Score
from triclinium.engine.core.state import ASK, Option, Seat, State


@mypyc_attr(allow_interpreted_subclasses=True)
class Evaluator:
    """Base class of the evaluators.

    Bots call it many times for each decision. It is therefore compiled and called directly, not through the game.
    """

    def features(self, s: State, seat: Seat) -> list[float]:
        """Return the features of the position for this seat. The game's weights.toml holds their names and weights."""
        raise NotImplementedError

    def progress(self, s: State) -> float:
        """Return roughly how much of the match is over, from 0 to 1. The meaning of the features depends on it."""
        return 0.0

    def is_stable(self, s: State) -> bool:
        """Return whether no action is half done.

        Bots look ahead to such a position, because features are reliable there.
        """
        return True

    def sensible_options(self, s: State) -> list[Option]:
        """Return the legal options that are worth considering, at least one.

        A game narrows them where several decisions make one action, or where an option changes nothing. It may only use
        what the asked seat knows.
        """
        return s.legal

    def quick_option(self, s: State) -> Option:
        """Return the option that completes the current action quickly, or ASK if the options must be weighed.

        A search uses it to complete the action behind every option before it evaluates them. It may only use what the
        asked seat knows.
        """
        return ASK

    def skip_turns(self, s: State, seat: Seat, turns: int) -> None:
        """Make the seat lose this many turns. Games whose weights.toml sets `solo_turns` implement it."""
        raise NotImplementedError

    def scores(self, s: State) -> list[Score]:
        """Return the scores that the rules give, for searches that reach the end of a match."""
        raise NotImplementedError
