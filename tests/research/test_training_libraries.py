"""Tables as environments of TorchRL and RLlib, by these libraries' own wrappers of PettingZoo environments."""

from typing import Any

import numpy as np
import pytest

from triclinium.research.pettingzoo import env

STEPS = 50
pytestmark = pytest.mark.slow


def imported(module: str, library: str) -> Any:
    """Return a module of a library, or skip the test where the library is not installed."""
    return pytest.importorskip(module, reason=f"{library} is not installed")


def test_torchrl_accepts_a_table() -> None:
    """It checks the environment, and plays random steps with masked options."""
    wrapper = imported("torchrl.envs.libs.pettingzoo", "torchrl").PettingZooWrapper
    utils = imported("torchrl.envs.utils", "torchrl")
    source = env("portals", seats=2)
    table = wrapper(source, use_mask=True, seed=1)
    utils.check_env_specs(table)
    played = table.rollout(STEPS)
    assert played.shape[0] == STEPS
    source.reset(seed=1)
    observed = source.observe(source.agent_selection)["observation"]
    assert played["seat_0", "observation", "observation"].shape[-1] == observed.shape[0]


def test_rllib_accepts_a_table() -> None:
    """It asks one seat at a time, and plays random steps with masked options."""
    wrapper = imported("ray.rllib.env.wrappers.pettingzoo_env", "ray[rllib]").PettingZooEnv
    table, rng = wrapper(env("testoftime", seats=3)), np.random.default_rng(1)
    seen, _ = table.reset(seed=1)
    for _step in range(STEPS):
        ((agent, observed),) = seen.items()
        option = int(rng.choice(np.flatnonzero(observed["action_mask"])))
        seen, rewards, ended, _, _ = table.step({agent: option})
        assert set(seen) <= set(table.get_agent_ids())
        assert set(rewards) == set(seen)
        if ended["__all__"]:
            seen, _ = table.reset()
