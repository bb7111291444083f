"""Tests of ways over the lines of a map."""

from triclinium.boardkit.graph import find_shortest_path

LINES = [(0, 1), (1, 2), (2, 3), (0, 4), (4, 3), (5, 6)]


def test_the_path_is_shortest_and_includes_both_ends() -> None:
    assert find_shortest_path(LINES, 0, 3) == [0, 4, 3]
    assert find_shortest_path(LINES, 3, 0) == [3, 4, 0]
    assert find_shortest_path(LINES, 2, 4) == [2, 3, 4]


def test_ties_between_paths_go_to_the_lowest_number() -> None:
    assert find_shortest_path([(0, 1), (0, 2), (1, 3), (2, 3)], 0, 3) == [0, 1, 3]


def test_without_a_path_the_list_is_empty() -> None:
    assert find_shortest_path(LINES, 0, 6) == []
    assert find_shortest_path(LINES, 0, 9) == []


def test_a_path_to_the_own_place_is_that_place() -> None:
    assert find_shortest_path(LINES, 2, 2) == [2]
