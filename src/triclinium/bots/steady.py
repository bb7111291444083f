"""The bot that looks to the end of its own action with the title's evaluation."""

from triclinium.bots.bot import Bot
from triclinium.bots.judge import finish, value
from triclinium.kernel.message import Name
from triclinium.kernel.rng import Rng
from triclinium.kernel.state import Option, Seat, State

WORLDS = 3


class Steady(Bot):
    """Takes the option after which, its own action finished as well as it can, its position looks best."""

    name = "steady"
    how = Name("looks to the end of its own action", "regarde jusqu'à la fin de sa propre action")

    def choose(self, world: State, seat: Seat, rng: Rng) -> Option:
        legal = world.options()
        worth = [0.0] * len(legal)
        for i in range(WORLDS if self.title.secrets else 1):
            here = world if i == 0 else world.resample(seat, rng)
            for n, o in enumerate(legal):
                after = here.clone()
                after.choose(o)
                finish(after, seat, self.title.weights)
                worth[n] += value(after, seat, self.title.weights)
        best = max(worth)
        return rng.pick([o for n, o in enumerate(legal) if worth[n] >= best - 1e-9])
