"""The bot that looks to the end of its own action with the game's evaluation."""

from triclinium.bots.base import Asked, Bot
from triclinium.bots.core.ranking_network import weigh_learnt
from triclinium.bots.core.value import weigh
from triclinium.engine.core.state import Option
from triclinium.engine.core.text import Name

WORLDS = 3
TIE = 1e-9


class Steady(Bot):
    """Takes the option after which, its own action finished as well as it can, its position looks best."""

    name = "steady"
    sensible = True
    learns = True
    how = Name("plans its own action to the end", "bot")

    def choose(self, asked: Asked) -> Option:
        legal = asked.world.legal
        worlds = WORLDS if self.game.secrets else 1
        weights = self.game.weights.each
        how = (self.game.evaluator, asked.world, asked.seat, weights, worlds, asked.rng, asked.banned)
        ranker = self.ranker_for(asked.world)
        worth = weigh(*how) if ranker is None else weigh_learnt(ranker, *how)
        best = max(worth)
        return asked.rng.pick([o for o, w in zip(legal, worth, strict=True) if w >= best - TIE])
