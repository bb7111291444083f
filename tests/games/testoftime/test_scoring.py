"""Tests of scoring, of the last round and of ties (TT-13.1 to TT-13.3)."""

from tests.games.testoftime.table import NO, YES, A, B, Testament, count_visible_sections, dots, end_round, play, table
from triclinium.games.testoftime import GAME
from triclinium.games.testoftime.rules.state import TestOfTime as Position  # a name that pytest does not collect


def set_up_last_round(**parts: object) -> Position:
    """Return a table in round 20 of 20."""
    testaments = parts.get("testaments")
    shamans = parts.get("shamans", (0, 0))
    assert isinstance(testaments, dict)
    assert isinstance(shamans, tuple)
    return table(round_=20, testaments=testaments, shamans=shamans)


def test_example_of_the_rulebook() -> None:
    """E0, TT-13.1, TT-13.2  A Temple of round 15 with three visible dots scores 3 x 5 = 15."""
    temple = Testament("temple", ((NO, 2), (NO, 1), (NO, 1), (NO, 0)))
    s = set_up_last_round(testaments={A: [temple]})
    assert s.since[0] == 15
    end_round(s)
    assert s.over
    assert (count_visible_sections(s, A, 1), dots(s, A, 1)) == (1, 3)
    score = GAME.scores(s)[A]
    assert (score.total, score.line_points("temple 1")) == (15, 15)
    (line,) = score.lines
    assert (line.name, line.group) == ("temple 1", "temple"), "every Temple is of one group, wherever it stands"
    said = [GAME.words.reader(language).read(GAME.words.score_line(line.group)) for language in ("en", "fr")]
    assert said == ["Temple", "Temple"]


def test_scenario_12_age_and_last_round() -> None:
    """Scenario 12, TT-R23  A Monument preserved to the end scores 30 x 18, and Tools of the last round nothing."""
    kept = [(YES, 0)] * 17
    s = set_up_last_round(testaments={A: [Testament("monument", kept)]})
    assert s.since[0] == 2
    play(s, "preserve", "pass", "create", "on 2", "build tools", "pass", "pass")
    assert s.over
    assert [(line.name, line.points) for line in GAME.scores(s)[A].lines] == [("monument 1", 540), ("tools 2", 0)]
    s = set_up_last_round(testaments={A: [Testament("monument", kept)]})
    end_round(s)
    assert GAME.scores(s)[A].total == 504


def test_buried_testaments_score_nothing() -> None:
    """TT-13.2  A buried Testament scores nothing, whatever its age is."""
    s = set_up_last_round(testaments={A: [Testament("tools", [(NO, 0)] * 10)]})
    end_round(s)
    assert GAME.scores(s)[A].total == 0


def test_ties_go_to_more_shamans() -> None:
    """TT-13.3  In a tie the player with more shamans wins. Otherwise the victory is shared. The log says so."""
    s = set_up_last_round(testaments={A: []}, shamans=(1, 2))
    s.events = []
    end_round(s)
    assert [score.rank for score in GAME.scores(s)] == [2, 1]
    assert s.events is not None
    assert GAME.words.format_log(s.events, A, GAME.words.reader())[-2:] == [
        "Equal points: seat 0 has 1 shaman in play.",
        "Equal points: seat 1 has 2 shamans in play.",
    ]
    s = set_up_last_round(testaments={A: []}, shamans=(2, 2))
    end_round(s)
    assert [score.rank for score in GAME.scores(s)] == [1, 1]


def test_the_highest_total_wins() -> None:
    """TT-13.3  More points win, whatever the number of shamans is."""
    s = set_up_last_round(testaments={B: ["tools"]}, shamans=(9, 0))
    end_round(s)
    assert [(score.rank, score.total) for score in GAME.scores(s)] == [(2, 0), (1, 2)]


def test_the_log_tells_dots_age_and_product() -> None:
    """TT-13.2  The log shows dots, age and product in both languages."""
    s = set_up_last_round(testaments={B: [Testament("art", [(YES, 0)] * 4)]})
    s.events = []
    end_round(s)
    assert s.events is not None
    english = GAME.words.format_log(s.events, A, GAME.words.reader())
    assert english[-1] == "Art of seat 1: 6 gold dots in 5 rounds make 30 points."
    french = GAME.words.format_log(s.events, A, GAME.words.reader("fr"))
    assert french[-1] == "Art (place 1)\u00a0: 6 points d’or pendant 5 manches font 30 points."
