"""Chart of the average loss per decision: a dot for each match and a line of the smoothed average for each game."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from triclinium.server.practice.exercises import MatchLoss

SMOOTHED = 5  # matches in the moving average
MIN_TOP = 0.02  # lowest upper end of the scale, in win probability
LABEL_GAP = 15  # smallest vertical distance between two labels


@dataclass(frozen=True, slots=True)
class ChartSize:
    """The size of a chart in its own units, with the room for labels at its right."""

    name: str
    width: int
    height: int
    left: int
    right: int
    bottom: int = 28
    top: int = 10


WIDE, NARROW = ChartSize("wide", 860, 280, 44, 245), ChartSize("narrow", 340, 240, 40, 14)


@dataclass(slots=True)
class GameLine:
    """The dots and the line of one game."""

    game: str
    dots: list[tuple[float, float]]
    path: str
    average: int  # the last value of the line, in tenths of a percent
    label_y: float


@dataclass(frozen=True, slots=True)
class LossChart:
    """A chart in one size."""

    size: ChartSize
    lines: list[GameLine]
    grid: list[tuple[float, int]]  # heights, in percent
    first: float  # the time at the left end
    last: float


def draw_chart(losses: Sequence[MatchLoss], size: ChartSize) -> LossChart | None:
    """Return the chart, or None if no match was reviewed."""
    if not losses:
        return None
    first, last = losses[0].at, losses[-1].at
    highest = max(MIN_TOP, *(loss.average for loss in losses))
    step = next(step for step in (1, 2, 5, 10, 20, 25, 50, 100) if math.ceil(100 * highest / step) <= 5)
    top = step * math.ceil(100 * highest / step)

    def place(at: float, average: float) -> tuple[float, float]:
        share = (at - first) / (last - first) if last > first else 0.5
        x = size.left + 8 + share * (size.width - size.left - size.right - 16)
        y = size.height - size.bottom - 100 * average / top * (size.height - size.bottom - size.top)
        return round(x, 1), round(y, 1)

    lines: list[GameLine] = []
    for game in dict.fromkeys(loss.game for loss in losses):
        own = [loss for loss in losses if loss.game == game]
        means = [_average(own[max(0, n - SMOOTHED + 1) : n + 1]) for n in range(len(own))]
        points = [place(loss.at, mean) for loss, mean in zip(own, means, strict=True)]
        dots = [place(loss.at, loss.average) for loss in own]
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        lines.append(GameLine(game, dots, path, round(1000 * means[-1]), points[-1][1] + 4))
    _separate_labels(lines)
    return LossChart(size, lines, [(place(first, n / 100)[1], n) for n in range(0, top + 1, step)], first, last)


def _average(losses: Sequence[MatchLoss]) -> float:
    return sum(loss.average for loss in losses) / len(losses)


def _separate_labels(lines: list[GameLine]) -> None:
    """Move labels up that would cover others."""
    lowest = math.inf
    for line in sorted(lines, key=lambda line: -line.label_y):
        line.label_y = lowest = min(line.label_y, lowest - LABEL_GAP)
