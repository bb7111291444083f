"""Tests of Redistribute: cards moved one at a time (IE-4.9, IE-R22, IE-R45)."""

from tests.games.ierusalem.table import ANA, BEN, column, ids, options, play, refused, table
from triclinium.games.ierusalem.rules.refusals import DISCARDS_SPENT, LAID_ALREADY


def test_redistribute_lays_one_card_at_the_end_of_a_column() -> None:
    """IE-R22  A moved card goes to the current end of the column. The others keep their order."""
    s = table(hands={ANA: "ma17"}, columns={ANA: ["r01 r02 r03", "r04"]}, denarii={ANA: 0})
    play(s, "play ma17", "column 3", "skip", "lay r02 2")
    assert [column(s, ANA, n) for n in (1, 2, 3)] == ["r01 r03", "r04 r02", "ma17"]
    play(s, "lay r01 1")
    assert column(s, ANA, 1) == "r03 r01"  # the end of its own column
    play(s, "done")
    assert [column(s, ANA, n) for n in (1, 2, 3)] == ["r03 r01", "r04 r02", "ma17"]
    assert s.active == BEN


def test_redistribute_lays_each_card_once() -> None:
    """IE-R22  Every pair of a card and a column is offered. A moved card can only be discarded."""
    s = table(hands={ANA: "ma17"}, columns={ANA: ["r01"]}, denarii={ANA: 0})
    play(s, "play ma17", "column 1", "skip")
    lays = [f"lay {card} {n}" for card in ("r01", "ma17") for n in (1, 2, 3)]
    assert options(s) == ["skip", "drop r01", "drop ma17", *lays]
    play(s, "lay r01 1")
    assert column(s, ANA, 1) == "ma17 r01"
    refused(s, "lay r01 2", LAID_ALREADY)
    assert options(s) == ["done", "drop r01", "drop ma17", *lays[3:]]
    play(s, "lay ma17 3")
    assert options(s) == ["done", "drop r01", "drop ma17"]
    play(s, "drop r01")
    assert s.discard[ANA] == 1
    assert options(s) == ["done", "drop ma17"]


def test_redistribute_discards_at_any_moment_three_at_most() -> None:
    """IE-4.9, IE-R22, IE-R45  A player may discard up to three cards before, between and after moves.

    The card just played may be one of them.
    """
    s = table(hands={ANA: "ma17"}, columns={ANA: ["r01 r02", "ma05 r03"]}, denarii={ANA: 0})
    play(s, "play ma17", "column 3", "skip", "drop ma05", "lay r02 2", "drop r02", "lay r03 3", "drop ma17")
    refused(s, "drop r01", DISCARDS_SPENT)
    assert options(s) == ["done", "lay r01 1", "lay r01 2", "lay r01 3"]
    assert ids(s.mahane[-2:]) == "ma05 ma17"
    assert s.discard[ANA] == 2
    play(s, "lay r01 3")  # nothing is left to do, so the layout ends automatically
    assert [column(s, ANA, n) for n in (1, 2, 3)] == ["", "", "r03 r01"]
    assert s.active == BEN


def test_redistribute_may_be_skipped() -> None:
    """IE-D21  The layout stays as it is."""
    s = table(hands={ANA: "ma17"}, columns={ANA: ["r01 r02"]}, denarii={ANA: 0})
    play(s, "play ma17", "column 1", "skip", "skip")
    assert column(s, ANA, 1) == "r01 r02 ma17"
