"""Data for the templates, computed from a view alone: the map, the timeline, and the cards with their distance.

Objects that occur many times have a ``key``: everything their drawing depends on except the language and the players'
names. The templates cache each drawing by this key.
"""

from dataclasses import dataclass
from functools import lru_cache, partial
from math import cos, pi, sin
from typing import Final

from triclinium.boardkit.cards import find_cards_of
from triclinium.boardkit.parts import (
    ActionButton,
    CardBack,
    CardList,
    CellRow,
    Hand,
    HandBacks,
    Legend,
    Market,
    NumberCell,
    PanelContent,
    Pile,
    SeatFigure,
    SeatFigures,
    SeatPanel,
    TokenStack,
    Track,
)
from triclinium.boardkit.parts import Card as KitCard
from triclinium.boardkit.parts import Space as TrackSpace
from triclinium.engine.component_kinds import CardFace, Sign
from triclinium.engine.core.components import FILE_CACHE_SIZE
from triclinium.engine.core.text import Arg, Message, Name, SeatName
from triclinium.engine.visible_scores import VisibleNumber, describe_number
from triclinium.games.portals.rules.components import NONE, Card, Components
from triclinium.games.portals.ui.awards import list_awards
from triclinium.games.portals.ui.board_layout import (
    BoardPlace,
    WalkPath,
    WalkPaths,
    build_board_map,
    place_names,
)
from triclinium.games.portals.ui.card_faces import build_card_faces, list_fuel_signs
from triclinium.games.portals.ui.help_card import help_card
from triclinium.games.portals.ui.print_list import print_list
from triclinium.games.portals.ui.view import HiddenCard, Place, Player, PortalsView, Space

__all__ = ["draw", "help_card", "print_list"]

FLAG_PITCH: Final = 15.0  # distance of two flags at a place
PUSHED_FLAG_DISTANCE: Final = 1.45  # factor by which a card's flag moves away from a place with a pawn

PLAYABLE, STEPS, NO_WAY, OUT_OF_RANGE, IN_HAND = (
    "now",
    "steps",
    "shut",
    "far",
    "held",
)  # the states of a card for its player


@dataclass(slots=True)
class VisibleCard:
    """A card in the viewer's hand or in the row: its face, and its distance in steps and in time."""

    c: Components
    number: Card
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
        if not self.is_event:
            return
        if ways is not None:
            self.steps = ways.steps[self.place]
            self.way = ways.find_path(self.place)
            self.by_portal = self.way.by_portal
        self.out_of_range_by = spaces[self.period].out_of_range_by
        self.rounds_until = spaces[self.period].rounds_until
        if self.out_of_range_by:
            self.state = OUT_OF_RANGE
        elif self.steps == 0 and self.nth != NONE and not spent:
            self.state = PLAYABLE
        elif ways is not None:
            self.state = STEPS if self.steps >= 0 else NO_WAY

    @property
    def id(self) -> str:
        return self.c.card_ids[self.number]

    @property
    def option_word(self) -> str:
        """Return the card's name in options."""
        return self.id.lower()

    @property
    def face(self) -> CardFace:
        return build_card_faces(self.c)[self.number]

    @property
    def is_event(self) -> bool:
        return self.number < self.c.events

    @property
    def place(self) -> Place:
        return self.c.place[self.number]

    @property
    def fuel(self) -> int:
        return self.c.fuel[self.number]

    @property
    def period(self) -> Space:
        return self.c.period[self.number]

    @property
    def key(self) -> tuple[object, ...]:
        return self.state, self.steps, self.out_of_range_by, self.rounds_until, self.by_portal, self.worth

    def describe(self) -> Arg:
        """PP-7.2, PP-7.3  Return the state in full."""
        if self.state == OUT_OF_RANGE:
            out = Message("out of range by {0}", self.out_of_range_by)
            if self.steps <= 0:
                return out
            return Message("{0}, {1}", out, Message("{0} {0:step|steps} away", self.steps))
        if self.state == STEPS and self.steps:
            return Message("{0} {0:step|steps} away", self.steps)
        return self.describe_shortly()

    def describe_shortly(self) -> Arg:
        """Return the state in few words: the steps, or the rounds until the period is in range with this gauge."""
        if self.state == PLAYABLE:
            return Message("Playable now")
        if self.state == OUT_OF_RANGE:
            if self.rounds_until:
                return Message("next round") if self.rounds_until == 1 else Message("in {0} rounds", self.rounds_until)
            return Message("{0} {0:space|spaces} too late", self.out_of_range_by)
        if self.state == NO_WAY:
            return Message("path blocked")
        if self.state == STEPS:
            return Message("{0} {0:step|steps}", self.steps) if self.steps else Message("here")
        if self.c.wild[self.number]:
            return Message("any region")
        return Message("+{0} in hand", self.worth) if self.worth else ""

    def draw(self, gauge: "FuelGauge") -> KitCard:
        """Return the card for the board kit, with the options that it can be used for (PP-4.1, PP-7.1, PP-8.5)."""
        by_portal = self.by_portal and self.state == STEPS
        return KitCard(
            self.id,
            self.face,
            style=f"{self.state} on-{self.slot}",
            state=self.describe_shortly(),
            state_sign="portal" if by_portal else "",
            state_text=self.describe(),
            option=f"take {self.option_word}",
            verb=Message("Take"),
            actions=() if self.nth == NONE else self._list_actions(gauge),
            key=self.key,
        )

    def _list_actions(self, gauge: "FuelGauge") -> tuple[ActionButton, ...]:
        drop = Message("Discard")
        actions = [ActionButton(f"drop {self.option_word}", drop), ActionButton(f"hide {self.nth + 1}", drop)]
        if self.is_event:
            gain = Message("{0} +{1}", Message("Play"), self.c.points[self.number])
            actions.append(ActionButton(f"play {self.option_word}", gain, (Sign("play"),), "go"))
        if fuel := list_fuel_signs(self.c, self.number):
            note = Message("gauge to {0}", gauge.after[len(fuel)])
            actions.append(ActionButton(f"burn {self.option_word}", "", fuel, "burn", note, is_beside=True))
        return tuple(actions)


def list_removed_cards(c: Components, view: PortalsView) -> CardList:
    """PP-4.5, PP-R12  Return burnt and discarded cards by deck and period; unknown ones come last."""
    known = [hidden_card.card for hidden_card in view.buried if hidden_card.card is not None]
    backs = [hidden_card.back for hidden_card in view.buried if hidden_card.card is None]
    return CardList(
        "gone",
        Message("Out of the game"),
        [build_card_faces(c)[card] for card in sorted(view.gone + known)],
        [Message("face down ({0})", c.deck_names[back]) for back in sorted(backs)],
        note=Message("Burnt and discarded cards never come back."),
        rule="PP-4.5",
    )


@dataclass(slots=True)
class PlaceView:
    """A place of the map in the current position: its portal, pawn and distance, and the viewer's cards for it."""

    spot: BoardPlace
    portal: bool
    steps: int | None  # NONE if there is no free way; None if the viewer has no pawn
    seat: int
    cards: list[VisibleCard]
    stop: str = ""  # the last place on the way that the viewer's actions can reach, if the place is farther away

    @property
    def key(self) -> tuple[object, ...]:
        return self.spot.id, self.portal, self.steps, self.seat, *[card.id for card in self.cards]


class TimelineSpace:
    """A space of the timeline in the current position."""

    def __init__(self, c: Components, view: PortalsView, n: Space) -> None:
        capsule, offs = view.capsule, view.out_of_range_by
        self.n = n
        self.id = c.space_ids[n]
        self.name = c.space_names[n]
        self.last = n == c.spaces - 1
        self.rounds_until = view.rounds_until[n]
        self.out_of_range_by = offs[n]  # number of spaces out of range; 0 if it is in range
        self.mine: list[VisibleCard] = []
        self.is_now = n == capsule
        self.style = "st past" if n < capsule else "st now" if self.is_now else "st"
        if not self.out_of_range_by:
            self.style += " in"
            self.style += " first" if n == 0 or offs[n - 1] else ""
            self.style += " final" if self.last or offs[n + 1] else ""

    @property
    def key(self) -> tuple[object, ...]:
        return self.out_of_range_by, self.style, *[card.id for card in self.mine]

    def draw(self, is_simplified: bool) -> TrackSpace:
        """PP-2.4, PP-7.3  Return the space, with a small square for each of the viewer's cards of that period."""
        text: Arg = Message("{0}: {1}", self.name, Message("the capsule")) if self.is_now else self.name
        if not is_simplified:
            out = self.out_of_range_by
            reach = Message("out of range by {0}", out) if out else Message("in range")
            text = Message("{0}\n{1}", text, reach)
        for card in self.mine:
            text = Message("{0}\n{1}", text, card.face.title)
        label = Message("Gen") if self.n == 0 else Message("NT") if self.last else self.id
        return TrackSpace(
            self.id, label, style=self.style, text=text, pieces=tuple([card.face.style for card in self.mine])
        )


def draw_timeline(spaces: list[TimelineSpace], is_simplified: bool) -> Track:
    """Return the timeline for the board kit."""
    return Track(Message("Timeline"), [space.draw(is_simplified) for space in spaces], style="line")


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
        self.played = [build_card_faces(c)[card] for card in played]  # the partner's cards are included
        self.regions = [sum(counts) for counts in zip(*(entry.regions for entry in side), strict=True)]
        self.sets = min(self.regions)
        self.points = sum(entry.points for entry in side)
        score = view.standing[who.seat]
        self.total = score.shown_total
        self.points_beyond_cards = subtract_points(score.shown_total, self.points)
        self.lines = score.shown_lines
        by_sets = score.shown_lines["sets"]  # PP-11.4: including the Region cards that the viewer knows
        self.known_sets = by_sets // c.set_points if isinstance(by_sets, int) and c.set_points else self.sets
        # the lowest and highest total that unseen cards allow
        self.bounds = score.total if score.is_provisional else None
        held = {c.symbol_card[entry.card] for player in side for entry in player.hand if entry.card is not None}
        seats = {entry.seat for entry in side}
        # for each symbol its events, whether the player leads, has its Symbol card, and could still be overtaken
        self.symbols = tuple(
            [
                (sum(counts), not seats.isdisjoint(view.leaders[symbol]), symbol in held, view.unsettled[symbol])
                for symbol, counts in enumerate(zip(*(entry.symbols for entry in side), strict=True))
            ]
        )
        hand = sorted(who.hand, key=lambda entry: (entry.back, entry.card is None))
        self.backs = [self._draw_back(c, entry) for entry in hand]
        self.backs += [
            CardBack(
                "doubtful",
                Message("Perhaps in hand, if not discarded face down:"),
                draw_known_card(c, card),
                is_doubtful=True,
            )
            for card in who.perhaps or []
        ]  # PP-R12: taken from the row, and perhaps discarded face down since then
        self.new_cards = (who.new_played, view.third_card_ends)
        self._components = c

    def _draw_back(self, c: Components, entry: HiddenCard) -> CardBack:
        """PP-R32  Return a card of the hand by its back; others' known cards show their faces."""
        if entry.card is None or self.mine:
            return CardBack(c.deck_ids[entry.back], c.deck_names[entry.back])
        return CardBack(c.deck_ids[entry.back], Message("Known in hand:"), draw_known_card(c, entry.card))

    @property
    def key(self) -> tuple[object, ...]:
        backs = tuple([(back.style, back.known.id if back.known else "") for back in self.backs])
        score = self.over, self.points, self.total, self.bounds, *self.lines.values()
        alone = self.seat, self.first, self.team, self.new_cards
        return *alone, backs, *self.regions, self.symbols, score, self.known_sets, *self.played

    def build_panel(self) -> SeatPanel:
        """Return the panel of the seat."""
        return SeatPanel(self.seat, style="pp-seat", make_content=self._make_content, key=self.key)

    def _make_content(self) -> PanelContent:
        """Return points, hand, New Testament cards, and events by region and by symbol."""
        c = self._components
        figures = []
        if self.first:
            figures.append(SeatFigure(Message("first player of every round (PP-2.1)"), word="1", style="begins"))
        if self.partner is not None:
            shared = Message("shares points, regions and symbols with {0} (PP-12.1)", SeatName(self.partner))
            figures.append(SeatFigure(shared, word=Message("team {0}", self.team), style="team"))
        points = Message("{0} + {1}", self.points, describe_number(self.points_beyond_cards))
        figures.append(SeatFigure(self._describe_points(), word=points, style="sum num"))
        witnessed = self.list_played()
        regions = [
            NumberCell(name, n, style=f"{id} set" if self.sets else id)
            for id, name, n in zip(c.region_ids, c.region_names, self.regions, strict=True)
        ]
        symbols = [describe_symbol(c, symbol, *facts, is_over=self.over) for symbol, facts in enumerate(self.symbols)]
        return PanelContent(
            SeatFigures(tuple(figures)),
            [
                HandBacks(Message("hand {0}", len(self.backs)), self.backs),
                describe_new_cards(c, *self.new_cards),
                CellRow(regions, witnessed.heading, witnessed.id),
                CellRow(symbols),
                witnessed,
            ],
        )

    def _describe_points(self) -> Message:
        """Return the points for cards and for everything else, without unseen cards (PP-11.2, PP-R32)."""
        sets, majorities, cards = [describe_number(self.lines[name]) for name in ("sets", "majorities", "symbol_cards")]
        text = Message(
            "{0}\n{1}",
            Message("{0} {0:point|points} for cards", self.points),
            Message("{0} for region sets, {1} for majorities, {2} for Symbol cards", sets, majorities, cards),
        )
        if not isinstance(self.bounds, tuple):
            return text
        unseen = Message("without unseen cards; with them between {0} and {1}", *self.bounds)
        return Message("{0}\n{1}", text, unseen)

    def list_played(self) -> CardList:
        """PP-11.3  Return the witnessed cards by region and period. Partners' cards are shown together (PP-12.1)."""
        note = Message(
            "{0} {0:card|cards}, {1} {1:point|points}; {2} complete {2:set|sets} of five regions",
            len(self.played),
            self.points,
            self.known_sets,
        )
        owner: Arg = SeatName(self.seat)
        if self.partner is not None:
            owner = Message("{0} and {1}", owner, SeatName(self.partner))
        return CardList(
            f"played-{self.seat}", Message("Witnessed by {0}", owner), self.played, note=note, rule="PP-11.3"
        )


def draw_known_card(c: Components, card: Card) -> KitCard:
    return KitCard(c.card_ids[card], build_card_faces(c)[card])


def describe_symbol(
    c: Components, symbol: int, count: int, leads: bool, has_card: bool, is_open: bool, *, is_over: bool
) -> NumberCell:
    """PP-11.6, PP-11.7  Return the events with a symbol. The leader is highlighted, +1 is a known Symbol card."""
    text = Message("{0}: {1}", c.symbol_names[symbol], count)
    if has_card:
        text = Message("{0} + 1, {1}", text, Message("Symbol card"))
    if leads:
        lead = (
            Message("majority: {0} points", c.majority_points)
            if is_over
            else Message("majority, by the cards you know")
        )
        text = Message("{0}\n{1}", text, lead)
    if leads and is_open:
        text = Message("{0}\n{1}", text, Message("an unseen Symbol card could change it"))
    style = ("leads open" if is_open else "leads") if leads else ""
    return NumberCell(c.symbol_names[symbol], count, text, c.symbol_ids[symbol], style, badge="+1" if has_card else "")


def describe_new_cards(c: Components, played: int, third_card_ends: bool) -> TokenStack:
    """PP-10.1  Return the New Testament cards played; one before the last is highlighted."""
    if not third_card_ends:
        return TokenStack(
            Message("New Testament {0}", played), 0, style="ntp", label=Message("{0} {1}", Message("NT"), played)
        )
    text = Message(
        "{0}\n{1} (PP-10.1)",
        Message("New Testament {0} of {1}", played, c.new_to_end),
        Message("the third ends the game"),
    )
    style = "ntp alarm" if played == c.new_to_end - 1 else "ntp"
    return TokenStack(text, played, c.new_to_end, style=style, label=Message("NT"))


def subtract_points(total: VisibleNumber, points: int) -> VisibleNumber:
    """Return a total without the points for cards."""
    if total is None:
        return None
    return total - points if isinstance(total, int) else (total[0] - points, total[1] - points)


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
    gauge = FuelGauge(c, view)
    hand = build_hand(c, view)
    row = [None if card is None else VisibleCard(c, card, f"r{nth}") for nth, card in enumerate(view.row)]
    cards = [*hand, *(dealt for dealt in row if dealt is not None)]
    spent = view.turn == view.viewer and view.actions == 0
    for card in cards:
        card.set_state(spaces, ways, spent)
    for card in hand:
        if card.is_event:
            spaces[card.period].mine.append(card)
    places = build_places(c, pawn_places, view.portals, ways, hand)
    if ways is not None and view.turn == view.viewer and view.actions:
        for entry in places:
            if entry.steps is not None and entry.steps > view.actions:
                entry.stop = c.place_ids[ways.stop_after(entry.spot.place, view.actions)]
    players = [PlayerPanel(c, view, who) for who in view.players]
    drawn_hand, drawn_row = draw_hand(c, hand, gauge), draw_row(c, view, row, gauge)
    shown = {card.id: card for card in drawn_hand.cards + drawn_row.cards if card.face is not None}
    for player in players:
        for back in player.backs:
            if back.known is not None:
                shown.setdefault(back.known.id, back.known)
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
        "names": partial(place_names, c),
        "flags": place_flags(places),
        "spaces": spaces,
        "timeline": partial(draw_timeline, spaces, view.simplified),
        "timeline_key": (view.simplified, *[space.key for space in spaces]),
        "capsule": view.capsule,
        "actions": TokenStack(
            Message("{0} {0:action|actions} left", view.actions), view.actions, c.actions, style="acts"
        ),
        "gauge": gauge,
        "legend": build_legend(c),
        "hand": drawn_hand,
        "row": drawn_row,
        "gone": list_removed_cards(c, view),
        "cards": {card.option_word: card for card in cards},
        "players": players,
        "seat_panels": [player.build_panel() for player in players],
        "shown": shown,
        "mentioned": find_cards_of("card", partial(draw_known_card, c)),
        "awards": list_awards(c, view),
    }


@lru_cache(FILE_CACHE_SIZE)
def build_legend(c: Components) -> Legend:
    """Return the meaning of the regions' colours and of the ring of a portal."""
    entries: list[tuple[str, Arg]] = list(zip(c.region_ids, c.region_names, strict=True))
    return Legend([*entries, ("ring", Message("portal"))], "key")


def build_hand(c: Components, view: PortalsView) -> list[VisibleCard]:
    """Return the viewer's hand, sorted by period with bonus cards last."""
    if view.hand is None or view.viewer is None:
        return []
    ordered = [(own.card, nth) for nth, own in enumerate(view.hand)]
    ordered.sort(key=lambda held: (held[0] >= c.events, c.period[held[0]]))
    hand = [VisibleCard(c, card, f"h{slot}", nth) for slot, (card, nth) in enumerate(ordered)]
    for card in hand:
        if c.symbol_card[card.number] != NONE:
            alike = count_matching_events(view.players, view.players[view.viewer], c.symbol_card[card.number])
            card.worth = c.symbol_self_points + c.symbol_match_points * alike
    return hand


def draw_hand(c: Components, hand: list[VisibleCard], gauge: FuelGauge) -> Hand:
    """Return the hand for the board kit."""
    room = max(0, c.hand_limit - len(hand))
    return Hand(
        Message("Your hand"),
        [card.draw(gauge) for card in hand],
        room,
        Message("room for {0} more", room) if hand else "",
    )


def draw_row(c: Components, view: PortalsView, row: list[VisibleCard | None], gauge: FuelGauge) -> Market:
    """PP-4.1  Return the cards that can be drawn: the row and the two decks, and next to them all other cards."""
    empty = Message("empty") if view.round else Message("dealt once all pawns are placed")
    removed = len(view.gone) + len(view.buried)
    return Market(
        Message("The row"),
        [KitCard(empty=True, state=empty) if card is None else card.draw(gauge) for card in row],
        [
            Pile(c.deck_names[1], view.decks.old, short=Message("Old T."), style="old", option="draw old"),
            Pile(c.deck_names[2], view.decks.new, short=Message("New T."), style="new", option="draw new"),
            Pile(Message("Out of the game"), removed, short=Message("Removed"), style="gone", enlarged_id="gone"),
            Pile(
                Message("All cards by region, symbol, century and place, and where they are now"),
                c.cards,
                short=Message("All"),
                style="gone",
                href="/rules/portals/components?kind=card",
            ),
        ],
    )


def build_places(
    c: Components, pawn_places: dict[int, Place], portals: list[Place], ways: WalkPaths | None, hand: list[VisibleCard]
) -> list[PlaceView]:
    """Return all places of the map in the current position."""
    seats_by_place = {place: seat for seat, place in pawn_places.items()}
    cards: dict[Place, list[VisibleCard]] = {}
    for card in hand:
        if card.is_event:
            cards.setdefault(card.place, []).append(card)
    steps = [None] * c.places if ways is None else ways.steps
    return [
        PlaceView(spot, place in portals, steps[place], seats_by_place.get(place, NONE), cards.get(place, []))
        for place, spot in enumerate(build_board_map(c).spots)
    ]


def place_flags(places: list[PlaceView]) -> list[tuple[VisibleCard, float, float, float, float]]:
    """Return the viewer's cards at their places on the map, next to each other and farther away from a pawn.

    The last two numbers are the distance from the pawn or the first flag, which grows on small maps, as the flags do.
    """
    placed_flags: list[tuple[VisibleCard, float, float, float, float]] = []
    for here in places:
        spot = here.spot
        room = 1.0 if here.seat == NONE else PUSHED_FLAG_DISTANCE
        x, y = spot.x + room * (spot.flag_x - spot.x), spot.y + room * (spot.flag_y - spot.y)
        away_x, away_y = (0.0, 0.0) if here.seat == NONE else (round(x - spot.x, 1), round(y - spot.y, 1))
        for nth, card in enumerate(here.cards):
            aside = spot.flag_direction * nth * FLAG_PITCH
            placed_flags.append((card, round(x + aside, 1), round(y, 1), round(away_x + aside, 1), away_y))
    return placed_flags


def find_partners(players: list[Player], own: Player) -> list[Player]:
    """PP-12.1  Return the players who score together: one player, or two partners."""
    return [player for player in players if player is own or (own.team is not None and player.team == own.team)]


def count_matching_events(players: list[Player], own: Player, symbol: int) -> int:
    """PP-11.7, PP-R26  Return the number of played events with this symbol, including the partner's."""
    return sum(player.symbols[symbol] for player in find_partners(players, own))
