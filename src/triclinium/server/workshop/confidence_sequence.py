"""A confidence sequence for a mean difference: an interval that stays valid for any number of interim analyses.

For each possible mean difference m, two gamblers bet in each round that the next difference lies above m, or below it.
If m is true, no strategy makes their capital grow on average, so it reaches 20 times the stake in at most 5% of all
playtests (Ville's inequality). The interval contains every m against which neither gambler has won this much. The
stakes follow the variance so far. This is the hedged capital process of Waudby-Smith and Ramdas (2024), for
differences between -1 and 1.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

ALPHA: Final = 0.05  # the largest probability that an interval ever misses the true mean
MAX_STAKE: Final = 0.9  # largest bet, as a share of the stake with which the worst difference loses the whole capital
GRID: Final = tuple(n / 400 for n in range(-400, 401))  # the mean differences that are tested
PRIOR_VARIANCE: Final = 0.25  # variance that is assumed at first, with the weight of one difference


@dataclass(frozen=True, slots=True)
class DifferenceEstimate:
    """The mean of the differences so far, with its confidence interval."""

    mean: float
    low: float
    high: float
    is_clear: bool  # whether the interval excludes zero


@lru_cache(maxsize=64)
def track_difference(differences: tuple[float, ...]) -> tuple[DifferenceEstimate, ...]:
    """Return the estimate after each difference. Intervals never grow."""
    estimates: list[DifferenceEstimate] = []
    means = list(GRID)
    up, down = [1.0] * len(means), [1.0] * len(means)
    stakes = choose_stakes(differences)
    total = 0.0
    for n, (difference, stake) in enumerate(zip(differences, stakes, strict=True), start=1):
        total += difference
        for i, mean in enumerate(means):
            up[i] *= 1 + limit_stake(stake, mean) * (difference - mean)
            down[i] *= 1 - limit_stake(stake, -mean) * (difference - mean)
        possible = [i for i in range(len(means)) if max(up[i], down[i]) < 2 / ALPHA]
        if possible:  # the capital is monotone in the mean, so the possible means are next to each other
            first, last = possible[0], possible[-1] + 1
            means, up, down = means[first:last], up[first:last], down[first:last]
        low, high = max(-1.0, means[0] - 1 / 400), min(1.0, means[-1] + 1 / 400)
        estimates.append(DifferenceEstimate(total / n, low, high, not means[0] <= 0 <= means[-1]))
    return tuple(estimates)


def find_alarm(differences: Sequence[float], cap: float = MAX_STAKE) -> int:
    """Return the number of differences after which zero is first excluded, or 0 if it never is."""
    up = down = 1.0
    for n, (difference, stake) in enumerate(zip(differences, choose_stakes(differences), strict=True), start=1):
        bet = limit_stake(stake, 0.0, cap)
        up *= 1 + bet * difference
        down *= 1 - bet * difference
        if max(up, down) >= 2 / ALPHA:
            return n
    return 0


def limit_stake(stake: float, mean: float, cap: float = MAX_STAKE) -> float:
    """Return the stake of the gambler who bets on differences above this mean."""
    return min(stake, cap / (1 + mean)) if mean > -1 else stake


def choose_stakes(differences: Sequence[float]) -> Iterator[float]:
    """Yield the uncapped stake for each difference, computed from the earlier differences."""
    total = squares = 0.0
    for n, difference in enumerate(differences, start=1):
        variance = (PRIOR_VARIANCE + max(0.0, squares - total * total / max(1, n - 1))) / n
        yield math.sqrt(2 * math.log(2 / ALPHA) / (n * math.log(1 + n) * variance))
        total += difference
        squares += difference * difference
