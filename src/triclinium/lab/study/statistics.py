"""Statistics of studies: confidence intervals, interim analyses and multiple comparisons.

Sums are exact (`math.fsum`), so that no figure depends on the order of the matches.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

NORMAL = NormalDist()
CONFIDENCE = 0.95
SIGNIFICANCE = 1 - CONFIDENCE
POWER = 0.8
LARGE_SAMPLE = 200  # sample size from which the normal distribution replaces Student's t
# O'Brien and Fleming's constants for 1 to 8 interim analyses at the two-sided level of 5% (Jennings and Turnbull, table
# 2.3).
OBRIEN_FLEMING_BOUNDS = (1.960, 1.977, 2.004, 2.024, 2.040, 2.053, 2.063, 2.072)
MEAN, WILSON, LOGIT, BOOTSTRAP, CLUSTERS = "mean", "wilson", "logit", "bootstrap", "clusters"


class Estimate(NamedTuple):
    """An estimate of a figure with its interval and the number of deals."""

    value: float
    low: float
    high: float
    n: int
    error: float  # standard error; 0 if the interval is not derived from one
    method: str = MEAN  # method of the interval

    @property
    def excludes_zero(self) -> bool:
        """Return whether the interval excludes 0, as every verdict on a difference requires."""
        return self.low > 0 or self.high < 0


def compute_exact_mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def compute_standard_deviation(values: Sequence[float]) -> float:
    """Return the standard deviation of a sample."""
    if len(values) < 2:
        return 0.0
    middle = compute_exact_mean(values)
    return math.sqrt(math.fsum((value - middle) ** 2 for value in values) / (len(values) - 1))


def compute_effective_count(n: int, distinct_share: float) -> int:
    """Return the effective sample size of ``n`` values of which only a share is distinct."""
    return max(1, round(n * distinct_share)) if n else 0


def estimate_mean(
    values: Sequence[float], confidence: float = CONFIDENCE, widening: float = 1.0, distinct_share: float = 1.0
) -> Estimate:
    """Return a mean with its confidence interval.

    ``widening`` is the factor for interim analyses, ``distinct_share`` the share of distinct values.
    """
    n = compute_effective_count(len(values), distinct_share)
    value, error = compute_exact_mean(values), compute_standard_deviation(values) / math.sqrt(max(1, n))
    half_width = compute_t_quantile((1 + confidence) / 2, n) * error * widening if n > 1 else math.inf
    return Estimate(value, value - half_width, value + half_width, n, error)


def estimate_share(share: float, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """Return a share with Wilson's interval, which stays within 0 and 1 and is valid even for 50 of 50."""
    if n == 0:
        return Estimate(0.0, 0.0, 1.0, 0, 0.0, WILSON)
    z = NORMAL.inv_cdf((1 + confidence) / 2)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half_width = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    error = math.sqrt(share * (1 - share) / n)
    low, high = min(share, max(0.0, middle - half_width)), max(share, min(1.0, middle + half_width))
    return Estimate(share, low, high, n, error, WILSON)


def estimate_mean_share(
    values: Sequence[float], confidence: float = CONFIDENCE, distinct_share: float = 1.0
) -> Estimate:
    """Return the mean of shares with an interval within 0 and 1.

    The interval is Wilson's for binary values, otherwise that of the log odds.
    """
    n = compute_effective_count(len(values), distinct_share)
    share, error = compute_exact_mean(values), compute_standard_deviation(values) / math.sqrt(max(1, n))
    if error == 0 or not 0 < share < 1 or set(values) <= {0.0, 1.0}:
        return estimate_share(min(1.0, max(0.0, share)), n, confidence)
    return estimate_log_odds(share, error, n, confidence)


def estimate_log_odds(share: float, error: float, n: int, confidence: float) -> Estimate:
    """Return a share between 0 and 1 with the interval of its log odds, which stays between them."""
    odds = math.log(share / (1 - share))
    half_width = compute_t_quantile((1 + confidence) / 2, n) * error / (share * (1 - share))
    low, high = (1 / (1 + math.exp(-max(-700.0, min(700.0, odds + sign * half_width)))) for sign in (-1, 1))
    return Estimate(share, low, high, n, error, LOGIT)


# -- Student's t, for few deals -------------------------------------------------------------------------------------


def compute_student_tail(t: float, freedom: int) -> float:
    """Return the two-sided tail probability of Student's t."""
    return _compute_incomplete_beta(freedom / (freedom + t * t), freedom / 2, 0.5)


@lru_cache(4096)
def compute_t_quantile(probability: float, n: int) -> float:
    """Return a quantile of Student's t for few values, or of the normal distribution for many."""
    normal = NORMAL.inv_cdf(probability)
    if n >= LARGE_SAMPLE or n < 2:
        return normal
    low, high = 0.0, 1e6
    for _ in range(80):
        middle = (low + high) / 2
        if 1 - compute_student_tail(middle, n - 1) / 2 < probability:
            low = middle
        else:
            high = middle
    return high


def compute_two_sided_p(z: float, n: int) -> float:
    """Return the p-value of a mean that is ``z`` standard errors from 0."""
    if n < 2 or math.isnan(z):
        return 1.0
    return compute_student_tail(abs(z), n - 1) if n < LARGE_SAMPLE else 2 * NORMAL.cdf(-abs(z))


def _compute_incomplete_beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, by Lentz's continued fraction."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _compute_incomplete_beta(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    tiny = 1e-300
    c, d = 1.0, 1 / max(tiny, 1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 400):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + term * d or tiny)
            c = 1 + term / c or tiny
            fraction *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return front * fraction / a


# -- interim analyses --------------------------------------------------------------------------------------------------


def compute_interim_widening(analyses: int, fraction: float) -> float:
    """Return the factor by which an interim analysis at this fraction of a plan widens an interval.

    These are the O'Brien-Fleming bounds for 5% divided by 1.96. For the smaller levels of multiple figures they are
    slightly conservative.
    """
    return OBRIEN_FLEMING_BOUNDS[analyses - 1] / OBRIEN_FLEMING_BOUNDS[0] / math.sqrt(fraction)


def compute_sequence_widening(n: int, planned: int, confidence: float = CONFIDENCE) -> float:
    """Return the factor for an open-ended study, which may be analysed after any deal.

    It is the bound of a mixture of normal effects, tightest at the planned number of deals.
    """
    rho = planned / (2 * math.log(2 / (1 - confidence)) + 1)
    z = math.sqrt((1 + rho / n) * (2 * math.log(1 / (1 - confidence)) + math.log(1 + n / rho)))
    return z / NORMAL.inv_cdf((1 + confidence) / 2)


def list_interim_deals(deals: int, analyses: int) -> list[int]:
    """Return the numbers of deals after which the interim analyses are made."""
    return [max(1, math.ceil(deals * k / analyses)) for k in range(1, analyses + 1)]


def compute_conditional_power(
    estimate: float, error: float, fraction: float, min_difference: float, confidence: float = CONFIDENCE
) -> float:
    """Return the probability of a final interval within the minimum difference, if the current estimate is true."""
    if fraction >= 1:
        return 0.0
    last = error * math.sqrt(fraction)  # standard error after all planned deals
    spread = last * math.sqrt(1 - fraction)
    room = min_difference - NORMAL.inv_cdf((1 + confidence) / 2) * last
    if room <= 0 or spread <= 0:
        return 0.0
    return NORMAL.cdf((room - estimate) / spread) - NORMAL.cdf((-room - estimate) / spread)


# -- multiple comparisons ----------------------------------------------------------------------------------------------


def benjamini_hochberg(ps: Sequence[float]) -> list[float]:
    """Return p-values adjusted for a long list, so that only few of the significant results are false."""
    adjusted = [1.0] * len(ps)
    best = 1.0
    for rank, i in reversed(list(enumerate(sorted(range(len(ps)), key=lambda i: ps[i]), start=1))):
        best = min(best, len(ps) * ps[i] / rank)
        adjusted[i] = best
    return adjusted


class AdjustedContrast(NamedTuple):
    """A contrast of a long list: its own interval, the interval adjusted for the list, and the adjusted p-value."""

    alone: Estimate
    family: Estimate
    p: float


def adjust_contrasts(contrasts: Sequence["Contrast"]) -> list[AdjustedContrast]:
    """Return the contrasts with intervals that exclude 0 exactly where Benjamini and Hochberg find significance.

    These are the intervals of Benjamini and Yekutieli (2005): at most 5% of the significant ones miss the truth.
    """
    ps = benjamini_hochberg([contrast.p for contrast in contrasts])
    called = sum(p < SIGNIFICANCE for p in ps)
    confidence = 1 - SIGNIFICANCE * max(1, called) / max(1, len(ps))
    return [
        AdjustedContrast(contrast.estimate_interval(), contrast.estimate_interval(confidence), p)
        for contrast, p in zip(contrasts, ps, strict=True)
    ]


# -- clusters -------------------------------------------------------------------------------------------------------


class Contrast(NamedTuple):
    """A difference with its cluster-robust standard error; the clusters are deals."""

    value: float
    error: float
    deals: int
    informative: int  # deals on the smaller side, which give the degrees of freedom of Student's t

    @property
    def p(self) -> float:
        if self.error == 0 or self.informative < 2:
            return 0.0 if self.value and self.informative > 1 else 1.0
        return compute_two_sided_p(self.value / self.error, self.informative)

    def estimate_interval(self, confidence: float = CONFIDENCE) -> Estimate:
        half_width = (
            compute_t_quantile((1 + confidence) / 2, self.informative) * self.error
            if self.informative > 1
            else math.inf
        )
        return Estimate(self.value, self.value - half_width, self.value + half_width, self.deals, self.error, CLUSTERS)


class DealSums(NamedTuple):
    """Integer sums over deals: the columns, and the products of every pair of columns.

    Integer sums are exact, so that no figure depends on the order of the rows.
    """

    deals: int
    totals: Sequence[int]
    products: Sequence[Sequence[int]]  # upper triangle: row i begins with the square of column i

    def compute_weighted_square_sum(self, weights: Sequence[int]) -> int:
        """Return the sum over deals of the squared weighted sum of the columns."""
        total = 0
        for i, row in enumerate(self.products):
            for j, product in enumerate(row, start=i):
                total += weights[i] * weights[j] * product * (1 if i == j else 2)
        return total


def estimate_ratio(sums: DealSums, numerator: int, denominator: int, deals: int, scale: int = 1) -> tuple[float, float]:
    """Return the ratio of two columns and its cluster-robust error; ``scale`` divides the first column.

    ``deals`` is the number of deals with a nonzero second column.
    """
    a, b = sums.totals[numerator], sums.totals[denominator]
    weights = [0] * len(sums.totals)
    weights[numerator], weights[denominator] = b, -a
    return a / (scale * b), _compute_clustered_error(sums.compute_weighted_square_sum(weights), deals) / (scale * b * b)


def estimate_clustered_share(sums: DealSums, numerator: int, denominator: int, deals: int, scale: int = 1) -> Estimate:
    """Return the ratio of two columns as a share with its 95% interval, clustered by deal, within 0 and 1."""
    if deals == 0:
        return estimate_share(0.0, 0)
    share, error = estimate_ratio(sums, numerator, denominator, deals, scale)
    share = min(1.0, max(0.0, share))
    if not 0 < share < 1:
        return estimate_share(share, deals)
    return estimate_log_odds(share, error, deals, CONFIDENCE)._replace(method=CLUSTERS)


def estimate_ratio_difference(sums: DealSums, sides: tuple[int, int], scale: int) -> Contrast:
    """Return the ratio of columns 0 and 1 minus that of columns 2 and 3.

    ``sides`` gives the number of deals with rows of each ratio.
    """
    y1, x1, y0, x0 = sums.totals
    weights = (x1 * x0 * x0, -y1 * x0 * x0, -x1 * x1 * x0, y0 * x1 * x1)
    error = _compute_clustered_error(sums.compute_weighted_square_sum(weights), min(sides)) / (
        scale * x1 * x1 * x0 * x0
    )
    return Contrast((y1 * x0 - y0 * x1) / (scale * x1 * x0), error, sums.deals, min(sides))


def _compute_clustered_error(squares: int, deals: int) -> float:
    return math.sqrt(squares * deals / (deals - 1)) if deals > 1 else 0.0


# -- sample sizes ------------------------------------------------------------------------------------------------------


def power(effect: float, error: float, confidence: float = CONFIDENCE) -> float:
    """Return the probability of detecting a true effect of this size."""
    if error <= 0:
        return 1.0
    z = NORMAL.inv_cdf((1 + confidence) / 2)
    return NORMAL.cdf(effect / error - z) + NORMAL.cdf(-effect / error - z)


def count_deals_to_detect(deviation: float, effect: float, analyses: int = 1, confidence: float = CONFIDENCE) -> int:
    """Return the number of deals that detects an effect in 80 of 100 studies; ``deviation`` is that of one deal."""
    stricter = NORMAL.inv_cdf((1 + confidence) / 2) / NORMAL.inv_cdf((1 + CONFIDENCE) / 2)
    z = OBRIEN_FLEMING_BOUNDS[analyses - 1] * stricter + NORMAL.inv_cdf(POWER)
    return math.ceil((z * deviation / effect) ** 2)


def count_deals_to_exclude(deviation: float, min_difference: float, analyses: int = 1) -> int:
    """Return the number of deals needed to exclude a difference of the minimum size.

    With it, 80% of studies of two equal editions exclude such a difference.
    """
    z = OBRIEN_FLEMING_BOUNDS[analyses - 1] + NORMAL.inv_cdf((1 + POWER) / 2)
    return math.ceil((z * deviation / min_difference) ** 2)
