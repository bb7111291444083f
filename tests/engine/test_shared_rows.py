"""Tests of rows that clones and matches share."""

from triclinium.engine.core.shared_rows import copy_with_item, options_by_mask, replace_item


def test_shared_rows_are_never_changed() -> None:
    row, items = (4, 5, 6), [4, 5, 6]
    assert [replace_item(row, place, 9) for place in range(3)] == [(9, 5, 6), (4, 9, 6), (4, 5, 9)]
    assert [copy_with_item(items, place, 9) for place in range(3)] == [[9, 5, 6], [4, 9, 6], [4, 5, 9]]
    assert (row, items) == ((4, 5, 6), [4, 5, 6])


def test_shared_tuples_are_found_by_their_mask() -> None:
    assert options_by_mask([7, 8], [9]) == [[9], [7, 9], [8, 9], [7, 8, 9]]
    assert options_by_mask([7], []) == [[], [7]]
