"""Bots that look one option ahead with the game's evaluation: greedy, and novice, which makes mistakes."""

from collections.abc import Sequence

from triclinium.bots.base import Bot, DecisionRequest
from triclinium.bots.core.value import evaluate_position, softmax
from triclinium.bots.levels import load_levels
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
        "answers at once and makes mistakes",
        "bot",
    )

    def choose(self, request: DecisionRequest) -> Option:
        values = self.weigh_options(request.world, request.seat, request.rng)
        temperature = load_levels(self.game).novice_temperature
        return draw_option(list(values), list(values.values()), self.game.weights.scale * temperature, request.rng)


def draw_option(options: Sequence[Option], values: Sequence[float], scale: float, rng: Rng) -> Option:
    """Draw an option. A lead of ``scale`` points over another one makes it 2.7 times as likely."""
    remaining = rng.below(1_000_000) / 1_000_000
    for o, chance in zip(options, softmax(list(values), scale), strict=True):
        remaining -= chance
        if remaining < 0:
            return o
    return options[-1]
