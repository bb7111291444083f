"""Tests of the sequence of a turn (IE-2, except visits)."""

from tests.games.ierusalem.table import (
    ANA,
    BEN,
    C,
    column,
    get_asked_step,
    goods,
    hand,
    ids,
    list_earned,
    name_asked,
    options,
    pass_on,
    play,
    refused,
    table,
)
from triclinium.games.ierusalem.rules.refusals import DECK_EMPTY, GOOD_LACKS, NO_OWN_CARD, OVERFULL
from triclinium.games.ierusalem.rules.state import FROM_JUDGMENTS
from triclinium.games.ierusalem.rules.turn import Column, Play

ALL_TWELVE = {f"s{i + 1:02}": name for i, name in enumerate(C.apostle_ids)}


def test_a_turn_is_its_steps_in_order() -> None:
    """IE-2.1  Card, column, actions, visit, purchase, discard and warehouse come before the next player."""
    s = table(
        hands={ANA: "r02 r03 r05 r06 r08 ma01"},
        columns={ANA: ["r01", "r07"]},
        received={ANA: "desert lake"},
        goods={ANA: (1, 1, 1)},
    )
    order = []
    for answer in ["play r03", "column 3", "listen", "skip", "draw", "discard r05", "waste stone"]:
        order.append(name_asked(s))
        play(s, answer)
    assert order == ["Play", "Column", "Listen", "Visit", "BuyMahane", "DiscardHand", "Warehouse"]
    assert get_asked_step(s) == Play(BEN)


def test_turns_go_clockwise() -> None:
    """IE-2.1  The turn passes clockwise to the next seat."""
    s = table()
    order = []
    for _ in range(5):
        order.append(s.active)
        pass_on(s)
    assert order == [0, 1, 2, 3, 0]


def test_a_card_goes_to_the_end_of_any_column() -> None:
    """IE-2.3, IE-R35  A card goes to the end of any column, whose length has no limit."""
    s = table(columns={ANA: ["r06 r07 r08"]})
    play(s, "play r03")
    assert get_asked_step(s) == Column(ANA, 2)
    assert options(s) == ["column 1", "column 2", "column 3"]
    play(s, "column 1")
    assert column(s, ANA, 1) == "r06 r07 r08 r03"


def test_location_first_then_actions_left_to_right() -> None:
    """IE-2.4  The Location comes first: the Stone of r08 is gained before the Follower goes to the Supper."""
    s = table(hands={ANA: "r08 r01"}, goods={ANA: (0, 0, 0)}, at={ANA: (1, 1, 2)})
    play(s, "play r08", "column 1")
    assert goods(s, ANA) == (1, 0, 2)
    assert name_asked(s) == "Go"
    assert "go t4" in options(s)
    assert "go u1c1" in options(s)


def test_actions_may_be_skipped_but_the_meeting_is_held() -> None:
    """IE-2.4, IE-R29  The Temple and the Favor of r09 can be declined, but the marker still moves."""
    s = table(hands={ANA: "r09 r01"})
    play(s, "play r09", "column 1", "done", "skip")
    assert s.marker == 1


def test_bureaucracy_moves_the_marker_when_all_are_seated() -> None:
    """IE-2.2  No Judgment scores, because the tiles are gone (IE-5.7)."""
    s = table(seated=ALL_TWELVE, marker=2)
    assert s.marker == 3
    assert list_earned(s, FROM_JUDGMENTS) == [0, 0, 0, 0]


def test_bureaucracy_does_nothing_before() -> None:
    """IE-2.2  With eleven seated the marker stays."""
    eleven = {seat: name for seat, name in ALL_TWELVE.items() if name != "judas"}
    assert table(seated=eleven, marker=2).marker == 2


def test_last_space_in_bureaucracy_still_gives_a_full_turn() -> None:
    """IE-R9, IE-R10  If the marker reaches the last space in step A, the turn is played and then the game ends.

    Further Meetings in that turn do nothing.
    """
    s = table(hands={ANA: "r09 r01"}, seated=ALL_TWELVE, marker=23)
    assert s.marker == 24
    assert get_asked_step(s) == Play(ANA)
    play(s, "play r09", "column 1", "done", "skip")
    assert s.marker == 24
    pass_on(s)
    assert s.over


def test_the_end_is_forced_after_the_set_turn() -> None:
    """IE-R25  From each player's 41st turn on, the marker moves in step A, as in a Meeting of the active player."""
    tiles = ("supper", "parable", "offering", "goods", "call", "favor")
    assert table(turns=159, marker=2, tiles=tiles).marker == 2
    s = table(turns=160, marker=2, tiles=tiles, supper={ANA: "tl u1c1 u2c1", BEN: "tr d1c1"})
    assert s.marker == 3
    assert list_earned(s, FROM_JUDGMENTS) == [3, 1, 0, 0]
    pass_on(s)
    assert s.marker >= 4


def test_the_end_is_forced_only_once_per_turn() -> None:
    """IE-R25  With all Apostles seated, the marker moves 1 space in step A, not 2.

    A table option sets the round.
    """
    assert table(turns=160, marker=5, seated=ALL_TWELVE).marker == 6
    assert table(turns=80, marker=5, variants={"stall_round": 20}).marker == 6
    assert table(turns=79, marker=5, variants={"stall_round": 20}).marker == 5


# -- D, E, F, G -------------------------------------------------------------------------------------------------------


def test_buying_a_mahane_card() -> None:
    """IE-2.15  A player pays two Denarii for a face-up card, which is replaced at once, or for the top of the deck."""
    s = table(display="ma05 ma06", mahane="ma07 ma08", denarii={ANA: 3})
    play(s, "play r03", "column 1", "skip")
    assert options(s)[:2] == ["skip", "draw"]
    play(s, "take ma05")
    assert s.denarii[ANA] == 1
    assert ids(s.display) == "ma07 ma06"
    assert "ma05" in hand(s, ANA)


def test_buying_needs_two_denarii() -> None:
    """IE-D28  A player with one Denarius is not asked to buy a card."""
    s = table(denarii={ANA: 1}, goods={ANA: (0, 0, 0)})
    play(s, "play r03", "column 1", "skip")
    assert s.active == BEN


def test_a_market_draw_does_not_use_up_the_purchase() -> None:
    """IE-2.15  A draw at the Market and a purchase are possible in one turn.

    Drawn cards wait for the next turn (IE-R42).
    """
    s = table(hands={ANA: "r02"}, display="ma05 ma06", mahane="ma07 ma08", denarii={ANA: 4}, supper={ANA: ""})
    play(s, "play r02", "column 1", "mahane", "take ma05", "take ma06")
    assert s.denarii[ANA] == 1
    assert "ma05 ma06" in hand(s, ANA)


def test_empty_mahane_deck() -> None:
    """IE-R14  With an empty deck the display is short, and the top of the deck cannot be drawn."""
    s = table(hands={ANA: "r03 r04"}, display="ma05 ma06", mahane="", empty_decks=True, denarii={ANA: 9})
    play(s, "play r03", "column 1", "skip")
    refused(s, "draw", DECK_EMPTY)
    play(s, "take ma05")
    assert ids(s.display) == "ma06"


def test_no_mahane_card_at_all() -> None:
    """IE-R14  Without any Mahane card, step D is not asked."""
    s = table(
        hands={ANA: "r03 r04", BEN: "y03 y04"}, display="", empty_decks=True, denarii={ANA: 9}, goods={ANA: (0, 0, 0)}
    )
    play(s, "play r03", "column 1", "skip")
    assert s.active == BEN


def test_the_next_card_under_an_empty_deck_is_turned_up() -> None:
    """IE-R14  The display is filled again by the card that would lie under the empty deck."""
    s = table(
        hands={ANA: "r03 r04 r05 r06 r07 ma09 ma10"}, display="ma05", mahane="", empty_decks=True, denarii={ANA: 0}
    )
    play(s, "play r03", "column 1", "skip", "discard ma10")
    assert ids(s.display) == "ma05 ma10"


def test_discard_down_to_five() -> None:
    """IE-2.16, IE-R39  Buying with a full hand is legal. Then a card is discarded, possibly the one just bought."""
    s = table(hands={ANA: "r03 r04 r05 r06 r07 ma09"}, display="ma05 ma06", denarii={ANA: 2})
    play(s, "play r03", "column 1", "skip", "take ma05")
    assert name_asked(s) == "DiscardHand"
    play(s, "discard ma05")
    assert s.mahane[-1] == C.card_ids.index("ma05")
    assert len(s.hand[ANA]) == 5


def test_own_cards_go_to_the_discard_pile() -> None:
    """IE-2.16, IE-R45  An own card is discarded face up; a XXXIII A.D. card goes under its deck."""
    s = table(hands={ANA: "r03 r04 r05 r06 r07 ma09 ad01"}, denarii={ANA: 0})
    play(s, "play r03", "column 1", "skip", "discard r04")
    assert s.discard[ANA] == 1 << 3
    s = table(hands={ANA: "r03 r04 r05 r06 r07 ma09 ad01"}, denarii={ANA: 0})
    play(s, "play r03", "column 1", "skip", "discard ad01")
    assert ids(s.xxxiii[-1:]) == "ad01"


def test_refill_to_five() -> None:
    """IE-2.17  Cards come from the player's own deck."""
    s = table(hands={ANA: "r03 r04"}, denarii={ANA: 0})
    play(s, "play r03", "column 1", "skip")
    assert len(s.hand[ANA]) == 5
    assert len(s.deck[ANA]) == 4


def test_an_empty_deck_is_made_of_the_discards() -> None:
    """IE-2.17  The discards become a new deck only if a card is needed and the deck is empty."""
    s = table(hands={ANA: "r03 r04"}, columns={ANA: ["r05"]}, discards={ANA: "r01 r02 r06 r07 r08"}, denarii={ANA: 0})
    assert len(s.deck[ANA]) == 2
    play(s, "play r03", "column 1", "skip")
    assert len(s.hand[ANA]) == 5
    assert {"r04", "r09", "r10"} <= set(hand(s, ANA).split())
    assert s.discard[ANA] == 0
    assert len(s.deck[ANA]) == 3


def test_a_short_hand_is_legal() -> None:
    """IE-R13  A player may have one to four cards if nothing can be drawn."""
    s = table(
        hands={ANA: "r01 r02 r03"},
        columns={ANA: ["r04 r05 r06 r07", "r08 r09 r10"]},
        goods={ANA: (0, 0, 0)},
        denarii={ANA: 0},
        supper={ANA: ""},
    )
    play(s, "play r03", "column 3")
    assert s.active == BEN
    assert hand(s, ANA) == "r01 r02"


def test_an_empty_hand_clears_a_column() -> None:
    """IE-R13  A column with an own card is discarded without VP and shuffled into a new deck.

    Other columns are refused.
    """
    s = table(
        hands={ANA: "r03"},
        columns={ANA: ["r04 r05 r06 r07", "r01 r08 ma01 r09 r10 r02", "ma02"]},
        denarii={ANA: 0},
        supper={ANA: ""},
    )
    play(s, "play r03", "column 1")
    assert name_asked(s) == "Relief"
    refused(s, "clear 3", NO_OWN_CARD)
    assert options(s) == ["clear 1", "clear 2"]
    play(s, "clear 2")
    assert column(s, ANA, 2) == ""
    assert ids(s.mahane[-1:]) == "ma01"
    assert sorted(hand(s, ANA).split()) == ["r01", "r02", "r08", "r09", "r10"]
    assert s.get_vp(ANA) == 1


def test_a_single_column_is_cleared_without_a_question() -> None:
    """IE-D30  If only one column has own cards, it is cleared without a question."""
    s = table(
        hands={ANA: "r03"},
        columns={ANA: ["r04 r05 r06 r07 r01 r08 r09 r10 r02"]},
        goods={ANA: (0, 0, 0)},
        denarii={ANA: 0},
        supper={ANA: ""},
    )
    play(s, "play r03", "column 1")
    assert s.active == BEN
    assert len(s.hand[ANA]) == 5


def test_the_camp_limit() -> None:
    """IE-2.18, IE-D31  The player chooses goods until all fit. Only the active player checks, at this moment."""
    s = table(hands={ANA: "r03 r04"}, goods={ANA: (2, 0, 3), BEN: (9, 9, 9)}, denarii={ANA: 0})
    assert s.count_filled_spaces(ANA) == 16
    play(s, "play r03", "column 1", "skip")
    assert s.count_filled_spaces(ANA) == 18
    refused(s, "done", OVERFULL)
    refused(s, "waste bread", GOOD_LACKS)
    play(s, "waste fish", "waste stone", "waste fish")
    assert goods(s, ANA) == (3, 0, 1)
    assert s.active == BEN
    assert goods(s, BEN) == (9, 9, 9)


def test_the_extra_space_of_the_camp() -> None:
    """IE-4.5, IE-R16  After two Favors the Camp has 16 spaces."""
    s = table(hands={ANA: "r03 r04"}, goods={ANA: (3, 0, 1)}, denarii={ANA: 0}, favors={ANA: 2})
    assert s.count_camp_spaces(ANA) == 16
    play(s, "play r03", "column 1", "skip", "waste stone")
    assert s.count_filled_spaces(ANA) == 16


def test_offerings_are_discarded_after_all_goods() -> None:
    """IE-R16  Offerings are lost when all goods are gone, but Followers never."""
    s = table(hands={ANA: "r03 r04"}, at={ANA: (0, 0, 0)}, goods={ANA: (1, 0, 0)}, offerings={ANA: 3}, denarii={ANA: 0})
    play(s, "play r03", "column 1", "skip")
    assert s.active == BEN
    assert goods(s, ANA) == (0, 0, 0)
    assert s.offerings[ANA] == 1
    assert s.camp[ANA] == 14


def test_the_game_ends_with_fifteen_followers() -> None:
    """IE-2.19, IE-R38  The game ends after the turn in which the fifteenth Follower reaches the Supper.

    The round is not completed.
    """
    home = "tl u1c1 u1c2 u1c3 u1c4 u2c1 u2c2 u2c3 u2c4 u3c1 u3c2 u3c3 u3c4 d1c1"
    s = table(
        hands={ANA: "ad01 r01"}, supper={ANA: home}, at={ANA: (0, 0, 1)}, goods={ANA: (0, 0, 0)}, denarii={ANA: 0}
    )
    play(s, "play ad01", "column 1", "go d2c2", "skip")
    assert s.over
    assert s.supper[ANA].bit_count() == 15


def test_the_game_ends_with_the_marker_on_its_last_space() -> None:
    """IE-2.19  The game ends after the turn in which the marker reaches its last space."""
    s = table(hands={ANA: "r09 r01"}, marker=23)
    play(s, "play r09", "column 1", "done", "skip")
    assert s.marker == 24
    assert not s.over
    play(s, "skip")
    assert s.over


def test_the_end_is_forced_with_three_players() -> None:
    """IE-R25  With three players, 120 turns are each player's fortieth."""
    assert table(seats=3, turns=119, marker=3).marker == 3
    assert table(seats=3, turns=120, marker=3).marker == 4
