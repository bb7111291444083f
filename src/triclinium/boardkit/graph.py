"""Ways over the lines of a map."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

Lines: TypeAlias = Sequence[tuple[int, int]]  # as a `Layout` has them: either way


def shortest(lines: Lines, a: int, b: int) -> list[int]:
    """The places of a shortest way, both ends included; of several the one whose places come first by number.

    Empty, if there is no way.
    """
    came = came_from(tuple(lines), a)
    if b not in came:
        return []
    way = [b]
    while way[-1] != a:
        way.append(came[way[-1]])
    return way[::-1]


@lru_cache(1_000)
def came_from(lines: tuple[tuple[int, int], ...], a: int) -> Mapping[int, int]:
    """Of each place that can be reached from ``a``, the nearest first, the one before it on a shortest way."""
    near = neighbours(lines)
    came = {a: a}
    edge = [a]
    while edge:
        following: list[int] = []
        for here in edge:
            for there in near.get(here, ()):
                if there not in came:
                    came[there] = here
                    following.append(there)
        edge = following
    return came


@lru_cache(100)
def neighbours(lines: tuple[tuple[int, int], ...]) -> Mapping[int, list[int]]:
    """Of each place that lies on a line, in their order."""
    found: dict[int, set[int]] = {}
    for a, b in lines:
        found.setdefault(a, set()).add(b)
        found.setdefault(b, set()).add(a)
    return {place: sorted(others) for place, others in found.items()}
