"""Results of restricted play: the cost of never taking a certain verb or component."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from triclinium.lab.study import statistics
from triclinium.lab.study.arrays import filter_arm
from triclinium.lab.study.figures import MeasuredArm
from triclinium.lab.study.plan import StudyArm
from triclinium.lab.study.statistics import Contrast, Estimate
from triclinium.lab.study.store import StudyFolder
from triclinium.lab.study.worker import find_component


@dataclass(frozen=True)
class BanReport:
    """The effect of a ban on the restricted seat, compared with free play on the same deals and random numbers."""

    difference: Estimate  # difference in its share of wins from free play; the interval is valid for all bans together
    p: float  # p-value adjusted by Benjamini and Hochberg: below 5% where that interval excludes 0
    offered: int | None = None  # matches in which the seat could have taken the component; None if a verb is banned
    forced: int | None = None  # matches in which the seat had to take it, because there was no other option


def list_focus_shares(arm: MeasuredArm) -> list[float]:
    """Return the first bot's share of wins in each deal, averaged over its places."""
    played = arm.played
    return played.compute_deal_means(np.where(played.bot == 0, played.share, 0.0).sum(axis=1))


def measure_bans(folder: StudyFolder, arms: Sequence[MeasuredArm], deals: int) -> list[BanReport | None]:
    """Compare each restricted arm with the free arm of the same bots; None for unrestricted arms."""
    reports: list[BanReport | None] = [None] * len(arms)
    for check in (False, True):
        here = [i for i, arm in enumerate(arms) if arm.played.arm.check == check]
        restricted = [i for i in here if arms[i].played.arm.is_restricted]
        free = [i for i in here if i not in restricted]
        if not free:
            continue
        contrasts = [_compute_ban_contrast(arms[i], arms[free[0]]) for i in restricted]
        for i, adjusted in zip(restricted, statistics.adjust_contrasts(contrasts), strict=True):
            reports[i] = BanReport(
                _widen_if_exact(adjusted.family),
                adjusted.p,
                *_count_opportunities(folder, i, arms[i].played.arm, deals),
            )
    return reports


def _widen_if_exact(difference: Estimate) -> Estimate:
    """Return an interval for a ban that changed no match.

    Some deals may still change, each by one win at most.
    """
    if difference.error or difference.value:
        return difference
    half_width = statistics.estimate_share(0.0, difference.n).high
    return difference._replace(low=-half_width, high=half_width, method=statistics.WILSON)


def _compute_ban_contrast(arm: MeasuredArm, free: MeasuredArm) -> Contrast:
    differences = [a - b for a, b in zip(list_focus_shares(arm), list_focus_shares(free), strict=True)]
    estimate = statistics.estimate_mean(differences, distinct_share=max(arm.distinct_share, free.distinct_share))
    return Contrast(estimate.value, estimate.error, estimate.n, estimate.n)


def _count_opportunities(folder: StudyFolder, number: int, arm: StudyArm, deals: int) -> tuple[int | None, int | None]:
    """Return in how many matches the restricted seat could take the component, and in how many it had to."""
    if not arm.component:
        return None, None
    (thing,) = find_component(folder.plan.load_edition_game(arm.edition), arm.component)
    seats = (
        filter_arm(folder, folder.read_table("seats", deals), number).filter(pl.col("bot") == 0).select("match", "seat")
    )
    rows = filter_arm(folder, folder.read_table("things", deals), number).filter(pl.col("thing") == thing)
    mine = rows.join(seats, on=["match", "seat"])
    return int((mine["offered"] > 0).sum()), int((mine["taken"] > 0).sum())
