"""The server's time: what the wall clock said when the process began, and how long it has run since.

Whatever decides (who has been away too long, which link is too old) and whatever is stored asks here. So a wall clock
that is set right, or jumps, while the server is open moves nobody from a seat. A machine that slept has kept nobody
waiting either: where its steady clock rests meanwhile, the time of the sleep does not count.
"""

import time

_WALL = time.time()
_STEADY = time.monotonic()


def now() -> float:
    """Seconds since 1970, as the server counts them."""
    return _WALL + time.monotonic() - _STEADY
