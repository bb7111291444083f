"""Tests of sweeping the row (PP-R36), and of limits in the components file (PP-R19)."""

import pytest

from tests.games.portals.table import C, card, finish_round, table
from triclinium.engine.record import Record
from triclinium.games.portals.game import GAME
from triclinium.games.portals.rules.components import NONE
from triclinium.games.portals.rules.state import Portals

SWEEP = {"sweep_row": True}
# The periods of the cards: O01 15th century, O08 14th, O12 13th, O15 12th, O21 11th.
ROW = "o01 o08 o12 o15 o21"


def row(s: Portals) -> str:
    return " ".join("-" if number == NONE else C.card_ids[number].lower() for number in s.row)


@pytest.mark.parametrize(
    ("capsule", "left"),
    [("13", ROW), ("12", "o30 o08 o12 o15 o21"), ("11", "o30 o31 o12 o15 o21"), ("5", "o30 o31 o32 o33 o34")],
)
def test_events_more_than_three_spaces_behind_leave(capsule: str, left: str) -> None:
    """PP-R36  When the capsule moves, events more than three spaces behind it leave the row."""
    s = table(row=ROW, old="o36 o35 o34 o33 o32 o31 o30", capsule=capsule, variants=SWEEP)
    before = len(s.gone)
    finish_round(s)
    assert row(s) == left
    assert s.gone[before:] == [card(name) for name in ROW.split() if name not in left.split()]


def test_region_and_symbol_cards_and_empty_spaces_stay() -> None:
    """PP-R36  Region and Symbol cards have no period and stay. A gap stays a gap (PP-4.3)."""
    s = table(row="r1 s1 o01", old="o36 o35", capsule="8", variants=SWEEP)
    finish_round(s)
    assert row(s) == "r1 s1 o35 - -"


def test_with_an_empty_deck_cards_stay() -> None:
    """PP-R36  With an empty deck no card leaves the row."""
    s = table(row=ROW, old="o34 o33", capsule="8", variants=SWEEP)
    finish_round(s)
    assert row(s) == "o33 o34 o12 o15 o21"
    finish_round(s)
    assert row(s) == "o33 o34 o12 o15 o21"


def test_new_cards_stay_until_the_capsule_moves() -> None:
    """PP-R36  A card that comes into the row stays until the capsule moves again, whatever its period is."""
    s = table(row="o12", old="o30 o01", capsule="8", variants=SWEEP)
    finish_round(s)
    assert row(s) == "o01 - - - -"
    finish_round(s)
    assert row(s) == "o30 - - - -"


def test_a_capsule_that_stays_sweeps_nothing() -> None:
    """PP-2.5, PP-R36  A capsule on New Testament no longer moves, so the row is not swept."""
    s = table(row=ROW, capsule="nt", round_=13, variants=SWEEP)
    finish_round(s)
    assert row(s) == ROW


def test_the_row_is_not_swept_by_default() -> None:
    """PP-4.4  By default the row is never swept, as in the rulebook."""
    s = table(row=ROW, capsule="6")
    finish_round(s)
    assert row(s) == ROW


@pytest.mark.parametrize("variants", [{"simplified": True}, {"range": "centuries"}, {"discards": "hidden"}])
def test_sweeping_goes_with_other_options(variants: dict[str, object]) -> None:
    """PP-R36  Sweeping counts spaces, whatever the range option is, and the swept cards are open."""
    s = table(row=ROW, old="o36 o35", capsule="12", variants=SWEEP | variants)
    finish_round(s)
    assert row(s) == "o35 o08 o12 o15 o21"
    assert card("o01") in s.gone


# -- the limits of the components file (PP-R19) ---------------------------------------------------------------------

SHORTER = GAME.with_components(GAME.file.with_changes({"limits.stall_rounds": 0, "limits.round_limit": 14}))


def limits(variants: dict[str, object]) -> tuple[int, int]:
    s = SHORTER.deal(2, 7, variants)
    assert isinstance(s, Portals)
    return s.v.stall_rounds, s.v.round_limit


def test_the_file_has_the_default() -> None:
    """PP-R19  The limits of an edited file apply without a variant. A variant has priority over them."""
    assert {one.name: one.default for one in SHORTER.variants if one.ruling == "PP-R19"} == {
        "stall_rounds": 0,
        "round_limit": 14,
    }
    assert limits({}) == (0, 14)
    assert limits({"stall_rounds": 2, "round_limit": 30}) == (2, 30)


def test_a_record_names_what_differs_from_the_file() -> None:
    """PP-R19  Values equal to the match's file are omitted."""
    kept = Record.create(SHORTER, 2, 7, SHORTER.complete_variants({"round_limit": 30}))
    assert kept.variants == {"round_limit": "30"}
    s = kept.deal(SHORTER)
    assert isinstance(s, Portals)
    assert (s.v.stall_rounds, s.v.round_limit) == (0, 30)
