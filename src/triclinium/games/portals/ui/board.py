"""What the templates draw, computed from a view alone: the map, the clock, the cards and how far each of them is.

What is shown by the dozen has a ``key``: all that its drawing hangs on besides the language and the players' names. The
templates make such a thing once and keep it by its key.
"""

from functools import cache
from math import cos, pi, sin
from typing import Final

from triclinium.engine.core.text import Name
from triclinium.engine.view import items, table_of, whole, word
from triclinium.engine.visible import VisibleScore
from triclinium.games.portals.rules.components import NONE, Card, Components, Place, Space
from triclinium.games.portals.ui.chart import Spot, Way, Ways, chart
from triclinium.games.portals.ui.plain import tables_of, words_of

NEEDLE: Final = (-90, -45, 0, 45, 90)  # of the gauge, by its positions

NOW, STEPS, SHUT, FAR, HELD = "now", "steps", "shut", "far", "held"  # how a card stands to its player


class Face:
    """A card, as printed."""

    def __init__(self, c: Components, card: Card) -> None:
        self.id = c.card_ids[card]
        self.option = self.id.lower()
        self.title = c.titles[card]
        self.deck = c.deck_ids[c.deck[card]]
        self.deck_name = c.deck_names[c.deck[card]]
        self.event = card < c.events
        self.wild = c.wild[card] == 1
        self.symbol = c.symbol_ids[c.symbol_card[card]] if c.symbol_card[card] != NONE else ""
        self.symbol_name = c.symbol_names[c.symbol_card[card]] if self.symbol else Name("")
        self.points = c.points[card]
        self.period = c.period[card]
        self.place = c.place[card]
        self.symbols = [(id, c.symbol_names[i]) for i, id in enumerate(c.symbol_ids) if (c.symbols[card] >> i) & 1]
        self.fuel = c.fuel[card]
        self.colour = c.colour_ids[c.colour[card]] if self.fuel else ""
        self.colour_name = c.colour_names[c.colour[card]] if self.fuel else Name("")
        self.fuel_signs = [(self.colour, f"fuel {self.colour}")] * self.fuel
        self.signs = [(id, "") for id, _ in self.symbols] + self.fuel_signs  # each with its style
        self.emblem = "region" if self.wild else self.symbol  # a bonus card's own sign
        self.region = "bonus"
        if self.event:
            row = c.sheet.row("events").rows("card")[card]
            self.at = row.name("at")
            self.ref = row.name("ref")
            self.region = c.region_ids[c.region[card]]
            self.period_name = c.space_names[self.period]
            self.place_name = c.place_names[self.place]
            self.region_name = c.region_names[c.region[card]]


@cache
def faces(c: Components) -> dict[str, Face]:
    """Every card by its id."""
    return {id: Face(c, card) for card, id in enumerate(c.card_ids)}


class Held:
    """A card in the viewer's hand or in the row: its face, and how it stands to the viewer's pawn and to the time."""

    def __init__(self, face: Face, slot: str, nth: int = NONE) -> None:
        self.face = face
        self.slot = slot  # h0 to h6 in the hand, r0 to r4 in the row
        self.nth = nth  # its place in the hand, which a discard face down names
        self.mine = slot[0] == "h"
        self.state = HELD
        self.steps = NONE
        self.off = 0
        self.way: Way | None = None
        self.by_portal = False
        self.worth = 0  # of a Symbol card in this hand

    def judge(self, spaces: list["Moment"], ways: Ways | None, spent: bool) -> None:
        """How an event stands: playable now, unless the actions are used; in range, so many steps away; in range with
        every way shut; out of range. A bonus card is never played."""
        if not self.face.event:
            return
        if ways is not None:
            self.steps = ways.steps[self.face.place]
            self.way = ways.to(self.face.place)
            self.by_portal = self.way.by_portal
        self.off = spaces[self.face.period].off
        if self.off:
            self.state = FAR
        elif self.steps == 0 and self.mine and not spent:
            self.state = NOW
        elif ways is not None:
            self.state = STEPS if self.steps >= 0 else SHUT

    @property
    def key(self) -> tuple[object, ...]:
        return self.face.id, self.state, self.steps, self.off, self.by_portal, self.worth


class Lost:
    """A card out of the game: its back and, if the viewer knows it, its face."""

    def __init__(self, c: Components, card: str | None, back: int) -> None:
        self.face = None if card is None else faces(c)[card]
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


class Here:
    """A place of the map as it is now: a portal or not, who stands there, how far it is, the viewer's cards for it."""

    def __init__(self, spot: Spot, portal: bool, steps: int | None, seat: int, cards: list[Held]) -> None:
        self.spot = spot
        self.portal = portal
        self.steps = steps  # NONE: there is no free way; None: the viewer has no pawn
        self.seat = seat
        self.cards = cards

    @property
    def key(self) -> tuple[object, ...]:
        return self.spot.id, self.portal, self.steps, self.seat, *[card.face.id for card in self.cards]


class Moment:
    """A space of the timeline as it is now."""

    def __init__(self, c: Components, n: Space, capsule: Space, offs: list[object]) -> None:
        self.n = n
        self.id = c.space_ids[n]
        self.name = c.space_names[n]
        self.last = n == c.spaces - 1
        self.off = whole(offs[n])  # by so much out of range; 0: in range
        self.mine: list[Held] = []
        self.style = " past" if n < capsule else " now" if n == capsule else ""
        if not self.off:
            self.style += " in"
            self.style += " first" if n == 0 or offs[n - 1] else ""
            self.style += " final" if self.last or offs[n + 1] else ""

    @property
    def key(self) -> tuple[object, ...]:
        return self.n, self.off, self.style, *[card.face.id for card in self.mine]


class Player:
    """A player: all that lies open, and the backs of the hand."""

    def __init__(self, c: Components, view: dict[str, object], who: dict[str, object]) -> None:
        self.seat = whole(who["seat"])
        self.team = 0 if who["team"] is None else whole(who["team"]) + 1
        self.first = self.seat == view["first"]
        self.played = [faces(c)[id] for id in words_of(who["played"])]
        self.played.sort(key=lambda face: (c.region_ids.index(face.region), face.period))
        regions = table_of(who["regions"])
        self.regions = [(id, c.region_names[i], whole(regions[id])) for i, id in enumerate(c.region_ids)]
        self.sets = min(n for _, _, n in self.regions)
        self.new_played = whole(who["new_played"])
        self.new_to_end = c.new_to_end if view["third_card_ends"] else 0  # 0: they do not end the game
        self.points = whole(who["points"])
        score = VisibleScore.from_json(tables_of(view["standing"])[self.seat])
        self.total = score.total
        self.rest = score.total - self.points if isinstance(score.total, int) else "…"  # there is no room for bounds
        self.lines = score.lines
        self.hand: list[tuple[str, Name, Face | None]] = []
        for card in tables_of(who["hand"]):
            back = word(card["back"])
            face = None if card["card"] is None else faces(c)[word(card["card"])]
            self.hand.append((back, c.deck_names[c.deck_ids.index(back)], face))
        self.hand.sort(key=lambda card: (c.deck_ids.index(card[0]), card[2] is None))
        self.mine = self.seat == view["viewer"]
        self.over = view["ending"] is not None
        symbols = table_of(who["symbols"])
        leaders = table_of(view["leaders"])
        held = [face.symbol for _, _, face in self.hand if face is not None]
        self.symbols = [
            (id, c.symbol_names[i], whole(symbols[id]), self.seat in items(leaders[id]), id in held)
            for i, id in enumerate(c.symbol_ids)
        ]

    @property
    def key(self) -> tuple[object, ...]:
        hand = tuple((back, face.id if face else "") for back, _, face in self.hand)
        counts = tuple(n for _, _, n in self.regions), tuple(symbol[2:] for symbol in self.symbols)
        score = self.over, self.points, self.total, *self.lines.values()
        return self.seat, self.mine, self.first, self.team, self.new_played, self.new_to_end, hand, counts, score

    @property
    def played_key(self) -> tuple[str, ...]:
        return tuple(face.id for face in self.played)


class Gauge:
    """The fuel gauge: where its marker stands, and what that brings into range (PP-8.1)."""

    def __init__(self, c: Components, view: dict[str, object]) -> None:
        self.level = c.gauge_ids.index(word(view["gauge"]))
        self.name = c.gauge_names[self.level]
        self.full = self.level == c.full
        self.only_now = len(items(view["in_range"])) == 1
        self.needle = NEEDLE[self.level]
        self.key = self.level, self.only_now
        self.marks = dial(c)
        burnt = words_of(view["burnt"])
        self.colours = [(id, c.colour_names[i], id in burnt) for i, id in enumerate(c.colour_ids)]
        self.after = {fuel: c.gauge_names[min(self.level + fuel, c.full)] for fuel in range(c.full + 1)}


@cache
def dial(c: Components) -> list[tuple[str, Name, float, float]]:
    """The gauge's positions: the arc up to each, its name, and where the name stands."""
    found: list[tuple[str, Name, float, float]] = []
    for i, name in enumerate(c.gauge_names):
        turn = pi + pi * i / c.full
        arc = ""
        if i:
            ends = [pi + pi * (i - 1) / c.full + 0.05, turn - 0.05]
            (x, y), (u, v) = [(round(50 + 32 * cos(one), 1), round(48 + 32 * sin(one), 1)) for one in ends]
            arc = f"M{x} {y}A32 32 0 0 1 {u} {v}"
        out = 44 if 0 < i < c.full else 46
        flat = 0 if 0 < i < c.full else 9
        found.append((arc, name, round(50 + out * cos(turn), 1), round(51 + out * sin(turn) + flat, 1)))
    return found


def draw(c: Components, view: dict[str, object]) -> dict[str, object]:
    """Everything that the templates need besides the view."""
    art = chart(c)
    viewer = view["viewer"] if isinstance(view["viewer"], int) else NONE
    everybody = tables_of(view["players"])
    players = [Player(c, view, who) for who in everybody]
    stands = {
        whole(who["seat"]): c.place_ids.index(word(who["place"])) for who in everybody if who["place"] is not None
    }
    gates = [c.place_ids.index(id) for id in words_of(view["portals"])]
    capsule = c.space_ids.index(word(view["capsule"]))
    offs = items(view["out_of_range_by"])
    spaces = [Moment(c, n, capsule, offs) for n in range(c.spaces)]
    ways = None
    if viewer in stands:
        ways = Ways(c, stands[viewer], {place for seat, place in stands.items() if seat != viewer}, gates)

    hand = own_hand(c, view)
    row = [None if id is None else Held(faces(c)[word(id)], f"r{nth}") for nth, id in enumerate(items(view["row"]))]
    cards = [*hand, *(dealt for dealt in row if dealt is not None)]
    spent = view["turn"] == viewer and view["actions"] == 0
    for card in cards:
        card.judge(spaces, ways, spent)
    for card in hand:
        if card.face.event:
            spaces[card.face.period].mine.append(card)
        if card.face.symbol:
            card.worth = c.symbol_self_points + c.symbol_match_points * matching(players, viewer, card.face.symbol)
    places = all_places(c, stands, gates, ways, hand)
    return {
        "chart": art,
        "places": places,
        "near": ""
        if ways is None
        else art.near(stands[viewer], [one for one, far in enumerate(ways.steps) if far == 1]),
        "gates": [art.gate(a, b) for i, a in enumerate(gates) for b in gates[i + 1 :]],
        "pawns": [(seat, art.spots[place]) for seat, place in stands.items()],
        "flags": flags(places),
        "spaces": spaces,
        "capsule": capsule,
        "gauge": Gauge(c, view),
        "regions": list(zip(c.region_ids, c.region_names, strict=True)),
        "hand": hand,
        "room": max(0, c.hand_limit - len(hand)),
        "row": row,
        "gone": out_of_the_game(c, view),
        "cards": {card.face.option: card for card in cards},
        "players": players,
        "shown": shown(players, cards),
    }


def own_hand(c: Components, view: dict[str, object]) -> list[Held]:
    """The viewer's hand, sorted by period; bonus cards last."""
    own = tables_of(view["hand"]) if "hand" in view else []
    found = [(faces(c)[word(card["card"])], nth) for nth, card in enumerate(own)]
    found.sort(key=lambda card: (not card[0].event, card[0].period))
    return [Held(face, f"h{slot}", nth) for slot, (face, nth) in enumerate(found)]


def all_places(
    c: Components, stands: dict[int, Place], gates: list[Place], ways: Ways | None, hand: list[Held]
) -> list[Here]:
    """All places of the map as they are now."""
    on = {place: seat for seat, place in stands.items()}
    cards: dict[Place, list[Held]] = {}
    for card in hand:
        if card.face.event:
            cards.setdefault(card.face.place, []).append(card)
    return [
        Here(
            spot,
            spot.place in gates,
            None if ways is None else ways.steps[spot.place],
            on.get(spot.place, NONE),
            cards.get(spot.place, []),
        )
        for spot in chart(c).spots
    ]


def flags(places: list[Here]) -> list[tuple[Held, float, float]]:
    """The viewer's cards at their places on the map, side by side."""
    return [
        (card, here.spot.flag_x + here.spot.flags * nth * 15, here.spot.flag_y)
        for here in places
        for nth, card in enumerate(here.cards)
    ]


def matching(players: list[Player], viewer: int, symbol: str) -> int:
    """PP-11.7, PP-R26  The played events with this symbol, a partner's too."""
    team = players[viewer].team
    side = [one for one in players if one.seat == viewer or (team and one.team == team)]
    return sum(symbol in [id for id, _ in face.symbols] for one in side for face in one.played)


def shown(players: list[Player], cards: list[Held]) -> list[tuple[Face, Held | None]]:
    """Every face that a card on the table shows to the viewer, once; how it stands, where it lies before the viewer."""
    found: dict[str, tuple[Face, Held | None]] = {card.face.id: (card.face, card) for card in cards}
    for player in players:
        for _, _, face in player.hand:
            if face is not None:
                found.setdefault(face.id, (face, None))
    return list(found.values())
