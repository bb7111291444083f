"""What the templates draw, computed from a view alone: where all stands, and what each place is worth to whom."""

from collections.abc import Callable
from typing import Final

from triclinium.kernel.frame import items, table_of, whole, word
from triclinium.kernel.message import Name
from triclinium.titles.ierusalem.components import Components
from triclinium.titles.ierusalem.kinds import (
    ACTIONS,
    FIRST_MAHANE,
    FIRST_XXXIII,
    GOODS,
    LOCATIONS,
    REWARDS,
    SHADES,
    TILES,
)
from triclinium.titles.ierusalem.scoring import worth
from triclinium.titles.ierusalem.signs import Pen

# The room: ten columns by the rows of the component data; the table lies between.
LEFT, PITCH, WIDE, HIGH = 169.0, 61.0, 59.0, 39.0
TOPS: Final = {0: 107.5, 1: 148.5, 2: 189.5, 3: 233.5, 5: 337.5, 6: 381.5, 7: 422.5, 8: 463.5}
PANELS: Final = {
    "market": (4, 168),
    "desert": (178, 108),
    "mountain": (292, 108),
    "lake": (406, 108),
    "temple": (520, 92),
}
SQUARE, SQUARE_PITCH = 33, 36
COVERED: Final = (3, 7)  # of the eight squares of a Location, with 3 players
APOSTLE_PANELS: Final = (168, 374, 580)
TRACK_FOOT, TRACK_STEP = 593.0, 22.2  # of the Sanhedrin: the middle of its bottom space, and from one to the next
FAVOR_LEFT, FAVOR_PITCH = 185, 28


class Face:
    """A card as it is printed."""

    def __init__(self, c: Components, id: str) -> None:
        card = c.card_ids.index(id)
        self.id = id
        self.name = id.upper()
        self.location = LOCATIONS[c.card_location[card]]
        self.place = c.location_names[c.card_location[card]]
        self.actions = [ACTIONS[action] for action in c.card_actions[card]]
        self.told = [c.action_names[action] for action in c.card_actions[card]]
        self.vp = c.card_vp[card]
        self.deck = "own" if card < FIRST_MAHANE else "mahane" if card < FIRST_XXXIII else "xxxiii"
        self._tip = ""

    def tip(self, say: Callable[[Name], str], speak: Callable[[str, int], str]) -> str:
        """The card in one line, made once a page."""
        if not self._tip:
            actions = ", ".join(say(name) for name in self.told)
            self._tip = f"{self.name} {say(self.place)}: {actions}; {speak('{0} VP at a visit', self.vp)}"
        return self._tip


class Space:
    """A space at the Supper: its price, what it gives, and what a Follower there scores as things stand."""

    def __init__(self, c: Components, view: dict[str, object], space: int) -> None:
        seated = table_of(view["seated"])
        self.id = c.space_ids[space]
        self.name = self.id[:2].upper() + self.id[2:]
        self.x = LEFT + PITCH * c.space_x[space]
        self.y = TOPS[c.space_y[space]]
        self.cost = [GOODS[good] for good in range(3) for _ in range(c.space_cost[space][good])]
        self.reward = REWARDS[c.space_reward[space]]
        self.amount = c.space_amount[space]
        self.gives = self.reward not in ("none", "jesus")
        self.owner = table_of(view["supper"]).get(self.id)
        self.seat = ""
        self.shade = ""
        self.value: int | None = None
        self.low = self.high = 0
        seat = c.space_seat[space]
        if self.reward == "jesus":
            self.value = whole(view["jesus_vp"])
        elif seat >= 0:
            self.seat = c.seat_ids[seat]
            distance = c.space_distance[space]
            values = [worth(value, distance) for value in c.shade_value]
            self.low, self.high = min(values), max(values)
            if self.seat in seated:
                shade = c.shade[c.apostle_ids.index(word(seated[self.seat]))]
                self.shade = SHADES[shade]
                self.value = values[shade]
        self.lacks: list[tuple[str, int]] = []  # goods that the one who goes does not have


class Chair:
    """A seat at the table, and what an Apostle of each colour there would be worth to whom."""

    def __init__(self, c: Components, view: dict[str, object], seat: int) -> None:
        supper = table_of(view["supper"])
        self.id = c.seat_ids[seat]
        self.name = f"S{int(self.id[1:])}"
        self.x = LEFT + PITCH * c.seat_x[seat]
        self.y = TOPS[c.seat_y[seat]]
        self.upper = c.seat_y[seat] == 3
        self.taken = self.id in table_of(view["seated"])
        spaces = [*c.seat_behind[seat]] + ([c.seat_corner[seat]] if c.seat_corner[seat] >= 0 else [])
        self.worth: list[tuple[int, list[int]]] = []
        for who in range(whole(view["seats"])):
            mine = [space for space in spaces if supper.get(c.space_ids[space]) == who]
            if mine:
                self.worth.append(
                    (who, [sum(worth(value, c.space_distance[space]) for space in mine) for value in c.shade_value])
                )


class Apostle:
    """An Apostle, at the table or waiting in his column."""

    def __init__(
        self,
        c: Components,
        id: str,
        x: float,
        y: float,
        chair: Chair | None = None,
        column: int = -1,
        crowded: bool = False,
    ) -> None:
        apostle = c.apostle_ids.index(id)
        self.id = id
        self.name = c.apostle_names[apostle]
        self.shade = SHADES[c.shade[apostle]]
        self.value = c.shade_value[c.shade[apostle]]
        self.x = x
        self.y = y
        self.chair = chair
        self.column = column  # from 0
        self.crowded = crowded  # no room for his name


class Piece:
    """A Follower or a disk; seat -1 is the unused colour."""

    def __init__(self, id: str, seat: int, x: float, y: float, at: str) -> None:
        self.id = id
        self.seat = seat
        self.x = round(x, 1)
        self.y = round(y, 1)
        self.at = at


class Panel:
    """An Apostle column: its symbols, and which of the viewer's columns may become it."""

    def __init__(self, view: dict[str, object], column: int, mine: dict[str, object]) -> None:
        data = table_of(items(view["apostles"])[column])
        self.number = column + 1
        self.x = APOSTLE_PANELS[column]
        self.symbols = [word(symbol) for symbol in items(data["symbols"])]
        self.waiting = [word(apostle) for apostle in items(data["waiting"])]
        self.fits: list[tuple[int, list[str], bool, int]] = []  # my column, what it lacks, whether it opens, its VP
        for nth, own in enumerate(map(table_of, items(mine["columns"]))):
            for fit in map(table_of, items(own["fits"])):
                if fit["column"] == self.number:
                    missing = [word(place) for place in items(fit["missing"])]
                    self.fits.append((nth + 1, missing, fit["opens"] is True, whole(own["apostle_vp"])))
        self.fits.sort(key=lambda fit: (not fit[2], len(fit[1]), fit[0]))


def draw(c: Components, view: dict[str, object]) -> dict[str, object]:
    """Everything that the board and the viewer's own strip show."""
    players = [table_of(player) for player in items(view["players"])]
    viewer = view["viewer"]
    own = isinstance(viewer, int) and viewer >= 0
    me = whole(viewer) if own else whole(view["active"])
    doing = table_of(view["doing"])
    spaces = [Space(c, view, space) for space in range(len(c.space_ids))]
    if doing.get("invited") is False and view["who"] == me:
        note_lacks(spaces, table_of(players[me]["goods"]))
    chairs = [Chair(c, view, seat) for seat in range(len(c.seat_ids))]
    squares = location_squares(view)
    return {
        "pen": Pen,
        "rows": [(id, GOODS[c.row_cost[i][0]], TOPS[c.row_y[i]]) for i, id in enumerate(c.row_ids) if c.row_cost[i]],
        "me": me,
        "own": own,
        "mine": players[me],
        "spaces": spaces,
        "by_space": {space.id: space for space in spaces},
        "chairs": chairs,
        "apostles": apostles(c, view, chairs),
        "followers": followers(view, spaces, squares),
        "squares": squares,
        "panels": PANELS,
        "columns": [Panel(view, column, players[me]) for column in range(3)],
        "disks": disks(players),
        "steps": [(step, round(TRACK_FOOT - TRACK_STEP * step, 1)) for step in range(c.last + 1)],
        "marker": round(TRACK_FOOT - TRACK_STEP * whole(table_of(view["sanhedrin"])["marker"]), 1),
        "tiles": tiles(c, view),
        "faces": faces(c, view, players),
        "camp": camp(players[me]),
        "bringing": SHADES[c.shade[c.apostle_ids.index(word(doing["apostle"]))]] if "apostle" in doing else "",
        "parable_track": [(REWARDS[kind], c.parable_amount[i]) for i, kind in enumerate(c.parable_reward)],
        "markers": [
            (id, [(REWARDS[kind], n) for kind, n in c.marker_benefit[i]], LOCATIONS[c.marker_location[i]])
            for i, id in enumerate(c.marker_ids)
        ],
        "place_names": dict(zip(LOCATIONS, c.location_names, strict=True)),
        "good_names": dict(zip(GOODS, c.good_names, strict=True)),
        "shade_names": dict(zip(SHADES, c.shade_names, strict=True)),
        "prices": dict(zip(GOODS, c.price, strict=True)),
        "recruit": dict(zip(LOCATIONS[:3], c.recruit_price, strict=True)),
    }


def note_lacks(spaces: list[Space], goods: dict[str, object]) -> None:
    """What the Follower who goes cannot pay."""
    for space in spaces:
        for good in GOODS:
            lacks = space.cost.count(good) - whole(goods[good])
            if lacks > 0:
                space.lacks.append((good, lacks))


def apostles(c: Components, view: dict[str, object], chairs: list[Chair]) -> list[Apostle]:
    """Who sits, who waits, and who is being brought to the table (he stands above his column)."""
    seated = table_of(view["seated"])
    found = []
    for chair in chairs:
        if chair.taken:
            found.append(Apostle(c, word(seated[chair.id]), chair.x + 29.5, chair.y + 19, chair))
    for column, data in enumerate(map(table_of, items(view["apostles"]))):
        waiting = items(data["waiting"])
        crowded = len(waiting) > 3
        for nth, apostle in enumerate(waiting):
            x = APOSTLE_PANELS[column] + (27 + 49 * nth if crowded else 34 + 66 * nth)
            found.append(Apostle(c, word(apostle), x, 61.0 if crowded else 56.0, None, column, crowded))
    return found


def location_squares(view: dict[str, object]) -> dict[str, list[tuple[int, int]]]:
    """The open squares of each Location, in the order in which they are filled."""
    found = {}
    for place in LOCATIONS[:3]:
        top = PANELS[place][0]
        data = table_of(table_of(view["locations"])[place])
        nths = [nth for nth in range(8) if whole(data["squares"]) == 8 or nth not in COVERED]
        found[place] = [(11 + SQUARE_PITCH * (nth % 4), top + 32 + SQUARE_PITCH * (nth // 4)) for nth in nths]
    return found


def followers(view: dict[str, object], spaces: list[Space], squares: dict[str, list[tuple[int, int]]]) -> list[Piece]:
    """All Followers on the board; ids are places. Where an end value is shown they stand left of the middle."""
    found = []
    for space in spaces:
        if space.owner is not None:
            seat = space.owner if isinstance(space.owner, int) else -1
            x = space.x + (19 if space.value is not None else 29.5)
            found.append(Piece(f"fo-{space.id}", seat, x, space.y + 19.5, space.id))
    half = SQUARE / 2
    for place, places in squares.items():
        nth = 0
        for seat, n in enumerate(items(table_of(table_of(view["locations"])[place])["followers"])):
            for one in range(whole(n)):
                x, y = places[nth]
                found.append(Piece(f"fo-{place}-{seat}-{one}", seat, x + half, y + half, place))
                nth += 1
    return found


def disks(players: list[dict[str, object]]) -> list[Piece]:
    """The disks of the Favor track; several on one space stand two by two."""
    found = []
    on = [whole(player["favors_done"]) for player in players]
    for seat, space in enumerate(on):
        nth, of = on[:seat].count(space), on.count(space)
        dx, dy = (0.0, 0.0) if of == 1 else (-6.5 + 13 * (nth % 2), -6.0 + 13 * (nth // 2))
        found.append(Piece(f"disk-{seat}", seat, FAVOR_LEFT + FAVOR_PITCH * space + dx, 571 + dy, str(of)))
    return found


def tiles(c: Components, view: dict[str, object]) -> list[dict[str, object]]:
    """The Judgments ahead."""
    found: list[dict[str, object]] = []
    for tile in map(table_of, items(table_of(view["sanhedrin"])["ahead"])):
        space = whole(tile["space"])
        kind = word(tile["tile"])
        y = round(TRACK_FOOT - TRACK_STEP * space, 1)
        name = c.tile_names[TILES.index(kind)]
        found.append({"space": space, "tile": kind, "y": y, "name": name, "counts": tile["counts"]})
    return found


def faces(c: Components, view: dict[str, object], players: list[dict[str, object]]) -> dict[str, Face]:
    """Every card whose face the viewer sees somewhere."""
    seen: list[object] = [*items(table_of(view["mahane"])["display"])]
    for player in players:
        for column in map(table_of, items(player["columns"])):
            seen += items(column["cards"])
        seen += [card for card in items(player["hand"]) if card in c.card_ids]
    doing = table_of(view["doing"])
    seen += items(doing.get("loose", []))
    if "card" in doing:
        seen.append(doing["card"])
    return {word(card): Face(c, word(card)) for card in seen}


def camp(player: dict[str, object]) -> list[tuple[str, str]]:
    """The Camp's spaces in rows of three, each with what stands there; what does not fit is ``over``."""
    goods = table_of(player["goods"])
    place = table_of(player["camp"])
    kinds = ["follower"] * whole(place["followers"])
    for good in GOODS:
        kinds += [good] * whole(goods[good])
    kinds += ["offering"] * whole(player["offerings"])
    open_spaces = whole(place["spaces"])
    found = [(kind, "over" if nth >= open_spaces else "") for nth, kind in enumerate(kinds)]
    found += [("", "") for _ in range(open_spaces - len(kinds))]
    if open_spaces == 15:
        found.insert(15, ("lock", "blocked"))
    return found
