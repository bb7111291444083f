"""Tests of the end of the game (IE-6)."""

from collections.abc import Mapping

from tests.games.ierusalem.checks import slow_scores
from tests.games.ierusalem.table import ANA, BEN, CEM, DIA, table
from triclinium.games.ierusalem import GAME
from triclinium.games.ierusalem.rules.scoring import compute_apostle_value
from triclinium.games.ierusalem.rules.state import FROM_PARABLES, FROM_VISITS, Ierusalem


def lines(s: Ierusalem, who: int) -> Mapping[str, int]:
    return {line.name: line.points for line in GAME.scores(s)[who].lines}


def test_places_behind_judas_cost_points() -> None:
    """IE-E1, IE-6.3  With Judas on S02, the Followers behind him score -5, -4 and -3."""
    s = table(seated={"s02": "judas"}, supper={ANA: "u1c2", BEN: "u2c2", CEM: "u3c2", DIA: "u1c1"})
    assert [lines(s, seat)["seats"] for seat in range(4)] == [-5, -4, -3, 0]


def test_values_of_the_apostles() -> None:
    """IE-6.2, IE-6.3  Purple is worth 4, orange 5 and white 6, and each further space one less.

    A corner counts as right behind.
    """
    s = table(
        seated={"s01": "bartholomew", "s08": "thomas", "s12": "matthew"},
        supper={ANA: "tl u1c1", BEN: "u3c1 d2c2", CEM: "br d2c8", DIA: "d1c8 d3c8"},
    )
    assert [lines(s, seat)["seats"] for seat in range(4)] == [8, 2 + 4, 6 + 5, 6 + 4]


def test_a_small_value_never_falls_below_zero() -> None:
    """IE-6.3  A value never changes its sign, also in editions whose Apostles are worth 1 and -1."""
    assert [compute_apostle_value(value, distance) for value in (1, -1) for distance in (1, 2, 3)] == [
        1,
        0,
        0,
        -1,
        0,
        0,
    ]


def test_parables_at_the_end() -> None:
    """IE-6.1, IE-R26  One to seven Parable tiles score 1, 3, 6, 10, 13, 15 and 18."""
    for tiles, points in enumerate([0, 1, 3, 6, 10, 13, 15, 18]):
        assert lines(table(parables={ANA: tiles}), ANA)["parables"] == points


def test_places_at_jesus() -> None:
    """IE-6.4, IE-R2  The places at Jesus score 7 VP each and the rows behind them nothing.

    With the table option they score 0.
    """
    supper = {ANA: "t4 b5", BEN: "u1c4 d1c5"}
    s = table(supper=supper)
    assert [lines(s, seat)["jesus"] for seat in (ANA, BEN)] == [14, 0]
    s = table(supper=supper, variants={"jesus_vp": 0})
    assert lines(s, ANA)["jesus"] == 0


def test_end_score_and_tie() -> None:
    """IE-E14, IE-6.5, IE-6.6  The scores 61 + 13 + 7 + 6 + 4 - 5 + 4 make 90. Ben also has 90 and wins by his tile."""
    s = table(
        vp={ANA: 61, BEN: 84},
        parables={ANA: 5},
        supper={ANA: "t4 u1c6 u3c6 bl", BEN: "u1c4", CEM: "tr"},
        seated={"s04": "peter", "s07": "judas"},
        offerings={ANA: 4, BEN: 1},
        spent=[ANA],
    )
    assert lines(s, ANA) == {
        "track": 61,
        "parables": 13,
        "seats": 6 + 4 - 5,
        "jesus": 7,
        "offerings": 4,
        "illumination": 0,
    }
    scores = GAME.scores(s)
    assert (scores[ANA].total, scores[BEN].total) == (90, 90)
    assert (scores[BEN].rank, scores[ANA].rank) == (1, 2)
    assert [score.total for score in scores] == slow_scores(s)


def test_ties_go_to_more_favors_and_are_then_shared() -> None:
    """IE-6.6  After the tile, more Favors done break a tie. Otherwise the victory is shared."""
    even = {ANA: 50, BEN: 50, CEM: 50, DIA: 10}
    s = table(vp=even, favors={BEN: 2, CEM: 1})
    assert [score.rank for score in GAME.scores(s)] == [3, 1, 2, 4]
    s = table(vp=even)
    assert [score.rank for score in GAME.scores(s)] == [1, 1, 1, 4]


def test_a_score_may_fall_below_zero() -> None:
    """IE-R30  Judas can bring a score below zero."""
    s = table(vp={ANA: 0}, seated={"s01": "judas"}, supper={ANA: "tl u1c1"}, offerings={ANA: 0}, spent=[ANA])
    assert GAME.scores(s)[ANA].total == -10


def test_the_score_track_is_split_by_source() -> None:
    """IE-6  The VP from all sources add up to the VP on the track."""
    s = table(seats=3, vp={ANA: 5})
    s.score_points(ANA, 4, FROM_PARABLES, "IE-4.1")
    s.score_points(BEN, 3, FROM_VISITS, "IE-2.12")
    told = GAME.contests(s)
    reader = GAME.words.reader()
    assert [(reader.format_arg(one.name), one.counts) for one in told] == [
        ("at once: start", [5, 2, 3]),
        ("at once: Parables", [4, 0, 0]),
        ("at once: visit", [0, 3, 0]),
    ]
    assert [sum(one.counts[who] for one in told) for who in range(3)] == [s.get_vp(who) for who in range(3)]
