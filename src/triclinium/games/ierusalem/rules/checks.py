"""Constraints IE-C1 to IE-C19 on a components file, checked whenever one is read.

The rules need the shape of the board and the size of every list; only the printed game fixes the numbers on them.
IE-C20 is a simulation, and a test checks it.
"""

from itertools import pairwise

from triclinium.engine.core.components import ComponentsFile, ComponentsTable, ConstraintCheck, check
from triclinium.engine.core.errors import ComponentsFault
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import (
    ACTIONS,
    CHANGE_PLACES,
    COLOURS,
    DO_FAVOR,
    FIRST_MAHANE,
    FIRST_XXXIII,
    GIVES_CALL,
    GIVES_JESUS,
    GIVES_MEETING,
    GO_SUPPER,
    INVITED,
    LOCATIONS,
    MEETING,
    OWN_CARDS,
    PARABLE,
    SHADES,
    STONE,
    VP3,
)

ROWS = [0, 1, 2, 3, 5, 6, 7, 8]  # y of each row of the Supper; the table has y 4
TABLE_SIDES = (3, 5)
COLUMNS = {"back": (1, 2, 3, 4, 5, 6, 7, 8), "corner": (0, 9), "jesus": (4, 5)}  # x of each kind of space


def find_faults(c: Components, file: ComponentsFile, printed: bool) -> list[ComponentsFault]:
    """Return the constraints that do not hold.

    With ``printed``, check also those that only the printed game must keep.
    """
    constraints = ConstraintCheck(printed)
    _check_order(file)
    _check_cards(c, constraints)
    _check_reference(c, file.row("reference"), constraints)
    _check_apostle_vp(c, constraints)
    _check_spaces(c, constraints)
    _check_seats(c, constraints)
    _check_costs(c, constraints)
    _check_supper_size(c, constraints)
    _check_apostles(c, constraints)
    _check_locations(c, constraints)
    _check_tracks(c, constraints)
    return constraints.faults


def _check_order(file: ComponentsFile) -> None:
    """Check values that are in the file only for its readers, because the rules take them as given."""
    seats = file.row("table").integers("seats")
    check(seats == [3, 4], "IE-1.1", "table.seats", "the numbers of players must be 3 and 4, not {0}", str(seats))
    columns = [row.integer("id") for row in file.row("apostles").rows("columns")]
    right = columns == [1, 2, 3]
    path = "apostles.columns"
    check(right, "IE-C13", path, "the columns must be 1, 2 and 3, in this order, not {0}", str(columns))
    numbers = [row.integer("number") for row in file.row("parables").rows("list", "number")]
    check(
        numbers == list(range(1, 8)),
        "IE-C17",
        "parables.list",
        "there must be seven Parables, numbered 1 to 7 in order",
    )


def _format_card_path(c: Components, card: int) -> str:
    deck = (*COLOURS, *["mahane"] * 2, "xxxiii")[card // OWN_CARDS]
    return f"cards.{deck}.{c.card_ids[card]}"


def _check_cards(c: Components, constraints: ConstraintCheck) -> None:
    check(
        len(c.card_ids) == 70,
        "IE-C1",
        "cards",
        "there must be 4 decks of 10 cards, 20 Mahane cards and 10 XXXIII A.D. cards",
    )
    for card, name in enumerate(c.card_ids):
        check(c.card_ids.count(name) == 1, "IE-C1", _format_card_path(c, card), "two cards have this id")
    for i, colour in enumerate(COLOURS):
        deck = range(i * OWN_CARDS, (i + 1) * OWN_CARDS)
        path = f"cards.{colour}"
        places = [c.card_location[card] for card in deck]
        twice = all(places.count(place) == 2 for place in range(5))
        constraints.check_printed(twice, "IE-C2", path, "each Location must appear exactly twice")
        actions = [action for card in deck for action in c.card_actions[card]]
        wanted = {DO_FAVOR: 3, PARABLE: 3, GO_SUPPER: 4, STONE: 1, STONE + 1: 1, STONE + 2: 1, MEETING: 1}
        right = all(actions.count(action) == n for action, n in wanted.items())
        constraints.check_printed(
            right and len(actions) == sum(wanted.values()),
            "IE-C2",
            path,
            "must have 3 times Do a Favor, 3 times Listen to a Parable, 4 times Go to the Last Supper, and once "
            "each Stone, Bread, Fish and Meeting",
        )
        lengths = [len(c.card_actions[card]) for card in deck]
        right = lengths.count(1) == 6 and lengths.count(2) == 4
        constraints.check_printed(right, "IE-C2", path, "must have 6 cards with one action and 4 with two")
    _check_common_deck(c, "mahane", range(FIRST_MAHANE, FIRST_XXXIII), 4, 2, constraints)
    _check_common_deck(c, "xxxiii", range(FIRST_XXXIII, 70), 2, 3, constraints)
    late = range(FIRST_XXXIII, 70)
    for card in late:
        last = c.card_actions[card][-1:] == (MEETING,)
        constraints.check_printed(last, "IE-C3", _format_card_path(c, card), "the last action must be a Meeting")
    for action in (INVITED, CHANGE_PLACES):
        n = sum([1 for card in late if action in c.card_actions[card]])
        constraints.check_printed(
            n == 5,
            "IE-C3",
            "cards.xxxiii",
            "5 cards must have Be Invited to the Last Supper, and 5 must have Change Places",
        )


def _check_common_deck(
    c: Components, deck: str, cards: range, each: int, actions: int, constraints: ConstraintCheck
) -> None:
    places = [c.card_location[card] for card in cards]
    right = all(places.count(place) == each for place in range(5))
    constraints.check_printed(right, "IE-C3", f"cards.{deck}", "there must be {0} cards for each Location", each)
    for card in cards:
        right = len(c.card_actions[card]) == actions
        constraints.check_printed(right, "IE-C3", _format_card_path(c, card), "the card must have {0} actions", actions)


def _check_reference(c: Components, reference: ComponentsTable, constraints: ConstraintCheck) -> None:
    first = 0
    for deck in (*COLOURS, "mahane", "xxxiii"):
        row = reference.row(deck)
        size = FIRST_XXXIII - FIRST_MAHANE if deck == "mahane" else OWN_CARDS
        cards = iter(range(first, first + size))
        for name in ("market", "desert", "mountain", "lake", "temple"):
            for expected in row.texts(name):
                card = next(cards, -1)
                if card < 0:
                    constraints.check_printed(
                        False,
                        "IE-C4",
                        row.path,
                        "the reference table lists {0}, which is one card too many",
                        repr(expected),
                    )
                    continue
                actions = " + ".join([ACTIONS[action] for action in c.card_actions[card]])
                constraints.check_printed(
                    LOCATIONS[c.card_location[card]] == name and actions == expected,
                    "IE-C4",
                    _format_card_path(c, card),
                    "the reference table of {0} lists {1} with {2}",
                    deck,
                    name,
                    expected,
                )
        first += size


def _check_apostle_vp(c: Components, constraints: ConstraintCheck) -> None:
    for card, vp in enumerate(c.card_vp):
        actions = c.card_actions[card]
        if card < FIRST_MAHANE:
            wanted = 2 if len(actions) == 1 else 1
        elif card < FIRST_XXXIII:
            wanted = 2 if VP3 in actions else 3
        else:
            wanted = 3 if INVITED in actions else 4
        constraints.check_printed(
            vp == wanted, "IE-C5", _format_card_path(c, card), "its Apostle VP must be {0}", wanted
        )
    for i, colour in enumerate(COLOURS):
        total = sum(c.card_vp[i * OWN_CARDS : (i + 1) * OWN_CARDS])
        path = f"cards.{colour}"
        constraints.check_printed(
            total == 16, "IE-C5", path, "the Apostle VP of a deck must add up to 16, not {0}", total
        )


def _format_space_path(c: Components, space: int) -> str:
    return f"supper.spaces.{c.space_ids[space]}"


def _check_spaces(c: Components, constraints: ConstraintCheck) -> None:
    ids = c.space_ids
    check(len(ids) == 56, "IE-C6", "supper.spaces", "there must be 56 spaces, not {0}", len(ids))
    where = list(zip(c.space_x, c.space_y, strict=True))
    for space, name in enumerate(ids):
        unique = ids.count(name) == 1 and where.count(where[space]) == 1
        check(unique, "IE-C6", _format_space_path(c, space), "its id and its place must be unique")
    for kind, wanted in (("back", 48), ("corner", 4), ("jesus", 4)):
        n = c.space_kind.count(kind)
        check(
            n == wanted, "IE-C6", "supper.spaces", "there must be {0} spaces of the kind {1}, not {2}", wanted, kind, n
        )
    for row, name in enumerate(c.row_ids):
        n = sum([1 for space in range(56) if c.space_row[space] == row and c.space_kind[space] == "back"])
        check(n in (0, 8), "IE-C6", f"supper.rows.{name}", "the row must have 8 spaces, not {0}", n)
    check(c.row_y == ROWS, "IE-C6", "supper.rows", "the rows must be at 0 to 3 above the table and at 5 to 8 below it")
    for space in range(56):
        path = _format_space_path(c, space)
        constraints.check(
            c.space_y[space] == c.row_y[c.space_row[space]],
            "IE-C6",
            path,
            "its vertical position must be that of its row",
        )
        columns = COLUMNS[c.space_kind[space]]
        check(
            c.space_x[space] in columns, "IE-C6", path, "its x must be one of {0}", ", ".join([str(x) for x in columns])
        )


def _check_seats(c: Components, constraints: ConstraintCheck) -> None:
    check(len(c.seat_ids) == 12, "IE-C7", "supper.seats", "there must be 12 seats, not {0}", len(c.seat_ids))
    corners = 0
    for seat, name in enumerate(c.seat_ids):
        path = f"supper.seats.{name}"
        behind = c.seat_behind[seat]
        corner = c.seat_corner[seat]
        check(
            [c.space_distance[space] for space in behind] == [1, 2, 3]
            and all(c.space_kind[space] == "back" for space in behind),
            "IE-C7",
            path,
            "the seat must have three spaces behind it, at distances 1, 2 and 3",
        )
        constraints.check(
            c.seat_y[seat] in TABLE_SIDES and all(c.space_x[space] == c.seat_x[seat] for space in behind),
            "IE-C7",
            path,
            "the seat must be at the table, in the column of the spaces behind it",
        )
        mine = set(behind) | ({corner} if corner >= 0 else set())
        stated = {space for space in range(56) if c.space_seat[space] == seat}
        constraints.check(
            mine == stated, "IE-C7", path, "the spaces that name this seat must be those behind it and next to it"
        )
        if corner >= 0:
            corners += 1
            right = c.space_kind[corner] == "corner" and c.space_distance[corner] == 1
            constraints.check(right, "IE-C7", path, "its corner must be a corner space at distance 1")
    constraints.check(corners == 4, "IE-C7", "supper.seats", "four seats must have a corner")


def _check_costs(c: Components, constraints: ConstraintCheck) -> None:
    """IE-C8, IE-C9, IE-C12  Check that every edition's spaces cost what the board shows next to them."""
    columns = len(c.column_cost)
    check(columns == 8, "IE-C8", "supper.column_cost", "must list one good for each of the 8 columns, not {0}", columns)
    two_fish = (0, 0, 2)
    for space in range(56):
        path = _format_space_path(c, space)
        cost = c.space_cost[space]
        if c.space_kind[space] == "back":
            goods = [*c.row_cost[c.space_row[space]], c.column_cost[c.space_x[space] - 1]]
            wanted = (goods.count(0), goods.count(1), goods.count(2))
            constraints.check(cost == wanted, "IE-C8", path, "the space must cost as much as its row and its column")
        else:
            right = cost == two_fish and not c.row_cost[c.space_row[space]]
            constraints.check_printed(right, "IE-C8", path, "the space must cost 2 Fish")
        right = 4 <= _compute_cost_in_denarii(c, space) <= 2 * c.price[2]
        constraints.check_printed(right, "IE-C9", path, "the space must cost between 4 Denarii of goods and 2 Fish")
    for column in range(1, 9):
        for side in ("u", "d"):
            line = [
                _compute_cost_in_denarii(c, c.space_ids.index(f"{side}{row}c{column}"))
                for row in (1, 2, 3)
                if constraints.printed
            ]
            falls = line == sorted(set(line), reverse=True)
            constraints.check_printed(
                falls, "IE-C9", "goods.list", "in column {0}, the price must fall from row to row", column
            )
    for seat in range(12):
        path = f"supper.seats.{c.seat_ids[seat]}"
        near = [c.seat_behind[seat][0], *([c.seat_corner[seat]] if c.seat_corner[seat] >= 0 else [])]
        for space in near:
            constraints.check_printed(
                c.space_reward[space] != GIVES_MEETING, "IE-C12", path, "there must be no Meeting at distance 1"
            )


def _compute_cost_in_denarii(c: Components, space: int) -> int:
    return sum([n * c.price[good] for good, n in enumerate(c.space_cost[space])])


def _check_supper_size(c: Components, constraints: ConstraintCheck) -> None:
    ids = c.space_ids
    wanted = [f"u1c{i}" for i in range(1, 6)] + ["tl"] + [f"d3c{i}" for i in range(6, 9)]
    unused = [ids[space] for space in c.unused_colour]
    path = "supper.unused_colour"
    constraints.check_printed(unused == wanted, "IE-C10", path, "with 3 players, {0} must be taken", ", ".join(wanted))
    corners = [ids[space] for space in c.corners]
    constraints.check(
        corners == ["tl", "tr", "bl", "br"] and all(c.space_kind[space] == "corner" for space in c.corners),
        "IE-C10",
        "supper.corners",
        "must list the four corners",
    )
    path = "table.followers_per_player"
    constraints.check_printed(
        len(ids) == 4 * (c.followers - 1),
        "IE-C11",
        path,
        "four times the number of Followers, minus four, must be the 56 spaces",
    )
    room = len(ids) - len(unused) >= 3 * c.followers
    constraints.check(room, "IE-C11", path, "all Followers of 3 players must have room at the Last Supper")
    meetings = [space for space in range(56) if c.space_reward[space] == GIVES_MEETING]
    above = sum([1 for space in meetings if c.space_y[space] < 4])
    right = len(meetings) == 6 and above == 3
    constraints.check_printed(
        right, "IE-C12", "supper.spaces", "there must be six Meeting icons, three on each side of the table"
    )
    for space in range(56):
        at_jesus = (c.space_kind[space] == "jesus") == (c.space_reward[space] == GIVES_JESUS)
        constraints.check(
            at_jesus,
            "IE-C6",
            _format_space_path(c, space),
            "the VP of Jesus must be at his four places, and nowhere else",
        )


def _check_apostles(c: Components, constraints: ConstraintCheck) -> None:
    check(len(c.apostle_ids) == 12, "IE-C13", "apostles.list", "there must be twelve Apostles")
    for shade, wanted in enumerate((4, 4, 3, 1)):
        n = c.shade.count(shade)
        path = f"apostles.colours.{SHADES[shade]}"
        constraints.check_printed(
            n == wanted, "IE-C13", path, "there must be {0} Apostles of this colour, not {1}", wanted, n
        )
    constraints.check(
        c.shade.count(len(SHADES) - 1) == 1, "IE-C13", "apostles.list", "exactly one Apostle must be Judas"
    )
    check(len(c.waiting) == 3, "IE-C13", "apostles.columns", "there must be three columns")
    seen = 0
    for i, mask in enumerate(c.waiting):
        path = f"apostles.columns.{i + 1}"
        alone = mask.bit_count() == 4 and seen & mask == 0
        constraints.check(alone, "IE-C13", path, "the column must have four Apostles who wait in no other column")
        seen |= mask
        there = {c.shade[apostle] for apostle in range(12) if (mask >> apostle) & 1}
        constraints.check_printed(
            {0, 1, 2} <= there,
            "IE-C13",
            path,
            "the column must have at least one purple, one orange and one white Apostle",
        )
        printed = c.printed_symbols[i * 3 : i * 3 + 3]
        constraints.check(len(set(printed)) == 3, "IE-C14", path, "the column must have three different symbols")
    check(len(c.printed_symbols) == 9, "IE-C14", "apostles.columns", "each column must have three symbols")
    for place in range(len(LOCATIONS)):
        n = c.printed_symbols.count(place)
        constraints.check_printed(
            1 <= n <= 2, "IE-C14", "apostles.columns", "{0} must be printed once or twice", LOCATIONS[place]
        )
        for i, colour in enumerate(COLOURS):
            deck = c.card_location[i * OWN_CARDS : (i + 1) * OWN_CARDS]
            path = f"cards.{colour}"
            constraints.check(
                place in deck, "IE-C14", path, "the deck alone must be able to match every printed column"
            )
    constraints.check_printed(
        c.tiles_each * 5 == 15, "IE-C14", "locations.tiles_each", "there must be 15 Location tiles"
    )


def _check_locations(c: Components, constraints: ConstraintCheck) -> None:
    for i, seats in enumerate((3, 4)):
        for place in range(3):
            path = f"locations.list.{LOCATIONS[place]}.squares"
            squares = c.squares[i][place]
            room = squares < c.max_per_location * seats
            constraints.check(
                room, "IE-C15", path, "with {0} players, the Followers must be able to fill the Location", seats
            )
            fits = 2 * seats <= squares  # IE-1.15: all players can send their extra Follower there at set-up.
            constraints.check(
                fits, "IE-C15", path, "with {0} players, there must be room for two Followers each", seats
            )
            right = 2 * seats == squares
            constraints.check_printed(
                right, "IE-C15", path, "with {0} players, two Followers each must fill the squares", seats
            )
    content = c.start_camp + sum(c.start_goods) + c.start_offerings
    fits = content <= c.open_spaces
    constraints.check(
        fits, "IE-C16", "camp.open_spaces", "the {0} pieces of the set-up must fit into the open spaces", content
    )
    placed = c.start_camp + 3 + 1 + 1 == c.followers
    constraints.check(placed, "IE-C16", "table.start_camp_followers", "all Followers must have a place at set-up")


def _check_tracks(c: Components, constraints: ConstraintCheck) -> None:
    for seats in (3, 4):
        stack = c.list_stack_values(seats)
        path = "parables.stack_vp"
        constraints.check(len(stack) == seats, "IE-C17", path, "a stack must have {0} tiles with {0} players", seats)
        constraints.check_printed(
            stack == sorted(stack, reverse=True), "IE-C17", path, "the tile with most VP must be on top"
        )
    end = c.parable_end
    path = "table.parable_end_vp"
    constraints.check(len(end) == 8, "IE-C17", path, "must list eight figures, for 0 to 7 Parables")
    rises = all(a < b for a, b in pairwise(end)) and end[-1:] == [18]
    constraints.check_printed(rises, "IE-C17", path, "must rise strictly and end with 18")
    constraints.check(len(c.parable_names) == 7, "IE-C17", "parables.list", "there must be seven Parables")
    path = "favors.markers"
    constraints.check(len(c.marker_ids) == 8, "IE-C18", path, "there must be 8 markers")
    constraints.check_printed(
        set(c.marker_location) == {0, 1, 2, 3, 4}, "IE-C18", path, "all five Locations must appear"
    )
    calls = sum([1 for benefit in c.marker_benefit if GIVES_CALL in [kind for kind, _ in benefit]])
    constraints.check_printed(calls >= 2, "IE-C18", path, "at least two markers must call a Follower")
    steps = c.favor_vp
    path = "favors.track_vp"
    constraints.check(len(steps) == 9, "IE-C18", path, "must list nine figures, for 0 to 8 steps")
    constraints.check_printed(steps == sorted(steps), "IE-C18", path, "VP must never fall")
    at = c.tile_spaces
    gaps = [b - a for a, b in zip([0, *at], [*at, c.last], strict=True)]
    path = "sanhedrin.tile_spaces"
    constraints.check(
        len(at) == 6 and min(gaps) >= 1,
        "IE-C19",
        path,
        "must list six spaces in ascending order, before the last space",
    )
    constraints.check_printed(
        all(gap in (3, 4) for gap in gaps), "IE-C19", path, "the gaps between the spaces must be 3 or 4"
    )
