"""Figures: one number a match each, so that every interval is that of a mean; and what they are called."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from triclinium.engine.core.text import msgid
from triclinium.lab.study import timeline
from triclinium.lab.study.arrays import Numbers, Played
from triclinium.lab.study.statistics import BOOTSTRAP, Estimate, fewer, mean, mean_share, wilson
from triclinium.lab.study.timeline import Stretch

SHARE, NUMBER = "share", "number"
RESAMPLES = 1000
CROWD = 0.9  # different matches among all, below which only the different ones count
BAND = 0.05  # of the printed value: the smallest difference that matters, unless a study says otherwise


class Kind(NamedTuple):
    """A figure: its id in files, its name, whether it is a share, and whether it is among the headlines."""

    id: str
    name: str
    unit: str
    headline: bool
    digits: int  # behind the point, as people read it


FIGURES = (
    Kind("first", msgid("wins of the first player"), SHARE, True, 1),
    Kind("last", msgid("wins of the last player"), SHARE, True, 1),
    Kind("decisions", msgid("decisions in a match"), NUMBER, True, 0),
    Kind("options", msgid("options at a choice"), NUMBER, True, 2),
    Kind("winner", msgid("the winner’s score"), NUMBER, True, 1),
    Kind("margin", msgid("margin of the win"), NUMBER, True, 1),
    Kind("changes", msgid("changes of the lead"), NUMBER, True, 2),
    Kind("decided", msgid("when it is decided"), SHARE, True, 0),
    Kind("half", msgid("leader at half time wins"), SHARE, True, 1),
    Kind("rounds", msgid("rounds"), NUMBER, False, 1),
    Kind("turns", msgid("turns"), NUMBER, False, 1),
    Kind("mean", msgid("mean score"), NUMBER, False, 1),
    Kind("behind", msgid("the later winner was behind in the second half"), SHARE, False, 1),
    Kind("drama", msgid("drama"), NUMBER, False, 3),
    Kind("uncertainty", msgid("uncertainty"), SHARE, False, 0),
    Kind(
        "kings", msgid("turns of a player out of the running that move a rival’s chance by 10 points"), SHARE, False, 1
    ),
    Kind("control", msgid("the same, turns of all others"), SHARE, False, 1),
    Kind("variety", msgid("lines of the score sheet that the winner’s points come from"), NUMBER, False, 1),
    Kind("shared", msgid("the victory is shared"), SHARE, False, 1),
)
KINDS: Mapping[str, Kind] = {kind.id: kind for kind in FIGURES}


@dataclass(frozen=True)
class Measured:
    """An arm with the figures of its matches, by id; a figure that the game or the seats do not have is missing."""

    played: Played
    chances: Numbers  # of every moment, as they come true
    stretch: Stretch
    each: Mapping[str, Numbers]

    @property
    def new(self) -> float:
        """The share of matches that tell anything new: all, unless too many are one match over and over."""
        matches, different = alike(self)
        return different / matches if different < CROWD * matches else 1.0

    def values(self, figure: str) -> list[float]:
        """One number a deal; not a number where a deal has none."""
        return self.played.by_deal(self.each[figure])

    def estimate(self, figure: str) -> Estimate:
        """A figure with its interval: of a share within 0 and 1, of the rest that of a mean."""
        values = [value for value in self.values(figure) if value == value]
        return mean_share(values, new=self.new) if KINDS[figure].unit == SHARE else mean(values, new=self.new)

    def place(self, place: int) -> Estimate:
        """The share of wins of the seat that is asked so manyth."""
        values = self.played.by_deal(of_place(self.played, self.played.share, place))
        return wilson(sum(values) / len(values), fewer(len(values), self.new)) if values else wilson(0.0, 0)


def measure(arms: Sequence[Played]) -> list[Measured]:
    """Every arm; chances are stretched by one fit for all arms with the same bots."""
    kinds = {arm.arm.kind: None for arm in arms}
    fits = {kind: timeline.fit([arm for arm in arms if arm.arm.kind == kind]) for kind in kinds}
    return [_measured(arm, fits[arm.arm.kind]) for arm in arms]


def _measured(played: Played, stretch: Stretch) -> Measured:
    chances = timeline.stretched(played, stretch)
    each = {**_plain(played), **timeline.course(played, chances)}
    if played.share.shape[1] < 3:
        for name in ("last", "kings", "control"):
            del each[name]
    return Measured(played, chances, stretch, each)


def of_place(played: Played, values: Numbers, place: int) -> Numbers:
    """The value of the seat that has this place in the order of turns, match by match."""
    found: Numbers = np.where(played.place == place, values, 0.0).sum(axis=1)
    return found


def _plain(played: Played) -> dict[str, Numbers]:
    seats = played.share.shape[1]
    asked = np.maximum(1, played.asked.sum(axis=1))
    found: dict[str, Numbers] = {
        "first": of_place(played, played.share, 0),
        "last": of_place(played, played.share, seats - 1),
        "decisions": played.counts["decisions"].astype(float),
        "rounds": played.counts["rounds"].astype(float),
        "turns": played.counts["turns"].astype(float),
        "options": played.width.sum(axis=1) / asked,
        "shared": ((played.share > 0).sum(axis=1) > 1).astype(float),
    }
    if not np.isnan(played.total).any():
        ordered = np.sort(played.total, axis=1)
        winners = np.where(played.share > 0, played.total, -np.inf).max(axis=1)
        found |= {"winner": winners, "mean": played.total.mean(axis=1), "margin": ordered[:, -1] - ordered[:, -2]}
        found["variety"] = _variety(played)
    return found


def _variety(played: Played) -> Numbers:
    """As how many equal lines the winner's points are spread: the exponential of their entropy."""
    if not played.lines:
        return np.ones(len(played.match))
    winner = played.share.argmax(axis=1)
    rows = np.arange(len(winner))
    points = np.stack([np.maximum(0.0, line[rows, winner]) for line in played.lines.values()], axis=1)
    parts = points / np.maximum(1e-9, points.sum(axis=1, keepdims=True))
    found: Numbers = np.exp(-(parts * np.log(np.maximum(parts, 1e-12))).sum(axis=1))
    return np.round(found, 6)


def unfairness(measured: Measured, seed: int) -> Estimate:
    """How far the place that is furthest from its share of wins is from it; the interval is a bootstrap of deals."""
    played = measured.played
    seats = played.share.shape[1]
    places = np.array([played.by_deal(of_place(played, played.share, place)) for place in range(seats)])
    n = places.shape[1]
    furthest = float(np.abs(places.mean(axis=1) - 1 / seats).max())
    drawn = np.random.Generator(np.random.PCG64(seed % (1 << 63))).integers(0, n, (RESAMPLES, n))
    spread = [float(np.abs(places[:, rows].mean(axis=1) - 1 / seats).max()) for rows in drawn]
    low, high = np.quantile(spread, (0.025, 0.975))
    return Estimate(furthest, float(low), float(high), n, 0.0, BOOTSTRAP)


def alike(measured: Measured) -> tuple[int, int]:
    """How many matches there are, and how many different ones."""
    return len(measured.played.digest), len(np.unique(measured.played.digest))


def band_of(figure: str, printed: float, detect: float, bands: Mapping[str, float]) -> float:
    """The smallest difference of a figure that matters."""
    if figure in bands:
        return bands[figure]
    return detect if KINDS[figure].unit == SHARE else max(1e-9, abs(printed) * BAND)
