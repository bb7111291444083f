"""Comparison of options by random rollouts, without any evaluation of positions.

A rollout plays the rest of the match at random and counts only its result. In each round, all remaining options are
tried in the same world with the same random numbers. The worse half of the options is dropped again and again
(sequential halving), so that most rollouts compare the best ones.
"""

from triclinium.bots.core.restriction import Restriction
from triclinium.bots.core.value import pick_best_option
from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Option, Seat, State

ROLLOUT_SEEDS = 1 << 30  # number of seeds for worlds and for random moves


class OptionRollouts:
    """The options of one decision, with the results of their rollouts."""

    ai: Evaluator
    world: State
    seat: Seat
    restriction: Restriction | None  # options that bots avoid, in rollouts too
    max_decisions: int  # a rollout ends after this many decisions
    first_seed: int
    rounds: int
    halvings: int
    used: int  # rollouts so far
    options: list[Option]  # the remaining options
    totals: list[float]  # for each remaining option, the sum of its results

    def __init__(
        self,
        ai: Evaluator,
        world: State,
        seat: Seat,
        restriction: Restriction | None,
        max_decisions: int,
        rng: Rng,
    ) -> None:
        self.ai = ai
        self.world = world
        self.seat = seat
        self.restriction = restriction
        self.max_decisions = max_decisions
        self.first_seed = rng.below(ROLLOUT_SEEDS)
        self.rounds = 0
        self.halvings = 0
        self.used = 0
        self.options = list(world.legal)
        rng.shuffle(self.options)  # so that the order of the options decides nothing when they are dropped
        self.totals = [0.0] * len(self.options)

    def count_halvings(self) -> int:
        """Return how many times the options can be halved until one or two are left."""
        count = 0
        remaining = len(self.world.legal)
        while remaining > 2:
            remaining = (remaining + 1) // 2
            count += 1
        return count

    def play_round(self) -> None:
        """Try every remaining option once, in the same world."""
        rng = Rng(self.first_seed + self.rounds)
        self.rounds += 1
        here = self.world.resample(self.seat, rng)
        for i in range(len(self.options)):
            s = here.clone()
            s.choose(self.options[i])
            self.play_at_random(s, rng.fork())
            self.totals[i] += measure_lead(self.ai, s, self.seat)
        self.used += len(self.options)

    def play_at_random(self, s: State, rng: Rng) -> None:
        """Choose random options until the match or the rollout ends."""
        restriction = self.restriction
        for _ in range(self.max_decisions):
            if s.who == NOBODY:
                return
            legal = s.legal
            if len(legal) > 1 and restriction is not None:
                legal = restriction.filter_options(s, legal)
            s.choose(rng.pick(legal))

    def drop_worse_half(self) -> None:
        """Keep the better half of the options, at least two if there are two."""
        keep = (len(self.options) + 1) // 2
        ranked = sorted(range(len(self.options)), key=self._negate_total)
        kept = sorted(ranked[:keep])
        self.options = [self.options[i] for i in kept]
        self.totals = [self.totals[i] for i in kept]
        self.halvings += 1

    def _negate_total(self, i: int) -> float:
        return -self.totals[i]

    def pick_best(self, rng: Rng) -> Option:
        """Return the option with the best results, at random among equal ones."""
        return pick_best_option(self.options, self.totals, rng)


def measure_lead(ai: Evaluator, s: State, seat: Seat) -> float:
    """Return how far a seat leads: its points minus the most of the others, or its rank in a game without points."""
    own = 0.0
    most = -1e30
    for score in ai.scores(s):
        total = score.total
        value = float(-score.rank if total is None else total)
        if score.seat == seat:
            own = value
        elif value > most:
            most = value
    return own - most
