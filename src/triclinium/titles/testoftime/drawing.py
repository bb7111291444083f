"""What the board and the own strip show, computed from a view: lands, Testaments, people, rounds."""

from typing import Final

from triclinium.titles.testoftime.components import KINDS, Components
from triclinium.titles.testoftime.crowd import Home, People, Place, crowd_svg
from triclinium.titles.testoftime.masonry import Cell, Column, Drawn, Seen, cells_svg, debt, number, part, parts, strip
from triclinium.titles.testoftime.papyrus import Roll, outcomes

LAND_HIGH: Final = 342
GAP: Final = 9
FRIEZE: Final = 34  # the rounds above the lands
WIDE: Final = {1: 600, 2: 404}  # a land by the number of lands on the board; more are narrower
NARROW: Final = 272
OWN_WIDE: Final = 600
OWN_HIGH: Final = 400


class Measure:
    """Heights and sizes of a land: a rival's or one's own."""

    def __init__(self, big: bool) -> None:
        self.big = big
        self.band = 30 if big else 26
        self.ground = 236 if big else 200
        self.scale = 1.45 if big else 1.1
        self.cell_y = 297 if big else 245
        self.cell_high = 28 if big else 23
        self.widest = 26.0 if big else 10.0
        self.least = 9.0 if big else 7.6
        self.step = 8.5 if big else 5.6
        self.figure = 0.95 if big else 0.62


class Force:
    """What one seat has brought against a Testament."""

    def __init__(self, seat: int, strength: int) -> None:
        self.seat = seat
        self.strength = strength


class Space:
    """A Testament space with everything on it."""

    def __init__(self, c: Components, view: Seen, land: "Land", seen: Seen) -> None:
        self.measure = m = land.measure
        self.land_y = land.y
        self.seat = land.seat
        self.space = number(seen, "space")
        self.w = land.w / c.spaces
        self.x = round(land.x + (self.space - 1) * self.w, 1)
        self.centre = round(self.x + self.w / 2, 1)
        self.ground = land.y + m.ground
        self.on = f"on {self.space}"
        self.at = f"at {self.seat} {self.space}"
        kind = seen["kind"]
        creating = seen["creating"]
        self.kind = kind if isinstance(kind, str) else None
        self.making = str(creating["kind"]) if isinstance(creating, dict) else None
        self.name = c.names[KINDS.index(self.kind)] if self.kind else None
        self.making_name = c.names[KINDS.index(self.making)] if self.making else None
        self.column: Column | None = None
        self.cells: list[Cell] = []
        self.folded = 0
        self.forces: list[Force] = []
        self.visible = self.size = self.dots = self.age = self.points = self.prospect = self.since = 0
        self.strips = self.attack = self.defence = self.cost = self.debt = 0
        self.preserved = self.decays = False
        self.after = 0  # visible sections if nothing changes this round
        self.forecast = 0  # points at the end if nothing changes this round and nothing is lost later
        if self.kind is not None:
            self._stand(c, view, seen, self.kind, land)
        if self.making is not None:
            self.column = Column(c, self.making, 0, plan=True)
            built = KINDS.index(self.making)
            self.forecast = c.dots[built][-1] * (number(view, "rounds") - number(view, "round"))
        self.standing = self.visible > 0
        self.moves = self._moves()
        strengths = [(force.seat, force.strength) for force in self.forces]
        # All that the drawing of this space depends on.
        self.key = f"{land.key} {view['round']} {view['rounds']} {view['over']} {strengths} {seen}"

    def _stand(self, c: Components, view: Seen, seen: Seen, kind: str, land: "Land") -> None:
        """A card lies on the space."""
        m = land.measure
        self.visible = number(seen, "visible")
        self.size = c.size[KINDS.index(kind)]
        self.dots = number(seen, "dots")
        self.age = number(seen, "age")
        self.since = number(seen, "since")
        self.points = number(seen, "points")
        self.prospect = number(seen, "prospect")
        self.cost = number(seen, "preserve_cost")
        self.preserved = seen["preserved"] is not None
        self.decays = bool(seen["decays"])
        self.strips = number(seen, "strips")
        self.attack = number(seen, "attack")
        self.defence = number(seen, "defence")
        past = parts(seen, "past")
        over = bool(view["over"])
        wear = 1 if self.decays and not over and self.strips < self.visible else 0
        self.after = max(0, self.visible - self.strips - (1 if self.decays else 0)) if not over else self.visible
        self.forecast = c.dots[KINDS.index(kind)][self.after] * (number(view, "rounds") - self.since)
        self.debt = debt(c, kind, past) if self.visible == 0 else 0
        self.column = Column(c, kind, self.visible, wear, self.strips)
        self.cells, self.folded = strip(past, self.centre, self.w - 8, m.widest, m.least)
        if not over:
            last = self.cells[-1] if self.cells else None
            w = last.w if last else m.widest
            x = round(last.x + w, 1) if last else round(self.centre - w / 2, 1)
            now = Cell(x, w, number(view, "round"), self.preserved, self.strips, [])
            now.now = True
            self.cells.append(now)
        powers = [number(player, "power") for player in parts(view, "players")]
        strengths: dict[int, int] = {}
        for force in parts(seen, "attackers"):
            seat = number(force, "seat")
            strength = number(force, "followers") + number(force, "shamans") * powers[seat]
            strengths[seat] = strengths.get(seat, 0) + strength
        self.forces = [Force(seat, strength) for seat, strength in strengths.items()]

    @property
    def history(self) -> Drawn:
        return cells_svg(self.cells, self.land_y + self.measure.cell_y, self.measure.cell_high, self.measure.big)

    def _moves(self) -> list[str]:
        """The moves that could be about this space, were it one's own."""
        if self.making is not None:
            return []
        found = [] if self.standing else ["create"]
        if self.standing and self.attack > self.defence:
            found.append("defend")
        if self.standing and not self.preserved:
            found.append("preserve")
        if self.age > 0:
            found.append("reverse")
        return found


class Zone:
    """A Sire, Sire Shaman or Convert zone."""

    def __init__(self, move: str, x: float, y: float, w: float, high: float, used: bool, shut: bool) -> None:
        self.move = move
        self.x = round(x, 1)
        self.y = y
        self.w = w
        self.h = high
        self.used = used
        self.shut = shut  # there is no Temple


class Land:
    """The land of one people."""

    def __init__(self, c: Components, view: Seen, seat: int, x: float, y: float, w: float, big: bool) -> None:
        player = parts(view, "players")[seat]
        self.seat = seat
        self.player = player
        self.x = x
        self.y = y
        self.w = w
        self.big = big
        self.h = OWN_HIGH if big else LAND_HIGH
        self.home_y = y + (337 if big else 280)
        self.home_w = 300 if big else 206
        self.measure = m = Measure(big)
        self.ground = y + m.ground
        self.key = f"{seat} {x} {y} {w} {big}"
        self.spaces = [Space(c, view, self, seen) for seen in parts(player, "testaments")]
        self.score = number(player, "score")
        self.prospect = number(player, "prospect")
        self.forecast = sum([space.forecast for space in self.spaces])
        self.starts = view["starter"] == seat and not view["over"]
        self.zones = self._zones(c, player)
        told = ("waiting", "in_play", "power", "worth", "convert_cost", "sire", "sire_shaman", "convert", "saved")
        self.people = f"{[player[key] for key in told]} {player['preserve_cost']} {player['create_cost']}"
        across = (c.max_followers + 1) // 2
        few = max(1, (c.max_shamans + 1) // 2)
        top = y + (372 if big else 314)
        down = 22 if big else 18
        step = (172 if big else 127) / across
        self.shamans_x = x + (218 if big else 154)
        self.home = People(
            seat,
            player,
            Home(x + 16, top, across, step, down, 0.98 if big else 0.78),
            Home(self.shamans_x + 8, top, few, (70 if big else 46) / few, down, 0.86 if big else 0.68),
        )

    def _zones(self, c: Components, player: Seen) -> list[Zone]:
        """Tiles in the home zone: in a row for oneself, three by two for a rival."""
        kinds = ["sire"] * c.sire_zones + ["sire_shaman"] * c.sire_shaman_zones + ["convert"] * c.convert_zones
        used = {move: len(parts(part(player, move), "used")) for move in ("sire", "sire_shaman", "convert")}
        found: list[Zone] = []
        for i, move in enumerate(kinds):
            nth = sum([1 for zone in found if zone.move == move])
            shut = move == "convert" and number(player, "convert_cost") == 0
            if self.big:
                w = 284 / len(kinds)
                found.append(Zone(move, self.x + 310 + i * w, self.y + 338, w - 3, 57, nth < used[move], shut))
            else:
                across = (len(kinds) + 1) // 2
                row, column = divmod(i, across)
                x = self.x + self.w - 57 + column * 54 / across
                found.append(Zone(move, x, self.y + 296 + row * 20, 54 / across - 2, 18, nth < used[move], shut))
        return found


def settle(view: Seen, lands: list[Land]) -> None:
    """Send everybody who is at work to their place, in the order in which people usually leave home."""
    people = {land.seat: land.home for land in lands}
    for land in lands:
        for move in ("sire", "sire_shaman", "convert"):
            tiles = [zone for zone in land.zones if zone.move == move]
            for zone, group in zip(tiles, parts(part(land.player, move), "used"), strict=False):
                step, scale = (10.5, 0.8) if land.big else (4.8, 0.42)
                place = Place(land.seat, zone.x + 2, zone.x + zone.w - 2, zone.y + zone.h - 3, step, scale)
                state = "dies" if move == "sire_shaman" else "works"
                people[land.seat].place(place.stand(land.seat, *pieces(group), state=state))
                born = (0, 1) if move == "sire_shaman" else (1, 0)
                people[land.seat].place(place.stand(land.seat, *born, state="new"))
    for land in lands:
        m = land.measure
        for space, seen in zip(land.spaces, parts(land.player, "testaments"), strict=True):
            y = space.ground + 6
            left = Place(land.seat, space.x + 4, space.x + space.w / 2 - 2, y, m.step, m.figure)
            right = Place(land.seat, space.x + space.w / 2 + 2, space.x + space.w - 4, y, m.step, m.figure, ends=True)
            creating = seen["creating"]
            if isinstance(creating, dict):
                makers = Place(land.seat, space.x + 6, space.x + space.w - 6, y, m.step, m.figure)
                people[land.seat].place(makers.stand(land.seat, *pieces(creating)))
            if space.kind is None:
                continue
            preserved = seen["preserved"]
            if isinstance(preserved, dict):
                people[land.seat].place(right.stand(land.seat, *pieces(preserved)))
            for force in parts(seen, "attackers"):
                seat = number(force, "seat")
                people[seat].place(left.stand(seat, *pieces(force), look="warrior"))
            people[land.seat].place(right.stand(land.seat, *pieces(part(seen, "defenders")), look="guard"))
    for land in lands:  # who has worked in the past is back at home, and done for this round
        followers, shamans = pieces(part(land.player, "reversers"))
        home = land.home
        for piece, count in (("follower", followers), ("shaman", shamans)):
            present = number(home.in_play, f"{piece}s")
            first = present - count
            for i in range(first, present):
                x, y = home.homes[piece].at(i)
                one = Place(land.seat, x - 5, x + 5, y, 10, home.homes[piece].scale)
                home.place(one.stand(land.seat, *((1, 0) if piece == "follower" else (0, 1)), state="done"))


def pieces(group: Seen) -> tuple[int, int]:
    """Followers and shamans of a group."""
    return number(group, "followers"), number(group, "shamans")


class Round:
    """One round of the frieze above the lands."""

    def __init__(self, number: int, x: float, w: float, starter: int | None) -> None:
        self.number = number
        self.x = round(x, 1)
        self.w = round(w, 1)
        self.starter = starter  # of the present and of the next round


def frieze(view: Seen, width: float) -> list[Round]:
    """All rounds from left to right; beside them there is room for a shard per seat."""
    present = number(view, "round")
    rounds = number(view, "rounds")
    seats = number(view, "seats")
    starter = number(view, "starter")
    w = (width - 2 * GAP - 24 * seats - 12) / (rounds + 1)
    found: list[Round] = []
    x = float(GAP)
    for i in range(1, rounds + 1):
        wide = w * 2 if i == present else w
        begins = starter if i == present else (starter + 1) % seats if i == present + 1 else None
        found.append(Round(i, x, wide, None if view["over"] else begins))
        x += wide
    return found


def draw(c: object, view: Seen) -> dict[str, object]:
    """Everything for the templates. A seated viewer has an own land; a spectator sees all lands alike."""
    assert isinstance(c, Components)
    seats = number(view, "seats")
    viewer = view["viewer"]
    me = viewer if isinstance(viewer, int) and 0 <= viewer < seats else None
    own = None if me is None else Land(c, view, me, 0, 0, OWN_WIDE, True)
    others = list(range(seats)) if me is None else [(me + i) % seats for i in range(1, seats)]
    wide = WIDE.get(len(others), NARROW)
    across = len(others) if len(others) < 5 else 3
    lands: list[Land] = []
    for i, seat in enumerate(others):
        row, column = divmod(i, across)
        x = GAP + column * (wide + GAP)
        lands.append(Land(c, view, seat, x, FRIEZE + row * (LAND_HIGH + GAP), wide, len(others) == 1))
    everybody = lands if own is None else [own, *lands]
    settle(view, everybody)
    placed = [figure for land in everybody for figure in land.home.all()]
    rows = (len(others) + across - 1) // across
    focus = view["focus"]
    rolling = isinstance(focus, dict) and (view["reversal"] is not None or view["asked"] == "ChooseRounds")
    width = GAP + across * (wide + GAP)
    high = FRIEZE - 3 + rows * (lands[0].h + GAP)
    return {
        "own": own,
        "lands": lands,
        "width": width,
        "high": high,
        "own_figures": crowd_svg([figure for figure in placed if figure.land == me]),
        "figures": crowd_svg([figure for figure in placed if figure.land != me]),
        "roll": Roll(c, view, focus) if rolling and isinstance(focus, dict) else None,
        "outcomes": outcomes(view),
        "frieze": frieze(view, width),
        "by_seat": {land.seat: land for land in everybody},
    }
