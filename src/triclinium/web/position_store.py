"""Compact storage of the drawn positions of a match. Each piece of HTML is stored once."""

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable
from itertools import islice
from operator import itemgetter

TAG_START = re.compile(r"(?=<)")
MAX_STARTS = 4  # starting points on each side that are tried for a copy
MIN_COPY = 3  # in pieces; a shorter copy takes more space than the numbers of its pieces


class PositionStore:
    """The positions of a match. `static/match_file.js` restores them."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._last: list[int] = []
        self._positions: list[list[int]] = []

    def __len__(self) -> int:
        return len(self._positions)

    def add(self, html: str) -> None:
        """Add the next position."""
        numbers = self._numbers
        pieces = [numbers.setdefault(piece, len(numbers)) for piece in TAG_START.split(html)]
        self._positions.append(compute_difference(self._last, pieces))
        self._last = pieces

    def dump(self, change: Callable[[str], str]) -> dict[str, object]:
        """Return the pieces, each changed by a function, and the positions."""
        return {"pieces": [change(piece) for piece in self._numbers], "positions": self._positions}


def compute_difference(before: list[int], now: list[int]) -> list[int]:
    """Return a list as new numbers and copies from the list before: ``-1 - n`` for the start n, then the length."""
    places: dict[int, list[int]] = defaultdict(list)
    for n, number in enumerate(before):
        places[number].append(n)
    difference: list[int] = []
    i = expected = 0  # index of the next number, and its expected index in the list before
    while i < len(now):
        start, length = _find_copy(before, now, i, expected, places)
        if length >= MIN_COPY:
            difference += (-1 - start, length)
            i, expected = i + length, start + length
        else:
            difference.append(now[i])
            i, expected = i + 1, expected + 1
    return difference


def _find_copy(
    before: list[int], now: list[int], i: int, expected: int, places: dict[int, list[int]]
) -> tuple[int, int]:
    """Return the start and the length of the longest nearby copy of the numbers from ``i`` in the list before."""
    if before[expected : expected + MIN_COPY] == now[i : i + MIN_COPY]:
        return expected, _count_equal(before, now, expected, i)
    starts = places.get(now[i], [])
    nearest = bisect(starts, expected)
    nearby = starts[max(0, nearest - MAX_STARTS) : nearest + MAX_STARTS]
    return max(((start, _count_equal(before, now, start, i)) for start in nearby), key=itemgetter(1), default=(0, 0))


def _count_equal(before: list[int], now: list[int], start: int, i: int) -> int:
    """Return how many numbers from ``i`` equal those from ``start`` in the list before."""
    pairs = zip(islice(before, start, None), islice(now, i, None), strict=False)
    return next((n for n, (old, new) in enumerate(pairs) if old != new), min(len(before) - start, len(now) - i))
