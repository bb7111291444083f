"""Tests of interactions of two rules in the middle of a round (TT-11.3a, TT-12.1, TT-R6)."""

from tests.games.testoftime.table import (
    CC,
    NO,
    YES,
    A,
    B,
    Testament,
    count_visible_sections,
    end_round,
    kind,
    options,
    past,
    play,
    table,
)
from triclinium.games.testoftime.rules.actions.reverse import ChooseMark


def test_a_paid_convert_outlives_its_temple() -> None:
    """TT-R6, TT-R19  A Convert stays valid if its Temple is buried afterwards."""
    temple = Testament("temple", ((NO, 8), (YES, 0)))
    s = table(shamans=(0, 1), testaments={A: [temple]})
    play(s, "convert", "reverse", "spoil")
    assert count_visible_sections(s, A, 1) == 0
    end_round(s)
    assert s.followers == [21, 19]
    assert "convert" not in options(s)


def test_a_reversed_monument_keeps_the_power_of_the_declaration() -> None:
    """TT-11.3a  Shamans count 1 during the whole reversal of a buried Monument, and 2 after it."""
    s = table(followers=(10, 20), shamans=(4, 0), testaments={A: [Testament("monument", ((NO, 11), (NO, 0)))]})
    play(s, "reverse", "rounds 2")
    assert s.asked == ChooseMark(A, 0, 0, 1, 0, 10, 0)
    play(s, "mend", "shamans 1", "shamans 1", "followers 1")
    assert past(s, A, 1) == [(YES, 9), (NO, 0)]
    assert (count_visible_sections(s, A, 1), s.get_shaman_power(A), s.waiting[A], s.shamans[A]) == (2, 2, 0, 2)


def test_a_raised_burial_site_saves_nobody_in_its_own_reversal() -> None:
    """TT-11.3a, TT-11.9  A Burial Site that a reversal raises does not save that reversal's defenders."""
    s = table(shamans=(1, 0), testaments={A: [Testament("burial", ((YES, 8),))]})
    play(s, "reverse", "followers 2")
    assert (count_visible_sections(s, A, 1), s.count_deaths_saved(A), s.followers[A]) == (2, 1, 18)


def test_a_buried_testament_that_is_being_built_over_is_not_raised() -> None:
    """TT-R25, TT-11.1  A buried Testament on which a Create is pending cannot be raised.

    Its preservers and attackers go home.
    """
    s = table(shamans=(2, 1), testaments={A: [Testament("tools", ((NO, 2), (YES, 0)))]})
    play(s, "preserve", "shamans 0", "reverse", "spoil", "create", "on 1", "build tools", "shamans 0")
    play(s, "pass")
    assert "reverse" not in options(s)
    end_round(s)
    assert (kind(s, A, 1), past(s, A, 1), count_visible_sections(s, A, 1)) == ("tools", [], 4)
    assert s.followers[A] == 19  # only the builder dies


def test_a_raised_monument_opens_a_covered_attack_again() -> None:
    """TT-R26, TT-10.1  When a raised Monument strengthens an attacking shaman, the owner may defend again."""
    monument = Testament("monument", ((NO, 11),))
    s = table(shamans=(0, 3), testaments={A: ["art"], B: [monument]}, turn=B)
    play(s, "attack", "shamans 1", "followers 0", "defend")  # one follower covers it automatically
    assert s.compute_uncovered_attack(0) == 0
    play(s, "reverse", "mend", "shamans 0", "shamans 0", "followers 0")
    assert s.compute_uncovered_attack(0) == 1
    play(s, "defend")
    assert s.compute_uncovered_attack(0) == 0
    end_round(s)
    assert (past(s, A, 1), s.followers[A], s.shamans[B]) == ([(NO, 0)], 18, 2)


def test_a_defence_in_excess_dies_all_the_same() -> None:
    """TT-R12, TT-12.2  The attacker's Monument falls after the defence. Both defenders die against one."""
    monument = Testament("monument", ((NO, 10), (YES, 0)))
    s = table(shamans=(1, 1), testaments={A: ["art"], B: [monument]}, turn=B)
    play(s, "attack", "shamans 1", "followers 0", "defend", "shamans 0", "followers 2", "pass", "reverse", "spoil")
    assert (s.compute_attack_strength(0), s.compute_defence_strength(0)) == (1, 2)
    end_round(s)
    assert (past(s, A, 1), s.followers[A], s.shamans[B]) == ([(NO, 0)], 18, 1)


def test_the_first_placed_die_first_across_players() -> None:
    """TT-12.2, TT-R10, TT-14.4  Three defenders meet B's first follower and then two of C's three."""
    s = table(seats=3, testaments={A: ["temple"]}, turn=B, variants={"defenders_choose": False})
    play(s, "attack", "followers 1", "attack", "followers 3", "pass", "attack", "followers 1", "pass")
    play(s, "defend", "followers 3")
    end_round(s)
    assert (s.followers[B], s.followers[CC], s.followers[A]) == (19, 18, 17)
    assert past(s, A, 1) == [(NO, 2)]


def test_burial_sites_work_on_each_testament_anew() -> None:
    """TT-R14, TT-12.2  Attacks on two Testaments, and each defence, are separate actions."""
    s = table(testaments={A: ["art", "burial"], B: ["burial"]}, turn=B)
    play(s, "attack", "at 0 1", "followers 2", "pass", "attack", "at 0 2", "followers 2")
    play(s, "defend", "on 1", "followers 2", "pass", "defend", "followers 2")
    end_round(s)
    assert s.followers == [20 - 1 - 1, 20 - 1 - 1]


def test_a_burial_site_lost_in_mid_round_saves_nobody() -> None:
    """TT-12.1, TT-R6  A Burial Site that is lost before the end of the round saves nobody."""
    burial = Testament("burial", ((NO, 6), (YES, 0)))
    s = table(shamans=(0, 1), testaments={A: [burial]})
    play(s, "sire_shaman", "reverse", "spoil")
    assert s.count_deaths_saved(A) == 0
    end_round(s)
    assert s.followers[A] == 18


def test_the_dead_of_a_reversal_can_be_sired_again() -> None:
    """TT-R22, TT-11.3  Shamans that died for a reversal are in the supply at once. Parents that will die are not."""
    s = table(shamans=(10, 0), testaments={A: [Testament("tools", ((YES, 0),))]})
    assert "sire_shaman" not in options(s)
    play(s, "reverse", "pass")
    assert "sire_shaman" in options(s)
