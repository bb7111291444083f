"""Tests of the statistics of studies against textbook values and simulation."""

import math

import numpy as np
import pytest

from triclinium.lab.study import statistics
from triclinium.lab.study.screening import build_hadamard_matrix, fit_least_squares, make_design


def test_quantiles_of_students_t_match_tables() -> None:
    """The two-sided 95% and 99% quantiles agree with a table of Student's t."""
    for freedom, p95, p99 in ((1, 12.706, 63.657), (4, 2.776, 4.604), (9, 2.262, 3.250), (30, 2.042, 2.750)):
        assert statistics.compute_t_quantile(0.975, freedom + 1) == pytest.approx(p95, abs=0.001)
        assert statistics.compute_t_quantile(0.995, freedom + 1) == pytest.approx(p99, abs=0.001)
    assert statistics.compute_t_quantile(0.975, 1000) == pytest.approx(1.95996, abs=1e-5)
    assert statistics.compute_student_tail(2.228, 10) == pytest.approx(0.05, abs=1e-4)


def test_a_mean_has_students_interval() -> None:
    """Student's sleep data have mean 1.58 and an interval from 0.70 to 2.46 (Student 1908).

    The p-value of group 2 minus group 1 is 0.0028.
    """
    extra = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
    one = statistics.estimate_mean(extra)
    assert (one.value, one.low, one.high) == pytest.approx((1.58, 0.7001142, 2.4598858), abs=1e-6)
    assert statistics.compute_two_sided_p(one.value / one.error, one.n) == pytest.approx(0.002833, abs=1e-6)


def test_a_share_has_wilsons_interval() -> None:
    """81 of 263 have an interval from 0.2553 to 0.3662 (Newcombe 1998, table I, method 3).

    Even 50 of 50 is not certain.
    """
    one = statistics.estimate_share(81 / 263, 263)
    assert (one.low, one.high) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert statistics.estimate_share(1.0, 50).low == pytest.approx(0.9287, abs=1e-4)
    assert statistics.estimate_share(0.0, 0)[:3] == (0.0, 0.0, 1.0)


def test_long_lists_use_benjamini_hochberg() -> None:
    """Benjamini and Hochberg's example of fifteen p-values gives four significant ones (1995, section 4).

    The level is 5%. By Bonferroni three are significant.
    """
    ps = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.3240,
        0.4262,
        0.5719,
        0.6528,
        0.7590,
        1.0,
    ]
    assert [p < 0.05 for p in statistics.benjamini_hochberg(ps)] == [True] * 4 + [False] * 11
    assert [p * len(ps) < 0.05 for p in ps] == [True] * 3 + [False] * 12


@pytest.mark.parametrize("looks", [1, 3, 5, 8])
def test_all_interim_analyses_together_err_in_five_percent(looks: int) -> None:
    """With O'Brien and Fleming's bounds, 5% of 40,000 studies without effect cross one at any interim analysis."""
    steps = np.random.Generator(np.random.PCG64(7)).standard_normal((40_000, looks))
    z = np.cumsum(steps, axis=1) / np.sqrt(np.arange(1, looks + 1))
    bounds = [
        statistics.OBRIEN_FLEMING_BOUNDS[0] * statistics.compute_interim_widening(looks, k / looks)
        for k in range(1, looks + 1)
    ]
    wrong = (np.abs(z) > bounds).any(axis=1).mean()
    assert wrong == pytest.approx(0.05, abs=0.004)


def test_an_open_ended_study_rarely_errs() -> None:
    """With the mixture sequence checked every 20 deals, fewer than 5% of 2,000 studies without effect cross it."""
    steps = np.random.Generator(np.random.PCG64(7)).standard_normal((2000, 4000))
    at = np.arange(20, 4001, 20)
    z = np.cumsum(steps, axis=1)[:, at - 1] / np.sqrt(at)
    bounds = np.array([1.96 * statistics.compute_sequence_widening(int(n), 4000) for n in at])
    assert 0.0 < (np.abs(z) > bounds).any(axis=1).mean() < 0.05


def test_the_needed_number_of_deals_is_computed() -> None:
    """Two shares near one half that differ by 5 points need 1,568 deals each for a power of 80% (Fleiss)."""
    deviation = math.sqrt(2 * 0.25)
    assert statistics.count_deals_to_detect(deviation, 0.05) == pytest.approx(1570, abs=3)
    assert statistics.power(0.05, deviation / math.sqrt(1570)) == pytest.approx(0.8, abs=0.001)
    assert statistics.count_deals_to_detect(deviation, 0.05, 5) > statistics.count_deals_to_detect(deviation, 0.05)
    assert statistics.count_deals_to_exclude(deviation, 0.05) > statistics.count_deals_to_detect(deviation, 0.05)


def test_the_remaining_time_of_a_plan_is_estimated() -> None:
    """By conditional power, a difference in the middle of a wide band will stay there."""
    assert statistics.compute_conditional_power(0.0, 0.01, 0.5, 0.1) > 0.99
    assert statistics.compute_conditional_power(0.2, 0.01, 0.5, 0.1) < 0.01
    assert statistics.compute_conditional_power(0.0, 0.01, 1.0, 0.1) == 0.0


def test_least_squares_are_those_of_a_textbook() -> None:
    """For x 1 to 5 and y 2, 4, 5, 4, 5 the slope and its error are 0.6 and 0.2828."""
    slopes, errors, freedom = fit_least_squares(np.array([[1.0], [2], [3], [4], [5]]), np.array([2.0, 4, 5, 4, 5]))
    assert (slopes[0], errors[0]) == pytest.approx((0.6, 0.28284), abs=1e-5)
    assert freedom == 3


def test_a_screening_sets_every_number_high_as_often_as_low() -> None:
    """Columns of a Hadamard plan and its mirror are balanced and not confounded."""
    assert (build_hadamard_matrix(7) @ build_hadamard_matrix(7).T == 8 * np.eye(8)).all()
    rows = make_design(7, 32, seed=3)
    assert rows.shape == (32, 7)
    assert (rows.sum(axis=0) == 0).all()
    assert (rows.T @ rows == 32 * np.eye(7)).all()


def test_a_mean_of_shares_stays_within_its_bounds() -> None:
    """Binary shares have Wilson's interval, and other shares one by log odds.

    For a share of 0.9 with an error of 0.1 the interval is 0.50 to 0.99: ln 9 = 2.1972 minus and plus 1.96 x 0.1 / 0.09
    = 2.1778.
    """
    assert statistics.estimate_mean_share([1.0] * 50) == statistics.estimate_share(1.0, 50)
    assert statistics.estimate_mean_share([0.5] * 50).method == statistics.WILSON
    values = [0.9 - 2 * 0.9, 0.9 + 2 * 0.9] * 162  # mean 0.9 and standard deviation 1.8, so an error of 0.1
    one = statistics.estimate_mean_share(values)
    assert one.error == pytest.approx(0.1, abs=0.001)
    assert (one.low, one.high) == pytest.approx((0.505, 0.9876), abs=0.001)
    few = statistics.estimate_mean_share([0.95, 1.0, 1.0])
    assert 0 < few.low < few.value < few.high < 1
