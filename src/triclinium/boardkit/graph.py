"""Shortest paths along the lines of a map."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

# pairs of places that a line connects in both directions, as in a `Layout`
Lines: TypeAlias = Sequence[tuple[int, int]]


def find_shortest_path(lines: Lines, a: int, b: int) -> list[int]:
    """Return the places of a shortest path, including both ends, or an empty list if there is no path.

    If there are several shortest paths, return the one whose places have the lowest numbers.
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
    """Return for each place the one before it on a shortest path from ``a``; the nearest places come first."""
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
    """Return the neighbours of each place on a line, in their order."""
    neighbour_sets: dict[int, set[int]] = {}
    for a, b in lines:
        neighbour_sets.setdefault(a, set()).add(b)
        neighbour_sets.setdefault(b, set()).add(a)
    return {place: sorted(others) for place, others in neighbour_sets.items()}
