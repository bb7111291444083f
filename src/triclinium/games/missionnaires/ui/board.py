"""Data for the templates, made from a view alone: the map with its pieces, the viewer's tour, decks and holdings."""

from dataclasses import dataclass, replace
from functools import partial

from triclinium.boardkit.cards import find_cards_of
from triclinium.boardkit.parts import (
    CardList,
    CardNames,
    Market,
    PanelContent,
    Part,
    Pile,
    SeatFigure,
    SeatFigures,
    SeatPanel,
)
from triclinium.engine.core.text import MINUS, JoinedList, Message
from triclinium.games.missionnaires.rules.components import Components
from triclinium.games.missionnaires.rules.tours import measure_short_tour
from triclinium.games.missionnaires.ui.board_layout import (
    HEIGHT,
    KIND_NAMES,
    WIDTH,
    MapSpace,
    draw_journey,
    find_shortest_path,
    has_later_roads,
    list_spaces_by_number,
)
from triclinium.games.missionnaires.ui.card_faces import (
    LAND_CARD,
    SEA_CARD,
    build_effect_face,
    find_card_sign,
    list_cards,
    list_descriptions,
)
from triclinium.games.missionnaires.ui.map_drawing import MapDrawing, MapWindow, get_overseer_letter
from triclinium.games.missionnaires.ui.print_list import print_list
from triclinium.games.missionnaires.ui.view import Deck, MissionnairesView, Player

__all__ = ["draw", "print_list"]

# number of rounds before the limit from which on the page shows the last round, because few matches reach it
ROUND_LIMIT_NOTICE = 30
# Part of the map that a phone shows first, where a space is as large as a fingertip
PHONE_SIZE = (215.0, 215.0 * HEIGHT / WIDTH)


def draw(c: Components, view: MissionnairesView) -> dict[str, object]:
    """Return everything that the templates need in addition to the view."""
    me = None if view.viewer is None else view.players[view.viewer]
    map_drawing = MapDrawing(c, view)
    watched_space = view.players[view.turn].at if me is None or me.at is None else me.at
    centre = list_spaces_by_number(c)[c.bethel if watched_space is None else watched_space]
    choices = [spot for option in view.options or [] if (spot := map_drawing.find_spot(option))]
    decks = list_decks(c, view)
    cards = list_cards(c)
    tops = [cards[deck.discards[-1]] for deck in (view.decks.sea, view.decks.territories) if deck.discards]
    shown = tops + [cards[card] for player in view.players for card in player.bons]
    return {
        "spaces": list_spaces_by_number(c),
        "places": map_drawing.draw_places,
        "tip": map_drawing.describe_space,
        "ways": map_drawing.draw_paths(),
        "pieces": map_drawing.pieces,
        "place_briefcase": map_drawing.place_briefcase,
        "spot": map_drawing.find_spot,
        "face": map_drawing.build_face,
        "phone": MapWindow(centre, choices, *PHONE_SIZE),
        "tour": None if me is None else Tour(c, me, map_drawing),
        "last_round": view.round_limit if view.round_limit - view.round <= ROUND_LIMIT_NOTICE else None,
        "me": me,
        "tickets": None if me is None else list_tickets(c, me),
        "seat_panels": [build_panel(c, player, player.seat == view.leader) for player in view.players],
        "decks": decks,
        "stocks": build_stocks(view),
        "tops": tops,
        "shown": {card.id: card for card in shown},
        "mentioned": find_cards_of("card", cards.__getitem__),
        "descriptions": list_descriptions(view.card_on_pass, view.stays_behind),
        "routes": draw_routes(c, view),
        "later_roads": has_later_roads(c),
        "overseers": {get_overseer_letter(c, x): name for x, name in enumerate(c.overseer_names)},
    }


def draw_routes(c: Components, view: MissionnairesView) -> list[tuple[int, str]]:
    """Return the journey of every seat in a finished match, from the Bethel on, with straight lines for card moves."""
    return [(player.seat, draw_journey(c, tuple(player.route))) for player in view.players if player.route]


# -- the tour -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class TourStop:
    """A congregation still to visit: its distance, and whether the shortest way goes by sea."""

    space: MapSpace
    slot: int  # slot in the hand, counted from 1 as in `swap 3`
    distance: int | None
    by_sea: bool


class Tour:
    """The viewer's own list of congregations: unvisited ones from near to far, then visited ones."""

    def __init__(self, c: Components, me: Player, map_drawing: MapDrawing) -> None:
        stops = [
            self._build_stop(c, map_drawing, number, slot) for slot, number in enumerate(map_drawing.own_tour, start=1)
        ]
        self.stops = sorted(stops, key=lambda stop: (stop.distance or 0, stop.space.id))
        self.visited = [list_spaces_by_number(c)[number] for number in me.visited]
        self.total = len(me.visited) + len(me.unvisited)
        self.spaces_left = estimate_way_home(c, me, map_drawing.own_tour)
        lengths = ((3, "few"), (10, ""))
        self.size = next((size for most, size in lengths if len(stops) <= most), "long")  # density of the rows

    @staticmethod
    def _build_stop(c: Components, map_drawing: MapDrawing, number: int, slot: int) -> TourStop:
        space = list_spaces_by_number(c)[number]
        if not map_drawing.distances:
            return TourStop(space, slot, None, False)
        return TourStop(
            space, slot, map_drawing.distances[number], find_shortest_path(c, map_drawing.here, number).by_sea
        )


def estimate_way_home(c: Components, player: Player, congregations: list[int]) -> int | None:
    """Return the approximate number of spaces left through all unvisited congregations and home; None if unknown."""
    if player.at is None or len(congregations) < len(player.unvisited):
        return None
    return measure_short_tour(c.distance, c.bethel, player.at, congregations)


# -- decks and seats ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DeckDrawing:
    """A deck as a pile, and the cards that may still come."""

    pile: Pile
    contents: CardList
    discarded: int

    @property
    def key(self) -> tuple[object, ...]:
        """Return everything that the drawing of the contents depends on."""
        return self.pile.count, self.discarded, *self.contents.cards


def list_decks(c: Components, view: MissionnairesView) -> list[DeckDrawing]:
    """Return both decks. Cards that are neither discarded nor held by a player are still in their deck."""
    discards = (view.decks.territories.discards, view.decks.sea.discards)
    seen = {*discards[0], *discards[1], *(card for player in view.players for card in player.bons)}
    sea, land = range(c.territories, len(c.card_ids)), range(c.territories)
    return [
        draw_deck(c, "sea", view.decks.sea, [card for card in sea if card not in seen], ("LM-8.1", "LM-5.4", "LM-5.5")),
        draw_deck(
            c,
            "territories",
            view.decks.territories,
            [card for card in land if card not in seen],
            ("LM-8.1", "LM-4.5", "LM-8.8"),
        ),
    ]


def draw_deck(c: Components, id: str, deck: Deck, unseen: list[int], rules: tuple[str, str, str]) -> DeckDrawing:
    """Return a deck; cards with the same effect are one line of its contents. All of it is public information."""
    name = Message("Sea voyage") if id == "sea" else Message("Territories")
    size = Message("{0} {0:card|cards} in the deck, {1} discarded", deck.size, len(deck.discards))
    same: dict[tuple[str, bool], list[int]] = {}
    for card in unseen:
        same.setdefault((c.card_texts[card].text, c.bon[card]), []).append(card)
    pile = Pile(
        name,
        deck.size,
        text=Message("{0}: {1}", name, size),
        option="draw" if id == "sea" else "",
        enlarged_id=f"lm-pile-{id}",
        sign=SEA_CARD if id == "sea" else LAND_CARD,
    )
    faces = [build_effect_face(c, cards[0], len(cards)) for cards in same.values()]
    return DeckDrawing(
        pile, CardList(f"lm-pile-{id}", name, faces, note=size, rule=rules[0], more_rules=rules[1:]), len(deck.discards)
    )


def build_stocks(view: MissionnairesView) -> list[Pile]:
    """Return the reserve of congregation cards, and the stock of periodicals."""
    reserve = len(view.reserve)
    return [
        Pile(
            Message("Reserve"),
            reserve,
            text=Message("Reserve: {0} congregation {0:card|cards}", reserve),
            enlarged_id="lm-about-reserve",
            sign="reserve",
        ),
        Pile(
            Message("Stock"),
            view.stock,
            text=Message("Stock: {0} {0:periodical|periodicals}", view.stock),
            enlarged_id="lm-about-periodical",
            sign="periodical",
        ),
    ]


def list_tickets(c: Components, me: Player) -> Market:
    """Return the viewer's vouchers. A voucher is played, used, or played after the end of the move."""
    cards = [
        replace(card, options=(f"play {card.id}", f"use {card.id}", f"stop; play {card.id}"))
        for card in [list_cards(c)[number] for number in me.bons]
    ]
    return Market(Message("Vouchers"), cards)


def list_location_figures(c: Components, player: Player) -> list[SeatFigure]:
    """Return the space of a player, or the end of the journey. A player who has not begun is nowhere."""
    if player.at is not None:
        space = player.at
        town = Message("{0}, {1}", c.space_names[space], c.countries[space])
        about = Message("{0} ({1})", town, c.grids[space])
        return [SeatFigure(about, KIND_NAMES[c.kind[space]] if space == c.bethel else c.space_names[space])]
    if player.resigned:
        return [SeatFigure(value=Message("left the match"))]
    if player.rank:
        return [SeatFigure(value=Message("back home in {0} {0:turn|turns}, rank {1}", player.ended or 0, player.rank))]
    return [SeatFigure(value=Message("stopped playing"))] if player.stopped else []


def build_panel(c: Components, player: Player, is_leader: bool) -> SeatPanel:
    """Return the public holdings of a player."""
    lists = (tuple(player.visited), *[list_cards(c)[card].face for card in player.bons])
    numbers = (player.periodicals, c.periodicals_max, len(player.unvisited), player.missed, player.rank, player.ended)
    return SeatPanel(
        player.seat,
        style="lm-seat-panel",
        make_content=partial(_make_panel_content, c, player, is_leader),
        key=(player.at, player.company, numbers, (player.resigned, player.stopped, is_leader), lists),
    )


def _make_panel_content(c: Components, player: Player, is_leader: bool) -> PanelContent:
    """Return the figures of a player, the journey and the open vouchers."""
    vouchers = [list_cards(c)[card] for card in player.bons]
    company = c.overseers[player.company] if player.company is not None else ""
    figures = [
        SeatFigure(
            Message("{0} {0:periodical|periodicals} of {1}", player.periodicals, c.periodicals_max),
            player.periodicals,
            "periodical",
        ),
        SeatFigure(
            Message("{0} {0:congregation|congregations} to visit", len(player.unvisited)),
            len(player.unvisited),
            "congregation",
        ),
    ]
    if vouchers:
        text = Message("{0} {0:voucher|vouchers}", len(vouchers))
        figures.append(SeatFigure(text, len(vouchers), find_card_sign(c, player.bons[-1]), style="if-lined"))
    if player.company is not None:
        figures.append(
            SeatFigure(Message("with the {0}", c.overseer_names[player.company]), sign=f"overseer-{company}")
        )
    missed = Message("misses {0} {0:turn|turns}", player.missed)
    if player.missed:
        figures.append(SeatFigure(missed, f"{MINUS}{player.missed}", style="lm-missed if-lined"))
    details = list_location_figures(c, player)
    if is_leader:
        details.append(
            SeatFigure(Message("chosen at random to begin (LM-R1)"), word=Message("leader"), style="lm-leads")
        )
    if player.missed:
        details.append(SeatFigure(word=missed, style="lm-missed"))
    if player.visited:
        towns = JoinedList([c.space_names[space] for space in player.visited])
        details.append(SeatFigure(Message("Visited"), word=towns, style="lm-visited"))
    parts: list[Part] = [SeatFigures(tuple(details))]
    if vouchers:
        parts.append(CardNames(vouchers))
    return PanelContent(SeatFigures(tuple(figures)), parts)
