"""Tests of the boat (AE-5)."""

import pytest

from tests.games.evangelists.table import (
    boats,
    check_step_refusal,
    describe_asked,
    find_pawn,
    options,
    play,
    refused,
    table,
)
from triclinium.engine.core.rule import NOT_ASKED
from triclinium.games.evangelists.rules.refusals import (
    BOAT_REACH,
    BOAT_STAYS,
    BOAT_STRANDED,
    BOAT_THERE,
    NO_BOAT,
    NOT_NEAREST,
    TURN_IS_OVER,
)
from triclinium.games.evangelists.rules.state import Evangelists
from triclinium.games.evangelists.rules.turn import ChooseAction


def test_a_boat_takes_its_rider_along() -> None:
    """AE-5.1, AE-R5  A boat ride is free and goes up to two spaces. Only the rider's pawn moves."""
    s = table(seats=2, pawns=["rome", "rome"])
    play(s, "boat")
    assert options(s) == ["sail corinth", "sail cyrene"]
    play(s, "sail corinth")
    assert (find_pawn(s, 0), find_pawn(s, 1)) == ("corinth", "rome")
    assert boats(s) == ["corinth", "ephesus", "caesarea"]
    assert s.octagons == 3


def test_a_boat_must_be_there() -> None:
    """AE-5.1  A ride needs a boat in the pawn's city. A city without a boat or a waypoint is refused."""
    s = table(seats=2, pawns=["corinth", "rome"])
    refused(s, "boat", NO_BOAT)
    t = table(seats=2, pawns=["gaza", "rome"])
    refused(t, "boat", NO_BOAT)


def test_a_boat_sails_at_most_two_spaces() -> None:
    """AE-5.1  A ride of three lines, such as from Rome to Ephesus, is refused."""
    s = table(seats=2, pawns=["rome", "antioch"])
    play(s, "boat")
    refused(s, "sail ephesus", BOAT_REACH)


def test_a_boat_ride_ends_in_another_city() -> None:
    """AE-R5  A ride can end neither where it began nor on a waypoint."""
    s = table(seats=2, pawns=["rome", "antioch"])
    play(s, "boat")
    refused(s, "sail rome", BOAT_STAYS)
    refused(s, "sail rhegium", BOAT_STRANDED)
    refused(s, "sail athens", BOAT_REACH)


def test_boats_use_every_line() -> None:
    """AE-R4  A boat follows roads too: from Caesarea to Jerusalem, or to Alexandria by Gaza."""
    s = table(seats=2, pawns=["caesarea", "antioch"])
    play(s, "boat")
    assert options(s) == ["sail antioch", "sail jerusalem", "sail alexandria"]


def test_a_boat_sails_before_between_and_after_actions() -> None:
    """AE-5.2, AE-R9  A boat ride needs no Travel and does not count as one."""
    interview, tradition, ride = ["interview", "weak"], ["tradition", "none", "face 0"], ["boat", "sail cyrene"]
    for order in ([ride, interview, tradition], [interview, ride, tradition], [interview, tradition, ride]):
        s = table(seats=2, pawns=["rome", "antioch"], tokens=[0, 0])
        for texts in order:
            play(s, *texts)
        assert find_pawn(s, 0) == "cyrene"
        assert "travel weak" in options(s)


def last_interview(
    seats: int = 2,
    token: int = 0,
    card: int = 0,
    variants: dict[str, object] | None = None,
) -> Evangelists:
    """Return a table at the last octagon of a turn in Rome, where a boat is. The second player has these tokens."""
    return table(
        seats=seats,
        pawns=["rome", *["antioch"] * 4],
        tokens=[0, token, 0, 0, 0][:seats],
        gospels={1: [card, 0, 0, 0, 0, 0]},
        octagons=1,
        witnesses={"rome": "peter"},
        alive=["peter"],
        variants=variants,
    )


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_turn_ends_with_the_last_octagon(seats: int) -> None:
    """AE-2.5, AE-R9  With the printed rule nobody is asked for anything after the last octagon."""
    s = last_interview(seats)
    play(s, "interview")
    assert describe_asked(s) == "1 ChooseAction"
    assert boats(s) == ["rome", "ephesus", "caesarea"]


def test_no_boat_sails_after_the_last_octagon() -> None:
    """AE-2.5  The refusal cites this rule."""
    s = last_interview()
    s.octagons = 0
    check_step_refusal(s, ChooseAction(0), "boat", TURN_IS_OVER)


def test_the_boat_sails_before_the_last_octagon() -> None:
    """AE-2.5, AE-5.2  With one octagon left the boat may sail, and the turn continues in the other city."""
    s = last_interview()
    play(s, "boat", "sail cyrene")
    assert describe_asked(s) == "0 ChooseAction"
    assert "interview" in options(s)


def test_follows_come_before_the_turn_ends() -> None:
    """AE-2.5, AE-R10  The action with the last octagon can be followed like any other.

    Then it is the next player's turn.
    """
    s = last_interview(token=1, card=7)
    play(s, "interview")
    assert describe_asked(s) == "1 FollowInterview"
    play(s, "follow")
    assert (describe_asked(s), s.tokens, s.tally) == ("1 ChooseAction", [1, 0], [0, 1])


def test_the_turn_waits_for_the_boat() -> None:
    """AE-R9  With the table option the turn continues while a ride is possible and not declined."""
    s = last_interview(variants={"boat_after_last_octagon": True})
    play(s, "interview")
    assert describe_asked(s) == "0 ChooseAction"
    assert options(s) == ["boat", "end"]
    t = s.clone()
    play(s, "boat", "sail cyrene")
    assert describe_asked(s) == "1 ChooseAction"
    play(t, "end")
    assert describe_asked(t) == "1 ChooseAction"


def test_no_boat_in_the_middle_of_an_action() -> None:
    """AE-R9  No boat can sail between looking at a box and keeping a card."""
    s = table(seats=2, pawns=["rome", "antioch"])
    play(s, "tradition")
    refused(s, "boat", NOT_ASKED)


def test_the_boat_just_left_behind_is_nearest() -> None:
    """AE-S1, AE-5.3, AE-R6  From Corinth to Ephesus the displaced boat goes to Corinth, without a question."""
    s = table(seats=2, pawns=["corinth", "ephesus"], boats=["ephesus", "corinth", "caesarea"])
    play(s, "boat", "sail ephesus")
    assert describe_asked(s) == "0 ChooseAction"
    assert boats(s) == ["corinth", "ephesus", "caesarea"]
    assert (find_pawn(s, 0), find_pawn(s, 1)) == ("ephesus", "ephesus")


def test_among_equally_near_cities_the_rider_chooses() -> None:
    """AE-S2, AE-5.4  From Caesarea to Alexandria, five cities are two lines away, so the rider chooses."""
    s = table(seats=2, pawns=["caesarea", "antioch"], boats=["rome", "alexandria", "caesarea"])
    play(s, "boat", "sail alexandria")
    assert describe_asked(s) == "0 Displace"
    assert options(s) == [
        "displace corinth",
        "displace ephesus",
        "displace caesarea",
        "displace jerusalem",
        "displace cyrene",
    ]
    refused(s, "displace rome", BOAT_THERE)
    refused(s, "displace alexandria", BOAT_THERE)
    refused(s, "displace antioch", NOT_NEAREST)
    play(s, "displace cyrene")
    assert boats(s) == ["rome", "alexandria", "cyrene"]
    assert find_pawn(s, 0) == "alexandria"


def test_a_displaced_boat_takes_nobody() -> None:
    """AE-R6  Pawns in the destination stay when their boat is displaced."""
    s = table(seats=2, pawns=["caesarea", "alexandria"], boats=["rome", "alexandria", "caesarea"])
    play(s, "boat", "sail alexandria", "displace jerusalem")
    assert find_pawn(s, 1) == "alexandria"
