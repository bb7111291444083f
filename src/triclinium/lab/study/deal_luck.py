"""Luck of the deal: the share of the variance between matches that replays of the same deals have in common."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from triclinium.lab.study.arrays import Numbers
from triclinium.lab.study.figures import BOOTSTRAP_SAMPLES, MeasuredArm
from triclinium.lab.study.statistics import BOOTSTRAP, Estimate

WINS = "wins"
FIGURES = ("winner", "decisions")
MIN_DEALS = 10  # minimum number of deals for an estimate


@dataclass(frozen=True)
class DealLuck:
    """The share of the variance between matches that the deal explains."""

    deals: int
    times: int
    explained: Mapping[str, Estimate]  # by figure: the winner, the winner's score, the length of the match


def measure_deal_luck(arms: Sequence[MeasuredArm], seed: int) -> DealLuck | None:
    """Estimate the luck of the deal from the replays of a study; None with too few replays."""
    replays = [arm for arm in arms if arm.played.arm.again]
    if not replays:
        return None
    played = [arms[0], *replays]
    deals = min(arm.played.deals for arm in replays)
    if deals < MIN_DEALS:
        return None
    explained_shares = {
        WINS: estimate_explained_share(np.stack([_compute_win_shares(arm, deals) for arm in played], axis=1), seed)
    }
    for figure in FIGURES:
        if figure in arms[0].figures:
            values = [np.array(arm.list_deal_values(figure)[:deals])[:, None] for arm in played]
            explained_shares[figure] = estimate_explained_share(np.stack(values, axis=1), seed)
    return DealLuck(deals, len(played), explained_shares)


def _compute_win_shares(arm: MeasuredArm, deals: int) -> Numbers:
    """Return the share of the win of each seat, for each deal."""
    share = arm.played.share
    deal_shares: Numbers = share.reshape(-1, arm.played.arm.rotations, share.shape[1]).mean(axis=1)[:deals]
    return deal_shares


def estimate_explained_share(values: Numbers, seed: int) -> Estimate:
    """Estimate the intraclass correlation of deals, with a bootstrap interval over deals.

    The axes of the values are deal, replay and part of the figure. A share of variance is never negative, so a negative
    estimate is reported as 0.
    """
    deals = len(values)
    rng = np.random.Generator(np.random.PCG64(seed % (1 << 63)))
    samples = [_compute_intraclass_correlation(values[rng.integers(0, deals, deals)]) for _ in range(BOOTSTRAP_SAMPLES)]
    low, high = np.quantile(samples, (0.025, 0.975))
    value, low, high = (
        min(1.0, max(0.0, float(number))) for number in (_compute_intraclass_correlation(values), low, high)
    )
    return Estimate(value, low, high, deals, 0.0, BOOTSTRAP)


def _compute_intraclass_correlation(values: Numbers) -> float:
    deals, times = values.shape[:2]
    means = values.mean(axis=1)
    between = times * float(((means - means.mean(axis=0)) ** 2).sum()) / max(1, deals - 1)
    within = float(((values - means[:, None]) ** 2).sum()) / (deals * (times - 1))
    whole = between + (times - 1) * within
    return (between - within) / whole if whole else 0.0
