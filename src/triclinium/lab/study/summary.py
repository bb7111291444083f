"""Everything that a report shows, as plain figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from triclinium.lab.study import statistics, timeline
from triclinium.lab.study.arrays import load
from triclinium.lab.study.bans import BanReport, bans_of, focus_shares
from triclinium.lab.study.choices import Flag, Option, flags, noted, options_of
from triclinium.lab.study.compare import Difference
from triclinium.lab.study.components import ThingReport, components_of, matches_with_components
from triclinium.lab.study.deal_luck import Replayed, replayed
from triclinium.lab.study.figures import CROWD, Measured, alike, measure, of_place, unfairness
from triclinium.lab.study.plan import BAN, COMPARE, Arm, Edition, Plan
from triclinium.lab.study.runner import stop_history
from triclinium.lab.study.statistics import Estimate, mean
from triclinium.lab.study.store import Folder
from triclinium.lab.study.timeline import Told

BARS = 24  # of a histogram, at most
WIDEST = 12  # steps that the table of decisions names


@dataclass(frozen=True)
class Line:
    """Points of a group of lines: the mean of winners, of the others, and the difference."""

    group: str
    winners: float
    others: float
    apart: Estimate


@dataclass(frozen=True)
class Asked:
    """A step: how often a match asks it, and among how many options."""

    step: str
    times: float
    options: float


@dataclass(frozen=True)
class ArmReport:
    """One arm in figures."""

    arm: Arm
    deals: int
    matches: int
    noted: int  # of them, with their choices
    different: int
    faults: int
    cuts: int
    figures: Mapping[str, Estimate]
    places: Sequence[Estimate]
    unfair: Estimate
    scores: Sequence[float]  # mean points by place; none in a game without points
    lines: Sequence[Line]
    lengths: Sequence[tuple[float, int]]  # decisions in a match: the lower edge of each bar, and its height
    asked: Sequence[Asked]
    stretch: timeline.Stretch
    told: Told
    bands: Sequence[Sequence[float]]
    deal_says: Estimate  # of the squared error of equal chances, so much is gone before the first choice
    focus: Estimate  # the share of wins of the first of the bots, which a ban or a ladder asks about
    ban: BanReport | None = None  # of an arm of restricted play


@dataclass(frozen=True)
class Look:
    """The main difference at a look."""

    deals: int
    family: Estimate  # with the interval that the verdict at this look goes by
    settled: int
    of: int


@dataclass(frozen=True)
class Summary:
    """A study in figures."""

    kind: str
    title: str
    seats: int
    seed: int
    variants: Mapping[str, str]
    question: str
    version: int
    release: str
    study: str  # its hash
    planned: int
    deals: int
    matches: int
    looks_planned: int  # 0: it may be looked at as often as one likes
    stopped: bool  # before all deals that were planned
    interrupted: bool
    warning: bool  # too many matches are alike
    editions: Sequence[Edition]
    arms: Sequence[ArmReport]
    differences: Sequence[Difference]
    looks: Sequence[Look]
    course: Sequence[float]  # the main difference as deals came in, at a hundred moments
    options: Mapping[str, Sequence[Option]]  # by arm
    flags: Sequence[Flag]
    things: Sequence[ThingReport] = ()
    component_matches: int = 0  # matches of the first arm in which components were noted
    all_components: bool = False  # whether they were noted in every deal, and the page lists all
    replayed: Replayed | None = None
    refitted: bool = False
    time: dict[str, float] = field(default_factory=dict)

    @property
    def main(self) -> list[ArmReport]:
        """The arms of the first kind of bots, by edition."""
        return [one for one in self.arms if one.arm.counts]

    @property
    def check(self) -> list[ArmReport]:
        return [one for one in self.arms if one.arm.check]


def summarise(folder: Folder, deals: int, interrupted: bool = False) -> Summary:
    """The first so many deals of a study in figures."""
    plan = folder.plan
    arms = measure(load(folder, deals))
    options = _options(folder, deals)
    counts = noted(folder, deals)
    bans = bans_of(folder, arms, deals) if plan.kind == BAN else [None] * len(arms)
    reports = [_arm(plan, arm, options.get(str(i), []), counts[i], bans[i]) for i, arm in enumerate(arms)]
    history = stop_history(folder, deals, arms) if plan.kind == COMPARE else []
    last = list(history[-1][1]) if history else []
    return Summary(
        kind=plan.kind,
        title=plan.title,
        seats=plan.seats,
        seed=plan.seed,
        variants=dict(plan.variants),
        question=plan.question,
        version=plan.version,
        release=plan.release,
        study=plan.hash,
        planned=plan.deals,
        deals=deals,
        matches=sum(one.matches for one in reports),
        looks_planned=0 if plan.open_ended else plan.looks,
        stopped=not interrupted and deals < plan.deals,
        interrupted=interrupted,
        warning=any(one.different < CROWD * one.matches for one in reports),
        editions=plan.editions,
        arms=reports,
        differences=last,
        looks=[Look(at, found[0].family, sum(one.settled for one in found), len(found)) for at, found in history],
        course=_running(arms, last),
        options=options,
        flags=_flags(plan, options, reports),
        things=components_of(folder, deals) if plan.kind == COMPARE else [],
        component_matches=matches_with_components(folder, deals) if plan.kind == COMPARE else 0,
        replayed=replayed(arms, plan.seed),
        refitted=plan.refit,
        all_components=plan.all_components,
        time={"seconds": float(sum(arm.played.seconds.sum() for arm in arms))},
    )


def _options(folder: Folder, deals: int) -> dict[str, list[Option]]:
    """Of the arms that a report compares: the first two editions, and the other bots on the first."""
    plan = folder.plan
    if plan.kind != COMPARE:
        return {}
    arms = enumerate(plan.arms)
    wanted = [i for i, arm in arms if (arm.counts and arm.edition < 2) or (arm.check and arm.edition == 0)]
    return {str(i): options_of(folder, deals, i) for i in wanted}


def _flags(plan: Plan, options: Mapping[str, Sequence[Option]], reports: Sequence[ArmReport]) -> list[Flag]:
    if not options:
        return []
    check = [str(i) for i, arm in enumerate(plan.arms) if arm.check and arm.edition == 0]
    return flags(options["0"], options[check[0]] if check else None, reports[0].noted)


def _arm(plan: Plan, arm: Measured, options: Sequence[Option], noted: int, ban: BanReport | None) -> ArmReport:
    played = arm.played
    matches, different = alike(arm)
    totals = [float(np.where(played.place == i, played.total, 0.0).sum(axis=1).mean()) for i in range(plan.seats)]
    even = 1 - 1 / plan.seats  # the squared error of equal chances, all seats together
    says = within(mean([value / even for value in timeline.deal_says(played, arm.chances)]))
    return ArmReport(
        arm=played.arm,
        deals=played.deals,
        matches=matches,
        noted=noted,
        different=different,
        faults=int(played.counts["faults"].sum()),
        cuts=int(played.counts["cuts"].sum()),
        figures={name: arm.estimate(name) for name in arm.each},
        places=[arm.place(place) for place in range(plan.seats)],
        unfair=unfairness(arm, plan.seed),
        scores=[] if np.isnan(played.total).any() else totals,
        lines=_lines(arm),
        lengths=_histogram([float(one) for one in arm.each["decisions"]]),
        asked=_asked(options, noted),
        stretch=arm.stretch,
        told=timeline.told(played, arm.chances),
        bands=timeline.bands(played, arm.chances),
        deal_says=says,
        focus=_focus(arm),
        ban=ban,
    )


def within(one: Estimate) -> Estimate:
    """A share that is estimated by a difference, told between 0 and 1."""
    value, low, high = (min(1.0, max(0.0, number)) for number in one[:3])
    return one._replace(value=value, low=low, high=high)


def _focus(arm: Measured) -> Estimate:
    """Return the wins of the first of the bots over all its places, by deal."""
    return statistics.mean_share(focus_shares(arm), new=arm.new)


def _lines(arm: Measured) -> list[Line]:
    played = arm.played
    won = played.share > 0
    found: list[Line] = []
    for group, points in played.lines.items():
        winners = np.where(won, points, 0.0).sum(axis=1) / won.sum(axis=1)
        losers = (~won).sum(axis=1)
        others = np.where(won, 0.0, points).sum(axis=1) / np.maximum(1, losers)
        apart = [float(one) for one in (winners - others)[losers > 0]]
        behind = [float(one) for one in others[losers > 0]]  # none, where every victory is shared
        found.append(Line(group, float(winners.mean()), statistics.mean_of(behind), mean(apart)))
    return found


def _histogram(values: Sequence[float]) -> list[tuple[float, int]]:
    low, high = min(values), max(values)
    width = max(1.0, float(np.ceil((high - low + 1) / BARS)))
    bars = [0] * (int((high - low) // width) + 1)
    for value in values:
        bars[int((value - low) // width)] += 1
    return [(low + i * width, height) for i, height in enumerate(bars)]


def _asked(options: Sequence[Option], matches: int) -> list[Asked]:
    """The steps that ask most."""
    found: dict[str, tuple[int, int]] = {}
    for option in options:
        taken, offered = found.get(option.step, (0, 0))
        found[option.step] = (taken + option.taken, offered + option.offered)
    rows = [Asked(step, taken / matches, offered / max(1, taken)) for step, (taken, offered) in found.items()]
    return sorted(rows, key=lambda one: (-one.times, one.step))[:WIDEST]


def _running(arms: Sequence[Measured], last: Sequence[Difference]) -> list[float]:
    """The main difference after every hundredth part of the deals."""
    main = [arm for arm in arms if arm.played.arm.counts]
    if not last:
        return []
    if len(main) < 2:
        shares = main[0].played.by_deal(of_place(main[0].played, main[0].played.share, 0))
        sums = np.cumsum(np.array(shares) - last[0].before.value)
    else:
        first, other = (arm.values(last[0].figure) for arm in (main[0], main[last[0].edition]))
        sums = np.cumsum(np.array(other) - np.array(first))
    at = np.unique(np.linspace(1, len(sums), min(100, len(sums))).astype(int))
    return [float(sums[i - 1] / i) for i in at]
