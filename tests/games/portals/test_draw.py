"""Tests of drawing (PP-4) and of the hand limit (PP-5)."""

import pytest

from tests.games.portals.checks import check_conserved
from tests.games.portals.table import C, card, cards, hand, list_names, options, play, refused, table
from triclinium.engine.core.rule import NOT_ASKED
from triclinium.games.portals.rules.components import NEW, NONE, OLD
from triclinium.games.portals.rules.refusals import DECK_EMPTY, HAND_FULL, NEW_TOO_EARLY

SEVEN = "g01 g02 g03 g04 g05 g06 g07"


def test_draw_from_the_row_or_from_either_deck() -> None:
    """PP-4.1, PP-R9  A player may draw from the row and from both decks, from the first round on."""
    s = table(row="o01 o02 o03 r1 s4")
    assert list_names(s, "take") == ["o01", "o02", "o03", "r1", "s4"]
    assert list_names(s, "draw") == ["old", "new"]
    play(s, "take r1", "draw new", "draw old")
    assert hand(s, 0).split()[0] == "r1"
    assert [C.deck[number] for number in s.hands[0]] == [OLD, NEW, OLD]
    assert s.actions == 1


def test_the_gap_is_filled_at_once() -> None:
    """PP-4.3  The top card of the deck fills the gap at once, so the next action may take it."""
    s = table(row="o01 o02 o03 o04 o05", old="o06 o07 o08")
    play(s, "take o02")
    assert s.row == cards("o01 o08 o03 o04 o05")
    play(s, "take o08")
    assert s.row == cards("o01 o07 o03 o04 o05")


def test_last_old_testament_card() -> None:
    """PP-4.3, PP-4.4, PP-S13  The last Old Testament card fills its gap.

    After it gaps stay, and no New Testament card fills one.
    """
    s = table(row="o01 o02 o03 o04 o05", old="o06")
    play(s, "take o03")
    assert s.row == cards("o01 o02 o06 o04 o05")
    assert s.old == []
    play(s, "take o06")
    assert s.row == [card("o01"), card("o02"), NONE, card("o04"), card("o05")]
    assert list_names(s, "take") == ["o01", "o02", "o04", "o05"]
    assert list_names(s, "draw") == ["new"]
    refused(s, "draw old", DECK_EMPTY)


def test_an_empty_new_testament_deck() -> None:
    """PP-4.6  An empty New Testament deck cannot be drawn from."""
    s = table(new="")
    refused(s, "draw new", DECK_EMPTY)


def test_nothing_to_draw() -> None:
    """PP-4.6, PP-R10  If the row and both decks are empty, only the end of the turn is offered."""
    s = table(row="", old="", new="")
    assert list_names(s, "take") == list_names(s, "draw") == []
    assert "end" in options(s)


def test_no_deck_is_reshuffled() -> None:
    """PP-4.5  Burnt and discarded cards stay out when a deck is empty."""
    s = table(hands=["o21 o26"], old="", row="")
    play(s, "burn o21", "discard")
    assert s.old == []
    assert card("o21") in s.gone
    assert card("o26") in s.gone


def test_a_card_not_in_the_row_cannot_be_taken() -> None:
    """PP-4.1  Only the cards of the row can be taken."""
    refused(table(row="o01 o02 o03 o04 o05"), "take o06", NOT_ASKED)


def test_hand_limit() -> None:
    """PP-4.2, PP-5.1, PP-S5  With seven cards a player cannot draw until one is discarded, burnt or played."""
    s = table(pawns=["hebron"], hands=[SEVEN], row="o01 o02 o03 o04 o05")
    assert list_names(s, "take") == list_names(s, "draw") == []
    refused(s, "take o01", HAND_FULL)
    refused(s, "draw old", HAND_FULL)
    refused(s, "draw new", HAND_FULL)
    play(s, "discard", "drop g01", "take o01")
    assert (len(s.hands[0]), s.actions) == (7, 3)
    refused(s, "draw old", HAND_FULL)
    play(s, "play g06")
    assert (len(s.hands[0]), s.actions) == (6, 2)
    assert list_names(s, "draw") == ["old", "new"]


def test_bonus_cards_fill_the_hand() -> None:
    """PP-5.1, PP-R13  Region and Symbol cards count towards seven."""
    refused(table(hands=["r1 r2 r3 s1 s2 s3 s4"]), "draw old", HAND_FULL)


@pytest.mark.parametrize("extra", [1, 3])
def test_an_oversized_hand_loses_random_cards(extra: int) -> None:
    """PP-5.2, PP-R11  A hand that is too large loses unseen cards before the next decision.

    Only a loaded state can have such a hand.
    """
    names = " ".join(C.card_ids[: 7 + extra])
    s = table(hands=[names])
    assert len(s.hands[0]) == 7
    assert len(s.buried) == extra
    assert s.asked.who == 0
    assert all(not s.knows_buried(1, i) and s.knows_buried(0, i) for i in range(extra))
    check_conserved(s)


def test_an_oversized_hand_is_reduced_before_the_first_decision() -> None:
    """PP-R11  The hand of a player who is not in turn is reduced as well."""
    s = table(hands=["", " ".join(C.card_ids[:9])])
    assert s.who == 0
    assert (len(s.hands[1]), len(s.buried)) == (7, 2)
    check_conserved(s)


def test_new_testament_deck_from_the_fifth_century() -> None:
    """PP-R9  With `nt_draw = from_5th` the New Testament deck is closed until the capsule reaches the 5th century."""
    late = {"nt_draw": "from_5th"}
    for capsule in ("genesis", "6"):
        refused(table(capsule=capsule, variants={"nt_draw": "from_5th"}), "draw new", NEW_TOO_EARLY)
    for capsule in ("5", "nt"):
        s = table(capsule=capsule, variants={**late})
        play(s, "draw new")
        assert len(s.hands[0]) == 1
