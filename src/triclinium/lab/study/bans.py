"""Restricted play in figures: what it costs a seat never to take something."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from triclinium.lab.study import statistics
from triclinium.lab.study.arrays import of_arm
from triclinium.lab.study.figures import Measured
from triclinium.lab.study.plan import Arm
from triclinium.lab.study.statistics import Contrast, Estimate
from triclinium.lab.study.store import Folder
from triclinium.lab.study.worker import find_component


@dataclass(frozen=True)
class BanReport:
    """What a ban does to the seat that has it, on the same deals with the same chance as without it."""

    difference: Estimate  # of its share of the wins, less that of free play; the interval holds for all bans at once
    p: float  # adjusted by Benjamini and Hochberg: below 5 % where that interval excludes 0
    offered: int | None = None  # matches in which the seat could have taken the component; None: a verb is banned
    forced: int | None = None  # matches in which it had to, since nothing else was left


def focus_shares(arm: Measured) -> list[float]:
    """Return what the first of the bots wins of each deal, on average over its places."""
    played = arm.played
    return played.by_deal(np.where(played.bot == 0, played.share, 0.0).sum(axis=1))


def bans_of(folder: Folder, arms: Sequence[Measured], deals: int) -> list[BanReport | None]:
    """Return what each arm says against the one of the same bots in which nothing is banned."""
    found: list[BanReport | None] = [None] * len(arms)
    for check in (False, True):
        here = [i for i, arm in enumerate(arms) if arm.played.arm.check == check]
        restricted = [i for i in here if arms[i].played.arm.restricted]
        free = [i for i in here if i not in restricted]
        if not free:
            continue
        contrasts = [_contrast(arms[i], arms[free[0]]) for i in restricted]
        for i, one in zip(restricted, statistics.listed(contrasts), strict=True):
            found[i] = BanReport(_not_exact(one.family), one.p, *_met(folder, i, arms[i].played.arm, deals))
    return found


def _not_exact(difference: Estimate) -> Estimate:
    """Return an interval for a ban that changed no match: some deals may still change, each by one win at most."""
    if difference.error or difference.value:
        return difference
    reach = statistics.wilson(0.0, difference.n).high
    return difference._replace(low=-reach, high=reach, method=statistics.WILSON)


def _contrast(arm: Measured, free: Measured) -> Contrast:
    apart = [a - b for a, b in zip(focus_shares(arm), focus_shares(free), strict=True)]
    one = statistics.mean(apart, new=max(arm.new, free.new))
    return Contrast(one.value, one.error, one.n, one.n)


def _met(folder: Folder, number: int, arm: Arm, deals: int) -> tuple[int | None, int | None]:
    """Return in how many matches the restricted seat could take the component, and in how many it had to."""
    if not arm.component:
        return None, None
    (thing,) = find_component(folder.plan.game(arm.edition), arm.component)
    seats = of_arm(folder, folder.table("seats", deals), number).filter(pl.col("bot") == 0).select("match", "seat")
    rows = of_arm(folder, folder.table("things", deals), number).filter(pl.col("thing") == thing)
    mine = rows.join(seats, on=["match", "seat"])
    return int((mine["offered"] > 0).sum()), int((mine["taken"] > 0).sum())
