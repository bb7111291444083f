"""What the templates place: the sheet with its pieces, the viewer's tour, decks and holdings, from a view alone."""

from dataclasses import dataclass

from triclinium.engine.core.text import Name
from triclinium.games.missionnaires.rules.components import Components
from triclinium.games.missionnaires.rules.tours import shortest_tour
from triclinium.games.missionnaires.ui.board_layout import (
    HEIGHT,
    WIDTH,
    Card,
    Space,
    atlas,
    later_roads,
    pack,
    travelled,
    way,
)
from triclinium.games.missionnaires.ui.map_drawing import Sight, Window, letter
from triclinium.games.missionnaires.ui.translations import printed
from triclinium.games.missionnaires.ui.view import Deck, MissionnairesView, Player

INSET = (171.0, 120.0)  # how much of the sheet the inset shows
SPACE_SIGNS = ("bethel", "hall", "barracks", "green", "sea")  # by kind
ENDS_SOON = 30  # rounds before the last of all, which few matches see, in which it is told
PHONE = (215.0, 215.0 * HEIGHT / WIDTH)  # what a phone shows first: a space is as large as a finger


def gallery(c: Components) -> dict[str, object]:
    """What the box shows: cards, the signs of spaces, and the letters of the overseers."""
    return {
        "pack": pack(c),
        "signs": {id: SPACE_SIGNS[kind] for id, kind in zip(c.ids, c.kind, strict=True)},
        "letters": {id: letter(c, x) for x, id in enumerate(c.overseers)},
    }


def draw(c: Components, view: MissionnairesView) -> dict[str, object]:
    """Everything that the templates need besides the view."""
    me = None if view.viewer is None else view.players[view.viewer]
    sight = Sight(c, view)
    watched = view.players[view.turn].at if me is None or me.at is None else me.at
    centre = atlas(c)[c.bethel if watched is None else watched]
    choices = [spot for option in view.options or [] if (spot := sight.spot(option))]
    holdings, decks = [Holding(c, one, one.seat == view.leader) for one in view.players], piles(c, view)
    return {
        "spaces": atlas(c),
        "places": sight.places,
        "tip": sight.tip,
        "ways": sight.ways(),
        "pieces": sight.pieces,
        "spot": sight.spot,
        "face": sight.face,
        "tags": sight.tags,
        "inset": Window(centre, choices, *INSET, grows=False),
        "phone": Window(centre, choices, *PHONE, grows=True),
        "tour": None if me is None else Tour(c, me, sight),
        "last_round": view.round_limit if view.round_limit - view.round <= ENDS_SOON else None,
        "holdings": holdings,
        "decks": decks,
        "pack": pack(c),
        "lying_open": {card.id for pile in decks for card in pile.discards[-1:]}
        | {card.id for one in holdings for card in one.bons},
        "printed": printed,
        "routes": routes(c, view),
        "later_roads": later_roads(c),
        "overseers": {letter(c, x): name for x, name in enumerate(c.overseer_names)},
    }


def routes(c: Components, view: MissionnairesView) -> list[tuple[int, str]]:
    """Of a match that is over: every seat's way over the map, from the Bethel on; where a card put it, straight."""
    return [(player.seat, travelled(c, tuple(player.route))) for player in view.players if player.route]


# -- the tour -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Stop:
    """A congregation still to be visited: how far it is, and whether the shortest way sails."""

    space: Space
    slot: int  # its place in the hand, from 1: `swap 3`
    away: int | None
    sails: bool


class Tour:
    """The viewer's own list: nearest first, then what is done."""

    def __init__(self, c: Components, me: Player, sight: Sight) -> None:
        stops = [self._stop(c, sight, number, slot) for slot, number in enumerate(sight.slots, start=1)]
        self.stops = sorted(stops, key=lambda stop: (stop.away or 0, stop.space.id))
        self.visited = [atlas(c)[number] for number in me.visited]
        self.total = len(me.visited) + len(me.unvisited)
        self.left = way_home(c, me, sight.slots)
        lengths = ((3, "few"), (10, ""))
        self.size = next((size for most, size in lengths if len(stops) <= most), "long")  # how dense its rows are

    @staticmethod
    def _stop(c: Components, sight: Sight, number: int, slot: int) -> Stop:
        space = atlas(c)[number]
        if not sight.distances:
            return Stop(space, slot, None, False)
        return Stop(space, slot, sight.distances[number], way(c, sight.here, number).sails)


def way_home(c: Components, player: Player, mine: list[int]) -> int | None:
    """About how many spaces are left: through all that is still to be visited and home, by a fair tour."""
    if player.at is None or len(mine) < len(player.unvisited):
        return None
    return shortest_tour(c.distance, c.bethel, player.at, mine)


# -- cards and what lies before each player -----------------------------------------------------------------------


class Holding:
    """What lies before one player, all of it public."""

    def __init__(self, c: Components, player: Player, leads: bool) -> None:
        self.seat = player.seat
        self.at = None if player.at is None else atlas(c)[player.at]
        self.company = letter(c, player.company)
        self.periodicals = player.periodicals
        self.unvisited = len(player.unvisited)
        self.visited = [atlas(c)[number] for number in player.visited]
        self.bons = [pack(c)[number] for number in player.bons]
        self.missed = player.missed
        self.rank = player.rank
        self.ended = player.ended
        self.stopped = player.stopped
        self.leads = leads
        self.resigned = player.resigned
        lists = (*(space.id for space in self.visited), *(card.key for card in self.bons))
        figures = (self.periodicals, c.periodicals_max, self.unvisited, self.missed, self.rank, self.ended)
        states = (self.resigned, self.stopped, leads)
        self.key = (self.at and self.at.id, self.company, figures, states, lists)  # all that its drawing depends on


class Pile:
    """A deck with its discards, and what may still come: public arithmetic."""

    def __init__(self, id: str, deck: Deck, all_cards: list[Card], seen: set[int]) -> None:
        """``seen``: the cards that lie open somewhere, which are not in the deck."""
        self.id = id
        self.size = deck.size
        self.discards = [all_cards[number] for number in deck.discards]
        self.sign = "seac" if id == "sea" else "terr"
        count: dict[tuple[str, bool], int] = {}
        shown: dict[tuple[str, bool], Card] = {}
        for card in all_cards:
            if card.sign == self.sign and card.number not in seen:
                key = (card.text.text, card.bon)
                count[key] = count.get(key, 0) + 1
                shown.setdefault(key, card)
        # what a card says, how many such cards, whether it is a voucher
        self.unseen: list[tuple[Name, int, bool]] = [(card.text, count[key], card.bon) for key, card in shown.items()]
        self.key = (id, deck.size, len(deck.discards), tuple((text.text, count) for text, count, _ in self.unseen))


def piles(c: Components, view: MissionnairesView) -> list[Pile]:
    """What is known of both decks: their cards are those that lie neither on the discards nor before a player."""
    decks = view.decks
    seen = {
        *decks.sea.discards,
        *decks.territories.discards,
        *(card for player in view.players for card in player.bons),
    }
    return [Pile("sea", decks.sea, pack(c), seen), Pile("territories", decks.territories, pack(c), seen)]
