"""The bot that judges options by random rollouts only: a second opinion without the games' evaluations and weights."""

from triclinium.bots.base import Bot, DecisionRequest
from triclinium.bots.budget import UNHURRIED_SECONDS, Budget
from triclinium.bots.core.option_rollouts import OptionRollouts
from triclinium.bots.time_slices import Sliced, TaskClock, run_to_end
from triclinium.engine.core.state import Option
from triclinium.engine.core.text import Name

ROLLOUTS = 50  # default number of rollouts for one decision


class Rollout(Bot):
    """A bot that plays the rest of the match many times at random and takes the option with the best results.

    It uses neither features nor learnt weights. Studies can therefore check a result with a bot of another kind.
    """

    name = "rollout"
    sensible_only = True
    description = Name("plays many matches to their end at random", "bot")
    budget = Budget(UNHURRIED_SECONDS, ROLLOUTS)

    def choose(self, request: DecisionRequest) -> Option:
        return run_to_end(self.choose_in_slices(request))

    def choose_in_slices(self, request: DecisionRequest) -> Sliced[Option]:
        clock, budget = TaskClock(), request.budget
        rollouts = OptionRollouts(
            self.game.evaluator,
            request.world,
            request.seat,
            request.restriction,
            self.game.max_decisions,
            request.rng,
        )
        phases = rollouts.count_halvings() + 1
        while True:
            rollouts.play_round()
            used = (
                rollouts.used / budget.iterations
                if budget.iterations
                else clock.measure_processor_seconds() / budget.seconds
            )
            if used >= 1 or clock.measure_wall_seconds() >= budget.wall_limit:
                return rollouts.pick_best(request.rng)
            if used * phases >= rollouts.halvings + 1 and rollouts.halvings + 1 < phases:
                rollouts.drop_worse_half()
            if clock.is_slice_over():
                yield from clock.suspend()
