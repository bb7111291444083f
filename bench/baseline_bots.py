"""Two baseline bots without tree search. A search must beat them to be worth its time.

    export TRICLINIUM_BOTS=bench.baseline_bots:ManyWorldsBot,bench.baseline_bots:OwnTurnBot
    triclinium arena portals --bots worlds,steady --seats 2

`worlds` is steady with eight times as many worlds, to reduce the effect of luck. `turns` takes the best options of
`worlds`, plays its own turn to the end from each of them in common worlds, and compares the results.
"""

from triclinium.bots import Bot, DecisionRequest
from triclinium.bots.core.value import evaluate_position, find_best_option, weigh_options
from triclinium.bots.steady import WORLDS
from triclinium.engine.core.state import Option, State
from triclinium.engine.core.text import Name

TIMES = 8  # number of worlds, as a multiple of steady's
FEW = 4  # number of options that turns compares
NEAR = 8.0  # options that look this many points worse than the best are not compared
TURNS = 10  # number of worlds for each compared option


class ManyWorldsBot(Bot):
    """The steady bot with more worlds."""

    name = "worlds"
    sensible_only = True
    description = Name("steady in many worlds", "bot")

    def choose(self, asked: DecisionRequest) -> Option:
        worth = self.evaluate_options(asked)
        return asked.world.legal[worth.index(max(worth))]

    def evaluate_options(self, asked: DecisionRequest) -> list[float]:
        """Return the evaluation of each option after its action is finished, averaged over all worlds."""
        legal = asked.world.legal
        worth = [0.0] * len(legal)
        for _ in range(TIMES):
            world = asked.world.resample(asked.seat, asked.rng)
            world.legal = legal
            weights = self.game.weights.values
            found = weigh_options(self.game.evaluator, world, asked.seat, weights, WORLDS, asked.rng, asked.restriction)
            for i in range(len(legal)):
                worth[i] += found[i] / TIMES
        return worth


class OwnTurnBot(ManyWorldsBot):
    """The best few options of `Worlds`, compared after playing the bot's turn to the end."""

    name = "turns"
    description = Name("plans its own turn to the end", "bot")

    def choose(self, asked: DecisionRequest) -> Option:
        worth = self.evaluate_options(asked)
        least = max(worth) - NEAR
        order = sorted(range(len(worth)), key=lambda i: -worth[i])
        few = [asked.world.legal[i] for i in order[:FEW] if worth[i] > least]
        if len(few) == 1:
            return few[0]
        total = [0.0] * len(few)
        for _ in range(TURNS):
            world = asked.world.resample(asked.seat, asked.rng)
            for i in range(len(few)):
                total[i] += self.evaluate_after_turn(asked, world, few[i])
        return few[total.index(max(total))]

    def evaluate_after_turn(self, asked: DecisionRequest, world: State, o: Option) -> float:
        ai, seat, weights = self.game.evaluator, asked.seat, self.game.weights.values
        s = world.clone()
        s.choose(o)
        while s.who == seat:
            s.choose(find_best_option(ai, s, seat, weights, asked.restriction))
        return evaluate_position(ai, s, seat, weights)
