"""Components (cards, places, roads and numbers) as tables of ints, and the notation of all options."""

from typing import Final, TypeAlias

from triclinium.engine.core.components import ComponentsFile, ComponentsTable, check
from triclinium.engine.core.notation import Notation, Verb
from triclinium.engine.core.text import Name

Card: TypeAlias = int  # index of a card: events in the order of the file, then Region and Symbol cards
Place: TypeAlias = int
Space: TypeAlias = int  # index of a space of the timeline

NONE: Final = -1  # no card on a space of the row, no place on a bonus card, or no pawn on the map yet

GENESIS: Final = 0  # the first of three decks; a card's back has the number of its deck
OLD: Final = 1
NEW: Final = 2

PLAYERS: Final = 5  # maximum number of players

LOW: Final = 0  # the first position of the gauge

FIELD: Final = 6  # bits of one count in an int that packs counts by region or by symbol
FIELD_MASK: Final = 63

# PP-2.4: the spaces of the timeline
SPACES: Final = ["genesis", "15", "14", "13", "12", "11", "10", "9", "8", "7", "6", "5", "nt"]

# Options. Each verb has a block of numbers; an option names what its choice makes public.
PORTAL: Final = 0
STAND: Final = 64
TAKE: Final = 128
DRAW: Final = 256
MOVE: Final = 260
PLAY: Final = 324
BURN: Final = 452
DISCARD: Final = 580
END: Final = 581
DROP: Final = 582
HIDE: Final = 710
OPTIONS_END: Final = 720


class Components:
    """The contents of one components file."""

    # Numbers
    start_hand: int
    row_size: int
    hand_limit: int
    actions: int
    new_to_end: int
    set_points: int
    majority_points: int
    symbol_self_points: int
    symbol_match_points: int
    portals: int
    stall_rounds: int
    round_limit: int
    greatest_distance: int
    greatest_distance_by_portal: int
    full: int  # the last position of the gauge

    # Cards
    cards: int
    events: int  # Cards below this number are events.
    card_ids: list[str]
    titles: list[Name]
    deck: list[int]
    by_deck: list[list[int]]  # for each deck, its cards in ascending order
    period: list[int]
    place: list[int]  # for each card, its place; NONE for a bonus card
    region: list[int]
    points: list[int]
    symbols: list[int]  # for each card, a bitmask of its symbols
    fuel: list[int]
    colour: list[int]  # for each card, its fuel colour; NONE without fuel
    colour_bit: list[int]  # for each card, the bit of its fuel colour; 0 without fuel
    wild: list[int]  # for each card, 1 if it is a Region card
    symbol_card: list[int]  # for each card, the symbol of a Symbol card; NONE for others
    region_unit: list[int]  # the amount that each card adds to packed counts by region
    symbol_unit: list[int]  # the amount that each card adds to packed counts by symbol

    # Map
    places: int
    place_ids: list[str]
    place_names: list[Name]
    place_region: list[int]
    neighbours: list[list[int]]
    neighbour_masks: list[int]  # for each place, a bitmask of its neighbours
    road_moves: list[list[int]]  # for each place, the options to move to its neighbours
    roads: list[tuple[int, int]]
    distance: list[list[int]]  # number of roads between two places, without portals and regardless of pawns
    suggested_portals: list[int]

    # Timeline, gauge and others
    spaces: int
    space_ids: list[str]
    space_names: list[Name]
    regions: int
    region_ids: list[str]
    region_names: list[Name]
    symbol_kinds: int
    symbol_ids: list[str]
    symbol_names: list[Name]
    deck_ids: list[str]
    deck_names: list[Name]
    gauge_ids: list[str]
    gauge_names: list[Name]
    colour_ids: list[str]
    colour_names: list[Name]
    all_colours: int
    pawn_ids: list[str]
    pawn_names: list[Name]
    range_by_spaces: list[int]  # bitmask of the periods in range, at index capsule * gauge positions + gauge
    range_by_centuries: list[int]

    def __init__(self, file: ComponentsFile) -> None:
        self.file: Final = file
        self.read_numbers(file)
        self.read_lists(file)
        self.read_map(file)
        self.read_cards(file)
        self.range_by_spaces = compute_range_masks(self, False)
        self.range_by_centuries = compute_range_masks(self, True)
        self.notation: Final = Notation(build_verbs(self))

    def read_numbers(self, file: ComponentsFile) -> None:
        row = file.row("numbers")
        self.start_hand = row.integer("start_hand")
        self.row_size = row.integer("row_size")
        self.hand_limit = row.integer("hand_limit")
        self.actions = row.integer("actions_per_turn")
        self.new_to_end = row.integer("new_cards_to_end")
        self.set_points = row.integer("region_set_points")
        self.majority_points = row.integer("symbol_majority_points")
        self.symbol_self_points = row.integer("symbol_card_self_points")
        self.symbol_match_points = row.integer("symbol_card_points_per_card")
        self.portals = row.integer("portals")
        row = file.row("limits")
        self.stall_rounds = row.integer("stall_rounds")
        self.round_limit = row.integer("round_limit")
        self.greatest_distance = row.integer("greatest_distance")
        self.greatest_distance_by_portal = row.integer("greatest_distance_by_portal")

    def read_lists(self, file: ComponentsFile) -> None:
        self.space_ids, self.space_names = read_ids_and_names(file, "timeline", "space")
        self.spaces = len(self.space_ids)
        check(
            self.space_ids == SPACES,
            "PP-C18",
            "timeline",
            "the spaces must run from Genesis through the centuries to the New Testament",
        )
        self.region_ids, self.region_names = read_ids_and_names(file, "regions", "region")
        self.regions = len(self.region_ids)
        self.symbol_ids, self.symbol_names = read_ids_and_names(file, "symbols", "symbol")
        self.symbol_kinds = len(self.symbol_ids)
        self.deck_ids, self.deck_names = read_ids_and_names(file, "decks", "deck")
        check(
            self.deck_ids == ["genesis", "old", "new"],
            "PP-C1",
            "decks",
            "the decks must be Genesis, Old Testament and New Testament",
        )
        self.gauge_ids, self.gauge_names = read_ids_and_names(file, "gauge", "position")
        self.full = len(self.gauge_ids) - 1
        check(self.full > LOW, "PP-8.1", "gauge", "the gauge must have a lowest and a full position")
        self.colour_ids, self.colour_names = read_ids_and_names(file, "fuel", "colour")
        self.all_colours = (1 << len(self.colour_ids)) - 1
        self.pawn_ids, self.pawn_names = read_ids_and_names(file, "pawns", "pawn")
        check(len(self.pawn_ids) >= PLAYERS, "PP-R5", "pawns", "there must be pawns for {0} players", PLAYERS)

    def read_map(self, file: ComponentsFile) -> None:
        self.place_ids, self.place_names = read_ids_and_names(file, "places", "place")
        self.places = len(self.place_ids)
        self.place_region = [row.index("region", self.region_ids) for row in file.row("places").rows("place")]
        self.roads = []
        self.neighbours = [[] for _ in range(self.places)]
        for row in file.row("roads").rows("road", "a"):
            a = row.index("a", self.place_ids)
            b = row.index("b", self.place_ids)
            check(a != b, "PP-C11", row.path, "a road must join two different places")
            once = b not in self.neighbours[a]
            check(once, "PP-C11", row.path, "two roads join {0} and {1}", row.text("a"), row.text("b"))
            # Only the drawing reads this kind, where an error would be found too late.
            row.index("kind", ["road", "far"])
            self.roads.append((a, b))
            self.neighbours[a].append(b)
            self.neighbours[b].append(a)
        for near in self.neighbours:
            near.sort()
        self.neighbour_masks = [sum([1 << there for there in near]) for near in self.neighbours]
        self.road_moves = [[MOVE + there for there in near] for near in self.neighbours]
        self.distance = [compute_road_distances(self.neighbours, place) for place in range(self.places)]
        portals = file.row("portals")
        self.suggested_portals = portals.indexes("suggested", self.place_ids)
        self.suggested_portals.sort()

    def read_cards(self, file: ComponentsFile) -> None:
        self.card_ids = []
        self.titles = []
        self.deck = []
        self.period = []
        self.place = []
        self.region = []
        self.points = []
        self.symbols = []
        self.fuel = []
        self.colour = []
        self.colour_bit = []
        self.wild = []
        self.symbol_card = []
        self.region_unit = []
        self.symbol_unit = []
        for row in file.row("events").rows("card"):
            self.read_event(row)
        self.events = len(self.card_ids)
        for row in file.row("bonus").rows("card"):
            self.read_bonus(row)
        self.cards = len(self.card_ids)
        self.by_deck = [[card for card in range(self.cards) if self.deck[card] == d] for d in (GENESIS, OLD, NEW)]
        for card in self.card_ids:
            check(self.card_ids.count(card) == 1, "PP-C2", f"events.card.{card}", "two cards have this id")

    def read_event(self, row: ComponentsTable) -> None:
        self.card_ids.append(row.text("id"))
        self.titles.append(row.name("title"))
        self.deck.append(row.index("deck", self.deck_ids))
        self.period.append(row.index("period", self.space_ids))
        self.place.append(row.index("place", self.place_ids))
        region = row.index("region", self.region_ids)
        self.region.append(region)
        self.region_unit.append(1 << (FIELD * region))
        self.points.append(row.integer("points"))
        mask = 0
        unit = 0
        for symbol in row.indexes("symbols", self.symbol_ids):
            check((mask >> symbol) & 1 == 0, "PP-C8", row.path, "a symbol is shown twice")
            mask |= 1 << symbol
            unit += 1 << (FIELD * symbol)
        self.symbols.append(mask)
        self.symbol_unit.append(unit)
        fuel = row.integer("fuel")
        check(
            row.has("fuel_color") == (fuel > 0),
            "PP-C14",
            row.path,
            "a card has a colour of fuel if and only if it has fuel",
        )
        colour = row.index("fuel_color", self.colour_ids) if fuel > 0 else NONE
        self.fuel.append(fuel)
        self.colour.append(colour)
        self.colour_bit.append(1 << colour if fuel > 0 else 0)
        self.wild.append(0)
        self.symbol_card.append(NONE)

    def read_bonus(self, row: ComponentsTable) -> None:
        is_region = row.index("kind", ["region", "symbol"]) == 0
        self.card_ids.append(row.text("id"))
        self.titles.append(row.name("title"))
        self.deck.append(OLD)
        self.period.append(NONE)
        self.place.append(NONE)
        self.region.append(NONE)
        self.region_unit.append(0)
        self.points.append(0)
        self.symbols.append(0)
        self.symbol_unit.append(0)
        self.fuel.append(0)
        self.colour.append(NONE)
        self.colour_bit.append(0)
        self.wild.append(1 if is_region else 0)
        self.symbol_card.append(NONE if is_region else row.index("symbol", self.symbol_ids))

    def list_cards(self, deck: int) -> list[Card]:
        """Return a whole deck, unshuffled."""
        return self.by_deck[deck][:]


def insert_sorted(legal: list[int], o: int, first: int) -> None:
    """Insert an option, ascending among those from index ``first`` on.

    For so few options this is faster than a sort.
    """
    i = len(legal)
    while i > first and legal[i - 1] > o:
        i -= 1
    legal.insert(i, o)


def read_ids_and_names(file: ComponentsFile, table: str, key: str) -> tuple[list[str], list[Name]]:
    """Return the ids and names of a list of tables."""
    rows = file.row(table).rows(key)
    ids = [row.text("id") for row in rows]
    for row, id in zip(rows, ids, strict=True):
        check(ids.count(id) == 1, "PP-C2", row.path, "two entries have this id")
    return ids, [row.name() for row in rows]


def compute_road_distances(neighbours: list[list[int]], start: Place) -> list[int]:
    """Return the number of roads from one place to each other place; NONE if no road leads there."""
    far = [NONE] * len(neighbours)
    far[start] = 0
    queue = [start]
    for here in queue:
        for there in neighbours[here]:
            if far[there] == NONE:
                far[there] = far[here] + 1
                queue.append(there)
    return far


def compute_range_masks(c: Components, centuries: bool) -> list[int]:
    """PP-8.2 to PP-8.4  Return the periods in range for each space of the capsule and position of the gauge.

    PP-R14: the distance is counted in spaces of the timeline or, as a variant, in centuries. In the variant, Genesis
    and the New Testament are outside the range of the centuries.
    """
    masks: list[int] = []
    last = c.spaces - 1
    for capsule in range(c.spaces):
        for gauge in range(c.full + 1):
            mask = 0
            for period in range(c.spaces):
                near = abs(period - capsule) <= gauge
                if centuries and period != capsule and (period in (0, last) or capsule in (0, last)):
                    near = False
                if near or gauge == c.full:
                    mask |= 1 << period
            masks.append(mask)
    return masks


def build_verbs(c: Components) -> list[Verb]:
    """Return the verbs of the notation: ``move hebron``, ``play g12``, ``take o20``."""
    cards = [card.lower() for card in c.card_ids]
    places = [str(i + 1) for i in range(c.hand_limit)]
    return [
        Verb("portal", PORTAL, 64, c.place_ids),
        Verb("stand", STAND, 64, c.place_ids),
        Verb("take", TAKE, 128, cards),
        Verb("draw", DRAW, 4, [c.deck_ids[OLD], c.deck_ids[NEW]]),
        Verb("move", MOVE, 64, c.place_ids),
        Verb("play", PLAY, 128, cards),
        Verb("burn", BURN, 128, cards),
        Verb("discard", DISCARD, 1),
        Verb("end", END, 1, closes=True),
        Verb("drop", DROP, 128, cards),
        Verb("hide", HIDE, 20, places),
    ]
