"""Tests of the set-up (AE-1)."""

import pytest

from tests.games.evangelists.table import (
    C,
    boats,
    box,
    deal_match,
    describe_asked,
    find_pawn,
    gospel,
    options,
    play,
    refused,
    table,
)
from triclinium.engine.core.errors import BadSetup
from triclinium.games.evangelists import GAME
from triclinium.games.evangelists.rules.refusals import CITY_TAKEN

CITIES = [
    "start rome",
    "start thessalonica",
    "start corinth",
    "start ephesus",
    "start antioch",
    "start caesarea",
    "start jerusalem",
    "start alexandria",
    "start cyrene",
]


def test_two_to_five_play() -> None:
    """AE-2.1  A match is for two to five players."""
    assert GAME.seats == (2, 3, 4, 5)
    for seats in (1, 6):
        with pytest.raises(BadSetup, match=r"2 to 5 .*AE-2\.1"):
            GAME.deal(seats, 1)


def test_boats_start_in_three_ports() -> None:
    """AE-1.1  At the start one boat is in Rome, one in Ephesus and one in Caesarea."""
    assert boats(deal_match()) == ["rome", "ephesus", "caesarea"]


def test_each_city_has_a_witness() -> None:
    """AE-1.2  The nine discs are shuffled, and each city gets one."""
    assert sorted(deal_match(seed=1).witness_at) == list(range(9))
    assert deal_match(seed=1).witness_at != deal_match(seed=2).witness_at


def test_the_bag_starts_with_six_and_two() -> None:
    """AE-1.3  The bag has six white and two black cubes, the supply seven black ones, and no disc has a cube."""
    s = deal_match()
    assert (s.bag_white, s.bag_black, s.supply) == (6, 2, 7)
    assert (s.alive, s.dead) == (0, 0)


@pytest.mark.parametrize(("seats", "space"), [(2, 0), (3, 0), (4, 0), (5, 1)])
def test_the_marker_starts_by_the_number_of_players(seats: int, space: int) -> None:
    """AE-1.4  The time marker starts on "2-4", or on "5" with five players."""
    assert deal_match(seats=seats).marker == space


def test_each_witness_has_four_interview_cards() -> None:
    """AE-1.5  Each witness has four interview cards."""
    assert deal_match().piles == [4] * 9


def test_four_cards_are_dealt_to_each_city() -> None:
    """AE-1.6  All 36 primary cards are shuffled and dealt face down, four to each city."""
    s = deal_match(seed=1)
    numbers = [number for city in C.place_ids[: C.cities] for number in box(s, city)]
    assert sorted(numbers) == list(range(1, 37))
    assert s.face_up == [-1] * 9
    assert s.seen == [0] * 36
    assert box(deal_match(seed=2), "rome") != box(s, "rome")


def test_backs_are_public() -> None:
    """AE-1.7  A spectator sees the colour of every back, but no face."""
    for seat in (0, None):
        one, other = GAME.view_json(deal_match(seed=3), seat), deal_match(seed=3)
        other.redeal(-1 if seat is None else seat, other.rng.copy())
        assert other.box != deal_match(seed=3).box  # other faces have the same backs
        assert one == GAME.view_json(other, seat)


@pytest.mark.parametrize("place", range(4))
def test_the_secondary_deck_is_open(place: int) -> None:
    """AE-1.8, AE-R17  Each copy of the secondary deck can be taken by its number, in any order."""
    s = table(seats=2, pawns=["corinth", "rome"], boxes={"corinth": [31, 5, 22, 14]}, tokens=[0, 1])
    play(s, "tradition", f"keep {place}", "none", "slot 1", f"face {(place + 1) % 4}")
    assert options(s) == [f"copy {gospel(s, 0)[0]}", "decline"]


def test_each_player_has_a_theme() -> None:
    """AE-1.9  Each player has a theme, and all themes are different."""
    s = deal_match(seats=5)
    assert len(set(s.theme)) == 5
    assert {tuple(deal_match(seats=5, seed=seed).theme) for seed in range(5)} != {tuple(s.theme)}


def test_each_gospel_has_three_empty_leaves() -> None:
    """AE-1.10  Each gospel has three empty leaves, which are six slots."""
    s = deal_match(seats=2)
    assert gospel(s, 0) == gospel(s, 1) == [0] * 6


def test_the_stenographer_is_first() -> None:
    """AE-1.11, AE-1.12  The stenographer has the first turn and three octagons. The others follow clockwise."""
    s = deal_match(seats=3, variants={"stenographer": 1})
    assert describe_asked(s) == "1 StartCity"
    play(s, "start rome")
    assert describe_asked(s) == "2 StartCity"
    play(s, "start corinth")
    assert describe_asked(s) == "0 StartCity"
    play(s, "start cyrene")
    assert describe_asked(s) == "1 ChooseAction"
    assert s.octagons == 3
    assert (find_pawn(s, 0), find_pawn(s, 1), find_pawn(s, 2)) == ("cyrene", "rome", "corinth")


def test_a_starting_city_holds_no_other_pawn() -> None:
    """AE-1.12  A city with a pawn is refused as starting city. Any other of the nine may be chosen."""
    s = deal_match(seats=2, variants={"stenographer": 0})
    assert options(s) == CITIES
    play(s, "start antioch")
    refused(s, "start antioch", CITY_TAKEN)
    assert options(s) == [option for option in CITIES if option != "start antioch"]


def test_pawns_have_the_colour_of_the_theme() -> None:
    """AE-1.13, AE-12.1, AE-R34  By default a pawn has the colour of its player's theme."""
    s = deal_match(seats=4)
    assert s.colour == s.theme


@pytest.mark.parametrize(("seats", "tokens"), [(2, [0, 2]), (3, [0, 1, 2]), (4, [0, 1, 1, 2]), (5, [0, 1, 1, 1, 2])])
def test_follow_tokens(seats: int, tokens: list[int]) -> None:
    """AE-1.14, AE-R32  Each player except the stenographer gets one token, and the last player one more."""
    assert deal_match(seats=seats, variants={"stenographer": 0}).tokens == tokens
    turned = deal_match(seats=seats, variants={"stenographer": 1}).tokens
    assert turned == tokens[-1:] + tokens[:-1]
    assert sum(tokens) == seats
