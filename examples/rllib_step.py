"""Test of Time between three as an environment of RLlib, by its own wrapper of PettingZoo environments.

    pip install triclinium[research] "ray[rllib]" torch
    python examples/rllib_step.py 50

makes fifty random steps with masked options, and tells how many and who is asked next.
"""

import sys

import numpy

from triclinium.research.pettingzoo import env

try:
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
except ImportError:
    sys.exit("rllib is missing; pip install 'ray[rllib]' torch")


def main(steps: int) -> tuple[int, str]:
    """Steps that were made, and who is asked next."""
    table, rng, made = PettingZooEnv(env("testoftime", seats=3)), numpy.random.default_rng(1), 0
    seen, _ = table.reset(seed=1)
    while made < steps:
        (agent, told), *_ = seen.items()
        option = int(rng.choice(numpy.flatnonzero(told["action_mask"])))
        seen, _, ended, _, _ = table.step({agent: option})
        made += 1
        if ended["__all__"]:
            seen, _ = table.reset()
    return made, next(iter(seen))


if __name__ == "__main__":
    sys.stdout.write(f"{main(int(sys.argv[1]))}\n")
