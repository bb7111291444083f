"""Benchmark of search iterations: how many strong makes in 300 ms of processor time in the middle of a match.

    python -m bench.iterations evangelists --seats 2

The figures of docs/bots.md use budgets in iterations, so they are the same on every machine. This benchmark shows which
number of iterations corresponds to which time. Every position has its own tree, including the cost of its first
evaluation. The output has the median and the number that takes 300 ms on average. The latter is far smaller where the
duration of iterations varies much.
"""

import argparse
import sys
from statistics import harmonic_mean, median

from triclinium.bots import Budget, DecisionRequest, choose_option, create_bot, derive_seed
from triclinium.bots.search import Strong
from triclinium.engine import registry
from triclinium.engine.build_info import is_compiled
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import State
from triclinium.engine.game import Game

SINCE, UNTIL = 1 / 3, 2 / 3  # the middle of a match, by its progress
EACH = 4  # maximum number of positions from one match
SECONDS = 0.3
REPEATS = 4  # the best of several runs counts, because other programs disturb the rest


def collect_positions(game: Game, seats: int, matches: int, seed: int) -> list[State]:
    """Return positions with a real choice, a few from the middle of each match."""
    found: list[State] = []
    for n in range(matches):
        s, rng = game.deal(seats, derive_seed(seed, n)), Rng(derive_seed(seed, n, seats))
        player = create_bot("greedy", game)
        there: list[State] = []
        while not s.over and game.evaluator.progress(s) < UNTIL:
            if (
                game.evaluator.progress(s) >= SINCE
                and len(game.evaluator.sensible_options(s)) > 1
                and game.ruled_option(s) is None
            ):
                there.append(s.clone())
            s.choose(choose_option(player, s, rng))
        order = list(range(len(there)))
        rng.shuffle(order)
        found += [there[i] for i in order[:EACH]]
    return found


def measure_iterations(game: Game, s: State, rng: Rng) -> int:
    """Return the number of iterations that the budget allows in this position."""
    return max(run_search(game, s, rng.copy()) for _ in range(REPEATS))


def run_search(game: Game, s: State, rng: Rng) -> int:
    world = s.resample(s.who, rng)
    world.legal = game.evaluator.sensible_options(s)
    return Strong(game).search(DecisionRequest(game, world, s.who, rng, Budget(SECONDS))).iterations


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("game")
    asked.add_argument("--seats", type=int)
    asked.add_argument("--matches", type=int, default=5)
    asked.add_argument("--seed", type=int, default=1)
    args = asked.parse_args()
    game = registry.load_game(args.game)
    seats = args.seats or game.seats[0]
    rng = Rng(args.seed)
    made = sorted(measure_iterations(game, s, rng) for s in collect_positions(game, seats, args.matches, args.seed))
    build = "compiled" if is_compiled() else "interpreted"
    sys.stdout.write(
        f"{game.id}, {seats} seats, {build}: {median(made):.0f} iterations in {SECONDS} s ({made[0]} to {made[-1]}, "
        f"{len(made)} positions); {harmonic_mean(made):.0f} take so long on average\n"
    )


if __name__ == "__main__":
    main()
