"""Portals and Prophets between two as an environment of TorchRL, by its own wrapper of PettingZoo environments.

    pip install triclinium[research] torchrl
    python examples/torchrl_step.py 50

checks the environment as TorchRL does, makes fifty random steps with masked options, and tells how many were made and
what each seat is told: a row of 259 bytes.
"""

import sys

from triclinium.research.pettingzoo import env

try:
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper
    from torchrl.envs.utils import check_env_specs
except ImportError:
    sys.exit("torchrl is missing; pip install torchrl")


def main(steps: int) -> tuple[int, int]:
    """Steps that were made, and the bytes of an observation."""
    table = PettingZooWrapper(env("portals", seats=2), use_mask=True, seed=1)
    check_env_specs(table)
    played = table.rollout(steps)
    return int(played.shape[0]), int(played["seat_0", "observation", "observation"].shape[-1])


if __name__ == "__main__":
    sys.stdout.write(f"{main(int(sys.argv[1]))}\n")
