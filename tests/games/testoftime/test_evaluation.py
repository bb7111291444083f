"""Tests of the bots' evaluation: points and people after the end of the round."""

import pytest

from tests.games.testoftime.table import NO, YES, A, B, Testament, end_round, play, table
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import rollout
from triclinium.games.testoftime import GAME
from triclinium.games.testoftime.ai.evaluation import FEATURES, FightSummary, count_survivors
from triclinium.games.testoftime.ai.section_values import RIVAL_LOSS_VALUE, SPOILED_PAST_FACTOR, average_section_value
from triclinium.games.testoftime.rules.state import TestOfTime


def feature(s: TestOfTime, seat: int, name: str) -> float:
    return GAME.evaluator.features(s, seat)[FEATURES.index(name)]


def test_testaments_count_their_dots_at_their_final_age() -> None:
    """TT-13.2  A Monument shows 30 dots until round 20, and half of the sections of Art are lost by then."""
    s = table(testaments={A: ["monument", Testament("art", seen=3)]})
    assert feature(s, A, "testaments") == 30 * 11 + 4 * 12
    play(s, "create", "build tools")
    assert feature(s, A, "testaments") == 30 * 11 + 4 * 12 + 2 * 10


def test_what_is_not_preserved_decays() -> None:
    """TT-5.5  A Temple of ten sections and 18 dots loses what nobody preserves."""
    s = table(testaments={A: ["temple"]})
    assert feature(s, A, "decay") == pytest.approx(18 * 11 / 10)
    play(s, "preserve")
    assert feature(s, A, "decay") == 0


def test_an_attack_that_cannot_be_covered_counts_as_lost() -> None:
    """TT-12.2  Six of the eight sections of a Burial Site count as lost, because nobody can cover the attack."""
    s = table(followers=(20, 0), testaments={B: ["burial"]})
    play(s, "attack", "followers 6")
    assert feature(s, B, "testaments") == 4 * 11


def test_a_past_that_is_being_rewritten_counts_by_its_records() -> None:
    """TT-11.10  The sections only rise when the reversal ends, but a bot counts them before."""
    s = table(shamans=(3, 0), testaments={A: [Testament("temple", ((NO, 4), (NO, 0)))]})
    before = feature(s, A, "testaments")
    play(s, "reverse", "rounds 2", "mend", "shamans 0")
    assert s.visible[0] == 4
    assert feature(s, A, "testaments") > before


@pytest.mark.parametrize(("once", "spoiled"), [(False, 2), (True, 3)])
def test_a_rivals_past_is_evaluated_at_the_printed_price(once: bool, spoiled: int) -> None:
    """TT-11.7, TT-14.6  Ten followers pay for two records, or spoil three with one payment for all."""
    art = Testament("art", ((YES, 0), (YES, 0), (YES, 0)))
    agreed = {"one_payment": once}
    s = table(followers=(10, 0), shamans=(4, 0), testaments={B: [art]}, variants=agreed, round_=20)
    each = SPOILED_PAST_FACTOR * RIVAL_LOSS_VALUE * average_section_value(s, 3)
    play(s, "reverse")
    assert feature(s, A, "plan") == pytest.approx(spoiled * (each - 0.5)), "half a point for the shaman of each round"
    play(s, "rounds 3")
    assert feature(s, A, "plan") == pytest.approx(spoiled * each)
    play(s, "spoil")
    assert feature(s, A, "plan") == pytest.approx(spoiled * each), "to be paid, by followers or with the fourth shaman"
    play(s, "shamans 0")
    assert feature(s, A, "plan") == pytest.approx((spoiled - 1) * each)


def test_only_pieces_that_survive_the_round_count() -> None:
    """TT-4.4, TT-7.3, TT-12.6  Builders and parents who will die do not count, as the end of the round confirms."""
    s = table(shamans=(2, 0), testaments={A: ["burial"]})
    play(s, "create", "on 2", "build temple", "shamans 1", "pass", "sire_shaman", "shamans 0")
    assert count_survivors(s, A, 0.0) == (20 - 3 - 1, 3)
    end_round(s)
    assert (s.followers[A], s.shamans[A]) == (16, 3)


def test_defenders_and_met_attackers_count_as_dead() -> None:
    """TT-12.2  In a fight of five defenders against five followers both sides count as dead."""
    s = table(followers=(20, 5), testaments={B: ["burial", "art"]})
    play(s, "attack", "at 1 2", "followers 5", "defend", "followers 5")
    assert s.waiting[B] == 0
    assert count_survivors(s, A, FightSummary(s).expected_dead[A]) == (15, 0)
    assert count_survivors(s, B, FightSummary(s).expected_dead[B]) == (1, 0)
    end_round(s)
    assert s.followers == [15, 1]


def test_pieces_have_no_value_in_the_last_round() -> None:
    """TT-R23  Only points count afterwards, and shamans break ties."""
    s = table(shamans=(3, 3), testaments={A: ["monument", Testament("art", ((YES, 1),))]}, round_=20)
    names = ("wear", "followers", "shamans", "rivals")
    assert [feature(s, A, name) for name in names] == [0, 0, 0, 0]
    assert feature(s, A, "tie_break") == 3


def test_a_rival_without_attacks_left_is_no_threat() -> None:
    """TT-14.5  Only rivals with attacks left count, however many pieces wait."""
    for most, afraid in ((1, False), ("unlimited", True)):
        parts: dict[str, object] = {"attacks_per_round": most}
        s = table(followers=(2, 20), testaments={A: ["temple"]}, turn=B, variants=parts)
        assert feature(s, A, "danger") > 0
        play(s, "attack", "followers 1")
        assert (feature(s, A, "danger") > 0) is afraid


@pytest.mark.parametrize("seats", GAME.seats)
def test_pieces_are_counted_once(seats: int) -> None:
    s = GAME.deal(seats, 4)
    assert isinstance(s, TestOfTime)
    rng = Rng(8)
    while not s.over:
        rollout(s, rng, 7)
        fallen = FightSummary(s).expected_dead
        for seat in range(seats):
            followers, shamans = count_survivors(s, seat, fallen[seat])
            assert 0 <= followers <= s.followers[seat]
            assert 0 <= shamans <= s.shamans[seat]
            assert len(GAME.evaluator.features(s, seat)) == len(FEATURES)
