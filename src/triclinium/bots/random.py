"""The bot that chooses any legal option, each as likely as the others."""

from triclinium.bots.base import Asked, Bot
from triclinium.engine.core.state import Option
from triclinium.engine.core.text import Name


class Random(Bot):
    """The measure of all others."""

    name = "random"
    how = Name("takes any legal option", "bot")

    def choose(self, asked: Asked) -> Option:
        return asked.rng.pick(asked.world.legal)
