"""Bots that look one option ahead with the game's evaluation: greedy, and novice, which makes mistakes."""

from triclinium.bots.base import Bot, DecisionRequest
from triclinium.bots.core.value import draw_option, pick_best_option, weigh_next_options
from triclinium.bots.levels import load_levels
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Name

WORLDS = 4  # a single world would be mistaken for the truth, and more worlds cost time for little effect


class Greedy(Bot):
    """A bot that takes the option with the best evaluation, averaged over a few worlds."""

    name = "greedy"
    sensible_only = True
    description = Name(
        "chooses the option that leads to the most promising position",
        "bot",
    )

    def choose(self, request: DecisionRequest) -> Option:
        values = self.weigh_options(request.world, request.seat, request.rng)
        return pick_best_option(list(values), list(values.values()), request.rng)

    def weigh_options(self, world: State, seat: Seat, rng: Rng) -> dict[Option, float]:
        """Return the evaluation of each legal option for the seat."""
        worlds = WORLDS if self.game.has_secrets else 1
        worth = weigh_next_options(self.game.evaluator, world, seat, self.game.weights.values, worlds, rng)
        return dict(zip(world.legal, worth, strict=True))


class Novice(Greedy):
    """A bot that draws an option, with a higher probability for better ones.

    Its moves are sensible with some mistakes.
    """

    name = "novice"
    description = Name(
        "answers at once and makes mistakes",
        "bot",
    )

    def choose(self, request: DecisionRequest) -> Option:
        values = self.weigh_options(request.world, request.seat, request.rng)
        temperature = load_levels(self.game).novice_temperature
        return draw_option(list(values), list(values.values()), self.game.weights.scale * temperature, request.rng)
