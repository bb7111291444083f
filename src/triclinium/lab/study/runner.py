"""Runner that plays a study to its end, with pilot deals, interim analyses and early stopping.

An interrupted study continues where it stopped.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from triclinium.lab.study import statistics
from triclinium.lab.study.arrays import load_arms
from triclinium.lab.study.compare import Difference, can_stop, compare_editions
from triclinium.lab.study.engine import StudyEngine
from triclinium.lab.study.figures import MeasuredArm, measure_arms
from triclinium.lab.study.plan import StudyPlan
from triclinium.lab.study.store import StudyFolder
from triclinium.lab.study.study_file import COMPARE, SCREEN

PILOT_DEALS = 20  # pilot deals, which `study plan` plays and keeps
PILOT_PARTS = 5  # pilot parts of a screening, which has few deals but many editions
INTERIM_EVERY = 200  # deals between two interim analyses of an open-ended study


@dataclass(frozen=True)
class StudyProgress:
    """The progress of a study."""

    deals: int  # deals that are complete in every arm
    planned: int
    matches: int  # matches played in this run
    matches_left: int  # matches that this run has still to play unless an interim analysis stops it
    total_matches: int  # matches in the whole plan
    seconds: float  # wall time of this run
    last_difference: Difference | None  # main difference at the last interim analysis

    @property
    def seconds_left(self) -> float | None:
        return self.seconds * self.matches_left / self.matches if self.matches else None


StudyCallback = Callable[[StudyProgress], None]
PilotProgress = Callable[[int, int], None]  # called with the number of pilot matches played and planned


def plan_interim_analyses(plan: StudyPlan) -> list[int]:
    """Return the numbers of deals after which interim analyses are made.

    Only comparisons have any before the last deal.
    """
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
    """Play until an interim analysis settles everything or the plan is complete, and return the number of deals that
    count.

    Finished parts are kept if an error or Ctrl-C stops the run. The next call continues from them.
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
    """Return the differences after the first ``deals`` deals, ignoring later ones."""
    return compare_editions(folder.plan, measure_arms(load_arms(folder, deals)), deals)


def play_pilot(folder: StudyFolder, engine: StudyEngine, on_match: PilotProgress | None = None) -> float:
    """Play and keep the pilot deals of every arm, and return the estimated processor seconds of all matches."""
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
    """Return the estimated processor time of the whole plan, from the matches played so far."""
    arms = [arm for arm in load_arms(folder, deals) if len(arm.seconds)]
    seconds = sum(float(arm.seconds.mean()) * arm.arm.deals * arm.arm.rotations for arm in arms)
    matches = sum(arm.arm.deals * arm.arm.rotations for arm in arms)
    return seconds * folder.plan.matches / matches


def replay_interim_analyses(
    folder: StudyFolder, deals: int, arms: Sequence[MeasuredArm]
) -> list[tuple[int, Sequence[Difference]]]:
    """Repeat every interim analysis up to the end of a study. The last entry is the final analysis."""
    passed = [at for at in plan_interim_analyses(folder.plan) if at <= deals]
    if not passed or passed[-1] != deals:
        passed.append(deals)
    return [
        (at, compare_editions(folder.plan, arms, at) if at == deals else run_interim_analysis(folder, at))
        for at in passed
    ]
