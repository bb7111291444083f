"""Drawing of a Testament: a column of sections with gold dots, the sand that rises over it, and its strip of records.

The ground is at 0, and the land scales the column. Each kind consists of a number of stones, 10 high. A section is one
stone, or a slice of the stones if a card has more sections than the sky has room for.
"""

from dataclasses import dataclass
from typing import Final

from triclinium.games.testoftime.rules.components import KINDS, Components
from triclinium.games.testoftime.ui.view import PastRound

# Number of drawn stones of each kind
STONE_COUNTS: Final = {"tools": 4, "art": 6, "burial": 8, "temple": 10, "monument": 12}
# Half of the width of each kind
HALF_WIDTHS: Final = {"tools": 23.0, "art": 23.0, "burial": 33.0, "temple": 37.0, "monument": 37.0}
# Distance between two dots
DOT_GAPS: Final = {"tools": 5.0, "art": 10.0, "burial": 8.5, "temple": 13.5, "monument": 12.0}
WIDE_DOT_GAP: Final = 9.0  # distance between three dots or more
NARROW_DOT_GAP: Final = 6.5  # distance between dots in low sections
STONE_HEIGHT: Final = 10
MAX_HEIGHTS: Final = {
    "tools": 76,
    "art": 90,
    "burial": 104,
    "temple": 114,
    "monument": 124,
}  # maximum height of a card with many sections
SLICE_HALF_WIDTH: Final = 60  # half of the width of a slice
FOLD_WIDTH: Final = 24  # room for the number of records that are folded away
RUIN_STONES: Final = 3  # number of stones that are visible in a ruin


class LandMarkup(str):
    """Markup that is safe to insert unescaped, because it contains only numbers and fixed words."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


@dataclass(slots=True)
class ColumnSection:
    """A section of a column: its stones, the height of its top, and its fate."""

    stones: list[int]  # stones of which the section is a part
    y: float
    fate: str  # ok, wear (decays), hit (attackers take it), ghost (under the sand), plan, ruin
    dots: list[tuple[float, float]]


class TestamentColumn:
    """A Testament as it stands, decays, is buried, or is planned."""

    def __init__(
        self, c: Components, kind: int, visible: int, wear: int = 0, hits: int = 0, plan: bool = False
    ) -> None:
        """Create a column; ``wear`` and ``hits`` are the sections that decay and attackers take if nothing changes."""
        id = KINDS[kind]
        sections = c.sections[kind]
        size = len(sections)
        self.size = size
        self.half = HALF_WIDTHS[id]
        self.kind = id
        self.shapes = STONE_COUNTS[id]
        self.high = min(STONE_HEIGHT * size, MAX_HEIGHTS[id])
        self.step = self.high / size
        self.sliced = size != self.shapes
        self.buried = visible == 0 and not plan
        self.planned = plan
        self.sections: list[ColumnSection] = []
        for i in range(size):
            if plan:
                fate = "plan"
            elif self.buried:
                fate = "ruin"
            elif i >= visible:
                fate = "ghost"
            elif i >= visible - wear:
                fate = "wear"
            elif i >= visible - wear - hits:
                fate = "hit"
            else:
                fate = "ok"
            first, last = i * self.shapes // size, -(-(i + 1) * self.shapes // size)
            dots = place_dots(id, first, sections[i], self.sliced) if fate in ("ok", "wear", "hit") else []
            self.sections.append(ColumnSection(list(range(first, last)), self.step * i - self.high, fate, dots))
        covered = 0 if plan else size - visible
        self.sand = (
            draw_mound(self.half) if self.buried else draw_dune(self.half, self.step * covered) if covered else ""
        )
        self.crack = draw_crack(self.half * 0.74, -self.step * (size - visible)) if wear and visible else ""

    @property
    def svg(self) -> LandMarkup:
        return LandMarkup(
            self._draw_ruin() if self.buried else self._draw_plan() if self.planned else self._draw_standing()
        )

    def _draw_sand(self) -> str:
        return f'<path class="sand" d="{self.sand}"/><path class="sandst" d="{self.sand}"/>' if self.sand else ""

    def _draw_ruin(self) -> str:
        """Return the SVG of a ruin: grey, tilted around its top, with its foot in the sand."""
        under = self.shapes * STONE_HEIGHT
        stone_numbers = range(min(self.shapes, RUIN_STONES))
        stones = "".join([f'<use href="#tt-{self.kind}-{i}" y="{STONE_HEIGHT * i - under}"/>' for i in stone_numbers])
        up = STONE_HEIGHT * RUIN_STONES + 2 + round(self.half / 5)  # The wider the ruin, the deeper its right side.
        tilted = f"translate(-3 {-up}) rotate(11) translate(0 {under})"
        return f'<g class="ruin" transform="{tilted}">{stones}</g>{self._draw_sand()}'

    def _draw_plan(self) -> str:
        """Return the SVG of a dashed plan in a scaffold."""
        plan = "".join([self._draw_stones(section, "plan") for section in self.sections])
        high = self.high + 5
        poles = "".join([f"M{x:.0f} 0V{-high}" for x in (-self.half - 2, -12, 12, self.half + 2)])
        boards = "".join([f"M{-self.half - 4:.0f} {-y}H{self.half + 4:.0f}" for y in range(16, high, 20)])
        return f'{plan}<path class="pole" d="{poles}{boards}"/>'

    def _draw_standing(self) -> str:
        """Return the SVG of the sand, the covered and visible sections, their gold, and the crack of decay."""
        parts = [self._draw_sand()]
        for section in self.sections:
            parts.append(self._draw_stones(section, f"x-{section.fate}"))
            if section.fate == "hit":
                parts.append(self._draw_stones(section, "hatch"))
            parts += [self._draw_dot(x, section.y + y) for x, y in section.dots]
        if self.crack:
            parts.append(f'<path class="crack" d="{self.crack}"/>')
        return "".join(parts)

    def _draw_stones(self, section: ColumnSection, name: str) -> str:
        """Return the SVG of a section: its stone, or its slice of the stones."""
        if not self.sliced:
            return f'<use class="{name}" href="#tt-{self.kind}-{section.stones[0]}" y="{section.y:g}"/>'
        part = STONE_HEIGHT * self.shapes / self.size
        uses = "".join([f'<use href="#tt-{self.kind}-{i}" y="{STONE_HEIGHT * i}"/>' for i in section.stones])
        above = (section.y + self.high) / self.step * part
        return (
            f'<svg class="{name}" x="{-SLICE_HALF_WIDTH}" y="{section.y:.2f}" '
            f'width="{2 * SLICE_HALF_WIDTH}" height="{self.step:.2f}" '
            f'viewBox="{-SLICE_HALF_WIDTH} {above:.2f} {2 * SLICE_HALF_WIDTH} {part:.2f}" '
            f'preserveAspectRatio="none">{uses}</svg>'
        )

    def _draw_dot(self, x: float, y: float) -> str:
        if not self.sliced:
            return f'<use href="#tt-dot" x="{x}" y="{y:g}"/>'
        small = min(1.0, self.step / 6.2)
        return f'<use href="#tt-dot" transform="translate({x} {y + self.step / 2:.1f}) scale({small:.2f})"/>'


def place_dots(kind: str, shape: int, count: int, sliced: bool) -> list[tuple[float, float]]:
    """Return the positions of the gold dots of a section, relative to the middle of a slice."""
    if sliced:
        return [(round((i - (count - 1) / 2) * NARROW_DOT_GAP, 1), 0.0) for i in range(count)]
    if kind == "temple" and shape == 0 and count == 3:
        return [(-7.0, 7.0), (0.0, 4.4), (7.0, 7.0)]
    y = 6.2 if kind == "temple" and shape == 0 else 3.8 if kind == "temple" and shape == 1 else 5.2
    gap = DOT_GAPS[kind] if count == 2 else min(WIDE_DOT_GAP, HALF_WIDTHS[kind] / max(1, count))
    return [(round((i - (count - 1) / 2) * gap, 1), y) for i in range(count)]


def draw_dune(half: float, h: float) -> str:
    """Return the path of a dune with this height."""
    foot = half + 4 + h * 0.07
    return (
        f"M{-foot:.1f} 0C{-0.8 * foot:.1f} 0 {-1.15 * half:.1f} {-h / 2 - 1:.1f} {-0.95 * half:.1f} {-h - 1.5:.1f}"
        f"Q{-0.6 * half:.1f} {-h + 2.5:.1f} {-0.28 * half:.1f} {-h - 0.5:.1f}"
        f"T{0.35 * half:.1f} {-h:g}T{0.95 * half:.1f} {-h - 2:g}"
        f"C{1.15 * half:.1f} {-h / 2:.1f} {0.8 * foot:.1f} 0 {foot:.1f} 0Z"
    )


def draw_mound(half: float) -> str:
    """Return the path of the sand over a buried Testament: a hill, steeper to the left."""
    foot = half + 5
    return (
        f"M{-foot:.1f} 0C{-0.72 * foot:.1f} -2 {-0.6 * foot:.1f} -{2 * STONE_HEIGHT} "
        f"{-0.16 * foot:.1f} -{2 * STONE_HEIGHT + 2}"
        f"S{0.42 * foot:.1f} -12 {0.62 * foot:.1f} -7T{foot:.1f} 0Z"
    )


def draw_crack(half: float, y: float) -> str:
    """Return the path of the zigzag through the section that decays next."""
    step = round(half / 5, 2)
    teeth = "".join([f"l{step} {rise}" for rise in (-4, 3, -5, 4, -4, 5, -5, 4, -4, 6)])
    return f"M{-half:.1f} {y:g}{teeth}"


@dataclass(slots=True)
class RecordCell:
    """A cell of one round of a Testament's past, or of the present round."""

    x: float
    w: float
    round: int
    preserved: bool
    strips: int
    by: list[int]
    now: bool = False


def lay_out_records(
    past: list[PastRound], centre: float, room: float, widest: float, least: float
) -> tuple[list[RecordCell], int]:
    """Return the records side by side, with room for the present round, and the number of old ones folded away."""
    count = len(past) + 1
    w = min(widest, room / count)
    x = centre - w * count / 2
    folded = 0
    if w < least:
        w = least
        fits = int((room - FOLD_WIDTH) / least)
        folded = count - fits
        x = centre + room / 2 - w * fits
    cells: list[RecordCell] = []
    for record in past[folded:]:
        cells.append(RecordCell(round(x, 1), round(w, 2), record.round, record.preserved, record.strips, record.by))
        x += w
    return cells, folded


def draw_cells(cells: list[RecordCell], y: float, high: int, big: bool) -> LandMarkup:
    """Return the strip of records: the mark above, the strips by attack below, and the present round dashed."""
    parts: list[str] = []
    for cell in cells:
        middle = round(cell.x + cell.w / 2, 1)
        state = f"{'' if cell.preserved else ' dec'}{' hitc' if cell.strips else ''}{' now' if cell.now else ''}"
        parts.append(f'<g class="cell{state}"><rect x="{cell.x + 0.6:.1f}" y="{y}" width="{cell.w - 1.2:.1f}" ')
        parts.append(f'height="{high}" rx="2"/>')
        if big and cell.w >= 17:
            mark = "wreath" if cell.preserved else "heap"
            parts.append(f'<use href="#tt-{mark}" transform="translate({middle} {y + 9}) scale(.8)"/>')
        else:
            low = 7 if big else high - 5 if cell.strips else high // 2
            parts.append(f'<use href="#tt-{"tok" if cell.preserved else "dune"}" x="{middle}" y="{y + low}"/>')
        if cell.strips:
            fit = f' textLength="{cell.w - 3:.1f}" lengthAdjust="spacingAndGlyphs"' if cell.strips > 9 else ""
            parts.append(f'<text class="hn" x="{middle}" y="{y + (high - 3 if big else 10)}"{fit}>{cell.strips}</text>')
        if big and (cell.w >= 17 or cell.now or cell.round % 5 == 0):
            parts.append(f'<text class="rn{" rnow" if cell.now else ""}" x="{middle}" y="{y - 4}">{cell.round}</text>')
        parts.append("</g>")
    return LandMarkup("".join(parts))


def compute_burial_depth(c: Components, kind: int, past: list[PastRound]) -> int:
    """Return how many more sections a buried Testament has lost than it has."""
    lost = sum([record.strips + (0 if record.preserved else 1) for record in past])
    return lost - c.size[kind]
