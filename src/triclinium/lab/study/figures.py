"""Figures: one number a match each, so that every interval is that of a mean; and what they are called."""

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
MIN_DISTINCT_SHARE = 0.9  # different matches among all, below which only the different ones count
RELATIVE_MIN_DIFFERENCE = (
    0.05  # of the printed value: the smallest difference that matters, unless a study says otherwise
)


class FigureKind(NamedTuple):
    """A figure: its id in files, its name, whether it is a share, and whether it is among the headlines."""

    id: str
    name: str
    unit: str
    headline: bool
    digits: int  # behind the point, as people read it


FIGURES = (
    FigureKind("first", msgid("wins of the first player"), SHARE, True, 1),
    FigureKind("last", msgid("wins of the last player"), SHARE, True, 1),
    FigureKind("decisions", msgid("decisions in a match"), NUMBER, True, 0),
    FigureKind("options", msgid("options at a choice"), NUMBER, True, 2),
    FigureKind("winner", msgid("the winner’s score"), NUMBER, True, 1),
    FigureKind("margin", msgid("margin of the win"), NUMBER, True, 1),
    FigureKind("changes", msgid("changes of the lead"), NUMBER, True, 2),
    FigureKind("decided", msgid("when it is decided"), SHARE, True, 0),
    FigureKind("half", msgid("leader at half time wins"), SHARE, True, 1),
    FigureKind("rounds", msgid("rounds"), NUMBER, False, 1),
    FigureKind("turns", msgid("turns"), NUMBER, False, 1),
    FigureKind("mean", msgid("mean score"), NUMBER, False, 1),
    FigureKind("behind", msgid("the later winner was behind in the second half"), SHARE, False, 1),
    FigureKind("drama", msgid("drama"), NUMBER, False, 3),
    FigureKind("uncertainty", msgid("uncertainty"), SHARE, False, 0),
    FigureKind(
        "kings", msgid("turns of a player out of the running that move a rival’s chance by 10 points"), SHARE, False, 1
    ),
    FigureKind("control", msgid("the same, turns of all others"), SHARE, False, 1),
    FigureKind("variety", msgid("lines of the score sheet that the winner’s points come from"), NUMBER, False, 1),
    FigureKind("shared", msgid("the victory is shared"), SHARE, False, 1),
)
FIGURE_KINDS: Mapping[str, FigureKind] = {kind.id: kind for kind in FIGURES}


@dataclass(frozen=True)
class MeasuredArm:
    """An arm with the figures of its matches, by id; a figure that the game or the seats do not have is missing."""

    played: ArmMatches
    chances: Numbers  # of every moment, as they come true
    stretch: LogOddsStretch
    figures: Mapping[str, Numbers]

    @property
    def distinct_share(self) -> float:
        """The share of matches that tell anything new: all, unless too many are one match over and over."""
        matches, different = count_distinct(self)
        return different / matches if different < MIN_DISTINCT_SHARE * matches else 1.0

    def list_deal_values(self, figure: str) -> list[float]:
        """One number a deal; not a number where a deal has none."""
        return self.played.compute_deal_means(self.figures[figure])

    def estimate(self, figure: str) -> Estimate:
        """A figure with its interval: of a share within 0 and 1, of the rest that of a mean."""
        values = [value for value in self.list_deal_values(figure) if value == value]
        return (
            estimate_mean_share(values, distinct_share=self.distinct_share)
            if FIGURE_KINDS[figure].unit == SHARE
            else estimate_mean(values, distinct_share=self.distinct_share)
        )

    def estimate_place_wins(self, place: int) -> Estimate:
        """The share of wins of the seat that is asked so manyth."""
        values = self.played.compute_deal_means(select_place(self.played, self.played.share, place))
        return (
            estimate_share(sum(values) / len(values), compute_effective_count(len(values), self.distinct_share))
            if values
            else estimate_share(0.0, 0)
        )


def measure_arms(arms: Sequence[ArmMatches]) -> list[MeasuredArm]:
    """Every arm; chances are stretched by one fit for all arms with the same bots."""
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
    """The value of the seat that has this place in the order of turns, match by match."""
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
    """As how many equal lines the winner's points are spread: the exponential of their entropy."""
    if not played.lines:
        return np.ones(len(played.match))
    winner = played.share.argmax(axis=1)
    rows = np.arange(len(winner))
    points = np.stack([np.maximum(0.0, line[rows, winner]) for line in played.lines.values()], axis=1)
    parts = points / np.maximum(1e-9, points.sum(axis=1, keepdims=True))
    variety: Numbers = np.exp(-(parts * np.log(np.maximum(parts, 1e-12))).sum(axis=1))
    return np.round(variety, 6)


def measure_unfairness(measured: MeasuredArm, seed: int) -> Estimate:
    """How far the place that is furthest from its share of wins is from it; the interval is a bootstrap of deals."""
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
    """How many matches there are, and how many different ones."""
    return len(measured.played.digest), len(np.unique(measured.played.digest))


def get_minimum_difference(figure: str, printed: float, detect: float, overrides: Mapping[str, float]) -> float:
    """The smallest difference of a figure that matters."""
    if figure in overrides:
        return overrides[figure]
    return detect if FIGURE_KINDS[figure].unit == SHARE else max(1e-9, abs(printed) * RELATIVE_MIN_DIFFERENCE)
