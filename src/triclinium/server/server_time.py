"""Server time: the wall clock at the start of the process plus the time that the process has run.

Every decision about time and every stored time uses this clock. So a change of the wall clock while the server runs
removes no player for absence. On systems whose monotonic clock stops while the machine sleeps, the sleep does not count
as waiting.
"""

import time

_WALL = time.time()
_STEADY = time.monotonic()


def now() -> float:
    """Return the server time in seconds since 1970."""
    return _WALL + time.monotonic() - _STEADY
