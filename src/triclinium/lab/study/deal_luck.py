"""Luck of the deal: the same deals played again with other chance for the bots, and what they have in common."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from triclinium.lab.study.arrays import Numbers
from triclinium.lab.study.figures import BOOTSTRAP_SAMPLES, MeasuredArm
from triclinium.lab.study.statistics import BOOTSTRAP, Estimate

WINS = "wins"
FIGURES = ("winner", "decisions")
MIN_DEALS = 10  # deals, below which nothing is said


@dataclass(frozen=True)
class DealLuck:
    """How much of what differs between matches is the deal's: the share of the variance that it explains."""

    deals: int
    times: int
    explained: Mapping[str, Estimate]  # of who wins, of the winner's score, of the length


def measure_deal_luck(arms: Sequence[MeasuredArm], seed: int) -> DealLuck | None:
    """What the replays of a study say; None where there are none, or too few."""
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
    """The share of the win of each seat, deal by deal."""
    share = arm.played.share
    deal_shares: Numbers = share.reshape(-1, arm.played.arm.rotations, share.shape[1]).mean(axis=1)[:deals]
    return deal_shares


def estimate_explained_share(values: Numbers, seed: int) -> Estimate:
    """The intraclass correlation of deals; axes: deal, time, part of the figure. The interval is a bootstrap of deals.

    A share of a variance is never below nought; an estimate of a small one may be, and is told as nought.
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
