"""Check that `redeal` is unbiased: over random matches, the luck of every feature has mean 0.

    python -m bench.luck evangelists --matches 5000

The luck of a feature in a match is a sum of differences for the first seat. Each difference compares the feature with
its value in a possible world in which only unseen cards are dealt again. It is taken at the deal and after every option
that reveals something. If `redeal` drew its worlds from a wrong distribution, some mean would differ from 0. The
command fails if one does with p < 0.001, corrected for the number of features.
"""

import argparse
import math
import sys
from dataclasses import dataclass

from triclinium.bots import derive_seed
from triclinium.engine import registry
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import EVERYBODY
from triclinium.engine.game import Game

ALPHA = 0.001


@dataclass(slots=True)
class FeatureLuck:
    """The sums over all matches of the luck of one feature, and of its square."""

    name: str
    total: float = 0.0
    squares: float = 0.0

    def add(self, luck: float) -> None:
        self.total += luck
        self.squares += luck * luck

    def p_value(self, matches: int) -> float:
        """Return the p-value of the mean. It is 1 for a feature whose luck is always 0."""
        mean = self.total / matches
        variance = max(0.0, self.squares / matches - mean * mean)
        error = math.sqrt(variance / (matches - 1))
        return math.erfc(abs(mean) / error / math.sqrt(2)) if error > 1e-12 else 1.0


def measure_match(game: Game, seats: int, seed: int) -> list[float]:
    """Return the luck of every feature for the first seat in one random match."""
    features, rng = game.evaluator.features, Rng(derive_seed(seed, 1))
    s = game.deal(seats, seed)
    other = game.deal(seats, derive_seed(seed, 2))
    luck = [real - usual for real, usual in zip(features(s, 0), features(other, 0), strict=True)]
    while not s.over:
        o = rng.pick(s.options())
        before, seen = s.clone(), s.undo_barrier
        s.choose(o)
        if s.undo_barrier > seen:
            world = before.resample(EVERYBODY, rng)
            world.choose(o)
            luck = [
                total + real - usual
                for total, real, usual in zip(luck, features(s, 0), features(world, 0), strict=True)
            ]
    return luck


def measure_game(game: Game, seats: int, matches: int, seed: int) -> list[FeatureLuck]:
    """Return the luck of every feature of a game over random matches."""
    found = [FeatureLuck(name) for name in game.weights.names]
    for n in range(matches):
        for feature, luck in zip(found, measure_match(game, seats, derive_seed(seed, n)), strict=True):
            feature.add(luck)
        if sys.stderr.isatty() and n % 50 == 0:
            sys.stderr.write(f"\r{game.id}: {n} of {matches} matches")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Check that the luck of every feature has mean 0.")
    parser.add_argument("game", choices=registry.list_games())
    parser.add_argument("--matches", type=int, default=5000)
    parser.add_argument("--seats", type=int, default=0, help="number of players (default: the smallest)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    game = registry.load_game(args.game)
    seats = args.seats or game.seats[0]
    found = measure_game(game, seats, args.matches, args.seed)
    for feature in found:
        mean = feature.total / args.matches
        sys.stdout.write(f"{feature.name:30} {mean:+.4f}  p = {feature.p_value(args.matches):.4f}\n")
    lowest = min(found, key=lambda feature: feature.p_value(args.matches))
    p = lowest.p_value(args.matches)
    sys.stdout.write(f"{game.id}, {seats} seats, {args.matches} matches: lowest p = {p:.4f} ({lowest.name})\n")
    sys.exit(p < ALPHA / len(found))


if __name__ == "__main__":
    main()
