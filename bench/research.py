"""Speed of all interfaces of docs/research.md, compared with games of other libraries.

    python -m bench.research [SECONDS]

Most lines give the steps per second of processor time on one core, including the data that the interface returns. The
first lines give the time for one observation. The figures of the page come from the compiled build. Libraries that are
not installed are listed as not measured.
"""

import importlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import triclinium
from triclinium.engine.build_info import is_compiled
from triclinium.engine.core.rng import Rng
from triclinium.engine.game import Game
from triclinium.research.batch import Batch, draw_options

BATCH = 64
EXAMPLES = {"rank_options": ("100",)}
OBSERVED = 300  # number of repetitions at each position
CLASSICS = ("tictactoe_v3", "connect_four_v3", "leduc_holdem_v4", "texas_holdem_v4")
SPIELS = ("tic_tac_toe", "kuhn_poker", "leduc_poker", "backgammon", "python_tic_tac_toe", "python_kuhn_poker")


def main(seconds: float) -> None:
    games = [triclinium.load_game(id) for id in triclinium.list_games()]
    say(f"triclinium {'compiled' if is_compiled() else 'interpreted'}, Python {sys.version.split()[0]}")
    for name in ("numpy", "gymnasium", "pettingzoo", "open-spiel"):
        say(f"{name} {version(name)}")
    for game in games:
        for seats in (game.seats[0], game.seats[-1]):
            say(f"{game.id} ({seats}) observe: {measure_observation(game, seats):.1f} µs")
    for game in games:
        for name, run in OURS:
            report(f"{game.id} ({game.seats[0]}) {name}", run(game, game.seats[0]), seconds)
    for module in CLASSICS:
        report_library(
            f"PettingZoo {module}", f"pettingzoo.classic.{module}", lambda found: play_aec_env(found.env()), seconds
        )
    for name, arguments in EXAMPLES.items():
        say(f"examples/{name}.py {' '.join(arguments)}: {run_example(name, arguments)}")
    for id in SPIELS:
        report_library(f"OpenSpiel {id}", "pyspiel", lambda found, id=id: play_spiel_game(found.load_game(id)), seconds)  # type: ignore[misc]


def run_example(name: str, arguments: tuple[str, ...]) -> str:
    """Return the last line of an example's output, or of its errors if it fails."""
    file = Path(__file__).parents[1] / "examples" / f"{name}.py"
    ended = subprocess.run([sys.executable, str(file), *arguments], capture_output=True, text=True, check=False)
    said = (ended.stdout if ended.returncode == 0 else ended.stderr).strip().splitlines()
    return said[-1] if said else "nothing"


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def report(name: str, steps: Iterator[int], seconds: float) -> None:
    """Run for this time and print the rate."""
    next(steps)  # The first step includes one-time initialisation.
    began, made = time.process_time(), 0
    while time.process_time() - began < seconds:
        made += next(steps)
    say(f"{name}: {made / (time.process_time() - began):,.0f} steps/s")


def report_library(name: str, module: str, run: Callable[[Any], Iterator[int]], seconds: float) -> None:
    """Measure a game of another library if it is installed."""
    try:
        if module == "pyspiel":
            importlib.import_module("open_spiel.python.games")
        found = importlib.import_module(module)
        report(name, run(found), seconds)
    except Exception as error:  # every library reports missing dependencies in its own way
        say(f"{name}: not measured ({type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''})")


def measure_observation(game: Game, seats: int) -> float:
    """Return the microseconds for one observation, averaged over a random match."""
    rng, spent, looks = Rng(1), 0.0, 0
    s, n, observe = game.deal(seats, 1), 0, game.required_observer.observe
    while not s.over:
        if n % 10 == 0:
            who = s.who
            began = time.process_time()
            for _ in range(OBSERVED):
                observe(s, who)
            spent += time.process_time() - began
            looks += OBSERVED
        s.choose(rng.pick(s.legal))
        n += 1
    return 1e6 * spent / looks


def play_states(game: Game, seats: int) -> Iterator[int]:
    """Play on states only, as search does."""
    rng, seed = Rng(1), 0
    while True:
        s, seed, made = game.deal(seats, seed), seed + 1, 0
        while not s.over:
            s.choose(rng.pick(s.legal))
            made += 1
        yield made


def play_batch(game: Game, seats: int) -> Iterator[int]:
    """Play a batch of 64 matches with observations, asked seats and options. numpy draws the options."""
    batch, rng = Batch(game, seats, BATCH, seed=1), np.random.default_rng(1)
    while True:
        batch.observations()
        batch.acting_seats()
        batch.step(draw_options(*batch.options(), rng))
        yield BATCH


def look_after_options(game: Game, seats: int) -> Iterator[int]:
    """Observe the positions after all options in a batch of 64 matches, with features, and count the positions."""
    batch, rng, worlds = Batch(game, seats, BATCH, seed=1), np.random.default_rng(1), Rng(1)
    while True:
        yield len(batch.positions_after(worlds).win_shares)
        batch.step(draw_options(*batch.options(), rng))


def play_batch_with_rivals(game: Game, seats: int) -> Iterator[int]:
    """Play one seat at random in a batch of 64 matches against greedy rivals. The rivals' time is included."""
    batch, rng = Batch(game, seats, BATCH, seed=1, rivals="greedy"), np.random.default_rng(1)
    while True:
        batch.observations()
        batch.step(draw_options(*batch.options(), rng))
        yield BATCH


def play_pettingzoo(game: Game, seats: int) -> Iterator[int]:
    return play_aec_env(importlib.import_module("triclinium.research.pettingzoo").env(game, seats))


def play_aec_env(env: Any) -> Iterator[int]:
    """Play with `last`, `step` and masked random actions."""
    rng = np.random.default_rng(1)
    while True:
        env.reset(seed=1)
        made = 0
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = seen["action_mask"].nonzero()[0]
            env.step(legal[int(rng.random() * len(legal))])
            made += 1
        yield made


def play_openspiel(game: Game, seats: int) -> Iterator[int]:
    pyspiel = importlib.import_module("pyspiel")
    importlib.import_module("triclinium.research.openspiel")
    return play_spiel_game(pyspiel.load_game(f"triclinium_{game.id}", {"players": seats}))


def play_spiel_game(game: Any) -> Iterator[int]:
    """Play with `legal_actions` and `apply_action`, as the random simulations of OpenSpiel do."""
    rng = np.random.default_rng(1)
    while True:
        s, made = game.new_initial_state(), 0
        while not s.is_terminal():
            legal = s.legal_actions()
            s.apply_action(legal[int(rng.random() * len(legal))])
            made += 1
        yield made


def play_vector_env(matches: int, game: Game, seats: int) -> Iterator[int]:
    """Play one seat against random rivals in several matches at once."""
    vector = importlib.import_module("triclinium.research.vector_env")
    envs, rng = vector.SingleSeatVectorEnv(game, seats, matches, rivals="random"), np.random.default_rng(1)
    _, info = envs.reset(seed=1)
    while True:
        odds = rng.random(info["action_mask"].shape) * info["action_mask"]
        _, _, _, _, info = envs.step(odds.argmax(axis=1))
        yield matches


def play_gymnasium(game: Game, seats: int) -> Iterator[int]:
    """Play one seat against random rivals. Their time counts too."""
    gymnasium = importlib.import_module("triclinium.research.gymnasium")
    env, rng = gymnasium.SingleSeatEnv(game, seats, rivals="random"), np.random.default_rng(1)
    while True:
        _, info = env.reset(seed=1)
        over, made = False, 0
        while not over:
            legal = info["legal"]
            _, _, over, _, info = env.step(legal[int(rng.random() * len(legal))])
            made += 1
        yield made


OURS: list[tuple[str, Callable[[Game, int], Iterator[int]]]] = [
    ("states", play_states),
    (f"Batch of {BATCH}", play_batch),
    ("PettingZoo", play_pettingzoo),
    ("OpenSpiel", play_openspiel),
    ("Gymnasium", play_gymnasium),
    ("Gymnasium, 16 at once", partial(play_vector_env, 16)),
    (f"Gymnasium, {BATCH} at once", partial(play_vector_env, BATCH)),
    (f"Batch of {BATCH}, positions after options", look_after_options),
    (f"Batch of {BATCH} against greedy", play_batch_with_rivals),
]


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 2.0)
