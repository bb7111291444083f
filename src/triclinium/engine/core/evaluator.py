"""Evaluators turn a position into the numbers that bots weigh; each game has one, in its folder `ai`."""

from mypy_extensions import mypyc_attr

from triclinium.engine.core.score import Score
from triclinium.engine.core.state import ASK, Option, Seat, State


@mypyc_attr(allow_interpreted_subclasses=True)
class Evaluator:
    """Asked many times a decision, so it is compiled and called directly, never through the game."""

    def features(self, s: State, seat: Seat) -> list[float]:
        """The numbers that a bot weighs, for this seat; their names and weights stand in the game's weights.toml."""
        raise NotImplementedError

    def progress(self, s: State) -> float:
        """How much of the match is over, from 0 to 1, about; what the features say of the win hangs on it."""
        return 0.0

    def is_stable(self, s: State) -> bool:
        """Whether no action is half done, so that the features can be trusted. Bots look ahead to such a moment."""
        return True

    def sensible_options(self, s: State) -> list[Option]:
        """The legal options that are worth a thought, never none: where a row of decisions makes one whole, or where
        an option changes nothing. It reads only what the asked seat knows."""
        return s.legal

    def quick_option(self, s: State) -> Option:
        """The option with which an action that was begun is finished at a glance, or ASK: then the options are weighed.

        A search weighs every option of a walk with its action finished so. It reads only what the asked seat knows.
        """
        return ASK

    def skip_turns(self, s: State, seat: Seat, turns: int) -> None:
        """Let the seat lose so many turns. A game whose weights.toml says `solo_turns` writes it."""
        raise NotImplementedError

    def scores(self, s: State) -> list[Score]:
        """The scores, as the rules count them: a search that comes to the end of a match needs no opinion."""
        raise NotImplementedError
