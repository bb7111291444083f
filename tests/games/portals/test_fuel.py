"""Tests of range and fuel (PP-8)."""

import pytest

from tests.games.portals.table import C, card, list_names, options, play, refused, table
from triclinium.engine.core.rule import NOT_ASKED
from triclinium.games.portals import GAME
from triclinium.games.portals.rules.refusals import (
    GAUGE_FULL,
    NO_EXCHANGE,
    NO_FUEL,
    OUT_OF_RANGE,
    SAME_COLOUR,
    TWO_BURNT,
)


def list_periods_in_range(capsule: str, gauge: int, **variants: object) -> list[str]:
    s = table(capsule=capsule, gauge=gauge, variants=variants)
    return [name for i, name in enumerate(C.space_ids) if (s.compute_range_mask() >> i) & 1]


@pytest.mark.parametrize(
    ("capsule", "gauge", "periods"),
    [
        ("11", 0, "11"),
        ("11", 2, "13 12 11 10 9"),
        ("genesis", 1, "genesis 15"),
        ("nt", 3, "7 6 5 nt"),
        ("5", 1, "6 5 nt"),
        ("14", 3, "genesis 15 14 13 12 11"),
        ("9", 4, "genesis 15 14 13 12 11 10 9 8 7 6 5 nt"),
    ],
)
def test_range(capsule: str, gauge: int, periods: str) -> None:
    """PP-8.1 to PP-8.4, PP-R14, PP-X4  The gauge gives the range in both directions, and Full reaches every period."""
    assert list_periods_in_range(capsule, gauge) == periods.split()


@pytest.mark.parametrize(
    ("capsule", "gauge", "periods"),
    [
        ("15", 2, "15 14 13"),
        ("5", 3, "8 7 6 5"),
        ("genesis", 3, "genesis"),
        ("nt", 3, "nt"),
        ("nt", 4, "genesis 15 14 13 12 11 10 9 8 7 6 5 nt"),
    ],
)
def test_range_in_centuries(capsule: str, gauge: int, periods: str) -> None:
    """PP-R14  With `range = centuries` Genesis and New Testament need the capsule on their space, or Full."""
    assert list_periods_in_range(capsule, gauge, range="centuries") == periods.split()


@pytest.mark.parametrize(
    ("capsule", "gauge", "range_", "off"),
    [
        ("11", 1, "spaces", [4, 3, 2, 1, 0, 0, 0, 1, 2, 3, 4, 5, 6]),
        ("nt", 3, "spaces", [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0]),
        ("5", 1, "centuries", [3, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 3]),
        ("nt", 3, "centuries", [1] * 12 + [0]),
        ("nt", 4, "centuries", [0] * 13),
    ],
)
def test_how_far_a_period_is_out_of_range(capsule: str, gauge: int, range_: str, off: list[int]) -> None:
    """PP-8.3, PP-R14  The distance is in spaces. If only a full gauge reaches the period, it is the missing fuel."""
    s = table(capsule=capsule, gauge=gauge, variants={"range": range_})
    assert GAME.view(s, None).out_of_range_by == off


def test_burning_is_free_and_raises_the_gauge() -> None:
    """PP-8.5, PP-X6  Burning a card with two icons raises the gauge from 1 to 3.

    The card leaves the game and scores nothing.
    """
    s = table(hands=["g03"], gauge=1)
    play(s, "burn g03")
    assert (s.gauge, s.actions, s.points[0]) == (3, 4, 0)
    assert s.gone == [card("g03")]
    assert s.hands[0] == ()


def test_a_card_without_icons_cannot_be_burnt() -> None:
    """PP-8.5, PP-9.2  Cards without icons cannot be burnt, including Region and Symbol cards."""
    s = table(hands=["g06 r1 s1"])
    for name in ("g06", "r1", "s1"):
        refused(s, f"burn {name}", NO_FUEL)


def test_overfilling_and_the_reset() -> None:
    """PP-8.4, PP-8.6, PP-8.9, PP-R15, PP-S3  Three fuel and two icons make Full, and all periods are in range.

    At the end of the turn the gauge falls to Low.
    """
    s = table(pawns=["bethlehem"], hands=["o44 n02"], capsule="13", gauge=3)
    play(s, "burn o44")
    assert s.gauge == 4
    play(s, "play n02")
    assert (s.points[0], s.actions) == (6, 3)
    play(s, "end")
    assert s.gauge == 0
    assert s.who == 1
    assert [name for i, name in enumerate(C.space_ids) if (s.compute_range_mask() >> i) & 1] == ["13"]


def test_colours() -> None:
    """PP-8.7, PP-R16, PP-S4  A player may burn one card of each colour in a turn, and nothing more at Full."""
    s = table(hands=["g03 o21 o17"])
    play(s, "burn g03")
    assert s.gauge == 2
    refused(s, "burn o21", SAME_COLOUR)
    play(s, "burn o17")
    assert s.gauge == 4
    refused(s, "burn o21", GAUGE_FULL)
    assert s.actions == 4
    assert "discard" in options(s)


def test_a_second_red_card() -> None:
    """PP-8.7, PP-X5  A second red card cannot be burnt in the same turn, but in the next one."""
    s = table(seats=2, hands=["g04 g15"])
    play(s, "burn g04")
    refused(s, "burn g15", SAME_COLOUR)
    play(s, "end", "end", "burn g15")
    assert s.gauge == 2


def test_three_colours_in_one_turn() -> None:
    """PP-R17  By default a player may burn one card of each of the three colours in one turn."""
    s = table(hands=["g04 g08 g07 g06"])
    play(s, "burn g04", "burn g08", "burn g07")
    assert s.gauge == 3


def test_two_cards_a_turn_by_variant() -> None:
    """PP-R17  With `fuel_cards = two_per_turn` a third card is refused, and the turn may end automatically (PP-R24)."""
    s = table(hands=["g04 g08 g07 g06"], variants={"fuel_cards": "two_per_turn"})
    play(s, "burn g04", "burn g08")
    refused(s, "burn g07", TWO_BURNT)
    play(s, "draw old", "draw old", "draw old", "draw old")
    assert s.who == 1


def test_fuel_stays_from_turn_to_turn() -> None:
    """PP-8.8  Until the gauge is Full, the fuel also serves the next players."""
    s = table(pawns=["susa", "elah"], hands=["g03", "o26"], capsule="13")
    play(s, "burn g03", "end")
    assert s.gauge == 2
    play(s, "play o26")
    assert s.points[1] == 6


def test_a_full_gauge_helps_only_later_plays() -> None:
    """PP-R31  Before burning, a card is out of range. Full helps only cards that are played afterwards."""
    s = table(pawns=["bethlehem"], hands=["o44 n02"], gauge=3)
    refused(s, "play n02", OUT_OF_RANGE)
    play(s, "burn o44", "play n02")
    assert s.points[0] == 6


def test_burning_after_the_last_action() -> None:
    """PP-R30  A player may burn a card after the last action, which helps the next player."""
    s = table(hands=["g03 g06"], actions=0)
    assert list_names(s, "burn") == ["g03"]
    play(s, "burn g03", "end")
    assert (s.gauge, s.who) == (2, 1)


def test_burnt_cards_are_open() -> None:
    """PP-R12  Burning shows the icons, even with hidden discards."""
    s = table(hands=["g03"], variants={"discards": "hidden"})
    play(s, "burn g03")
    assert s.gone == [card("g03")]


def test_no_exchange_in_the_simplified_variant() -> None:
    """PP-12.2  Fuel icons have no effect there, and the refusal says why."""
    s = table(hands=["g03 r1"], variants={"simplified": True})
    assert list_names(s, "burn") == []
    refused(s, "burn g03", NO_EXCHANGE)
    refused(s, "burn r1", NO_EXCHANGE)
    refused(s, "burn g04", NOT_ASKED)
