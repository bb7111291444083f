"""The bots that look one option ahead with the game's own evaluation: greedy, and novice, who errs at times."""

from triclinium.bots.base import Bot, DecisionRequest
from triclinium.bots.core.value import evaluate_position, softmax
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Name

WORLDS = 4  # one world would be taken for the truth; more cost time and hardly change the choice
TIE = 1e-9  # sums of floats in another order differ by less


class Greedy(Bot):
    """Takes the option after which the weighed features of its seat are best, on average over a few worlds."""

    name = "greedy"
    sensible_only = True
    description = Name(
        "takes the option after which its position looks best",
        "bot",
    )

    def choose(self, request: DecisionRequest) -> Option:
        values = self.weigh_options(request.world, request.seat, request.rng)
        best = max(values.values())
        return request.rng.pick([o for o, value in values.items() if value >= best - TIE])

    def weigh_options(self, world: State, seat: Seat, rng: Rng) -> dict[Option, float]:
        """What each legal option is worth to the seat: this is how it chooses, open to whoever asks."""
        values = dict.fromkeys(world.legal, 0.0)
        worlds = WORLDS if self.game.has_secrets else 1
        for i in range(worlds):
            # In one world every option meets the same chance: luck does not decide between them.
            here = world if i == 0 else world.resample(seat, rng)
            for o in values:
                after = here.clone()
                after.choose(o)
                values[o] += evaluate_position(self.game.evaluator, after, seat, self.game.weights.values) / worlds
        return values


class Novice(Greedy):
    """Draws an option, the likelier the better it looks: sensible moves mostly, and a slip now and then."""

    name = "novice"
    description = Name(
        "plays what looks good at a glance, and errs at times",
        "bot",
    )
    temperature = 0.15  # of the game's scale: two options so many points apart are drawn 2.7 to 1

    def choose(self, request: DecisionRequest) -> Option:
        values = self.weigh_options(request.world, request.seat, request.rng)
        chances = softmax(list(values.values()), self.game.weights.scale * self.temperature)
        remaining = request.rng.below(1_000_000) / 1_000_000
        for o, chance in zip(values, chances, strict=True):
            remaining -= chance
            if remaining < 0:
                return o
        return request.world.legal[-1]
