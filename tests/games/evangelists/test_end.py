"""Tests of the end of a round and of the match (AE-10)."""

import pytest

from tests.games.evangelists.table import alive, dead, describe_asked, gospel, options, play, table
from triclinium.engine.core.rule import MATCH_OVER
from triclinium.games.evangelists import GAME


def test_the_round_ends_in_order() -> None:
    """AE-10.1, AE-10.2  The marker moves, white cubes return to the bag, and one is removed. Black cubes stay."""
    s = table(
        seats=2,
        pawns=["antioch", "antioch"],
        alive=["peter", "john"],
        dead=["joanna"],
        bag=(4, 2),
        supply=6,
        tokens=[0, 0],
    )
    play(s, "end", "end")
    assert s.marker == 1
    assert (alive(s), dead(s)) == (set(), {"joanna"})
    assert (s.bag_white, s.bag_black, s.supply) == (5, 2, 6)
    assert describe_asked(s) == "0 ChooseAction"


def test_the_last_white_cube_may_come_from_a_disc() -> None:
    """AE-10.1  First the white cubes of the discs return to the bag, then one of them is removed."""
    s = table(seats=2, pawns=["antioch", "antioch"], alive=["peter"], bag=(0, 2))
    play(s, "end", "end")
    assert (s.bag_white, s.bag_black) == (0, 2)


def test_no_white_cube_leaves_a_bag_without_one() -> None:
    """AE-R19  If the bag has no white cube, none is removed."""
    s = table(seats=2, pawns=["antioch", "antioch"], bag=(0, 2))
    play(s, "end", "end")
    assert (s.bag_white, s.bag_black) == (0, 2)


def test_white_cubes_by_round() -> None:
    """AE-R19  The rounds start with 6, 5, 4, 3, 2 and 1 white cubes."""
    s = table(seats=2, pawns=["antioch", "antioch"])
    white: list[int] = []
    while not s.over:
        white.append(s.bag_white)
        play(s, "end", "end")
    assert white == [6, 5, 4, 3, 2, 1]


@pytest.mark.parametrize(("seats", "after"), [(2, [2, 4]), (3, [2, 4]), (4, [2, 4]), (5, [1, 3])])
def test_leaves_arrive(seats: int, after: list[int]) -> None:
    """AE-R2, AE-R35  Leaves arrive after rounds 2 and 4, or with five players after 1 and 3.

    Each gospel ends with five leaves.
    """
    s = table(seats=seats, pawns=["antioch"] * seats)
    arrived: list[int] = []
    number = 0
    while not s.over:
        number += 1
        before = len(gospel(s, 0))
        for _ in range(seats):
            play(s, "end")
        if len(gospel(s, 0)) > before:
            arrived.append(number)
    assert arrived == after
    assert [len(gospel(s, seat)) for seat in range(seats)] == [10] * seats


def test_a_leaf_goes_left_or_right() -> None:
    """AE-10.1, AE-R35  Clockwise from the stenographer, each player adds the new leaf at either end."""
    s = table(
        seats=3,
        round_=2,
        pawns=["antioch"] * 3,
        gospels={0: [1, 2, 0, 0, 0, 0], 1: [3, 0, 0, 0, 0, 0], 2: [4, 0, 0, 0, 0, 0]},
    )
    play(s, "end", "end", "end")
    assert describe_asked(s) == "0 AddLeaf"
    assert options(s) == ["left", "right"]
    play(s, "left")
    assert describe_asked(s) == "1 AddLeaf"
    play(s, "right", "left")
    assert gospel(s, 0) == [0, 0, 1, 2, 0, 0, 0, 0]
    assert gospel(s, 1) == [3, 0, 0, 0, 0, 0, 0, 0]
    assert describe_asked(s) == "0 ChooseAction"


def test_an_empty_gospel_takes_its_leaf_without_a_question() -> None:
    """AE-10.1  A gospel without cards gets its leaf on the right without a question, because both ends are alike."""
    s = table(seats=2, round_=2, pawns=["antioch", "antioch"], gospels={0: [1, 0, 0, 0, 0, 0]})
    play(s, "end", "end", "left")
    assert describe_asked(s) == "0 ChooseAction"
    assert gospel(s, 1) == [0] * 8


def test_the_match_ends_at_game_end() -> None:
    """AE-10.3, AE-R35  The match is scored without another leaf, and nothing is left to choose."""
    s = table(seats=2, round_=6, pawns=["antioch", "antioch"], gospels={0: [1, 2, 3, 0, 0, 0]})
    play(s, "end", "end")
    assert s.over
    assert s.marker == GAME.components.track_end
    assert len(gospel(s, 0)) == 6
    assert s.options() == []
    assert s.refusal(GAME.read("end")) is MATCH_OVER
    assert [score.rank for score in GAME.scores(s)] == [1, 2]


def test_otherwise_a_new_round_starts() -> None:
    """AE-10.3  A new round starts with the stenographer."""
    s = table(seats=3, round_=5, pawns=["antioch"] * 3)
    play(s, "end", "end", "end")
    assert describe_asked(s) == "0 ChooseAction"
    assert s.get_round() == 6
