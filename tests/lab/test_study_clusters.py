"""Tests of errors with deals as clusters: against the definition, and in studies without effects."""

from collections.abc import Callable
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.slow import slow
from triclinium.lab.study import statistics
from triclinium.lab.study.choices import CONTRAST_COLUMNS, RATE_COLUMNS, WHOLE_WIN, _make_option
from triclinium.lab.study.clusters import read_deal_sums
from triclinium.lab.study.statistics import Contrast

Counts = NDArray[np.int64]
Takers = Callable[[np.random.Generator, Counts], NDArray[np.bool_]]

MATCHES = 400


def row_of(won: Counts, took: NDArray[np.bool_]) -> dict[str, Any]:
    """Return a row of the tables of a study. In the arrays, rows are deals and columns are seats."""
    sides = ((won * took).sum(axis=1), took.sum(axis=1), (won * ~took).sum(axis=1), (~took).sum(axis=1))
    columns = dict(zip(CONTRAST_COLUMNS, sides, strict=True)) | dict(
        zip(RATE_COLUMNS, (sides[1] + sides[3], sides[1]), strict=True)
    )
    row: dict[str, Any] = {"step": "", "option": "", "deals": len(won)}
    row |= {"deals_taken": int((sides[1] > 0).sum()), "deals_left": int((sides[3] > 0).sum())}
    row |= {name: int(column.sum()) for name, column in columns.items()}
    for group in (RATE_COLUMNS, CONTRAST_COLUMNS):
        for a, b in combinations_with_replacement(group, 2):
            row[f"{a}*{b}"] = int((columns[a] * columns[b]).sum())
    return row


def shares_of(rng: np.random.Generator, seats: int, matches: int, favoured: float) -> Counts:
    """Return shares of the win in sixtieths, with an advantage for the first seat and some shared wins."""
    odds = np.array([favoured] + [1.0] * (seats - 1))
    winner = rng.choice(seats, size=matches, p=odds / odds.sum())
    won = np.zeros((matches, seats), np.int64)
    every = np.arange(matches)
    shared = rng.random(matches) < 0.05
    won[every, winner] = np.where(shared, WHOLE_WIN // 2, WHOLE_WIN)
    won[every[shared], (winner[shared] + 1) % seats] = WHOLE_WIN // 2
    return won


def contrast_of(row: dict[str, Any]) -> Contrast:
    found = _make_option(row)[1]
    assert found is not None
    return found


def draw_one_taker(rng: np.random.Generator, order: Counts) -> NDArray[np.bool_]:
    return np.equal(order, np.zeros(1, np.int64))


def any_number(rng: np.random.Generator, order: Counts) -> NDArray[np.bool_]:
    most: Counts = rng.integers(0, order.shape[1] + 1, size=(len(order), 1))
    fewer: NDArray[np.bool_] = order < most
    return fewer


def draw_each_independently(rng: np.random.Generator, order: Counts) -> NDArray[np.bool_]:
    return rng.random(order.shape) < 0.3


CASES = [(seats, 1.0, draw_one_taker) for seats in (2, 3, 4, 5)]
OTHERS = [
    (seats, odds, takers)
    for takers in (draw_one_taker, any_number, draw_each_independently)
    for odds in (1.0, 2.5)
    for seats in (2, 3, 4, 5)
]


@pytest.mark.parametrize(("seats", "favoured", "takers"), [*CASES, *OTHERS[5::6]])
def test_options_without_effect_are_flagged_in_five_percent(seats: int, favoured: float, takers: Takers) -> None:
    """300 trials have an error of 1.3 points."""
    assert 0.015 <= share_called(seats, favoured, takers, 300) <= 0.085


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "favoured", "takers"), [*CASES, *OTHERS])
def test_options_without_effect_are_flagged_in_four_to_six_percent(seats: int, favoured: float, takers: Takers) -> None:
    assert 0.04 <= share_called(seats, favoured, takers, 3000) <= 0.06


def share_called(seats: int, favoured: float, takers: Takers, trials: int) -> float:
    """Return the share of trials of 400 matches with p < 0.05."""
    rng = np.random.default_rng(100 * seats + 8)
    order = np.tile(np.arange(seats), (MATCHES, 1))
    called = 0
    for _ in range(trials):
        won = shares_of(rng, seats, MATCHES, favoured)
        called += contrast_of(row_of(won, takers(rng, rng.permuted(order, axis=1)))).p < 0.05
    return called / trials


def check_one_trial(seats: int, favoured: float, takers: Takers) -> None:
    """Compare one trial with the definition: the residuals of each deal, added up, squared and summed."""
    rng = np.random.default_rng(seats)
    won = shares_of(rng, seats, MATCHES, favoured)
    took = takers(rng, rng.permuted(np.tile(np.arange(seats), (MATCHES, 1)), axis=1))
    found = contrast_of(row_of(won, took))
    share = won / WHOLE_WIN
    a, b = share[took].mean(), share[~took].mean()
    scores = np.where(took, (share - a) / took.sum(), -(share - b) / (~took).sum()).sum(axis=1)
    clusters = min(took.any(axis=1).sum(), (~took).any(axis=1).sum())
    assert found.value == pytest.approx(a - b)
    assert found.error == pytest.approx(float(np.sqrt((scores**2).sum() * clusters / (clusters - 1))))


def test_the_standard_error_follows_its_definition() -> None:
    for takers in (draw_one_taker, any_number, draw_each_independently):
        check_one_trial(4, 2.0, takers)


@pytest.mark.parametrize(("trials", "low", "high"), [(300, 0.915, 0.985), slow(3000, 0.94, 0.96)])
def test_a_share_of_owners_is_covered_by_its_interval(trials: int, low: float, high: float) -> None:
    """With one or several owners in a deal of three seats, 95% of the intervals contain the fair share."""
    rng, held = np.random.default_rng(4), 0
    for _ in range(trials):
        won = shares_of(rng, 3, 150, 1.0)
        row = row_of(won, any_number(rng, rng.permuted(np.tile(np.arange(3), (150, 1)), axis=1)))
        one = statistics.estimate_clustered_share(
            read_deal_sums(row, CONTRAST_COLUMNS), 0, 1, row["deals_taken"], WHOLE_WIN
        )
        held += one.low <= 1 / 3 <= one.high
    assert low <= held / trials <= high


def test_components_that_all_players_have_show_no_effect() -> None:
    """The shares of a match sum to 1. If all seats have a card, their mean is fair without any error."""
    rng = np.random.default_rng(1)
    won = shares_of(rng, 3, 50, 3.0)
    row = row_of(won, np.ones((50, 3), np.bool_))
    value, error = statistics.estimate_ratio(read_deal_sums(row, CONTRAST_COLUMNS), 0, 1, 50, WHOLE_WIN)
    assert value == pytest.approx(1 / 3)
    assert error == 0.0
    assert _make_option(row)[1] is None


def test_list_intervals_exclude_0_exactly_for_findings() -> None:
    """Benjamini and Yekutieli's intervals agree with Benjamini and Hochberg's decisions for any data."""
    rng, calls = np.random.default_rng(2), set()
    for _ in range(200):
        n = int(rng.integers(1, 40))
        shifts = rng.choice([0.0, 0.0, 2.5, -4.0], size=n) + rng.standard_normal(n)
        deals = rng.integers(2, 400, size=n)
        contrasts = [Contrast(float(z), 1.0, int(d), int(d)) for z, d in zip(shifts, deals, strict=True)]
        found = statistics.adjust_contrasts(contrasts)
        assert [one.family.excludes_zero for one in found] == [one.p < 0.05 for one in found]
        assert all(one.family.low <= one.alone.low for one in found)
        calls.add(sum(one.p < 0.05 for one in found))
    assert len(calls) > 4
