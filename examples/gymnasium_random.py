"""A random player of The Acts of the Evangelists against a greedy bot, in a Gymnasium environment.

    python examples/gymnasium_random.py 20

The output is the mean reward of twenty matches. It is -0.5, because the random player loses all of them.
"""

import sys

import gymnasium
import numpy

import triclinium.research.gymnasium  # noqa: F401  # registers the games


def main(matches: int) -> float:
    """Return the mean reward of this many matches."""
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
