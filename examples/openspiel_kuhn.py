"""Kuhn poker of examples/kuhn, solved by OpenSpiel's CFR+. The package must be installed or on the path.

    PYTHONPATH=examples/kuhn python examples/openspiel_kuhn.py 200

The output is the value for the first player, -0.056 (-1/18), and the exploitability, below 0.001.
"""

import sys

import pyspiel
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

from kuhn import GAME
from triclinium.research import openspiel


def main(rounds: int) -> tuple[float, float]:
    """Return the value for the first player and the exploitability."""
    if GAME.id not in openspiel.REGISTERED_GAMES:
        openspiel.register_games(GAME)
    game = pyspiel.load_game("triclinium_kuhn", {"utility": "points", "variants": "deals:1"})
    solver = cfr.CFRPlusSolver(game)
    for _ in range(rounds):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)[0]
    return round(float(value), 4), round(float(exploitability.exploitability(game, policy)), 5)


if __name__ == "__main__":
    sys.stdout.write(f"{main(int(sys.argv[1]))}\n")
