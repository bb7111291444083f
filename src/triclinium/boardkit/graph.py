"""Ways over the lines of a map."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

Lines: TypeAlias = Sequence[tuple[int, int]]  # as a `Layout` has them: either way


def find_shortest_path(lines: Lines, a: int, b: int) -> list[int]:
    """The places of a shortest way, both ends included; of several the one whose places come first by number.

    Empty, if there is no way.
    """
    previous = build_shortest_path_tree(tuple(lines), a)
    if b not in previous:
        return []
    path = [b]
    while path[-1] != a:
        path.append(previous[path[-1]])
    return path[::-1]


@lru_cache(1_000)
def build_shortest_path_tree(lines: tuple[tuple[int, int], ...], a: int) -> Mapping[int, int]:
    """Of each place that can be reached from ``a``, the nearest first, the one before it on a shortest way."""
    near = map_neighbours(lines)
    previous = {a: a}
    edge = [a]
    while edge:
        following: list[int] = []
        for here in edge:
            for there in near.get(here, ()):
                if there not in previous:
                    previous[there] = here
                    following.append(there)
        edge = following
    return previous


@lru_cache(100)
def map_neighbours(lines: tuple[tuple[int, int], ...]) -> Mapping[int, list[int]]:
    """Of each place that lies on a line, in their order."""
    neighbour_sets: dict[int, set[int]] = {}
    for a, b in lines:
        neighbour_sets.setdefault(a, set()).add(b)
        neighbour_sets.setdefault(b, set()).add(a)
    return {place: sorted(others) for place, others in neighbour_sets.items()}
