"""Search for better weights: an evolution strategy proposes weights, and the proposals play each other.

A proposal multiplies each weight by its own factor. All proposals of a generation meet at full tables. Every deal is
played once from every seat, which reduces the effect of luck. Many proposals with few matches each are more informative
than few with many, because every match says something about each weight. The result of a match is the win plus the
margin in units of the game's scale. At the end the new weights play the old ones on fresh deals, and a value model is
fitted to them (value_model.py).
"""

import math
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from triclinium.bots import Bot, create_bot, derive_seed, play_out
from triclinium.bots.core.value import compute_result_shares
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.score import compute_lead
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.lab.learn.value_model import fit_value_model
from triclinium.lab.learn.weights import with_weights
from triclinium.lab.ratings import compute_wilson_interval
from triclinium.lab.results import TuningReport

INITIAL_STEP = 0.4  # standard deviation of the log factors in the first generation
TRIAL_SEED_OFFSET = 1_000_000  # offset of the seeds of the final trial matches


class EvolutionStrategy(Protocol):
    """The interface of cma's CMAEvolutionStrategy, as far as it is used here."""

    def ask(self) -> list[list[float]]: ...
    def tell(self, solutions: list[list[float]], values: list[float]) -> None: ...
    @property
    def mean(self) -> list[float]: ...


@dataclass(frozen=True)
class WeightSearch:
    """The settings of a search for better weights."""

    game_id: str
    seats: int
    bot: str = "steady"
    seconds: float = 300.0
    generations: int = 0  # fixed number of generations instead of a time limit, for the same result on any machine
    proposals: int = 48  # proposals in a generation, rounded up to full tables
    deals: int = 1  # number of deals for each table, each of them played from every seat
    trials: int = 200  # matches of the new weights against the old ones
    dataset_matches: int = 400  # matches that the value model is fitted to
    seed: int = 1
    points: bool = False  # True to fit the value model to final points, False to fit it to wins


def learn_weights(
    search: WeightSearch, on_generation: Callable[[int, float], None] | None = None, edition: Game | None = None
) -> TuningReport:
    """Search for better weights until the time is up, and return the report.

    ``on_generation`` is called with the number of each generation and its best result. Without an edition, the printed
    game is used.
    """
    game = edition or load_game(search.game_id)
    base = game.weights.values
    strategy = _make_strategy(len(base), search)
    began = time.monotonic()
    generations = matches = 0
    while generations < search.generations or (not search.generations and time.monotonic() - began < search.seconds):
        proposals = strategy.ask()
        results = play_generation(search, game, [scale_weights(base, steps) for steps in proposals], generations)
        strategy.tell(proposals, [-result for result in results])
        generations += 1
        matches += len(proposals) * search.deals
        if on_generation is not None:
            on_generation(generations, max(results))
    weights = scale_weights(base, list(strategy.mean)) if generations else base[:]
    share = measure_win_share(search, game, weights)
    low, high = compute_wilson_interval(share, search.trials)
    fitted = fit_value_model(
        with_weights(game, weights), search.bot, search.dataset_matches, search.seed, search.points
    )
    return {
        **fitted,
        "seats": search.seats,
        "generations": generations,
        "matches": matches,
        "seconds": round(time.monotonic() - began, 1),
        "before": dict(zip(game.weights.names, base, strict=True)),
        "trials": search.trials,
        "share": round(share, 4),
        "low": round(low, 4),
        "high": round(high, 4),
    }


def play_generation(search: WeightSearch, game: Game, proposals: Sequence[list[float]], generation: int) -> list[float]:
    """Return the mean result of each proposal. Neighbours in the list share a table."""
    seats = search.seats
    results = [0.0 for _ in proposals]
    for first in range(0, len(proposals), seats):
        table = proposals[first : first + seats]
        for deal in range(search.deals):
            seed = derive_seed(search.seed, generation, first, deal)
            for turn in range(seats):
                s = play_match(search, game, [table[(seat + turn) % seats] for seat in range(seats)], seed)
                for seat, result in enumerate(match_rewards(s, game)):
                    results[first + (seat + turn) % seats] += result / (search.deals * seats)
    return results


def match_rewards(s: State, game: Game) -> list[float]:
    """Return the reward of each seat: two for the win, and up to one for the margin in points or ranks."""
    scores = game.scores(s)
    unit = 3.0 * game.weights.scale if game.has_points else float(s.seats)
    shares = compute_result_shares(game.evaluator, s)
    return [2.0 * shares[seat] + math.tanh(compute_lead(scores, [seat]) / unit) for seat in range(s.seats)]


def measure_win_share(search: WeightSearch, game: Game, weights: list[float]) -> float:
    """Return the share of wins of one seat with new weights against the game's own, on fresh deals."""
    won = 0.0
    for number in range(search.trials):
        deal, seat = divmod(number, search.seats)
        chosen = [weights if place == seat else game.weights.values for place in range(search.seats)]
        s = play_match(search, game, chosen, derive_seed(search.seed, TRIAL_SEED_OFFSET + deal))
        won += compute_result_shares(game.evaluator, s)[seat]
    return won / search.trials if search.trials else 0.0


def play_match(search: WeightSearch, game: Game, weights: Sequence[list[float]], seed: int) -> State:
    """Play a match between bots that differ only in their weights, and return the final state."""
    s = game.deal(search.seats, seed)
    players: list[Bot] = [create_bot(search.bot, with_weights(game, each)) for each in weights]
    play_out(s, players, [Rng(derive_seed(seed, seat)) for seat in range(search.seats)])
    return s


def scale_weights(base: list[float], steps: Sequence[float]) -> list[float]:
    """Return the weights times e to these steps, normalised to a mean step of 0, because only ratios matter."""
    mean = sum(steps) / len(steps)
    return [weight * math.exp(float(step) - mean) for weight, step in zip(base, steps, strict=True)]


def _make_strategy(size: int, search: WeightSearch) -> EvolutionStrategy:
    full = -(-search.proposals // search.seats) * search.seats
    options = {
        "seed": search.seed % (1 << 31) + 1,
        "popsize": full,
        "verbose": -9,
        "verb_log": 0,
        "verb_disp": 0,
    }
    with warnings.catch_warnings(action="ignore"):  # cma warns that matplotlib is missing, which is not needed here
        cma = import_module("cma")  # imported late, because it takes longer than all other imports of a study together
    strategy: EvolutionStrategy = cma.CMAEvolutionStrategy([0.0] * size, INITIAL_STEP, options)
    return strategy
