"""Bots that evaluate each option after finishing their own action: steady, and casual, which makes mistakes."""

from triclinium.bots.base import Bot, DecisionRequest
from triclinium.bots.core.ranking_network import weigh_with_network
from triclinium.bots.core.value import draw_option, pick_best_option, weigh_options
from triclinium.bots.levels import load_levels
from triclinium.engine.core.state import Option
from triclinium.engine.core.text import Name

WORLDS = 3


class Steady(Bot):
    """A bot that takes the option with the best evaluation after its own action is finished as well as possible."""

    name = "steady"
    sensible_only = True
    uses_network = True
    description = Name("answers at once and plans its whole turn", "bot")

    def choose(self, request: DecisionRequest) -> Option:
        legal = request.world.legal
        worlds = WORLDS if self.game.has_secrets else 1
        weights = self.game.weights.values
        arguments = (
            self.game.evaluator,
            request.world,
            request.seat,
            weights,
            worlds,
            request.rng,
            request.restriction,
        )
        network = self.get_ranking_network(request.world)
        worth = weigh_options(*arguments) if network is None else weigh_with_network(network, *arguments)
        return pick_best_option(legal, worth, request.rng)


class Casual(Bot):
    """A bot that plans like steady, but overlooks differences.

    It draws an option, with a higher probability for better ones. The temperature of each game is tuned so that its
    strength lies between novice and steady.
    """

    name = "casual"
    sensible_only = True
    description = Name("answers at once, plans its turn, makes mistakes", "bot")

    def choose(self, request: DecisionRequest) -> Option:
        worlds = WORLDS if self.game.has_secrets else 1
        weights = self.game.weights
        worth = weigh_options(
            self.game.evaluator,
            request.world,
            request.seat,
            weights.values,
            worlds,
            request.rng,
            request.restriction,
        )
        temperature = load_levels(self.game).casual_temperature
        return draw_option(request.world.legal, worth, weights.scale * temperature, request.rng)
