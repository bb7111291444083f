"""Board, cards and numbers of Les Missionnaires as tables of integers (specification, section 6)."""

from typing import Final

from mypy_extensions import i64

from triclinium.engine.core.components import ComponentsFile, ComponentsTable, check
from triclinium.engine.core.notation import Notation, Verb
from triclinium.engine.core.text import Name

# -- options: the first of each verb's block --------------------------------------------------------------------

GO: Final = 0  # one step to a neighbouring space
LEAP: Final = 200  # leap over a proclaimer to a space beyond: colour times spaces, plus space
TO: Final = 1000  # new space of a pushed pawn, a gendarme or a shipwrecked proclaimer
STOP: Final = 1200
PASS: Final = 1201
DONE: Final = 1202  # no (further) voucher now
PAY: Final = 1203
OBEY: Final = 1205
PUSH: Final = 1206
ALONE: Final = 1207
MISS: Final = 1208  # miss a turn rather than pay
KEEP: Final = 1209
YES: Final = 1210
NO: Final = 1211
JOIN: Final = 1212  # travel with an overseer
RESIGN: Final = 1216
GUARD: Final = 1220  # choose a gendarme
SLOT: Final = 1240  # choose one's own unvisited card by its slot, face down
SHOW: Final = 1300  # show one's own unvisited card
PLAY: Final = 1400  # play a voucher for its effect
BURN: Final = 1500  # burn a voucher without effect
USE: Final = 1600  # use a voucher in its special window
RETIRE: Final = 1700  # stop playing
COLOUR: Final = 1704  # pick a pawn by its colour
RIVAL: Final = 1708  # choose another proclaimer by the colour of the pawn

SLOTS: Final = 48  # more slots than any player can hold congregation cards

# -- kinds of spaces, decks and effects -------------------------------------------------------------------------

BETHEL: Final = 0
CONGREGATION: Final = 1
GENDARMERIE: Final = 2
GREEN: Final = 3
SEA: Final = 4
KINDS: Final = ("bethel", "congregation", "gendarmerie", "green", "sea")

OFF: Final = -1  # no space, no card, no overseer

CIRCUIT_OVERSEER: Final = 0
DISTRICT_OVERSEER: Final = 1

TERRITORY: Final = 0
VOYAGE: Final = 1

# Effects in the order of the specification's table. The same word has the same meaning in both decks.
EFFECTS: Final = (
    "skip",
    "pay_or_skip",
    "gain",
    "lose",
    "advance",
    "replay",
    "join",
    "place",
    "leave",
    "goto",
    "gendarme",
    "cong_add",
    "cong_done",
    "swap",
    "none",
    "wind",
    "stop",
    "storm",
    "back",
    "pass",
    "redraw",
    "cancel",
    "displace",
)
SKIP: Final = 0
PAY_OR_SKIP: Final = 1
GAIN: Final = 2
LOSE: Final = 3
ADVANCE: Final = 4
REPLAY: Final = 5
JOINS: Final = 6
PLACE: Final = 7
LEAVE: Final = 8
GOTO: Final = 9
GENDARME: Final = 10
CONG_ADD: Final = 11
CONG_DONE: Final = 12
SWAP: Final = 13
NONE: Final = 14
WIND: Final = 15
HALT: Final = 16
STORM: Final = 17
BACK: Final = 18
LAISSEZ_PASSER: Final = 19
REDRAW: Final = 20
CANCEL: Final = 21
DISPLACE: Final = 22


class Components:
    """The components of one file: one attribute for each table, and machine integers for numbers of frequent rules."""

    # Spaces
    ids: list[str]
    space_names: list[Name]
    countries: list[Name]
    grids: list[str]
    latitude: list[float]
    longitude: list[float]
    kind: list[int]
    port: list[bool]
    bethel: i64
    spaces: i64
    roads: list[tuple[int, ...]]  # neighbours by road, ascending
    lanes: list[tuple[int, ...]]  # neighbours by sea
    near: list[tuple[int, ...]]  # all neighbours, ascending
    distance: list[list[int]]  # number of edges, for roads and lanes alike
    travel: list[list[int]]  # travel in twentieths of a turn, for bots; a lane takes longer than a road
    # Pawns
    colours: list[str]
    colour_names: list[Name]
    gendarmes: list[str]
    homes: list[int]
    overseers: list[str]
    overseer_names: list[Name]
    no_sea_card: list[bool]  # True for an overseer whose companion takes no sea card
    # Congregation cards
    congregations: list[str]
    congregation_at: list[int]  # space of a card
    card_of: list[int]  # card of a space, or OFF
    # Territory cards, then sea cards
    card_ids: list[str]
    card_names: list[Name]
    card_texts: list[Name]
    territories: i64  # number of territory cards; the sea cards follow
    bon: list[bool]
    effect: list[int]
    number: list[int]
    caller: list[int]  # overseer named by a card
    places: list[tuple[int, ...]]
    target: list[int]
    # Numbers
    hand: dict[int, int]  # congregation cards dealt, by number of seats
    periodicals_total: i64
    periodicals_start: i64
    periodicals_max: i64
    move_alone: i64  # spaces of a free move
    move_paid: i64  # spaces of a paid or accompanied move
    leap: i64  # spaces that a leap uses
    speed_fee: i64
    push_fee: i64
    relief: i64
    at_stake: i64  # minimum number of unvisited congregations for a card to add or complete one
    coups: i64  # maximum number of coups in a turn
    territories_a_turn: i64
    # Computed tables
    notation: Notation
    tours: dict[int, list[int]]  # cache of tours.py: the shortest tours found so far

    def __init__(self, file: ComponentsFile) -> None:
        self._read_numbers(file)
        self._read_spaces(file.row("board"))
        self._read_edges(file.row("board"))
        self._read_pawns(file)
        self._read_cards(file.row("cards"))
        self.distance = [compute_shortest_distances(self, a, 1, 1) for a in range(self.spaces)]
        self.travel = [compute_shortest_distances(self, a, 20, 23) for a in range(self.spaces)]
        self.tours = {}
        self.notation = Notation(self._build_verbs())

    def get_deck(self, card: int) -> int:
        """Return the deck of a card: TERRITORY or VOYAGE."""
        return TERRITORY if card < self.territories else VOYAGE

    def is_lane(self, a: int, b: int) -> bool:
        """Return whether the edge between two neighbours is a sea section: it touches a sea point (LM-C6)."""
        return self.kind[a] == SEA or self.kind[b] == SEA

    def _read_numbers(self, file: ComponentsFile) -> None:
        game = file.row("game")
        self.periodicals_total = game.integer("periodicals_total")
        self.periodicals_start = game.integer("periodicals_start")
        self.periodicals_max = game.integer("periodicals_max")
        limits = file.row("limits")
        self.at_stake = limits.integer("congregations_at_stake")
        move = file.row("move")
        self.move_alone = move.integer("alone")
        self.move_paid = move.integer("paid")
        self.leap = move.integer("leap")
        self.speed_fee = move.integer("speed_fee")
        self.push_fee = move.integer("push_fee")
        self.relief = move.integer("relief")
        self.coups = limits.integer("coups_per_turn")
        self.territories_a_turn = limits.integer("territory_cards_per_turn")
        deal = file.row("deal")
        self.hand = {}
        fewest = game.integer("players_min")
        most = game.integer("players_max")
        check(
            fewest <= most,
            "LM-1.1",
            "game.players_min",
            "is {0}, more than the largest number of players, {1}",
            fewest,
            most,
        )
        for seats in range(fewest, most + 1):
            self.hand[seats] = deal.integer(f"p{seats}")

    def _read_spaces(self, board: ComponentsTable) -> None:
        rows = board.rows("spaces")
        self.ids = [row.text("id") for row in rows]
        self.space_names = [row.name() for row in rows]
        self.countries = [
            row.name("country") if row.has("country") else Name("at sea", "space country") for row in rows
        ]
        self.grids = [row.text("grid") for row in rows]
        self.latitude = [row.number("lat") for row in rows]
        self.longitude = [row.number("lon") for row in rows]
        self.kind = [row.index("kind", KINDS) for row in rows]
        self.port = [row.flag("port") for row in rows]
        self.spaces = len(rows)
        for row in rows:
            check(self.ids.count(row.text("id")) == 1, "LM-C1", row.path, "its id occurs twice")
        check(BETHEL in self.kind, "LM-C1", "board.spaces", "there is no Bethel")
        self.bethel = self.kind.index(BETHEL)

    def _read_edges(self, board: ComponentsTable) -> None:
        roads: list[list[int]] = [[] for _ in range(self.spaces)]
        lanes: list[list[int]] = [[] for _ in range(self.spaces)]
        for row in board.rows("edges", "a"):
            a = row.index("a", self.ids)
            b = row.index("b", self.ids)
            edge = f"{self.ids[a]}-{self.ids[b]}"
            once = a != b and b not in roads[a] and b not in lanes[a]
            check(once, "LM-C6", row.path, "an edge must join two spaces only once: {0}", edge)
            touches_sea = self.kind[a] == SEA or self.kind[b] == SEA
            if row.index("kind", ("road", "sea")) == 0:
                check(not touches_sea, "LM-C6", row.path, "a road must join two land spaces: {0}", edge)
                roads[a].append(b)
                roads[b].append(a)
            else:
                check(touches_sea, "LM-C6", row.path, "a sea section must have at least one end at sea: {0}", edge)
                for end in (a, b):
                    ashore = self.kind[end] == SEA or self.port[end]
                    check(ashore, "LM-C6", row.path, "a sea section must end at sea points or ports: {0}", edge)
                lanes[a].append(b)
                lanes[b].append(a)
        self.roads = [tuple(sorted(neighbours)) for neighbours in roads]
        self.lanes = [tuple(sorted(neighbours)) for neighbours in lanes]
        self.near = [tuple(sorted(roads[a] + lanes[a])) for a in range(self.spaces)]

    def _read_pawns(self, file: ComponentsFile) -> None:
        colours = file.row("game").rows("colours")
        self.colours = [row.text("id") for row in colours]
        self.colour_names = [row.name() for row in colours]
        gendarmes = file.row("board").rows("gendarmes")
        self.gendarmes = [row.text("id") for row in gendarmes]
        self.homes = [row.index("home", self.ids) for row in gendarmes]
        overseers = file.row("overseers").rows("list")
        self.overseers = [row.text("id") for row in overseers]
        self.overseer_names = [row.name() for row in overseers]
        self.no_sea_card = [row.flag("no_sea_card") for row in overseers]

    def _read_cards(self, cards: ComponentsTable) -> None:
        congregations = cards.rows("congregations")
        self.congregations = [row.text("id") for row in congregations]
        self.congregation_at = [row.index("space", self.ids) for row in congregations]
        self.card_of = [OFF] * self.spaces
        for card, space in enumerate(self.congregation_at):
            self.card_of[space] = card
        territories = cards.rows("territories")
        rows = territories + cards.rows("sea")
        self.territories = len(territories)
        self.card_ids = [row.text("id") for row in rows]
        self.card_names = [row.name() for row in rows]
        self.card_texts = [row.name("text") for row in rows]
        self.bon = [row.flag("bon") for row in rows]
        self.effect = [row.index("effect", EFFECTS) for row in rows]
        self.number = [row.integer("n") if row.has("n") else 0 for row in rows]
        self.caller = [row.index("who", self.overseers) if row.has("who") else OFF for row in rows]
        self.places = [tuple(row.indexes("places", self.ids)) if row.has("places") else () for row in rows]
        self.target = [row.index("to", self.ids) if row.has("to") else OFF for row in rows]

    def _build_verbs(self) -> list[Verb]:
        towns = [self.ids[space] for space in self.congregation_at]
        return [
            Verb("go", GO, 200, self.ids),
            Verb("leap", LEAP, 800, self.colours, self.ids),
            Verb("to", TO, 200, self.ids),
            Verb("stop", STOP, 1, closes=True),
            Verb("pass", PASS, 1, closes=True),
            Verb("done", DONE, 1, closes=True),
            Verb("pay", PAY, 1),
            Verb("obey", OBEY, 1),
            Verb("push", PUSH, 1),
            Verb("alone", ALONE, 1),
            Verb("miss", MISS, 1),
            Verb("keep", KEEP, 1, closes=True),
            Verb("yes", YES, 1),
            Verb("no", NO, 1),
            Verb("join", JOIN, 4, self.overseers),
            Verb("resign", RESIGN, 4, self.colours),
            Verb("guard", GUARD, 20, self.gendarmes),
            Verb("swap", SLOT, 60, [str(slot) for slot in range(1, SLOTS + 1)]),
            Verb("show", SHOW, 100, towns),
            Verb("play", PLAY, 100, self.card_ids),
            Verb("burn", BURN, 100, self.card_ids),
            Verb("use", USE, 100, self.card_ids),
            Verb("retire", RETIRE, 1, closes=True),
            Verb("take", COLOUR, 4, self.colours),
            Verb("move", RIVAL, 4, self.colours),
        ]


def compute_shortest_distances(c: Components, start: int, road: int, lane: int) -> list[int]:
    """Return the distances from a space to all others, given the length of a road and of a lane."""
    unreachable = 1 << 30
    length = [unreachable] * c.spaces
    length[start] = 0
    frontier = [start]
    while frontier:
        reached: list[int] = []
        for a in frontier:
            for b in c.near[a]:
                way = length[a] + (lane if c.is_lane(a, b) else road)
                if way < length[b]:
                    length[b] = way
                    reached.append(b)
        frontier = reached
    return length
