"""The map as it is drawn: where places, plaques and pawns stand, and what lies in the boxes."""

from functools import cache
from typing import Final

from triclinium.kernel.frame import items, table_of, whole, word
from triclinium.titles.evangelists.components import Components
from triclinium.titles.evangelists.reasons import members

# Where places are drawn (the coast is projected alike), and on which side a waypoint has its name.
AT: Final = {
    "rome": (51.3, 80.4, ""),
    "thessalonica": (352.0, 125.1, ""),
    "corinth": (350.2, 222.5, ""),
    "ephesus": (478.5, 221.2, ""),
    "antioch": (732.6, 283.1, ""),
    "caesarea": (695.5, 415.1, ""),
    "jerusalem": (737.0, 451.5, ""),
    "alexandria": (552.5, 461.4, ""),
    "cyrene": (320.8, 403.5, ""),
    "rhegium": (142.2, 215.2, "left"),
    "syracuse": (131.9, 252.1, "left"),
    "athens": (386.0, 209.4, "right"),
    "troas": (444.4, 156.7, "left"),
    "crete": (405.6, 328.5, "right"),
    "patara": (535.2, 281.1, "under"),
    "attalia": (575.1, 258.8, "over"),
    "salamis": (667.1, 319.4, "under"),
    "gaza": (666.0, 463.1, "under"),
    "paraetonium": (475.4, 456.0, "over"),
}
# Where a city's plaque lies: its left, middle or right edge, and its top.
PLAQUES: Final = {
    "rome": ("left", 70.0, 30.0),
    "thessalonica": ("middle", 357.0, 50.0),
    "corinth": ("right", 312.0, 246.0),
    "ephesus": ("left", 499.0, 160.0),
    "antioch": ("right", 808.0, 206.0),
    "caesarea": ("right", 678.0, 362.0),
    "jerusalem": ("right", 838.0, 481.0),
    "alexandria": ("middle", 553.0, 487.0),
    "cyrene": ("right", 336.0, 426.0),
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
STANDS: Final = ((-17, -5), (17, -5), (-17, 17), (17, 17), (0, -24))  # about a place, for the first to the fifth pawn
BACK, FACE, GONE, GAP = 21.0, 46.0, 7.0, 2.5  # the widths of a box's places
HIGH = 52.0  # a plaque


class Face:
    """A tradition as it is printed."""

    def __init__(self, c: Components, card: int) -> None:
        lead = c.back[card]
        second = [theme for theme in members(c.themes[card]) if theme != lead]
        self.card = card
        self.number = c.numbers[card]
        self.title = c.titles[card]
        self.reference = c.references[card]
        self.motifs = [c.motif_ids[motif] for motif in members(c.motifs[card])]
        self.circles = [c.witness_ids[witness] for witness in members(c.circles[card])]
        self.themes = [c.theme_ids[theme] for theme in [lead, *second]]


class Plaque:
    """A city's plaque: its witness and its box."""

    def __init__(self, c: Components, city: dict[str, object]) -> None:
        self.id = word(city["id"])
        self.name = c.place_names[c.place_ids.index(self.id)]
        self.witness = word(city["witness"])
        self.cube = city["cube"]
        self.left = whole(city["interviews_left"])
        self.pips = [nth < self.left for nth in range(c.interview_cards)]
        self.box = [Tile(c, nth, place) for nth, place in enumerate(items(city["box"]))]
        tiles = tuple((tile.back, tile.open, tile.face) for tile in self.box)
        self.key = (self.id, self.witness, self.cube, self.left, tiles)
        at = 35.0
        for tile in self.box:
            tile.x = at
            at += tile.width + GAP
        self.width = max(at + 2.0, 112.0)
        edge, x, self.y = PLAQUES[self.id]
        self.x = round({"left": x, "middle": x - self.width / 2, "right": x - self.width}[edge], 1)
        self.px, self.py, _ = AT[self.id]
        self.high = HIGH
        self.stem_x = min(max(self.px, self.x + 8), self.x + self.width - 8)
        self.stem_y = self.y if self.py < self.y else self.y + HIGH if self.py > self.y + HIGH else self.y + HIGH / 2


class Tile:
    """A place of a box: a back, with the number if the viewer knows it; the face-up card; or nothing."""

    def __init__(self, c: Components, nth: int, place: object) -> None:
        self.nth = nth
        self.x = 0.0
        self.face: Face | None = None
        self.back = ""
        self.open = False
        self.width = GONE
        if place is not None:
            data = table_of(place)
            self.back = word(data["back"])
            self.open = data["face_up"] is True
            self.width = FACE if self.open else BACK
            if data["card"] is not None:
                self.face = faces(c)[c.numbers.index(whole(data["card"]))]

    @property
    def gone(self) -> bool:
        return not self.back


@cache
def faces(c: Components) -> list[Face]:
    return [Face(c, card) for card in range(len(c.numbers))]


@cache
def lines(c: Components) -> list[tuple[str, str]]:
    """The lines of the map: a gentle curve, and its kind."""
    found: list[tuple[str, str]] = []
    for a, neighbours in enumerate(c.lines):
        for b in neighbours:
            if a < b:
                names = sorted((c.place_ids[a], c.place_ids[b]))
                pair = (names[0], names[1])
                kind = "road" if pair in ROADS else "coast" if pair in COASTS else "lane"
                found.append((curve(AT[c.place_ids[a]], AT[c.place_ids[b]], 0.0 if kind == "road" else 0.07), kind))
    return found


def curve(a: tuple[float, float, str], b: tuple[float, float, str], bend: float) -> str:
    x = (a[0] + b[0]) / 2 - (b[1] - a[1]) * bend * (1 if a[0] < b[0] else -1)
    y = (a[1] + b[1]) / 2 + (b[0] - a[0]) * bend * (1 if a[0] < b[0] else -1)
    return f"M{a[0]} {a[1]}Q{x:.1f} {y:.1f} {b[0]} {b[1]}"


def pawns(players: list[dict[str, object]]) -> list[tuple[int, str, float, float]]:
    """Each pawn on the board, beside its place; those who share a place stand about it."""
    found: list[tuple[int, str, float, float]] = []
    taken: dict[str, int] = {}
    for seat, player in enumerate(players):
        if player["pawn"] is not None:
            place = word(player["pawn"])
            dx, dy = STANDS[taken.get(place, 0)]
            taken[place] = taken.get(place, 0) + 1
            found.append((seat, place, round(AT[place][0] + dx, 1), round(AT[place][1] + dy, 1)))
    return found


class Reach:
    """How far a pawn or a boat gets from a place: the places one and two spaces away, the cities by boat."""

    def __init__(self, c: Components, place: int) -> None:
        far = c.distance[place]
        self.travel = [
            (spaces, [name for other, name in enumerate(c.place_ids) if far[other] == spaces])
            for spaces in range(1, c.reach_weak + 1)
        ]
        self.boat = [c.place_ids[city] for city in c.sail[place]] if place < c.cities else []


@cache
def reaches(c: Components) -> dict[str, Reach]:
    return {name: Reach(c, place) for place, name in enumerate(c.place_ids)}


def distances(c: Components, pawn: str | None) -> dict[str, int]:
    if pawn is None:
        return {}
    return dict(zip(c.place_ids, c.distance[c.place_ids.index(pawn)], strict=True))
