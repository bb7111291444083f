"""A random player of The Acts of the Evangelists against a greedy bot, as a Gymnasium environment.

    python examples/gymnasium_random.py 20

tells the mean reward of twenty matches: -0.5, for it loses them all.
"""

import sys

import gymnasium
import numpy

import triclinium.research.gymnasium  # noqa: F401  # registers the games


def main(matches: int) -> float:
    """The mean reward."""
    table = gymnasium.make("triclinium/Evangelists-2-v0", rivals="greedy")
    rng, total = numpy.random.default_rng(1), 0.0
    for seed in range(matches):
        _, info = table.reset(seed=seed)
        over = False
        while not over:
            _, reward, over, _, info = table.step(rng.choice(info["legal"]))
            total += float(reward)
    return total / matches


if __name__ == "__main__":
    sys.stdout.write(f"{main(int(sys.argv[1]))}\n")
