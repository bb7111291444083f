"""Layout of the map: the places and their names, the roads, the arcs between portals, and the walking paths."""

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import Final

from triclinium.engine.core.components import FILE_CACHE_SIZE, ComponentsTable, read_components
from triclinium.games.portals.rules.components import NONE, Components, Place

DATA_FOLDER = Path(__file__).parents[1] / "data"

# The viewBox of the map.
X0, Y0, WIDTH, HEIGHT = -8, -8, 920, 588

# Pairs of a schematic x (0 to 1000) and a drawn x. The home regions are crowded and get the width that the sea and the
# distant lands can spare. The order from west to east is kept, so no roads cross.
X_STRETCH: Final = ((-9.2, -10.0), (169.8, 92.0), (718.7, 694.0), (1029.0, 912.0))
Y_OFFSET, Y_SCALE = 25 - 40 * 0.564, 0.564

PAWN_ROOM = 7  # width that a pawn takes from a name
LABEL_SHIFTS: Final = {"start": PAWN_ROOM, "middle": 0, "end": -PAWN_ROOM}
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
    """Printed place of the map."""

    def __init__(self, c: Components, place: Place, x: float, y: float) -> None:
        self.place = place
        self.id = c.place_ids[place]
        self.name = c.place_names[place]
        self.region = c.region_ids[c.place_region[place]]
        self.region_name = c.region_names[c.place_region[place]]
        self.x = x
        self.y = y
        self.label_x = self.aside_x = x
        self.label_y = self.aside_y = y  # Aside positions are used while a pawn is on the place.
        self.anchor = "middle"
        self.lines = 1
        self.flag_x = x
        self.flag_y = y
        self.flag_direction = 1  # the direction in which a second flag is shifted

    def set_label(self, row: ComponentsTable) -> None:
        """Set the positions of the name and of the flags of the viewer's cards."""
        dx, dy = row.number("dx"), row.number("dy")
        self.label_x = round(self.x + dx, 1)
        self.label_y = round(self.y + dy, 1)
        self.anchor = row.text("anchor")
        self.lines = row.integer("lines") if row.has("lines") else 1
        self.aside_x = round(self.label_x + LABEL_SHIFTS[self.anchor], 1)
        self.aside_y = (
            self.label_y if self.anchor != "middle" else round(self.label_y + (PAWN_ROOM if dy > 0 else -PAWN_ROOM), 1)
        )
        self.flag_x = round(self.x + row.number("flag_dx"), 1)
        self.flag_y = round(self.y + row.number("flag_dy"), 1)
        self.flag_direction = -1 if row.number("flag_dx") < 0 else 1

    def break_label(self, name: str) -> list[str]:
        """Return the lines of a name, broken near the middle."""
        gaps = [i for i, letter in enumerate(name) if letter == " "]
        if self.lines == 1 or not gaps:
            return [name]
        gap = min(gaps, key=lambda i: abs(2 * i - len(name)))
        return [name[:gap], name[gap + 1 :]]


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
            self.by_id[row.text("id")].set_label(row)
        near: list[str] = []
        far: list[str] = []
        for row in c.file.row("roads").rows("road", "a"):
            a, b = self.by_id[row.text("a")], self.by_id[row.text("b")]
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
