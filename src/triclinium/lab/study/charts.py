"""Charts of a report as SVG: dots with intervals, histogram, bars, fan chart, and interim analyses.

Colours come from the style sheet, so that one drawing works in light, dark and print. Every text is real text.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from markupsafe import Markup

from triclinium.lab.study.report_text import ReportPage, Text, TextLike, decimal
from triclinium.lab.study.statistics import Estimate
from triclinium.lab.study.summary import InterimAnalysis

WIDTH = 820
LEFT, RIGHT = 250, 640  # horizontal range of the dots
ROW = 30
NARROW_WIDTH = 360  # width and row height of the charts for phones
NARROW_ROW = 44
# CSS classes of charts: for wide pages; for phones; and for both, where phones scroll sideways
WIDE, THIN, FAR = "wide", "slim", "far"


@dataclass(frozen=True)
class DotRow:
    """A row of a dot chart: a name, an estimate as a dot or diamond, and its value as text.

    The marker is hollow for the check bots.
    """

    name: TextLike
    estimate: Estimate
    shape: str  # "a" for a dot, "b" for a diamond
    value: TextLike
    bounds: TextLike
    n: "TextLike | None" = None
    hollow: bool = False

    def format_figure(self, page: ReportPage) -> str:
        """Return the value with its interval and, if given, n."""
        n = f', <tspan class="soft">n\u00a0{page.render_svg(self.n)}</tspan>' if self.n is not None else ""
        return f'{page.render_svg(self.value)} <tspan class="soft">{page.render_svg(self.bounds)}</tspan>{n}'


def make_svg(inner: str, width: int, height: float, label_id: str, kind: str = "") -> Markup:
    return Markup(
        f'<svg viewBox="0 0 {width} {height:.0f}" role="img" aria-labelledby="{label_id}"'
        f"{f' class={kind}' if kind else ''}>{inner}</svg>"
    )


def draw_text(x: float, y: float, inner: str, kind: str = "", anchor: str = "") -> str:
    classes = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{classes}{f" text-anchor={anchor!r}" if anchor else ""}>{inner}</text>'


def draw_line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def draw_marker(x: float, y: float, shape: str, hollow: bool = False, size: float = 4.8) -> str:
    """Return a marker: a dot for the first edition, a diamond for another, a ring for the check bots."""
    kind = f"{'ring' if hollow else 'pt'} {shape}"
    if shape == "a" or hollow:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}" class="{kind}"/>'
    return (
        f'<path d="M{x:.1f},{y - size - 1.5:.1f}l{size + 1.5:.1f},{size + 1.5:.1f}l{-size - 1.5:.1f},{size + 1.5:.1f}'
        f'l{-size - 1.5:.1f},{-size - 1.5:.1f}z" class="{kind}"/>'
    )


def round_ticks(low: float, high: float, most: int = 7) -> list[float]:
    """Return round numbers that cover a range."""
    span = max(high - low, 1e-9)
    step = 10 ** floor(log10(span / most))
    step = next(step * times for times in (1, 2, 5, 10) if span / (step * times) <= most)
    first = ceil(low / step - 1e-9)
    return [round(i * step, 10) for i in range(first, floor(high / step + 1e-9) + 1)]


def draw_axis(page: ReportPage, at: Sequence[tuple[float, Text]], top: float, bottom: float) -> str:
    return "".join(
        draw_line(x, top, x, bottom, "grid") + draw_text(x, bottom + 16, page.render_svg(label), "tick", "middle")
        for x, label in at
    )


@dataclass(frozen=True)
class AxisRange:
    """A linear scale from values to horizontal positions in a drawing."""

    low: float
    high: float
    left: float
    right: float

    def to_x(self, value: float) -> float:
        inside = min(self.high, max(self.low, value))
        return self.left + (self.right - self.left) * (inside - self.low) / (self.high - self.low)


def draw_dots(
    page: ReportPage, rows: Sequence[DotRow], reference: tuple[float, TextLike], label_id: str, share: bool = True
) -> Markup:
    """Return a chart of estimates with a dashed line at the reference value, for wide pages and for phones."""
    lows, highs = [row.estimate.low for row in rows], [row.estimate.high for row in rows]
    low, high = min([reference[0], *lows]), max([reference[0], *highs])
    room = (high - low or 1.0) * 0.05
    low, high = low - room, high + room
    if share and low > -0.1:
        low, high = max(0.0, low), min(1.0, high)
    wide, slim = AxisRange(low, high, LEFT, RIGHT), AxisRange(low, high, 14, NARROW_WIDTH - 14)
    return make_svg(
        _draw_wide_dots(page, rows, reference, wide, share), WIDTH, 50 + ROW * len(rows), label_id, WIDE
    ) + make_svg(
        _draw_narrow_dots(page, rows, reference, slim, share), NARROW_WIDTH, 50 + NARROW_ROW * len(rows), label_id, THIN
    )


def _draw_frame(
    page: ReportPage, reference: tuple[float, TextLike], span: AxisRange, share: bool, bottom: float
) -> str:
    """Return the axis at the bottom and the dashed reference line."""
    width = (100 if share else 1) * (span.high - span.low)
    digits = 0 if width >= 4 else 1 if width >= 0.4 else 2
    at = [(span.to_x(value), format_tick(value, share, digits)) for value in round_ticks(span.low, span.high, 6)]
    x = span.to_x(reference[0])
    anchor = "start" if x < span.left + 40 else "end" if x > span.right - 40 else "middle"
    return (
        draw_axis(page, at, 22, bottom)
        + draw_line(x, 18, x, bottom, "ref")
        + draw_text(x, 13, page.render_svg(reference[1]), "reflab", anchor)
    )


def _draw_wide_dots(
    page: ReportPage, rows: Sequence[DotRow], reference: tuple[float, TextLike], span: AxisRange, share: bool
) -> str:
    parts = [_draw_frame(page, reference, span, share, 26 + ROW * len(rows))]
    for i, row in enumerate(rows):
        y = 26 + ROW * (i + 0.5)
        parts.append(draw_text(LEFT - 12, y + 4.5, page.render_svg(row.name), "lab", "end"))
        parts.append(_draw_estimate(row, span, y))
        parts.append(draw_text(RIGHT + 12, y + 4.5, row.format_figure(page), "val"))
    return "".join(parts)


def _draw_narrow_dots(
    page: ReportPage, rows: Sequence[DotRow], reference: tuple[float, TextLike], span: AxisRange, share: bool
) -> str:
    """Return the rows for phones, with names and values above each row."""
    parts = [_draw_frame(page, reference, span, share, 26 + NARROW_ROW * len(rows))]
    for i, row in enumerate(rows):
        y = 26 + NARROW_ROW * (i + 0.7)
        parts.append(draw_text(span.left, y - 12, page.render_svg(row.name), "lab"))
        parts.append(draw_text(span.right, y - 12, row.format_figure(page), "val", "end"))
        parts.append(_draw_estimate(row, span, y))
    return "".join(parts)


def _draw_estimate(row: DotRow, span: AxisRange, y: float) -> str:
    estimate = row.estimate
    interval_line = draw_line(span.to_x(estimate.low), y, span.to_x(estimate.high), y, f"iv {row.shape}")
    return interval_line + draw_marker(span.to_x(estimate.value), y, row.shape, row.hollow)


def format_tick(value: float, share: bool, digits: int) -> Text:
    number = decimal(value * 100 if share else value, digits)
    return (lambda reader: f"{number(reader)}\u00a0%") if share else number


def draw_effect(
    low: float, high: float, value: float, min_difference: float, check: Estimate | None, half_range: float
) -> Markup:
    """Return the small chart of a difference: minimum difference, zero line, interval, and check bots."""

    def to_x(number: float) -> float:
        return 85 + 80 * max(-1.0, min(1.0, number / half_range))

    parts = [
        f'<rect x="{to_x(-min_difference):.1f}" y="3" width="{to_x(min_difference) - to_x(-min_difference):.1f}" '
        'height="26" class="soi"/>'
    ]
    parts.append(draw_line(to_x(0), 1, to_x(0), 31, "ref"))
    parts.append(draw_line(to_x(low), 11, to_x(high), 11, "iv b") + draw_marker(to_x(value), 11, "b", size=3.6))
    if check is not None:
        parts.append(
            draw_line(to_x(check.low), 23, to_x(check.high), 23, "iv a")
            + draw_marker(to_x(check.value), 23, "a", True, 3.6)
        )
    return Markup(f'<svg viewBox="0 0 170 32" aria-hidden="true">{"".join(parts)}</svg>')


def draw_rate(value: float, marks: Sequence[tuple[float, str, bool]]) -> Markup:
    """Return the small bar of a rate in the table of choices. The rates of other arms are marked on the bar."""
    parts = ['<rect y="6" width="160" height="10" class="trk"/>']
    parts.append(f'<rect y="6" width="{160 * value:.1f}" height="10" class="bar a"/>')
    parts += [draw_marker(160 * other, 11, shape, hollow, 3.6) for other, shape, hollow in marks]
    return Markup(f'<svg viewBox="-6 0 174 22" aria-hidden="true">{"".join(parts)}</svg>')


def draw_histogram(page: ReportPage, bars: Sequence[Sequence[tuple[float, int]]], label_id: str) -> Markup:
    """Return a histogram of match lengths, with bars for the first edition and a line for the second."""
    edges = [edge for rows in bars for edge, _ in rows]
    width = min((b - a for rows in bars for (a, _), (b, _) in itertools.pairwise(rows)), default=1.0)
    low, high = min(edges), max(edges) + width
    totals = [sum(height for _, height in rows) for rows in bars]
    most = max(height / total for rows, total in zip(bars, totals, strict=True) for _, height in rows)

    def to_x(value: float) -> float:
        return 16 + 398 * (value - low) / (high - low)

    def to_y(height: float) -> float:
        return 190 - 170 * height / most

    parts = [
        draw_axis(
            page, [(to_x(tick_value), decimal(tick_value, 0)) for tick_value in round_ticks(low, high, 6)], 186, 190
        )
    ]
    for edge, height in bars[0]:
        step = bars[0][1][0] - bars[0][0][0] if len(bars[0]) > 1 else width
        top = to_y(height / totals[0])
        parts.append(
            f'<rect x="{to_x(edge) + 0.5:.1f}" y="{top:.1f}" '
            f'width="{max(1.0, to_x(edge + step) - to_x(edge) - 1):.1f}" height="{190 - top:.1f}" class="bar a"/>'
        )
    for rows, total in zip(bars[1:2], totals[1:2], strict=True):
        step = rows[1][0] - rows[0][0] if len(rows) > 1 else width
        path = f"M{to_x(rows[0][0]):.1f},190"
        for edge, height in rows:
            path += f"V{to_y(height / total):.1f}H{to_x(edge + step):.1f}"
        parts.append(f'<path d="{path}V190" class="step b"/>')
    return make_svg("".join(parts), 430, 214, label_id)


def draw_stacked_bars(page: ReportPage, rows: Sequence[tuple[TextLike, Sequence[float]]], label_id: str) -> Markup:
    """Return stacked bars of points by score line. All rows share the same zero, so that their lengths compare."""
    most = max(sum(max(0.0, value) for value in points) for _, points in rows) or 1.0
    wide, slim = AxisRange(0.0, most, 200, 740), AxisRange(0.0, most, 8, NARROW_WIDTH - 56)
    elements: dict[str, list[str]] = {WIDE: [], THIN: []}
    for i, (name, points) in enumerate(rows):
        elements[WIDE].append(draw_text(190, 27 + 34 * i, page.render_svg(name), "lab", "end"))
        elements[WIDE].append(_draw_stack(page, points, wide, 10 + 34 * i))
        elements[THIN].append(draw_text(8, 14 + 52 * i, page.render_svg(name), "lab"))
        elements[THIN].append(_draw_stack(page, points, slim, 20 + 52 * i))
    return make_svg("".join(elements[WIDE]), WIDTH, 14 + 34 * len(rows), label_id, WIDE) + make_svg(
        "".join(elements[THIN]), NARROW_WIDTH, 4 + 52 * len(rows), label_id, THIN
    )


def _draw_stack(page: ReportPage, points: Sequence[float], span: AxisRange, y: float) -> str:
    """Return one stacked bar with its total."""
    parts: list[str] = []
    x = span.left
    for group, value in enumerate(points):
        width = span.to_x(max(0.0, value)) - span.left
        parts.append(f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="24" class="seg c{group % 8}"/>')
        if width > 30:
            kind = f"in c{group % 8}"
            parts.append(draw_text(x + width / 2, y + 16.5, page.render_svg(decimal(value, 1)), kind, "middle"))
        x += width
    parts.append(draw_text(x + 8, y + 17, page.render_svg(decimal(sum(points), 1)), "val"))
    return "".join(parts)


def draw_fan_chart(
    page: ReportPage, rows: Sequence[Sequence[float]], fair: float, label: TextLike, shape: str, label_id: str
) -> Markup:
    """Return a fan chart of the later winner's probability: the median, and the middle 50% and 80% of matches."""

    def to_x(i: float) -> float:
        return 40 + 370 * i / max(1, len(rows) - 1)

    def to_y(chance: float) -> float:
        return 210 - 192 * chance

    parts = [
        draw_line(40, to_y(tick_value), 410, to_y(tick_value), "grid")
        + draw_text(34, to_y(tick_value) + 4, page.render_svg(decimal(100 * tick_value, 0)), "tick", "end")
        for tick_value in (0, 0.25, 0.5, 0.75, 1.0)
    ]
    for tick_value in (0, 0.25, 0.5, 0.75, 1.0):
        parts.append(
            draw_text(40 + 370 * tick_value, 230, page.render_svg(format_tick(tick_value, True, 0)), "tick", "middle")
        )
    for low, high, kind in ((0, 4, "fan1"), (1, 3, "fan2")):
        there = [f"{to_x(i):.1f},{to_y(row[low]):.1f}" for i, row in enumerate(rows)]
        back = [f"{to_x(i):.1f},{to_y(row[high]):.1f}" for i, row in enumerate(rows)][::-1]
        parts.append(f'<path d="M{"L".join(there + back)}Z" class="{kind} {shape}"/>')
    middle = "L".join(f"{to_x(i):.1f},{to_y(row[2]):.1f}" for i, row in enumerate(rows))
    parts.append(f'<path d="M{middle}" class="mid {shape}"/>' + draw_line(40, to_y(fair), 410, to_y(fair), "ref"))
    parts.append(draw_text(408, to_y(fair) + 14, page.render_svg(label), "reflab", "end"))
    return make_svg("".join(parts), 430, 240, label_id)


def draw_interim_analyses(
    page: ReportPage,
    running: Sequence[float],
    analyses: Sequence[InterimAnalysis],
    planned: int,
    min_difference: float,
    label_id: str,
) -> Markup:
    """Return a chart of the main difference over the number of deals, with the interval of every interim analysis."""
    half_range = (
        max([min_difference * 2, *(min(0.5, max(abs(each.family.low), abs(each.family.high))) for each in analyses)])
        * 1.1
    )

    def to_x(deals: float) -> float:
        return 56 + 726 * deals / planned

    def to_y(value: float) -> float:
        return 114 - 96 * max(-1.0, min(1.0, value / half_range))

    parts = [
        f'<rect x="56" width="726" y="{to_y(min_difference):.1f}" '
        f'height="{to_y(-min_difference) - to_y(min_difference):.1f}" class="soi"/>'
    ]
    for each in round_ticks(-half_range, half_range, 6):
        parts.append(draw_line(56, to_y(each), 782, to_y(each), "ref" if each == 0 else "grid"))
        parts.append(draw_text(48, to_y(each) + 4, page.render_svg(decimal(100 * each, 0, True)), "tick", "end"))
    last = analyses[-1].deals
    if running:
        points = [f"{to_x(last * (i + 1) / len(running)):.1f},{to_y(value):.1f}" for i, value in enumerate(running)]
        parts.append(f'<path d="M{"L".join(points)}" class="run"/>')
    for analysis in analyses:
        deals, estimate = analysis.deals, analysis.family
        parts.append(
            draw_line(to_x(deals), to_y(estimate.low), to_x(deals), to_y(estimate.high), "iv b")
            + draw_marker(to_x(deals), to_y(estimate.value), "b")
        )
        parts.append(draw_text(to_x(deals), 232, page.render_svg(decimal(deals, 0)), "tick", "middle"))
    return make_svg("".join(parts), WIDTH, 246, label_id, FAR)


def draw_calibration(page: ReportPage, predicted: Sequence[float], observed: Sequence[float], label_id: str) -> Markup:
    """Return the calibration curve: predicted probabilities against observed wins."""
    parts = [draw_line(30, 170, 190, 10, "ref")]
    for a, b in zip(predicted, observed, strict=True):
        parts.append(draw_marker(30 + 160 * a, 170 - 160 * b, "a"))
    for tick_value in (0.0, 0.5, 1.0):
        parts.append(
            draw_text(30 + 160 * tick_value, 186, page.render_svg(format_tick(tick_value, True, 0)), "tick", "middle")
        )
        parts.append(
            draw_text(26, 174 - 160 * tick_value, page.render_svg(decimal(100 * tick_value, 0)), "tick", "end")
        )
    return make_svg("".join(parts), 210, 192, label_id)
