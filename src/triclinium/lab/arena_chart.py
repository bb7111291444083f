"""Chart of a tournament: each bot's running share of wins, with its final interval."""

from itertools import pairwise
from xml.sax.saxutils import escape

from triclinium.lab.results import ArenaReport, BotResult

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 60, 190, 50, 50
LINE_COLOURS = (
    "#8c2f1b",
    "#1f5a7a",
    "#4d6b1f",
    "#7a4a8c",
    "#b07a1a",
    "#444444",
)  # dark colours that colour-blind readers can distinguish


def draw_arena_chart(report: ArenaReport) -> str:
    """Return the chart as SVG text."""
    title = f"{report['game']}, {report['seats']} seats, {report['played']} matches"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'font-family="Georgia, serif" font-size="13">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fbf7ef"/>',
        f'<text x="{LEFT}" y="28" font-size="17">{escape(title)}</text>',
    ]
    parts += [_draw_grid_line(tenth / 4) for tenth in range(5)]
    parts.append(
        f'<text x="{LEFT}" y="{HEIGHT - 14}" fill="#555">matches played, with 95 % intervals at the end</text>'
    )
    labels = _spread_labels([_scale_y(result["share"]) for result in report["standings"]])
    for i, result in enumerate(report["standings"]):
        shares = next(course["shares"] for course in report["courses"] if course["bot"] == result["bot"])
        parts += _draw_bot(result, shares, LINE_COLOURS[i % len(LINE_COLOURS)], labels[i])
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def _draw_grid_line(share: float) -> str:
    y = _scale_y(share)
    return (
        f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#ddd2bd"/>'
        f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#555">{share * 100:.0f} %</text>'
    )


def _draw_bot(result: BotResult, shares: list[float], ink: str, label: float) -> list[str]:
    points = " ".join(f"{_scale_x(i, len(shares)):.1f},{_scale_y(share):.1f}" for i, share in enumerate(shares))
    end = WIDTH - RIGHT + 8
    label_text = f"{result['bot']}: {result['share'] * 100:.1f} %"
    return [
        f'<polyline points="{points}" fill="none" stroke="{ink}" stroke-width="2"/>',
        f'<line x1="{end}" y1="{_scale_y(result["low"]):.1f}" '
        f'x2="{end}" y2="{_scale_y(result["high"]):.1f}" stroke="{ink}" '
        'stroke-width="3" stroke-opacity="0.5"/>',
        f'<circle cx="{end}" cy="{_scale_y(result["share"]):.1f}" r="4" fill="{ink}"/>',
        f'<text x="{end + 10}" y="{label + 4:.1f}" fill="{ink}">{escape(label_text)}</text>',
    ]


def _spread_labels(places: list[float]) -> list[float]:
    """Return label heights that are at least one line apart and close to their places."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    spread = places[:]
    for before, after in pairwise(order):
        spread[after] = max(spread[after], spread[before] + 17)
    return spread


def _scale_x(i: int, n: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * ((i + 1) / n)


def _scale_y(share: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)
