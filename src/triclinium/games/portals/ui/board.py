"""What the templates draw, computed from a view alone: the map, the clock, the cards and how far each of them is.

What is shown by the dozen has a ``key``: all that its drawing hangs on besides the language and the players' names. The
templates make such a thing once and keep it by its key.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi, sin
from typing import Final

from triclinium.engine.core.components import FILES_KEPT
from triclinium.engine.core.text import Arg, Message, Name, msgid
from triclinium.engine.visible_scores import Known
from triclinium.games.portals.rules.components import NONE, Components
from triclinium.games.portals.ui.awards import won
from triclinium.games.portals.ui.board_layout import Spot, Way, Ways, chart
from triclinium.games.portals.ui.help_card import help_card
from triclinium.games.portals.ui.view import Card, Hidden, Place, Player, PortalsView, Space

__all__ = ["Face", "draw", "faces", "gallery", "help_card"]

PUSHED: Final = 1.45  # so much farther from its place is a card's flag where a pawn stands

# The periods in a word, where there is no room for their names.
WHEN: Final = (
    msgid("Gen"),
    msgid("15th"),
    msgid("14th"),
    msgid("13th"),
    msgid("12th"),
    msgid("11th"),
    msgid("10th"),
    msgid("9th"),
    msgid("8th"),
    msgid("7th"),
    msgid("6th"),
    msgid("5th"),
    msgid("NT"),
)

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
        self.symbol = c.symbol_card[card]
        self.symbol_name: Arg = "" if self.symbol == NONE else c.symbol_names[self.symbol]
        self.points = c.points[card]
        self.period = c.period[card]
        self.place = c.place[card]
        self.symbols = [(id, c.symbol_names[i]) for i, id in enumerate(c.symbol_ids) if (c.symbols[card] >> i) & 1]
        self.fuel = c.fuel[card]
        self.colour = c.colour_ids[c.colour[card]] if self.fuel else ""
        self.colour_name: Arg = c.colour_names[c.colour[card]] if self.fuel else ""
        self.fuel_signs = [(self.colour, f"fuel {self.colour}")] * self.fuel
        self.signs = [(id, "") for id, _ in self.symbols] + self.fuel_signs  # each with its style
        self.emblem = "region" if self.wild else "" if self.symbol == NONE else c.symbol_ids[self.symbol]
        self.region = "bonus"
        if self.event:
            row = c.file.row("events").rows("card")[card]
            self.at = row.name("at")
            self.ref = row.name("ref")
            self.region = c.region_ids[c.region[card]]
            self.period_name = c.space_names[self.period]
            self.when = WHEN[self.period]
            self.place_name = c.place_names[self.place]
            self.region_name = c.region_names[c.region[card]]
            self.worth = self._worth()

    def _worth(self) -> Message:
        """Points, symbols and fuel."""
        found = Message("{0} {0:point|points}", self.points)
        for _, name in self.symbols:
            found = Message("{0}, {1}", found, name)
        if self.fuel:
            found = Message("{0}; {1}", found, Message("fuel {0} {1}", self.fuel, self.colour_name))
        return found


@lru_cache(FILES_KEPT)
def faces(c: Components) -> list[Face]:
    """Of every card."""
    return [Face(c, card) for card in range(c.cards)]


def gallery(c: Components) -> dict[str, object]:
    """What the box shows of cards."""
    return {"faces": faces(c)}


@dataclass(slots=True)
class Held:
    """A card in the viewer's hand or in the row: its face, and how it stands to the viewer's pawn and to the time."""

    face: Face
    slot: str  # h0 to h6 in the hand, r0 to r4 in the row
    nth: int = NONE  # its place in the hand, which a discard face down names; NONE in the row
    state: str = HELD
    steps: int = NONE
    off: int = 0
    wait: int | None = 0  # rounds until its period is in range, as the gauge stands; None: it is past
    way: Way | None = None
    by_portal: bool = False
    worth: int = 0  # of a Symbol card in this hand

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
        self.wait = spaces[self.face.period].wait
        if self.off:
            self.state = FAR
        elif self.steps == 0 and self.nth != NONE and not spent:
            self.state = NOW
        elif ways is not None:
            self.state = STEPS if self.steps >= 0 else SHUT

    @property
    def key(self) -> tuple[object, ...]:
        return self.face.id, self.state, self.steps, self.off, self.wait, self.by_portal, self.worth


@dataclass(slots=True)
class Lost:
    """A card out of the game: its back and, if the viewer knows it, its face."""

    face: Face | None
    back_name: Name


def out_of_the_game(c: Components, view: PortalsView) -> list[Lost]:
    """PP-4.5, PP-R12  Burnt and discarded cards, by deck and period; those that nobody may see last."""
    known = [one.card for one in view.buried if one.card is not None]
    backs = [one.back for one in view.buried if one.card is None]
    found = [Lost(faces(c)[card], c.deck_names[c.deck[card]]) for card in sorted(view.gone + known)]
    return found + [Lost(None, c.deck_names[back]) for back in sorted(backs)]


@dataclass(slots=True)
class Here:
    """A place of the map as it is now: a portal or not, who stands there, how far it is, the viewer's cards for it."""

    spot: Spot
    portal: bool
    steps: int | None  # NONE: there is no free way; None: the viewer has no pawn
    seat: int
    cards: list[Held]
    stop: str = ""  # where the viewer's actions end on the way to it, if it lies farther

    @property
    def key(self) -> tuple[object, ...]:
        return self.spot.id, self.portal, self.steps, self.seat, *[card.face.id for card in self.cards]


class Moment:
    """A space of the timeline as it is now."""

    def __init__(self, c: Components, view: PortalsView, n: Space) -> None:
        capsule, offs = view.capsule, view.out_of_range_by
        self.n = n
        self.id = c.space_ids[n]
        self.name = c.space_names[n]
        self.last = n == c.spaces - 1
        self.wait = view.rounds_until[n]
        self.off = offs[n]  # by so much out of range; 0: in range
        self.mine: list[Held] = []
        self.style = " past" if n < capsule else " now" if n == capsule else ""
        if not self.off:
            self.style += " in"
            self.style += " first" if n == 0 or offs[n - 1] else ""
            self.style += " final" if self.last or offs[n + 1] else ""

    @property
    def key(self) -> tuple[object, ...]:
        return self.n, self.off, self.style, *[card.face.id for card in self.mine]


class Panel:
    """What is told of a player: all that lies open, and the backs of the hand. Partners count together (PP-12.1)."""

    def __init__(self, c: Components, view: PortalsView, who: Player) -> None:
        side = partners(view.players, who)
        self.seat = who.seat
        self.team = 0 if who.team is None else who.team + 1
        self.partner = next((one.seat for one in side if one is not who), None)
        self.first = who.seat == view.first
        self.mine = who.seat == view.viewer
        self.over = view.ending is not None
        played = sorted(
            [card for one in side for card in one.played], key=lambda card: (c.region[card], c.period[card])
        )
        self.played = [faces(c)[card] for card in played]  # a partner's too
        regions = [sum(counts) for counts in zip(*(one.regions for one in side), strict=True)]
        self.regions = list(zip(c.region_ids, c.region_names, regions, strict=True))
        self.sets = min(regions)
        self.new_played = who.new_played
        self.new_to_end = c.new_to_end if view.third_card_ends else 0  # 0: they do not end the game
        self.points = sum(one.points for one in side)
        score = view.standing[who.seat]
        self.total = score.told
        self.rest = beyond(score.told, self.points)
        self.lines = score.told_lines
        by_sets = score.told_lines["sets"]  # PP-11.4: with the Region cards that the viewer knows
        self.complete = by_sets // c.set_points if isinstance(by_sets, int) and c.set_points else self.sets
        self.bounds = score.total if score.is_reserved else None  # what unseen cards can make of it
        hand = sorted(who.hand, key=lambda one: (one.back, one.card is None))
        self.hand = [(c.deck_ids[one.back], c.deck_names[one.back], face_of(c, one)) for one in hand]
        self.perhaps = [faces(c)[card] for card in who.perhaps or []]  # PP-R12: taken, or discarded face down since
        held = {c.symbol_card[one.card] for player in side for one in player.hand if one.card is not None}
        leading = [any(one.seat in leaders for one in side) for leaders in view.leaders]
        self.symbols = [
            (c.symbol_ids[i], c.symbol_names[i], matching(side, who, i), leading[i], i in held, view.unsettled[i])
            for i in range(len(c.symbol_ids))
        ]

    @property
    def key(self) -> tuple[object, ...]:
        hand = tuple((back, face.id if face else "") for back, _, face in self.hand)
        counts = tuple(n for _, _, n in self.regions), tuple(symbol[2:] for symbol in self.symbols)
        score = self.over, self.points, self.total, self.bounds, *self.lines.values()
        perhaps = tuple(face.id for face in self.perhaps)
        alone = self.seat, self.mine, self.first, self.team, self.new_played, self.new_to_end
        return *alone, hand, perhaps, counts, score

    @property
    def played_key(self) -> tuple[object, ...]:
        return self.complete, *[face.id for face in self.played]


def beyond(total: Known, points: int) -> Known:
    """What a total holds besides the points for cards."""
    if total is None:
        return None
    return total - points if isinstance(total, int) else (total[0] - points, total[1] - points)


def face_of(c: Components, one: Hidden) -> Face | None:
    return None if one.card is None else faces(c)[one.card]


class Gauge:
    """The fuel gauge: where its marker stands, and what that brings into range (PP-8.1)."""

    def __init__(self, c: Components, view: PortalsView) -> None:
        self.level = view.gauge
        self.name = c.gauge_names[self.level]
        self.full = self.level == c.full
        self.only_now = len(view.in_range) == 1
        self.needle = round(180 * self.level / c.full) - 90
        self.key = self.level, self.only_now
        self.marks = dial(c)
        self.colours = [(id, c.colour_names[i], i in view.burnt) for i, id in enumerate(c.colour_ids)]
        self.after = {fuel: c.gauge_names[min(self.level + fuel, c.full)] for fuel in range(c.full + 1)}


@lru_cache(FILES_KEPT)
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


def draw(c: Components, view: PortalsView) -> dict[str, object]:
    """Everything that the templates need besides the view."""
    art = chart(c)
    stands = {who.seat: who.place for who in view.players if who.place is not None}
    here = None if view.viewer is None else stands.get(view.viewer)
    ways = None if here is None else Ways(c, here, {place for place in stands.values() if place != here}, view.portals)
    spaces = [Moment(c, view, n) for n in range(c.spaces)]
    hand = own_hand(c, view)
    row = [None if card is None else Held(faces(c)[card], f"r{nth}") for nth, card in enumerate(view.row)]
    cards = [*hand, *(dealt for dealt in row if dealt is not None)]
    spent = view.turn == view.viewer and view.actions == 0
    for card in cards:
        card.judge(spaces, ways, spent)
    for card in hand:
        if card.face.event:
            spaces[card.face.period].mine.append(card)
    places = all_places(c, stands, view.portals, ways, hand)
    if ways is not None and view.turn == view.viewer and view.actions:
        for one in places:
            if one.steps is not None and one.steps > view.actions:
                one.stop = c.place_ids[ways.stop(one.spot.place, view.actions)]
    players = [Panel(c, view, who) for who in view.players]
    large = shown(players, cards)
    return {
        "chart": art,
        "places": places,
        "places_key": tuple([here.key for here in places]),
        "near": ""
        if here is None or ways is None
        else art.near(here, [one for one, far in enumerate(ways.steps) if far == 1]),
        "gates": [art.gate(a, b) for i, a in enumerate(view.portals) for b in view.portals[i + 1 :]],
        "pawns": [(seat, art.spots[place]) for seat, place in stands.items()],
        "walks": [one for one in places if one.steps is not None and one.steps > 1 and not one.stop],
        "cut_short": [one for one in places if one.stop and one.cards],
        "flags": flags(places),
        "spaces": spaces,
        "capsule": view.capsule,
        "gauge": Gauge(c, view),
        "regions": list(zip(c.region_ids, c.region_names, strict=True)),
        "hand": hand,
        "room": max(0, c.hand_limit - len(hand)),
        "row": row,
        "gone": out_of_the_game(c, view),
        "cards": {card.face.option: card for card in cards},
        "players": players,
        "shown": large,
        "shown_ids": {face.id for face, _ in large},
        "faces": faces(c),
        "won": won(c, view),
    }


def own_hand(c: Components, view: PortalsView) -> list[Held]:
    """The viewer's hand, sorted by period; bonus cards last."""
    if view.hand is None or view.viewer is None:
        return []
    found = [(faces(c)[own.card], nth) for nth, own in enumerate(view.hand)]
    found.sort(key=lambda card: (not card[0].event, card[0].period))
    hand = [Held(face, f"h{slot}", nth) for slot, (face, nth) in enumerate(found)]
    for card in hand:
        if card.face.symbol != NONE:
            alike = matching(view.players, view.players[view.viewer], card.face.symbol)
            card.worth = c.symbol_self_points + c.symbol_match_points * alike
    return hand


def all_places(
    c: Components, stands: dict[int, Place], gates: list[Place], ways: Ways | None, hand: list[Held]
) -> list[Here]:
    """All places of the map as they are now."""
    on = {place: seat for seat, place in stands.items()}
    cards: dict[Place, list[Held]] = {}
    for card in hand:
        if card.face.event:
            cards.setdefault(card.face.place, []).append(card)
    steps = [None] * c.places if ways is None else ways.steps
    return [
        Here(spot, place in gates, steps[place], on.get(place, NONE), cards.get(place, []))
        for place, spot in enumerate(chart(c).spots)
    ]


def flags(places: list[Here]) -> list[tuple[Held, float, float]]:
    """The viewer's cards at their places on the map, side by side; a pawn pushes them aside."""
    found: list[tuple[Held, float, float]] = []
    for here in places:
        spot = here.spot
        room = 1.0 if here.seat == NONE else PUSHED
        x, y = spot.x + room * (spot.flag_x - spot.x), spot.y + room * (spot.flag_y - spot.y)
        found += [(card, round(x + spot.flags * nth * 15, 1), round(y, 1)) for nth, card in enumerate(here.cards)]
    return found


def partners(players: list[Player], own: Player) -> list[Player]:
    """PP-12.1  Who counts together: one player, or two partners."""
    return [one for one in players if one is own or (own.team is not None and one.team == own.team)]


def matching(players: list[Player], own: Player, symbol: int) -> int:
    """PP-11.7, PP-R26  The played events with this symbol, a partner's too."""
    return sum(one.symbols[symbol] for one in partners(players, own))


def shown(players: list[Panel], cards: list[Held]) -> list[tuple[Face, Held | None]]:
    """Every face that a card on the table shows to the viewer, once; how it stands, where it lies before the viewer."""
    found: dict[str, tuple[Face, Held | None]] = {card.face.id: (card.face, card) for card in cards}
    for player in players:
        for face in [face for _, _, face in player.hand] + player.perhaps:
            if face is not None:
                found.setdefault(face.id, (face, None))
    return list(found.values())
