"""One seed gives many: every match and every bot has its own, whoever plays them and in whatever order."""

import hashlib

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import SEED_LIMIT


def derive_seed(seed: int, *path: int) -> int:
    """The seed that a base seed gives to a place: ``derive(7, match, seat)``. The same for ever."""
    if not 0 <= seed < SEED_LIMIT:
        raise BadSetup(f"a seed is a whole number from 0 to {SEED_LIMIT - 1}, not {seed}")
    text = "/".join(str(part) for part in (seed, *path))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % SEED_LIMIT
