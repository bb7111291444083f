"""Tests of the set-up (IE-1)."""

import pytest

from tests.games.ierusalem.table import C, count_followers, get_asked_step, name_asked, options, play, refused, spaces
from triclinium.engine.core.errors import BadSetup
from triclinium.games.ierusalem import GAME
from triclinium.games.ierusalem.rules.constants import LOCATIONS, TILES
from triclinium.games.ierusalem.rules.refusals import COLOUR_TAKEN
from triclinium.games.ierusalem.rules.setup import PickColour, Post
from triclinium.games.ierusalem.rules.state import Ierusalem


def deal(seats: int, seed: int = 1, **variants: object) -> Ierusalem:
    s = GAME.deal(seats, seed, variants)
    assert isinstance(s, Ierusalem)
    return s


def test_three_player_set_up() -> None:
    """IE-E3, IE-1.4, IE-1.8, IE-1.9, IE-1.11  The test covers the unused colour, corners, money, VP and Camp."""
    s = deal(3, start_player=0)
    assert spaces(s, 3) == ["u1c1", "u1c2", "u1c3", "u1c4", "u1c5", "tl", "d3c6", "d3c7", "d3c8"]
    assert sorted(spaces(s, 0) + spaces(s, 1) + spaces(s, 2)) == ["bl", "br", "tr"]
    assert s.free_spaces.bit_count() == 44
    assert [C.squares[0][place] for place in range(3)] == [6, 6, 6]
    assert C.list_stack_values(3) == [6, 5, 4]
    assert s.get_vp(2) == 3
    assert s.denarii == [4, 5, 6]
    play(s, "post desert", "post lake", "post lake")
    assert [s.count_filled_spaces(seat) for seat in range(3)] == [14, 14, 14]
    assert s.count_camp_spaces(0) == 15
    assert s.camp == [10, 10, 10]
    assert count_followers(s, 1) == (1, 1, 2)


def test_four_player_set_up() -> None:
    """IE-1.11, IE-1.12, IE-1.13  No Followers wait, every player has a corner, and 52 spaces are empty."""
    s = deal(4, start_player=2)
    assert sorted(name for seat in range(4) for name in spaces(s, seat)) == ["bl", "br", "tl", "tr"]
    assert s.supper[4] == 0
    assert s.free_spaces.bit_count() == 52
    assert [s.get_vp(seat) for seat in range(4)] == [3, 4, 1, 2]
    assert s.denarii == [6, 7, 4, 5]
    assert C.list_stack_values(4) == [6, 5, 4, 3]
    assert s.goods == [1, 1, 1] * 4
    assert s.offerings == (1,) * 4
    assert s.marker == 0
    assert s.favors == (0,) * 4
    assert all(s.illumination)
    assert all(mask.bit_count() == 8 for mask in s.markers)


def test_extra_followers_come_in_turn_order_before_hands() -> None:
    """IE-1.15, IE-1.16, IE-R24, IE-D1  The start player begins.

    Each player draws five cards after the extra Followers are placed.
    """
    s = deal(4, start_player=2)
    for seat in (2, 3, 0, 1):
        assert get_asked_step(s) == Post(seat)
        assert options(s) == ["post desert", "post mountain", "post lake"]
        assert all(not hand for hand in s.hand)
        play(s, "post mountain")
    assert name_asked(s) == "Play"
    assert s.who == 2
    assert [len(hand) for hand in s.hand] == [5, 5, 5, 5]
    assert [len(deck) for deck in s.deck] == [5, 5, 5, 5]


def test_every_player_has_the_deck_of_a_colour() -> None:
    """IE-1.14, IE-R44  Colours are drawn at random. Hand and deck are the ten cards of the colour."""
    drawn = set()
    for seed in range(12):
        s = deal(3, seed, start_player=0)
        play(s, "post lake", "post lake", "post lake")
        drawn.add(s.colours)
        for seat in range(3):
            first = s.colours[seat] * 10
            assert sorted(s.hand[seat] + s.deck[seat]) == list(range(first, first + 10))
    assert len(drawn) > 6


def test_colours_may_be_picked() -> None:
    """IE-R44  With the table option, players pick colours in turn order before the extra Followers.

    The last of four players is not asked.
    """
    s = deal(4, start_player=2, pick_colour=True)
    assert get_asked_step(s) == PickColour(2)
    assert options(s) == ["colour red", "colour yellow", "colour green", "colour blue"]
    assert [player.colour for player in GAME.view(s, None).players] == [None] * 4
    play(s, "colour blue")
    assert get_asked_step(s) == PickColour(3)
    refused(s, "colour blue", COLOUR_TAKEN)
    play(s, "colour red", "colour green")
    assert s.colours == (2, 1, 3, 0)
    assert get_asked_step(s) == Post(2)
    play(s, "post lake", "post lake", "post lake", "post lake")
    assert [min(s.hand[seat] + s.deck[seat]) for seat in range(4)] == [20, 10, 30, 0]


def test_the_colour_nobody_picks_is_the_unused_one() -> None:
    """IE-R44, IE-1.9  Three players pick from four colours, and the fourth is the unused one."""
    s = deal(3, start_player=0, pick_colour=True)
    play(s, "colour green", "colour yellow", "colour blue")
    assert s.colours == (2, 1, 3)
    assert len(spaces(s, 3)) == 9


def test_printed_symbols() -> None:
    """IE-1.2, IE-1.3  The first game has the printed symbols, with the Apostles in their columns."""
    s = deal(4)
    assert [LOCATIONS[place] for place in s.symbols[:3]] == ["desert", "market", "lake"]
    assert [LOCATIONS[place] for place in s.symbols[6:]] == ["mountain", "lake", "temple"]
    assert [mask.bit_count() for mask in s.waiting] == [4, 4, 4]
    assert set(s.seated) == {-1}


def test_random_symbols_are_nine_of_fifteen() -> None:
    """IE-1.3  With random symbols no Location appears more than three times."""
    seen = {deal(4, seed, symbols="random").symbols for seed in range(20)}
    assert len(seen) > 15
    for symbols in seen:
        assert len(symbols) == 9
        assert all(symbols.count(place) <= 3 for place in range(5))


def test_judgments_are_placed_at_random() -> None:
    """IE-1.5, IE-1.6  The six tiles are on their six spaces, and the marker is on 0."""
    orders = {deal(3, seed).tiles for seed in range(20)}
    assert len(orders) > 10
    assert all(sorted(order) == list(range(len(TILES))) for order in orders)


def test_cards_at_set_up() -> None:
    """IE-1.7  Two Mahane cards are face up, 18 are in the deck, and there are ten XXXIII A.D. cards."""
    s = deal(4)
    assert len(s.display) == 2
    assert len(s.mahane) == s.mahane_hidden == 18
    assert len(s.xxxiii) == s.xxxiii_hidden == 10


def test_start_player() -> None:
    """IE-1.10, IE-R31  The start player is random unless a seat is named. A seat that does not exist is refused."""
    assert {deal(3, seed).start for seed in range(20)} == {0, 1, 2}
    assert deal(3, 5, start_player=1).start == 1
    with pytest.raises(BadSetup, match="seats 1 to 3, not 4"):
        deal(3, 1, start_player=3)


def test_seats() -> None:
    """IE-R37  A match is for three or four players."""
    with pytest.raises(BadSetup, match="3 to 4"):
        GAME.deal(2, 1)


def test_stall_round_cannot_be_switched_off() -> None:
    """IE-R25  The limit of turns can be set from 20 to 100."""
    for value in (0, 19, 101):
        with pytest.raises(BadSetup, match="20 to 100"):
            deal(3, 1, stall_round=value)
    assert deal(3, 1, stall_round=100).stall_round == 100
    label = next(one.label for one in GAME.variants if one.name == "stall_round")
    assert label.text.endswith("after turn")  # the 41st turn is the first such turn


def test_the_last_supper_has_its_seats_and_rows() -> None:
    """IE-1.1, IE-R1, IE-R40  The room has six seats on each side, with three rows of eight spaces behind them.

    The places at the table cost 2 Fish.
    """
    assert len(C.seat_ids) == 12
    assert C.seat_y.count(3) == C.seat_y.count(5) == 6
    assert C.space_kind.count("back") == 6 * 8
    for space, name in enumerate(C.space_ids):
        if C.space_kind[space] != "back":
            assert C.space_cost[space] == (0, 0, 2)
        elif name[3] in "45":
            assert C.space_seat[space] == -1
            assert C.space_cost[space][0] >= 1  # the column costs at least one Stone


def test_money_and_favors_are_public() -> None:
    """IE-1.17  A spectator sees money and Favors."""
    players = GAME.view(deal(3, start_player=0), None).players
    assert [player.denarii for player in players] == [4, 5, 6]
    assert [C.marker_ids[marker] for marker in players[0].markers] == ["f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8"]
    assert players[0].received == {}


def test_the_second_edition_scores_differently() -> None:
    """IE-1.4, IE-C17, IE-C19  The second edition has other stacks of Parables and six Judgments on 22 spaces.

    The stacks are 4/4/4/3, and 4/4/4 with three players.
    """
    c = GAME.components
    assert (c.list_stack_values(4), c.list_stack_values(3)) == ([4, 4, 4, 3], [4, 4, 4])
    assert (c.last, list(c.tile_spaces)) == (22, [3, 6, 9, 12, 15, 19])
    assert (C.list_stack_values(4), C.last, list(C.tile_spaces)) == (
        [6, 5, 4, 3],
        24,
        [3, 7, 10, 14, 17, 21],
    )  # values of the first edition
    assert C.shade_value == c.shade_value == [4, 5, 6, -5]  # numbers of the rulebook stay
