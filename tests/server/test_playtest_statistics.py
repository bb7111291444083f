"""Tests of the statistics of playtests: the confidence sequence, its false alarms and its power."""

import math
import random
from itertools import pairwise
from statistics import fmean

import pytest

from bench.playtests import NULL_PLAYTESTS, POWER_PLAYTESTS, SPREADS, Spread, draw_playtest, find_alarms
from triclinium.server.workshop.confidence_sequence import (
    ALPHA,
    MAX_STAKE,
    choose_stakes,
    find_alarm,
    limit_stake,
    track_difference,
)
from triclinium.server.workshop.playtest_results import (
    PlayedMatch,
    compute_t_quantile,
    estimate_figures,
    estimate_mean,
)
from triclinium.server.workshop.playtests import scale_answers

USUAL = SPREADS[0]


def compute_capital(differences: list[float], mean: float, cap: float = MAX_STAKE) -> float:
    """Return the larger capital of both gamblers, computed without the code under test but with its stakes."""
    up = down = 1.0
    for difference, stake in zip(differences, choose_stakes(differences), strict=True):
        up *= 1 + min(stake, cap / (1 + mean)) * (difference - mean)
        down *= 1 - min(stake, cap / (1 - mean)) * (difference - mean)
    return max(up, down)


def test_the_interval_has_the_means_against_which_no_gambler_wins() -> None:
    chance = random.Random(3)
    differences = draw_playtest(chance, USUAL, 1.0)
    estimates = track_difference(tuple(differences))
    assert [estimate.mean for estimate in estimates] == [
        pytest.approx(fmean(differences[:n])) for n in range(1, len(differences) + 1)
    ]
    last = estimates[-1]
    assert compute_capital(differences, last.low - 0.01) >= 2 / ALPHA
    assert compute_capital(differences, last.high + 0.01) >= 2 / ALPHA
    for mean in (last.low + 0.01, last.mean, last.high - 0.01):
        assert compute_capital(differences, mean) < 2 / ALPHA
    for before, after in pairwise(estimates):
        assert before.low <= after.low <= after.high <= before.high


def test_the_alarm_is_the_first_interval_without_zero() -> None:
    for seed in range(5):
        differences = draw_playtest(random.Random(seed), USUAL, 1.0)
        clear = [estimate.is_clear for estimate in track_difference(tuple(differences))]
        alarm = find_alarm(differences)
        assert alarm == (clear.index(True) + 1 if True in clear else 0)
        assert find_alarm([-difference for difference in differences]) == alarm
    assert track_difference(()) == ()
    assert find_alarm([]) == 0


def test_a_stake_never_depends_on_its_own_difference_and_never_loses_everything() -> None:
    """The capital is a martingale, because the stake is fixed before the difference is known."""
    before = [0.1, -0.4, 0.7]
    assert list(choose_stakes([*before, 1.0]))[:4] == list(choose_stakes([*before, -1.0]))[:4]
    for stake in (0.1, 1.0, 50.0):
        for mean in (-0.99, -0.5, 0.0, 0.5, 0.99):
            bet = limit_stake(stake, mean)
            assert 1 + bet * (-1 - mean) >= 1 - MAX_STAKE - 1e-9
            assert bet <= stake


def test_the_interval_contains_the_true_mean_at_every_look() -> None:
    """Ville's inequality: in at most 5% of playtests does any of 40 intervals miss the mean."""
    chance, missed = random.Random(8), 0
    for _ in range(60):
        differences = tuple(0.75 if chance.random() < 0.6 else -0.5 for _ in range(40))  # mean 0.25
        missed += not all(estimate.low <= 0.25 <= estimate.high for estimate in track_difference(differences))
    assert missed <= 3


def test_false_alarms_and_power_on_a_few_playtests() -> None:
    assert sum(map(bool, find_alarms(USUAL, 0.0, 100))) <= 5
    assert sum(map(bool, find_alarms(USUAL, 1.0, 50))) >= 40


@pytest.mark.slow
@pytest.mark.parametrize("spread", SPREADS, ids=lambda spread: spread.name)
def test_false_alarms_and_power_of_playtests_with_80_tables(spread: Spread) -> None:
    """At most 5% of 400 playtests without a difference raise an alarm; 80% of 200 find a difference of one step."""
    assert sum(map(bool, find_alarms(spread, 0.0, NULL_PLAYTESTS))) <= 0.05 * NULL_PLAYTESTS
    assert sum(map(bool, find_alarms(spread, 1.0, POWER_PLAYTESTS))) >= 0.8 * POWER_PLAYTESTS


def test_the_value_of_a_table_is_the_mean_of_its_answers() -> None:
    assert scale_answers([1, 1]) == 0
    assert scale_answers([5]) == 1
    assert scale_answers([2, 3, 4]) == 0.5


def test_figures_have_the_interval_of_student() -> None:
    """The quantiles are those of a printed table."""
    for freedom, quantile in ((3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)):
        assert compute_t_quantile(freedom) == pytest.approx(quantile, rel=0.01)
    few = estimate_mean([1.0, 2.0, 3.0])
    assert (few.value, few.low, few.high) == (2.0, None, None)
    more = estimate_mean([1.0, 2.0, 3.0, 4.0, 5.0])
    assert more.low == pytest.approx(3 - 2.776 * math.sqrt(2.5 / 5), rel=0.01)
    figures = estimate_figures([PlayedMatch(2, {"decisions": 10.0}), PlayedMatch(3, {"decisions": 20.0, "margin": 4})])
    assert {name: figure.value for name, figure in figures.items()} == {"decisions": 15.0, "margin": 4.0}
