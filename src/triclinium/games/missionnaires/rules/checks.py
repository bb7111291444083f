"""What a components file of Les Missionnaires must satisfy (specification, section 6: LM-C1 to LM-C17)."""

import math

from triclinium.engine.core.components import ComponentsFile, Constraints, Table, check
from triclinium.engine.core.errors import Fault
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

HOW_MANY = {BETHEL: 1, CONGREGATION: 48, GENDARMERIE: 8, GREEN: 49, SEA: 37}
ISLANDS = {"bas", "pal", "plm", "cag", "mlt", "her", "rho", "lms"}
MAINLAND = 98
PORTS = 46

# LM-C17: effects that help, neither, and hinder, in each deck, vouchers apart; LM-C5: and no others.
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
BON_EFFECTS = ("advance", "gain", "join", "pass", "calm", "cancel")
WINDOWS = {"advance": "own_coup", "gain": "own_coup", "join": "own_coup"}
WINDOWS |= {"pass": "push_fee", "calm": "sea_section", "cancel": "own_draw"}


def broken_by(c: Components, file: ComponentsFile, printed: bool) -> list[Fault]:
    """Every constraint that does not hold, in order; ``printed``: those of the printed game too."""
    found = Constraints(printed)
    check_spaces(c)
    check_grid(c, file, found)
    check_congregations(c, file, found)
    check_pawns(c, found)
    check_cards(c, file, found)
    check_lanes(c, found)
    check_ways(c, found)
    check_numbers(c, found)
    check_names(c, file, found)
    check_balance(c, found)
    return found.faults


def check_spaces(c: Components) -> None:
    """LM-C1; that ids are unique was seen when they were read."""
    for kind, wanted in HOW_MANY.items():
        spaces = c.kind.count(kind)
        check(
            spaces == wanted,
            "LM-C1",
            "board.spaces",
            "there are {0} of the kind {1}, not {2}",
            spaces,
            KINDS[kind],
            wanted,
        )


def check_grid(c: Components, file: ComponentsFile, found: Constraints) -> None:
    """LM-C2"""
    grid = file.row("grid")
    rows = grid.texts("rows")
    check(len(rows) > 0, "LM-C2", "grid.rows", "the map has no rows")
    north, south, west, east = [grid.number(key) for key in ("north", "south", "west", "east")]
    for a in range(c.spaces):
        path = path_of(c, a)
        inside = south <= c.latitude[a] <= north and west <= c.longitude[a] <= east
        found.check(inside, "LM-C2", path, "it lies outside the map")
        if not inside:
            continue  # it lies in no cell
        row = min(math.floor((north - c.latitude[a]) / grid.number("row_height")), len(rows) - 1)
        column = math.floor((c.longitude[a] - west) / grid.number("column_width")) + 1
        cell = f"{rows[row]}{min(column, grid.integer('columns'))}"
        found.check_printed(c.grids[a] == cell, "LM-C2", path, "its grid is {0}, not {1}", cell, c.grids[a])
        alone = (cell == "A2") == (a == c.bethel)
        found.check_printed(alone, "LM-C2", path, "the Bethel and it alone lies in A2")


def check_congregations(c: Components, file: ComponentsFile, found: Constraints) -> None:
    """LM-C3"""
    path = "cards.congregations"
    unique("LM-C3", path, c.congregations, found)
    rows = file.row("cards").rows("congregations")
    check(len(rows) == c.kind.count(CONGREGATION), "LM-C3", path, "there is one card for each congregation")
    unique("LM-C3", path, [c.ids[space] for space in c.congregation_at], found)
    for row, space in zip(rows, c.congregation_at, strict=True):
        found.check(c.kind[space] == CONGREGATION, "LM-C3", row.path, "it names a congregation")
        same = (row.text("name"), row.text("grid")) == (c.space_names[space].text, c.grids[space])
        found.check_printed(same, "LM-C3", row.path, "it bears name and grid of a congregation")
    for seats, cards in c.hand.items():
        path = f"deal.p{seats}"
        dealt = seats * cards
        found.check(dealt <= len(rows), "LM-C3", path, "deals {0} cards of {1}", dealt, len(rows))
        found.check_printed(dealt * 2 == len(rows), "LM-C3", path, "half of the cards are dealt")


def check_pawns(c: Components, found: Constraints) -> None:
    """LM-C4"""
    unique("LM-C4", "board.gendarmes", c.gendarmes, found)
    homes = sorted([a for a in range(c.spaces) if c.kind[a] == GENDARMERIE])
    home = sorted(c.homes) == homes
    found.check(home, "LM-C4", "board.gendarmes", "one gendarme is at home in each gendarmerie")
    for a in homes:
        found.check_printed(len(c.roads[a]) >= 3, "LM-C4", path_of(c, a), "a gendarmerie has at least 3 roads")
    found.check(len(c.colours) >= max(c.hand), "LM-C4", "game.colours", "each player has a colour")
    found.check(c.overseers == ["c", "d"], "LM-C4", "overseers.list", "the overseers are c and d")


def check_cards(c: Components, file: ComponentsFile, found: Constraints) -> None:
    """LM-C5"""
    unique("LM-C5", "cards", c.card_ids, found)
    cards = file.row("cards")
    rows = cards.rows("territories") + cards.rows("sea")
    for deck, span in decks(c):
        path = f"cards.{deck}"
        found.check(len(span) > 0, "LM-C5", path, "there are no cards")
        found.check_printed(len(span) == 36, "LM-C5", path, "there are {0} cards, not 36", len(span))
        vouchers = sum([1 for card in span if c.bon[card]])
        found.check_printed(vouchers == 8, "LM-C5", path, "there are {0} BONS, not 8", vouchers)
    for card, row in enumerate(rows):
        check_card(c, card, row, found)


def check_card(c: Components, card: int, row: Table, found: Constraints) -> None:
    """LM-C5  What an effect needs, and nothing else, stands on its card."""
    effect = EFFECTS[c.effect[card]]
    path = row.path
    if c.bon[card]:
        known = effect in BON_EFFECTS
        found.check(known, "LM-C5", path, "a BON cannot have the effect {0}", effect)
        window = WINDOWS.get(effect, "")
        found.check(not known or row.text("window") == window, "LM-C5", path, "its window is {0}", window)
    else:
        balance = TERRITORY_BALANCE if card < c.territories else SEA_BALANCE
        known = any(effect in effects for _, effects in balance)
        found.check(known, "LM-C5", path, "a card of this deck cannot have the effect {0}", effect)
    counted = effect in ("skip", "pay_or_skip", "gain", "lose", "advance", "wind")
    found.check(not counted or c.number[card] >= 1, "LM-C5", path, "the effect {0} needs its n", effect)
    called = effect in ("join", "place")
    found.check(called == (c.caller[card] >= 0), "LM-C5", path, "join and place name c or d")
    found.check((effect == "goto") == (c.target[card] >= 0), "LM-C5", path, "goto, and it alone, says where to")
    listed = effect in ("place", "leave")
    found.check(listed == (len(c.places[card]) > 0), "LM-C5", path, "place and leave, and they alone, list towns")
    for space in (*c.places[card], c.target[card]):
        found.check(space < 0 or c.kind[space] != SEA, "LM-C5", path, "it names land spaces only")


def check_lanes(c: Components, found: Constraints) -> None:
    """LM-C7, LM-C10, LM-C11"""
    for a in range(c.spaces):
        path = path_of(c, a)
        if c.kind[a] == SEA:
            found.check(not c.port[a], "LM-C7", path, "a sea point is no port")
            found.check_printed(len(c.lanes[a]) >= 2, "LM-C11", path, "a sea point has at least 2 lanes")
            continue
        found.check(c.port[a] == (len(c.lanes[a]) > 0), "LM-C7", path, "ports, and they alone, have lanes")
        island = (c.ids[a] in ISLANDS) == (not c.roads[a])
        found.check_printed(island, "LM-C10", path, "the islands, and they alone, lack roads")
        joined = bool(c.roads[a]) or len(c.lanes[a]) >= 2
        found.check_printed(joined, "LM-C10", path, "an island has at least 2 lanes")
    ports = sum([1 for port in c.port if port])
    found.check_printed(ports == PORTS, "LM-C7", "board.spaces", "there are {0} ports, not {1}", ports, PORTS)


def check_ways(c: Components, found: Constraints) -> None:
    """LM-C14, LM-C8, LM-C9, LM-C12, LM-C13  Of every edition is asked that each space can be reached."""
    together = len(reached(c.near, c.bethel, -1)) == c.spaces
    check(together, "LM-C8", "board.edges", "some space cannot be reached from the Bethel")
    if not found.printed:
        return
    home = not c.port[c.bethel] and len(c.roads[c.bethel]) >= 3
    found.check_printed(home, "LM-C14", path_of(c, c.bethel), "the Bethel is no port and has at least 3 roads")
    for gone in range(c.spaces):
        start = 0 if gone else 1
        left = len(reached(c.near, start, gone))
        found.check_printed(left == c.spaces - 1, "LM-C8", path_of(c, gone), "without it the rest falls apart")
    mainland = reached(c.roads, c.bethel, -1)
    path = "board.edges"
    size = len(mainland)
    found.check_printed(size == MAINLAND, "LM-C9", path, "the mainland has {0} spaces, not {1}", size, MAINLAND)
    for a in sorted(mainland):
        found.check_printed(len(c.roads[a]) >= 2, "LM-C9", path_of(c, a), "a mainland space has at least 2 roads")
    far = [c.distance[c.bethel][space] for space in c.congregation_at]
    right = (min(far), max(far)) == (2, 21)
    found.check_printed(right, "LM-C12", path, "the congregations lie 2 to 21 spaces from the Bethel")
    longest = max([max(row) for row in c.distance])
    found.check_printed(longest == 26, "LM-C12", path, "the longest way is 26 spaces")
    for space in c.congregation_at:
        there = space in mainland or c.ids[space] in ISLANDS
        found.check_printed(there, "LM-C13", path_of(c, space), "a mainland congregation can be reached by road")


def check_numbers(c: Components, found: Constraints) -> None:
    """LM-C15"""
    total, most, start = c.periodicals_total, c.periodicals_max, c.periodicals_start
    seats = max(c.hand)
    found.check(
        total >= seats * most,
        "LM-C15",
        "game.periodicals_total",
        "is {0}, fewer than {1} players may hold with {2} each",
        total,
        seats,
        most,
    )
    found.check(
        start <= most, "LM-C15", "game.periodicals_start", "is {0}, more than periodicals_max, {1}", start, most
    )
    found.check(c.move_alone < c.move_paid, "LM-C15", "move.paid", "a paid move is longer than a free one")


def check_names(c: Components, file: ComponentsFile, found: Constraints) -> None:
    """LM-C16  In English; the French, as it was printed, stands in the catalogue."""
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
                found.check(bool(row.text(key).strip()), "LM-C16", row.path, "its {0} must stand there", key)
    for deck, span in decks(c):
        unique("LM-C16", f"cards.{deck}", [c.card_names[card].text for card in span], found)


def check_balance(c: Components, found: Constraints) -> None:
    """LM-C17"""
    balances = (TERRITORY_BALANCE, SEA_BALANCE)
    for (deck, span), balance in zip(decks(c), balances, strict=True):
        for wanted, effects in balance:
            cards = sum([1 for card in span if not c.bon[card] and EFFECTS[c.effect[card]] in effects])
            path = f"cards.{deck}"
            named = ", ".join(effects)
            found.check_printed(cards == wanted, "LM-C17", path, "{0} cards are {1}, not {2}", cards, named, wanted)


def path_of(c: Components, space: int) -> str:
    return f"board.spaces.{c.ids[space]}"


def decks(c: Components) -> tuple[tuple[str, range], tuple[str, range]]:
    """The two decks as ranges of cards."""
    return ("territories", range(c.territories)), ("sea", range(c.territories, len(c.card_ids)))


def unique(constraint: str, path: str, names: list[str], found: Constraints) -> None:
    """No name twice."""
    seen: set[str] = set()
    for name in names:
        found.check(name not in seen, constraint, path, "{0} is there twice", repr(name))
        seen.add(name)


def reached(near: list[tuple[int, ...]], start: int, gone: int) -> set[int]:
    """The spaces that can be reached from a start without one that is taken away."""
    found = {start}
    frontier = [start]
    while frontier:
        for b in near[frontier.pop()]:
            if b != gone and b not in found:
                found.add(b)
                frontier.append(b)
    return found
