"""Plays a study to its end: the first part, the looks, an early stop; and goes on where it was interrupted."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from triclinium.lab.study import statistics
from triclinium.lab.study.arrays import load
from triclinium.lab.study.compare import Difference, differences, may_stop
from triclinium.lab.study.engine import Engine
from triclinium.lab.study.figures import Measured, measure
from triclinium.lab.study.plan import COMPARE, SCREEN, Plan
from triclinium.lab.study.store import Folder

PILOT = 20  # deals that `study plan` plays and keeps,
PILOT_PARTS = 5  # or parts of a screening, which has few deals of many editions
EVERY = 200  # deals, after which an open-ended study is looked at


@dataclass(frozen=True)
class Progress:
    """How far a study has come."""

    deals: int  # that are whole in every arm
    planned: int
    matches: int  # that this run has played,
    left: int  # and has still to play, if no look stops it,
    whole: int  # of the matches of the plan
    seconds: float  # that this run has taken
    last: Difference | None  # the main difference at the last look

    @property
    def seconds_left(self) -> float | None:
        return self.seconds * self.left / self.matches if self.matches else None


Tell = Callable[[Progress], None]
Trying = Callable[[int, int], None]  # matches of the first deals that are played, and that will be


def looks_of(plan: Plan) -> list[int]:
    """After how many deals a study looks whether it may stop; only one that compares has any but the last."""
    if plan.kind != COMPARE:
        return [plan.deals]
    if plan.open_ended:
        return list(range(min(EVERY, plan.deals), plan.deals, EVERY)) + [plan.deals]
    return [deals for deals in statistics.look_deals(plan.deals, plan.looks) if deals >= min(PILOT, plan.deals)]


def play_study(folder: Folder, engine: Engine, tell: Tell | None = None) -> int:
    """Play until a look settles everything or the plan is done; the number of deals that count.

    Whatever stops it, Ctrl-C or a fault, finished parts stay; called again, it goes on.
    """
    if folder.finished:
        return folder.whole_deals()
    began = time.monotonic()
    played = 0
    last: Difference | None = None
    for deals in looks_of(folder.plan):
        parts = folder.missing(folder.plan.parts_until(deals))
        ahead = folder.missing(folder.plan.parts_until(folder.plan.deals))
        left = sum(_matches(folder.plan, part) for part in ahead)
        for part, packed in engine.play(folder.plan, parts):
            folder.keep(part, packed)
            matches = _matches(folder.plan, part)
            played, left = played + matches, left - matches
            if tell is not None:
                seconds = time.monotonic() - began
                deals_done, whole = folder.plan.parts[part][0].stop, folder.plan.matches
                tell(Progress(deals_done, folder.plan.deals, played, left, whole, seconds, last))
        if deals < folder.plan.deals and folder.plan.kind == COMPARE:
            found = look(folder, deals)
            last = found[0]
            if may_stop(found):
                return deals
    return folder.plan.deals


def _matches(plan: Plan, part: int) -> int:
    return sum(1 for _ in plan.cells(part))


def look(folder: Folder, deals: int) -> list[Difference]:
    """The differences by the first so many deals, and nothing that came later."""
    return differences(folder.plan, measure(load(folder, deals)), deals)


def pilot(folder: Folder, engine: Engine, trying: Trying | None = None) -> float:
    """Play the first deals of every arm, which are kept; the processor seconds that all matches will take."""
    deals = min(PILOT, folder.plan.deals)
    parts = folder.plan.parts_until(deals)
    if folder.plan.kind == SCREEN:
        parts = parts[:PILOT_PARTS]
    missing = folder.missing(parts)
    played, planned = 0, sum(_matches(folder.plan, part) for part in missing)
    for part, packed in engine.play(folder.plan, missing):
        folder.keep(part, packed)
        played += _matches(folder.plan, part)
        if trying is not None:
            trying(played, planned)
    return expected_seconds(folder, deals)


def expected_seconds(folder: Folder, deals: int) -> float:
    """The processor time of the whole plan, by the matches that have been played of the first deals."""
    arms = [arm for arm in load(folder, deals) if len(arm.seconds)]
    seconds = sum(float(arm.seconds.mean()) * arm.arm.deals * arm.arm.rotations for arm in arms)
    matches = sum(arm.arm.deals * arm.arm.rotations for arm in arms)
    return seconds * folder.plan.matches / matches


def stop_history(folder: Folder, deals: int, arms: Sequence[Measured]) -> list[tuple[int, Sequence[Difference]]]:
    """Every look up to the end of a study, as it was taken; what was measured at the end is the last."""
    passed = [at for at in looks_of(folder.plan) if at <= deals]
    if not passed or passed[-1] != deals:
        passed.append(deals)
    return [(at, differences(folder.plan, arms, at) if at == deals else look(folder, at)) for at in passed]
