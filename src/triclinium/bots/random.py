"""The bot that chooses any legal option, each as likely as the others."""

from triclinium.bots.bot import Asked, Bot
from triclinium.kernel.message import Name
from triclinium.kernel.state import Option


class Random(Bot):
    """The measure of all others."""

    name = "random"
    how = Name("takes any legal option", "prend une option légale au hasard")

    def choose(self, asked: Asked) -> Option:
        return asked.rng.pick(asked.world.legal)
