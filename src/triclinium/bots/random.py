"""The bot that chooses any legal option, each as likely as the others."""

from triclinium.bots.bot import Bot
from triclinium.kernel.message import Name
from triclinium.kernel.rng import Rng
from triclinium.kernel.state import Option, Seat, State


class Random(Bot):
    """The measure of all others."""

    name = "random"
    how = Name("takes any legal option", "prend une option légale au hasard")

    def choose(self, world: State, seat: Seat, rng: Rng) -> Option:
        return rng.pick(world.legal)
