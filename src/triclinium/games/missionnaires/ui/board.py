"""Data for the templates, made from a view alone: the map with its pieces, the viewer's tour, decks and holdings."""

from dataclasses import dataclass

from triclinium.engine.core.text import Name
from triclinium.games.missionnaires.rules.components import Components
from triclinium.games.missionnaires.rules.tours import measure_short_tour
from triclinium.games.missionnaires.ui.board_layout import (
    HEIGHT,
    WIDTH,
    DeckCard,
    MapSpace,
    draw_journey,
    find_shortest_path,
    has_later_roads,
    list_cards_by_number,
    list_spaces_by_number,
)
from triclinium.games.missionnaires.ui.map_drawing import MapDrawing, MapWindow, get_overseer_letter
from triclinium.games.missionnaires.ui.print_list import print_list
from triclinium.games.missionnaires.ui.translations import get_printed_name
from triclinium.games.missionnaires.ui.view import Deck, MissionnairesView, Player

__all__ = ["draw", "gallery", "print_list"]

SPACE_SIGNS = ("bethel", "hall", "barracks", "green", "sea")  # symbols of spaces, by kind
# number of rounds before the limit from which on the page shows the last round, because few matches reach it
ROUND_LIMIT_NOTICE = 30
# Part of the map that a phone shows first, where a space is as large as a fingertip
PHONE_SIZE = (215.0, 215.0 * HEIGHT / WIDTH)


def gallery(c: Components) -> dict[str, object]:
    """Return data for the gallery of components: cards, symbols of spaces, and letters of the overseers."""
    return {
        "pack": list_cards_by_number(c),
        "signs": {id: SPACE_SIGNS[kind] for id, kind in zip(c.ids, c.kind, strict=True)},
        "letters": {id: get_overseer_letter(c, x) for x, id in enumerate(c.overseers)},
    }


def draw(c: Components, view: MissionnairesView) -> dict[str, object]:
    """Return everything that the templates need in addition to the view."""
    me = None if view.viewer is None else view.players[view.viewer]
    map_drawing = MapDrawing(c, view)
    watched_space = view.players[view.turn].at if me is None or me.at is None else me.at
    centre = list_spaces_by_number(c)[c.bethel if watched_space is None else watched_space]
    choices = [spot for option in view.options or [] if (spot := map_drawing.find_spot(option))]
    holdings, decks = (
        [PlayerHoldings(c, owner, owner.seat == view.leader) for owner in view.players],
        build_piles(c, view),
    )
    return {
        "spaces": list_spaces_by_number(c),
        "places": map_drawing.draw_places,
        "tip": map_drawing.describe_space,
        "ways": map_drawing.draw_paths(),
        "pieces": map_drawing.pieces,
        "spot": map_drawing.find_spot,
        "face": map_drawing.build_face,
        "phone": MapWindow(centre, choices, *PHONE_SIZE),
        "tour": None if me is None else Tour(c, me, map_drawing),
        "last_round": view.round_limit if view.round_limit - view.round <= ROUND_LIMIT_NOTICE else None,
        "holdings": holdings,
        "decks": decks,
        "pack": list_cards_by_number(c),
        "lying_open": {card.id for pile in decks for card in pile.discards[-1:]}
        | {card.id for owner in holdings for card in owner.bons},
        "printed": get_printed_name,
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


# -- decks and holdings ------------------------------------------------------------------------------------------------


class PlayerHoldings:
    """Public holdings of one player."""

    def __init__(self, c: Components, player: Player, is_leader: bool) -> None:
        self.seat = player.seat
        self.at = None if player.at is None else list_spaces_by_number(c)[player.at]
        self.company = get_overseer_letter(c, player.company)
        self.periodicals = player.periodicals
        self.unvisited = len(player.unvisited)
        self.visited = [list_spaces_by_number(c)[number] for number in player.visited]
        self.bons = [list_cards_by_number(c)[number] for number in player.bons]
        self.missed = player.missed
        self.rank = player.rank
        self.ended = player.ended
        self.stopped = player.stopped
        self.is_leader = is_leader
        self.resigned = player.resigned
        lists = (*(space.id for space in self.visited), *(card.key for card in self.bons))
        figures = (self.periodicals, c.periodicals_max, self.unvisited, self.missed, self.rank, self.ended)
        states = (self.resigned, self.stopped, is_leader)
        self.key = (self.at and self.at.id, self.company, figures, states, lists)  # cache key of the drawing


class DeckPile:
    """A deck with its discards and the cards that may still come, all of it public information."""

    def __init__(self, id: str, deck: Deck, all_cards: list[DeckCard], seen: set[int]) -> None:
        """Create a pile; ``seen`` are the cards that are face up somewhere and so not in the deck."""
        self.id = id
        self.size = deck.size
        self.discards = [all_cards[number] for number in deck.discards]
        self.sign = "seac" if id == "sea" else "terr"
        count: dict[tuple[str, bool], int] = {}
        example_cards: dict[tuple[str, bool], DeckCard] = {}
        for card in all_cards:
            if card.sign == self.sign and card.number not in seen:
                key = (card.text.text, card.bon)
                count[key] = count.get(key, 0) + 1
                example_cards.setdefault(key, card)
        # Text of a card, number of such cards left, and whether it is a voucher
        self.unseen: list[tuple[Name, int, bool]] = [
            (card.text, count[key], card.bon) for key, card in example_cards.items()
        ]
        self.key = (id, deck.size, len(deck.discards), tuple((text.text, count) for text, count, _ in self.unseen))


def build_piles(c: Components, view: MissionnairesView) -> list[DeckPile]:
    """Return both decks. Cards that are neither discarded nor held by a player are still in their deck."""
    decks = view.decks
    seen = {
        *decks.sea.discards,
        *decks.territories.discards,
        *(card for player in view.players for card in player.bons),
    }
    return [
        DeckPile("sea", decks.sea, list_cards_by_number(c), seen),
        DeckPile("territories", decks.territories, list_cards_by_number(c), seen),
    ]
