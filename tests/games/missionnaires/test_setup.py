"""Tests of the set-up (specification, section 3.1) and of the components as printed."""

import pytest

from tests.games.missionnaires.table import C, find_pawn, guard, hand, overseer
from triclinium.engine.core.errors import BadSetup
from triclinium.games.missionnaires.game import GAME
from triclinium.games.missionnaires.rules.state import Missionnaires


def deal_match(seats: int, seed: int = 3, **variants: object) -> Missionnaires:
    s = GAME.deal(seats, seed, variants)
    assert isinstance(s, Missionnaires)
    return s


@pytest.mark.parametrize("seats", [1, 5])
def test_two_to_four_players(seats: int) -> None:
    """LM-1.1  Other numbers are refused with the rule."""
    with pytest.raises(BadSetup, match=r"LM-1\.1"):
        GAME.deal(seats, 1)


def test_the_leader_is_drawn_and_begins() -> None:
    """LM-1.2, LM-1.10, LM-R1  The first player is random, and seat order decides the rest."""
    firsts = {deal_match(4, seed).first for seed in range(40)}
    assert firsts == {0, 1, 2, 3}
    s = deal_match(4, 5)
    assert s.who == s.first == s.turn


def test_each_seat_has_a_colour_and_starts_on_the_bethel() -> None:
    """LM-1.3, LM-1.4  The pawns are red, yellow, blue and orange, and all start on A2."""
    s = deal_match(4)
    assert C.colours == ["red", "yellow", "blue", "orange"]
    assert [find_pawn(s, seat) for seat in range(4)] == ["bet"] * 4
    assert C.grids[C.bethel] == "A2"


def test_gendarmes_stand_at_home_and_overseers_are_off_the_board() -> None:
    """LM-1.5, LM-1.9  Gendarmes start at home, and overseers off the board."""
    s = deal_match(2)
    assert [guard(s, g) for g in C.gendarmes] == ["per", "vtm", "tri", "edi", "isk", "ela", "bgd", "ouj"]
    assert [overseer(s, "c"), overseer(s, "d")] == ["off", "off"]


@pytest.mark.parametrize(("seats", "cards", "stock"), [(2, 12, 16), (3, 8, 8), (4, 6, 0)])
def test_periodicals_and_congregations(seats: int, cards: int, stock: int) -> None:
    """LM-1.6, LM-1.7  Each player gets 8 periodicals and 12, 8 or 6 cards, and 24 cards are in the reserve."""
    s = deal_match(seats)
    assert s.periodicals == [8] * seats
    assert s.count_stock() == stock
    assert [len(hand(s, seat)) for seat in range(seats)] == [cards] * seats
    assert len(s.reserve) == 24
    assert len({card for held in (*s.hand, tuple(s.reserve)) for card in held}) == 48


def test_the_two_decks_are_shuffled() -> None:
    """LM-1.8  Each deck has 36 cards and a discard pile."""
    s = deal_match(3)
    assert sorted(s.deck) == list(range(36))
    assert sorted(s.sea_deck) == list(range(36, 72))
    assert s.deck != sorted(s.deck)
    assert s.discard == s.sea_discard == []


@pytest.mark.parametrize(("seats", "cards"), [(2, 24), (3, 16), (4, 12)])
def test_full_deal(seats: int, cards: int) -> None:
    """LM-R2  All 48 cards are dealt and there is no reserve."""
    s = deal_match(seats, deal="full")
    assert [len(hand(s, seat)) for seat in range(seats)] == [cards] * seats
    assert s.reserve == ()


def test_each_space_has_one_kind() -> None:
    """LM-R3  The kinds are 48 congregations, 8 gendarmeries, 49 green towns, 37 sea points and the Bethel.

    46 of the spaces are ports too.
    """
    assert [C.kind.count(kind) for kind in range(5)] == [1, 48, 8, 49, 37]
    assert sum(C.port) == 46
    assert sum(len(near) for near in C.near) == 2 * 189
