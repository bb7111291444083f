"""Fast loops over whole matches: random play and perft."""

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, State


def rollout(s: State, rng: Rng, limit: int) -> int:
    """Play at most ``limit`` random decisions and return how many were made."""
    made = 0
    while made < limit and s.who != NOBODY:
        legal = s.legal
        s.choose(legal[rng.below(len(legal))])
        made += 1
    return made


def perft(s: State, depth: int) -> int:
    """Return the number of different lines of play of this depth. Lines that end earlier with the match count too."""
    if depth == 0 or s.who == NOBODY:
        return 1
    if depth == 1:
        return len(s.legal)
    lines = 0
    for o in s.legal:
        t = s.clone()
        t.choose(o)
        lines += perft(t, depth - 1)
    return lines
