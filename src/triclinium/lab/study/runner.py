"""Plays a study to its end: the first part, the looks, an early stop; and goes on where it was interrupted."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from triclinium.lab.study import statistics
from triclinium.lab.study.arrays import load_arms
from triclinium.lab.study.compare import Difference, can_stop, compare_editions
from triclinium.lab.study.engine import StudyEngine
from triclinium.lab.study.figures import MeasuredArm, measure_arms
from triclinium.lab.study.plan import COMPARE, SCREEN, StudyPlan
from triclinium.lab.study.store import StudyFolder

PILOT_DEALS = 20  # deals that `study plan` plays and keeps,
PILOT_PARTS = 5  # or parts of a screening, which has few deals of many editions
INTERIM_EVERY = 200  # deals, after which an open-ended study is looked at


@dataclass(frozen=True)
class StudyProgress:
    """How far a study has come."""

    deals: int  # that are whole in every arm
    planned: int
    matches: int  # that this run has played,
    matches_left: int  # and has still to play, if no look stops it,
    total_matches: int  # of the matches of the plan
    seconds: float  # that this run has taken
    last_difference: Difference | None  # the main difference at the last look

    @property
    def seconds_left(self) -> float | None:
        return self.seconds * self.matches_left / self.matches if self.matches else None


StudyCallback = Callable[[StudyProgress], None]
PilotProgress = Callable[[int, int], None]  # matches of the first deals that are played, and that will be


def plan_interim_analyses(plan: StudyPlan) -> list[int]:
    """After how many deals a study looks whether it may stop; only one that compares has any but the last."""
    if plan.kind != COMPARE:
        return [plan.deals]
    if plan.open_ended:
        return list(range(min(INTERIM_EVERY, plan.deals), plan.deals, INTERIM_EVERY)) + [plan.deals]
    return [
        deals
        for deals in statistics.list_interim_deals(plan.deals, plan.looks)
        if deals >= min(PILOT_DEALS, plan.deals)
    ]


def play_study(folder: StudyFolder, engine: StudyEngine, on_progress: StudyCallback | None = None) -> int:
    """Play until a look settles everything or the plan is done; the number of deals that count.

    Whatever stops it, Ctrl-C or a fault, finished parts stay; called again, it goes on.
    """
    if folder.finished:
        return folder.count_complete_deals()
    began = time.monotonic()
    played = 0
    last: Difference | None = None
    for deals in plan_interim_analyses(folder.plan):
        parts = folder.find_missing_parts(folder.plan.list_parts_until(deals))
        ahead = folder.find_missing_parts(folder.plan.list_parts_until(folder.plan.deals))
        left = sum(_count_matches(folder.plan, part) for part in ahead)
        for part, packed in engine.play(folder.plan, parts):
            folder.save_part(part, packed)
            matches = _count_matches(folder.plan, part)
            played, left = played + matches, left - matches
            if on_progress is not None:
                seconds = time.monotonic() - began
                deals_done, whole = folder.plan.parts[part][0].stop, folder.plan.matches
                on_progress(StudyProgress(deals_done, folder.plan.deals, played, left, whole, seconds, last))
        if deals < folder.plan.deals and folder.plan.kind == COMPARE:
            differences = run_interim_analysis(folder, deals)
            last = differences[0]
            if can_stop(differences):
                return deals
    return folder.plan.deals


def _count_matches(plan: StudyPlan, part: int) -> int:
    return sum(1 for _ in plan.list_part_matches(part))


def run_interim_analysis(folder: StudyFolder, deals: int) -> list[Difference]:
    """The differences by the first so many deals, and nothing that came later."""
    return compare_editions(folder.plan, measure_arms(load_arms(folder, deals)), deals)


def play_pilot(folder: StudyFolder, engine: StudyEngine, on_match: PilotProgress | None = None) -> float:
    """Play the first deals of every arm, which are kept; the processor seconds that all matches will take."""
    deals = min(PILOT_DEALS, folder.plan.deals)
    parts = folder.plan.list_parts_until(deals)
    if folder.plan.kind == SCREEN:
        parts = parts[:PILOT_PARTS]
    missing = folder.find_missing_parts(parts)
    played, planned = 0, sum(_count_matches(folder.plan, part) for part in missing)
    for part, packed in engine.play(folder.plan, missing):
        folder.save_part(part, packed)
        played += _count_matches(folder.plan, part)
        if on_match is not None:
            on_match(played, planned)
    return estimate_seconds(folder, deals)


def estimate_seconds(folder: StudyFolder, deals: int) -> float:
    """The processor time of the whole plan, by the matches that have been played of the first deals."""
    arms = [arm for arm in load_arms(folder, deals) if len(arm.seconds)]
    seconds = sum(float(arm.seconds.mean()) * arm.arm.deals * arm.arm.rotations for arm in arms)
    matches = sum(arm.arm.deals * arm.arm.rotations for arm in arms)
    return seconds * folder.plan.matches / matches


def replay_interim_analyses(
    folder: StudyFolder, deals: int, arms: Sequence[MeasuredArm]
) -> list[tuple[int, Sequence[Difference]]]:
    """Every look up to the end of a study, as it was taken; what was measured at the end is the last."""
    passed = [at for at in plan_interim_analyses(folder.plan) if at <= deals]
    if not passed or passed[-1] != deals:
        passed.append(deals)
    return [
        (at, compare_editions(folder.plan, arms, at) if at == deals else run_interim_analysis(folder, at))
        for at in passed
    ]
