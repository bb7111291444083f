"""The deals of a screening: the same ones for all editions, or other deals for each edition.

Shared deals cancel out what editions on one deal have in common. But what a deal does to the effect of a number stays
in the result, and no other deals average it out. So editions share their deals only if a pilot study shows clearly that
this makes the variance of effects smaller. Both ways play equally many matches, so equal variance costs the same time.
"""

from collections.abc import Sequence
from math import atanh, sqrt, tanh
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from triclinium.lab.study import statistics
from triclinium.lab.study.arrays import Numbers, load_arms
from triclinium.lab.study.figures import measure_arms
from triclinium.lab.study.plan import Edition, StudyArm, build_plan
from triclinium.lab.study.store import StudyFolder
from triclinium.lab.study.study_file import Study
from triclinium.lab.study.worker import play_part

MATCHES_PER_EDITION = 6  # matches of each edition, and deals of all of them if they share deals
PILOT_DEALS = 24  # maximum number of deals of the pilot study, which two editions play
PILOT_SHARE = 1 / 30  # maximum share of the matches of the screening that the pilot study may take in addition
MIN_PILOT_DEALS = 8  # with fewer deals, there is no pilot study, and each edition has its own deals
DIGITS = 3
MAX_CORRELATION = 0.999


class SharedVariance(NamedTuple):
    """The variance of an effect with shared deals, in multiples of that with other deals for each edition."""

    value: float
    is_smaller: bool  # True if the pilot study shows clearly that it is below 1


def measure_shared_variance(
    study: Study, editions: tuple[Edition, Edition], bots: tuple[str, ...], figures: Sequence[str], matches: int
) -> SharedVariance:
    """Let two editions play the same deals, and return the mean over the figures. Small screenings measure nothing."""
    deals = min(PILOT_DEALS, int(matches * PILOT_SHARE) // 2)
    if deals < MIN_PILOT_DEALS:
        return SharedVariance(0.0, False)
    with TemporaryDirectory() as path:
        plan = build_plan(study, editions, [StudyArm(edition, bots, deals) for edition in (0, 1)])
        folder = StudyFolder(Path(path) / "pilot", plan)
        folder.open(study)
        for part in range(len(plan.parts)):
            folder.save_part(part, play_part(plan, part))
        printed, changed = measure_arms(load_arms(folder, deals))
    return average_shared_variance(
        [
            (np.array(printed.list_deal_values(figure)), np.array(changed.list_deal_values(figure)))
            for figure in figures
            if figure in printed.figures
        ]
    )


def average_shared_variance(pairs: Sequence[tuple[Numbers, Numbers]]) -> SharedVariance:
    """Return the mean over figures, each with the values of both editions by deal."""
    correlations = [correlation for pair in pairs if (correlation := _correlate(*pair)) is not None]
    if not correlations:
        return SharedVariance(1.0, False)
    lows = [tanh(atanh(value) - statistics.NORMAL.inv_cdf(0.95) / sqrt(n - 3)) for value, n in correlations]
    mean = sum(value for value, _ in correlations) / len(correlations)
    return SharedVariance(round(1 - mean, DIGITS), sum(lows) / len(lows) > 0)


def _correlate(first: Numbers, other: Numbers) -> tuple[float, int] | None:
    """Return the share of the variance that both editions have in common, and the number of deals; None if unknown."""
    kept = ~np.isnan(first + other)
    n = int(kept.sum())
    if n < 4:
        return None
    table = np.cov(first[kept], other[kept])
    whole = float(table[0, 0] + table[1, 1])
    if whole == 0:
        return None
    share = 2 * float(table[0, 1]) / whole
    return max(-MAX_CORRELATION, min(MAX_CORRELATION, share)), n
