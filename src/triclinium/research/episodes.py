"""Base class for environments that can be copied and pickled in the middle of a match."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Self

from triclinium.engine.core.errors import BadSetup, suggest_names
from triclinium.engine.core.state import Option, State
from triclinium.engine.game import Game


def check_reset_options(options: Mapping[str, Any], known: Sequence[str]) -> None:
    """Raise BadSetup if the options of a reset have an unknown name."""
    for name in options:
        if name not in known:
            raise BadSetup(f"reset has no option {name!r}; {suggest_names(name, known)}")


class Episode:
    """Base class of environments with one match. A copy clones the position, and a pickle replays the options."""

    game: Game
    seats: int
    match: State

    def deal_match(self, seed: int, variants: Mapping[str, object] | None) -> None:
        """Begin a match."""
        self._deal = (seed, None if variants is None else dict(variants))
        self._options: list[Option] = []
        self.match = self.game.deal(self.seats, *self._deal)

    def play_option(self, option: Option) -> None:
        """Choose an option for the asked seat. Raise Refused if it is not legal."""
        s = self.match
        if option in s.legal:
            s.choose(option)
        else:
            s.play(option)  # raises Refused, which names the rule
        self._options.append(option)

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        other = type(self).__new__(type(self))
        memo[id(self)] = other
        other.__dict__.update({name: deepcopy(value, memo) for name, value in self.__dict__.items()})
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "match"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_deal" in state:
            self.match = replay_options(self.game, self.seats, *self._deal, self._options)


def replay_options(
    game: Game, seats: int, seed: int, variants: Mapping[str, object] | None, options: list[Option]
) -> State:
    """Return the position after these options of a match."""
    s = game.deal(seats, seed, variants)
    for option in options:
        s.choose(option)
    return s
