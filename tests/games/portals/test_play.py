"""Tests of playing a card (PP-7)."""

from tests.games.portals.table import C, card, list_names, play, refused, table
from triclinium.engine.core.event import Event
from triclinium.engine.core.rule import NOT_ASKED
from triclinium.games.portals.rules.components import FIELD, FIELD_MASK
from triclinium.games.portals.rules.events import PLAYED
from triclinium.games.portals.rules.refusals import NOT_AN_EVENT, OUT_OF_RANGE, WRONG_PLACE


def test_right_place_and_right_time() -> None:
    """PP-7.2, PP-7.3, PP-7.5, PP-X3  With pawn and capsule in the right place and the gauge on Low, the card scores."""
    s = table(pawns=["elah"], hands=["o26"], capsule="11")
    play(s, "play o26")
    assert (s.points[0], s.actions, s.hands[0]) == (6, 3, ())
    assert s.played[0] == (card("o26"),)


def test_wrong_place() -> None:
    """PP-7.2  The pawn must be exactly at the place on the card."""
    refused(table(pawns=["hebron"], hands=["o26"], capsule="11"), "play o26", WRONG_PLACE)


def test_wrong_time() -> None:
    """PP-7.3, PP-8.2  With the gauge on Low only the capsule's own period is in range."""
    refused(table(pawns=["elah"], hands=["o26"], capsule="12"), "play o26", OUT_OF_RANGE)


def test_only_events_are_played() -> None:
    """PP-7.1, PP-0.4, PP-R13  Region and Symbol cards stay in the hand."""
    s = table(hands=["r1 s1"])
    refused(s, "play r1", NOT_AN_EVENT)
    refused(s, "play s1", NOT_AN_EVENT)


def test_only_own_cards_are_played() -> None:
    """PP-7.1  Cards of other players are never an option."""
    refused(table(pawns=["hebron"], hands=["", "g06"]), "play g06", NOT_ASKED)


def test_the_play_is_announced() -> None:
    """PP-7.4  All players see title, time and place."""
    s = table(pawns=["elah"], hands=["o26"], capsule="11")
    s.events = []
    play(s, "play o26")
    assert Event(PLAYED, 0, (card("o26"), C.period[card("o26")], C.place[card("o26")], 6), "PP-7.4") in s.events


def test_several_cards_in_one_turn_on_one_place() -> None:
    """PP-7.6  A player may play several cards on one place in a turn, for one action each."""
    s = table(pawns=["hebron"], hands=["g06 g08 g13"])
    play(s, "play g06", "play g08", "play g13")
    assert (s.points[0], s.actions) == (5 + 3 + 3, 1)


def test_symbols_of_a_played_card_count() -> None:
    """PP-0.1, PP-0.2, PP-X9  G12 shows Ancient, Mountain and God Speaks, so each of these counts rises by one."""
    s = table(pawns=["jerusalem"], hands=["g12"])
    play(s, "play g12")
    counts = {name: (s.symbols[0] >> (FIELD * i)) & FIELD_MASK for i, name in enumerate(C.symbol_ids)}
    assert counts == {"ancient": 1, "royalty": 0, "god_speaks": 1, "miracle": 0, "battle": 0, "mountain": 1}


def test_region_of_a_played_card_counts() -> None:
    """PP-0.3  Each event belongs to exactly one region."""
    s = table(pawns=["jerusalem"], hands=["g12"])
    play(s, "play g12")
    counts = {name: (s.regions[0] >> (FIELD * i)) & FIELD_MASK for i, name in enumerate(C.region_ids)}
    assert counts == {"judea": 1, "samaria": 0, "distant": 0, "galilee": 0, "coastal": 0}


def test_playing_uses_no_fuel() -> None:
    """PP-8.8  Playing a card does not change the gauge."""
    s = table(pawns=["elah"], hands=["o26"], capsule="12", gauge=1)
    play(s, "play o26")
    assert s.gauge == 1


def test_reaching_back_to_genesis() -> None:
    """PP-8.3, PP-R14, PP-S1  From the 15th century gauge 1 reaches Genesis, and Low does not."""
    s = table(pawns=["jerusalem"], hands=["g07"], capsule="15", gauge=1)
    play(s, "play g07")
    assert (s.points[0], s.actions) == (3, 3)
    refused(table(pawns=["jerusalem"], hands=["g07"], capsule="15"), "play g07", OUT_OF_RANGE)


def test_reaching_forward_to_the_new_testament() -> None:
    """PP-8.3, PP-R14, PP-R18, PP-S2  From the 6th century gauge 2 reaches the New Testament, and the card counts."""
    s = table(pawns=["jerusalem"], hands=["n14"], capsule="6", gauge=2)
    assert s.round == 11
    play(s, "play n14")
    assert (s.points[0], s.new_played[0]) == (6, 1)
    refused(table(pawns=["jerusalem"], hands=["n14"], capsule="6", gauge=1), "play n14", OUT_OF_RANGE)


def test_playable_cards_are_listed() -> None:
    """PP-7.2, PP-7.3  Only the card of this place and this period is an option."""
    s = table(pawns=["jerusalem"], hands=["g07 g12 g06 o30 s1"])
    assert list_names(s, "play") == ["g07", "g12"]
