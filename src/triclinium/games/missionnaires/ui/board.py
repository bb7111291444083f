"""What the templates place: the sheet with its pieces, the viewer's tour, decks and holdings, from a view alone."""

from triclinium.engine.core.text import Name
from triclinium.engine.view import items, table_of, whole, word
from triclinium.games.missionnaires.rules.components import Components
from triclinium.games.missionnaires.rules.tours import fair_way
from triclinium.games.missionnaires.ui.chart import HEIGHT, WIDTH, Card, Space, atlas, cards, spaces, way
from triclinium.games.missionnaires.ui.layout import Sight, Window

INSET = (171.0, 120.0)  # how much of the sheet the inset shows
PHONE = (215.0, 215.0 * HEIGHT / WIDTH)  # what a phone shows first: a space is as large as a finger


def draw(c: Components, view: dict[str, object]) -> dict[str, object]:
    """Everything that the templates need besides the view."""
    players = [table_of(player) for player in items(view["players"])]
    viewer = view["viewer"]
    seat = viewer if isinstance(viewer, int) and viewer >= 0 else -1
    sight = Sight(c, view, players, seat)
    watched = players[seat if seat >= 0 and players[seat]["at"] is not None else whole(view["turn"])]
    centre = spaces(c)[word(watched["at"])] if watched["at"] is not None else atlas(c)[c.bethel]
    choices = [spot for option in items(view.get("options", [])) if (spot := sight.spot(word(option)))]
    return {
        "spaces": spaces(c),
        "places": sight.places,
        "tip": sight.tip,
        "ways": sight.ways(),
        "pieces": sight.pieces,
        "spot": sight.spot,
        "face": sight.face,
        "tags": sight.tags(),
        "inset": Window(centre, choices, *INSET, grows=False),
        "phone": Window(centre, choices, *PHONE, grows=True),
        "tour": Tour(c, players[seat], sight) if seat >= 0 else None,
        "holdings": [Holding(c, player) for player in players],
        "decks": [pile(c, view, players, "sea"), pile(c, view, players, "territories")],
        "overseers": {id.upper(): name for id, name in zip(c.overseers, c.overseer_names, strict=True)},
    }


# -- the tour -----------------------------------------------------------------------------------------------------


class Stop:
    """A congregation still to be visited: how far it is, whether the shortest way sails, how far by road alone."""

    def __init__(self, space: Space, slot: int, away: int | None, sails: bool) -> None:
        self.space = space
        self.slot = slot  # its place in the hand, from 1: `swap 3`
        self.away = away
        self.sails = sails


class Tour:
    """The viewer's own list: nearest first, then what is done."""

    def __init__(self, c: Components, player: dict[str, object], sight: Sight) -> None:
        stops = [self._stop(c, sight, id, slot) for slot, id in enumerate(sight.slots, start=1)]
        self.stops = sorted(stops, key=lambda stop: (stop.away or 0, stop.space.id))
        self.visited = [spaces(c)[id] for id in sight.visited]
        self.total = len(sight.visited) + len(items(player["unvisited"]))
        self.left = way_home(c, player, sight.slots)
        lengths = ((4, "few"), (6, ""), (8, "long"))
        self.size = next((size for most, size in lengths if len(stops) <= most), "longest")  # how high rows may be

    @staticmethod
    def _stop(c: Components, sight: Sight, id: str, slot: int) -> Stop:
        space = spaces(c)[id]
        if id not in sight.distances:
            return Stop(space, slot, None, False)
        return Stop(space, slot, whole(sight.distances[id]), way(c, sight.here, space.number).sails)


def way_home(c: Components, player: dict[str, object], mine: list[str]) -> int | None:
    """About how many spaces are left: through all that is still to be visited and home, by a fair tour."""
    if player["at"] is None or len(mine) < len(items(player["unvisited"])):
        return None
    way = fair_way(c, c.ids.index(word(player["at"])), [c.ids.index(id) for id in mine])
    return sum(c.distance[way[i - 1]][way[i]] for i in range(1, len(way)))


# -- cards and what lies before each player -----------------------------------------------------------------------


class Holding:
    """What lies before one player, all of it public."""

    def __init__(self, c: Components, player: dict[str, object]) -> None:
        at, company = player["at"], player["company"]
        self.at = None if at is None else spaces(c)[word(at)]
        self.company = "" if company is None else word(company).upper()
        self.periodicals = whole(player["periodicals"])
        self.unvisited = len(items(player["unvisited"]))
        self.visited = [spaces(c)[word(id)] for id in items(player["visited"])]
        self.bons = [cards(c)[word(id)] for id in items(player["bons"])]
        self.missed = whole(player["missed"])
        self.rank = 0 if player["rank"] is None else whole(player["rank"])
        self.resigned = bool(player["resigned"])
        self.seat = whole(player["seat"])
        lists = (*(space.id for space in self.visited), *(card.id for card in self.bons))
        figures = (self.periodicals, self.unvisited, self.missed, self.rank, self.resigned)
        self.key = (at, self.company, figures, lists)  # all that its drawing depends on


class Pile:
    """A deck with its discards, and what may still come: public arithmetic."""

    def __init__(self, id: str, size: int, discards: list[Card], unseen: list[tuple[Name, int, bool]]) -> None:
        self.id = id
        self.size = size
        self.discards = discards
        self.sign = "seac" if id == "sea" else "terr"
        self.unseen = unseen  # what a card says, how many such cards, whether it is a voucher
        self.key = (id, size, len(discards), tuple((text.en, count) for text, count, _ in unseen))


def pile(c: Components, view: dict[str, object], players: list[dict[str, object]], id: str) -> Pile:
    """What is known of a deck: its cards are those that lie neither on its discards nor before a player."""
    facts = table_of(table_of(view["decks"])[id])
    discards = [cards(c)[word(card)] for card in items(facts["discards"])]
    seen = {card.id for card in discards}
    for player in players:
        seen.update(word(card) for card in items(player["bons"]))
    count: dict[tuple[str, bool], int] = {}
    shown: dict[tuple[str, bool], Card] = {}
    for card in cards(c).values():
        if card.land == (id == "territories") and card.id not in seen:
            key = (card.text.en, card.bon)
            count[key] = count.get(key, 0) + 1
            shown.setdefault(key, card)
    unseen = [(card.text, count[key], card.bon) for key, card in shown.items()]
    return Pile(id, whole(facts["size"]), discards, unseen)
