"""Constraints on a components file of Les Missionnaires (specification, section 6: LM-C1 to LM-C17)."""

import math

from triclinium.engine.core.components import ComponentsFile, ComponentsTable, ConstraintCheck, check
from triclinium.engine.core.errors import ComponentsFault
from triclinium.games.missionnaires.rules.components import (
    BETHEL,
    CONGREGATION,
    EFFECTS,
    GENDARMERIE,
    GREEN,
    KINDS,
    SEA,
    Components,
)

SPACE_COUNTS = {BETHEL: 1, CONGREGATION: 48, GENDARMERIE: 8, GREEN: 49, SEA: 37}
ISLAND_IDS = {"bas", "pal", "plm", "cag", "mlt", "her", "rho", "lms"}
MAINLAND_SIZE = 98
PORT_COUNT = 46

# LM-C17: numbers of helpful, neutral and harmful effects in each deck, without vouchers. LM-C5: no other effects.
TERRITORY_BALANCE = (
    (11, ("gain", "advance", "replay", "join", "cong_done", "swap")),
    (3, ("gendarme", "place")),
    (5, ("displace",)),
    (9, ("skip", "pay_or_skip", "lose", "leave", "cong_add", "goto")),
)
SEA_BALANCE = (
    (10, ("wind", "gain", "join")),
    (6, ("none",)),
    (12, ("stop", "storm", "back", "lose", "skip")),
)
BON_EFFECTS = ("advance", "gain", "join", "pass", "redraw", "cancel")
WINDOWS = {"advance": "own_coup", "gain": "own_coup", "join": "own_coup"}
WINDOWS |= {"pass": "push_fee", "redraw": "own_draw", "cancel": "own_draw"}


def find_faults(c: Components, file: ComponentsFile, printed: bool) -> list[ComponentsFault]:
    """Return every broken constraint in order, including those of the printed game if ``printed`` is true."""
    constraints = ConstraintCheck(printed)
    check_spaces(c)
    check_grid(c, file, constraints)
    check_congregations(c, file, constraints)
    check_pawns(c, constraints)
    check_cards(c, file, constraints)
    check_lanes(c, constraints)
    check_ways(c, constraints)
    check_numbers(c, constraints)
    check_names(c, file, constraints)
    check_balance(c, constraints)
    return constraints.faults


def check_spaces(c: Components) -> None:
    """LM-C1  Check the number of spaces of each kind; unique ids were checked when the file was read."""
    for kind, wanted in SPACE_COUNTS.items():
        spaces = c.kind.count(kind)
        check(
            spaces == wanted,
            "LM-C1",
            "board.spaces",
            "there are {0} spaces of the kind {1} instead of {2}",
            spaces,
            KINDS[kind],
            wanted,
        )


def check_grid(c: Components, file: ComponentsFile, constraints: ConstraintCheck) -> None:
    """LM-C2  Check that every space is on the map and in its grid cell."""
    grid = file.row("grid")
    rows = grid.texts("rows")
    check(len(rows) > 0, "LM-C2", "grid.rows", "the map has no rows")
    north, south, west, east = [grid.number(key) for key in ("north", "south", "west", "east")]
    for a in range(c.spaces):
        path = format_space_path(c, a)
        inside = south <= c.latitude[a] <= north and west <= c.longitude[a] <= east
        constraints.check(inside, "LM-C2", path, "this space is outside the map")
        if not inside:
            continue  # A space outside the map has no cell.
        row = min(math.floor((north - c.latitude[a]) / grid.number("row_height")), len(rows) - 1)
        column = math.floor((c.longitude[a] - west) / grid.number("column_width")) + 1
        cell = f"{rows[row]}{min(column, grid.integer('columns'))}"
        constraints.check_printed(
            c.grids[a] == cell, "LM-C2", path, "its grid square must be {0}, not {1}", cell, c.grids[a]
        )
        alone = (cell == "A2") == (a == c.bethel)
        constraints.check_printed(alone, "LM-C2", path, "the Bethel, and no other space, must be in A2")


def check_congregations(c: Components, file: ComponentsFile, constraints: ConstraintCheck) -> None:
    """LM-C3  Check the congregation cards and how many are dealt."""
    path = "cards.congregations"
    check_unique("LM-C3", path, c.congregations, constraints)
    rows = file.row("cards").rows("congregations")
    check(len(rows) == c.kind.count(CONGREGATION), "LM-C3", path, "there must be one card for each congregation")
    check_unique("LM-C3", path, [c.ids[space] for space in c.congregation_at], constraints)
    for row, space in zip(rows, c.congregation_at, strict=True):
        constraints.check(c.kind[space] == CONGREGATION, "LM-C3", row.path, "this card must name a congregation")
        same = (row.text("name"), row.text("grid")) == (c.space_names[space].text, c.grids[space])
        constraints.check_printed(
            same, "LM-C3", row.path, "this card must have the name and grid square of a congregation"
        )
    for seats, cards in c.hand.items():
        path = f"deal.p{seats}"
        dealt = seats * cards
        constraints.check(dealt <= len(rows), "LM-C3", path, "deals {0} cards of {1}", dealt, len(rows))
        constraints.check_printed(dealt * 2 == len(rows), "LM-C3", path, "half of the cards must be dealt")


def check_pawns(c: Components, constraints: ConstraintCheck) -> None:
    """LM-C4  Check gendarmes, colours and overseers."""
    check_unique("LM-C4", "board.gendarmes", c.gendarmes, constraints)
    homes = sorted([a for a in range(c.spaces) if c.kind[a] == GENDARMERIE])
    home = sorted(c.homes) == homes
    constraints.check(home, "LM-C4", "board.gendarmes", "each gendarmerie must be the home of one gendarme")
    for a in homes:
        constraints.check_printed(
            len(c.roads[a]) >= 3, "LM-C4", format_space_path(c, a), "a gendarmerie must have at least 3 roads"
        )
    constraints.check(len(c.colours) >= max(c.hand), "LM-C4", "game.colours", "there must be a colour for each player")
    constraints.check(c.overseers == ["c", "d"], "LM-C4", "overseers.list", "the list of overseers must be c and d")


def check_cards(c: Components, file: ComponentsFile, constraints: ConstraintCheck) -> None:
    """LM-C5  Check the size of both decks and every card."""
    check_unique("LM-C5", "cards", c.card_ids, constraints)
    cards = file.row("cards")
    rows = cards.rows("territories") + cards.rows("sea")
    for deck, span in list_deck_ranges(c):
        path = f"cards.{deck}"
        constraints.check(len(span) > 0, "LM-C5", path, "there are no cards")
        constraints.check_printed(len(span) == 36, "LM-C5", path, "there are {0} cards instead of 36", len(span))
        vouchers = sum([1 for card in span if c.bon[card]])
        constraints.check_printed(vouchers == 8, "LM-C5", path, "there are {0} vouchers instead of 8", vouchers)
    for card, row in enumerate(rows):
        check_card(c, card, row, constraints)


def check_card(c: Components, card: int, row: ComponentsTable, constraints: ConstraintCheck) -> None:
    """LM-C5  Check that a card has exactly the entries that its effect needs."""
    effect = EFFECTS[c.effect[card]]
    path = row.path
    if c.bon[card]:
        known = effect in BON_EFFECTS
        constraints.check(known, "LM-C5", path, "a voucher cannot have the effect {0}", effect)
        window = WINDOWS.get(effect, "")
        constraints.check(
            not known or row.text("window") == window,
            "LM-C5",
            path,
            "this voucher must be played at the moment {0}",
            window,
        )
    else:
        balance = TERRITORY_BALANCE if card < c.territories else SEA_BALANCE
        known = any(effect in effects for _, effects in balance)
        constraints.check(known, "LM-C5", path, "a card of this deck cannot have the effect {0}", effect)
    counted = effect in ("skip", "pay_or_skip", "gain", "lose", "advance", "wind")
    constraints.check(not counted or c.number[card] >= 1, "LM-C5", path, "the effect {0} needs a number “n”", effect)
    called = effect in ("join", "place")
    constraints.check(
        called == (c.caller[card] >= 0), "LM-C5", path, "the effects “join” and “place” must name “c” or “d”"
    )
    constraints.check(
        (effect == "goto") == (c.target[card] >= 0),
        "LM-C5",
        path,
        "the effect “goto”, and no other, must name a destination",
    )
    listed = effect in ("place", "leave")
    constraints.check(
        listed == (len(c.places[card]) > 0),
        "LM-C5",
        path,
        "the effects “place” and “leave”, and no others, must list towns",
    )
    for space in (*c.places[card], c.target[card]):
        constraints.check(space < 0 or c.kind[space] != SEA, "LM-C5", path, "this card can name only land spaces")


def check_lanes(c: Components, constraints: ConstraintCheck) -> None:
    """LM-C7, LM-C10, LM-C11  Check ports, islands and sea points."""
    for a in range(c.spaces):
        path = format_space_path(c, a)
        if c.kind[a] == SEA:
            constraints.check(not c.port[a], "LM-C7", path, "a sea point must not be a port")
            constraints.check_printed(
                len(c.lanes[a]) >= 2, "LM-C11", path, "a sea point must have at least 2 sea lanes"
            )
            continue
        constraints.check(
            c.port[a] == (len(c.lanes[a]) > 0), "LM-C7", path, "a port, and no other land space, must have sea lanes"
        )
        island = (c.ids[a] in ISLAND_IDS) == (not c.roads[a])
        constraints.check_printed(island, "LM-C10", path, "an island, and no other land space, must have no roads")
        joined = bool(c.roads[a]) or len(c.lanes[a]) >= 2
        constraints.check_printed(joined, "LM-C10", path, "an island must have at least 2 sea lanes")
    ports = sum([1 for port in c.port if port])
    constraints.check_printed(
        ports == PORT_COUNT, "LM-C7", "board.spaces", "there are {0} ports instead of {1}", ports, PORT_COUNT
    )


def check_ways(c: Components, constraints: ConstraintCheck) -> None:
    """LM-C14, LM-C8, LM-C9, LM-C12, LM-C13  Check connections and distances.

    An edited edition only needs a way from the Bethel to every space.
    """
    together = len(find_reachable(c.near, c.bethel, -1)) == c.spaces
    check(together, "LM-C8", "board.edges", "at least one space cannot be reached from the Bethel")
    if not constraints.printed:
        return
    home = not c.port[c.bethel] and len(c.roads[c.bethel]) >= 3
    constraints.check_printed(
        home, "LM-C14", format_space_path(c, c.bethel), "the Bethel must not be a port and must have at least 3 roads"
    )
    for gone in range(c.spaces):
        start = 0 if gone else 1
        left = len(find_reachable(c.near, start, gone))
        constraints.check_printed(
            left == c.spaces - 1, "LM-C8", format_space_path(c, gone), "the map must stay connected without this space"
        )
    mainland = find_reachable(c.roads, c.bethel, -1)
    path = "board.edges"
    size = len(mainland)
    constraints.check_printed(
        size == MAINLAND_SIZE, "LM-C9", path, "the mainland has {0} spaces instead of {1}", size, MAINLAND_SIZE
    )
    for a in sorted(mainland):
        constraints.check_printed(
            len(c.roads[a]) >= 2, "LM-C9", format_space_path(c, a), "a mainland space must have at least 2 roads"
        )
    far = [c.distance[c.bethel][space] for space in c.congregation_at]
    right = (min(far), max(far)) == (2, 21)
    constraints.check_printed(right, "LM-C12", path, "the congregations must be 2 to 21 spaces from the Bethel")
    longest = max([max(row) for row in c.distance])
    constraints.check_printed(longest == 26, "LM-C12", path, "the longest way must be 26 spaces")
    for space in c.congregation_at:
        there = space in mainland or c.ids[space] in ISLAND_IDS
        constraints.check_printed(
            there, "LM-C13", format_space_path(c, space), "a congregation on the mainland must be reachable by road"
        )


def check_numbers(c: Components, constraints: ConstraintCheck) -> None:
    """LM-C15  Check periodicals and the length of moves."""
    total, most, start = c.periodicals_total, c.periodicals_max, c.periodicals_start
    seats = max(c.hand)
    constraints.check(
        total >= seats * most,
        "LM-C15",
        "game.periodicals_total",
        "is {0}, but {1} players may hold {2} each",
        total,
        seats,
        most,
    )
    constraints.check(
        start <= most, "LM-C15", "game.periodicals_start", "is {0}, but a player may hold at most {1}", start, most
    )
    constraints.check(c.move_alone < c.move_paid, "LM-C15", "move.paid", "a paid move must be longer than a free one")


def check_names(c: Components, file: ComponentsFile, constraints: ConstraintCheck) -> None:
    """LM-C16  Check that every English name is present; the printed French names are in the catalogue."""
    cards = file.row("cards")
    board = file.row("board")
    for rows, keys in (
        (board.rows("spaces"), ("name",)),
        ([row for row in board.rows("spaces") if row.text("kind") != "sea"], ("country",)),
        (cards.rows("congregations"), ("name",)),
        (cards.rows("territories") + cards.rows("sea"), ("name", "text")),
        (file.row("game").rows("colours"), ("name",)),
        (file.row("overseers").rows("list"), ("name",)),
    ):
        for row in rows:
            for key in keys:
                constraints.check(bool(row.text(key).strip()), "LM-C16", row.path, "the entry {0} is missing", key)
    for deck, span in list_deck_ranges(c):
        check_unique("LM-C16", f"cards.{deck}", [c.card_names[card].text for card in span], constraints)


def check_balance(c: Components, constraints: ConstraintCheck) -> None:
    """LM-C17  Check the balance of helpful, neutral and harmful cards."""
    balances = (TERRITORY_BALANCE, SEA_BALANCE)
    for (deck, span), balance in zip(list_deck_ranges(c), balances, strict=True):
        for wanted, effects in balance:
            cards = sum([1 for card in span if not c.bon[card] and EFFECTS[c.effect[card]] in effects])
            path = f"cards.{deck}"
            effect_names = ", ".join(effects)
            constraints.check_printed(
                cards == wanted,
                "LM-C17",
                path,
                "has {0} cards with the effects {1} instead of {2}",
                cards,
                effect_names,
                wanted,
            )


def format_space_path(c: Components, space: int) -> str:
    return f"board.spaces.{c.ids[space]}"


def list_deck_ranges(c: Components) -> tuple[tuple[str, range], tuple[str, range]]:
    """Return the two decks as ranges of card numbers."""
    return ("territories", range(c.territories)), ("sea", range(c.territories, len(c.card_ids)))


def check_unique(constraint_id: str, path: str, names: list[str], constraints: ConstraintCheck) -> None:
    """Check that no name occurs twice."""
    seen: set[str] = set()
    for name in names:
        constraints.check(name not in seen, constraint_id, path, "{0} occurs twice", repr(name))
        seen.add(name)


def find_reachable(near: list[tuple[int, ...]], start: int, gone: int) -> set[int]:
    """Return the spaces that can be reached from a start if one space is removed."""
    reachable = {start}
    frontier = [start]
    while frontier:
        for b in near[frontier.pop()]:
            if b != gone and b not in reachable:
                reachable.add(b)
                frontier.append(b)
    return reachable
