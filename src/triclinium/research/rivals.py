"""Rivals for batches: bots that play the other seats. The bots that do not search are compiled."""

from triclinium.bots import Bot, choose_option
from triclinium.bots.base import build_restriction
from triclinium.bots.core.rivals import EvaluatingRival, RandomRival
from triclinium.bots.greedy import WORLDS as NEXT_WORLDS
from triclinium.bots.greedy import Greedy, Novice
from triclinium.bots.levels import load_levels
from triclinium.bots.random import Random
from triclinium.bots.steady import WORLDS as ACTION_WORLDS
from triclinium.bots.steady import Casual, Steady
from triclinium.engine.core.lockstep import BatchRival
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, State
from triclinium.engine.game import Game


class BotRival(BatchRival):
    """A rival that asks a bot of any kind, in interpreted code."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def choose(self, s: State, rng: Rng) -> Option:
        return choose_option(self.bot, s, rng)


def make_rival(bot: Bot) -> BatchRival:
    """Return a rival that chooses what `choose_option` returns for this bot and the same random stream."""
    game, kind = bot.game, type(bot)
    restriction = build_restriction(game, game.verbs_bots_avoid, (), False) if game.verbs_bots_avoid else None
    ruled_option = None if type(game).ruled_option is Game.ruled_option else game.ruled_option
    if kind is Random:
        return RandomRival(restriction, ruled_option)
    if kind not in (Greedy, Novice, Steady, Casual):
        return BotRival(bot)
    whole_action = kind in (Steady, Casual)
    worlds = (ACTION_WORLDS if whole_action else NEXT_WORLDS) if game.has_secrets else 1
    levels = load_levels(game)
    temperature = {Novice: levels.novice_temperature, Casual: levels.casual_temperature}.get(kind, 0.0)
    return EvaluatingRival(
        restriction,
        ruled_option,
        game.evaluator,
        game.weights.values,
        worlds,
        whole_action,
        game.weights.scale * temperature,
        bot.ranking_network,
    )
