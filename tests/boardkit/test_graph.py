"""Tests of ways over the lines of a map."""

from triclinium.boardkit.graph import find_shortest_path

LINES = [(0, 1), (1, 2), (2, 3), (0, 4), (4, 3), (5, 6)]


def test_the_way_is_a_shortest_one_with_both_ends() -> None:
    assert find_shortest_path(LINES, 0, 3) == [0, 4, 3]
    assert find_shortest_path(LINES, 3, 0) == [3, 4, 0]
    assert find_shortest_path(LINES, 2, 4) == [2, 3, 4]


def test_of_several_the_first_by_number_is_taken() -> None:
    assert find_shortest_path([(0, 1), (0, 2), (1, 3), (2, 3)], 0, 3) == [0, 1, 3]


def test_where_there_is_no_way_there_are_no_places() -> None:
    assert find_shortest_path(LINES, 0, 6) == []
    assert find_shortest_path(LINES, 0, 9) == []


def test_who_stays_is_there() -> None:
    assert find_shortest_path(LINES, 2, 2) == [2]
