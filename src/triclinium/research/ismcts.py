"""OpenSpiel's search as a bot, to compare our bots with a general one. ``triclinium benchmark --more`` uses it.

TRICLINIUM_BOTS=triclinium.research.ismcts:Ismcts triclinium arena evangelists --bots ismcts@100x,greedy --matches 10
"""

from typing import Any, Final

from triclinium.bots.base import Bot, DecisionRequest
from triclinium.bots.budget import UNHURRIED_SECONDS, Budget
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.state import Option
from triclinium.engine.core.text import Name
from triclinium.engine.extras import name_extra
from triclinium.engine.game import Game
from triclinium.research.openspiel import REGISTERED_GAMES, ActionHistory, OpenSpielState

with name_extra("openspiel", "triclinium.research.ismcts"):
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms.ismcts import ISMCTSBot
    from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

EXPLORATION: Final = 2.0  # the constant of UCT in the examples of OpenSpiel
ITERATIONS: Final = 100
SEEDS: Final = 1 << 30


class Ismcts(Bot):
    """Information-set tree search with random rollouts. In games without secrets or chance it is plain tree search."""

    name = "ismcts"
    description = Name("searches with random rollouts")
    budget = Budget(UNHURRIED_SECONDS, ITERATIONS)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        if game.id not in REGISTERED_GAMES:
            raise BadSetup(f"{game.id} has no observations, so OpenSpiel cannot search it")

    def choose(self, request: DecisionRequest) -> Option:
        if not request.budget.iterations:
            raise BadSetup(f"the budget of {self.name} is a number of iterations, such as {self.name}@100x")
        openspiel_game = pyspiel.load_game(f"triclinium_{self.game.id}", {"players": request.world.seats})
        state: Any = openspiel_game.new_initial_state()
        state.action_history = ActionHistory(openspiel_game.setup, request.world, [])
        random = np.random.RandomState(request.rng.below(SEEDS))
        evaluator = RandomRolloutEvaluator(1, random)
        iterations = request.budget.iterations
        if not self.game.has_secrets:
            search: Any = MCTSBot(openspiel_game, EXPLORATION, iterations, evaluator, random_state=random)
            return int(search.step(state))
        search = ISMCTSBot(
            openspiel_game, evaluator, EXPLORATION, iterations, random_state=random, use_observation_string=True
        )

        def resample(state: OpenSpielState, player: int) -> OpenSpielState:
            other = state.clone()
            assert isinstance(other, OpenSpielState)
            assert other.action_history.s is not None
            other.action_history.s = other.action_history.s.resample(player, request.rng)
            return other

        search.set_resampler(resample)
        return int(search.step(state))
