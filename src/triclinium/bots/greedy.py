"""The bot that looks one option ahead with the title's own evaluation."""

from triclinium.bots.bot import Bot
from triclinium.kernel.message import Name
from triclinium.kernel.rng import Rng
from triclinium.kernel.state import Option, Seat, State

WORLDS = 4  # one world would be taken for the truth; more cost time and hardly change the choice
TIE = 1e-9  # sums of floats in another order differ by less


class Greedy(Bot):
    """Takes the option after which the weighed features of its seat are best, on average over a few worlds."""

    name = "greedy"
    how = Name(
        "takes the option after which its position looks best",
        "prend l'option après laquelle sa position paraît la meilleure",
    )

    def choose(self, world: State, seat: Seat, rng: Rng) -> Option:
        values = self.weigh(world, seat, rng)
        best = max(values.values())
        return rng.pick([o for o, value in values.items() if value >= best - TIE])

    def weigh(self, world: State, seat: Seat, rng: Rng) -> dict[Option, float]:
        """What each legal option is worth to the seat: this is how it chooses, open to whoever asks."""
        values = dict.fromkeys(world.legal, 0.0)
        for i in range(WORLDS):
            # In one world every option meets the same chance: luck does not decide between them.
            here = world if i == 0 else world.resample(seat, rng)
            for o in values:
                after = here.clone()
                after.choose(o)
                values[o] += self.value(after, seat) / WORLDS
        return values

    def value(self, s: State, seat: Seat) -> float:
        """The features of a seat, weighed."""
        return sum(weight * x for weight, x in zip(self.title.weights, s.features(seat), strict=True))
