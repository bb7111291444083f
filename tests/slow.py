"""Marks for slow tests: `make test` skips them and `make test-all` runs them.

A test that is useful in two sizes is parametrized: ``@pytest.mark.parametrize("matches", [2, slow(50)])``.
"""

from typing import Any

import pytest


def slow(*values: Any, id: str | None = None) -> Any:
    """Return a parameter set that is marked as slow."""
    return pytest.param(*values, marks=pytest.mark.slow, id=id)


def mark_slow_except(values: list[str], *fast: str) -> list[Any]:
    """Return all values as parameters, where those that are not named as fast are marked as slow."""
    return [value if value in fast else slow(value) for value in values]
