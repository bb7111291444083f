"""Tests of visits (IE-2.7 to IE-2.14)."""

from tests.games.ierusalem.table import (
    ANA,
    BEN,
    C,
    column,
    count_followers,
    ids,
    list_earned,
    list_received,
    name_asked,
    options,
    pass_on,
    play,
    refused,
    spaces,
    table,
)
from triclinium.games.ierusalem import GAME
from triclinium.games.ierusalem.rules.refusals import (
    FAVORS_LACK,
    NOT_WAITING,
    SEAT_TAKEN,
    TOO_MANY_CARDS,
    UNUSED_STAYS,
    WRONG_ORDER,
)
from triclinium.games.ierusalem.rules.state import FROM_JUDGMENTS, FROM_ORANGE, FROM_VISITS

MATCHING = "r03 r01 r07"  # desert, market, lake for Apostle column 1, with 2 VP each


def test_a_column_that_matches() -> None:
    """IE-2.7, IE-2.10, IE-2.12, IE-2.13  Judas is seated and pays Denarii.

    The cards score their VP and are discarded.
    """
    s = table(hands={ANA: "r02 r04"}, columns={ANA: ["r05 r08 r10"]}, denarii={ANA: 0})
    play(s, "play r04", "column 2", "skip")
    assert options(s) == ["skip", "visit 1 3"]
    play(s, "visit 1 3", "bring silver", "seat s07")
    assert s.seated[6] == C.apostle_ids.index("judas")
    assert s.denarii[ANA] == 5
    assert list_earned(s, FROM_VISITS) == [2 + 1 + 2, 0, 0, 0]
    assert column(s, ANA, 1) == ""
    assert s.discard[ANA] == (1 << 4) | (1 << 7) | (1 << 9)


def test_matching_with_favors() -> None:
    """IE-E7, IE-R4  A market card and the Favors desert and lake; Favors carry no VP and leave the game."""
    s = table(columns={ANA: ["ma01"]}, received={ANA: "desert lake"}, hands={ANA: "r04 r05"})
    play(s, "play r04", "column 2", "skip", "visit 1 1", "bring white", "seat s01", "skip")
    assert list_received(s, ANA) == []
    assert list_earned(s, FROM_VISITS) == [3, 0, 0, 0]
    assert ids(s.mahane[-1:]) == "ma01"


def test_the_order_counts() -> None:
    """IE-E7  The cards market and desert with a lake Favor do not match desert, market, lake."""
    s = table(columns={ANA: ["ma01 ma05"], BEN: []}, received={ANA: "lake market"}, hands={ANA: "r04 r05"})
    play(s, "play r04", "column 2", "skip")
    assert "visit 1 1" not in options(s)
    refused(s, "visit 1 1", WRONG_ORDER)


def test_missing_favors() -> None:
    """IE-R4  The missing symbols must be among the received Favors, as often as they are missing."""
    s = table(
        columns={ANA: ["ma01", "r03 r02 r07"]},
        received={ANA: "desert"},
        hands={ANA: "r04 r05"},
    )
    play(s, "play r04", "column 3", "skip")
    refused(s, "visit 1 1", FAVORS_LACK)
    refused(s, "visit favors 2", FAVORS_LACK)
    assert options(s) == ["skip", "visit 2 1"]


def test_excess_cards() -> None:
    """IE-E8, IE-2.8  Four cards do not match, even if the first three would."""
    s = table(columns={ANA: [MATCHING + " r09"]}, received={ANA: "desert market lake"}, hands={ANA: "r04 r05"})
    play(s, "play r04", "column 2", "skip")
    refused(s, "visit 1 1", TOO_MANY_CARDS)
    assert "visit favors 1" in options(s)


def test_redistribute_makes_a_visit_legal() -> None:
    """IE-E8, IE-4.9  The temple card is moved to another column, and the visit follows in the same turn."""
    s = table(columns={ANA: [MATCHING + " r09"]}, hands={ANA: "ma20 r05"})
    # no Follower is sent by the Temple, and 3 VP are automatic
    play(s, "play ma20", "column 2", "done", "lay r09 2", "done")
    assert column(s, ANA, 1) == MATCHING
    assert column(s, ANA, 2) == "ma20 r09"
    play(s, "visit 1 1")
    assert name_asked(s) == "Bring"


def test_all_cards_of_a_column_are_used() -> None:
    """IE-2.8  Two cards and one Favor match, and the Favor may be between the cards."""
    s = table(columns={ANA: ["r03 r07"]}, received={ANA: "market"}, hands={ANA: "r04 r05"})
    play(s, "play r04", "column 2", "skip", "visit 1 1", "bring white", "seat s01", "skip")
    assert list_earned(s, FROM_VISITS) == [4, 0, 0, 0]
    assert list_received(s, ANA) == []


def test_three_favors_and_no_card() -> None:
    """IE-2.9, IE-R6  Three Favors match without a card, even if no own column is empty.

    No column changes and no Apostle VP score.
    """
    s = table(columns={ANA: ["r06", "r08", "r10"]}, received={ANA: "desert market lake lake"}, hands={ANA: "r04 r05"})
    play(s, "play r04", "column 1", "skip", "visit favors 1", "bring orange", "seat s12")
    assert list_received(s, ANA) == ["lake"]
    assert [column(s, ANA, n) for n in (1, 2, 3)] == ["r06 r04", "r08", "r10"]
    assert list_earned(s, FROM_VISITS) == [0, 0, 0, 0]


def test_an_empty_own_column_is_the_same_as_none() -> None:
    """IE-D23  Three Favors are offered once, not for each empty column."""
    s = table(received={ANA: "desert market lake"}, hands={ANA: "r04 r05"})
    play(s, "play r04", "column 1", "skip")
    assert options(s) == ["skip", "visit favors 1", "visit 1 1"]


def test_two_apostle_columns_with_equal_symbols() -> None:
    """IE-R5  Both are legal targets."""
    s = table(
        columns={ANA: [MATCHING]},
        symbols="desert market lake temple temple temple desert market lake",
        hands={ANA: "r04 r05"},
    )
    play(s, "play r04", "column 2", "skip")
    assert options(s) == ["skip", "visit 1 1", "visit 1 3"]


def test_one_visit_a_turn() -> None:
    """IE-2.1  If two columns match, the player visits with one, and then the purchase follows."""
    s = table(columns={ANA: [MATCHING, "r05 r08 r10"]}, hands={ANA: "r04 r02"})
    play(s, "play r04", "column 3", "skip")
    assert options(s) == ["skip", "visit 1 1", "visit 2 3"]
    play(s, "visit 2 3", "bring silver", "seat s01")
    assert name_asked(s) == "BuyMahane"


def test_any_apostle_any_empty_seat() -> None:
    """IE-2.10, IE-R7  The visitor chooses a colour that waits in the column and an empty seat."""
    s = table(columns={ANA: [MATCHING]}, seated={"s05": "judas"}, hands={ANA: "r04 r05"})
    play(s, "play r04", "column 2", "skip", "visit 1 1")
    assert options(s) == ["bring purple", "bring orange", "bring white"]
    refused(s, "bring silver", NOT_WAITING)
    play(s, "bring purple")
    refused(s, "seat s05", SEAT_TAKEN)
    assert len(options(s)) == 11
    play(s, "seat s06")
    assert s.seated[5] == C.apostle_ids.index("bartholomew")  # the first listed of his colour


def test_an_empty_apostle_column() -> None:
    """IE-2.11, IE-2.12  If the Apostle column is empty, nobody is seated and there is no appreciation.

    The cards still score.
    """
    s = table(
        columns={ANA: [MATCHING]},
        seated={"s01": "bartholomew", "s02": "thaddaeus", "s03": "john", "s04": "andrew"},
        hands={ANA: "r04 r05"},
    )
    play(s, "play r04", "column 2", "skip", "visit 1 1")
    assert name_asked(s) == "BuyMahane"
    assert list_earned(s, FROM_VISITS) == [6, 0, 0, 0]


def test_purple_invites() -> None:
    """IE-2.10  The visitor may invite a Follower for free from the fullest Location, or decline."""
    s = table(columns={ANA: [MATCHING]}, hands={ANA: "r04 r05"}, goods={ANA: (0, 0, 0)})
    play(s, "play r04", "column 2", "skip", "visit 1 1", "bring purple", "seat s01", "go u1c1", "skip")
    assert spaces(s, ANA) == ["u1c1", "tl"]
    assert count_followers(s, ANA) == (1, 1, 1)


def test_orange_scores_the_visitor_alone() -> None:
    """IE-E9, IE-R3  Ana scores 5 + 3 at once and Ben nothing. At the end Ana scores 8 again and Ben 4."""
    s = table(
        columns={ANA: [MATCHING]},
        supper={ANA: "u1c2 u3c2", BEN: "u2c2"},
        hands={ANA: "r04 r05"},
        goods={ANA: (0, 0, 0)},
    )
    play(s, "play r04", "column 2", "skip", "visit 1 1", "bring orange", "seat s02")
    assert list_earned(s, FROM_ORANGE) == [8, 0, 0, 0]
    assert [GAME.scores(s)[seat].line_points("seats") for seat in (ANA, BEN)] == [8, 4]


def test_orange_scores_all_as_an_option() -> None:
    """IE-R3  With the table option an orange Apostle scores the Followers of all players."""
    s = table(
        columns={ANA: [MATCHING]},
        supper={ANA: "u1c2 u3c2", BEN: "u2c2"},
        hands={ANA: "r04 r05"},
        goods={ANA: (0, 0, 0)},
        variants={"orange_scores_all": True},
    )
    play(s, "play r04", "column 2", "skip", "visit 1 1", "bring orange", "seat s02")
    assert list_earned(s, FROM_ORANGE) == [8, 4, 0, 0]


def test_white_swaps_without_arriving() -> None:
    """IE-2.10, IE-R43, IE-R20  A swap does not count as arriving for either Follower.

    The unused colour is never swapped.
    """
    s = table(seats=3, columns={ANA: [MATCHING]}, supper={ANA: "d3c4", BEN: "u3c2"}, hands={ANA: "r04 r05"})
    play(s, "play r04", "column 2", "skip", "visit 1 1", "bring white", "seat s01", "swap d3c4")
    refused(s, "with u1c1", UNUSED_STAYS)
    assert options(s) == ["with u3c2", "with br"]
    play(s, "with u3c2")
    assert spaces(s, ANA) == ["u3c2"]
    assert spaces(s, BEN) == ["d3c4"]
    assert s.marker == 0
    assert s.offerings == (1, 1, 1)


def test_a_column_goes_under_the_decks_first_card_first() -> None:
    """IE-R33  Two Mahane cards and one XXXIII A.D. card of a column go under their decks in order."""
    s = table(columns={ANA: ["ma05 ma03 ad07"]}, hands={ANA: "r04 r05"})
    play(s, "play r04", "column 2", "skip", "visit 1 1", "bring white", "seat s01", "skip")
    assert ids(s.mahane[-2:]) == "ma05 ma03"
    assert ids(s.xxxiii[-1:]) == "ad07"
    assert list_earned(s, FROM_VISITS) == [9, 0, 0, 0]


def test_the_twelfth_apostle() -> None:
    """IE-E13, IE-2.14, IE-R8  The tiles go before his appreciation: the Meeting on 14 scores nothing; then 15."""
    seated = {f"s{i + 1:02}": name for i, name in enumerate(C.apostle_ids) if name != "simon_zealot"}
    s = table(columns={ANA: ["r06 r07 r10"]}, seated=seated, marker=13, hands={ANA: "r03 r04"}, denarii={ANA: 0})
    assert not s.are_all_seated()
    play(s, "play r03", "column 2", "skip", "visit 1 3")  # one colour and one seat, so they are not asked
    assert s.are_all_seated()
    assert s.has_judgments is False
    assert name_asked(s) == "Go"
    play(s, "go u3c7", "skip")
    assert s.marker == 14
    assert list_earned(s, FROM_JUDGMENTS) == [0, 0, 0, 0]
    pass_on(s)
    assert s.active == BEN
    assert s.marker == 15


def test_one_symbol_three_times() -> None:
    """IE-1.3, IE-R4  With a Location printed three times, one card needs two Favors of it, not one."""
    for favors, legal in (("lake", False), ("lake lake", True)):
        s = table(
            columns={ANA: ["r07"]},
            symbols="lake lake lake temple temple temple desert market mountain",
            received={ANA: favors},
            hands={ANA: "r04 r05"},
        )
        play(s, "play r04", "column 2", "skip")
        assert ("visit 1 1" in options(s) if name_asked(s) == "Visit" else False) is legal


def test_the_cards_of_a_visit_go_after_the_appreciation() -> None:
    """IE-2.10, IE-2.13  The Mahane reward of the invited Follower finds no card: those of the visit go later."""
    s = table(columns={ANA: ["ma05 ma03 ma13"]}, hands={ANA: "r04 r05"}, display="", empty_decks=True, denarii={ANA: 0})
    play(s, "play r04", "column 2", "skip", "visit 1 1", "bring purple", "seat s01", "go u3c3", "skip")
    assert ids(s.display) == "ma05 ma03"  # turned up because the display was short (IE-R14)
    assert ids(s.mahane) == "ma13"
