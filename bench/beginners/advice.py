"""Common parts of the beginners' scripts: the decision, and how a newcomer compares options."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.game import Game


@dataclass(frozen=True)
class Decision:
    """A decision as a newcomer sees it."""

    game: Game
    s: Any  # the state, whose class each game's module knows
    seat: Seat

    @property
    def legal(self) -> list[Option]:
        return list(self.s.legal)

    def list_options(self, *verbs: str) -> list[Option]:
        """Return the legal options of these verbs."""
        return [o for o in self.s.legal if self.game.notation.verb_of(o).word in verbs]

    def has(self, option: Option) -> bool:
        return option in self.s.legal

    def preview_option(self, option: Option) -> State:
        """Return the position after an option, as the page previews it."""
        return self.choose_in(self.s, option)

    @staticmethod
    def choose_in(s: State, option: Option) -> State:
        """Return the position after an option in another position."""
        t = s.clone()
        t.choose(option)
        return t

    def count_points(self, s: State) -> int:
        """Return the points that the page would show: those if the match ended there."""
        return int(self.game.scores(s)[self.seat].total or 0)

    def gain(self, option: Option) -> int:
        """Return the points that the preview of an option shows as gained or lost."""
        return self.count_points(self.preview_option(option)) - self.count_points(self.s)

    def best(self, options: Iterable[Option], *values: Callable[[Option], float]) -> Option:
        """Return the first option with the highest value; later values decide between equals."""
        return max(options, key=lambda o: tuple(value(o) for value in values))

    def first(self, *options: Option) -> Option:
        """Return the first of these options that is legal, or the first legal option at all."""
        return next((o for o in options if o in self.s.legal), self.s.legal[0])


Advice: TypeAlias = Mapping[str, Callable[[Decision], Option]]
