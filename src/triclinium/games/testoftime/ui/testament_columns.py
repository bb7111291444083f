"""How a Testament is drawn: a column of sections with gold dots, the sand that rises over it, its strip of records.

The ground is at 0, and a land scales it. A kind is drawn in so many stones, 10 high. A section is a stone or, where a
card has more of them than fit into the sky, a slice of the stones.
"""

from dataclasses import dataclass
from typing import Final

from triclinium.games.testoftime.rules.components import KINDS, Components
from triclinium.games.testoftime.ui.view import PastRound

SHAPES: Final = {"tools": 4, "art": 6, "burial": 8, "temple": 10, "monument": 12}  # drawn sections of each kind
HALF: Final = {"tools": 23.0, "art": 23.0, "burial": 33.0, "temple": 37.0, "monument": 37.0}  # half the width
GAP: Final = {"tools": 5.0, "art": 10.0, "burial": 8.5, "temple": 13.5, "monument": 12.0}  # between two dots
BROAD: Final = 9.0  # between three dots or more
CLOSE: Final = 6.5  # between any two where sections are low
HIGH: Final = 10
TALLEST: Final = {"tools": 76, "art": 90, "burial": 104, "temple": 114, "monument": 124}  # of a card of many sections
WIDE: Final = 60  # half of the room of a slice
FOLD: Final = 24  # room for the number of records that are folded away
RUIN: Final = 3  # sections that still lie about when a Testament is buried


class Drawn(str):
    """Markup made of numbers and of our own words only: a template puts it in as it is."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


@dataclass(slots=True)
class Section:
    """One section: which shape, how high its top lies, what will become of it."""

    stones: list[int]  # that it is a part of
    y: float
    fate: str  # ok, wear (time takes it), hit (attackers take it), ghost (under the sand), plan, ruin
    dots: list[tuple[float, float]]


class Column:
    """A Testament as it stands, decays, lies buried or is planned."""

    def __init__(
        self, c: Components, kind: int, visible: int, wear: int = 0, hits: int = 0, plan: bool = False
    ) -> None:
        """``wear`` and ``hits``: sections that time and attackers take if nothing changes."""
        id = KINDS[kind]
        sections = c.sections[kind]
        size = len(sections)
        self.size = size
        self.half = HALF[id]
        self.kind = id
        self.shapes = SHAPES[id]
        self.high = min(HIGH * size, TALLEST[id])
        self.step = self.high / size
        self.sliced = size != self.shapes
        self.buried = visible == 0 and not plan
        self.planned = plan
        self.sections: list[Section] = []
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
            dots = dots_on(id, first, sections[i], self.sliced) if fate in ("ok", "wear", "hit") else []
            self.sections.append(Section(list(range(first, last)), self.step * i - self.high, fate, dots))
        covered = 0 if plan else size - visible
        self.sand = mound(self.half) if self.buried else dune(self.half, self.step * covered) if covered else ""
        self.crack = crack(self.half * 0.74, -self.step * (size - visible)) if wear and visible else ""

    @property
    def svg(self) -> Drawn:
        return Drawn(self._ruin() if self.buried else self._plan() if self.planned else self._standing())

    def _sand(self) -> str:
        return f'<path class="sand" d="{self.sand}"/><path class="sandst" d="{self.sand}"/>' if self.sand else ""

    def _ruin(self) -> str:
        """Grey, tilted around its top, its foot hidden in the sand."""
        under = self.shapes * HIGH
        shown = range(min(self.shapes, RUIN))
        stones = "".join([f'<use href="#tt-{self.kind}-{i}" y="{HIGH * i - under}"/>' for i in shown])
        up = HIGH * RUIN + 2 + round(self.half / 5)  # the wider, the deeper its right side
        tilted = f"translate(-3 {-up}) rotate(11) translate(0 {under})"
        return f'<g class="ruin" transform="{tilted}">{stones}</g>{self._sand()}'

    def _plan(self) -> str:
        """A dashed plan in a scaffold."""
        plan = "".join([self._stones(one, "plan") for one in self.sections])
        high = self.high + 5
        poles = "".join([f"M{x:.0f} 0V{-high}" for x in (-self.half - 2, -12, 12, self.half + 2)])
        boards = "".join([f"M{-self.half - 4:.0f} {-y}H{self.half + 4:.0f}" for y in range(16, high, 20)])
        return f'{plan}<path class="pole" d="{poles}{boards}"/>'

    def _standing(self) -> str:
        """The sand, what shines through it, the visible sections with their gold, and the crack of time."""
        made = [self._sand()]
        for one in self.sections:
            made.append(self._stones(one, f"x-{one.fate}"))
            if one.fate == "hit":
                made.append(self._stones(one, "hatch"))
            made += [self._dot(x, one.y + y) for x, y in one.dots]
        if self.crack:
            made.append(f'<path class="crack" d="{self.crack}"/>')
        return "".join(made)

    def _stones(self, one: Section, name: str) -> str:
        """A section: its stone, or the part of the stones that it is."""
        if not self.sliced:
            return f'<use class="{name}" href="#tt-{self.kind}-{one.stones[0]}" y="{one.y:g}"/>'
        part = HIGH * self.shapes / self.size
        uses = "".join([f'<use href="#tt-{self.kind}-{i}" y="{HIGH * i}"/>' for i in one.stones])
        above = (one.y + self.high) / self.step * part
        return (
            f'<svg class="{name}" x="{-WIDE}" y="{one.y:.2f}" width="{2 * WIDE}" height="{self.step:.2f}" '
            f'viewBox="{-WIDE} {above:.2f} {2 * WIDE} {part:.2f}" preserveAspectRatio="none">{uses}</svg>'
        )

    def _dot(self, x: float, y: float) -> str:
        if not self.sliced:
            return f'<use href="#tt-dot" x="{x}" y="{y:g}"/>'
        small = min(1.0, self.step / 6.2)
        return f'<use href="#tt-dot" transform="translate({x} {y + self.step / 2:.1f}) scale({small:.2f})"/>'


def dots_on(kind: str, shape: int, count: int, sliced: bool) -> list[tuple[float, float]]:
    """Where the gold dots of a section are, in a slice from its middle."""
    if sliced:
        return [(round((i - (count - 1) / 2) * CLOSE, 1), 0.0) for i in range(count)]
    if kind == "temple" and shape == 0 and count == 3:
        return [(-7.0, 7.0), (0.0, 4.4), (7.0, 7.0)]
    y = 6.2 if kind == "temple" and shape == 0 else 3.8 if kind == "temple" and shape == 1 else 5.2
    gap = GAP[kind] if count == 2 else min(BROAD, HALF[kind] / max(1, count))
    return [(round((i - (count - 1) / 2) * gap, 1), y) for i in range(count)]


def dune(half: float, h: float) -> str:
    """Sand so high."""
    foot = half + 4 + h * 0.07
    return (
        f"M{-foot:.1f} 0C{-0.8 * foot:.1f} 0 {-1.15 * half:.1f} {-h / 2 - 1:.1f} {-0.95 * half:.1f} {-h - 1.5:.1f}"
        f"Q{-0.6 * half:.1f} {-h + 2.5:.1f} {-0.28 * half:.1f} {-h - 0.5:.1f}"
        f"T{0.35 * half:.1f} {-h:g}T{0.95 * half:.1f} {-h - 2:g}"
        f"C{1.15 * half:.1f} {-h / 2:.1f} {0.8 * foot:.1f} 0 {foot:.1f} 0Z"
    )


def mound(half: float) -> str:
    """The sand over what is buried: a hill, steeper to the left."""
    foot = half + 5
    return (
        f"M{-foot:.1f} 0C{-0.72 * foot:.1f} -2 {-0.6 * foot:.1f} -{2 * HIGH} {-0.16 * foot:.1f} -{2 * HIGH + 2}"
        f"S{0.42 * foot:.1f} -12 {0.62 * foot:.1f} -7T{foot:.1f} 0Z"
    )


def crack(half: float, y: float) -> str:
    """The zigzag through the section that time takes next."""
    step = round(half / 5, 2)
    teeth = "".join([f"l{step} {rise}" for rise in (-4, 3, -5, 4, -4, 5, -5, 4, -4, 6)])
    return f"M{-half:.1f} {y:g}{teeth}"


@dataclass(slots=True)
class Cell:
    """One round of a Testament's past, or the present one as it stands."""

    x: float
    w: float
    round: int
    preserved: bool
    strips: int
    by: list[int]
    now: bool = False


def strip(past: list[PastRound], centre: float, room: float, widest: float, least: float) -> tuple[list[Cell], int]:
    """The records side by side, with room for the present round; and how many old ones are folded away."""
    count = len(past) + 1
    w = min(widest, room / count)
    x = centre - w * count / 2
    folded = 0
    if w < least:
        w = least
        fits = int((room - FOLD) / least)
        folded = count - fits
        x = centre + room / 2 - w * fits
    cells: list[Cell] = []
    for record in past[folded:]:
        cells.append(Cell(round(x, 1), round(w, 2), record.round, record.preserved, record.strips, record.by))
        x += w
    return cells, folded


def cells_svg(cells: list[Cell], y: float, high: int, big: bool) -> Drawn:
    """The strip of records: above the mark, below what attackers took, dashed what comes if nothing changes."""
    made: list[str] = []
    for cell in cells:
        middle = round(cell.x + cell.w / 2, 1)
        state = f"{'' if cell.preserved else ' dec'}{' hitc' if cell.strips else ''}{' now' if cell.now else ''}"
        made.append(f'<g class="cell{state}"><rect x="{cell.x + 0.6:.1f}" y="{y}" width="{cell.w - 1.2:.1f}" ')
        made.append(f'height="{high}" rx="2"/>')
        if big and cell.w >= 17:
            mark = "wreath" if cell.preserved else "heap"
            made.append(f'<use href="#tt-{mark}" transform="translate({middle} {y + 9}) scale(.8)"/>')
        else:
            low = 7 if big else high - 5 if cell.strips else high // 2
            made.append(f'<use href="#tt-{"tok" if cell.preserved else "dune"}" x="{middle}" y="{y + low}"/>')
        if cell.strips:
            made.append(f'<text class="hn" x="{middle}" y="{y + (high - 3 if big else 10)}">{cell.strips}</text>')
        if big and (cell.w >= 17 or cell.now or cell.round % 5 == 0):
            made.append(f'<text class="rn{" rnow" if cell.now else ""}" x="{middle}" y="{y - 4}">{cell.round}</text>')
        made.append("</g>")
    return Drawn("".join(made))


def debt(c: Components, kind: int, past: list[PastRound]) -> int:
    """By how many sections a buried Testament lies too deep to be seen."""
    lost = sum([record.strips + (0 if record.preserved else 1) for record in past])
    return lost - c.size[kind]
