"""Tests of scoring (PP-11), also in the team variant (PP-12.1)."""

import pytest

from tests.games.portals.checks import slow_scores
from tests.games.portals.table import line, table, totals
from triclinium.games.portals import GAME

THREE_OF_EACH = "g06 g08 g13 o04 o05 o06 o44 o47 o52 o14 o16 o28 o20 o21 o22"


def test_three_of_each_region() -> None:
    """PP-11.3, PP-X7  Three events of each region are three sets and 30 points."""
    assert line(table(played=[THREE_OF_EACH]), 0, "sets") == 30


def test_a_region_card_completes_a_set() -> None:
    """PP-11.4, PP-X8  Four regions and one Region card in hand are a set and 10 points."""
    assert line(table(played=["g06 o04 o44 o14"], hands=["r3"]), 0, "sets") == 10
    assert line(table(played=["g06 o04 o44 o14"]), 0, "sets") == 0


@pytest.mark.parametrize(
    ("held", "wilds", "points"),
    [
        ("", "free", 0),
        ("r1", "free", 10),
        ("r1 r2", "free", 10),
        ("r1 r2 r3", "free", 20),
        ("r1 r2", "one_per_set", 10),
        ("r1 r2 r3", "one_per_set", 10),
    ],
)
def test_region_sets(held: str, wilds: str, points: int) -> None:
    """PP-11.4, PP-R21, PP-S9  Judea 3, Samaria 2, Distant 2, Galilee 1, Coastal 0, with Region cards."""
    s = table(played=["g06 g08 g13 o04 o05 o44 o47 o14"], hands=[held], variants={"wilds": wilds})
    assert line(s, 0, "sets") == points
    assert totals(s) == slow_scores(s)


def test_several_region_cards_in_one_set() -> None:
    """PP-R21  Four Region cards and one event are a set, unless the table allows only one per set."""
    assert line(table(played=["g06"], hands=["r1 r2 r3 r4"]), 0, "sets") == 10
    s = table(played=["g06"], hands=["r1 r2 r3 r4"], variants={"wilds": "one_per_set"})
    assert line(s, 0, "sets") == 0


def test_ties_for_a_symbol_are_not_divided() -> None:
    """PP-11.6, PP-X10  Both players with the most of a symbol get 7 points."""
    s = table(played=["o35", "o33"])
    assert [line(s, who, "majorities") for who in range(3)] == [14, 14, 0]


def test_mountain() -> None:
    """PP-11.5 to PP-11.7, PP-S10  Two events tie with one event and a Symbol card, which scores 2 more."""
    s = table(played=["o33 n07", "o14"], hands=["", "s6"])
    assert line(s, 1, "symbol_cards") == 2
    # A: Royalty and Mountain. B: Ancient, Battle and Mountain.
    assert [line(s, who, "majorities") for who in range(3)] == [14, 21, 0]
    s = table(played=["o33 n07", "o14"])
    assert [line(s, who, "majorities") for who in range(3)] == [14, 14, 0]
    assert line(s, 1, "symbol_cards") == 0


def test_a_category_of_zeros_pays_nothing() -> None:
    """PP-11.6, PP-R22  A symbol that nobody has gives no points. A Symbol card alone counts 1 and wins."""
    assert totals(table()) == [0, 0, 0]
    s = table(hands=["s5"])
    assert (line(s, 0, "majorities"), line(s, 0, "symbol_cards")) == (7, 1)


def test_symbol_cards() -> None:
    """PP-11.7  A Symbol card scores one point for itself and one for each played event with its symbol."""
    assert line(table(played=["o35 o39 n06 o26"], hands=["s4"]), 0, "symbol_cards") == 4


def test_highest_total_wins_and_ties_are_shared() -> None:
    """PP-11.8, PP-R23  Equal totals share the rank."""
    s = table(played=["o26", "n14", "o27"])
    assert totals(s) == [6, 6, 5]
    assert [score.rank for score in GAME.scores(s)] == [1, 1, 3]


@pytest.mark.parametrize(
    ("played", "total", "ranks"),
    [
        (["o18 o20 o26 o28 o52", "o27 n02 n14 o59 o17 o21 o22 o48"], 34, [1, 2]),  # a set against more cards
        (["o21 o48", "o26"], 6, [1, 2]),  # two events against one
        (["o26", "n14"], 6, [2, 1]),  # the later player in turn order
    ],
)
def test_ties_broken(played: list[str], total: int, ranks: list[int]) -> None:
    """PP-R23  With `ties = broken` more region sets win, then more played events, then the later place in order."""
    s = table(2, played=played, variants={"ties": "broken"})
    assert totals(s) == [total, total]
    assert [score.rank for score in GAME.scores(s)] == ranks


def test_teams() -> None:
    """PP-12.1, PP-R26, PP-S11  Partners combine their cards, Region cards and Symbol cards."""
    s = table(
        4,
        played=["g06 o05 n01", "n06 n15 o41", "o44 o35", "o46 o31"],
        hands=["", "", "s4", "r2"],
        variants={"team": True},
    )
    assert totals(s) == [68, 40, 68, 40]
    assert [line(s, 0, name) for name in ("cards", "sets", "majorities", "symbol_cards")] == [20, 10, 35, 3]
    assert [line(s, 1, name) for name in ("cards", "sets", "majorities", "symbol_cards")] == [19, 0, 21, 0]
    assert [score.rank for score in GAME.scores(s)] == [1, 3, 1, 3]
    assert totals(s) == slow_scores(s)


def test_team_ties_favour_the_team_of_the_last_player() -> None:
    """PP-R26  In a tie the team of the last player in turn order wins."""
    broken = {"team": True, "ties": "broken"}
    assert [x.rank for x in GAME.scores(table(4, variants=broken))] == [3, 1, 3, 1]
    assert [x.rank for x in GAME.scores(table(4, first=1, who=1, variants=broken))] == [1, 3, 1, 3]
    assert [x.rank for x in GAME.scores(table(4, variants={"team": True}))] == [1, 1, 1, 1]


def test_a_team_symbol_tie_gives_seven_to_both() -> None:
    """PP-R26  Two teams with one Miracle each get 7 points each."""
    s = table(4, played=["o39", "o41"], variants={"team": True})
    assert [line(s, who, "majorities") for who in range(4)] == [7, 7, 7, 7]


def test_teams_in_the_simplified_variant() -> None:
    """PP-12.4  With both variants teams score as in the team variant."""
    s = table(4, played=["o39", "", "o41"], variants={"team": True, "simplified": True})
    assert line(s, 0, "majorities") == line(s, 2, "majorities") == 7
    assert totals(s) == slow_scores(s)
