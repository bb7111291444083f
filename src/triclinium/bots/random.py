"""The bot that chooses any legal option, each as likely as the others."""

from triclinium.bots.base import Bot, DecisionRequest
from triclinium.engine.core.state import Option
from triclinium.engine.core.text import Name


class Random(Bot):
    """The measure of all others."""

    name = "random"
    description = Name("takes any legal option", "bot")

    def choose(self, request: DecisionRequest) -> Option:
        return request.rng.pick(request.world.legal)
