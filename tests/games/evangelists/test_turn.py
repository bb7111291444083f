"""Tests of rounds and turns (AE-2)."""

import pytest

from tests.games.evangelists.table import C, describe_asked, find_pawn, options, play, refused, table
from triclinium.games.evangelists.rules.refusals import (
    BOAT_ONCE,
    INTERVIEW_ONCE,
    REARRANGE_ONCE,
    TOO_FEW_OCTAGONS,
    TRADITION_ONCE,
    TRAVEL_ONCE,
)

NO_TOKENS = [0, 0, 0, 0, 0]


@pytest.mark.parametrize(("seats", "rounds"), [(2, 6), (3, 6), (4, 6), (5, 5)])
def test_rounds(seats: int, rounds: int) -> None:
    """AE-2.1, AE-2.2, AE-R2, AE-R37, AE-R38  If all players pass, each round has one turn for each player."""
    s = table(seats=seats, pawns=["antioch"] * seats)
    turns: list[int] = []
    while not s.over:
        turns.append(s.who)
        play(s, "end")
    assert turns == list(range(seats)) * rounds


def test_turns_go_clockwise_from_the_stenographer() -> None:
    """AE-2.2, AE-2.5  All three octagons pass to the next player on the left."""
    s = table(seats=3, pawns=["antioch", "corinth", "cyrene"], tokens=NO_TOKENS[:3])
    play(s, "travel weak", "to caesarea", "end")
    assert describe_asked(s) == "1 ChooseAction"
    assert s.octagons == 3
    play(s, "end", "end")
    assert describe_asked(s) == "0 ChooseAction"
    assert s.octagons == 3


def test_weak_costs_one_and_strong_two() -> None:
    """AE-2.3, AE-R1  A strong action leaves one octagon of three, so a second strong action is refused."""
    s = table(gospels={0: [1, 2, 0, 0, 0, 0]}, pawns=["antioch", "rome", "rome"], tokens=NO_TOKENS[:3])
    play(s, "travel strong", "to corinth", "decline", "decline")
    assert s.octagons == 1
    refused(s, "rearrange strong", TOO_FEW_OCTAGONS)
    play(s, "rearrange weak", "leaf 1", "flip")
    assert describe_asked(s) == "1 ChooseAction"


def test_spent_octagons_stay_until_the_turn_ends() -> None:
    """AE-2.4  Spent octagons are not available for a later action of the turn."""
    s = table(pawns=["antioch", "rome", "rome"], tokens=NO_TOKENS[:3], witnesses={"antioch": "peter"})
    play(s, "interview", "weak", "tradition", "none", "face 0")
    assert s.octagons == 1
    play(s, "travel weak", "to attalia")
    assert describe_asked(s) == "1 ChooseAction"


def test_the_turn_ends_with_the_last_octagon() -> None:
    """AE-2.5  After the last octagon only the end of the turn is legal, so it is not asked."""
    s = table(pawns=["antioch", "rome", "rome"], octagons=1, tokens=NO_TOKENS[:3])
    play(s, "travel weak", "to attalia")
    assert describe_asked(s) == "1 ChooseAction"


def test_a_player_may_stop() -> None:
    """AE-2.5, AE-R37  A player may end the turn with all octagons unspent, which then give nothing."""
    s = table(pawns=["antioch", "rome", "corinth"])
    before = (s.tally[:], s.tokens[:])
    play(s, "end")
    assert describe_asked(s) == "1 ChooseAction"
    assert (s.tally, s.tokens) == before


def test_actions_come_in_any_order_and_again() -> None:
    """AE-2.6  Actions come in any order and again, for example Tradition, Travel, and Tradition elsewhere."""
    s = table(seats=2, pawns=["corinth", "rome"], tokens=[0, 0])
    play(s, "tradition", "none", "face 0", "travel weak", "to ephesus", "tradition", "none", "face 0")
    assert find_pawn(s, 0) == "ephesus"
    assert describe_asked(s) == "1 ChooseAction"


def test_travel_is_once_a_turn() -> None:
    """AE-2.7  A second Travel in the same turn is refused, weak or strong."""
    s = table(seats=2, pawns=["corinth", "rome"], tokens=[0, 0])
    play(s, "travel weak", "to ephesus")
    refused(s, "travel weak", TRAVEL_ONCE)
    refused(s, "travel strong", TRAVEL_ONCE)
    assert describe_asked(s) == "0 ChooseAction"


def test_rearrange_is_once_a_turn() -> None:
    """AE-2.7  A second Rearrange in the same turn is refused."""
    s = table(seats=2, pawns=["corinth", "rome"], gospels={0: [1, 2, 0, 0, 0, 0]}, tokens=[0, 0])
    play(s, "rearrange weak", "leaf 1", "flip")
    refused(s, "rearrange weak", REARRANGE_ONCE)
    refused(s, "rearrange strong", REARRANGE_ONCE)


def test_the_boat_is_once_a_turn() -> None:
    """AE-2.7  A boat that moved with its rider does not sail again this turn."""
    s = table(seats=2, pawns=["rome", "antioch"], tokens=[0, 0])
    play(s, "boat", "sail corinth")
    refused(s, "boat", BOAT_ONCE)


def test_tradition_is_once_a_turn_in_a_city() -> None:
    """AE-2.7  A second Tradition in the same city is refused, and allowed in the next turn."""
    s = table(seats=2, pawns=["corinth", "rome"], tokens=[0, 0])
    play(s, "tradition", "none", "face 0")
    refused(s, "tradition", TRADITION_ONCE)
    play(s, "end", "end")
    assert "tradition" in options(s)


def test_interview_is_once_a_match() -> None:
    """AE-2.7, AE-R18  Each witness is interviewed once, also in later turns."""
    s = table(seats=2, pawns=["corinth", "antioch"], tokens=[0, 0], witnesses={"corinth": "joanna"})
    play(s, "interview", "weak")
    refused(s, "interview", INTERVIEW_ONCE)
    play(s, "end", "end")
    refused(s, "interview", INTERVIEW_ONCE)
    assert s.witness_at[s.pawn[0]] == C.witness_ids.index("joanna")


def test_limits_are_reset_each_turn() -> None:
    """AE-2.7  In each turn, Travel, Rearrange and boat are allowed again."""
    s = table(seats=2, pawns=["cyrene", "antioch"], gospels={0: [1, 2, 0, 0, 0, 0]}, tokens=[0, 0])
    play(s, "travel weak", "to rome", "boat", "sail cyrene", "rearrange weak", "leaf 1", "flip", "end", "end")
    assert {"travel weak", "travel strong", "rearrange weak", "rearrange strong", "boat"} <= set(options(s))
