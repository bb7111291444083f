"""What tests of the lab share."""

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture
def default_sigint_handler() -> Iterator[None]:
    """Tests that were started in the background ignore it, and so would the commands that they start."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
