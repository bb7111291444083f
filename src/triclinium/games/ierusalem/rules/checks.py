"""The constraints IE-C1 to IE-C19 of the specification, checked whenever a components file is read.

IE-C20 is a simulation and lives in the tests.
"""

from itertools import pairwise

from triclinium.engine.core.components import ComponentsFile, Table, check
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.kinds import (
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

ROWS = [0, 1, 2, 3, 5, 6, 7, 8]  # the y of each row of the Supper; the table lies at 4
TABLE_SIDES = (3, 5)
COLUMNS = {"back": (1, 2, 3, 4, 5, 6, 7, 8), "corner": (0, 9), "jesus": (4, 5)}  # the x of each kind of space


def check_components(c: Components, sheet: ComponentsFile) -> None:
    """Raise BadComponents, naming the constraint and the entry, unless all hold."""
    _order(sheet)
    _cards(c)
    _reference(c, sheet.row("reference"))
    _apostle_vp(c)
    _spaces(c)
    _seats(c)
    _costs(c)
    _supper_size(c)
    _apostles(c)
    _locations(c)
    _tracks(c)


def _order(sheet: ComponentsFile) -> None:
    """What the file tells for its readers only, since the rules count it."""
    seats = sheet.row("table").integers("seats")
    check(seats == [3, 4], "IE-1.1", "table", f"the seats are 3 and 4, not {seats}")
    columns = [row.integer("id") for row in sheet.row("apostles").rows("columns")]
    check(columns == [1, 2, 3], "IE-C13", "columns", f"the three columns are 1, 2 and 3, in this order, not {columns}")
    numbers = [row.integer("number") for row in sheet.row("parables").rows("list", "number")]
    check(numbers == list(range(1, 8)), "IE-C17", "parables", "seven Parables, numbered 1 to 7 in order")


def _cards(c: Components) -> None:
    check(len(c.card_ids) == 70, "IE-C1", "cards", "4 decks of 10, 20 Mahane and 10 XXXIII A.D. cards")
    for name in c.card_ids:
        check(c.card_ids.count(name) == 1, "IE-C1", f"card {name!r}", "card ids are unique")
    for i, colour in enumerate(COLOURS):
        deck = range(i * OWN_CARDS, (i + 1) * OWN_CARDS)
        entry = f"deck {colour}"
        places = [c.card_location[card] for card in deck]
        check(all(places.count(place) == 2 for place in range(5)), "IE-C2", entry, "each Location exactly twice")
        actions = [action for card in deck for action in c.card_actions[card]]
        wanted = {DO_FAVOR: 3, PARABLE: 3, GO_SUPPER: 4, STONE: 1, STONE + 1: 1, STONE + 2: 1, MEETING: 1}
        check(
            all(actions.count(action) == n for action, n in wanted.items()) and len(actions) == sum(wanted.values()),
            "IE-C2",
            entry,
            "3 favor, 3 parable, 4 go_supper, 1 each of stone, bread, fish and meeting",
        )
        lengths = [len(c.card_actions[card]) for card in deck]
        check(lengths.count(1) == 6 and lengths.count(2) == 4, "IE-C2", entry, "6 cards with one action, 4 with two")
    _common(c, "mahane", range(FIRST_MAHANE, FIRST_XXXIII), 4, 2)
    _common(c, "xxxiii", range(FIRST_XXXIII, 70), 2, 3)
    late = range(FIRST_XXXIII, 70)
    for card in late:
        check(c.card_actions[card][-1] == MEETING, "IE-C3", f"card {c.card_ids[card]!r}", "the last is a meeting")
    for action in (INVITED, CHANGE_PLACES):
        n = sum(action in c.card_actions[card] for card in late)
        check(n == 5, "IE-C3", "xxxiii", "5 invited and 5 change_places")


def _common(c: Components, deck: str, cards: range, each: int, actions: int) -> None:
    places = [c.card_location[card] for card in cards]
    check(all(places.count(place) == each for place in range(5)), "IE-C3", deck, f"{each} cards for each Location")
    for card in cards:
        entry = f"card {c.card_ids[card]!r}"
        check(len(c.card_actions[card]) == actions, "IE-C3", entry, f"{actions} actions each")


def _reference(c: Components, reference: Table) -> None:
    first = 0
    for deck in (*COLOURS, "mahane", "xxxiii"):
        row = reference.row(deck)
        size = FIRST_XXXIII - FIRST_MAHANE if deck == "mahane" else OWN_CARDS
        cards = iter(range(first, first + size))
        for name in ("market", "desert", "mountain", "lake", "temple"):
            for said in row.texts(name):
                card = next(cards, -1)
                check(card >= 0, "IE-C4", f"reference {deck!r}", f"{said!r} is a card too many")
                actions = " + ".join(ACTIONS[action] for action in c.card_actions[card])
                check(
                    LOCATIONS[c.card_location[card]] == name and actions == said,
                    "IE-C4",
                    f"card {c.card_ids[card]!r}",
                    f"the reference table of {deck} has {name}: {said}",
                )
        first += size


def _apostle_vp(c: Components) -> None:
    for card, vp in enumerate(c.card_vp):
        actions = c.card_actions[card]
        if card < FIRST_MAHANE:
            wanted = 2 if len(actions) == 1 else 1
        elif card < FIRST_XXXIII:
            wanted = 2 if VP3 in actions else 3
        else:
            wanted = 3 if INVITED in actions else 4
        check(vp == wanted, "IE-C5", f"card {c.card_ids[card]!r}", f"its Apostle VP follow the rule: {wanted}")
    for i, colour in enumerate(COLOURS):
        total = sum(c.card_vp[i * OWN_CARDS : (i + 1) * OWN_CARDS])
        check(total == 16, "IE-C5", f"deck {colour}", f"the Apostle VP of a deck sum to 16, not {total}")


def _spaces(c: Components) -> None:
    ids = c.space_ids
    check(len(ids) == 56, "IE-C6", "supper", f"56 spaces, not {len(ids)}")
    where = list(zip(c.space_x, c.space_y, strict=True))
    for space, name in enumerate(ids):
        entry = f"space {name!r}"
        check(ids.count(name) == 1 and where.count(where[space]) == 1, "IE-C6", entry, "its id and place are unique")
    for kind, wanted in (("back", 48), ("corner", 4), ("jesus", 4)):
        n = c.space_kind.count(kind)
        check(n == wanted, "IE-C6", "supper", f"{wanted} spaces of kind {kind}, not {n}")
    for row, name in enumerate(c.row_ids):
        n = sum(c.space_row[space] == row and c.space_kind[space] == "back" for space in range(56))
        check(n in (0, 8), "IE-C6", f"row {name!r}", f"8 spaces, not {n}")
    check(c.row_y == ROWS, "IE-C6", "supper", "the rows stand at 0 to 3 above the table and at 5 to 8 below it")
    for space, name in enumerate(ids):
        entry = f"space {name!r}"
        check(c.space_y[space] == c.row_y[c.space_row[space]], "IE-C6", entry, "its y is that of its row")
        columns = COLUMNS[c.space_kind[space]]
        check(c.space_x[space] in columns, "IE-C6", entry, f"its x is one of {', '.join(map(str, columns))}")


def _seats(c: Components) -> None:
    check(len(c.seat_ids) == 12, "IE-C7", "supper", f"12 seats, not {len(c.seat_ids)}")
    corners = 0
    for seat, name in enumerate(c.seat_ids):
        entry = f"seat {name!r}"
        behind = c.seat_behind[seat]
        corner = c.seat_corner[seat]
        check(
            [c.space_distance[space] for space in behind] == [1, 2, 3]
            and all(c.space_kind[space] == "back" for space in behind),
            "IE-C7",
            entry,
            "three spaces behind it, at distances 1, 2 and 3",
        )
        check(
            c.seat_y[seat] in TABLE_SIDES and all(c.space_x[space] == c.seat_x[seat] for space in behind),
            "IE-C7",
            entry,
            "it stands at the table, in the column of the spaces behind it",
        )
        mine = set(behind) | ({corner} if corner >= 0 else set())
        said = {space for space in range(56) if c.space_seat[space] == seat}
        check(mine == said, "IE-C7", entry, "the spaces that name this seat are those behind and beside it")
        if corner >= 0:
            corners += 1
            check(
                c.space_kind[corner] == "corner" and c.space_distance[corner] == 1,
                "IE-C7",
                entry,
                "its corner is a corner at distance 1",
            )
    check(corners == 4, "IE-C7", "supper", "four seats have a corner")


def _costs(c: Components) -> None:
    check(len(c.column_cost) == 8, "IE-C8", "column_cost", f"one good for each of 8 columns, not {len(c.column_cost)}")
    two_fish = (0, 0, 2)
    for space, name in enumerate(c.space_ids):
        entry = f"space {name!r}"
        cost = c.space_cost[space]
        if c.space_kind[space] == "back":
            goods = [*c.row_cost[c.space_row[space]], c.column_cost[c.space_x[space] - 1]]
            wanted = (goods.count(0), goods.count(1), goods.count(2))
            check(cost == wanted, "IE-C8", entry, "it costs what its row and its column cost")
        else:
            check(cost == two_fish and not c.row_cost[c.space_row[space]], "IE-C8", entry, "it costs 2 Fish")
        money = _money(c, space)
        check(4 <= money <= 2 * c.price[2], "IE-C9", entry, "between 4 Denarii of goods and 2 Fish")
    for column in range(1, 9):
        for side in (("U1", "U2", "U3"), ("D1", "D2", "D3")):
            line = [_money(c, c.space_ids.index(f"{row.lower()}c{column}")) for row in side]
            check(line[0] > line[1] > line[2], "IE-C9", f"column {column}", "the price falls from row 1 to row 3")
    for seat, name in enumerate(c.seat_ids):
        near = [c.seat_behind[seat][0], *([c.seat_corner[seat]] if c.seat_corner[seat] >= 0 else [])]
        for space in near:
            check(c.space_reward[space] != GIVES_MEETING, "IE-C12", f"seat {name!r}", "no Meeting at distance 1")


def _money(c: Components, space: int) -> int:
    return sum(n * c.price[good] for good, n in enumerate(c.space_cost[space]))


def _supper_size(c: Components) -> None:
    ids = c.space_ids
    wanted = [f"u1c{i}" for i in range(1, 6)] + ["tl"] + [f"d3c{i}" for i in range(6, 9)]
    unused = [ids[space] for space in c.unused_colour]
    check(unused == wanted, "IE-C10", "unused_colour", f"with 3 players {', '.join(wanted)} are taken")
    corners = [ids[space] for space in c.corners]
    check(
        corners == ["tl", "tr", "bl", "br"] and all(c.space_kind[space] == "corner" for space in c.corners),
        "IE-C10",
        "corners",
        "the four corners: 52 spaces are free with 4 players, 44 with 3",
    )
    check(len(ids) == 4 * (c.followers - 1), "IE-C11", "supper", "four times the Followers but one")
    check(len(ids) - len(unused) >= 3 * c.followers, "IE-C11", "supper", "room for all Followers of 3 players")
    meetings = [space for space in range(56) if c.space_reward[space] == GIVES_MEETING]
    above = sum(c.space_y[space] < 4 for space in meetings)
    check(len(meetings) == 6 and above == 3, "IE-C12", "supper", "six Meeting icons, three on each side of the table")
    for space in range(56):
        at_jesus = c.space_kind[space] == "jesus"
        entry = f"space {ids[space]!r}"
        check((c.space_reward[space] == GIVES_JESUS) == at_jesus, "IE-C6", entry, "Jesus' VP stand at his places")


def _apostles(c: Components) -> None:
    check(len(c.apostle_ids) == 12, "IE-C13", "apostles", "twelve Apostles")
    for shade, wanted in enumerate((4, 4, 3, 1)):
        n = c.shade.count(shade)
        check(n == wanted, "IE-C13", f"colour {SHADES[shade]!r}", f"{wanted} Apostles, not {n}")
    check(len(c.waiting) == 3, "IE-C13", "columns", "three columns")
    seen = 0
    for i, mask in enumerate(c.waiting):
        entry = f"column {i + 1}"
        check(mask.bit_count() == 4 and seen & mask == 0, "IE-C13", entry, "four Apostles who wait nowhere else")
        seen |= mask
        there = {c.shade[apostle] for apostle in range(12) if (mask >> apostle) & 1}
        check({0, 1, 2} <= there, "IE-C13", entry, "at least one purple, one orange and one white Apostle")
        printed = c.printed[i * 3 : i * 3 + 3]
        check(len(set(printed)) == 3, "IE-C14", entry, "three different symbols")
    check(len(c.printed) == 9, "IE-C14", "columns", "three symbols in each column")
    for place, name in enumerate(LOCATIONS):
        n = c.printed.count(place)
        check(1 <= n <= 2, "IE-C14", f"location {name!r}", "printed once or twice")
        for i, colour in enumerate(COLOURS):
            deck = c.card_location[i * OWN_CARDS : (i + 1) * OWN_CARDS]
            check(place in deck, "IE-C14", f"deck {colour}", "every printed column can be matched by the deck alone")
    check(c.tiles_each * 5 == 15, "IE-C14", "tiles_each", "15 Location tiles")


def _locations(c: Components) -> None:
    for i, seats in enumerate((3, 4)):
        for place in range(3):
            squares = c.squares[i][place]
            check(
                2 * seats == squares < c.max_per_location * seats,
                "IE-C15",
                f"location {LOCATIONS[place]!r}",
                f"with {seats} players two Followers each fill the squares",
            )
    content = c.start_camp + sum(c.start_goods) + c.start_offerings
    check(content <= c.open_spaces, "IE-C16", "camp", f"the set-up of {content} pieces fits the open spaces")
    check(c.start_camp + 3 + 1 + 1 == c.followers, "IE-C16", "camp", "all Followers have a place at set-up")


def _tracks(c: Components) -> None:
    for seats in (3, 4):
        stack = c.stack(seats)
        check(len(stack) == seats, "IE-C17", "stack_vp", f"{seats} tiles in a stack with {seats} players")
        check(stack == sorted(stack, reverse=True), "IE-C17", "stack_vp", "most VP on top")
    end = c.parable_end
    check(
        len(end) == 8 and all(a < b for a, b in pairwise(end)) and end[7] == 18,
        "IE-C17",
        "parable_end_vp",
        "strictly increasing, 18 for 7",
    )
    check(len(c.parable_names) == 7, "IE-C17", "parables", "seven Parables")
    check(len(c.marker_ids) == 8, "IE-C18", "favors", "8 markers")
    check(set(c.marker_location) == {0, 1, 2, 3, 4}, "IE-C18", "favors", "all five Locations appear")
    calls = sum(any(kind == GIVES_CALL for kind, _ in benefit) for benefit in c.marker_benefit)
    check(calls >= 2, "IE-C18", "favors", "at least two call a Follower")
    steps = c.favor_vp
    check(len(steps) == 9 and steps == sorted(steps), "IE-C18", "track_vp", "8 steps, VP never falling")
    at = c.tile_spaces
    gaps = [b - a for a, b in zip([0, *at], [*at, c.last], strict=True)]
    check(len(at) == 6 and all(gap in (3, 4) for gap in gaps), "IE-C19", "tile_spaces", "six, with gaps of 3 or 4")
