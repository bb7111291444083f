"""Maps of a report: how often players choose each place of the board, drawn on the game's own map or lands.

The size of a mark shows how often. Colours come from the style sheet, and no meaning depends on colour alone: a circle
is a number of choices, a diamond is more than in the first edition, and a ring is less.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import dist, sqrt

from markupsafe import Markup

from triclinium.engine.game import Game
from triclinium.engine.registry import find_game_folder
from triclinium.lab.study.charts import draw_text
from triclinium.lab.study.places import DrawnPlace, PlaceBoard, PlaceReport, make_place_board
from triclinium.lab.study.report_text import Text, TextLike, _, literal_name

MAP_WIDTH = 1000.0  # width of every map in units of the drawing
MIN_RADIUS, MAX_RADIUS = 14.0, 44.0  # limits of the radius of the largest mark
DOT_RADIUS = 3.0  # radius of a place that nobody chooses
FIRST_MAP, GROUND = "places-0", "places-ground"  # ids of the heading of the first map, and of the ground
NUMBERED = 9  # places with a number on the map, the first rows of the table
SMALLEST_NUMBER = 15.0  # radius of the smallest mark with a number inside; other numbers are next to their mark
FINEST_DETAIL = 10.0  # smaller details of a coast are left out, because the drawing is about 300 pixels wide
NUMBER = re.compile(r"-?\d*\.?\d+")

Point = tuple[float, float]


@dataclass(frozen=True)
class PlaceMap:
    """The board of a game, scaled to the width of a drawing, with the places of a study."""

    board: PlaceBoard
    ground: str  # SVG path of the shape below the places, in units of the drawing
    reports: Sequence[PlaceReport]

    @property
    def scale(self) -> float:
        return MAP_WIDTH / self.board.window[2]

    @property
    def height(self) -> float:
        return self.board.window[3] * self.scale

    @property
    def radius(self) -> float:
        """Return the radius of the largest mark, so that neighbouring marks do not cover each other entirely."""
        return min(MAX_RADIUS, max(MIN_RADIUS, self.board.spacing * self.scale * 0.8))

    def locate(self, place: DrawnPlace) -> tuple[float, float]:
        left, top = self.board.window[:2]
        return (place.x - left) * self.scale, (place.y - top) * self.scale

    def name(self, report: PlaceReport) -> TextLike:
        """Return the name of a place; a space of a land is named by its number and its land."""
        place = next(place for place in self.board.places if place.key == report.key)
        return place.name or name_land_space(*map(int, report.id.split()))

    def draw_times(self, edition: int, label_id: str) -> Markup:
        """Return the map of one edition. The same area means the same number of choices in both editions."""
        most = max(times.value for report in self.reports for times in report.times) or 1.0
        return self._draw(lambda report: (report.times[edition].value / most, f"pt {'ab'[edition]} heat"), label_id)

    def draw_difference(self, label_id: str) -> Markup:
        """Return the map of the differences: diamonds for more choices than in the first edition, rings for fewer."""
        changes = {report.key: report.times[1].value - report.times[0].value for report in self.reports}
        most = max(map(abs, changes.values())) or 1.0

        def weigh(report: PlaceReport) -> tuple[float, str]:
            shape = "pt b heat" if changes[report.key] > 0 else "ring heat"
            return abs(changes[report.key]) / most, shape if report.is_clear else f"{shape} faint"

        return self._draw(weigh, label_id, has_diamonds=True)

    def _draw(
        self, weigh: Callable[[PlaceReport], tuple[float, str]], label_id: str, has_diamonds: bool = False
    ) -> Markup:
        """Draw every place with the area and the style that ``weigh`` returns."""
        points = {place.key: self.locate(place) for place in self.board.places}
        # The first map has the ground and the lines, and the others refer to it, because they are long.
        parts = [self._draw_ground() if label_id == FIRST_MAP else f'<use href="#{GROUND}"/>']
        numbers: list[str] = []
        for rank, report in enumerate(self.reports, start=1):
            x, y = points[report.key]
            share, kind = weigh(report)
            radius = max(DOT_RADIUS, self.radius * sqrt(share))
            diamond = has_diamonds and kind.startswith("pt")
            parts.append(draw_place(x, y, radius, "dot" if share == 0 else kind, diamond and share > 0))
            if rank <= NUMBERED:
                shift = 0 if radius >= SMALLEST_NUMBER else radius + SMALLEST_NUMBER
                numbers.append(draw_text(x, y - shift, str(rank), "nth", "middle"))
        return Markup(
            f'<svg viewBox="0 0 {MAP_WIDTH:g} {self.height:.0f}" role="img" aria-labelledby="{label_id}">'
            f"{''.join(parts)}{''.join(numbers)}</svg>"
        )

    def _draw_ground(self) -> str:
        """Draw the shape below the places, and the lines between them."""
        at = [f"{x:.0f} {y:.0f}" for x, y in map(self.locate, self.board.places)]
        lines = "".join(f"M{at[a]}L{at[b]}" for a, b in self.board.lines)
        return f'<g id="{GROUND}"><path d="{self.ground}" class="land"/><path d="{lines}" class="grid"/></g>'


def draw_place(x: float, y: float, radius: float, kind: str, diamond: bool) -> str:
    if not diamond:
        return f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{radius:.1f}" class="{kind}"/>'
    half = f"{radius * 1.25:.0f}"  # a diamond with the area of the circle
    return f'<path d="M{x:.0f},{y:.0f}m0,-{half}l{half},{half}l-{half},{half}l-{half},-{half}z" class="{kind}"/>'


def name_land_space(land: int, space: int) -> Text:
    """Return the name of a space of a land, counted clockwise from the own land."""
    number = literal_name(str(space))
    if land == 0:
        return _("own space {0}", number)
    if land == 1:
        return _("next player’s space {0}", number)
    return _("space {0} of the player {1} seats on", number, literal_name(str(land)))


def make_place_map(game: Game, seats: int, reports: Sequence[PlaceReport]) -> PlaceMap | None:
    """Return the map of a study, or None if its game has no board with places."""
    board = make_place_board(game, seats)
    return None if board is None or not reports else PlaceMap(board, read_ground(game, board), reports)


def read_ground(game: Game, board: PlaceBoard) -> str:
    """Return the shape below the places as an SVG path in units of the drawing, or "" if there is none."""
    if not board.ground:
        return ""
    file, _hash, id = board.ground.partition("#")
    text = (find_game_folder(game) / file).read_text(encoding="utf-8")
    found = re.search(rf'<path id="{re.escape(id)}" d="([^"]*)"', text)
    assert found is not None, f"{file} has no shape {id}"
    left, top, width, height = board.window
    scale = MAP_WIDTH / width
    rings = (
        clip_ring([((x - left) * scale, (y - top) * scale) for x, y in ring], MAP_WIDTH, height * scale)
        for ring in _read_rings(found[1])
    )
    return "".join(_write_ring(thin_ring(ring)) for ring in rings if len(ring) > 2)


def _read_rings(path: str) -> Iterator[list[Point]]:
    """Yield the points of each closed line of a path with the commands M, l and z."""
    for part in path.replace("z", "").split("M")[1:]:
        numbers = [float(number) for number in NUMBER.findall(part)]
        xs, ys = accumulate(numbers[::2]), accumulate(numbers[1::2])
        yield list(zip(xs, ys, strict=True))


def clip_ring(ring: list[Point], width: float, height: float) -> list[Point]:
    """Return the part of a closed line inside a window at the origin (Sutherland and Hodgman)."""
    for axis, limit, sign in ((0, 0.0, 1), (0, width, -1), (1, 0.0, 1), (1, height, -1)):
        inside: list[Point] = []
        for a, b in zip([*ring[-1:], *ring[:-1]], ring, strict=True):
            before, after = (sign * (point[axis] - limit) for point in (a, b))
            if before * after < 0:
                share = before / (before - after)
                inside.append((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
            if after >= 0:
                inside.append(b)
        ring = inside
    return ring


def thin_ring(ring: list[Point]) -> list[Point]:
    """Return a closed line without points that are too close to the one before."""
    kept = ring[:1]
    for point in ring[1:]:
        if dist(point, kept[-1]) >= FINEST_DETAIL:
            kept.append(point)
    return kept


def _write_ring(ring: list[Point]) -> str:
    """Return a closed line as a path, in whole units relative to the point before."""
    points = [(round(x), round(y)) for x, y in ring]
    steps = [f"{b[0] - a[0]} {b[1] - a[1]}" for a, b in pairwise(points)]
    return f"M{points[0][0]} {points[0][1]}l{' '.join(steps)}z".replace(" -", "-") if len(points) > 2 else ""
