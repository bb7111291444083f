"""Five drawings in our own SVG: dots with intervals, histogram, bars, bands, looks. Colours come from the style sheet,
so that light, dark and paper are one drawing; every text is text."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from markupsafe import Markup

from triclinium.lab.study.report_text import Page, Sayable, Text, decimal
from triclinium.lab.study.statistics import Estimate
from triclinium.lab.study.summary import Look

WIDTH = 820
LEFT, RIGHT = 250, 640  # of what dots are drawn in
ROW = 30
SLIM = 360  # the same on a phone
SLIM_ROW = 44
WIDE, THIN, FAR = "wide", "slim", "far"  # seen on a wide page, on a phone, and there by scrolling


@dataclass(frozen=True)
class Dot:
    """One row: a name, an estimate as a dot or a diamond, hollow for the other bots, and the figure at its right."""

    name: Sayable
    estimate: Estimate
    shape: str  # "a": dot, "b": diamond
    value: Sayable
    bounds: Sayable
    n: "Sayable | None" = None
    hollow: bool = False

    def figure(self, page: Page) -> str:
        """Return the value with its interval and, if given, n."""
        n = f', <tspan class="soft">n\u00a0{page.svg(self.n)}</tspan>' if self.n is not None else ""
        return f'{page.svg(self.value)} <tspan class="soft">{page.svg(self.bounds)}</tspan>{n}'


def svg(inner: str, width: int, height: float, labelled: str, kind: str = "") -> Markup:
    return Markup(
        f'<svg viewBox="0 0 {width} {height:.0f}" role="img" aria-labelledby="{labelled}"'
        f"{f' class={kind}' if kind else ''}>{inner}</svg>"
    )


def text(x: float, y: float, inner: str, kind: str = "", anchor: str = "") -> str:
    classes = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{classes}{f" text-anchor={anchor!r}" if anchor else ""}>{inner}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def mark(x: float, y: float, shape: str, hollow: bool = False, size: float = 4.8) -> str:
    """A dot for the first edition, a diamond for another; a ring for the other kind of bots."""
    kind = f"{'ring' if hollow else 'pt'} {shape}"
    if shape == "a" or hollow:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}" class="{kind}"/>'
    return (
        f'<path d="M{x:.1f},{y - size - 1.5:.1f}l{size + 1.5:.1f},{size + 1.5:.1f}l{-size - 1.5:.1f},{size + 1.5:.1f}'
        f'l{-size - 1.5:.1f},{-size - 1.5:.1f}z" class="{kind}"/>'
    )


def ticks(low: float, high: float, most: int = 7) -> list[float]:
    """Round numbers that cover a range."""
    span = max(high - low, 1e-9)
    step = 10 ** floor(log10(span / most))
    step = next(step * times for times in (1, 2, 5, 10) if span / (step * times) <= most)
    first = ceil(low / step - 1e-9)
    return [round(i * step, 10) for i in range(first, floor(high / step + 1e-9) + 1)]


def axis(page: Page, at: Sequence[tuple[float, Text]], top: float, bottom: float) -> str:
    return "".join(
        line(x, top, x, bottom, "grid") + text(x, bottom + 16, page.svg(said), "tick", "middle") for x, said in at
    )


@dataclass(frozen=True)
class Span:
    """Where numbers lie across a drawing."""

    low: float
    high: float
    left: float
    right: float

    def x(self, value: float) -> float:
        inside = min(self.high, max(self.low, value))
        return self.left + (self.right - self.left) * (inside - self.low) / (self.high - self.low)


def dots(
    page: Page, rows: Sequence[Dot], reference: tuple[float, Sayable], labelled: str, share: bool = True
) -> Markup:
    """Estimates below each other, with a dashed line at what would be fair, or no effect; wide, and for a phone."""
    lows, highs = [row.estimate.low for row in rows], [row.estimate.high for row in rows]
    low, high = min([reference[0], *lows]), max([reference[0], *highs])
    room = (high - low or 1.0) * 0.05
    low, high = low - room, high + room
    if share and low > -0.1:
        low, high = max(0.0, low), min(1.0, high)
    wide, slim = Span(low, high, LEFT, RIGHT), Span(low, high, 14, SLIM - 14)
    return svg(_dots(page, rows, reference, wide, share), WIDTH, 50 + ROW * len(rows), labelled, WIDE) + svg(
        _slim_dots(page, rows, reference, slim, share), SLIM, 50 + SLIM_ROW * len(rows), labelled, THIN
    )


def _frame(page: Page, reference: tuple[float, Sayable], span: Span, share: bool, bottom: float) -> str:
    """The axis below and the dashed line."""
    reach = (100 if share else 1) * (span.high - span.low)
    digits = 0 if reach >= 4 else 1 if reach >= 0.4 else 2
    at = [(span.x(one), tick(one, share, digits)) for one in ticks(span.low, span.high, 6)]
    x = span.x(reference[0])
    anchor = "start" if x < span.left + 40 else "end" if x > span.right - 40 else "middle"
    return (
        axis(page, at, 22, bottom)
        + line(x, 18, x, bottom, "ref")
        + text(x, 13, page.svg(reference[1]), "reflab", anchor)
    )


def _dots(page: Page, rows: Sequence[Dot], reference: tuple[float, Sayable], span: Span, share: bool) -> str:
    parts = [_frame(page, reference, span, share, 26 + ROW * len(rows))]
    for i, row in enumerate(rows):
        y = 26 + ROW * (i + 0.5)
        parts.append(text(LEFT - 12, y + 4.5, page.svg(row.name), "lab", "end"))
        parts.append(_estimate(row, span, y))
        parts.append(text(RIGHT + 12, y + 4.5, row.figure(page), "val"))
    return "".join(parts)


def _slim_dots(page: Page, rows: Sequence[Dot], reference: tuple[float, Sayable], span: Span, share: bool) -> str:
    """The same with names and figures above each row."""
    parts = [_frame(page, reference, span, share, 26 + SLIM_ROW * len(rows))]
    for i, row in enumerate(rows):
        y = 26 + SLIM_ROW * (i + 0.7)
        parts.append(text(span.left, y - 12, page.svg(row.name), "lab"))
        parts.append(text(span.right, y - 12, row.figure(page), "val", "end"))
        parts.append(_estimate(row, span, y))
    return "".join(parts)


def _estimate(row: Dot, span: Span, y: float) -> str:
    one = row.estimate
    drawn = line(span.x(one.low), y, span.x(one.high), y, f"iv {row.shape}")
    return drawn + mark(span.x(one.value), y, row.shape, row.hollow)


def tick(value: float, share: bool, digits: int) -> Text:
    number = decimal(value * 100 if share else value, digits)
    return (lambda reader: f"{number(reader)}\u00a0%") if share else number


def effect(low: float, high: float, value: float, band: float, check: Estimate | None, reach: float) -> Markup:
    """The small drawing in the table of differences: the band, nought, the interval, and the other bots."""

    def x(number: float) -> float:
        return 85 + 80 * max(-1.0, min(1.0, number / reach))

    parts = [f'<rect x="{x(-band):.1f}" y="3" width="{x(band) - x(-band):.1f}" height="26" class="soi"/>']
    parts.append(line(x(0), 1, x(0), 31, "ref"))
    parts.append(line(x(low), 11, x(high), 11, "iv b") + mark(x(value), 11, "b", size=3.6))
    if check is not None:
        parts.append(line(x(check.low), 23, x(check.high), 23, "iv a") + mark(x(check.value), 23, "a", True, 3.6))
    return Markup(f'<svg viewBox="0 0 170 32" aria-hidden="true">{"".join(parts)}</svg>')


def rate(value: float, marks: Sequence[tuple[float, str, bool]]) -> Markup:
    """Return the small bar in the table of choices, with the rates of other arms marked on it."""
    parts = ['<rect y="6" width="160" height="10" class="trk"/>']
    parts.append(f'<rect y="6" width="{160 * value:.1f}" height="10" class="bar a"/>')
    parts += [mark(160 * other, 11, shape, hollow, 3.6) for other, shape, hollow in marks]
    return Markup(f'<svg viewBox="-6 0 174 22" aria-hidden="true">{"".join(parts)}</svg>')


def histogram(page: Page, bars: Sequence[Sequence[tuple[float, int]]], labelled: str) -> Markup:
    """Lengths of matches: bars for the first edition, a line for the second."""
    edges = [edge for rows in bars for edge, _ in rows]
    width = min((b - a for rows in bars for (a, _), (b, _) in itertools.pairwise(rows)), default=1.0)
    low, high = min(edges), max(edges) + width
    totals = [sum(height for _, height in rows) for rows in bars]
    most = max(height / total for rows, total in zip(bars, totals, strict=True) for _, height in rows)

    def x(value: float) -> float:
        return 16 + 398 * (value - low) / (high - low)

    def y(height: float) -> float:
        return 190 - 170 * height / most

    parts = [axis(page, [(x(one), decimal(one, 0)) for one in ticks(low, high, 6)], 186, 190)]
    for edge, height in bars[0]:
        step = bars[0][1][0] - bars[0][0][0] if len(bars[0]) > 1 else width
        top = y(height / totals[0])
        parts.append(
            f'<rect x="{x(edge) + 0.5:.1f}" y="{top:.1f}" width="{max(1.0, x(edge + step) - x(edge) - 1):.1f}" '
            f'height="{190 - top:.1f}" class="bar a"/>'
        )
    for rows, total in zip(bars[1:2], totals[1:2], strict=True):
        step = rows[1][0] - rows[0][0] if len(rows) > 1 else width
        path = f"M{x(rows[0][0]):.1f},190"
        for edge, height in rows:
            path += f"V{y(height / total):.1f}H{x(edge + step):.1f}"
        parts.append(f'<path d="{path}V190" class="step b"/>')
    return svg("".join(parts), 430, 214, labelled)


def stacked(page: Page, rows: Sequence[tuple[Sayable, Sequence[float]]], labelled: str) -> Markup:
    """Points by line, all rows from the same zero: what wins is the piece that is longer."""
    most = max(sum(max(0.0, one) for one in points) for _, points in rows) or 1.0
    wide, slim = Span(0.0, most, 200, 740), Span(0.0, most, 8, SLIM - 56)
    drawn: dict[str, list[str]] = {WIDE: [], THIN: []}
    for i, (name, points) in enumerate(rows):
        drawn[WIDE].append(text(190, 27 + 34 * i, page.svg(name), "lab", "end"))
        drawn[WIDE].append(_stack(page, points, wide, 10 + 34 * i))
        drawn[THIN].append(text(8, 14 + 52 * i, page.svg(name), "lab"))
        drawn[THIN].append(_stack(page, points, slim, 20 + 52 * i))
    return svg("".join(drawn[WIDE]), WIDTH, 14 + 34 * len(rows), labelled, WIDE) + svg(
        "".join(drawn[THIN]), SLIM, 4 + 52 * len(rows), labelled, THIN
    )


def _stack(page: Page, points: Sequence[float], span: Span, y: float) -> str:
    """One bar of pieces, and their sum."""
    parts: list[str] = []
    x = span.left
    for group, value in enumerate(points):
        width = span.x(max(0.0, value)) - span.left
        parts.append(f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="24" class="seg c{group % 8}"/>')
        if width > 30:
            kind = f"in c{group % 8}"
            parts.append(text(x + width / 2, y + 16.5, page.svg(decimal(value, 1)), kind, "middle"))
        x += width
    parts.append(text(x + 8, y + 17, page.svg(decimal(sum(points), 1)), "val"))
    return "".join(parts)


def bands(
    page: Page, rows: Sequence[Sequence[float]], fair: float, label: Sayable, shape: str, labelled: str
) -> Markup:
    """The chance of the later winner through the match: the middle, half and four fifths of all matches."""

    def x(i: float) -> float:
        return 40 + 370 * i / max(1, len(rows) - 1)

    def y(chance: float) -> float:
        return 210 - 192 * chance

    parts = [
        line(40, y(one), 410, y(one), "grid") + text(34, y(one) + 4, page.svg(decimal(100 * one, 0)), "tick", "end")
        for one in (0, 0.25, 0.5, 0.75, 1.0)
    ]
    for one in (0, 0.25, 0.5, 0.75, 1.0):
        parts.append(text(40 + 370 * one, 230, page.svg(tick(one, True, 0)), "tick", "middle"))
    for low, high, kind in ((0, 4, "fan1"), (1, 3, "fan2")):
        there = [f"{x(i):.1f},{y(row[low]):.1f}" for i, row in enumerate(rows)]
        back = [f"{x(i):.1f},{y(row[high]):.1f}" for i, row in enumerate(rows)][::-1]
        parts.append(f'<path d="M{"L".join(there + back)}Z" class="{kind} {shape}"/>')
    middle = "L".join(f"{x(i):.1f},{y(row[2]):.1f}" for i, row in enumerate(rows))
    parts.append(f'<path d="M{middle}" class="mid {shape}"/>' + line(40, y(fair), 410, y(fair), "ref"))
    parts.append(text(408, y(fair) + 14, page.svg(label), "reflab", "end"))
    return svg("".join(parts), 430, 240, labelled)


def looks(page: Page, course: Sequence[float], at: Sequence[Look], planned: int, band: float, labelled: str) -> Markup:
    """The main difference as deals came in, with the interval of every look."""
    reach = max([band * 2, *(min(0.5, max(abs(one.family.low), abs(one.family.high))) for one in at)]) * 1.1

    def x(deals: float) -> float:
        return 56 + 726 * deals / planned

    def y(value: float) -> float:
        return 114 - 96 * max(-1.0, min(1.0, value / reach))

    parts = [f'<rect x="56" width="726" y="{y(band):.1f}" height="{y(-band) - y(band):.1f}" class="soi"/>']
    for one in ticks(-reach, reach, 6):
        parts.append(line(56, y(one), 782, y(one), "ref" if one == 0 else "grid"))
        parts.append(text(48, y(one) + 4, page.svg(decimal(100 * one, 0, True)), "tick", "end"))
    last = at[-1].deals
    if course:
        points = [f"{x(last * (i + 1) / len(course)):.1f},{y(value):.1f}" for i, value in enumerate(course)]
        parts.append(f'<path d="M{"L".join(points)}" class="run"/>')
    for one_look in at:
        deals, look = one_look.deals, one_look.family
        parts.append(line(x(deals), y(look.low), x(deals), y(look.high), "iv b") + mark(x(deals), y(look.value), "b"))
        parts.append(text(x(deals), 232, page.svg(decimal(deals, 0)), "tick", "middle"))
    return svg("".join(parts), WIDTH, 246, labelled, FAR)


def scatter(page: Page, said: Sequence[float], came: Sequence[float], labelled: str) -> Markup:
    """Chances said, and wins that came."""
    parts = [line(30, 170, 190, 10, "ref")]
    for a, b in zip(said, came, strict=True):
        parts.append(mark(30 + 160 * a, 170 - 160 * b, "a"))
    for one in (0.0, 0.5, 1.0):
        parts.append(text(30 + 160 * one, 186, page.svg(tick(one, True, 0)), "tick", "middle"))
        parts.append(text(26, 174 - 160 * one, page.svg(decimal(100 * one, 0)), "tick", "end"))
    return svg("".join(parts), 210, 192, labelled)
