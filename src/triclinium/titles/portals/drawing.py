"""What the templates draw, computed from a view alone: the map, the clock, the cards and how far each of them is."""

from functools import cache
from math import cos, hypot, pi, sin
from pathlib import Path
from typing import Final

from triclinium.kernel.frame import items, table_of, whole, word
from triclinium.kernel.message import Name
from triclinium.kernel.sheet import read_sheet
from triclinium.titles.portals.components import NONE, Components, Place
from triclinium.titles.portals.plain import tables_of, words_of

HERE = Path(__file__).parent
NEEDLE: Final = (-90, -45, 0, 45, 90)  # of the gauge, by its positions

# From the schematic of the components (0 to 1000) to the board's viewBox: wider than high, for the names.
LEFT, ACROSS, TOP, DOWN = 48 - 60 * 0.838, 0.838, 25 - 40 * 0.564, 0.564

NOW, STEPS, SHUT, FAR, HELD = "now", "steps", "shut", "far", "held"  # how a card stands to its player


class Spot:
    """A place of the map, as printed."""

    def __init__(self, c: Components, place: Place, x: float, y: float) -> None:
        self.place = place
        self.id = c.place_ids[place]
        self.name = c.place_names[place]
        self.region = c.region_ids[c.place_region[place]]
        self.region_name = c.region_names[c.place_region[place]]
        self.x = x
        self.y = y
        self.label_x = x
        self.label_y = y
        self.anchor = "middle"
        self.lines = 1
        self.flag_x = x
        self.flag_y = y
        self.flags = 1  # the side to which a second flag goes

    def put_label(self, dx: float, dy: float, anchor: str) -> None:
        """Set the name beside the dot, and the flags of own cards where it leaves room."""
        self.label_x = round(self.x + dx, 1)
        self.label_y = round(self.y + dy, 1)
        self.anchor = anchor
        self.flags = -1 if anchor == "start" else 1
        self.flag_x = self.x + 13 * self.flags
        self.flag_y = self.y + (4 if anchor == "middle" and dy < 0 else -12)

    def label(self, name: str) -> list[str]:
        """The name in its lines, broken near the middle."""
        gaps = [i for i, letter in enumerate(name) if letter == " "]
        if self.lines == 1 or not gaps:
            return [name]
        gap = min(gaps, key=lambda i: abs(2 * i - len(name)))
        return [name[:gap], name[gap + 1 :]]


class Face:
    """A card, as printed."""

    def __init__(self, c: Components, card: int, at: Name, ref: Name) -> None:
        self.id = c.card_ids[card]
        self.option = self.id.lower()
        self.title = c.titles[card]
        self.deck = c.deck_ids[c.deck[card]]
        self.deck_name = c.deck_names[c.deck[card]]
        self.event = card < c.events
        self.wild = c.wild[card] == 1
        self.symbol = c.symbol_ids[c.symbol_card[card]] if c.symbol_card[card] != NONE else ""
        self.points = c.points[card]
        self.period = c.period[card]
        self.place = c.place[card]
        self.at = at
        self.ref = ref
        self.region = c.region_ids[c.region[card]] if self.event else "bonus"
        self.symbols = [(name, c.symbol_names[i]) for i, name in enumerate(c.symbol_ids) if (c.symbols[card] >> i) & 1]
        self.fuel = c.fuel[card]
        self.colour = c.colour_ids[c.colour[card]] if self.fuel else ""
        self.colour_name = c.colour_names[c.colour[card]] if self.fuel else Name("")
        if self.event:
            self.period_name = c.space_names[self.period]
            self.place_name = c.place_names[self.place]
            self.region_name = c.region_names[c.region[card]]


class Printed:
    """What never changes: the places where they are drawn, the roads, the faces of the cards."""

    def __init__(self, c: Components) -> None:
        self.spots: list[Spot] = []
        for place, row in enumerate(c.sheet.row("places").rows("place")):
            x = round(LEFT + ACROSS * row.number("x"), 1)
            y = round(TOP + DOWN * row.number("y"), 1)
            self.spots.append(Spot(c, place, x, y))
        for row in read_sheet(HERE / "labels.toml").row("labels").rows("place"):
            spot = self.spots[row.index("id", c.place_ids)]
            spot.put_label(row.number("dx"), row.number("dy"), row.text("anchor"))
            spot.lines = row.integer("lines") if row.has("lines") else 1
        near: list[str] = []
        far: list[str] = []
        for row in c.sheet.row("roads").rows("road", "a"):
            a = self.spots[row.index("a", c.place_ids)]
            b = self.spots[row.index("b", c.place_ids)]
            (far if row.text("kind") == "far" else near).append(f"M{a.x} {a.y}L{b.x} {b.y}")
        self.roads = "".join(near)
        self.far_roads = "".join(far)
        rows = c.sheet.row("events").rows("card")
        self.faces = {
            id: Face(c, card, rows[card].name("at") if card < c.events else Name(""), self.passage(c, card))
            for card, id in enumerate(c.card_ids)
        }

    def passage(self, c: Components, card: int) -> Name:
        """Where the story is told."""
        return c.sheet.row("events").rows("card")[card].name("ref") if card < c.events else Name("")

    def gate(self, a: Place, b: Place) -> str:
        """The arc between two portals: bent to the side on which it keeps farther from all places."""
        first, last = sorted((a, b))
        start, end = self.spots[first], self.spots[last]
        long = hypot(end.x - start.x, end.y - start.y) or 1.0
        best = (-1.0, "")
        for bend in (0.28, -0.28):
            x = round((start.x + end.x) / 2 - bend * (end.y - start.y), 1)
            y = round((start.y + end.y) / 2 + bend * (end.x - start.x), 1)
            halfway = ((start.x + end.x + 2 * x) / 4, (start.y + end.y + 2 * y) / 4)
            room = min(hypot(spot.x - halfway[0], spot.y - halfway[1]) for spot in self.spots) / long
            best = max(best, (room, f"M{start.x} {start.y}Q{x} {y} {end.x} {end.y}"))
        return best[1]


@cache
def printed(c: Components) -> Printed:
    return Printed(c)


class Held:
    """A card in the viewer's hand or in the row: its face, and how it stands to the viewer's pawn and to the time."""

    def __init__(self, face: Face, key: str, nth: int) -> None:
        self.face = face
        self.key = key  # h0 to h6 in the hand, r0 to r4 in the row
        self.nth = nth  # its place in the hand, which a discard face down names
        self.state = HELD
        self.steps = -1
        self.off = 0
        self.by_portal = False
        self.route = ""
        self.marks: list[tuple[float, float, int]] = []  # the steps along the route, numbered
        self.worth = 0  # of a Symbol card in this hand


class Lost:
    """A card out of the game: its back and, if the viewer knows it, its face."""

    def __init__(self, c: Components, card: str | None, back: int) -> None:
        self.face = None if card is None else printed(c).faces[card]
        self.back_name = c.deck_names[back]


def out_of_the_game(c: Components, view: dict[str, object]) -> list[Lost]:
    """PP-4.5, PP-R12  Burnt and discarded cards, by deck and period; those that nobody may see last."""
    numbers = [c.card_ids.index(card) for card in words_of(view["gone"])]
    backs: list[int] = []
    for buried in tables_of(view["buried"]):
        if buried["card"] is None:
            backs.append(c.deck_ids.index(word(buried["back"])))
        else:
            numbers.append(c.card_ids.index(word(buried["card"])))
    return [Lost(c, c.card_ids[card], c.deck[card]) for card in sorted(numbers)] + [
        Lost(c, None, back) for back in sorted(backs)
    ]


class Ways:
    """The shortest free ways of the viewer's pawn, portals included (PP-6.1, PP-6.2)."""

    def __init__(self, c: Components, start: Place, blocked: set[Place], gates: list[Place]) -> None:
        self.c = c
        self.art = printed(c)
        self.before: dict[Place, Place] = {start: start}
        self.far: dict[Place, int] = {start: 0}
        queue = [start]
        for place in queue:
            for there in c.neighbours[place] + (gates if place in gates else []):
                if there not in self.far and there not in blocked:
                    self.before[there] = place
                    self.far[there] = self.far[place] + 1
                    queue.append(there)

    def lead(self, card: Held) -> None:
        """Write on the card how its place is reached."""
        goal = card.face.place
        if goal not in self.far:
            return
        card.steps = self.far[goal]
        parts: list[str] = []
        while self.before[goal] != goal:
            spot, back = self.art.spots[goal], self.before[goal]
            if goal in self.c.neighbours[back]:
                parts.append(f"M{self.art.spots[back].x} {self.art.spots[back].y}L{spot.x} {spot.y}")
            else:
                parts.append(self.art.gate(back, goal))
                card.by_portal = True
            card.marks.append((spot.x, spot.y, self.far[goal]))
            goal = back
        card.route = "".join(parts)


class Space:
    """A space of the timeline."""

    def __init__(self, c: Components, n: int, capsule: int, in_range: list[str]) -> None:
        self.n = n
        self.id = c.space_ids[n]
        self.name = c.space_names[n]
        self.past = n < capsule
        self.now = n == capsule
        self.in_range = self.id in in_range
        self.first = self.in_range and (n == 0 or c.space_ids[n - 1] not in in_range)
        self.last = self.in_range and (n == c.spaces - 1 or c.space_ids[n + 1] not in in_range)
        self.off = 0
        self.mine: list[Held] = []


class Player:
    """A player: all that lies open, and the backs of the hand."""

    def __init__(self, c: Components, view: dict[str, object], who: dict[str, object]) -> None:
        art = printed(c)
        self.seat = whole(who["seat"])
        self.team = 0 if who["team"] is None else whole(who["team"]) + 1
        self.played = [art.faces[id] for id in words_of(who["played"])]
        self.played.sort(key=lambda face: (c.region_ids.index(face.region), face.period))
        regions = table_of(who["regions"])
        self.regions = [(id, c.region_names[i], whole(regions[id])) for i, id in enumerate(c.region_ids)]
        self.sets = min(n for _, _, n in self.regions)
        self.new_played = whole(who["new_played"])
        self.points = whole(who["points"])
        standing = tables_of(view["standing"])[self.seat]
        self.total = whole(standing["total"])
        self.lines = table_of(standing["lines"])
        self.hand: list[tuple[str, Name, Face | None]] = []
        for card in tables_of(who["hand"]):
            back = word(card["back"])
            face = None if card["card"] is None else art.faces[word(card["card"])]
            self.hand.append((back, c.deck_names[c.deck_ids.index(back)], face))
        self.hand.sort(key=lambda card: (c.deck_ids.index(card[0]), card[2] is None))
        symbols = table_of(who["symbols"])
        leaders = table_of(view["leaders"])
        counted = view["ending"] is not None or self.seat == view["viewer"]  # PP-11.2: whose Symbol cards count
        held = [face.symbol for _, _, face in self.hand if face is not None and counted]
        self.symbols = [
            (id, c.symbol_names[i], whole(symbols[id]), self.seat in items(leaders[id]), id in held)
            for i, id in enumerate(c.symbol_ids)
        ]


def gauge(c: Components, now: int) -> list[tuple[str, Name, float, float, bool]]:
    """The gauge's positions: arc up to it, name, where the name stands, whether it is reached."""
    found: list[tuple[str, Name, float, float, bool]] = []
    for i, name in enumerate(c.gauge_names):
        turn = pi + pi * i / c.full
        arc = ""
        if i:
            ends = [pi + pi * (i - 1) / c.full + 0.05, turn - 0.05]
            (x, y), (u, v) = [(round(50 + 32 * cos(one), 1), round(48 + 32 * sin(one), 1)) for one in ends]
            arc = f"M{x} {y}A32 32 0 0 1 {u} {v}"
        out = 44 if 0 < i < c.full else 46
        flat = 0 if 0 < i < c.full else 9
        found.append((arc, name, round(50 + out * cos(turn), 1), round(51 + out * sin(turn) + flat, 1), i <= now))
    return found


def draw(c: Components, view: dict[str, object]) -> dict[str, object]:
    """Everything that the templates need besides the view."""
    art = printed(c)
    players = [Player(c, view, who) for who in tables_of(view["players"])]
    stands = {
        whole(who["seat"]): c.place_ids.index(word(who["place"]))
        for who in tables_of(view["players"])
        if who["place"] is not None
    }
    viewer = view["viewer"] if isinstance(view["viewer"], int) else NONE
    gates = [c.place_ids.index(id) for id in words_of(view["portals"])]
    capsule = c.space_ids.index(word(view["capsule"]))
    in_range = words_of(view["in_range"])
    level = c.gauge_ids.index(word(view["gauge"]))
    spaces = [Space(c, n, capsule, in_range) for n in range(c.spaces)]
    for space, off in zip(spaces, items(view["out_of_range_by"]), strict=True):
        space.off = whole(off)

    ways = None
    if viewer in stands:
        ways = Ways(c, stands[viewer], {place for seat, place in stands.items() if seat != viewer}, gates)
    hand = [
        Held(art.faces[word(card["card"])], "", nth)
        for nth, card in enumerate(tables_of(view["hand"]) if "hand" in view else [])
    ]
    hand.sort(key=lambda card: (not card.face.event, card.face.period))
    row: list[Held | None] = [None if id is None else Held(art.faces[word(id)], "", NONE) for id in items(view["row"])]
    for i, card in enumerate(hand):
        card.key = f"h{i}"
    for i, dealt in enumerate(row):
        if dealt is not None:
            dealt.key = f"r{i}"
    spent = view["turn"] == viewer and view["actions"] == 0
    here: dict[Place, list[Held]] = {}
    for card in [*hand, *(dealt for dealt in row if dealt is not None)]:
        judge(card, spaces, ways, spent)
        if card.key[0] == "h" and card.face.event:
            spaces[card.face.period].mine.append(card)
            here.setdefault(card.face.place, []).append(card)
    for card in hand:
        if card.face.symbol:
            card.worth = c.symbol_self_points + c.symbol_match_points * matching(players, viewer, card.face.symbol)
    return {
        "spots": art.spots,
        "roads": art.roads,
        "far_roads": art.far_roads,
        "portals": gates,
        "gates": [art.gate(a, b) for i, a in enumerate(gates) for b in gates[i + 1 :]],
        "pawns": [(seat, art.spots[place]) for seat, place in stands.items()],
        "on": {place: seat for seat, place in stands.items()},
        "far": {} if ways is None else ways.far,
        "cards_here": here,
        "spaces": spaces,
        "capsule": capsule,
        "gauge": gauge(c, level),
        "level": level,
        "full": level == c.full,
        "needle": NEEDLE[level],
        "colours": [(id, c.colour_names[i], id in words_of(view["burnt"])) for i, id in enumerate(c.colour_ids)],
        "regions": list(zip(c.region_ids, c.region_names, strict=True)),
        "hand": hand,
        "room": max(0, c.hand_limit - len(hand)),
        "row": row,
        "gone": out_of_the_game(c, view),
        "cards": {card.face.option: card for card in [*hand, *(dealt for dealt in row if dealt is not None)]},
        "players": players,
        "shown": shown(players, hand, row),
        "places": {spot.id: spot for spot in art.spots},
    }


def matching(players: list[Player], viewer: int, symbol: str) -> int:
    """PP-11.7, PP-R26  The played events with this symbol, a partner's too."""
    team = players[viewer].team
    side = [one for one in players if one.seat == viewer or (team and one.team == team)]
    return sum(symbol in [id for id, _ in face.symbols] for one in side for face in one.played)


def judge(card: Held, spaces: list[Space], ways: Ways | None, spent: bool) -> None:
    """How a card stands: playable now, unless the actions are used; in range, so many steps away; in range with every
    way shut; out of range; or never played."""
    if not card.face.event:
        return
    if ways is not None:
        ways.lead(card)
    card.off = spaces[card.face.period].off
    if card.off:
        card.state = FAR
    elif card.steps == 0 and card.key[0] == "h" and not spent:
        card.state = NOW
    else:
        card.state = STEPS if card.steps >= 0 else SHUT


def shown(players: list[Player], hand: list[Held], row: list[Held | None]) -> list[Face]:
    """Every face that a card on the table shows to the viewer, once."""
    found = {card.face.id: card.face for card in [*hand, *(dealt for dealt in row if dealt is not None)]}
    for player in players:
        for _, _, face in player.hand:
            if face is not None:
                found[face.id] = face
    return list(found.values())
