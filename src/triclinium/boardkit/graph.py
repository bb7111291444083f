"""Ways over the lines of a map."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

Lines: TypeAlias = Sequence[tuple[int, int]]  # as a `Layout` has them: either way


def shortest(lines: Lines, a: int, b: int) -> list[int]:
    """The places of a shortest way, both ends included; of several the one whose places come first by number.

    Empty, if there is no way.
    """
    near = neighbours(tuple(lines))
    came: dict[int, int] = {a: a}
    edge = [a]
    while edge and b not in came:
        following: list[int] = []
        for here in edge:
            for there in near.get(here, ()):
                if there not in came:
                    came[there] = here
                    following.append(there)
        edge = following
    return _back(came, a, b) if b in came else []


def _back(came: dict[int, int], a: int, b: int) -> list[int]:
    way = [b]
    while way[-1] != a:
        way.append(came[way[-1]])
    return way[::-1]


@lru_cache(100)
def neighbours(lines: tuple[tuple[int, int], ...]) -> dict[int, list[int]]:
    """Of each place that lies on a line, in their order."""
    found: dict[int, set[int]] = {}
    for a, b in lines:
        found.setdefault(a, set()).add(b)
        found.setdefault(b, set()).add(a)
    return {place: sorted(others) for place, others in found.items()}
