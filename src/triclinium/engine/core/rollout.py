"""Loops over whole matches that must be fast: random play and perft."""

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, State


def rollout(s: State, rng: Rng, limit: int) -> int:
    """Play at random, at most so many decisions, and say how many were made."""
    made = 0
    while made < limit and s.who != NOBODY:
        legal = s.legal
        s.choose(legal[rng.below(len(legal))])
        made += 1
    return made


def perft(s: State, depth: int) -> int:
    """How many different lines of play of so many decisions start here (shorter ones, if the match ends)."""
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
