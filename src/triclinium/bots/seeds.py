"""Derived seeds: every match and every bot gets its own seed, independent of the order of computation."""

import hashlib

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import SEED_LIMIT


def derive_seed(seed: int, *path: int) -> int:
    """Return the seed for a path, for example ``derive_seed(7, match, seat)``. It never changes."""
    if not 0 <= seed < SEED_LIMIT:
        raise BadSetup(f"a seed is a whole number from 0 to {SEED_LIMIT - 1}, not {seed}")
    text = "/".join(str(part) for part in (seed, *path))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % SEED_LIMIT
