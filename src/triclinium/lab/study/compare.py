"""Editions against each other, deal by deal; verdicts on all headline figures at once; and when a study may stop."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from triclinium.lab.study import statistics
from triclinium.lab.study.figures import FIGURES, KINDS, Measured, band_of, of_place
from triclinium.lab.study.plan import Plan
from triclinium.lab.study.statistics import CERTAINTY, LEVEL, Estimate

SAME, SMALL, RISES, FALLS, OPEN = "same", "small", "rises", "falls", "open"
BOTH, ONE, DISAGREE, UNCHECKED = "both", "one", "disagree", ""
FUTILE = 0.05


@dataclass(frozen=True)
class Difference:
    """One figure of an edition less the same of the first edition, over the deals that both were played with."""

    figure: str
    edition: int
    before: Estimate
    after: Estimate
    alone: Estimate  # the difference with its own interval
    family: Estimate  # the difference with an interval that holds for all figures at once: the verdict goes by it
    p: float  # adjusted by Bonferroni: below 5 % where the interval excludes 0
    band: float
    verdict: str
    needed: int  # deals that would tell, in 80 of 100 studies; 0: nobody knows, since all differ alike
    saved: float  # of the variance, by sharing deals
    correlation: float
    check: Estimate | None  # the same difference with the other kind of bots
    agrees: str
    settled: bool


@dataclass(frozen=True)
class Raw:
    """A difference before the family is known."""

    figure: str
    edition: int
    before: Estimate
    after: Estimate
    apart: list[float]
    deviations: tuple[float, float]
    band: float
    check: Estimate | None
    new: float = 1.0  # the share of deals that tell anything new


def widen(plan: Plan, deals: int) -> float:
    """What looking now, after so many deals, costs every interval."""
    if plan.open_ended:
        return statistics.sequence_widening(deals, plan.deals)
    return statistics.widening(plan.looks, min(1.0, deals / plan.deals))


def differences(plan: Plan, arms: Sequence[Measured], deals: int) -> list[Difference]:
    """Every later edition against the first, in all headline figures; of a lone edition, its places against fair."""
    main = [arm for arm in arms if arm.played.arm.counts]
    check = {arm.played.arm.edition: arm for arm in arms if arm.played.arm.check}
    raw = _of_editions(plan, main, check) if len(main) > 1 else _of_places(plan, main[0], check.get(0))
    return verdicts(raw, widen(plan, deals), min(1.0, deals / plan.deals))


def headlines(measured: Measured) -> list[str]:
    return [kind.id for kind in FIGURES if kind.headline and kind.id in measured.each]


def _of_editions(plan: Plan, main: Sequence[Measured], check: Mapping[int, Measured]) -> list[Raw]:
    found: list[Raw] = []
    first = main[0]
    for other in main[1:]:
        edition = other.played.arm.edition
        for figure in headlines(first):
            printed = first.estimate(figure)
            band = band_of(figure, printed.value, plan.detect, dict(plan.bands))
            checked = None
            if 0 in check and edition in check:
                checked = statistics.mean(
                    pairs(check[0], check[edition], figure), new=max(check[0].new, check[edition].new)
                )
            both = (statistics.deviation_of(_clean(first.values(figure))), _deviation(other, figure))
            apart = pairs(first, other, figure)
            new = max(first.new, other.new)  # a pair is new if one of its matches is
            found.append(Raw(figure, edition, printed, other.estimate(figure), apart, both, band, checked, new))
    return found


def _of_places(plan: Plan, only: Measured, check: Measured | None) -> list[Raw]:
    found: list[Raw] = []
    fair = 1 / plan.seats
    for place in range(plan.seats if plan.seats > 2 else 1):
        shares = only.played.by_deal(of_place(only.played, only.played.share, place))
        checked = None
        if check is not None:
            values = check.played.by_deal(of_place(check.played, check.played.share, place))
            checked = statistics.mean([value - fair for value in values], new=check.new)
        even = Estimate(fair, fair, fair, 0, 0.0)
        apart = [share - fair for share in shares]
        deviations = (statistics.deviation_of(shares), 0.0)
        raw = Raw(f"place {place}", 0, even, only.place(place), apart, deviations, plan.detect, checked, only.new)
        found.append(raw)
    return found


def pairs(first: Measured, other: Measured, figure: str) -> list[float]:
    """Other less first, deal by deal, where both have a value."""
    both = zip(first.values(figure), other.values(figure), strict=False)
    return [b - a for a, b in both if a == a and b == b]


def _clean(values: Sequence[float]) -> list[float]:
    return [value for value in values if value == value]


def _deviation(measured: Measured, figure: str) -> float:
    return statistics.deviation_of(_clean(measured.values(figure)))


def family_certainty(figures: int) -> float:
    """Return the certainty of each interval of so many, of which all together hold in 95 of 100 studies."""
    return 1 - LEVEL / max(1, figures)


def verdicts(raw: Sequence[Raw], wider: float, fraction: float) -> list[Difference]:
    """What can be said of each difference when all are looked at together."""
    certainty = family_certainty(len(raw))
    alone = [statistics.mean(one.apart, CERTAINTY, wider, one.new) for one in raw]
    family = [statistics.mean(one.apart, certainty, wider, one.new) for one in raw]
    ps = [min(1.0, len(raw) * _p(estimate, wider)) for estimate in alone]
    return [_difference(one, alone[i], family[i], ps[i], fraction, certainty) for i, one in enumerate(raw)]


def _p(estimate: Estimate, wider: float) -> float:
    """The p-value as a look makes it."""
    if estimate.n < 2:
        return 1.0
    if estimate.error == 0:
        return 1.0 if estimate.value == 0 else 0.0
    return statistics.two_sided(estimate.value / estimate.error / wider, estimate.n)


def _difference(raw: Raw, alone: Estimate, family: Estimate, p: float, fraction: float, certainty: float) -> Difference:
    verdict = verdict_of(family, raw.band)
    deviation = statistics.deviation_of(raw.apart)
    z = statistics.NORMAL.inv_cdf((1 + certainty) / 2) + statistics.NORMAL.inv_cdf(statistics.POWER)
    needed = math.ceil((z * deviation / raw.band) ** 2)
    apart = raw.deviations[0] ** 2 + raw.deviations[1] ** 2
    a, b = raw.deviations
    return Difference(
        figure=raw.figure,
        edition=raw.edition,
        before=raw.before,
        after=raw.after,
        alone=alone,
        family=family,
        p=p,
        band=raw.band,
        verdict=verdict,
        needed=needed,
        saved=1 - deviation**2 / apart if apart and b else 0.0,
        correlation=(apart - deviation**2) / (2 * a * b) if a and b else 0.0,
        check=raw.check,
        agrees=agreement(verdict, raw.check, raw.band),
        settled=verdict != OPEN or _is_futile(family, fraction, raw.band, certainty),
    )


def verdict_of(family: Estimate, band: float) -> str:
    """Return the verdict that an interval stands for. Inside the band comes first: certainty is not size."""
    if -band <= family.low and family.high <= band:
        return SMALL if family.excludes_zero else SAME
    if family.excludes_zero:
        return RISES if family.low > 0 else FALLS
    return OPEN


def agreement(verdict: str, check: Estimate | None, band: float) -> str:
    """What the other kind of bots says of it."""
    if check is None or check.n == 0 or verdict == OPEN:
        return UNCHECKED
    if verdict in (SAME, SMALL):
        if check.low > band or check.high < -band:
            return DISAGREE
        return BOTH if -band <= check.low and check.high <= band else ONE
    up = verdict == RISES
    if (check.low > 0) if up else (check.high < 0):
        return BOTH
    return DISAGREE if ((check.high < 0) if up else (check.low > 0)) else ONE


def _is_futile(family: Estimate, fraction: float, band: float, certainty: float) -> bool:
    """Whether the rest of the plan will hardly bring a verdict either way."""
    if fraction >= 1 or family.error == 0:
        return False
    last = family.error * math.sqrt(fraction)
    spread = last * math.sqrt(1 - fraction)
    told = statistics.NORMAL.inv_cdf((1 + certainty) / 2) * last
    if band <= told:
        return False  # the plan was never sharp enough for the band: whoever asked for it wants the whole of it
    rises = statistics.NORMAL.cdf((abs(family.value) - told) / spread)
    inside = statistics.conditional_power(family.value, family.error, fraction, band, certainty)
    return rises < FUTILE and inside < FUTILE


def may_stop(found: Sequence[Difference]) -> bool:
    return all(one.settled for one in found)


def is_share(figure: str) -> bool:
    return figure.startswith("place") or KINDS[figure].unit == "share"
