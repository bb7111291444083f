"""Summary of a study: all figures that a report shows, as plain data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from triclinium.engine.game import Game
from triclinium.lab.study import statistics, timeline
from triclinium.lab.study.arrays import load_arms
from triclinium.lab.study.bans import BanReport, list_focus_shares, measure_bans
from triclinium.lab.study.choices import OptionFlag, OptionReport, analyze_options, count_noted_matches, flag_options
from triclinium.lab.study.compare import Difference
from triclinium.lab.study.components import ComponentReport, analyze_components, count_component_matches
from triclinium.lab.study.deal_luck import DealLuck, measure_deal_luck
from triclinium.lab.study.figures import (
    MIN_DISTINCT_SHARE,
    MeasuredArm,
    count_distinct,
    measure_arms,
    measure_unfairness,
    select_place,
)
from triclinium.lab.study.places import PlaceReport, analyze_places
from triclinium.lab.study.plan import Edition, StudyArm, StudyPlan
from triclinium.lab.study.runner import replay_interim_analyses
from triclinium.lab.study.screening import Screening
from triclinium.lab.study.statistics import Estimate, estimate_mean
from triclinium.lab.study.store import StudyFolder
from triclinium.lab.study.study_file import BAN, COMPARE
from triclinium.lab.study.timeline import CalibrationCurve

MAX_BARS = 24  # maximum number of bars in a histogram
MAX_STEPS = 12  # maximum number of steps in the table of decisions


@dataclass(frozen=True)
class ScoreLineSummary:
    """The points of a group of score lines: the mean of the winners, the mean of the others, and the difference."""

    group: str
    winners: float
    others: float
    apart: Estimate


@dataclass(frozen=True)
class StepSummary:
    """A step of a turn: how often a match asks for it, and the mean number of options."""

    step: str
    times: float
    options: float


@dataclass(frozen=True)
class ArmReport:
    """All figures of one arm."""

    arm: StudyArm
    deals: int
    matches: int
    noted: int  # number of matches with recorded choices
    different: int
    faults: int
    cuts: int
    figures: Mapping[str, Estimate]
    places: Sequence[Estimate]
    unfair: Estimate
    scores: Sequence[float]  # mean points by place; empty in a game without points
    lines: Sequence[ScoreLineSummary]
    lengths: Sequence[tuple[float, int]]  # histogram of decisions in a match: lower edge and height of each bar
    asked: Sequence[StepSummary]
    stretch: timeline.LogOddsStretch
    told: CalibrationCurve
    bands: Sequence[Sequence[float]]
    deal_says: Estimate  # share of the squared error of equal probabilities that the deal alone removes
    focus: Estimate  # share of wins of the first bot, which restricted play and ladders are about
    ban: BanReport | None = None  # result of restricted play; None for other arms


@dataclass(frozen=True)
class InterimAnalysis:
    """The main difference at an interim analysis."""

    deals: int
    family: Estimate  # estimate with the interval that decides the verdict at this analysis
    settled: int
    of: int


@dataclass(frozen=True)
class StudySummary:
    """The summary of a study."""

    kind: str
    game: str
    seats: int
    seed: int
    variants: Mapping[str, str]
    question: str
    version: int
    release: str
    study: str  # hash that identifies the study
    planned: int
    deals: int
    matches: int
    looks_planned: int  # 0: unlimited interim analyses (an open-ended study)
    stopped: bool  # True if the study stopped before all planned deals
    interrupted: bool
    warning: bool  # True if too many matches are identical
    editions: Sequence[Edition]
    arms: Sequence[ArmReport]
    differences: Sequence[Difference]
    looks: Sequence[InterimAnalysis]
    course: Sequence[float]  # running estimate of the main difference at up to a hundred points of the study
    options: Mapping[str, Sequence[OptionReport]]  # options of each compared arm, by arm number
    flags: Sequence[OptionFlag]
    things: Sequence[ComponentReport] = ()
    component_matches: int = 0  # number of matches of the first arm with recorded components
    all_components: bool = False  # True if components were recorded in every deal and the page lists all of them
    places: Sequence[PlaceReport] = ()  # places of the board, the most chosen first
    replayed: DealLuck | None = None
    refitted: bool = False
    time: dict[str, float] = field(default_factory=dict)

    @property
    def main_arms(self) -> list[ArmReport]:
        """Return the arms of the main bots, in the order of the editions."""
        return [arm_report for arm_report in self.arms if arm_report.arm.is_main]

    @property
    def check_arms(self) -> list[ArmReport]:
        return [arm_report for arm_report in self.arms if arm_report.arm.check]


@dataclass(frozen=True)
class StudyResult:
    """A finished study: its folder, game, summary, and the screening if it is one."""

    folder: Path
    game: Game  # game with the components of the first edition
    summary: StudySummary
    screening: Screening | None = None


def summarize_study(folder: StudyFolder, deals: int, interrupted: bool = False) -> StudySummary:
    """Return the summary of the first ``deals`` deals of a study."""
    plan = folder.plan
    arms = measure_arms(load_arms(folder, deals))
    options = _select_compared_options(folder, deals)
    counts = count_noted_matches(folder, deals)
    bans = measure_bans(folder, arms, deals) if plan.kind == BAN else [None] * len(arms)
    reports = [_report_arm(plan, arm, options.get(str(i), []), counts[i], bans[i]) for i, arm in enumerate(arms)]
    history = replay_interim_analyses(folder, deals, arms) if plan.kind == COMPARE else []
    last = list(history[-1][1]) if history else []
    return StudySummary(
        kind=plan.kind,
        game=plan.game,
        seats=plan.seats,
        seed=plan.seed,
        variants=dict(plan.variants),
        question=plan.question,
        version=plan.version,
        release=plan.release,
        study=plan.hash,
        planned=plan.deals,
        deals=deals,
        matches=sum(item.matches for item in reports),
        looks_planned=0 if plan.open_ended else plan.looks,
        stopped=not interrupted and deals < plan.deals,
        interrupted=interrupted,
        warning=any(item.different < MIN_DISTINCT_SHARE * item.matches for item in reports),
        editions=plan.editions,
        arms=reports,
        differences=last,
        looks=[
            InterimAnalysis(at, differences[0].family, sum(item.settled for item in differences), len(differences))
            for at, differences in history
        ],
        course=_compute_running_difference(arms, last),
        options=options,
        flags=_flag_options(plan, options, reports),
        things=analyze_components(folder, deals) if plan.kind == COMPARE else [],
        component_matches=count_component_matches(folder, deals) if plan.kind == COMPARE else 0,
        places=analyze_places(folder, deals) if plan.kind == COMPARE else [],
        replayed=measure_deal_luck(arms, plan.seed),
        refitted=plan.refit,
        all_components=plan.all_components,
        time={"seconds": float(sum(arm.played.seconds.sum() for arm in arms))},
    )


def _select_compared_options(folder: StudyFolder, deals: int) -> dict[str, list[OptionReport]]:
    """Return the options of the arms that a report compares.

    These are the first two editions, and the check bots on the first edition.
    """
    plan = folder.plan
    if plan.kind != COMPARE:
        return {}
    arms = enumerate(plan.arms)
    wanted = [i for i, arm in arms if (arm.is_main and arm.edition < 2) or (arm.check and arm.edition == 0)]
    return {str(i): analyze_options(folder, deals, i) for i in wanted}


def _flag_options(
    plan: StudyPlan, options: Mapping[str, Sequence[OptionReport]], reports: Sequence[ArmReport]
) -> list[OptionFlag]:
    if not options:
        return []
    check = [str(i) for i, arm in enumerate(plan.arms) if arm.check and arm.edition == 0]
    return flag_options(options["0"], options[check[0]] if check else None, reports[0].noted)


def _report_arm(
    plan: StudyPlan, arm: MeasuredArm, options: Sequence[OptionReport], noted: int, ban: BanReport | None
) -> ArmReport:
    played = arm.played
    matches, different = count_distinct(arm)
    totals = [float(np.where(played.place == i, played.total, 0.0).sum(axis=1).mean()) for i in range(plan.seats)]
    even = 1 - 1 / plan.seats  # squared error of equal probabilities, summed over the seats
    deal_information = clamp_share(
        estimate_mean([value / even for value in timeline.measure_deal_information(played, arm.chances)])
    )
    return ArmReport(
        arm=played.arm,
        deals=played.deals,
        matches=matches,
        noted=noted,
        different=different,
        faults=int(played.counts["faults"].sum()),
        cuts=int(played.counts["cuts"].sum()),
        figures={name: arm.estimate(name) for name in arm.figures},
        places=[arm.estimate_place_wins(place) for place in range(plan.seats)],
        unfair=measure_unfairness(arm, plan.seed),
        scores=[] if np.isnan(played.total).any() else totals,
        lines=_summarize_lines(arm),
        lengths=_make_histogram([float(length) for length in arm.figures["decisions"]]),
        asked=_summarize_steps(options, noted),
        stretch=arm.stretch,
        told=timeline.measure_calibration(played, arm.chances),
        bands=timeline.compute_winner_chance_quantiles(played, arm.chances),
        deal_says=deal_information,
        focus=_estimate_focus_share(arm),
        ban=ban,
    )


def clamp_share(estimate: Estimate) -> Estimate:
    """Return an estimate of a share with its value and interval limited to the range from 0 to 1."""
    value, low, high = (min(1.0, max(0.0, number)) for number in estimate[:3])
    return estimate._replace(value=value, low=low, high=high)


def _estimate_focus_share(arm: MeasuredArm) -> Estimate:
    """Return the share of wins of the first bot over all its places, clustered by deal."""
    return statistics.estimate_mean_share(list_focus_shares(arm), distinct_share=arm.distinct_share)


def _summarize_lines(arm: MeasuredArm) -> list[ScoreLineSummary]:
    played = arm.played
    won = played.share > 0
    lines: list[ScoreLineSummary] = []
    for group, points in played.lines.items():
        winners = np.where(won, points, 0.0).sum(axis=1) / won.sum(axis=1)
        losers = (~won).sum(axis=1)
        others = np.where(won, 0.0, points).sum(axis=1) / np.maximum(1, losers)
        apart = [float(value) for value in (winners - others)[losers > 0]]
        behind = [float(value) for value in others[losers > 0]]  # empty if every victory is shared
        lines.append(
            ScoreLineSummary(group, float(winners.mean()), statistics.compute_exact_mean(behind), estimate_mean(apart))
        )
    return lines


def _make_histogram(values: Sequence[float]) -> list[tuple[float, int]]:
    low, high = min(values), max(values)
    width = max(1.0, float(np.ceil((high - low + 1) / MAX_BARS)))
    bars = [0] * (int((high - low) // width) + 1)
    for value in values:
        bars[int((value - low) // width)] += 1
    return [(low + i * width, height) for i, height in enumerate(bars)]


def _summarize_steps(options: Sequence[OptionReport], matches: int) -> list[StepSummary]:
    """Return the steps that are asked most often."""
    counts: dict[str, tuple[int, int]] = {}
    for option in options:
        taken, offered = counts.get(option.step, (0, 0))
        counts[option.step] = (taken + option.taken, offered + option.offered)
    rows = [StepSummary(step, taken / matches, offered / max(1, taken)) for step, (taken, offered) in counts.items()]
    return sorted(rows, key=lambda row: (-row.times, row.step))[:MAX_STEPS]


def _compute_running_difference(arms: Sequence[MeasuredArm], last: Sequence[Difference]) -> list[float]:
    """Return the running estimate of the main difference at up to a hundred points of the study."""
    main = [arm for arm in arms if arm.played.arm.is_main]
    if not last:
        return []
    if len(main) < 2:
        shares = main[0].played.compute_deal_means(select_place(main[0].played, main[0].played.share, 0))
        sums = np.cumsum(np.array(shares) - last[0].before.value)
    else:
        first, other = (arm.list_deal_values(last[0].figure) for arm in (main[0], main[last[0].edition]))
        sums = np.cumsum(np.array(other) - np.array(first))
    at = np.unique(np.linspace(1, len(sums), min(100, len(sums))).astype(int))
    return [float(sums[i - 1] / i) for i in at]
