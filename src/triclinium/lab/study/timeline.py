"""Timeline figures of matches: when a match was decided, how often the lead changed, and kingmaking.

The value model is overconfident, to a different degree for each kind of bot. Its log odds are therefore multiplied by
``early + late * progress`` before a match is called decided. The factors are fitted to all matches of the study with
one kind of bot. A fit for each edition alone would create differences of its own.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from triclinium.lab.study.arrays import ArmMatches, Counts, Numbers

DECIDED_ABOVE = 0.8  # A match is decided once the winner's probability stays above this.
LEAD_MARGIN = 0.05  # A seat takes the lead when its probability is this much above the leader's.
OUT_BELOW = 0.08  # A seat with a probability below this is out of contention.
KINGMAKING_SHIFT = 0.1  # A seat out of contention makes a king if its turn moves a rival's probability by this much.
MIN_CHANCE = 1 / 1024  # lower limit of every probability; those stored as 0 average about this much
MAX_NEWTON_STEPS = 25  # maximum number of Newton steps
TOLERANCE = 1e-8  # size of a Newton step at which the fit has converged
PRIOR_WEIGHT = 4.0  # weight of the prior that the factor is 1, in matches


class LogOddsStretch(NamedTuple):
    """A factor for the log odds of win probabilities: at the start of a match, and its change until the end."""

    early: float = 1.0
    late: float = 0.0


class CalibrationCurve(NamedTuple):
    """A calibration curve: predicted and observed frequencies in ten equal groups, and the squared error."""

    said: list[float]
    came: list[float]
    error: float
    even: float  # squared error of equal probabilities


def fit_stretch(arms: Sequence[ArmMatches]) -> LogOddsStretch:
    """Return the maximum-likelihood factor for the winners of these matches; each match counts once.

    Newton's method: at every moment the gradient is observed minus expected, the curvature is the variance.
    """
    logs, late, won, weight = (
        np.concatenate(parts, axis=-1) for parts in zip(*map(_select_training_moments, arms), strict=True)
    )
    if not len(late):
        return LogOddsStretch()
    observed = (won * logs).sum(axis=0)
    b = np.array([1.0, 0.0])
    for _ in range(MAX_NEWTON_STEPS):
        p = _softmax(logs * (b[0] + b[1] * late))
        expected = (p * logs).sum(axis=0)
        apart = weight * (observed - expected)
        spread = weight * (p * (logs - expected) ** 2).sum(axis=0)
        slope = np.array([apart.sum(), apart @ late]) - PRIOR_WEIGHT * (b - [1.0, 0.0])
        mixed = spread @ late
        curve = np.array([[spread.sum() + PRIOR_WEIGHT, mixed], [mixed, spread @ late**2 + PRIOR_WEIGHT]])
        step = np.linalg.solve(curve, slope)
        b = b + np.clip(step, -0.5, 0.5)
        if np.abs(step).max() < TOLERANCE:
            break
    early = max(0.05, round(float(b[0]), 4))
    return LogOddsStretch(early, max(0.05 - early, round(float(b[1]), 4)))


def _select_training_moments(played: ArmMatches) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Return the log probabilities, progress, result and weight of every moment before the end of a match."""
    moments = played.moments
    counts = np.diff(moments.first)
    before = np.ones(len(moments.progress), dtype=bool)
    before[moments.first[1:] - 1] = False
    won = np.repeat(np.ascontiguousarray(played.share.T), counts - 1, axis=1)
    weight = np.repeat(1 / np.maximum(1, counts - 1), counts - 1)
    return np.compress(before, _compute_log_chances(moments.chances), axis=1), moments.progress[before], won, weight


def _compute_log_chances(chances: Numbers) -> Numbers:
    """Return log probabilities with one row for each seat, because numpy is much faster on long rows."""
    return np.log(np.maximum(np.ascontiguousarray(chances.T), MIN_CHANCE))


def _softmax(worth: Numbers) -> Numbers:
    parts = np.exp(worth - worth.max(axis=0))
    probabilities: Numbers = parts / parts.sum(axis=0)
    return probabilities


def stretch_chances(played: ArmMatches, stretch: LogOddsStretch) -> Numbers:
    """Return calibrated win probabilities at every moment; the last moment of a match is its result."""
    moments = played.moments
    chances = _softmax(_compute_log_chances(moments.chances) * (stretch.early + stretch.late * moments.progress))
    chances[:, moments.first[1:] - 1] = played.share.T
    return np.round(chances, 6).T


def measure_timeline(played: ArmMatches, chances: Numbers) -> dict[str, Numbers]:
    """Return the timeline figures of every match, NaN where a match has none."""
    moments = played.moments
    starts, ends = moments.first[:-1], moments.first[1:] - 1  # first moment and result of each match
    rows = np.arange(len(chances))
    owner = np.repeat(np.arange(len(starts)), np.diff(moments.first))
    won = (played.share > 0)[owner]
    winning = np.where(won, chances, 0.0).sum(axis=1)
    best = chances.max(axis=1)
    behind = np.where(won, chances, 0.0).max(axis=1) < best - 1e-9
    unsure = np.maximum.reduceat(np.where(winning < DECIDED_ABOVE, rows, -1), starts)
    decided = moments.progress[np.where(unsure < 0, starts, np.minimum(unsure + 1, ends))]
    half = starts + np.maximum(0, np.add.reduceat((moments.progress <= 0.5).astype(np.int64), starts) - 1)
    leading = chances[half] >= best[half, None] - 1e-9
    drama = np.where(behind, np.sqrt(np.maximum(0.0, best - winning)), 0.0)
    entropy = -(chances * np.log(np.maximum(chances, 1e-12))).sum(axis=1) / np.log(chances.shape[1])
    entropy[ends] = 0.0
    kings, control = _compute_kingmaking_shares(played, chances, owner)
    return {
        "decided": np.minimum(1.0, decided),
        "changes": _count_lead_changes(played, chances),
        "half": (played.share * leading).sum(axis=1) / leading.sum(axis=1),
        "behind": np.maximum.reduceat((behind & (moments.progress >= 0.5)).astype(float), starts),
        "drama": _compute_masked_mean(drama, behind, starts, 0.0),
        "uncertainty": np.add.reduceat(entropy, starts) / np.maximum(1, ends - starts),
        "kings": kings,
        "control": control,
    }


def _compute_masked_mean(values: Numbers, mask: NDArray[np.bool_], starts: Counts, none: float) -> Numbers:
    """Return the mean of the masked values in each match.

    If the mask selects no value of a match, its mean is ``none``.
    """
    counts = np.add.reduceat(mask.astype(float), starts)
    sums = np.add.reduceat(np.where(mask, values, 0.0), starts)
    means: Numbers = np.where(counts > 0, sums / np.maximum(1.0, counts), none)
    return means


def _count_lead_changes(played: ArmMatches, chances: Numbers) -> Numbers:
    """Count how often another seat took the lead. All matches advance together, one moment at a time."""
    first = played.moments.first
    length = np.diff(first) - 1
    leader = chances[first[:-1]].argmax(axis=1)
    changes = np.zeros(len(leader))
    for moment in range(1, int(length.max(initial=0))):
        live = np.flatnonzero(length > moment)
        row = chances[first[live] + moment]
        ahead = row.argmax(axis=1)
        each = np.arange(len(live))
        taken = row[each, ahead] - row[each, leader[live]] > LEAD_MARGIN
        leader[live] = np.where(taken, ahead, leader[live])
        changes[live] += taken
    return changes


def _compute_kingmaking_shares(played: ArmMatches, chances: Numbers, owner: Counts) -> tuple[Numbers, Numbers]:
    """Return the share of turns that strongly move a rival's probability.

    Turns of seats out of contention and turns of all others are counted separately.
    """
    starts, ends = played.moments.first[:-1], played.moments.first[1:] - 1
    rows = np.arange(len(chances))
    turns = rows < ends[owner] - 1  # The last turn is left out, because it brings the result itself.
    own = np.maximum(0, played.moments.actor)
    moved = np.abs(np.roll(chances, -1, axis=0) - chances)
    moved[rows, own] = 0.0
    far = (moved.max(axis=1) >= KINGMAKING_SHIFT).astype(float)
    out = chances[rows, own] < OUT_BELOW
    return _compute_masked_mean(far, turns & out, starts, np.nan), _compute_masked_mean(
        far, turns & ~out, starts, np.nan
    )


def measure_calibration(played: ArmMatches, chances: Numbers) -> CalibrationCurve:
    """Return the calibration curve of the win probabilities before the end of these matches."""
    last = np.zeros(len(chances), dtype=bool)
    last[played.moments.first[1:] - 1] = True
    won = np.repeat(played.share, np.diff(played.moments.first), axis=0)[~last]
    predicted = chances[~last]
    error = float(((predicted - won) ** 2).sum(axis=1).mean() / predicted.shape[1]) if len(predicted) else 0.0
    even = (
        float(((1 / predicted.shape[1] - won) ** 2).sum(axis=1).mean() / predicted.shape[1]) if len(predicted) else 0.0
    )
    order = np.argsort(predicted.ravel(), kind="stable")
    groups = [group for group in np.array_split(order, 10) if len(group)]
    means = [(float(predicted.ravel()[g].mean()), float(won.ravel()[g].mean())) for g in groups]
    return CalibrationCurve([value for value, _ in means], [value for _, value in means], error, even)


def compute_winner_chance_quantiles(played: ArmMatches, chances: Numbers, columns: int = 21) -> list[list[float]]:
    """Return the 10, 25, 50, 75 and 90% quantiles of the later winner's probability at points of equal progress."""
    at = np.linspace(0, 1, columns)
    rows: list[list[float]] = [[] for _ in at]
    moments = played.moments
    for i in range(len(played.match)):
        here = slice(moments.first[i], moments.first[i + 1] - 1)
        winning = chances[here][:, played.share[i] > 0].sum(axis=1)
        if not len(winning):
            continue
        place = np.maximum(0, np.searchsorted(moments.progress[here], at, side="right") - 1)
        for row, value in zip(rows, winning[place], strict=True):
            row.append(float(value))
    return [[float(q) for q in np.quantile(row, (0.1, 0.25, 0.5, 0.75, 0.9))] for row in rows if row]


def measure_deal_information(played: ArmMatches, chances: Numbers) -> list[float]:
    """Return the gain in squared error of the probabilities before the first choice over equal ones, by match."""
    first = chances[played.moments.first[:-1]]
    seats = played.share.shape[1]
    even = ((1 / seats - played.share) ** 2).sum(axis=1)
    return [float(value) for value in even - ((first - played.share) ** 2).sum(axis=1)]
