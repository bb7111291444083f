"""Scripts that follow the newcomers' guides word for word, to measure whether the guides' advice is good.

Each game has a module with one function for each kind of decision that its guide explains. A function does what the
guide says there, with the knowledge of a newcomer: the rules, the own hand, the table, and the points that the page
shows. It uses neither the evaluation nor the weights of the bots.

    TRICLINIUM_BOTS=bench.beginners:Beginner triclinium arena evangelists --bots beginner,novice --matches 100
    TRICLINIUM_BOTS=bench.beginners:Beginner python -m bench.levels --pairs beginner-novice --matches 100

`tests/test_beginners.py` keeps guides and scripts together.
"""

from importlib import import_module

from bench.beginners.advice import Advice, Decision
from triclinium.bots import Bot, DecisionRequest
from triclinium.engine.core.state import Option
from triclinium.engine.core.text import Name

GAMES = ("evangelists", "portals", "missionnaires", "ierusalem", "testoftime")


def load_advice(game_id: str) -> Advice:
    """Return the advice for each kind of decision of a game."""
    advice: Advice = import_module(f"bench.beginners.{game_id}").ADVICE
    return advice


class Beginner(Bot):
    """A bot that follows the guide of its game."""

    name = "beginner"
    description = Name("follows the newcomers’ guide", "bot")

    def choose(self, request: DecisionRequest) -> Option:
        kind = type(request.world.asked).__name__
        return load_advice(self.game.id)[kind](Decision(self.game, request.world, request.seat))
