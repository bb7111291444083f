"""Rows that clones and matches share."""

from triclinium.engine.core.shared_rows import changed, every_choice, replaced


def test_what_is_shared_stays_as_it_was() -> None:
    row, items = (4, 5, 6), [4, 5, 6]
    assert [replaced(row, place, 9) for place in range(3)] == [(9, 5, 6), (4, 9, 6), (4, 5, 9)]
    assert [changed(items, place, 9) for place in range(3)] == [[9, 5, 6], [4, 9, 6], [4, 5, 9]]
    assert (row, items) == ((4, 5, 6), [4, 5, 6])


def test_every_choice_is_found_by_its_mask() -> None:
    assert every_choice([7, 8], [9]) == [[9], [7, 9], [8, 9], [7, 8, 9]]
    assert every_choice([7], []) == [[], [7]]
