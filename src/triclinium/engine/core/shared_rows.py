"""Tuples and lists that clones share. They are replaced and never changed, so a clone need not copy them.

Sharing pays for rows that seldom change. A row that changes with every decision is cheaper as a separate list. Lists of
options are never changed either, so all matches can share them.
"""

from typing import TypeVar

T = TypeVar("T")


def replace_item(row: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """Return the row with the item at one index replaced."""
    return row[:place] + (item,) + row[place + 1 :]


def copy_with_item(items: list[T], place: int, item: T) -> list[T]:
    """Return a copy of the list with the item at one index replaced. Clones keep the original list."""
    copied = items[:]
    copied[place] = item
    return copied


def options_by_mask(options: list[int], always: list[int]) -> list[list[int]]:
    """Return, for every bitmask, the options that it selects followed by ``always``. Bit 0 is the first option."""
    return [[options[i] for i in range(len(options)) if (mask >> i) & 1] + always for mask in range(1 << len(options))]
