"""Bots that look one option ahead with the game's evaluation: greedy, and novice, which makes mistakes."""

from triclinium.bots.base import Bot, DecisionRequest
from triclinium.bots.core.value import evaluate_position, softmax
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Name

WORLDS = 4  # a single world would be mistaken for the truth, and more worlds cost time for little effect
TIE = 1e-9  # sums of floats in different order differ by less


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
        best = max(values.values())
        return request.rng.pick([o for o, value in values.items() if value >= best - TIE])

    def weigh_options(self, world: State, seat: Seat, rng: Rng) -> dict[Option, float]:
        """Return the evaluation of each legal option for the seat."""
        values = dict.fromkeys(world.legal, 0.0)
        worlds = WORLDS if self.game.has_secrets else 1
        for i in range(worlds):
            # In one world every option meets the same random draws, so that luck does not decide between options.
            here = world if i == 0 else world.resample(seat, rng)
            for o in values:
                after = here.clone()
                after.choose(o)
                values[o] += evaluate_position(self.game.evaluator, after, seat, self.game.weights.values) / worlds
        return values


class Novice(Greedy):
    """A bot that draws an option, with a higher probability for better ones.

    Its moves are sensible with some mistakes.
    """

    name = "novice"
    description = Name(
        "plays quickly and makes mistakes",
        "bot",
    )
    temperature = 0.15  # in units of the game's scale: one such unit between two options means odds of 2.7 to 1

    def choose(self, request: DecisionRequest) -> Option:
        values = self.weigh_options(request.world, request.seat, request.rng)
        chances = softmax(list(values.values()), self.game.weights.scale * self.temperature)
        remaining = request.rng.below(1_000_000) / 1_000_000
        for o, chance in zip(values, chances, strict=True):
            remaining -= chance
            if remaining < 0:
                return o
        return request.world.legal[-1]
