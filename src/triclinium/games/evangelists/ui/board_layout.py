"""Layout of the map: positions of places, plaques, pieces and the cards in the boxes.

All coordinates are those of the board's SVG. They are here, not in the templates, so that a test can check for
overlaps.
"""

from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from triclinium.boardkit.labels import (
    ASCENT,
    Disc,
    MapLabel,
    PlacedLabel,
    Point,
    compute_height,
    measure_lines,
    measure_text,
    place_labels,
)
from triclinium.engine.component_kinds import Fact
from triclinium.engine.core.components import FILE_CACHE_SIZE
from triclinium.engine.core.text import JoinedList, Message, Name, Reader
from triclinium.games.evangelists.rules.components import Components
from triclinium.games.evangelists.ui.card_faces import TraditionFace, list_tradition_faces
from triclinium.games.evangelists.ui.view import BoxCard, City, Player
from triclinium.i18n.catalog import Domain, list_languages, load_catalog

DOMAIN: Final = Domain("evangelists", Path(__file__).parents[1] / "data" / "locale")
MAP_WINDOW: Final = (-24.0, 18.0, 874.0, 536.0)  # viewBox of the map: left, top, width, height
PHONE_WIDTH: Final = 470.0  # width of the part of the map that a phone shows around the viewer's pawn

# Drawn position of each place in the projection of the coast.
POSITIONS: Final = {
    "rome": (51.3, 80.4),
    "thessalonica": (352.0, 125.1),
    "corinth": (350.2, 222.5),
    "ephesus": (478.5, 221.2),
    "antioch": (732.6, 283.1),
    "caesarea": (695.5, 415.1),
    "jerusalem": (737.0, 451.5),
    "alexandria": (552.5, 461.4),
    "cyrene": (320.8, 403.5),
    "rhegium": (142.2, 215.2),
    "syracuse": (131.9, 252.1),
    "athens": (386.0, 209.4),
    "troas": (444.4, 156.7),
    "crete": (405.6, 328.5),
    "patara": (535.2, 281.1),
    "attalia": (575.1, 258.8),
    "salamis": (667.1, 319.4),
    "gaza": (666.0, 463.1),
    "paraetonium": (475.4, 456.0),
}
# True positions of places that are drawn elsewhere so that spaces do not overlap. A thin leader connects the two.
TRUE_POSITIONS: Final = {"jerusalem": (705.4, 440.8), "gaza": (683.2, 450.6), "athens": (374.5, 220.1)}
NAME_SIZE: Final = 20.0  # size of the waypoints' names on a small map that is shown as a whole
CITY_NAME_SIZE, PAYS_WIDTH = 25.0, 52.0  # the same for cities, and the width of the number after the name
WAYPOINT_RADIUS, CITY_RADIUS, PAWN_RADIUS = 7.0, 13.0, 12.0  # radii that names keep clear
NAMED_PAWNS: Final = 3  # maximum number of pawns at one place that names keep clear of
# Position of each city's plaque: which edge is given (left, middle or right), its x, and the y of the top.
PLAQUES: Final = {
    "rome": ("left", 70.0, 27.0),
    "thessalonica": ("middle", 357.0, 46.0),
    "corinth": ("right", 312.0, 262.0),
    "ephesus": ("left", 499.0, 146.0),
    "antioch": ("right", 838.0, 208.0),
    "caesarea": ("right", 676.0, 352.0),
    "jerusalem": ("right", 844.0, 486.0),
    "alexandria": ("middle", 553.0, 486.0),
    "cyrene": ("right", 305.0, 385.0),
}
ROADS: Final = {("caesarea", "jerusalem"), ("gaza", "jerusalem")}
COASTS: Final = {
    ("rhegium", "rome"),
    ("athens", "corinth"),
    ("athens", "thessalonica"),
    ("ephesus", "troas"),
    ("ephesus", "patara"),
    ("attalia", "ephesus"),
    ("antioch", "attalia"),
    ("caesarea", "gaza"),
    ("alexandria", "gaza"),
    ("alexandria", "paraetonium"),
    ("cyrene", "paraetonium"),
}
# Possible offsets of a pawn from its place, best first. Positions that a plaque can cover are left out.
PAWN_OFFSETS: Final = (
    (-17, -5),
    (17, -5),
    (-17, 17),
    (17, 17),
    (0, -24),
    (0, 33),
    (-32, 6),
    (32, 6),
    (-17, -22),
    (17, -22),
)
PAWN_EXTENT: Final = (10.0, 14.0, 14.0)  # Extent of a pawn to each side, up and down. Its outline may touch a plaque.
BOAT_OFFSET, BOAT_SIZE = (13.0, 4.0), 27.0  # offset of a boat from its city, and its size
BAG_POSITION: Final = (700.0, 40.0)  # position of the cubes that are not on a disc
DISC_WIDTH: Final = 41.0  # width of the witness disc on a plaque
# widths of a back, a face-up card and an empty place, and the gap between them
BACK_WIDTH, FACE_WIDTH, EMPTY_WIDTH, BOX_GAP = 25.0, 60.0, 8.0, 2.5
PLAQUE_MIN_WIDTH, PLAQUE_MAX_WIDTH, PLAQUE_HEIGHT = 146.0, 198.0, 62.0  # size of a plaque
# The status of a witness, by the colour of the cube.
CUBE_STATUS: Final = {"white": "alive", "black": "dead", None: ""}


class BoxPlace:
    """A place in a box: a back, with the number if the viewer knows it, a face-up card, or nothing."""

    def __init__(self, c: Components, nth: int, card: BoxCard | None) -> None:
        self.nth = nth
        self.x = 0.0
        self.face: TraditionFace | None = None
        self.back = ""
        self.open = False
        self.width = EMPTY_WIDTH
        if card is not None:
            self.back = c.theme_ids[card.back]
            self.open = card.face_up
            self.width = FACE_WIDTH if self.open else BACK_WIDTH
            self.face = None if card.card is None else list_tradition_faces(c)[card.card]

    @property
    def is_empty(self) -> bool:
        return not self.back


class CityPlaque:
    """A plaque of a city with its witness and its box."""

    def __init__(self, c: Components, city: City) -> None:
        self.id = c.place_ids[city.id]
        self.name = c.place_names[city.id]
        self.witness = c.witness_ids[city.witness]
        self.cube = CUBE_STATUS[city.cube]
        self.left = city.interviews_left
        self.pips = [nth < self.left for nth in range(c.interview_cards)]
        self.box = [BoxPlace(c, nth, card) for nth, card in enumerate(city.box)]
        self.cards = sum(1 for tile in self.box if not tile.is_empty)
        tiles = tuple((tile.back, tile.open, tile.face) for tile in self.box)
        self.key = (self.id, self.witness, self.cube, self.left, tiles)  # everything that the drawing depends on
        at = DISC_WIDTH
        for tile in self.box:
            tile.x = at
            at += tile.width + BOX_GAP
        self.width = max(at + 2.0, PLAQUE_MIN_WIDTH, min(measure_city_name(self.name), PLAQUE_MAX_WIDTH))
        self.high = PLAQUE_HEIGHT
        self.x, self.y = locate_plaque_corner(self.id, self.width)
        self.at_x, self.at_y = POSITIONS[self.id]
        self.stem_x = min(max(self.at_x, self.x + 8), self.x + self.width - 8)
        self.stem_y = min(max(self.at_y, self.y), self.y + PLAQUE_HEIGHT)


class MapPlace(NamedTuple):
    """A place on the map."""

    id: str
    name: Name
    x: float
    y: float
    is_city: bool


class WaypointName(NamedTuple):
    """The position of a waypoint's name: its middle, its baseline, its anchor, and a leader line or ""."""

    x: float
    y: float
    anchor: str
    leader: str


class Boat(NamedTuple):
    """A boat next to its city."""

    nth: int
    place: str
    x: float
    y: float


class Cube(NamedTuple):
    """The status cube of a witness: alive or dead on its disc, or in the bag."""

    witness: str
    status: str
    x: float
    y: float


class Pawn(NamedTuple):
    """The pawn of a player next to its place."""

    seat: int
    place: str
    x: float
    y: float


@lru_cache(FILE_CACHE_SIZE)
def list_map_places(c: Components) -> list[MapPlace]:
    return [
        MapPlace(id, name, *POSITIONS[id], at < c.cities)
        for at, (id, name) in enumerate(zip(c.place_ids, c.place_names, strict=True))
    ]


@lru_cache(100)
def measure_city_name(name: Name) -> float:
    """Return the largest width of a city's name in any language, with the number after it."""
    readers = [make_reader(language) for language in list_languages()]
    return max(measure_text(reader.format_arg(name), CITY_NAME_SIZE, bold=True) for reader in readers) + PAYS_WIDTH


def make_reader(language: str) -> Reader:
    catalog = load_catalog(language, DOMAIN)
    return Reader(language, catalog.messages, (), catalog.plural)


@lru_cache(100)
def place_waypoint_names(c: Components, language: str) -> dict[str, WaypointName]:
    """Return the positions of the waypoints' names, which do not overlap plaques, places or pawns."""
    reader = make_reader(language)
    waypoints = [spot for spot in list_map_places(c) if not spot.is_city]
    cities = [spot for spot in list_map_places(c) if spot.is_city]
    left, top, width, high = MAP_WINDOW
    corners = [locate_plaque_corner(city, PLAQUE_MAX_WIDTH) for city in PLAQUES]
    placed = place_labels(
        [
            MapLabel(
                spot.id, spot.x, spot.y, WAYPOINT_RADIUS, (measure_lines([reader.format_arg(spot.name)], NAME_SIZE),)
            )
            for spot in waypoints
        ],
        (left, top, left + width, top + high),
        obstacles=[(x - 12, y, x + PLAQUE_MAX_WIDTH + 12, y + PLAQUE_HEIGHT) for x, y in corners],
        discs=[Disc(spot.x, spot.y, CITY_RADIUS) for spot in cities]
        + [
            Disc(x, y, PAWN_RADIUS)
            for spot in list_map_places(c)
            for x, y in list_pawn_positions(spot.id, False)[:NAMED_PAWNS]
        ],
        lines=[[POSITIONS[c.place_ids[a]], POSITIONS[c.place_ids[b]]] for a, near in enumerate(c.lines) for b in near],
    )
    return {spot.id: _align_name(spot, placed[spot.id]) for spot in waypoints if spot.id in placed}


def _align_name(spot: MapPlace, label: PlacedLabel) -> WaypointName:
    """Return a name that stays next to its place even if its letters are smaller than its box."""
    left, _, right, _ = label.box
    anchor, x = ("start", left) if spot.x < left else ("end", right) if spot.x > right else ("middle", label.x)
    leader = "M{} {}L{:.1f} {:.1f}".format(*label.leader[0], *label.leader[1]) if label.leader else ""
    baseline = label.y + NAME_SIZE * (ASCENT - compute_height(1) / 2)
    return WaypointName(round(x, 1), round(baseline, 1), anchor, leader)


@lru_cache(FILE_CACHE_SIZE)
def list_map_lines(c: Components) -> list[tuple[str, str]]:
    """Return the lines of the map as curves, each with its kind. The kind has no effect on the rules (AE-R4)."""
    curves: list[tuple[str, str]] = []
    for a, neighbours in enumerate(c.lines):
        for b in neighbours:
            if a < b:
                names = sorted((c.place_ids[a], c.place_ids[b]))
                pair = (names[0], names[1])
                kind = "road" if pair in ROADS else "coast" if pair in COASTS else "lane"
                curves.append(
                    (
                        draw_curve(
                            POSITIONS[c.place_ids[a]], POSITIONS[c.place_ids[b]], 0.0 if kind == "road" else 0.07
                        ),
                        kind,
                    )
                )
    return curves


def draw_curve(a: Point, b: Point, bend: float) -> str:
    x = (a[0] + b[0]) / 2 - (b[1] - a[1]) * bend * (1 if a[0] < b[0] else -1)
    y = (a[1] + b[1]) / 2 + (b[0] - a[0]) * bend * (1 if a[0] < b[0] else -1)
    return f"M{a[0]} {a[1]}Q{x:.1f} {y:.1f} {b[0]} {b[1]}"


@lru_cache(FILE_CACHE_SIZE)
def list_travel_facts(c: Components) -> dict[str, tuple[Name, list[Fact]]]:
    """Return for each place its name, the places one and two spaces away, and the cities that a boat can sail to."""
    return {id: (c.place_names[place], list_facts_of_place(c, place)) for place, id in enumerate(c.place_ids)}


def list_facts_of_place(c: Components, place: int) -> list[Fact]:
    far = c.distance[place]
    facts: list[Fact] = []
    for spaces in range(1, c.reach_weak + 1):
        names = [c.place_names[other] for other in range(len(c.place_ids)) if far[other] == spaces]
        facts.append(Fact(Message("{0} {0:space|spaces} away", spaces), JoinedList(names), "AE-4.1"))
    if place < c.cities and c.sail_targets[place]:
        names = [c.place_names[city] for city in c.sail_targets[place]]
        facts.append(Fact(Message("By boat"), JoinedList(names), "AE-5.1"))
    return facts


def measure_distances(c: Components, pawn: int | None) -> dict[str, int]:
    """Return the distance of every place from the pawn; empty without a pawn."""
    return {} if pawn is None else dict(zip(c.place_ids, c.distance[pawn], strict=True))


def locate_plaque_corner(city: str, width: float) -> tuple[float, float]:
    """Return the top left corner of a city's plaque of this width."""
    edge, x, y = PLAQUES[city]
    return round({"left": x, "middle": x - width / 2, "right": x - width}[edge], 1), y


@cache
def list_pawn_positions(place: str, moored: bool) -> list[tuple[float, float]]:
    """Return the positions of pawns at a place, best first.

    They avoid every plaque at its largest width, then the boat.
    """
    x, y = POSITIONS[place]
    positions = [(round(x + dx, 1), round(y + dy, 1)) for dx, dy in PAWN_OFFSETS]
    plaques = [(*locate_plaque_corner(city, PLAQUE_MAX_WIDTH), PLAQUE_MAX_WIDTH, PLAQUE_HEIGHT) for city in PLAQUES]
    boat = (x + BOAT_OFFSET[0], y + BOAT_OFFSET[1], BOAT_SIZE, BOAT_SIZE)
    free = [at for at in positions if not any(covers(at, plaque) for plaque in plaques)]
    return sorted(free, key=lambda at: moored and covers(at, boat))


def covers(pawn: tuple[float, float], thing: tuple[float, float, float, float]) -> bool:
    """Return whether a pawn at this position would overlap a rectangle."""
    (x, y), (left, top, width, high) = pawn, thing
    aside, up, down = PAWN_EXTENT
    return left - aside < x < left + width + aside and top - down < y < top + high + up


def place_pawns(c: Components, players: list[Player], moored: list[str]) -> list[Pawn]:
    """Return each pawn on the board; pawns at the same place get different positions around it."""
    placed: list[Pawn] = []
    taken: dict[str, int] = {}
    for seat, player in enumerate(players):
        if player.pawn is not None:
            place = c.place_ids[player.pawn]
            nth = taken[place] = taken.get(place, -1) + 1
            placed.append(Pawn(seat, place, *list_pawn_positions(place, place in moored)[nth]))
    return placed


def place_boats(cities: list[str]) -> list[Boat]:
    """Return the boats, numbered from west to east.

    Boats have no identity in the rules. With this numbering, a boat that sails keeps its number unless it passes
    another boat. In that case both boats glide a little, and no boat vanishes and appears elsewhere.
    """
    west_to_east = sorted(cities, key=lambda city: POSITIONS[city])
    return [
        Boat(nth, city, round(POSITIONS[city][0] + BOAT_OFFSET[0], 1), round(POSITIONS[city][1] + BOAT_OFFSET[1], 1))
        for nth, city in enumerate(west_to_east)
    ]


def place_cubes(cities: list[CityPlaque]) -> list[Cube]:
    """Return a cube for every witness.

    A drawn cube glides from the bag to the disc, and back after the round (AE-10.1).
    """
    return [
        Cube(city.witness, city.cube, *((round(city.x + 27.5, 1), city.y + 39.5) if city.cube else BAG_POSITION))
        for city in cities
    ]


def choose_phone_window(pawn: str | None) -> str:
    """Return the viewBox for phones: the part of the map around the viewer's pawn."""
    if pawn is None:
        return ""
    left, top, width, high = MAP_WINDOW
    deep = PHONE_WIDTH * high / width
    x = min(max(POSITIONS[pawn][0] - PHONE_WIDTH / 2, left), left + width - PHONE_WIDTH)
    y = min(max(POSITIONS[pawn][1] - deep / 2, top), top + high - deep)
    return f"{x:.0f} {y:.0f} {PHONE_WIDTH:.0f} {deep:.0f}"
