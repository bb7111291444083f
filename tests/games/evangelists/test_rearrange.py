"""Tests of Rearrange (AE-8)."""

import pytest

from tests.games.evangelists.table import describe_asked, gospel, levels, options, play, refused, table
from triclinium.engine.core.rule import NOT_ASKED
from triclinium.games.evangelists.rules.refusals import (
    AT_LEAST_ONE,
    EMPTY_LEAF,
    NOTHING_TO_ARRANGE,
    SAME_POSITION,
    WEAK_IS_ONE,
)
from triclinium.games.evangelists.rules.state import Evangelists


def set_up_gospels(*gospels: list[int], octagons: int = 3, tokens: tuple[int, int] = (0, 0)) -> Evangelists:
    """Return a table of two with these gospels."""
    return table(seats=2, pawns=["corinth", "rome"], gospels=dict(enumerate(gospels)), octagons=octagons, tokens=tokens)


@pytest.mark.parametrize(
    ("leaf", "position", "row"),
    [
        (1, 2, [3, 4, 1, 2, 5, 6]),
        (1, 3, [3, 4, 5, 6, 1, 2]),
        (3, 1, [5, 6, 1, 2, 3, 4]),
        (2, 1, [3, 4, 1, 2, 5, 6]),
    ],
)
def test_a_leaf_moves_to_another_place(leaf: int, position: int, row: list[int]) -> None:
    """AE-8.1, AE-R36  A leaf moves to another position, and the others close up. Its two slots keep left and right."""
    s = set_up_gospels([1, 2, 3, 4, 5, 6])
    play(s, "rearrange weak", f"leaf {leaf}", f"position {position}")
    assert gospel(s, 0) == row
    assert describe_asked(s) == "0 ChooseAction"


def test_a_leaf_is_flipped() -> None:
    """AE-8.1  Flipping a leaf swaps its two slots."""
    s = set_up_gospels([1, 2, 3, 4, 5, 6])
    play(s, "rearrange weak", "leaf 2", "flip")
    assert gospel(s, 0) == [1, 2, 4, 3, 5, 6]
    assert s.octagons == 2


def test_a_leaf_does_not_stay() -> None:
    """AE-8.1  A leaf cannot be moved to its own position."""
    s = set_up_gospels([1, 2, 3, 4, 5, 6])
    play(s, "rearrange weak", "leaf 2")
    assert options(s) == ["flip", "position 1", "position 3"]
    refused(s, "position 2", SAME_POSITION)


def test_a_weak_rearrange_is_one_step() -> None:
    """AE-8.1, AE-R36  A weak Rearrange is exactly one step."""
    s = set_up_gospels([1, 2, 3, 4, 5, 6])
    play(s, "rearrange weak")
    refused(s, "done", WEAK_IS_ONE)
    play(s, "leaf 1", "flip")
    refused(s, "leaf 1", NOT_ASKED)


def test_a_strong_rearrange_has_any_number_of_steps() -> None:
    """AE-8.2, AE-R36  A strong Rearrange has at least one step and ends on request."""
    s = set_up_gospels([1, 2, 3, 4, 5, 6])
    play(s, "rearrange strong")
    refused(s, "done", AT_LEAST_ONE)
    play(s, "leaf 1", "flip", "leaf 1", "position 3", "leaf 2", "flip", "done")
    assert gospel(s, 0) == [3, 4, 6, 5, 2, 1]
    assert s.octagons == 1
    assert describe_asked(s) == "0 ChooseAction"


def test_a_strong_rearrange_ends_after_ten_steps() -> None:
    """AE-R36, AE-R38  A strong Rearrange ends after ten steps, so that a player cannot continue endlessly."""
    s = set_up_gospels([1, 2, 3, 4, 5, 6])
    play(s, "rearrange strong")
    for _ in range(9):
        play(s, "leaf 1", "flip")
        assert describe_asked(s) == "0 ChooseLeaf"
    play(s, "leaf 1", "flip")
    assert describe_asked(s) == "0 ChooseAction"


def test_a_follower_rearranges_once() -> None:
    """AE-8.3, AE-R12  A follower makes one step: for a token if the action was weak, for free if it was strong."""
    s = set_up_gospels([1, 2, 0, 0, 0, 0], [3, 4, 5, 6, 0, 0], tokens=(0, 1))
    t = s.clone()
    play(s, "rearrange weak", "leaf 1", "flip", "follow")
    assert describe_asked(s) == "1 ChooseLeaf"
    refused(s, "done", WEAK_IS_ONE)
    play(s, "leaf 1", "position 2")
    assert gospel(s, 1) == [5, 6, 3, 4, 0, 0]
    assert (describe_asked(s), s.tokens) == ("0 ChooseAction", [1, 0])
    play(t, "rearrange strong", "leaf 1", "flip", "done", "follow", "leaf 2", "flip")
    assert gospel(t, 1) == [3, 4, 6, 5, 0, 0]
    assert (describe_asked(t), t.tokens) == ("0 ChooseAction", [0, 1])


def test_cards_stay_on_their_leaves() -> None:
    """AE-8.4  After any number of steps each leaf holds the same cards, and none is lost."""
    s = set_up_gospels([1, 2, 3, 4, 5, 0])
    play(
        s,
        "rearrange strong",
        "leaf 3",
        "flip",
        "leaf 3",
        "position 1",
        "leaf 2",
        "flip",
        "leaf 3",
        "position 1",
        "done",
    )
    row = gospel(s, 0)
    assert {frozenset(row[i : i + 2]) for i in (0, 2, 4)} == {frozenset({1, 2}), frozenset({3, 4}), frozenset({0, 5})}


def test_tracks_are_adjusted_after_each_step() -> None:
    """AE-8.5, AE-9.7, AE-R24  The tracks rise and fall after each step."""
    s = set_up_gospels([1, 2, 3, 4, 5, 6])
    assert levels(s, 0)[3] == 6
    play(s, "rearrange strong", "leaf 1", "flip")
    assert levels(s, 0)[3] == 5
    play(s, "leaf 1", "flip", "leaf 1", "position 3", "done")
    assert levels(s, 0)[3] == 4


def test_an_empty_gospel_is_not_rearranged() -> None:
    """AE-R12  Rearrange needs a card."""
    s = set_up_gospels([0] * 6)
    refused(s, "rearrange weak", NOTHING_TO_ARRANGE)
    refused(s, "rearrange strong", NOTHING_TO_ARRANGE)


def test_an_empty_leaf_moves_but_does_not_flip() -> None:
    """AE-R36  A leaf without cards can be moved but not flipped. A leaf with one card can do both."""
    s = set_up_gospels([0, 0, 7, 0, 0, 0])
    play(s, "rearrange strong", "leaf 1")
    refused(s, "flip", EMPTY_LEAF)
    assert options(s) == ["position 2", "position 3"]
    play(s, "position 3")
    assert gospel(s, 0) == [7, 0, 0, 0, 0, 0]
    play(s, "leaf 1", "flip", "done")
    assert gospel(s, 0) == [0, 7, 0, 0, 0, 0]
