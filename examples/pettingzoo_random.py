"""A match of Portals and Prophets between three random players, in a PettingZoo environment.

    python examples/pettingzoo_random.py

The output is the reward of each player: the share of the win minus one third. The sum is 0.
"""

import sys

import numpy

from triclinium.research.pettingzoo import env


def main(seed: int = 1) -> dict[str, float]:
    """Return the reward of each agent."""
    table, rng = env("portals", seats=3), numpy.random.default_rng(seed)
    table.reset(seed=seed)
    rewards: dict[str, float] = {}
    for agent in table.agent_iter():
        seen, reward, over, _, _ = table.last()
        if over:
            rewards[agent] = round(reward, 3)
            table.step(None)
        else:
            table.step(rng.choice(numpy.flatnonzero(seen["action_mask"])))
    return rewards


if __name__ == "__main__":
    sys.stdout.write(f"{main()}\n")
