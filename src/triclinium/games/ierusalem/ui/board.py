"""What the templates draw, computed from a view alone: where all stands, and what each place is worth to whom."""

from functools import cache
from typing import Final

from triclinium.engine.view import items, table_of, whole, word
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.kinds import GOODS, LOCATIONS, REWARDS, TILES
from triclinium.games.ierusalem.ui import chart
from triclinium.games.ierusalem.ui.chart import Apostle, Chair, Face, Space
from triclinium.games.ierusalem.ui.signs import ROMAN, pen

# On which part of a phone's board the answer to a decision lies.
IN_THE_CITY: Final = {
    *("post", "call", "send", "leave", "replace", "trade", "mahane", "sell", "buy", "take", "draw"),
}
AT_THE_SUPPER: Final = {"offering", "seat", "score", "go", "move", "onto", "swap", "with"}
ON_THE_TRACKS: Final = {"visit", "bring", "listen"}


class Place:
    """Desert, Mountain or Lake: its squares and who stands on them."""

    def __init__(self, view: dict[str, object], place: str) -> None:
        data = table_of(table_of(view["locations"])[place])
        there = [whole(n) for n in items(data["followers"])]
        self.id = place
        self.good = GOODS[LOCATIONS.index(place)]
        self.empty = whole(data["empty"])
        self.squares = chart.squares(whole(data["squares"]))
        self.covered = len(self.squares) < 8
        owners = [(seat, one) for seat, n in enumerate(there) for one in range(n)]
        self.followers = [
            (f"fo-{place}-{seat}-{one}", seat, x + chart.SQUARE / 2, y + chart.SQUARE / 2)
            for (seat, one), (x, y) in zip(owners, self.squares, strict=False)
        ]
        self.key = (place, self.empty, len(self.squares), tuple(there))


class Column:
    """An Apostle column: its symbols, and which of the viewer's columns may become it."""

    def __init__(self, view: dict[str, object], column: int, mine: dict[str, object]) -> None:
        data = table_of(items(view["apostles"])[column])
        self.number = column + 1
        self.roman = ROMAN[self.number]
        self.x, self.y = chart.COLUMNS[column]
        self.symbols = [word(symbol) for symbol in items(data["symbols"])]
        self.waiting = len(items(data["waiting"]))
        fits: list[tuple[bool, int, int, tuple[str, ...], int]] = []
        for nth, own in enumerate(map(table_of, items(mine["columns"]))):
            for fit in map(table_of, items(own["fits"])):
                if fit["column"] == self.number:
                    missing = tuple(word(place) for place in items(fit["missing"]))
                    fits.append((fit["opens"] is not True, len(missing), nth + 1, missing, whole(own["apostle_vp"])))
        best = min(fits, default=None)
        self.fits = best is not None
        self.opens = best is not None and not best[0]
        self.nth, self.missing, self.vp = (0, (), 0) if best is None else best[2:]  # of the column that fits best
        self.visits = [
            option
            for option in map(word, items(view.get("options", [])))
            if option.startswith("visit ") and option.endswith(f" {self.number}")
        ]
        self.key = (column, tuple(self.symbols), self.waiting, best)


class Pile:
    """One of a player's columns: its cards, and the Apostle column that it is nearest to."""

    def __init__(self, c: Components, number: int, data: dict[str, object]) -> None:
        fits = sorted(map(table_of, items(data["fits"])), key=lambda fit: fit["opens"] is not True)
        self.number = number
        self.faces = [chart.face(c, word(card)) for card in items(data["cards"])]
        self.symbols = [word(place) for place in items(data["symbols"])]
        self.vp = whole(data["apostle_vp"])
        self.many = len(self.faces) > 3  # no visit (IE-2.8)
        self.roman = ROMAN[whole(fits[0]["column"])] if fits else ""
        self.opens = bool(fits) and fits[0]["opens"] is True
        self.missing = [word(place) for place in items(fits[0]["missing"])] if fits else []


class Slot:
    """A space of the Camp. ``how``: ``over`` beyond its limit, ``blocked`` until the second Favor."""

    def __init__(self, kind: str, how: str, first: bool) -> None:
        self.kind = kind
        self.how = how
        self.first = first  # of its kind: the one that can be clicked away


class Judgment:
    """A Judgment ahead: what it counts for each player in full."""

    def __init__(self, c: Components, data: dict[str, object]) -> None:
        self.space = whole(data["space"])
        self.tile = word(data["tile"])
        self.name = c.tile_names[TILES.index(self.tile)]
        self.y = chart.step(self.space)
        self.counts = tuple(whole(n) for n in items(data["counts"]))
        self.key = (self.space, self.tile, self.counts)


@cache
def printed(c: Components) -> dict[str, object]:
    """What never changes."""
    return {
        "pen": pen,
        "panels": chart.PANELS,
        "track_steps": [(step, chart.step(step)) for step in range(c.last + 1)],
        "row_prices": [
            (id, row, GOODS[cost[0]], chart.TOPS[row])
            for id, row, cost in zip(c.row_ids, c.row_y, c.row_cost, strict=True)
            if cost
        ],
        "column_prices": [(nth + 1, GOODS[good]) for nth, good in enumerate(c.column_cost)],
        "parable_track": [(REWARDS[kind], c.parable_amount[i]) for i, kind in enumerate(c.parable_reward)],
        "markers": [
            (id, [(REWARDS[kind], n) for kind, n in c.marker_benefit[i]], LOCATIONS[c.marker_location[i]])
            for i, id in enumerate(c.marker_ids)
        ],
        "place_names": dict(zip(LOCATIONS, c.location_names, strict=True)),
        "full_names": dict(zip(LOCATIONS, c.location_full_names, strict=True)),
        "good_names": dict(zip(GOODS, c.good_names, strict=True)),
        "shade_names": c.shade_names,
        "prices": [(good, c.price[i]) for i, good in enumerate(GOODS)],
        "recruit": dict(zip(LOCATIONS[:3], c.recruit_price, strict=True)),
    }


def draw(c: Components, view: dict[str, object]) -> dict[str, object]:
    """Everything that the board and the viewer's own strip show."""
    players = [table_of(player) for player in items(view["players"])]
    viewer = view["viewer"]
    own = isinstance(viewer, int) and viewer >= 0
    me = whole(viewer) if own else whole(view["active"])
    mine = players[me]
    doing = table_of(view["doing"])
    pays = doing.get("invited") is False and view["who"] == me  # a Follower goes, and these goods are what he can pay
    spaces = supper_spaces(c, view, table_of(mine["goods"]) if pays else None)
    chairs = supper_chairs(c, view)
    track = table_of(view["sanhedrin"])
    judgments = [Judgment(c, table_of(tile)) for tile in items(track["ahead"])]
    return {
        **printed(c),
        "me": me,
        "own": own,
        "mine": mine,
        "spaces": spaces,
        "by_space": {space.id: space for space in spaces},
        "chairs": chairs,
        "by_chair": {chair.id: chair for chair in chairs},
        "apostles": apostles(c, view, chairs),
        "places": [Place(view, place) for place in LOCATIONS[:3]],
        "columns": [Column(view, column, mine) for column in range(3)],
        "favors_done": tuple(whole(player["favors_done"]) for player in players),
        "disks": chart.disks,
        "stacks": tuple(stack(table_of(data)) for data in items(view["parables"])),
        "marker": chart.step(whole(track["marker"])),
        "judgments": judgments,
        "judgment_key": tuple(tile.key for tile in judgments),
        "faces": faces(c, view, players),
        "piles": [[Pile(c, n + 1, table_of(data)) for n, data in enumerate(items(one["columns"]))] for one in players],
        "seat_keys": [repr(player) for player in players],
        "camp": camp(mine),
        "bringing": c.shade[c.apostle_ids.index(word(doing["apostle"]))] if "apostle" in doing else 0,
        "acts": acts(view),
    }


def stack(data: dict[str, object]) -> tuple[int, int, object]:
    """A Parable stack: its number, the tiles left, the VP of the top one."""
    return whole(data["number"]), whole(data["left"]), data["top"]


def supper_spaces(c: Components, view: dict[str, object], goods: dict[str, object] | None) -> list[Space]:
    """The 56 spaces; with goods, what each lacks of its price is noted."""
    supper, seated = table_of(view["supper"]), table_of(view["seated"])
    shades = [c.shade[c.apostle_ids.index(word(seated[id]))] if id in seated else -1 for id in c.seat_ids]
    jesus = whole(view["jesus_vp"])
    found = []
    for nth, id in enumerate(c.space_ids):
        seat = c.space_seat[nth]
        lacks = () if goods is None else lacking(c.space_cost[nth], goods)
        found.append(chart.space(c, nth, supper.get(id), shades[seat] if seat >= 0 else -1, jesus, lacks))
    return found


def lacking(cost: tuple[int, ...], goods: dict[str, object]) -> tuple[tuple[str, int], ...]:
    """The goods that are missing for a price."""
    return tuple((good, n - whole(goods[good])) for good, n in zip(GOODS, cost, strict=True) if n > whole(goods[good]))


def supper_chairs(c: Components, view: dict[str, object]) -> list[Chair]:
    """The twelve seats; only of open ones it is asked what they would be worth."""
    supper, seated = table_of(view["supper"]), table_of(view["seated"])
    return [
        chart.chair(c, nth, id in seated, chart.worths(c, nth, supper) if id not in seated else ())
        for nth, id in enumerate(c.seat_ids)
    ]


def apostles(c: Components, view: dict[str, object], chairs: list[Chair]) -> list[Apostle]:
    """Who sits and who waits; four in a column stand close."""
    seated = table_of(view["seated"])
    found = [chart.seated(c, word(seated[chair.id]), chair) for chair in chairs if chair.taken]
    for column, data in enumerate(map(table_of, items(view["apostles"]))):
        waiting = items(data["waiting"])
        for nth, apostle in enumerate(waiting):
            found.append(chart.waiting(c, word(apostle), column, nth, len(waiting) > 3))
    return found


def faces(c: Components, view: dict[str, object], players: list[dict[str, object]]) -> dict[str, Face]:
    """Every card whose face the viewer sees somewhere."""
    known = printed_cards(c)
    seen: list[object] = [*items(table_of(view["mahane"])["display"])]
    for player in players:
        for column in map(table_of, items(player["columns"])):
            seen += items(column["cards"])
        seen += [card for card in items(player["hand"]) if card in known]
    doing = table_of(view["doing"])
    seen += items(doing.get("loose", []))
    if "card" in doing:
        seen.append(doing["card"])
    return {word(card): chart.face(c, word(card)) for card in seen}


@cache
def printed_cards(c: Components) -> frozenset[str]:
    return frozenset(c.card_ids)


def camp(player: dict[str, object]) -> list[Slot]:
    """The Camp's spaces in rows of three, each with what stands there."""
    goods = table_of(player["goods"])
    place = table_of(player["camp"])
    kinds = ["follower"] * whole(place["followers"])
    for good in GOODS:
        kinds += [good] * whole(goods[good])
    kinds += ["offering"] * whole(player["offerings"])
    spaces = whole(place["spaces"])
    found = [Slot(kind, "over" if n >= spaces else "", kind not in kinds[:n]) for n, kind in enumerate(kinds)]
    found += [Slot("", "", False) for _ in range(spaces - len(kinds))]
    if spaces == 15:
        found.insert(15, Slot("lock", "blocked", True))
    return found


def acts(view: dict[str, object]) -> dict[str, bool]:
    """The parts of the board where the viewer can answer the decision now."""
    verbs = {word(option).split(" ")[0] for option in items(view.get("options", []))}
    return {
        "supper": bool(verbs & AT_THE_SUPPER),
        "city": bool(verbs & IN_THE_CITY),
        "tracks": bool(verbs & ON_THE_TRACKS),
        "seats": False,
    }
