"""The budget of the tests: who spends more is named."""

import subprocess
import sys
import tomllib

import pytest

from tests.budget import BUDGETS, HERE, REFUSED, Meter, overspent, spent

MOST = 683  # seconds, of all budgets together


def test_a_folder_that_spends_more_is_named_with_its_slowest_tests() -> None:
    cost = {"tests/web/test_a.py::one": 3.0, "tests/web/test_a.py::two": 8.0, "tests/test_b.py::three": 4.0}
    budgets = {"tests": 5.0, "tests/web": 10.0}
    assert overspent(cost, budgets, 1.0) == [
        "tests/web spent 11 processor seconds and may spend 10 (tests/budget.toml); "
        "its slowest tests: tests/web/test_a.py::two (8.0), tests/web/test_a.py::one (3.0)"
    ]
    assert overspent(cost, budgets, 1.2) == []  # on a slow machine
    assert overspent(cost, budgets, 1.0, REFUSED) == []  # named, not refused
    assert overspent({"tests/web/test_a.py::two": 21.0}, budgets, 1.0, REFUSED) != []


def test_what_a_child_spends_counts() -> None:
    before = spent()
    subprocess.run([sys.executable, "-c", "import time\nwhile time.process_time() < 0.3: pass"], check=True)
    assert spent() - before > 0.25


def test_what_children_spend_is_laid_to_the_last_test_of_a_file(pytestconfig: pytest.Config) -> None:
    meter = Meter(pytestconfig)
    busy = "import time\nwhile time.process_time() < 0.3: pass"
    meter.looks = False
    meter.since()
    subprocess.run([sys.executable, "-c", busy], check=True)
    assert meter.since() < 0.2
    meter.looks = True
    assert meter.since() > 0.25
    assert meter.since() < 0.2


def test_all_budgets_together_grow_no_more() -> None:
    """Six minutes on two cores are 720 seconds, waiting apart: whoever saves lowers MOST."""
    seconds = tomllib.loads(BUDGETS.read_text(encoding="utf-8"))["seconds"]
    assert sum(seconds.values()) <= MOST
    assert [path for path in seconds if not (HERE.parent / path).exists()] == []
