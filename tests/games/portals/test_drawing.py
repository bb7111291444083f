"""Tests that the drawing agrees with the rules (specification, section 8)."""

import pytest

from tests.games.portals.table import C, play, table
from triclinium.boardkit.parts import CardList, Hand
from triclinium.engine.core.text import Message, Name
from triclinium.games.portals import GAME
from triclinium.games.portals.rules.state import Portals
from triclinium.games.portals.ui.board import (
    IN_HAND,
    PLAYABLE,
    STEPS,
    FuelGauge,
    PlaceView,
    VisibleCard,
    draw,
)
from triclinium.games.portals.ui.card_faces import build_card_faces


def draw_hand(s: Portals, viewer: int) -> dict[str, VisibleCard]:
    """Return the viewer's hand in the drawing, by card."""
    drawing = draw(C, GAME.view(s, viewer))
    cards, hand = drawing["cards"], drawing["hand"]
    assert isinstance(cards, dict)
    assert isinstance(hand, Hand)
    return {card.id: cards[card.id.lower()] for card in hand.cards}


def draw_lost_cards(s: Portals, viewer: int | None) -> list[str]:
    """Return the drawn cards out of the game: a card, or a back if the viewer does not know it."""
    gone = draw(C, GAME.view(s, viewer))["gone"]
    assert isinstance(gone, CardList)
    faces = build_card_faces(C)
    backs = [back.args[0].text for back in gone.unknown if isinstance(back, Message) and isinstance(back.args[0], Name)]
    return [C.card_ids[faces.index(face)] for face in gone.cards] + backs


def test_cards_are_sorted_by_period() -> None:
    """Cards of a hand are sorted by period, and cards that are never played come last."""
    assert list(draw_hand(table(hands=["s1 n02 g06 o26"]), 0)) == ["G06", "O26", "N02", "S1"]


def test_a_symbol_card_counts_the_played_cards_of_both_partners() -> None:
    """PP-11.7, PP-R26  A Symbol card counts both partners' events: two of the partner and one of the player make 4."""
    played = ["o39", "n08", "o41 n06"]
    assert draw_hand(table(4, hands=["s4"], played=played, variants={"team": True}), 0)["S4"].worth == 4
    assert draw_hand(table(4, hands=["s4"], played=played), 0)["S4"].worth == 2


def test_a_card_is_playable_while_an_action_is_left() -> None:
    """PP-3.1, PP-7.2, PP-7.3  A card at the pawn's place and in range is playable while an action is left.

    Then it is only marked as here.
    """
    assert draw_hand(table(pawns=["hebron"], hands=["g06 r1"]), 0)["G06"].state == PLAYABLE
    used = draw_hand(table(pawns=["hebron"], hands=["g06 r1"], actions=0), 0)
    assert (used["G06"].state, used["G06"].steps) == (STEPS, 0)
    assert used["R1"].state == IN_HAND


def test_cards_out_of_the_game_are_face_up() -> None:
    """PP-4.5, PP-R12  Burnt and discarded cards are shown by period."""
    s = table(hands=["o21 g03 r1"])
    play(s, "burn o21", "discard", "drop r1", "discard")
    assert draw_lost_cards(s, 1) == draw_lost_cards(s, None) == ["G03", "O21", "R1"]


def test_a_card_discarded_face_down_shows_its_back() -> None:
    """PP-R12  Only the player who discarded a card face down sees it."""
    s = table(hands=["n02 g03"], variants={"discards": "hidden"})
    play(s, "burn g03", "discard")
    assert draw_lost_cards(s, 0) == ["G03", "N02"]
    assert draw_lost_cards(s, 1) == draw_lost_cards(s, None) == ["G03", "New Testament"]


def test_partners_share_one_list_of_cards() -> None:
    """PP-12.1  The panel adds up the points, regions and symbols of partners, and both partners lead."""
    s = table(4, played=["o26 o39", "o41"], variants={"team": True})
    players = draw(C, GAME.view(s, 0))["players"]
    assert isinstance(players, list)
    first, rival, partner, _ = players
    assert (first.points, first.regions, first.sets) == (partner.points, partner.regions, partner.sets)
    assert first.symbols == partner.symbols
    assert (first.partner, partner.partner, rival.partner) == (2, 0, 3)
    for one in players:
        assert one.points == one.lines["cards"]
        assert (
            one.points_beyond_cards is None
            or one.points + one.points_beyond_cards == one.total
            or not isinstance(one.total, int)
        )
    assert first.played == partner.played
    assert (len(first.played), len(rival.played)) == (2, 1)
    alone = draw(C, GAME.view(table(3, played=["o26"]), 0))["players"]
    assert isinstance(alone, list)
    assert [one.partner for one in alone] == [None, None, None]


def test_sets_of_a_team_are_counted_together() -> None:
    """PP-12.1, PP-11.3, PP-11.4  The panel and its details show the same count, with known Region cards."""
    s = table(4, played=["o01 o04", "", "o08 o09"], row="r1 o15 o16 o17 o18", variants={"team": True})
    for moves, sets in ((["end"] * 4, [0, 0, 0, 0]), (["take r1"], [1, 0, 1, 0])):
        play(s, *moves)
        players = draw(C, GAME.view(s, 3))["players"]
        assert isinstance(players, list)
        assert [one.known_sets for one in players] == sets
        assert [one.lines["sets"] for one in players] == [one.known_sets * C.set_points for one in players]
        assert {len(one.played) for one in players} == {4, 0}


@pytest.mark.parametrize(
    ("range_", "capsule", "waits"),
    [
        ("spaces", "genesis", {"O01": 0, "O08": 1, "N02": 11}),
        ("spaces", "11", {"G06": None, "O01": None, "N02": 6}),
        ("centuries", "genesis", {"O01": 1, "O08": 1, "O12": 2, "N02": 12}),
        ("centuries", "6", {"G06": None, "O01": None, "N02": 2}),
    ],
)
def test_a_card_shows_when_its_period_comes(range_: str, capsule: str, waits: dict[str, int | None]) -> None:
    """PP-8.3, PP-R14  The number of rounds depends on the gauge. In centuries Genesis and New Testament wait too."""
    s = table(hands=[" ".join(waits)], capsule=capsule, gauge=1, variants={"range": range_})
    assert {id: card.rounds_until for id, card in draw_hand(s, 0).items()} == waits


def test_in_the_simplified_variant_no_card_waits() -> None:
    """PP-12.2  Every period is in range from the first round on."""
    s = table(hands=["g06 o26 n02"], capsule="11", variants={"simplified": True})
    assert [card.rounds_until for card in draw_hand(s, 0).values()] == [0, 0, 0]


@pytest.mark.parametrize(("gauge", "needle"), [(0, -90), (1, -45), (2, 0), (3, 45), (4, 90)])
def test_the_needle_points_at_its_position(gauge: int, needle: int) -> None:
    """PP-8.1  From Low on the left to Full on the right."""
    assert FuelGauge(C, GAME.view(table(gauge=gauge), None)).needle == needle


def test_a_path_ends_with_the_last_action() -> None:
    """PP-3.1, PP-6.3  The shortest free way includes portals. Near places have no such mark."""
    s = table(pawns=["hebron", "haran"], hands=["g06 g07 n01", "g01"], actions=2)
    here = {one.spot.id: one for one in draw_places(s, 0)}
    assert here["jerusalem"].stop == here["hebron"].stop == here["haran"].stop == ""
    assert (here["nazareth"].steps, here["nazareth"].stop) == (4, "sea_of_galilee")
    assert not any(one.stop for one in draw_places(s, 1))
    assert not any(one.stop for one in draw_places(table(hands=["g06 g07"], actions=0), 0))


def draw_places(s: Portals, viewer: int) -> list[PlaceView]:
    places = draw(C, GAME.view(s, viewer))["places"]
    assert isinstance(places, list)
    return places
