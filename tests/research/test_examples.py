"""Tests that the programs of examples/ run and reach their documented results as far as seconds allow."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pettingzoo() -> None:
    rewards = load("pettingzoo_random").main()
    assert len(rewards) == 3
    assert sum(rewards.values()) == pytest.approx(0, abs=0.01)


def test_gymnasium() -> None:
    assert -0.5 <= load("gymnasium_random").main(1) <= 0.5


def test_exploiting() -> None:
    share, low, high = load("exploit").main("random", 0, trials=1)
    assert 0 <= low <= share <= high <= 1


def test_ranking_options() -> None:
    """Two short iterations from zero beat random bots, and are the same every time. All four policies play."""
    ranking = load("rank_options")
    weights: list[float] = [0.0] * len(ranking.GAME.weights.values)
    tried: list[Any] = []
    for n in range(2):
        gathered = ranking.gather(weights, n, 30)
        tried, weights = ranking.improve(gathered, tried)
    assert len(tried) == 60
    first, again = (ranking.gather([0.0] * len(weights), 0, 3) for _ in range(2))
    assert [one.leads.tolist() for one in first] == [one.leads.tolist() for one in again]
    for one in tried[:10]:
        assert len(one.options) == len(one.leads) == len(one.features["after"]) == len(one.observations["after"])
    policy = ranking.LinearPolicy("features", "after")
    policy.fit(tried)
    assert ranking.measure(policy, "random", 10) >= 0.6
    sharpened = ranking.sharpen(weights, tried, 0)
    assert sharpened == weights
    won, led = ranking.play_proposals(np.array([weights, weights]), 1, 5)
    assert set(won) <= {0.0, 0.5, 1.0}
    assert all(-1 <= lead <= 1 for lead in led)
    shares = ranking.compare(tried[:20], matches=1)
    assert len(shares) == 8
    assert all(0 <= share <= 1 for share in shares.values())


def test_openspiel() -> None:
    value, left = load("openspiel_kuhn").main(8)
    assert value == pytest.approx(-1 / 18, abs=0.02)
    assert left < 0.05
