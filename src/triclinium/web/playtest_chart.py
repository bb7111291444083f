"""Chart of a playtest: the mean difference by number of tables, its confidence sequence, and the pairs of tables."""

from collections.abc import Sequence
from dataclasses import dataclass

from triclinium.server.workshop.confidence_sequence import DifferenceEstimate
from triclinium.server.workshop.playtest_results import SCALE
from triclinium.web.practice_chart import ChartSize

MAX_LABELS = 9  # labels of the number of tables


WIDE, NARROW = ChartSize("wide", 860, 350, 40, 16, 46, 14), ChartSize("narrow", 340, 300, 40, 16, 46, 14)


@dataclass(frozen=True, slots=True)
class PlaytestChart:
    """A chart in one size. Lines are lists of points for SVG."""

    size: ChartSize
    grid: Sequence[tuple[float, int]]  # position and label of each line, in steps of the answers
    ticks: Sequence[tuple[float, int]]  # position and label of each tick, in tables
    band: str
    edges: Sequence[str]
    middle: str
    dots: Sequence[tuple[float, float]]
    clear_x: float | None  # position at which the difference became clear; None: it is not clear


def draw_chart(
    estimates: Sequence[DifferenceEstimate], differences: Sequence[float], size: ChartSize
) -> PlaytestChart | None:
    """Return the chart, or None if no pair of tables counts yet."""
    if not estimates:
        return None
    top = 2 if all(abs(difference) * SCALE <= 2 for difference in differences) else SCALE
    inner, height = size.width - size.left - size.right, size.height - size.top - size.bottom
    pairs = len(estimates)

    def x(pair: int) -> float:
        return round(size.left + inner * pair / pairs, 1)

    def y(difference: float) -> float:
        steps = max(-top, min(top, difference * SCALE))
        return round(size.top + height * (top - steps) / (2 * top), 1)

    def draw_line(values: Sequence[float]) -> str:
        return " ".join(f"{x(n):g},{y(value):g}" for n, value in enumerate(values, start=1))

    low, high = [each.low for each in estimates], [each.high for each in estimates]
    back = " ".join(reversed(draw_line(low).split()))
    every = next(step for step in (1, 2, 4, 5, 10, 20, 50, 100, 1000) if pairs <= step * (MAX_LABELS - 1))
    clear = next((n for n, each in enumerate(estimates, start=1) if each.is_clear), 0)
    return PlaytestChart(
        size,
        [(y(step / SCALE), step) for step in range(-top, top + 1, top // 2)],
        [(x(pair), 2 * pair) for pair in range(0, pairs + 1, every)],
        f"{draw_line(high)} {back}",
        [draw_line(high), draw_line(low)],
        draw_line([each.mean for each in estimates]),
        [(x(n), y(difference)) for n, difference in enumerate(differences, start=1)],
        x(clear) if clear else None,
    )
