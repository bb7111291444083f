"""Tests of the set-up (PP-1)."""

import pytest

from tests.games.portals.table import C, options, place, play, refused
from triclinium.engine.core.errors import BadSetup
from triclinium.games.portals.game import GAME
from triclinium.games.portals.rules.components import GENESIS, NEW, NONE, OLD
from triclinium.games.portals.rules.refusals import PLACE_TAKEN, PORTAL_IN_REGION
from triclinium.games.portals.rules.setup import LayRow, SetPortal, Stand
from triclinium.games.portals.rules.state import Portals


def deal_match(seats: int = 3, seed: int = 1, **variants: object) -> Portals:
    s = GAME.deal(seats, seed, variants)
    assert isinstance(s, Portals)
    return s


@pytest.mark.parametrize(("seats", "unused"), [(2, 12), (3, 9), (4, 6), (5, 3)])
def test_each_player_gets_three_genesis_cards_and_the_rest_leave(seats: int, unused: int) -> None:
    """PP-1.1, PP-1.2, PP-1.3, PP-R35  Each player gets three Genesis cards, and the others leave the game unseen.

    These are 12, 9, 6 or 3 cards. Nothing else depends on the number of players.
    """
    s = deal_match(seats)
    assert [len(hand) for hand in s.hands] == [3] * seats
    assert all(C.deck[card] == GENESIS for hand in s.hands for card in hand)
    assert len(s.unused) == unused
    assert (len(s.old), len(s.new)) == (70, 20)


@pytest.mark.parametrize("seats", [1, 6])
def test_other_numbers_of_seats_are_refused(seats: int) -> None:
    """PP-1.1, PP-R5  Two to five players can play."""
    with pytest.raises(BadSetup, match=r"2 to 5 seats.*PP-1\.1"):
        GAME.deal(seats, 1)


def test_decks_are_shuffled() -> None:
    """PP-1.4, PP-1.5  Another seed gives another order of the decks.

    The Old Testament deck contains its ten bonus cards.
    """
    assert deal_match(seed=1).old != deal_match(seed=2).old
    assert deal_match(seed=1).new != deal_match(seed=2).new
    assert sorted(deal_match().old) == C.list_cards(OLD)
    assert sorted(deal_match().new) == C.list_cards(NEW)
    assert sum(card >= C.events for card in deal_match().old) == 10


def test_capsule_gauge_and_scores_begin_at_their_first_space() -> None:
    """PP-1.6, PP-1.8, PP-R33  The capsule starts on Genesis, the gauge on Low, and each player with 0 points."""
    s = deal_match()
    assert (s.capsule, s.gauge, s.points) == (0, 0, [0, 0, 0])


def test_suggested_portals() -> None:
    """PP-1.7, PP-X12  The suggested portals are Beersheba, Shiloh and the Sea of Galilee."""
    s = deal_match()
    found = [name for i, name in enumerate(C.place_ids) if (s.portals >> i) & 1]
    assert sorted(found) == ["beersheba", "sea_of_galilee", "shiloh"]
    assert {C.region_ids[C.place_region[place(name)]] for name in found} == {"judea", "samaria", "galilee"}


def test_starter_sets_three_portals_in_three_regions_before_the_pawns() -> None:
    """PP-1.7, PP-R7  The starting player sets the portals one after another, each in a region without a portal."""
    s = deal_match(start=2, portals="starter")
    assert s.asked == SetPortal(2)
    assert len(options(s)) == 45
    play(s, "portal jerusalem")
    refused(s, "portal hebron", PORTAL_IN_REGION)
    refused(s, "portal jerusalem", PORTAL_IN_REGION)
    play(s, "portal gaza")
    assert s.asked == SetPortal(2)
    refused(s, "portal joppa", PORTAL_IN_REGION)
    play(s, "portal eden")
    assert s.asked == Stand(2)
    assert s.portals == 1 << place("jerusalem") | 1 << place("gaza") | 1 << place("eden")


@pytest.mark.parametrize("seed", range(8))
def test_random_portals_are_in_three_regions(seed: int) -> None:
    """PP-R7  The server draws three regions and one place in each."""
    s = deal_match(seed=seed, portals="random")
    places = [i for i in range(C.places) if (s.portals >> i) & 1]
    assert len({C.place_region[i] for i in places}) == 3


def test_starting_player_is_drawn_or_named() -> None:
    """PP-1.9, PP-R6  The starting player is random, or the seat that the table names."""
    assert {deal_match(seed=seed).first for seed in range(20)} == {0, 1, 2}
    assert [deal_match(start=seat).who for seat in range(3)] == [0, 1, 2]


def test_pawns_are_placed_clockwise_on_free_places() -> None:
    """PP-1.9, PP-R8  From the starting player on, each player places a pawn on a free place.

    Places with a portal are allowed.
    """
    s = deal_match(start=1)
    assert s.asked == Stand(1)
    assert len(options(s)) == 45
    play(s, "stand shiloh")
    assert s.asked == Stand(2)
    refused(s, "stand shiloh", PLACE_TAKEN)
    assert len(options(s)) == 44
    play(s, "stand hebron")
    assert s.asked == Stand(0)


def test_every_place_is_open_but_those_of_other_pawns() -> None:
    """PP-1.9, PP-D2  The first of five players has 45 places to choose from, and the last 41."""
    s = deal_match(5)
    offered = []
    while s.round == 0:
        offered.append(len(options(s)))
        play(s, options(s)[0])
    assert offered == [45, 44, 43, 42, 41]


def test_the_starter_has_fewer_regions_for_each_portal() -> None:
    """PP-R7, PP-D1  The starting player chooses the first portal among 45 places.

    The second is in one of four other regions, and the third in one of three.
    """
    s = deal_match(portals="starter")
    sizes = [C.place_region.count(region) for region in range(C.regions)]
    play(s, "portal hebron")
    assert len(options(s)) == 45 - sizes[C.region_ids.index("judea")]
    play(s, "portal cana")
    assert len(options(s)) == 45 - sizes[C.region_ids.index("judea")] - sizes[C.region_ids.index("galilee")]


def test_the_row_is_dealt_after_all_pawns_are_placed() -> None:
    """PP-1.10, PP-2.1  When all pawns are placed, five Old Testament cards are laid, and the first player begins."""
    s = deal_match(start=1)
    top = s.old[-5:]
    play(s, "stand shiloh", "stand hebron")
    assert s.row == [NONE] * 5
    assert s.stack[0] == LayRow(-1)
    play(s, "stand ur")
    assert s.row == top[::-1]
    assert len(s.old) == 65
    assert (s.round, s.who, s.actions) == (1, 1, 4)


def test_bonus_cards_may_be_in_the_row() -> None:
    """PP-1.10  Region and Symbol cards stay in the row."""
    seen = False
    for seed in range(10):
        s = deal_match(2, seed)
        play(s, "stand shiloh", "stand hebron")
        seen = seen or any(card >= C.events for card in s.row)
    assert seen


@pytest.mark.parametrize(
    ("seats", "variants", "sentence"),
    [
        (3, {"team": True}, r"team variant needs 4 players, not 3 \(PP-12\.1\)"),
        (2, {"start": 2}, r"seat 2 cannot begin.*\(PP-R6\)"),
        (3, {"simplified_nt_end": True}, r"only if the simplified game is chosen \(PP-R27\)"),
        (3, {"round_limit": 12}, r"round_limit is a whole number from 13 to 60, not 12 \(PP-R19\)"),
        (3, {"stall_rounds": -1}, r"stall_rounds is a whole number from 0 to 20, not -1 \(PP-R19\)"),
        (3, {"range": "miles"}, r"range is spaces or centuries, not miles \(PP-R14\)"),
        (3, {"potrals": "random"}, r"no variant 'potrals'; did you mean 'portals'"),
    ],
)
def test_wrong_variants_are_refused_with_one_message(seats: int, variants: dict[str, object], sentence: str) -> None:
    """Every refusal names the rule of the table option."""
    with pytest.raises(BadSetup, match=sentence) as caught:
        GAME.deal(seats, 1, variants)
    assert "\n" not in str(caught.value)
