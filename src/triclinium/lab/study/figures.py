"""Figures of an arm: one number for each match, with an interval for the mean over the deals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from triclinium.engine.core.text import msgid
from triclinium.lab.study import timeline
from triclinium.lab.study.arrays import ArmMatches, Numbers
from triclinium.lab.study.statistics import (
    BOOTSTRAP,
    Estimate,
    compute_effective_count,
    estimate_mean,
    estimate_mean_share,
    estimate_share,
)
from triclinium.lab.study.timeline import LogOddsStretch

SHARE, NUMBER = "share", "number"
BOOTSTRAP_SAMPLES = 1000
MIN_DISTINCT_SHARE = 0.9  # below this share of distinct matches, only distinct matches count
RELATIVE_MIN_DIFFERENCE = (
    0.05  # smallest difference that matters, relative to the control edition, unless the study sets another
)


class FigureKind(NamedTuple):
    """A kind of figure: id in files, name, unit, whether it is a headline figure, and the digits shown."""

    id: str
    name: str
    unit: str
    headline: bool
    digits: int  # digits after the decimal point in reports


FIGURES = (
    FigureKind("first", msgid("wins of the first player"), SHARE, True, 1),
    FigureKind("last", msgid("wins of the last player"), SHARE, True, 1),
    FigureKind("decisions", msgid("decisions per match"), NUMBER, True, 0),
    FigureKind("options", msgid("options per decision"), NUMBER, True, 2),
    FigureKind("winner", msgid("the winner’s score"), NUMBER, True, 1),
    FigureKind("margin", msgid("winning margin"), NUMBER, True, 1),
    FigureKind("changes", msgid("lead changes"), NUMBER, True, 2),
    FigureKind("decided", msgid("when the winner is decided"), SHARE, True, 0),
    FigureKind("half", msgid("leader at half time wins"), SHARE, True, 1),
    FigureKind("rounds", msgid("rounds"), NUMBER, False, 1),
    FigureKind("turns", msgid("turns"), NUMBER, False, 1),
    FigureKind("mean", msgid("mean score"), NUMBER, False, 1),
    FigureKind("behind", msgid("the eventual winner was behind in the second half"), SHARE, False, 1),
    FigureKind("drama", msgid("drama"), NUMBER, False, 3),
    FigureKind("uncertainty", msgid("uncertainty"), SHARE, False, 0),
    FigureKind(
        "kings",
        msgid("turns of players with no chance left that change a rival’s win probability by 10 points"),
        SHARE,
        False,
        1,
    ),
    FigureKind(
        "control",
        msgid("turns of all other players that change a rival’s win probability by 10 points"),
        SHARE,
        False,
        1,
    ),
    FigureKind("variety", msgid("score categories that contribute to the winner’s points"), NUMBER, False, 1),
    FigureKind("shared", msgid("shared victories"), SHARE, False, 1),
)
FIGURE_KINDS: Mapping[str, FigureKind] = {kind.id: kind for kind in FIGURES}


@dataclass(frozen=True)
class MeasuredArm:
    """An arm with the figures of its matches, by id.

    Figures that do not exist for the game or number of seats are missing.
    """

    played: ArmMatches
    chances: Numbers  # calibrated win probabilities at every moment
    stretch: LogOddsStretch
    figures: Mapping[str, Numbers]

    @property
    def distinct_share(self) -> float:
        """Share of distinct matches; 1 unless too many matches are identical."""
        matches, different = count_distinct(self)
        return different / matches if different < MIN_DISTINCT_SHARE * matches else 1.0

    def list_deal_values(self, figure: str) -> list[float]:
        """Return one number for each deal, NaN for a deal without a value."""
        return self.played.compute_deal_means(self.figures[figure])

    def estimate(self, figure: str) -> Estimate:
        """Estimate a figure with its interval, which stays within 0 and 1 for a share."""
        values = [value for value in self.list_deal_values(figure) if value == value]
        return (
            estimate_mean_share(values, distinct_share=self.distinct_share)
            if FIGURE_KINDS[figure].unit == SHARE
            else estimate_mean(values, distinct_share=self.distinct_share)
        )

    def estimate_place_wins(self, place: int) -> Estimate:
        """Estimate the share of wins of the seat at a place in the turn order."""
        values = self.played.compute_deal_means(select_place(self.played, self.played.share, place))
        return (
            estimate_share(sum(values) / len(values), compute_effective_count(len(values), self.distinct_share))
            if values
            else estimate_share(0.0, 0)
        )


def measure_arms(arms: Sequence[ArmMatches]) -> list[MeasuredArm]:
    """Measure every arm. Win probabilities are calibrated by one fit for all arms with the same bots."""
    kinds = {arm.arm.bots_label: None for arm in arms}
    fits = {kind: timeline.fit_stretch([arm for arm in arms if arm.arm.bots_label == kind]) for kind in kinds}
    return [_measure_arm(arm, fits[arm.arm.bots_label]) for arm in arms]


def _measure_arm(played: ArmMatches, stretch: LogOddsStretch) -> MeasuredArm:
    chances = timeline.stretch_chances(played, stretch)
    figures = {**_compute_basic_figures(played), **timeline.measure_timeline(played, chances)}
    if played.share.shape[1] < 3:
        for name in ("last", "kings", "control"):
            del figures[name]
    return MeasuredArm(played, chances, stretch, figures)


def select_place(played: ArmMatches, values: Numbers, place: int) -> Numbers:
    """Return the value of the seat at this place in the turn order, for each match."""
    selected: Numbers = np.where(played.place == place, values, 0.0).sum(axis=1)
    return selected


def _compute_basic_figures(played: ArmMatches) -> dict[str, Numbers]:
    seats = played.share.shape[1]
    asked = np.maximum(1, played.asked.sum(axis=1))
    figures: dict[str, Numbers] = {
        "first": select_place(played, played.share, 0),
        "last": select_place(played, played.share, seats - 1),
        "decisions": played.counts["decisions"].astype(float),
        "rounds": played.counts["rounds"].astype(float),
        "turns": played.counts["turns"].astype(float),
        "options": played.width.sum(axis=1) / asked,
        "shared": ((played.share > 0).sum(axis=1) > 1).astype(float),
    }
    if not np.isnan(played.total).any():
        ordered = np.sort(played.total, axis=1)
        winners = np.where(played.share > 0, played.total, -np.inf).max(axis=1)
        figures |= {"winner": winners, "mean": played.total.mean(axis=1), "margin": ordered[:, -1] - ordered[:, -2]}
        figures["variety"] = _score_variety(played)
    return figures


def _score_variety(played: ArmMatches) -> Numbers:
    """Return the effective number of score lines behind the winner's points, the exponential of their entropy."""
    if not played.lines:
        return np.ones(len(played.match))
    winner = played.share.argmax(axis=1)
    rows = np.arange(len(winner))
    points = np.stack([np.maximum(0.0, line[rows, winner]) for line in played.lines.values()], axis=1)
    parts = points / np.maximum(1e-9, points.sum(axis=1, keepdims=True))
    variety: Numbers = np.exp(-(parts * np.log(np.maximum(parts, 1e-12))).sum(axis=1))
    return np.round(variety, 6)


def measure_unfairness(measured: MeasuredArm, seed: int) -> Estimate:
    """Estimate the largest deviation of any place from its fair share of wins, with a bootstrap interval over deals."""
    played = measured.played
    seats = played.share.shape[1]
    places = np.array([played.compute_deal_means(select_place(played, played.share, place)) for place in range(seats)])
    n = places.shape[1]
    furthest = float(np.abs(places.mean(axis=1) - 1 / seats).max())
    samples = np.random.Generator(np.random.PCG64(seed % (1 << 63))).integers(0, n, (BOOTSTRAP_SAMPLES, n))
    spread = [float(np.abs(places[:, rows].mean(axis=1) - 1 / seats).max()) for rows in samples]
    low, high = np.quantile(spread, (0.025, 0.975))
    return Estimate(furthest, float(low), float(high), n, 0.0, BOOTSTRAP)


def count_distinct(measured: MeasuredArm) -> tuple[int, int]:
    """Return the number of matches and the number of distinct ones."""
    return len(measured.played.digest), len(np.unique(measured.played.digest))


def get_minimum_difference(figure: str, printed: float, detect: float, overrides: Mapping[str, float]) -> float:
    """Return the smallest difference of a figure that matters, set by the study or derived from the printed value."""
    if figure in overrides:
        return overrides[figure]
    return detect if FIGURE_KINDS[figure].unit == SHARE else max(1e-9, abs(printed) * RELATIVE_MIN_DIFFERENCE)
