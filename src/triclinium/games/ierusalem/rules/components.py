"""The components file as tables of ints (chapters 2 and 6 of the specification)."""

from triclinium.engine.core.components import ComponentsFile, ComponentsTable
from triclinium.engine.core.errors import BadComponents
from triclinium.engine.core.notation import Notation
from triclinium.engine.core.text import Name
from triclinium.games.ierusalem.rules.constants import (
    ACTIONS,
    COLOURS,
    GATHER,
    GIVES_JESUS,
    GO_MARKET,
    GO_TEMPLE,
    GOODS,
    LOCATIONS,
    REWARDS,
    SHADES,
    TILES,
)


def parse_reward(row: ComponentsTable, key: str, text: str) -> tuple[int, int]:
    """Return the kind and the amount of a reward such as ``denarii_2``."""
    word, _, amount = text.rpartition("_")
    if not amount.isdigit():
        return row.find(text, key, REWARDS), 1
    return row.find(word, key, REWARDS), int(amount)


def sort_rows(rows: list[ComponentsTable], ids: tuple[str, ...]) -> list[ComponentsTable]:
    """Return the entries in the order that the rules use."""
    row_ids = [row.text("id") for row in rows]
    if sorted(row_ids) != sorted(ids):
        raise BadComponents(f"one entry each is needed of {', '.join(ids)}, not {', '.join(row_ids)}")
    return [rows[row_ids.index(name)] for name in ids]


def read_integers(row: ComponentsTable, key: str, n: int) -> list[int]:
    """Return a list of exactly n whole numbers."""
    numbers = row.integers(key)
    if len(numbers) != n:
        raise BadComponents(f"{row.where}: {key} must hold {n} numbers, not {len(numbers)}")
    return numbers


class Components:
    """The printed components as tables. They are built once from a file, and all states of a game share them."""

    notation: Notation  # words of the options, set once the constraints hold

    # Table
    followers: int
    start_vp: list[int]
    start_denarii: list[int]
    start_goods: list[int]
    start_offerings: int
    start_camp: int
    hand_size: int
    buy_price: int
    market_price: int
    display_size: int
    illumination_vp: int
    offering_vp: int
    judas_denarii: int
    parable_end: list[int]
    max_per_location: int
    displace_fee: int
    redistribute_discards: int
    visit_symbols: int
    vp3: int
    colour_names: list[Name]
    # Goods, Camp and Locations
    good_names: list[Name]
    price: list[int]
    least_price: int
    open_spaces: int
    blocked_spaces: int
    location_names: list[Name]
    location_full_names: list[Name]
    recruit_price: list[int]
    least_recruit_price: int
    squares: list[tuple[int, ...]]  # for 3 and for 4 players, the number of squares of each Location
    tiles_each: int
    # Apostles
    shade_names: list[Name]
    shade_value: list[int]
    apostle_ids: list[str]
    apostle_names: list[Name]
    shade: list[int]
    printed_symbols: list[int]  # nine symbols, column by column
    waiting: list[int]  # for each column, a bitmask of its Apostles
    # The Supper
    row_ids: list[str]
    row_names: list[Name]
    row_y: list[int]
    row_cost: list[tuple[int, ...]]
    column_cost: list[int]
    table_cost: tuple[int, ...]
    seat_ids: list[str]
    seat_x: list[int]
    seat_y: list[int]
    seat_behind: list[tuple[int, ...]]  # for each seat, the spaces behind it, nearest first
    seat_corner: list[int]  # for each seat, the corner space next to it, or -1
    spaces_at_distance: list[int]  # bitmask of the spaces at each seat and distance, at index seat * 3 + distance - 1
    spaces_around: list[int]  # for each seat, a bitmask of the spaces behind it or next to it
    space_ids: list[str]
    space_kind: list[str]
    space_row: list[int]
    space_x: list[int]
    space_y: list[int]
    space_seat: list[int]  # for each space, the seat that it counts for, or -1
    space_distance: list[int]
    space_cost: list[tuple[int, ...]]  # for each space, its price in Stone, Bread and Fish
    space_reward: list[int]
    space_amount: list[int]
    all_spaces: int  # bitmask of all spaces
    jesus_spaces: int
    cost_stone: list[int]  # The different prices: amounts of Stone, Bread and Fish, and the spaces of each.
    cost_bread: list[int]
    cost_fish: list[int]
    cost_spaces: list[int]
    corners: list[int]
    unused_colour: list[int]
    jesus_end_vp: int
    # Sanhedrin, Parables and Favors
    last: int
    tile_spaces: list[int]
    tile_at: list[int]  # for each space of the track, the index of its tile, or -1
    tile_names: list[Name]
    stack_vp: list[int]
    stack_without: int
    parable_names: list[Name]
    parable_reward: list[int]
    parable_amount: list[int]
    marker_ids: list[str]
    marker_benefit: list[tuple[tuple[int, int], ...]]
    marker_location: list[int]
    favor_vp: list[int]
    warehouse_space: int
    denarii_space: int
    favor_denarii: int
    # Cards
    action_names: list[Name]
    card_ids: list[str]
    card_location: list[int]
    card_actions: list[tuple[int, ...]]
    card_all_actions: list[tuple[int, ...]]  # for each card, the action of its Location, then its bottom actions
    card_vp: list[int]

    def __init__(self, file: ComponentsFile) -> None:
        self._read_table(file)
        self._read_apostles(file.row("apostles"))
        self._read_supper(file.row("supper"))
        self._read_tracks(file)
        self._read_cards(file.row("cards"))

    def _read_table(self, file: ComponentsFile) -> None:
        table = file.row("table")
        self.followers = table.integer("followers_per_player")
        self.start_vp = read_integers(table, "start_vp", 4)
        self.start_denarii = read_integers(table, "start_denarii", 4)
        self.start_goods = read_integers(table, "start_goods", 3)
        self.start_offerings = table.integer("start_offerings")
        self.start_camp = table.integer("start_camp_followers")
        self.hand_size = table.integer("hand_size")
        self.buy_price = table.integer("mahane_buy_price")
        self.market_price = table.integer("mahane_market_price")
        self.display_size = table.integer("mahane_display")
        self.illumination_vp = table.integer("illumination_end_vp")
        self.offering_vp = table.integer("offering_end_vp")
        self.judas_denarii = table.integer("judas_denarii")
        self.parable_end = table.integers("parable_end_vp")
        self.max_per_location = table.integer("max_per_location")
        self.displace_fee = table.integer("displace_fee")
        self.redistribute_discards = table.integer("redistribute_discards")
        self.visit_symbols = table.integer("visit_symbols")
        self.colour_names = [row.name() for row in sort_rows(file.row("colours").rows("list"), COLOURS)]
        goods = sort_rows(file.row("goods").rows("list"), GOODS)
        self.good_names = [row.name() for row in goods]
        self.price = [row.integer("price") for row in goods]
        self.least_price = min(self.price)
        self.open_spaces = file.row("camp").integer("open_spaces")
        self.blocked_spaces = file.row("camp").integer("blocked_spaces")
        places = file.row("locations")
        with_squares = sort_rows(places.rows("list"), LOCATIONS[:3])
        all_five = with_squares + sort_rows(places.rows("without_squares"), LOCATIONS[3:])
        self.location_names = [row.name() for row in all_five]
        self.location_full_names = [row.name("full_name") for row in all_five]
        self.recruit_price = [row.integer("recruit_price") for row in with_squares]
        self.least_recruit_price = min(self.recruit_price)
        self.squares = [tuple([read_integers(row, "squares", 2)[i] for row in with_squares]) for i in range(2)]
        self.tiles_each = places.integer("tiles_each")

    def _read_apostles(self, apostles: ComponentsTable) -> None:
        shades = sort_rows(apostles.rows("colours"), SHADES)
        self.shade_names = [row.name() for row in shades]
        self.shade_value = [row.integer("value") for row in shades]
        people = apostles.rows("list")
        self.apostle_ids = [row.text("id") for row in people]
        self.apostle_names = [row.name() for row in people]
        self.shade = [row.index("colour", SHADES) for row in people]
        self.printed_symbols = []
        self.waiting = []
        for column in apostles.rows("columns"):
            self.printed_symbols.extend(column.indexes("printed", LOCATIONS))
            mask = 0
            for apostle in column.indexes("apostles", self.apostle_ids):
                mask |= 1 << apostle
            self.waiting.append(mask)

    def _read_supper(self, supper: ComponentsTable) -> None:
        rows = supper.rows("rows")
        self.row_ids = [row.text("id") for row in rows]
        self.row_names = [row.name() for row in rows]
        self.row_y = [row.integer("y") for row in rows]
        self.row_cost = [tuple(row.indexes("cost", GOODS)) for row in rows]
        self.column_cost = supper.indexes("column_cost", GOODS)
        self.table_cost = tuple(supper.indexes("table_cost", GOODS))
        self.jesus_end_vp = supper.integer("jesus_end_vp")
        spaces = supper.rows("spaces")
        seats = supper.rows("seats")
        self.space_ids = [row.text("id") for row in spaces]
        self.seat_ids = [row.text("id") for row in seats]
        self.space_kind = [row.text("kind") for row in spaces]
        self.space_row = [row.index("row", self.row_ids) for row in spaces]
        self.space_x = [row.integer("x") for row in spaces]
        self.space_y = [row.integer("y") for row in spaces]
        known = ["", *self.seat_ids]
        self.space_seat = [row.index("seat", known) - 1 for row in spaces]
        self.space_distance = [row.integer("distance") for row in spaces]
        self.space_cost = []
        self.space_reward = []
        self.space_amount = []
        self.all_spaces = 0
        self.jesus_spaces = 0
        self.cost_stone = []
        self.cost_bread = []
        self.cost_fish = []
        self.cost_spaces = []
        different: list[tuple[int, ...]] = []
        for space, row in enumerate(spaces):
            goods = row.indexes("cost", GOODS)
            cost = (goods.count(0), goods.count(1), goods.count(2))
            self.space_cost.append(cost)
            if cost not in different:
                different.append(cost)
                self.cost_stone.append(cost[0])
                self.cost_bread.append(cost[1])
                self.cost_fish.append(cost[2])
                self.cost_spaces.append(0)
            self.cost_spaces[different.index(cost)] |= 1 << space
            kind, amount = parse_reward(row, "reward", row.text("reward"))
            self.space_reward.append(kind)
            self.space_amount.append(amount)
            self.all_spaces |= 1 << space
            if kind == GIVES_JESUS:
                self.jesus_spaces |= 1 << space
        self.seat_x = [row.integer("col") for row in seats]
        self.seat_y = [row.integer("y") for row in seats]
        self.seat_behind = [tuple(row.indexes("behind", self.space_ids)) for row in seats]
        none_or_spaces = ["", *self.space_ids]
        self.seat_corner = [row.index("corner", none_or_spaces) - 1 for row in seats]
        self.spaces_at_distance = [0] * (len(seats) * 3)
        for space, seat in enumerate(self.space_seat):
            distance = self.space_distance[space]
            if seat >= 0 and 1 <= distance <= 3:
                self.spaces_at_distance[seat * 3 + distance - 1] |= 1 << space
        self.spaces_around = [
            sum(self.spaces_at_distance[first : first + 3]) for first in range(0, len(self.spaces_at_distance), 3)
        ]
        self.corners = supper.indexes("corners", self.space_ids)
        self.unused_colour = supper.indexes("unused_colour", self.space_ids)

    def _read_tracks(self, file: ComponentsFile) -> None:
        sanhedrin = file.row("sanhedrin")
        self.last = sanhedrin.integer("last")
        self.tile_spaces = sanhedrin.integers("tile_spaces")
        self.tile_at = [
            self.tile_spaces.index(space) if space in self.tile_spaces else -1 for space in range(self.last + 1)
        ]
        self.tile_names = [row.name() for row in sort_rows(sanhedrin.rows("tiles"), TILES)]
        parables = file.row("parables")
        self.stack_vp = parables.integers("stack_vp")
        self.stack_without = parables.integer("three_players_without")
        self.parable_names = []
        self.parable_reward = []
        self.parable_amount = []
        for row in parables.rows("list", "number"):
            self.parable_names.append(row.name())
            kind, amount = parse_reward(row, "track_reward", row.text("track_reward"))
            self.parable_reward.append(kind)
            self.parable_amount.append(amount)
        favors = file.row("favors")
        self.marker_ids = []
        self.marker_benefit = []
        self.marker_location = []
        for row in favors.rows("markers"):
            self.marker_ids.append(row.text("id"))
            self.marker_benefit.append(tuple([parse_reward(row, "benefit", text) for text in row.texts("benefit")]))
            self.marker_location.append(row.index("location", LOCATIONS))
        self.favor_vp = favors.integers("track_vp")
        self.warehouse_space = favors.integer("warehouse_space")
        self.denarii_space = favors.integer("denarii_space")
        self.favor_denarii = favors.integer("denarii")
        actions = file.row("actions")
        self.action_names = [row.name() for row in sort_rows(actions.rows("list"), ACTIONS)]
        self.vp3 = actions.integer("vp3")

    def _read_cards(self, cards: ComponentsTable) -> None:
        self.card_ids = []
        self.card_location = []
        self.card_actions = []
        self.card_all_actions = []
        self.card_vp = []
        location_action = (GATHER, GATHER + 1, GATHER + 2, GO_MARKET, GO_TEMPLE)
        for deck in [*COLOURS, "mahane", "xxxiii"]:
            for row in cards.rows(deck):
                location = row.index("location", LOCATIONS)
                actions = row.indexes("actions", ACTIONS)
                self.card_ids.append(row.text("id"))
                self.card_location.append(location)
                self.card_actions.append(tuple(actions))
                self.card_all_actions.append((location_action[location], *actions))
                self.card_vp.append(row.integer("apostle_vp"))

    def list_stack_values(self, seats: int) -> list[int]:
        """IE-1.4  Return the values of a Parable stack, top first."""
        if seats == 3:
            return [vp for vp in self.stack_vp if vp != self.stack_without]
        return self.stack_vp
