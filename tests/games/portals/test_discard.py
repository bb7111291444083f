"""Tests of discarding (PP-9)."""

from tests.games.portals.table import card, cards, hand, options, play, refused, table
from triclinium.engine.core.rule import NOT_ASKED
from triclinium.games.portals import GAME
from triclinium.games.portals.rules.actions.discard import Discard
from triclinium.games.portals.rules.components import NEW
from triclinium.games.portals.rules.refusals import EMPTY_HAND
from triclinium.games.portals.rules.turn import Turn
from triclinium.games.portals.ui.view import HiddenCard


def test_any_card_may_be_discarded_without_an_action() -> None:
    """PP-9.1, PP-9.2  An event, a Region card or a Symbol card leaves the game without costing an action."""
    s = table(hands=["o26 r1 s1 g06"])
    play(s, "discard")
    assert s.asked == Discard(0)
    assert options(s) == ["drop g06", "drop o26", "drop r1", "drop s1"]
    play(s, "drop r1", "discard", "drop s1", "discard", "drop o26")
    assert s.actions == 4
    assert s.gone == cards("r1 s1 o26")
    assert s.asked == Turn(0)


def test_an_empty_hand_has_nothing_to_discard() -> None:
    """PP-9.1  A player with an empty hand cannot discard, and the refusal says so."""
    refused(table(), "discard", EMPTY_HAND)


def test_the_last_card_needs_no_second_choice() -> None:
    """PP-9.1  The last card is discarded without a question, because all players know that there is only one."""
    s = table(hands=["o26"])
    play(s, "discard")
    assert s.hands[0] == ()
    assert s.asked == Turn(0)


def test_discards_are_only_for_the_own_turn() -> None:
    """PP-R12  A player may discard only in their own turn."""
    s = table(hands=["o26", "o27"])
    play(s, "discard", "end")
    refused(s, "drop o26", NOT_ASKED)
    assert s.who == 1


def test_face_up_discards_are_public() -> None:
    """PP-R12  By default a discarded card lies face up."""
    s = table(hands=["o26 o27"])
    play(s, "discard", "drop o26")
    assert GAME.view(s, None).gone == [card("o26")]


def test_face_down_discards_name_a_place_of_the_hand() -> None:
    """PP-R12  With `hidden_discards` the other players see only the back of a discarded card."""
    s = table(hands=["o26 n02 o27"], variants={"discards": "hidden"})
    play(s, "discard")
    assert options(s) == ["hide 1", "hide 2", "hide 3"]
    play(s, "hide 2")
    assert hand(s, 0) == "o26 o27"
    assert s.gone == []
    assert GAME.view(s, 0).buried == [HiddenCard(NEW, card("n02"))]
    assert GAME.view(s, 1).buried == GAME.view(s, None).buried == [HiddenCard(NEW, None)]
