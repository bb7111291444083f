"""Speed of every game: random play on one core, in processor time."""

import sys
import time
from collections.abc import Callable, Sequence
from typing import TypedDict

from triclinium.bots import Budget, DecisionRequest, derive_seed
from triclinium.bots.search import Strong
from triclinium.engine import registry
from triclinium.engine.build_info import is_compiled
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import rollout
from triclinium.engine.core.state import State
from triclinium.engine.game import Game
from triclinium.lab.state_size import measure_state_bytes

SEED = 1
USUAL_SEATS = 3  # usual number of seats, if the game allows it
SAMPLES = 40  # states sampled evenly from the middle of random matches
SEARCHED_STATES = 8  # number of sampled states that are searched
REPEATS = 5  # number of passes; the fastest counts, because other programs disturb it least


class GameSpeed(TypedDict):
    """The speed of one game."""

    game: str
    seats: int
    compiled: bool
    decisions_per_second: int
    matches_per_second: float
    decisions_per_match: float
    clone_us: float
    resample_us: float  # microseconds of a clone with its determinization
    digest_us: float
    state_bytes: int
    iterations_per_second: int  # iterations of the search
    nodes_per_second: int
    resampling: float  # share of the search time spent on determinization


class SpeedReport(TypedDict):
    """The speed of one build, ready for JSON."""

    python: str
    compiled: bool
    seconds: float
    games: list[GameSpeed]


def choose_seat_count(game: Game) -> int:
    """Return the number of seats for measurements and new tables."""
    if game.id == "ierusalem":
        return 4  # Ierusalem is usually played by four.
    return USUAL_SEATS if USUAL_SEATS in game.seats else game.seats[-1]


def measure_speed(
    names: Sequence[str] = (), seconds: float = 1.0, on_game: Callable[[str], None] | None = None
) -> SpeedReport:
    """Measure the speed of these games, or of all. Each is played at random for ``seconds``."""
    chosen = [registry.load_game(name) for name in names or registry.list_games()]
    speeds: list[GameSpeed] = []
    for game in chosen:
        if on_game is not None:
            on_game(game.id)
        speeds.append(measure_game(game, seconds))
    return {"python": sys.version.split()[0], "compiled": is_compiled(), "seconds": seconds, "games": speeds}


def measure_game(game: Game, seconds: float) -> GameSpeed:
    """Measure the speed of one game with its usual number of seats."""
    seats = choose_seat_count(game)
    rollout(game.deal(seats, SEED), Rng(SEED), game.max_decisions + 1)  # The first match warms up the interpreter.
    passes = [play_at_random(game, seats, seconds / REPEATS) for _ in range(REPEATS)]
    matches, decisions, spent = max(passes, key=lambda each: each[1] / each[2])
    states = sample_states(game, seats)
    rng = Rng(SEED)
    iterations, nodes, resampling = measure_search(game, states, seconds)
    return {
        "game": game.id,
        "seats": seats,
        "compiled": is_compiled(type(states[0]).__module__),
        "decisions_per_second": round(decisions / spent),
        "matches_per_second": round(matches / spent, 1),
        "decisions_per_match": round(decisions / matches, 1),
        "clone_us": _measure_best_microseconds(states, lambda s: s.clone()),
        "resample_us": _measure_best_microseconds(states, lambda s: s.resample(s.who, rng)),
        "digest_us": _measure_best_microseconds(states, lambda s: s.digest()),
        "state_bytes": round(sum(measure_state_bytes(game, s) for s in states) / len(states)),
        "iterations_per_second": round(iterations),
        "nodes_per_second": round(nodes),
        "resampling": round(resampling, 4),
    }


def play_at_random(game: Game, seats: int, seconds: float) -> tuple[int, int, float]:
    """Play for about this many seconds. Return the matches and decisions played, and the seconds used.

    Every pass plays the same deals.
    """
    limit = game.max_decisions + 1
    matches = decisions = 0
    spent = 0.0
    began = time.process_time()
    while spent < seconds:
        matches += 1
        decisions += rollout(game.deal(seats, derive_seed(SEED, matches)), Rng(derive_seed(SEED, matches, 0)), limit)
        spent = time.process_time() - began
    return matches, decisions, spent


def measure_search(game: Game, states: list[State], seconds: float) -> tuple[float, float, float]:
    """Return iterations and nodes per second, and the share of time spent on resampling, from mid-match positions."""
    rng = Rng(SEED)
    iterations = nodes = 0
    spent = dealing = 0.0
    for s in [s for s in states if len(s.legal) > 1][:SEARCHED_STATES]:
        asked = DecisionRequest(game, s.resample(s.who, rng), s.who, rng, Budget(seconds))
        tree = Strong(game).get_tree(asked)
        tree.prepare_root(asked.world, rng)
        nodes -= tree.nodes
        until = time.process_time() + seconds / SEARCHED_STATES
        began = time.process_time()
        while time.process_time() < until:
            tree.iterate(asked.world)
        spent += time.process_time() - began
        iterations += tree.iterations
        nodes += tree.nodes
        if game.has_secrets:
            began = time.process_time()
            for _ in range(tree.iterations):
                asked.world.resample(asked.seat, rng)
            dealing += time.process_time() - began
    return iterations / spent, nodes / spent, dealing / spent


def sample_states(game: Game, seats: int) -> list[State]:
    """Return states from the middle of random matches, the same on every build."""
    states: list[State] = []
    match = 0
    while len(states) < SAMPLES:
        match += 1
        s = game.deal(seats, derive_seed(SEED, match))
        rng = Rng(derive_seed(SEED, match, 0))
        length = rollout(s.clone(), rng.copy(), game.max_decisions + 1)
        for _ in range(4):
            rollout(s, rng, max(1, length // 5))
            if not s.over:
                states.append(s.clone())
    return states[:SAMPLES]


def _measure_best_microseconds(states: list[State], do: Callable[[State], object]) -> float:
    """Return the time of one call in microseconds, the best of several passes over all states."""
    passes = 0
    best = float("inf")
    rounds = 1
    while passes < REPEATS:
        began = time.process_time()
        for _ in range(rounds):
            for s in states:
                do(s)
        spent = time.process_time() - began
        if spent < 0.01:  # too short for the resolution of the clock
            rounds *= 4
            continue
        passes += 1
        best = min(best, spent / (rounds * len(states)))
    return round(best * 1e6, 2)
