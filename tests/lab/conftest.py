"""Fixtures for tests of the lab."""

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture
def default_sigint_handler() -> Iterator[None]:
    """Restore the handler for SIGINT, which tests in the background and their commands would ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
