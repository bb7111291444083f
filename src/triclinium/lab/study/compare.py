"""Comparison of editions deal by deal, joint verdicts on all headline figures, and the stopping rule."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from triclinium.lab.study import statistics
from triclinium.lab.study.figures import FIGURE_KINDS, FIGURES, MeasuredArm, get_minimum_difference, select_place
from triclinium.lab.study.plan import StudyPlan
from triclinium.lab.study.statistics import CONFIDENCE, SIGNIFICANCE, Estimate

SAME, SMALL, RISES, FALLS, UNDECIDED = "same", "small", "rises", "falls", "open"
BOTH_KINDS, ONE_KIND, DISAGREE, UNCHECKED = "both", "one", "disagree", ""
FUTILITY_LEVEL = 0.05


@dataclass(frozen=True)
class Difference:
    """A difference of one figure between an edition and the control edition, over the deals that both played."""

    figure: str
    edition: int
    before: Estimate
    after: Estimate
    alone: Estimate  # difference with its own interval
    family: Estimate  # difference with an interval that is valid for all figures together and decides the verdict
    p: float  # Bonferroni-adjusted p-value: below 5% where the family interval excludes 0
    band: float
    verdict: str
    needed: int  # deals that would settle the figure in 80 of 100 studies; 0 if all deals differ equally
    saved: float  # share of the variance that shared deals remove
    correlation: float
    check: Estimate | None  # the same difference with the check bots
    agrees: str
    settled: bool


@dataclass(frozen=True)
class RawDifference:
    """A difference before it is judged together with all others."""

    figure: str
    edition: int
    before: Estimate
    after: Estimate
    deal_differences: list[float]
    deviations: tuple[float, float]
    min_difference: float
    check: Estimate | None
    distinct_share: float = 1.0  # effective share of distinct deals


def compute_interval_widening(plan: StudyPlan, deals: int) -> float:
    """Return the factor by which an interim analysis after this many deals widens every interval."""
    if plan.open_ended:
        return statistics.compute_sequence_widening(deals, plan.deals)
    return statistics.compute_interim_widening(plan.looks, min(1.0, deals / plan.deals))


def compare_editions(plan: StudyPlan, arms: Sequence[MeasuredArm], deals: int) -> list[Difference]:
    """Compare every later edition with the control edition in all headline figures.

    With a single edition, compare its places with a fair share.
    """
    main = [arm for arm in arms if arm.played.arm.is_main]
    check = {arm.played.arm.edition: arm for arm in arms if arm.played.arm.check}
    raw = (
        _compute_edition_differences(plan, main, check)
        if len(main) > 1
        else _compute_place_differences(plan, main[0], check.get(0))
    )
    return decide_verdicts(raw, compute_interval_widening(plan, deals), min(1.0, deals / plan.deals))


def list_headline_figures(measured: MeasuredArm, main: str = "") -> list[str]:
    """Return the figures that decide a study, the main one first."""
    usual = [kind.id for kind in FIGURES if kind.headline and kind.id in measured.figures]
    return [main, *(figure for figure in usual if figure != main)] if main in measured.figures else usual


def _compute_edition_differences(
    plan: StudyPlan, main: Sequence[MeasuredArm], check: Mapping[int, MeasuredArm]
) -> list[RawDifference]:
    raw_differences: list[RawDifference] = []
    first = main[0]
    for other in main[1:]:
        edition = other.played.arm.edition
        for figure in list_headline_figures(first, plan.main):
            printed = first.estimate(figure)
            min_difference = get_minimum_difference(figure, printed.value, plan.detect, dict(plan.bands))
            checked = None
            if 0 in check and edition in check:
                checked = statistics.estimate_mean(
                    compute_paired_differences(check[0], check[edition], figure),
                    distinct_share=max(check[0].distinct_share, check[edition].distinct_share),
                )
            both = (
                statistics.compute_standard_deviation(_drop_missing(first.list_deal_values(figure))),
                _compute_figure_deviation(other, figure),
            )
            deal_differences = compute_paired_differences(first, other, figure)
            # A pair of matches is distinct if at least one of them is.
            distinct_share = max(first.distinct_share, other.distinct_share)
            raw_differences.append(
                RawDifference(
                    figure,
                    edition,
                    printed,
                    other.estimate(figure),
                    deal_differences,
                    both,
                    min_difference,
                    checked,
                    distinct_share,
                )
            )
    return raw_differences


def _compute_place_differences(plan: StudyPlan, only: MeasuredArm, check: MeasuredArm | None) -> list[RawDifference]:
    raw_differences: list[RawDifference] = []
    fair = 1 / plan.seats
    for place in range(plan.seats if plan.seats > 2 else 1):
        shares = only.played.compute_deal_means(select_place(only.played, only.played.share, place))
        checked = None
        if check is not None:
            values = check.played.compute_deal_means(select_place(check.played, check.played.share, place))
            checked = statistics.estimate_mean([value - fair for value in values], distinct_share=check.distinct_share)
        even = Estimate(fair, fair, fair, 0, 0.0)
        deal_differences = [share - fair for share in shares]
        deviations = (statistics.compute_standard_deviation(shares), 0.0)
        raw = RawDifference(
            f"place {place}",
            0,
            even,
            only.estimate_place_wins(place),
            deal_differences,
            deviations,
            plan.detect,
            checked,
            only.distinct_share,
        )
        raw_differences.append(raw)
    return raw_differences


def compute_paired_differences(first: MeasuredArm, other: MeasuredArm, figure: str) -> list[float]:
    """Return other minus first for each deal where both have a value."""
    both = zip(first.list_deal_values(figure), other.list_deal_values(figure), strict=False)
    return [b - a for a, b in both if a == a and b == b]


def _drop_missing(values: Sequence[float]) -> list[float]:
    return [value for value in values if value == value]


def _compute_figure_deviation(measured: MeasuredArm, figure: str) -> float:
    return statistics.compute_standard_deviation(_drop_missing(measured.list_deal_values(figure)))


def compute_family_confidence(figures: int) -> float:
    """Return the confidence level of each interval with which all of them together hold in 95 of 100 studies."""
    return 1 - SIGNIFICANCE / max(1, figures)


def decide_verdicts(raw: Sequence[RawDifference], widening: float, fraction: float) -> list[Difference]:
    """Return the differences with verdicts that are valid for all of them together."""
    confidence = compute_family_confidence(len(raw))
    alone = [
        statistics.estimate_mean(difference.deal_differences, CONFIDENCE, widening, difference.distinct_share)
        for difference in raw
    ]
    family = [
        statistics.estimate_mean(difference.deal_differences, confidence, widening, difference.distinct_share)
        for difference in raw
    ]
    ps = [min(1.0, len(raw) * _compute_p_value(estimate, widening)) for estimate in alone]
    return [
        _make_difference(difference, alone[i], family[i], ps[i], fraction, confidence)
        for i, difference in enumerate(raw)
    ]


def _compute_p_value(estimate: Estimate, widening: float) -> float:
    """Return the p-value of an estimate, corrected for interim analyses."""
    if estimate.n < 2:
        return 1.0
    if estimate.error == 0:
        return 1.0 if estimate.value == 0 else 0.0
    return statistics.compute_two_sided_p(estimate.value / estimate.error / widening, estimate.n)


def _make_difference(
    raw: RawDifference, alone: Estimate, family: Estimate, p: float, fraction: float, confidence: float
) -> Difference:
    verdict = decide_verdict(family, raw.min_difference)
    deviation = statistics.compute_standard_deviation(raw.deal_differences)
    z = statistics.NORMAL.inv_cdf((1 + confidence) / 2) + statistics.NORMAL.inv_cdf(statistics.POWER)
    needed = math.ceil((z * deviation / raw.min_difference) ** 2)
    separate_variance = raw.deviations[0] ** 2 + raw.deviations[1] ** 2
    a, b = raw.deviations
    return Difference(
        figure=raw.figure,
        edition=raw.edition,
        before=raw.before,
        after=raw.after,
        alone=alone,
        family=family,
        p=p,
        band=raw.min_difference,
        verdict=verdict,
        needed=needed,
        saved=1 - deviation**2 / separate_variance if separate_variance and b else 0.0,
        correlation=(separate_variance - deviation**2) / (2 * a * b) if a and b else 0.0,
        check=raw.check,
        agrees=check_agreement(verdict, raw.check, raw.min_difference),
        settled=verdict != UNDECIDED or _is_futile(family, fraction, raw.min_difference, confidence),
    )


def decide_verdict(family: Estimate, min_difference: float) -> str:
    """Return the verdict for an interval. An interval within the minimum difference is small even if it excludes 0."""
    if -min_difference <= family.low and family.high <= min_difference:
        return SMALL if family.excludes_zero else SAME
    if family.excludes_zero:
        return RISES if family.low > 0 else FALLS
    return UNDECIDED


def check_agreement(verdict: str, check: Estimate | None, min_difference: float) -> str:
    """Return whether the check bots agree with a verdict."""
    if check is None or check.n == 0 or verdict == UNDECIDED:
        return UNCHECKED
    if verdict in (SAME, SMALL):
        if check.low > min_difference or check.high < -min_difference:
            return DISAGREE
        return BOTH_KINDS if -min_difference <= check.low and check.high <= min_difference else ONE_KIND
    up = verdict == RISES
    if (check.low > 0) if up else (check.high < 0):
        return BOTH_KINDS
    return DISAGREE if ((check.high < 0) if up else (check.low > 0)) else ONE_KIND


def _is_futile(family: Estimate, fraction: float, min_difference: float, confidence: float) -> bool:
    """Return whether the rest of the plan is unlikely to bring a verdict either way."""
    if fraction >= 1 or family.error == 0:
        return False
    last = family.error * math.sqrt(fraction)
    spread = last * math.sqrt(1 - fraction)
    half_width = statistics.NORMAL.inv_cdf((1 + confidence) / 2) * last
    if min_difference <= half_width:
        return False  # This plan could never settle so small a difference, so the user who asked for it gets all of it.
    rises = statistics.NORMAL.cdf((abs(family.value) - half_width) / spread)
    inside = statistics.compute_conditional_power(family.value, family.error, fraction, min_difference, confidence)
    return rises < FUTILITY_LEVEL and inside < FUTILITY_LEVEL


def can_stop(differences: Sequence[Difference]) -> bool:
    return all(difference.settled for difference in differences)


def is_share(figure: str) -> bool:
    return figure.startswith("place") or FIGURE_KINDS[figure].unit == "share"
