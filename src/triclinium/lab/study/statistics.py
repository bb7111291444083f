"""The arithmetic of studies: intervals of means and shares, looks that may be taken early, many verdicts at once.

Sums are exact (`math.fsum`), so that a figure does not hang on the order in which matches came in.
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
LARGE_SAMPLE = 200  # from so many on a mean's deviation is as good as known
# O'Brien and Fleming's constants for 1 to 8 looks, two-sided, 5 % (Jennings and Turnbull, table 2.3).
OBRIEN_FLEMING_BOUNDS = (1.960, 1.977, 2.004, 2.024, 2.040, 2.053, 2.063, 2.072)
MEAN, WILSON, LOGIT, BOOTSTRAP, CLUSTERS = "mean", "wilson", "logit", "bootstrap", "clusters"


class Estimate(NamedTuple):
    """A figure, its interval, and how many deals it comes from."""

    value: float
    low: float
    high: float
    n: int
    error: float  # the standard error; 0 where the interval is not made of one
    method: str = MEAN  # how the interval is made

    @property
    def excludes_zero(self) -> bool:
        """Whether 0 lies outside the interval: what every verdict on a difference goes by."""
        return self.low > 0 or self.high < 0


def compute_exact_mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def compute_standard_deviation(values: Sequence[float]) -> float:
    """The standard deviation of a sample."""
    if len(values) < 2:
        return 0.0
    middle = compute_exact_mean(values)
    return math.sqrt(math.fsum((value - middle) ** 2 for value in values) / (len(values) - 1))


def compute_effective_count(n: int, distinct_share: float) -> int:
    """As how many values so many count, of which only this share tells anything new."""
    return max(1, round(n * distinct_share)) if n else 0


def estimate_mean(
    values: Sequence[float], confidence: float = CONFIDENCE, widening: float = 1.0, distinct_share: float = 1.0
) -> Estimate:
    """Return a mean with its interval.

    ``widening`` is the price of interim analyses, ``distinct_share`` the share of new values.
    """
    n = compute_effective_count(len(values), distinct_share)
    value, error = compute_exact_mean(values), compute_standard_deviation(values) / math.sqrt(max(1, n))
    half_width = compute_t_quantile((1 + confidence) / 2, n) * error * widening if n > 1 else math.inf
    return Estimate(value, value - half_width, value + half_width, n, error)


def estimate_share(share: float, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """A share with Wilson's interval, which stays within 0 and 1 and is honest about 50 of 50."""
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
    """The mean of shares, with an interval within 0 and 1: Wilson's for yes and no, else that of the log odds."""
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
    """How likely Student's t is to lie further from 0 than this, on either side."""
    return _compute_incomplete_beta(freedom / (freedom + t * t), freedom / 2, 0.5)


@lru_cache(4096)
def compute_t_quantile(probability: float, n: int) -> float:
    """So many standard errors: Student's for few values, the normal distribution's for many."""
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
    """The p-value of a mean that lies so many standard errors from 0."""
    if n < 2 or math.isnan(z):
        return 1.0
    return compute_student_tail(abs(z), n - 1) if n < LARGE_SAMPLE else 2 * NORMAL.cdf(-abs(z))


def _compute_incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz)."""
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


# -- looks ----------------------------------------------------------------------------------------------------------


def compute_interim_widening(analyses: int, fraction: float) -> float:
    """By how much an interval is wider at a look after this fraction of a plan with so many looks.

    The bounds of O'Brien and Fleming for 5 %, over 1.96; for smaller levels, as many figures need them, it is a little
    too much, never too little.
    """
    return OBRIEN_FLEMING_BOUNDS[analyses - 1] / OBRIEN_FLEMING_BOUNDS[0] / math.sqrt(fraction)


def compute_sequence_widening(n: int, planned: int, confidence: float = CONFIDENCE) -> float:
    """The same for a study that may be looked at after any deal: a mixture of normal effects, sharpest as planned."""
    rho = planned / (2 * math.log(2 / (1 - confidence)) + 1)
    z = math.sqrt((1 + rho / n) * (2 * math.log(1 / (1 - confidence)) + math.log(1 + n / rho)))
    return z / NORMAL.inv_cdf((1 + confidence) / 2)


def list_interim_deals(deals: int, analyses: int) -> list[int]:
    """After how many deals the looks are."""
    return [max(1, math.ceil(deals * k / analyses)) for k in range(1, analyses + 1)]


def compute_conditional_power(
    estimate: float, error: float, fraction: float, min_difference: float, confidence: float = CONFIDENCE
) -> float:
    """How likely the interval at the end lies inside the band, if the truth is what it looks like now."""
    if fraction >= 1:
        return 0.0
    last = error * math.sqrt(fraction)  # the standard error when all deals are played
    spread = last * math.sqrt(1 - fraction)
    room = min_difference - NORMAL.inv_cdf((1 + confidence) / 2) * last
    if room <= 0 or spread <= 0:
        return 0.0
    return NORMAL.cdf((room - estimate) / spread) - NORMAL.cdf((-room - estimate) / spread)


# -- many verdicts at once ------------------------------------------------------------------------------------------


def benjamini_hochberg(ps: Sequence[float]) -> list[float]:
    """The p-values of a long list, adjusted so that of those called few are false."""
    adjusted = [1.0] * len(ps)
    best = 1.0
    for rank, i in reversed(list(enumerate(sorted(range(len(ps)), key=lambda i: ps[i]), start=1))):
        best = min(best, len(ps) * ps[i] / rank)
        adjusted[i] = best
    return adjusted


class AdjustedContrast(NamedTuple):
    """One contrast of a long list: its own interval, the one that holds for the list, and its adjusted p-value."""

    alone: Estimate
    family: Estimate
    p: float


def adjust_contrasts(contrasts: Sequence["Contrast"]) -> list[AdjustedContrast]:
    """Return the contrasts of a long list with intervals that exclude 0 exactly where Benjamini and Hochberg call.

    These are the intervals of Benjamini and Yekutieli (2005): of those that are called, 5 % at most miss the truth.
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
    """A difference with its cluster-robust error, deals as clusters."""

    value: float
    error: float
    deals: int
    informative: int  # deals on the side that has fewer: so many count for Student's t

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
    """Whole numbers of each deal, summed over deals: the columns, and the products of every two of them.

    Sums of whole numbers are exact, so that no figure depends on the order of the rows.
    """

    deals: int
    totals: Sequence[int]
    products: Sequence[Sequence[int]]  # the upper triangle: row i begins with the square of column i

    def compute_weighted_square_sum(self, weights: Sequence[int]) -> int:
        """Return the sum over deals of the squared weighted sum of the columns."""
        total = 0
        for i, row in enumerate(self.products):
            for j, product in enumerate(row, start=i):
                total += weights[i] * weights[j] * product * (1 if i == j else 2)
        return total


def estimate_ratio(sums: DealSums, numerator: int, denominator: int, deals: int, scale: int = 1) -> tuple[float, float]:
    """Return the ratio of two columns and its cluster-robust error; ``scale`` divides the first column.

    ``deals``: how many deals have anything in the second column.
    """
    a, b = sums.totals[numerator], sums.totals[denominator]
    weights = [0] * len(sums.totals)
    weights[numerator], weights[denominator] = b, -a
    return a / (scale * b), _compute_clustered_error(sums.compute_weighted_square_sum(weights), deals) / (scale * b * b)


def estimate_clustered_share(sums: DealSums, numerator: int, denominator: int, deals: int, scale: int = 1) -> Estimate:
    """Return the ratio of two columns as a share with its 95 % interval, clustered by deal, within 0 and 1."""
    if deals == 0:
        return estimate_share(0.0, 0)
    share, error = estimate_ratio(sums, numerator, denominator, deals, scale)
    share = min(1.0, max(0.0, share))
    if not 0 < share < 1:
        return estimate_share(share, deals)
    return estimate_log_odds(share, error, deals, CONFIDENCE)._replace(method=CLUSTERS)


def estimate_ratio_difference(sums: DealSums, sides: tuple[int, int], scale: int) -> Contrast:
    """Return the ratio of columns 0 and 1 less that of 2 and 3; ``sides``: the deals that have a row of each."""
    y1, x1, y0, x0 = sums.totals
    weights = (x1 * x0 * x0, -y1 * x0 * x0, -x1 * x1 * x0, y0 * x1 * x1)
    error = _compute_clustered_error(sums.compute_weighted_square_sum(weights), min(sides)) / (
        scale * x1 * x1 * x0 * x0
    )
    return Contrast((y1 * x0 - y0 * x1) / (scale * x1 * x0), error, sums.deals, min(sides))


def _compute_clustered_error(squares: int, deals: int) -> float:
    return math.sqrt(squares * deals / (deals - 1)) if deals > 1 else 0.0


# -- how many -------------------------------------------------------------------------------------------------------


def power(effect: float, error: float, confidence: float = CONFIDENCE) -> float:
    """How often a true effect is told from nothing."""
    if error <= 0:
        return 1.0
    z = NORMAL.inv_cdf((1 + confidence) / 2)
    return NORMAL.cdf(effect / error - z) + NORMAL.cdf(-effect / error - z)


def count_deals_to_detect(deviation: float, effect: float, analyses: int = 1, confidence: float = CONFIDENCE) -> int:
    """How many deals tell an effect from nothing in 80 of 100 studies; ``deviation`` is that of one deal."""
    stricter = NORMAL.inv_cdf((1 + confidence) / 2) / NORMAL.inv_cdf((1 + CONFIDENCE) / 2)
    z = OBRIEN_FLEMING_BOUNDS[analyses - 1] * stricter + NORMAL.inv_cdf(POWER)
    return math.ceil((z * deviation / effect) ** 2)


def count_deals_to_exclude(deviation: float, min_difference: float, analyses: int = 1) -> int:
    """How many deals show, in 80 of 100 studies of two equal editions, that no difference reaches the band."""
    z = OBRIEN_FLEMING_BOUNDS[analyses - 1] + NORMAL.inv_cdf((1 + POWER) / 2)
    return math.ceil((z * deviation / min_difference) ** 2)
