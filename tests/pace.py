"""Times by the clock. They hold on a machine that does nothing else: `make soak` insists, other runs are patient."""

import os

QUIET = "TRICLINIUM_SOAK" in os.environ
PATIENCE = 1.0 if QUIET else 20.0


def in_time(took: float, bar: float) -> None:
    """What took so many seconds was to take less than the bar."""
    assert took < bar * PATIENCE, f"{took:.2f} s instead of {bar * PATIENCE:.2f}"
