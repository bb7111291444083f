"""Names of the spaces on the map, placed by the label engine for two sizes of the map, and for small maps on request.

`style.css` shows the layout that suits the size of the map: `roomy` on maps of at least 833 pixels, `dense` from 733
pixels on, both with all names, and `sparse` on smaller ones, with the names that the viewer needs now. No letter is
smaller than 11 pixels at the smallest size of its layout; on larger maps the letters grow less than the map.
"""

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Final

from triclinium.boardkit.labels import (
    ASCENT,
    LINE_HEIGHT,
    Box,
    Disc,
    MapLabel,
    PlacedLabel,
    clamp,
    compute_height,
    list_line_breaks,
    measure_lines,
    place_labels,
)
from triclinium.engine.core.components import FILE_CACHE_SIZE
from triclinium.games.missionnaires.rules.components import BETHEL, CONGREGATION, SEA, Components
from triclinium.games.missionnaires.ui.board_layout import MapSpace, list_spaces_by_number, map_edge_paths

FRAME: Final[Box] = (21.0, 21.0, 840.0, 554.0)
CARTOUCHE: Final[Box] = (598.0, 26.0, 834.0, 134.0)
LEGEND: Final[Box] = (28.0, 468.0, 362.0, 548.0)
ZOOM_BUTTONS: Final[Box] = (20.0, 20.0, 105.0, 200.0)
BETHEL_PAWNS: Final = ((-20.0, 0.0), (-10.0, 18.0), (10.0, 18.0))  # further pawns at the Bethel, next to the first
FONT_PIXELS: Final = 11.0
BETHEL_RADIUS: Final = 9.5
BRIEFCASE_OFFSETS: Final = ((10.0, -9.0), (-10.0, -9.0), (10.0, 9.0), (-10.0, 9.0))  # from the pawn
BRIEFCASE_EXTENT: Final = 9.5  # half the width and height
PLATE: Final = 1.7  # width of the plate of an own congregation around its letters


@dataclass(frozen=True, slots=True)
class NameLayout:
    """The layout of the names for maps of a size."""

    id: str
    scale: float  # units of the map per pixel of the smallest map that shows this layout
    radius: float  # radius that names keep clear around a space, at the size of symbols on a map of 850 pixels
    bold: bool  # True if congregations have bold names
    gap: float

    @property
    def font_size(self) -> float:
        """Return the size of the letters in units of the map."""
        return FONT_PIXELS * self.scale

    @property
    def symbol_scale(self) -> float:
        """Return the enlargement of symbols on the smallest map, as `--k` of the style sheet."""
        return compute_symbol_scale(self.scale)


ROOMY: Final = NameLayout("roomy", 1.02, 7.5, True, 1.2)
DENSE: Final = NameLayout("dense", 1.16, 7.0, False, 1.0)
SPARSE: Final = NameLayout("sparse", 2.4, 8.0, False, 2.0)
FULL_LAYOUTS: Final = (ROOMY, DENSE)


def compute_symbol_scale(scale: float) -> float:
    """Return the enlargement of symbols on a map with this number of units per pixel."""
    return min(math.pow(scale, 0.25), math.pow(scale, 0.62))


class PlacedName:
    """The name of a space in a layout, with its lines."""

    def __init__(self, layout: NameLayout, space: MapSpace, lines: tuple[str, ...], placed: PlacedLabel) -> None:
        self.layout = layout
        self.space = space
        self.lines = lines
        self.placed = placed

    def draw(self) -> tuple[str, str]:
        """Return the SVG of the leader line and of the text, relative to the space.

        The text shrinks towards the point of its box that is nearest to the space, so it always stays in its box.
        """
        left, top, right, bottom = self.placed.box
        x, y = clamp(self.space.x, left, right), clamp(self.space.y, top, bottom)
        at_x, at_y = round(x - self.space.x, 1), round(y - self.space.y, 1)
        size = self.layout.font_size
        text_height = size * compute_height(len(self.lines))
        middle = round((left + right) / 2 - x, 1)
        baseline = round((top + bottom - text_height) / 2 + ASCENT * size - y, 1)
        further_lines = "".join(
            # A space of zero width separates the lines for screen readers and copied text, such as `Mer de Cilicie`.
            f'<tspan font-size="0"> </tspan><tspan x="{middle}" dy="{LINE_HEIGHT * size:.1f}">{escape(line)}</tspan>'
            for line in self.lines[1:]
        )
        text = (
            f'<g transform="translate({at_x} {at_y})"><text class="n {self.layout.id}" x="{middle}" y="{baseline}">'
            f"{escape(self.lines[0])}{further_lines}</text></g>"
        )
        leader = f'<path class="leader {self.layout.id}" d="M0 0L{at_x} {at_y}"/>' if self.placed.leader else ""
        return leader, text


@lru_cache(100)
def place_names(c: Components, language: str, layout: NameLayout) -> dict[int, PlacedName]:
    """Return the names of all spaces that fit, by the numbers of the spaces."""
    return _place(c, language, layout, tuple(range(c.spaces)), ())


@lru_cache(1_000)
def place_needed_names(c: Components, language: str, numbers: tuple[int, ...]) -> dict[int, PlacedName]:
    """Return the names that a viewer needs on a small map, the most important ones first."""
    return _place(c, language, SPARSE, numbers, ())


def _place(
    c: Components, language: str, layout: NameLayout, numbers: tuple[int, ...], obstacles: tuple[Box, ...]
) -> dict[int, PlacedName]:
    spaces = list_spaces_by_number(c)
    is_full = layout in FULL_LAYOUTS
    labels: list[MapLabel] = []
    lines: dict[str, list[tuple[str, ...]]] = {}
    for position, number in enumerate(numbers):
        space = spaces[number]
        lines[space.id] = list_line_breaks(space.text_in(language).short_name)
        bold = layout.bold and c.kind[number] in (BETHEL, CONGREGATION)
        padding = PLATE * layout.scale if c.kind[number] == CONGREGATION or not is_full else layout.scale
        sizes = tuple(
            (width + padding, height)
            for width, height in (measure_lines(form, layout.font_size, bold) for form in lines[space.id])
        )
        radius = (BETHEL_RADIUS if c.kind[number] == BETHEL else layout.radius) * layout.symbol_scale
        rank = (2 if c.kind[number] == SEA else 1) if is_full else position
        labels.append(MapLabel(space.id, space.x, space.y, radius, sizes, rank))
    bethel = spaces[c.bethel]
    pawns = [Disc(bethel.x + dx, bethel.y + dy, layout.radius) for dx, dy in BETHEL_PAWNS]
    placed = place_labels(
        labels,
        FRAME,
        obstacles=(CARTOUCHE, LEGEND, ZOOM_BUTTONS) if is_full else obstacles,
        discs=pawns,
        lines=list_roads(c) if is_full else (),
        gap=layout.gap,
    )
    return {
        number: PlacedName(layout, spaces[number], lines[name.id][name.size_index], name)
        for number in numbers
        if (name := placed.get(spaces[number].id)) is not None
    }


@lru_cache(1_000)
def find_briefcase_offset(c: Components, language: str, x: float, y: float) -> tuple[float, float]:
    """Return the offset of an overseer's briefcase from a pawn at this position, where it covers names the least."""
    boxes = [name.placed.box for layout in FULL_LAYOUTS for name in place_names(c, language, layout).values()]

    def covered_area(offset: tuple[float, float]) -> float:
        at_x, at_y = x + offset[0], y + offset[1]
        return sum(
            max(0.0, min(right, at_x + BRIEFCASE_EXTENT) - max(left, at_x - BRIEFCASE_EXTENT))
            * max(0.0, min(bottom, at_y + BRIEFCASE_EXTENT) - max(top, at_y - BRIEFCASE_EXTENT))
            for left, top, right, bottom in boxes
        )

    return min(BRIEFCASE_OFFSETS, key=covered_area)


@lru_cache(FILE_CACHE_SIZE)
def list_roads(c: Components) -> list[list[tuple[float, float]]]:
    """Return the points of all roads and lanes."""
    roads: list[list[tuple[float, float]]] = []
    for path in map_edge_paths(c).values():
        figures = [float(figure) for figure in re.findall(r"-?\d+(?:\.\d+)?", path)]
        roads.append(list(zip(figures[::2], figures[1::2], strict=True)))
    return roads


@lru_cache(20_000)
def draw_space_name(c: Components, number: int, language: str) -> tuple[str, str]:
    """Return the leader lines and the texts of a space in both full layouts."""
    drawn = [
        name.draw() for layout in FULL_LAYOUTS if (name := place_names(c, language, layout).get(number)) is not None
    ]
    return "".join(leader for leader, _ in drawn), "".join(text for _, text in drawn)
