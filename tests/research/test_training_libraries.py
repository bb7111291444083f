"""Tests of tables as environments of TorchRL and RLlib, with these libraries' wrappers for PettingZoo."""

from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pytest

from triclinium.research.pettingzoo import env

STEPS = 50
pytestmark = pytest.mark.slow


def skip_without(module: str, library: str) -> pytest.MarkDecorator:
    """Return a mark that skips a test where a library is not installed; one that is broken fails."""
    return pytest.mark.skipif(find_spec(module) is None, reason=f"{library} is not installed")


@skip_without("torchrl", "torchrl")
def test_torchrl_accepts_a_table() -> None:
    """TorchRL checks the environment and plays random steps with masked options."""
    wrapper = import_module("torchrl.envs.libs.pettingzoo").PettingZooWrapper
    utils = import_module("torchrl.envs.utils")
    source = env("portals", seats=2)
    table = wrapper(source, use_mask=True, seed=1)
    utils.check_env_specs(table)
    played = table.rollout(STEPS)
    assert played.shape[0] == STEPS
    source.reset(seed=1)
    observed = source.observe(source.agent_selection)["observation"]
    assert played["seat_0", "observation", "observation"].shape[-1] == observed.shape[0]


@skip_without("tree", "ray[rllib]")  # the package dm-tree; RLlib is part of the Ray package
def test_rllib_accepts_a_table() -> None:
    """RLlib asks one seat at a time, and plays random steps with masked options."""
    wrapper = import_module("ray.rllib.env.wrappers.pettingzoo_env").PettingZooEnv
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
