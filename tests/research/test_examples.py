"""Tests that the programs of examples/ run and reach their documented results as far as seconds allow."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

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


def test_ppo_names_the_missing_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """With torch installed it runs in `make bench-research`."""
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SystemExit, match=r"^torch is missing; pip install "):
        load("ppo")


def test_openspiel() -> None:
    value, left = load("openspiel_kuhn").main(8)
    assert value == pytest.approx(-1 / 18, abs=0.02)
    assert left < 0.05
