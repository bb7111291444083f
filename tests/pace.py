"""Times by the clock, which hold on a machine that does nothing else: `make soak` insists, other runs are patient.

And whose turn it is: what is too dear for every day is tried one part a day, and whole in the soak.
"""

import os
from collections.abc import Sequence
from datetime import date
from typing import TypeVar

T = TypeVar("T")

QUIET = "TRICLINIUM_SOAK" in os.environ
PATIENCE = 1.0 if QUIET else 20.0


def in_time(took: float, bar: float) -> None:
    """What took so many seconds was to take less than the bar."""
    assert took < bar * PATIENCE, f"{took:.2f} s instead of {bar * PATIENCE:.2f}"


def of_today(parts: Sequence[T]) -> T:
    """The part whose turn it is: each comes once in as many days as there are parts."""
    return parts[date.today().toordinal() % len(parts)]


def rounds(days: int) -> int:
    """How often so many days have gone by: what takes turns within them goes on otherwise in the next."""
    return date.today().toordinal() // days
