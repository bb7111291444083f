"""The bots that look one option ahead with the game's own evaluation: greedy, and novice, who errs at times."""

from triclinium.bots.base import Asked, Bot
from triclinium.bots.core.value import odds, value
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Name

WORLDS = 4  # one world would be taken for the truth; more cost time and hardly change the choice
TIE = 1e-9  # sums of floats in another order differ by less


class Greedy(Bot):
    """Takes the option after which the weighed features of its seat are best, on average over a few worlds."""

    name = "greedy"
    sensible = True
    how = Name(
        "takes the option after which its position looks best",
        "bot",
    )

    def choose(self, asked: Asked) -> Option:
        values = self.weigh(asked.world, asked.seat, asked.rng)
        best = max(values.values())
        return asked.rng.pick([o for o, value in values.items() if value >= best - TIE])

    def weigh(self, world: State, seat: Seat, rng: Rng) -> dict[Option, float]:
        """What each legal option is worth to the seat: this is how it chooses, open to whoever asks."""
        values = dict.fromkeys(world.legal, 0.0)
        worlds = WORLDS if self.game.secrets else 1
        for i in range(worlds):
            # In one world every option meets the same chance: luck does not decide between them.
            here = world if i == 0 else world.resample(seat, rng)
            for o in values:
                after = here.clone()
                after.choose(o)
                values[o] += value(self.game.evaluator, after, seat, self.game.weights.each) / worlds
        return values


class Novice(Greedy):
    """Draws an option, the likelier the better it looks: sensible moves mostly, and a slip now and then."""

    name = "novice"
    how = Name(
        "plays what looks good at a glance, and errs at times",
        "bot",
    )
    slip = 0.15  # of the game's scale: two options so many points apart are drawn 2.7 to 1

    def choose(self, asked: Asked) -> Option:
        values = self.weigh(asked.world, asked.seat, asked.rng)
        chances = odds(list(values.values()), self.game.weights.scale * self.slip)
        drawn = asked.rng.below(1_000_000) / 1_000_000
        for o, chance in zip(values, chances, strict=True):
            drawn -= chance
            if drawn < 0:
                return o
        return asked.world.legal[-1]
