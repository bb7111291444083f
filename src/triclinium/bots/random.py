"""The bot that plays at random."""

from triclinium.bots.base import Bot, DecisionRequest
from triclinium.engine.core.state import Option
from triclinium.engine.core.text import Name


class Random(Bot):
    """A bot that chooses any legal option with equal probability, as the baseline for others."""

    name = "random"
    description = Name("chooses any legal option at random", "bot")

    def choose(self, request: DecisionRequest) -> Option:
        return request.rng.pick(request.world.legal)
