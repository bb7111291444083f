"""Tests of following (AE-3)."""

import pytest

from tests.games.evangelists.table import (
    describe_asked,
    find_pawn,
    levels,
    list_interviewed_witnesses,
    options,
    play,
    refused,
    table,
)
from triclinium.engine.core.rule import NOT_ASKED
from triclinium.engine.core.state import MATCH, ROUND, TURN


def test_each_opponent_may_follow_once() -> None:
    """AE-3.1, AE-3.4, AE-R10  Each opponent is asked once, clockwise, even with tokens left for more."""
    s = table(seats=3, pawns=["rome", "corinth", "antioch"], tokens=[0, 3, 3])
    play(s, "travel weak", "to corinth")
    assert describe_asked(s) == "1 FollowTravel"
    play(s, "to athens")
    assert describe_asked(s) == "2 FollowTravel"
    play(s, "to attalia")
    assert describe_asked(s) == "0 ChooseAction"
    assert s.tokens == [2, 2, 2]


def test_a_weak_action_costs_a_token() -> None:
    """AE-3.2  The token goes to the active player. A player who declines pays nothing."""
    s = table(seats=3, pawns=["rome", "corinth", "antioch"], tokens=[0, 1, 2])
    play(s, "travel weak", "to corinth", "to athens", "decline")
    assert s.tokens == [1, 0, 2]
    assert (find_pawn(s, 1), find_pawn(s, 2)) == ("athens", "antioch")


def test_a_strong_action_is_free() -> None:
    """AE-3.3  An opponent without a token may follow a strong action too."""
    s = table(seats=3, pawns=["rome", "corinth", "antioch"], tokens=[0, 0, 2])
    play(s, "travel strong", "to cyrene")
    assert describe_asked(s) == "1 FollowTravel"
    play(s, "to athens", "to salamis")
    assert s.tokens == [0, 0, 2]


def test_players_who_cannot_pay_are_not_asked() -> None:
    """AE-R12, AE-R13  A player who cannot pay is not asked, so nobody goes into debt."""
    s = table(seats=3, pawns=["rome", "corinth", "antioch"], tokens=[0, 0, 2])
    play(s, "travel weak", "to corinth")
    assert describe_asked(s) == "2 FollowTravel"
    play(s, "decline")
    assert describe_asked(s) == "0 ChooseAction"


def test_no_second_token_for_the_same_action() -> None:
    """AE-3.4  After following, the same seat is not asked about this action again."""
    s = table(seats=2, pawns=["rome", "corinth"], tokens=[0, 2])
    play(s, "travel weak", "to corinth", "to athens")
    assert describe_asked(s) == "0 ChooseAction"
    refused(s, "to thessalonica", NOT_ASKED)
    assert s.tokens == [1, 1]


def test_following_has_the_effect_of_the_follow_text() -> None:
    """AE-3.5  A follower of a Travel moves one space, even if the active player travelled to any city."""
    s = table(seats=2, pawns=["rome", "corinth"])
    play(s, "travel strong", "to cyrene")
    assert options(s) == ["to ephesus", "to rhegium", "to athens", "to crete", "decline"]


def test_nobody_follows_a_boat() -> None:
    """AE-3.6  A boat ride is not an action, so nobody can follow it."""
    s = table(seats=2, pawns=["rome", "corinth"], tokens=[0, 2])
    play(s, "boat", "sail cyrene")
    assert describe_asked(s) == "0 ChooseAction"
    assert s.octagons == 3


def test_followers_decide_after_the_whole_action() -> None:
    """AE-R10  Followers are asked after the second card, the placing and the choice of the face-up card."""
    s = table(seats=2, pawns=["corinth", "rome"], tokens=[0, 2], boxes={"corinth": [5, 14, 22, 31]})
    play(s, "tradition", "keep 0")
    assert describe_asked(s) == "0 KeepSecond"
    play(s, "keep 1")
    assert describe_asked(s) == "0 PlaceKept"
    play(s, "slot 1", "slot 2")
    assert describe_asked(s) == "0 LeaveFaceUp"
    play(s, "face 2")
    assert describe_asked(s) == "1 FollowTradition"


def test_a_follow_that_does_nothing_is_not_offered() -> None:
    """AE-R12  A follow without any effect is not offered.

    Examples are an Interview without gain, a Rearrange without a card, and a Tradition that kept nothing.
    """
    s = table(
        seats=2,
        pawns=["corinth", "rome"],
        tokens=[0, 2],
        witnesses={"corinth": "peter"},
        gospels={0: [7, 0, 0, 0, 0, 0], 1: [2, 0, 0, 0, 0, 0]},
    )
    play(s, "interview", "weak")
    assert describe_asked(s) == "0 ChooseAction"
    play(s, "tradition", "none", "face 0")
    assert describe_asked(s) == "0 ChooseAction"
    t = table(seats=2, pawns=["corinth", "rome"], tokens=[0, 2], gospels={0: [7, 0, 0, 0, 0, 0]})
    play(t, "rearrange weak", "leaf 1", "flip")
    assert describe_asked(t) == "0 ChooseAction"


@pytest.mark.parametrize(
    ("texts", "automatic"),
    [
        (["travel weak", "to athens"], "Never follow a Travel"),
        (["tradition", "keep 0", "none", "slot 2", "face 1"], "Never copy a card that others keep"),
        (["interview", "weak"], "Never follow an Interview"),
        (["rearrange weak", "leaf 1", "flip"], "Never follow a Rearrange"),
    ],
)
def test_players_with_an_auto_reply_are_not_asked_to_follow(texts: list[str], automatic: str) -> None:
    """AE-3.1  An auto-reply declines each kind of follow for this turn, this round or the match."""
    s = table(
        seats=2,
        pawns=["corinth", "antioch"],
        tokens=[0, 1],
        witnesses={"corinth": "peter"},
        gospels={0: [1, 0, 0, 0, 0, 0], 1: [7, 0, 0, 0, 0, 0]},
    )
    play(s, *texts)
    step = s.asked
    assert (s.who, step.auto_reply_text, step.auto_reply_spans) == (1, automatic, (TURN, ROUND, MATCH))
    s.play(step.auto_reply_option(s))
    assert (describe_asked(s), s.tokens) == ("0 ChooseAction", [0, 1])


def test_following_does_not_use_up_the_own_turn() -> None:
    """AE-R13  A follower may travel, rearrange and interview again in their own turn."""
    s = table(
        seats=2,
        pawns=["corinth", "rhegium"],
        tokens=[0, 3],
        witnesses={"corinth": "peter"},
        gospels={0: [12, 0, 0, 0, 0, 0], 1: [7, 10, 0, 0, 0, 0]},
    )
    play(s, "interview", "weak", "follow", "rearrange weak", "leaf 1", "flip", "follow", "leaf 1", "flip")
    play(s, "travel weak", "to athens", "to rome")
    assert describe_asked(s) == "1 ChooseAction"
    assert (s.tokens, s.tally[1], list_interviewed_witnesses(s, 1)) == ([3, 0], 2, set())
    assert {"travel weak", "rearrange weak", "boat"} <= set(options(s))


def test_a_follow_is_not_followed() -> None:
    """AE-R13  The active player is not asked about a follower's move, even with tokens."""
    s = table(seats=2, pawns=["rome", "corinth"], tokens=[2, 2])
    play(s, "travel weak", "to corinth", "to athens")
    assert describe_asked(s) == "0 ChooseAction"


def test_tokens_received_can_be_spent_in_the_next_turn() -> None:
    """AE-R13  The stenographer starts without a token and follows with one received."""
    s = table(seats=2, pawns=["rome", "corinth"], tokens=[0, 2])
    play(s, "travel weak", "to corinth", "to athens", "end", "travel weak", "to corinth")
    assert describe_asked(s) == "0 FollowTravel"
    play(s, "to crete")
    assert s.tokens == [0, 2]


def test_tracks_follow_a_followers_card() -> None:
    """AE-6.6, AE-6.8  A copied card moves the follower's own cubes."""
    s = table(
        seats=2,
        pawns=["corinth", "rome"],
        tokens=[0, 2],
        boxes={"corinth": [5, 14, 22, 31]},
        gospels={1: [1, 2, 0, 0, 0, 0]},
    )
    play(s, "tradition", "keep 0", "none", "slot 1", "face 1", "copy 5", "slot 3")
    assert levels(s, 1) == [0, 0, 0, 3]
