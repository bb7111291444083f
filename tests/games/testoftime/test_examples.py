"""Tests of the worked examples with the cards of the second edition (TT-R27)."""

from tests.games.testoftime.table import (
    CC,
    NO,
    YES,
    A,
    B,
    Testament,
    count_visible_sections,
    dots,
    end_round,
    past,
    play,
    table,
)
from triclinium.games.testoftime import GAME


def test_example_of_the_rulebook() -> None:
    """E0, TT-13.2  A Temple of round 15 whose five records lost 23 sections shows three dots, and scores 3 x 5 = 15."""
    temple = Testament("temple", ((NO, 8), (NO, 6), (NO, 4), (YES, 1)))
    s = table(round_=20, testaments={A: [temple]}, game=GAME)
    assert s.since[0] == 15
    end_round(s)
    assert (count_visible_sections(s, A, 1), dots(s, A, 1), GAME.scores(s)[A].total) == (1, 3, 15)


def test_scenario_1_create_and_deaths() -> None:
    """Scenario 1  After a Temple and two Sires 18 of 20 followers are left.

    The Temple has 24 sections and age 0.
    """
    s = table(round_=1, game=GAME)
    play(s, "create", "on 1", "build temple", "pass", "sire", "pass", "sire", "pass")
    assert (s.round, s.followers[A], count_visible_sections(s, A, 1), past(s, A, 1)) == (2, 18, 24, [])


def test_scenario_4_preserved_and_attacked() -> None:
    """Scenario 4  A preserved Art that loses three of sixteen sections keeps 20 of 23 dots."""
    s = table(testaments={A: ["art"]}, game=GAME)
    play(s, "preserve", "attack", "followers 3", "pass")
    end_round(s)
    assert (past(s, A, 1), count_visible_sections(s, A, 1), dots(s, A, 1), s.followers[B]) == ([(YES, 3)], 13, 20, 20)


def test_scenario_5_reinforced_attack() -> None:
    """Scenario 5  Seven against four without preservation leaves 20 - 3 - 1 sections and 24 dots.

    Four and three followers die.
    """
    s = table(followers=(6, 20), testaments={A: ["burial"]}, turn=B, game=GAME)
    play(s, "attack", "followers 4", "defend", "followers 4", "attack", "followers 3", "pass", "pass")
    assert (past(s, A, 1), count_visible_sections(s, A, 1), dots(s, A, 1), s.followers) == ([(NO, 3)], 16, 24, [3, 16])


def test_scenario_6_two_attackers() -> None:
    """Scenario 6  Six against three with preservation leaves 25 of 28 sections and 33 dots.

    C chooses the followers that are met.
    """
    s = table(seats=3, shamans=(0, 1, 0), testaments={B: ["monument"], CC: ["monument"]}, turn=CC, game=GAME)
    play(s, "preserve", "attack", "at 2 1", "followers 2", "attack", "shamans 1", "followers 2")
    play(s, "defend", "followers 3", "pass", "pass", "pass", "followers 2")
    assert (past(s, CC, 1), count_visible_sections(s, CC, 1), dots(s, CC, 1)) == ([(YES, 3)], 25, 33)
    assert (s.followers, s.shamans[B]) == ([18, 19, 17], 1)


def test_scenario_9_an_own_testament_reversed() -> None:
    """Scenario 9  Two preserved rounds and a covered attack raise 18 sections to 21, and 26 dots to 29."""
    temple = Testament("temple", ((NO, 0), (YES, 0), (NO, 4)))
    s = table(followers=(9, 20), shamans=(3, 0), testaments={A: [temple, "tools"]}, game=GAME)
    assert (count_visible_sections(s, A, 1), dots(s, A, 1)) == (18, 26)
    play(s, "reverse", "rounds 3", "mend", "mend", "followers 1")
    assert past(s, A, 1) == [(YES, 0), (YES, 0), (YES, 3)]
    assert (count_visible_sections(s, A, 1), dots(s, A, 1), s.followers[A], s.waiting[A]) == (21, 29, 8, 0)


def test_scenario_10_hostile_reversal() -> None:
    """Scenario 10, TT-11.7  A spoiled preservation takes the last section, and upkeep costs the full price at once."""
    tools = Testament("tools", ((NO, 9), (NO, 0), (YES, 0), (YES, 0)))
    s = table(followers=(2, 20), shamans=(1, 0), testaments={A: ["monument"], B: [tools, "art"]}, game=GAME)
    assert count_visible_sections(s, B, 1) == 1
    play(s, "reverse", "rounds 2", "keep", "spoil")
    assert (count_visible_sections(s, B, 1), s.waiting[A]) == (0, 0)
    play(s, "preserve")
    assert s.waiting[B] == 16


def test_scenario_11_debt_of_a_buried_testament() -> None:
    """Scenario 11, TT-R17  After 18 lost sections of 16, two rounds are not enough and three are."""
    art = Testament("art", ((NO, 15), (NO, 0), (NO, 0)))
    for rounds, left, gold in ((2, 0, 0), (3, 1, 2)):
        s = table(followers=(12, 20), shamans=(3, 0), testaments={A: [art]}, game=GAME)
        play(s, "reverse", f"rounds {rounds}")
        while s.who == A:
            play(s, {"ChooseMark": "mend", "PayForMark": "shamans 0"}.get(s.asked.id, "followers 0"))
        assert (count_visible_sections(s, A, 1), dots(s, A, 1)) == (left, gold)


def test_scenario_12_age_and_last_round() -> None:
    """Scenario 12, TT-R23  A Monument preserved to the end scores 36 x 18.

    Without the last upkeep it scores 35 x 18.
    """
    monument = Testament("monument", [(YES, 0)] * 17)
    s = table(round_=20, testaments={A: [monument]}, game=GAME)
    play(s, "preserve", "pass", "create", "on 2", "build tools", "pass", "pass")
    assert [(line.name, line.points) for line in GAME.scores(s)[A].lines] == [("monument 1", 36 * 18), ("tools 2", 0)]
    s = table(round_=20, testaments={A: [monument]}, game=GAME)
    end_round(s)
    assert GAME.scores(s)[A].total == 35 * 18
