"""Rows that clones share: they are replaced, never changed, so that a clone need not copy them.

A row that seldom changes is worth it; one that changes in every decision is cheaper as a list of its own. Lists of
options are never changed either, so that all matches can share those that are often alike.
"""

from typing import TypeVar

T = TypeVar("T")


def replace_item(row: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """The row with another item in one place."""
    return row[:place] + (item,) + row[place + 1 :]


def copy_with_item(items: list[T], place: int, item: T) -> list[T]:
    """A copy of the list in which one item is another; clones still have the list as it was."""
    copied = items[:]
    copied[place] = item
    return copied


def options_by_mask(options: list[int], always: list[int]) -> list[list[int]]:
    """Every list of options that a bitmask can choose, by that mask: bit 0 is the first; and those that always are."""
    return [[options[i] for i in range(len(options)) if (mask >> i) & 1] + always for mask in range(1 << len(options))]
