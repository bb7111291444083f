"""Data for the templates, computed from a view alone: the map, the timeline, and the cards with their distance.

Objects that occur many times have a ``key``: everything their drawing depends on except the language and the players'
names. The templates cache each drawing by this key.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi, sin
from typing import Final

from triclinium.engine.core.components import FILE_CACHE_SIZE
from triclinium.engine.core.text import Arg, Message, Name, msgid
from triclinium.engine.visible_scores import VisibleNumber
from triclinium.games.portals.rules.components import NONE, Components
from triclinium.games.portals.ui.awards import list_awards
from triclinium.games.portals.ui.board_layout import BoardPlace, WalkPath, WalkPaths, build_board_map
from triclinium.games.portals.ui.help_card import help_card
from triclinium.games.portals.ui.view import Card, HiddenCard, Place, Player, PortalsView, Space

__all__ = ["PrintedCard", "build_printed_cards", "draw", "gallery", "help_card"]

PUSHED_FLAG_DISTANCE: Final = 1.45  # factor by which a card's flag moves away from a place with a pawn

# Short labels of the periods, where there is no room for their names.
PERIOD_LABELS: Final = (
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

PLAYABLE, STEPS, NO_WAY, OUT_OF_RANGE, IN_HAND = (
    "now",
    "steps",
    "shut",
    "far",
    "held",
)  # the states of a card for its player


class PrintedCard:
    """Printed face of a card."""

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
        self.signs = [(id, "") for id, _ in self.symbols] + self.fuel_signs  # pairs of a sign's id and its style
        self.emblem = "region" if self.wild else "" if self.symbol == NONE else c.symbol_ids[self.symbol]
        self.region = "bonus"
        if self.event:
            row = c.file.row("events").rows("card")[card]
            self.location = row.name("at")
            self.passage = row.name("ref")
            self.region = c.region_ids[c.region[card]]
            self.period_name = c.space_names[self.period]
            self.period_label = PERIOD_LABELS[self.period]
            self.place_name = c.place_names[self.place]
            self.region_name = c.region_names[c.region[card]]
            self.worth = self._describe_worth()

    def _describe_worth(self) -> Message:
        """Return points, symbols and fuel in words."""
        text = Message("{0} {0:point|points}", self.points)
        for _, name in self.symbols:
            text = Message("{0}, {1}", text, name)
        if self.fuel:
            text = Message("{0}; {1}", text, Message("fuel {0} {1}", self.fuel, self.colour_name))
        return text


@lru_cache(FILE_CACHE_SIZE)
def build_printed_cards(c: Components) -> list[PrintedCard]:
    """Return the face of every card."""
    return [PrintedCard(c, card) for card in range(c.cards)]


def gallery(c: Components) -> dict[str, object]:
    """Return the variables of the component gallery."""
    return {"faces": build_printed_cards(c)}


@dataclass(slots=True)
class VisibleCard:
    """A card in the viewer's hand or in the row: its face, and its distance in steps and in time."""

    face: PrintedCard
    slot: str  # h0 to h6 in the hand, r0 to r4 in the row
    nth: int = NONE  # the card's place in the hand, which a face-down discard names; NONE in the row
    state: str = IN_HAND
    steps: int = NONE
    out_of_range_by: int = 0
    rounds_until: int | None = 0  # rounds until its period is in range with the current gauge; None if it is past
    way: WalkPath | None = None
    by_portal: bool = False
    worth: int = 0  # current points of a Symbol card in this hand

    def set_state(self, spaces: list["TimelineSpace"], ways: WalkPaths | None, spent: bool) -> None:
        """Set the state of an event: playable, some steps away, without a free way, or out of range.

        An event at the pawn's place is `STEPS` with 0 steps if it is in the row or no action is left. Bonus cards keep
        `IN_HAND`.
        """
        if not self.face.event:
            return
        if ways is not None:
            self.steps = ways.steps[self.face.place]
            self.way = ways.find_path(self.face.place)
            self.by_portal = self.way.by_portal
        self.out_of_range_by = spaces[self.face.period].out_of_range_by
        self.rounds_until = spaces[self.face.period].rounds_until
        if self.out_of_range_by:
            self.state = OUT_OF_RANGE
        elif self.steps == 0 and self.nth != NONE and not spent:
            self.state = PLAYABLE
        elif ways is not None:
            self.state = STEPS if self.steps >= 0 else NO_WAY

    @property
    def key(self) -> tuple[object, ...]:
        return self.face.id, self.state, self.steps, self.out_of_range_by, self.rounds_until, self.by_portal, self.worth


@dataclass(slots=True)
class RemovedCard:
    """A card out of the game: its back, and its face if the viewer knows it."""

    face: PrintedCard | None
    back_name: Name


def list_removed_cards(c: Components, view: PortalsView) -> list[RemovedCard]:
    """PP-4.5, PP-R12  Return burnt and discarded cards by deck and period; unknown ones come last."""
    known = [hidden_card.card for hidden_card in view.buried if hidden_card.card is not None]
    backs = [hidden_card.back for hidden_card in view.buried if hidden_card.card is None]
    removed_cards = [
        RemovedCard(build_printed_cards(c)[card], c.deck_names[c.deck[card]]) for card in sorted(view.gone + known)
    ]
    return removed_cards + [RemovedCard(None, c.deck_names[back]) for back in sorted(backs)]


@dataclass(slots=True)
class PlaceView:
    """Place of the map in the current position: its portal, pawn and distance, and the viewer's cards for it."""

    spot: BoardPlace
    portal: bool
    steps: int | None  # NONE if there is no free way; None if the viewer has no pawn
    seat: int
    cards: list[VisibleCard]
    stop: str = ""  # the last place on the way that the viewer's actions can reach, if the place is farther away

    @property
    def key(self) -> tuple[object, ...]:
        return self.spot.id, self.portal, self.steps, self.seat, *[card.face.id for card in self.cards]


class TimelineSpace:
    """Space of the timeline in the current position."""

    def __init__(self, c: Components, view: PortalsView, n: Space) -> None:
        capsule, offs = view.capsule, view.out_of_range_by
        self.n = n
        self.id = c.space_ids[n]
        self.name = c.space_names[n]
        self.last = n == c.spaces - 1
        self.rounds_until = view.rounds_until[n]
        self.out_of_range_by = offs[n]  # number of spaces out of range; 0 if it is in range
        self.mine: list[VisibleCard] = []
        self.style = " past" if n < capsule else " now" if n == capsule else ""
        if not self.out_of_range_by:
            self.style += " in"
            self.style += " first" if n == 0 or offs[n - 1] else ""
            self.style += " final" if self.last or offs[n + 1] else ""

    @property
    def key(self) -> tuple[object, ...]:
        return self.n, self.out_of_range_by, self.style, *[card.face.id for card in self.mine]


class PlayerPanel:
    """Public information about a player, and the backs of the cards in hand. Partners count together (PP-12.1)."""

    def __init__(self, c: Components, view: PortalsView, who: Player) -> None:
        side = find_partners(view.players, who)
        self.seat = who.seat
        self.team = 0 if who.team is None else who.team + 1
        self.partner = next((entry.seat for entry in side if entry is not who), None)
        self.first = who.seat == view.first
        self.mine = who.seat == view.viewer
        self.over = view.ending is not None
        played = sorted(
            [card for entry in side for card in entry.played], key=lambda card: (c.region[card], c.period[card])
        )
        self.played = [build_printed_cards(c)[card] for card in played]  # the partner's cards are included
        regions = [sum(counts) for counts in zip(*(entry.regions for entry in side), strict=True)]
        self.regions = list(zip(c.region_ids, c.region_names, regions, strict=True))
        self.sets = min(regions)
        self.new_played = who.new_played
        self.new_to_end = c.new_to_end if view.third_card_ends else 0  # 0 if New Testament cards do not end the game
        self.points = sum(entry.points for entry in side)
        score = view.standing[who.seat]
        self.total = score.shown_total
        self.points_beyond_cards = subtract_points(score.shown_total, self.points)
        self.lines = score.shown_lines
        by_sets = score.shown_lines["sets"]  # PP-11.4: including the Region cards that the viewer knows
        self.known_sets = by_sets // c.set_points if isinstance(by_sets, int) and c.set_points else self.sets
        # the lowest and highest total that unseen cards allow
        self.bounds = score.total if score.is_provisional else None
        hand = sorted(who.hand, key=lambda entry: (entry.back, entry.card is None))
        self.hand = [(c.deck_ids[entry.back], c.deck_names[entry.back], find_known_face(c, entry)) for entry in hand]
        self.perhaps_in_hand = [
            build_printed_cards(c)[card] for card in who.perhaps or []
        ]  # PP-R12: taken from the row, and perhaps discarded face down since then
        held = {c.symbol_card[entry.card] for player in side for entry in player.hand if entry.card is not None}
        leading = [any(entry.seat in leaders for entry in side) for leaders in view.leaders]
        self.symbols = [
            (
                c.symbol_ids[i],
                c.symbol_names[i],
                count_matching_events(side, who, i),
                leading[i],
                i in held,
                view.unsettled[i],
            )
            for i in range(len(c.symbol_ids))
        ]

    @property
    def key(self) -> tuple[object, ...]:
        hand = tuple((back, face.id if face else "") for back, _, face in self.hand)
        counts = tuple(n for _, _, n in self.regions), tuple(symbol[2:] for symbol in self.symbols)
        score = self.over, self.points, self.total, self.bounds, *self.lines.values()
        perhaps = tuple(face.id for face in self.perhaps_in_hand)
        alone = self.seat, self.mine, self.first, self.team, self.new_played, self.new_to_end
        return *alone, hand, perhaps, counts, score

    @property
    def played_key(self) -> tuple[object, ...]:
        return self.known_sets, *[face.id for face in self.played]


def subtract_points(total: VisibleNumber, points: int) -> VisibleNumber:
    """Return a total without the points for cards."""
    if total is None:
        return None
    return total - points if isinstance(total, int) else (total[0] - points, total[1] - points)


def find_known_face(c: Components, hidden_card: HiddenCard) -> PrintedCard | None:
    return None if hidden_card.card is None else build_printed_cards(c)[hidden_card.card]


class FuelGauge:
    """The fuel gauge: the position of its marker, and the range that it gives (PP-8.1)."""

    def __init__(self, c: Components, view: PortalsView) -> None:
        self.level = view.gauge
        self.name = c.gauge_names[self.level]
        self.full = self.level == c.full
        self.only_now = len(view.in_range) == 1
        self.needle = round(180 * self.level / c.full) - 90
        self.key = self.level, self.only_now
        self.marks = list_dial_marks(c)
        self.colours = [(id, c.colour_names[i], i in view.burnt) for i, id in enumerate(c.colour_ids)]
        self.after = {fuel: c.gauge_names[min(self.level + fuel, c.full)] for fuel in range(c.full + 1)}


@lru_cache(FILE_CACHE_SIZE)
def list_dial_marks(c: Components) -> list[tuple[str, Name, float, float]]:
    """Return for each position of the gauge its arc, its name, and the position of the name."""
    marks: list[tuple[str, Name, float, float]] = []
    for i, name in enumerate(c.gauge_names):
        turn = pi + pi * i / c.full
        arc = ""
        if i:
            ends = [pi + pi * (i - 1) / c.full + 0.05, turn - 0.05]
            (x, y), (u, v) = [(round(50 + 32 * cos(angle), 1), round(48 + 32 * sin(angle), 1)) for angle in ends]
            arc = f"M{x} {y}A32 32 0 0 1 {u} {v}"
        out = 44 if 0 < i < c.full else 46
        flat = 0 if 0 < i < c.full else 9
        marks.append((arc, name, round(50 + out * cos(turn), 1), round(51 + out * sin(turn) + flat, 1)))
    return marks


def draw(c: Components, view: PortalsView) -> dict[str, object]:
    """Return the template variables that the view does not have."""
    art = build_board_map(c)
    pawn_places = {who.seat: who.place for who in view.players if who.place is not None}
    here = None if view.viewer is None else pawn_places.get(view.viewer)
    ways = (
        None
        if here is None
        else WalkPaths(c, here, {place for place in pawn_places.values() if place != here}, view.portals)
    )
    spaces = [TimelineSpace(c, view, n) for n in range(c.spaces)]
    hand = build_hand(c, view)
    row = [
        None if card is None else VisibleCard(build_printed_cards(c)[card], f"r{nth}")
        for nth, card in enumerate(view.row)
    ]
    cards = [*hand, *(dealt for dealt in row if dealt is not None)]
    spent = view.turn == view.viewer and view.actions == 0
    for card in cards:
        card.set_state(spaces, ways, spent)
    for card in hand:
        if card.face.event:
            spaces[card.face.period].mine.append(card)
    places = build_places(c, pawn_places, view.portals, ways, hand)
    if ways is not None and view.turn == view.viewer and view.actions:
        for entry in places:
            if entry.steps is not None and entry.steps > view.actions:
                entry.stop = c.place_ids[ways.stop_after(entry.spot.place, view.actions)]
    players = [PlayerPanel(c, view, who) for who in view.players]
    large = collect_shown_faces(players, cards)
    return {
        "chart": art,
        "places": places,
        "places_key": tuple([here.key for here in places]),
        "near": ""
        if here is None or ways is None
        else art.choose_near_window(here, [entry for entry, far in enumerate(ways.steps) if far == 1]),
        "gates": [art.draw_portal_arc(a, b) for i, a in enumerate(view.portals) for b in view.portals[i + 1 :]],
        "pawns": [(seat, art.spots[place]) for seat, place in pawn_places.items()],
        "walks": [entry for entry in places if entry.steps is not None and entry.steps > 1 and not entry.stop],
        "cut_short": [entry for entry in places if entry.stop and entry.cards],
        "flags": place_flags(places),
        "spaces": spaces,
        "capsule": view.capsule,
        "gauge": FuelGauge(c, view),
        "regions": list(zip(c.region_ids, c.region_names, strict=True)),
        "hand": hand,
        "room": max(0, c.hand_limit - len(hand)),
        "row": row,
        "gone": list_removed_cards(c, view),
        "cards": {card.face.option: card for card in cards},
        "players": players,
        "shown": large,
        "shown_ids": {face.id for face, _ in large},
        "faces": build_printed_cards(c),
        "won": list_awards(c, view),
    }


def build_hand(c: Components, view: PortalsView) -> list[VisibleCard]:
    """Return the viewer's hand, sorted by period with bonus cards last."""
    if view.hand is None or view.viewer is None:
        return []
    ordered = [(build_printed_cards(c)[own.card], nth) for nth, own in enumerate(view.hand)]
    ordered.sort(key=lambda card: (not card[0].event, card[0].period))
    hand = [VisibleCard(face, f"h{slot}", nth) for slot, (face, nth) in enumerate(ordered)]
    for card in hand:
        if card.face.symbol != NONE:
            alike = count_matching_events(view.players, view.players[view.viewer], card.face.symbol)
            card.worth = c.symbol_self_points + c.symbol_match_points * alike
    return hand


def build_places(
    c: Components, pawn_places: dict[int, Place], portals: list[Place], ways: WalkPaths | None, hand: list[VisibleCard]
) -> list[PlaceView]:
    """Return all places of the map in the current position."""
    seats_by_place = {place: seat for seat, place in pawn_places.items()}
    cards: dict[Place, list[VisibleCard]] = {}
    for card in hand:
        if card.face.event:
            cards.setdefault(card.face.place, []).append(card)
    steps = [None] * c.places if ways is None else ways.steps
    return [
        PlaceView(spot, place in portals, steps[place], seats_by_place.get(place, NONE), cards.get(place, []))
        for place, spot in enumerate(build_board_map(c).spots)
    ]


def place_flags(places: list[PlaceView]) -> list[tuple[VisibleCard, float, float]]:
    """Return the viewer's cards at their places on the map, next to each other and farther away from a pawn."""
    placed_flags: list[tuple[VisibleCard, float, float]] = []
    for here in places:
        spot = here.spot
        room = 1.0 if here.seat == NONE else PUSHED_FLAG_DISTANCE
        x, y = spot.x + room * (spot.flag_x - spot.x), spot.y + room * (spot.flag_y - spot.y)
        placed_flags += [
            (card, round(x + spot.flag_direction * nth * 15, 1), round(y, 1)) for nth, card in enumerate(here.cards)
        ]
    return placed_flags


def find_partners(players: list[Player], own: Player) -> list[Player]:
    """PP-12.1  Return the players who score together: one player, or two partners."""
    return [player for player in players if player is own or (own.team is not None and player.team == own.team)]


def count_matching_events(players: list[Player], own: Player, symbol: int) -> int:
    """PP-11.7, PP-R26  Return the number of played events with this symbol, including the partner's."""
    return sum(player.symbols[symbol] for player in find_partners(players, own))


def collect_shown_faces(
    players: list[PlayerPanel], cards: list[VisibleCard]
) -> list[tuple[PrintedCard, VisibleCard | None]]:
    """Return every face visible to the viewer, once, with its `VisibleCard` if it is in the hand or the row."""
    faces_by_id: dict[str, tuple[PrintedCard, VisibleCard | None]] = {card.face.id: (card.face, card) for card in cards}
    for player in players:
        for face in [face for _, _, face in player.hand] + player.perhaps_in_hand:
            if face is not None:
                faces_by_id.setdefault(face.id, (face, None))
    return list(faces_by_id.values())
