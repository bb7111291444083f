"""Layout of the map: the places and their names, the roads, the arcs between portals, and the walking paths."""

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import Final

from triclinium.boardkit.labels import (
    ASCENT,
    Disc,
    MapLabel,
    PlacedLabel,
    Point,
    compute_height,
    list_line_breaks,
    measure_lines,
    place_labels,
)
from triclinium.engine.core.components import FILE_CACHE_SIZE, ComponentsTable, read_components
from triclinium.engine.core.text import Reader
from triclinium.games.portals.rules.components import NONE, Components, Place
from triclinium.i18n.catalog import Domain, load_catalog

DATA_FOLDER = Path(__file__).parents[1] / "data"
DOMAIN: Final = Domain("portals", DATA_FOLDER / "locale")

# The viewBox of the map.
X0, Y0, WIDTH, HEIGHT = -8, -8, 920, 588

# Pairs of a schematic x (0 to 1000) and a drawn x. The home regions are crowded and get the width that the sea and the
# distant lands can spare. The order from west to east is kept, so no roads cross.
X_STRETCH: Final = ((-9.2, -10.0), (169.8, 92.0), (718.7, 694.0), (1029.0, 912.0))
Y_OFFSET, Y_SCALE = 25 - 40 * 0.564, 0.564

NAME_SIZE: Final = 19.5  # size of the names on the smallest map that shows all of them
NAME_ROOM: Final = 19.5  # radius that names keep clear around a place, which may have a portal and a pawn
SHORT_NAME_ROOM: Final = 28.0  # the same for names of two or three letters, because a large pawn hides more of them
FLAG_RADIUS: Final = 9.0  # radius that names keep clear around the flag of a card
ARC_BENDS = (0.18, -0.18, 0.28, -0.28, 0.4, -0.4)  # possible bends of the arc between two portals, to either side
ARC_SAMPLES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)  # positions on an arc that must keep away from places
NEAR_MIN_WIDTH, NEAR_MAX_WIDTH, NEAR_MARGIN = (
    300,
    560,
    46,
)  # the range of widths of the first window on a small screen, and its margin


def stretch_x(x: float) -> float:
    """Return the x in the drawing for an x of the schematic map."""
    (a, u), (b, v) = next(pair for pair in pairwise(X_STRETCH) if x <= pair[1][0])
    return round(u + (x - a) * (v - u) / (b - a), 1)


class BoardPlace:
    """A printed place of the map."""

    def __init__(self, c: Components, place: Place, x: float, y: float) -> None:
        self.place = place
        self.id = c.place_ids[place]
        self.name = c.place_names[place]
        self.region = c.region_ids[c.place_region[place]]
        self.region_name = c.region_names[c.place_region[place]]
        self.x = x
        self.y = y
        self.flag_x = x
        self.flag_y = y
        self.flag_direction = 1  # the direction in which a second flag is shifted

    def set_flag(self, row: ComponentsTable) -> None:
        """Set the position of the flags of the viewer's cards."""
        self.flag_x = round(self.x + row.number("flag_dx"), 1)
        self.flag_y = round(self.y + row.number("flag_dy"), 1)
        self.flag_direction = -1 if row.number("flag_dx") < 0 else 1


@dataclass(frozen=True, slots=True)
class PlaceName:
    """The name of a place on the map: its lines, the position and anchor of the first one, and a leader line or ""."""

    lines: tuple[str, ...]
    x: float
    y: float
    anchor: str
    leader: str


class BoardMap:
    """The parts of the map that never change."""

    def __init__(self, c: Components) -> None:
        self.window = f"{X0} {Y0} {WIDTH} {HEIGHT}"
        self.spots: list[BoardPlace] = []
        for place, row in enumerate(c.file.row("places").rows("place")):
            x = stretch_x(row.number("x"))
            y = round(Y_OFFSET + Y_SCALE * row.number("y"), 1)
            self.spots.append(BoardPlace(c, place, x, y))
        self.by_id = {spot.id: spot for spot in self.spots}
        for row in read_components(DATA_FOLDER / "layout.toml").row("labels").rows("place"):
            self.by_id[row.text("id")].set_flag(row)
        near: list[str] = []
        far: list[str] = []
        self.road_lines: list[list[Point]] = []  # roads, which names should rather not cover
        for row in c.file.row("roads").rows("road", "a"):
            a, b = self.by_id[row.text("a")], self.by_id[row.text("b")]
            self.road_lines.append([(a.x, a.y), (b.x, b.y)])
            (far if row.text("kind") == "far" else near).append(f"M{a.x} {a.y}L{b.x} {b.y}")
        self.roads = "".join(near)
        self.far_roads = "".join(far)
        self._portal_arcs: dict[tuple[Place, Place], str] = {}

    def find_option_place(self, option: str) -> BoardPlace:
        """Return the place that an option names."""
        return self.by_id[option.split()[-1]]

    def draw_portal_arc(self, a: Place, b: Place) -> str:
        """Return the arc between two portals, with the bend that stays farthest from all places."""
        first, last = min(a, b), max(a, b)
        made = self._portal_arcs.get((first, last))
        if made is None:
            made = self._portal_arcs[first, last] = self._draw_arc(self.spots[first], self.spots[last])
        return made

    def _draw_arc(self, start: BoardPlace, end: BoardPlace) -> str:
        best = (-1.0, "")
        for bend in ARC_BENDS:
            x = round((start.x + end.x) / 2 - bend * (end.y - start.y), 1)
            y = round((start.y + end.y) / 2 + bend * (end.x - start.x), 1)
            arc = [
                (
                    (1 - t) ** 2 * start.x + 2 * t * (1 - t) * x + t * t * end.x,
                    (1 - t) ** 2 * start.y + 2 * t * (1 - t) * y + t * t * end.y,
                )
                for t in ARC_SAMPLES
            ]
            others = [spot for spot in self.spots if spot not in (start, end)]
            room = min(hypot(spot.x - u, spot.y - v) for spot in others for u, v in arc)
            best = max(best, (room, f"M{start.x} {start.y}Q{x} {y} {end.x} {end.y}"))
        return best[1]

    def choose_near_window(self, here: Place, around: list[Place]) -> str:
        """Return the first viewBox of a small screen: a pawn and the places that it can step to."""
        centre = self.spots[here]
        half_width = max([abs(self.spots[place].x - centre.x) for place in around], default=0) + NEAR_MARGIN
        half_height = max([abs(self.spots[place].y - centre.y) for place in around], default=0) + NEAR_MARGIN
        width = round(min(max(2 * half_width, 2 * half_height * WIDTH / HEIGHT, NEAR_MIN_WIDTH), NEAR_MAX_WIDTH))
        height = round(width * HEIGHT / WIDTH)
        x = min(max(round(centre.x) - width // 2, X0), X0 + WIDTH - width)
        y = min(max(round(centre.y) - height // 2, Y0), Y0 + HEIGHT - height)
        return f"{x} {y} {width} {height}"


@lru_cache(100)
def place_names(c: Components, language: str) -> dict[str, PlaceName]:
    """Return the names of all places in a language, by the ids of the places."""
    board_map = build_board_map(c)
    catalog = load_catalog(language, DOMAIN)
    reader = Reader(language, catalog.messages, (), catalog.plural)
    forms = {spot.id: list_line_breaks(reader.format_arg(spot.name)) for spot in board_map.spots}
    labels = [
        MapLabel(
            spot.id,
            spot.x,
            spot.y,
            SHORT_NAME_ROOM if len(reader.format_arg(spot.name)) <= 3 else NAME_ROOM,
            tuple(measure_lines(lines, NAME_SIZE, bold=True) for lines in forms[spot.id]),
        )
        for spot in board_map.spots
    ]
    placed = place_labels(
        labels,
        (X0, Y0, X0 + WIDTH, Y0 + HEIGHT),
        discs=[Disc(spot.flag_x, spot.flag_y, FLAG_RADIUS) for spot in board_map.spots],
        lines=board_map.road_lines,
    )
    return {id: _align_name(board_map.by_id[id], forms[id][label.size_index], label) for id, label in placed.items()}


def _align_name(spot: BoardPlace, lines: tuple[str, ...], label: PlacedLabel) -> PlaceName:
    """Return a name that stays next to its place, also when its letters are smaller than its box."""
    left, top, right, bottom = label.box
    anchor, x = "middle", label.x
    if spot.x <= left + 1:
        anchor, x = "start", left
    elif spot.x >= right - 1:
        anchor, x = "end", right
    leader = ""
    if label.leader is not None:
        (a, b), (u, v) = label.leader
        leader = f"M{a} {b}L{u:.1f} {v:.1f}"
    text_height = compute_height(len(lines)) * NAME_SIZE
    baseline = (top + bottom - text_height) / 2 + ASCENT * NAME_SIZE
    return PlaceName(lines, round(x, 1), round(baseline, 1), anchor, leader)


@lru_cache(FILE_CACHE_SIZE)
def build_board_map(c: Components) -> BoardMap:
    return BoardMap(c)


@dataclass(slots=True)
class WalkPath:
    """A shortest path: its line on the map, its numbered steps, and whether it uses a portal."""

    line: str = ""
    marks: list[tuple[float, float, int]] = field(default_factory=list)
    by_portal: bool = False


class WalkPaths:
    """The shortest free paths of a pawn, including portals (PP-6.1, PP-6.2)."""

    def __init__(self, c: Components, start: Place, blocked: set[Place], portals: list[Place]) -> None:
        self.c = c
        self.board_map = build_board_map(c)
        self.previous_place = [NONE] * c.places
        self.steps = [NONE] * c.places  # steps to each place; NONE if there is no free way
        self.steps[start] = 0
        queue = [start]
        for place in queue:
            for there in c.neighbours[place] + (portals if place in portals else []):
                if self.steps[there] == NONE and there not in blocked:
                    self.previous_place[there] = place
                    self.steps[there] = self.steps[place] + 1
                    queue.append(there)

    def stop_after(self, goal: Place, most: int) -> Place:
        """Return the last place on the path to ``goal`` within ``most`` steps."""
        while self.steps[goal] > most:
            goal = self.previous_place[goal]
        return goal

    def find_path(self, goal: Place) -> WalkPath:
        """Return the path to a place; empty if there is none or the pawn is there."""
        way = WalkPath()
        spots = self.board_map.spots
        while (back := self.previous_place[goal]) != NONE:
            spot = spots[goal]
            if goal in self.c.neighbours[back]:
                way.line += f"M{spots[back].x} {spots[back].y}L{spot.x} {spot.y}"
            else:
                way.line += self.board_map.draw_portal_arc(back, goal)
                way.by_portal = True
            way.marks.append((spot.x, spot.y, self.steps[goal]))
            goal = back
        return way
