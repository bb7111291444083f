"""What a components file of Les Missionnaires must satisfy (specification, section 6: LM-C1 to LM-C17)."""

import math

from triclinium.engine.core.components import ComponentsFile, check
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
    (4, ("gendarme", "place")),
    (13, ("skip", "pay_or_skip", "lose", "leave", "cong_add", "goto")),
)
SEA_BALANCE = (
    (10, ("wind", "gain", "join")),
    (6, ("none",)),
    (12, ("stop", "storm", "back", "lose", "skip")),
)
BON_EFFECTS = ("advance", "gain", "join", "pass", "calm", "cancel")
WINDOWS = {"advance": "own_coup", "gain": "own_coup", "join": "own_coup"}
WINDOWS |= {"pass": "push_fee", "calm": "sea_section", "cancel": "own_draw"}


def check_components(c: Components, sheet: ComponentsFile) -> None:
    """Every constraint, in order; raises BadComponents, which names the constraint and the entry."""
    check_spaces(c)
    check_grid(c, sheet)
    check_congregations(c, sheet)
    check_pawns(c)
    check_cards(c, sheet)
    check_lanes(c)
    check_ways(c)
    check_numbers(c)
    check_names(c, sheet)
    check_balance(c)


def check_spaces(c: Components) -> None:
    """LM-C1; that ids are unique was seen when they were read."""
    for kind, wanted in HOW_MANY.items():
        found = c.kind.count(kind)
        check(found == wanted, "LM-C1", "spaces", f"there are {found} of the kind {KINDS[kind]}, not {wanted}")


def check_grid(c: Components, sheet: ComponentsFile) -> None:
    """LM-C2"""
    grid = sheet.row("grid")
    rows = grid.texts("rows")
    check(len(rows) > 0, "LM-C2", "grid", "the map has no rows")
    north, south, west, east = (grid.number(key) for key in ("north", "south", "west", "east"))
    for a in range(c.spaces):
        entry = f"space {c.ids[a]}"
        inside = south <= c.latitude[a] <= north and west <= c.longitude[a] <= east
        check(inside, "LM-C2", entry, "it lies outside the map")
        row = min(math.floor((north - c.latitude[a]) / grid.number("row_height")), len(rows) - 1)
        column = math.floor((c.longitude[a] - west) / grid.number("column_width")) + 1
        cell = f"{rows[row]}{min(column, grid.integer('columns'))}"
        check(c.grids[a] == cell, "LM-C2", entry, f"its grid is {cell}, not {c.grids[a]}")
        check((cell == "A2") == (a == c.bethel), "LM-C2", entry, "the Bethel and it alone lies in A2")


def check_congregations(c: Components, sheet: ComponentsFile) -> None:
    """LM-C3"""
    unique("LM-C3", "congregations", c.congregations)
    rows = sheet.row("cards").rows("congregations")
    check(len(rows) == c.kind.count(CONGREGATION), "LM-C3", "congregations", "there is one card for each congregation")
    unique("LM-C3", "congregations", [c.ids[space] for space in c.congregation_at])
    for row, space in zip(rows, c.congregation_at, strict=True):
        same = (row.text("name"), row.text("grid")) == (c.space_names[space].text, c.grids[space])
        check(c.kind[space] == CONGREGATION and same, "LM-C3", row.where, "it bears name and grid of a congregation")
    for seats, cards in c.hand.items():
        check(seats * cards * 2 == len(rows), "LM-C3", f"deal p{seats}", "half of the cards are dealt")


def check_pawns(c: Components) -> None:
    """LM-C4"""
    unique("LM-C4", "gendarmes", c.gendarmes)
    homes = sorted(a for a in range(c.spaces) if c.kind[a] == GENDARMERIE)
    check(sorted(c.homes) == homes, "LM-C4", "gendarmes", "one gendarme is at home in each gendarmerie")
    for a in homes:
        check(len(c.roads[a]) >= 3, "LM-C4", f"space {c.ids[a]}", "a gendarmerie has at least 3 roads")
    check(len(c.colours) >= max(c.hand), "LM-C4", "colours", "each player has a colour")
    check(c.overseers == ["c", "d"], "LM-C4", "overseers", "the overseers are c and d")


def check_cards(c: Components, sheet: ComponentsFile) -> None:
    """LM-C5"""
    unique("LM-C5", "cards", c.card_ids)
    cards = sheet.row("cards")
    rows = cards.rows("territories") + cards.rows("sea")
    for deck, span in decks(c):
        check(len(span) == 36, "LM-C5", deck, f"there are {len(span)} cards, not 36")
        vouchers = sum(c.bon[card] for card in span)
        check(vouchers == 8, "LM-C5", deck, f"there are {vouchers} BONS, not 8")
    for card, row in enumerate(rows):
        effect = EFFECTS[c.effect[card]]
        if c.bon[card]:
            check(effect in BON_EFFECTS, "LM-C5", row.where, f"a BON cannot have the effect {effect}")
            check(row.text("window") == WINDOWS[effect], "LM-C5", row.where, f"its window is {WINDOWS[effect]}")
        else:
            balance = TERRITORY_BALANCE if card < c.territories else SEA_BALANCE
            known = any(effect in effects for _, effects in balance)
            check(known, "LM-C5", row.where, f"a card of this deck cannot have the effect {effect}")
        counted = effect in ("skip", "pay_or_skip", "gain", "lose", "advance", "wind")
        check(not counted or c.number[card] >= 1, "LM-C5", row.where, f"the effect {effect} needs its n")
        check((effect in ("join", "place")) == (c.caller[card] >= 0), "LM-C5", row.where, "join and place name c or d")
        check((effect == "goto") == (c.target[card] >= 0), "LM-C5", row.where, "goto, and it alone, says where to")
        listed = effect in ("place", "leave")
        check(listed == (len(c.places[card]) > 0), "LM-C5", row.where, "place and leave, and they alone, list towns")
        for space in (*c.places[card], c.target[card]):
            check(space < 0 or c.kind[space] != SEA, "LM-C5", row.where, "it names land spaces only")


def check_lanes(c: Components) -> None:
    """LM-C7, LM-C10, LM-C11"""
    for a in range(c.spaces):
        entry = f"space {c.ids[a]}"
        if c.kind[a] == SEA:
            check(not c.port[a], "LM-C7", entry, "a sea point is no port")
            check(len(c.lanes[a]) >= 2, "LM-C11", entry, "a sea point has at least 2 lanes")
            continue
        check(c.port[a] == (len(c.lanes[a]) > 0), "LM-C7", entry, "ports, and they alone, have lanes")
        check((c.ids[a] in ISLANDS) == (not c.roads[a]), "LM-C10", entry, "the islands, and they alone, lack roads")
        check(bool(c.roads[a]) or len(c.lanes[a]) >= 2, "LM-C10", entry, "an island has at least 2 lanes")
    ports = sum(c.port)
    check(ports == PORTS, "LM-C7", "spaces", f"there are {ports} ports, not {PORTS}")


def check_ways(c: Components) -> None:
    """LM-C14, LM-C8, LM-C9, LM-C12, LM-C13"""
    home = not c.port[c.bethel] and len(c.roads[c.bethel]) >= 3
    check(home, "LM-C14", "space bet", "the Bethel is no port and has at least 3 roads")
    for gone in range(c.spaces):
        start = 0 if gone else 1
        found = len(reached(c.near, start, gone))
        check(found == c.spaces - 1, "LM-C8", f"space {c.ids[gone]}", "without it the rest falls apart")
    mainland = reached(c.roads, c.bethel, -1)
    check(len(mainland) == MAINLAND, "LM-C9", "edges", f"the mainland has {len(mainland)} spaces, not {MAINLAND}")
    for a in sorted(mainland):
        check(len(c.roads[a]) >= 2, "LM-C9", f"space {c.ids[a]}", "a mainland space has at least 2 roads")
    far = [c.distance[c.bethel][space] for space in c.congregation_at]
    check((min(far), max(far)) == (2, 24), "LM-C12", "edges", "the congregations lie 2 to 24 spaces from the Bethel")
    check(max(max(row) for row in c.distance) == 27, "LM-C12", "edges", "the longest way is 27 spaces")
    for space in c.congregation_at:
        there = space in mainland or c.ids[space] in ISLANDS
        check(there, "LM-C13", f"space {c.ids[space]}", "a mainland congregation can be reached by road")


def check_numbers(c: Components) -> None:
    """LM-C15"""
    enough = c.periodicals_total >= max(c.hand) * c.periodicals_max and c.periodicals_start <= c.periodicals_max
    check(enough, "LM-C15", "game", "the periodicals suffice for all hands")
    check(c.move_alone < c.move_paid, "LM-C15", "move", "a paid move is longer than a free one")


def check_names(c: Components, sheet: ComponentsFile) -> None:
    """LM-C16  In English; the French, as it was printed, stands in the catalogue."""
    cards = sheet.row("cards")
    board = sheet.row("board")
    for rows, keys in (
        (board.rows("spaces"), ("name",)),
        ([row for row in board.rows("spaces") if row.text("kind") != "sea"], ("country",)),
        (cards.rows("congregations"), ("name",)),
        (cards.rows("territories") + cards.rows("sea"), ("name", "text")),
        (sheet.row("game").rows("colours"), ("name",)),
        (sheet.row("overseers").rows("list"), ("name",)),
    ):
        for row in rows:
            for key in keys:
                check(bool(row.text(key).strip()), "LM-C16", row.where, f"its {key} must stand there")
    for deck, span in decks(c):
        unique("LM-C16", deck, [c.card_names[card].text for card in span])


def check_balance(c: Components) -> None:
    """LM-C17"""
    balances = (TERRITORY_BALANCE, SEA_BALANCE)
    for (deck, span), balance in zip(decks(c), balances, strict=True):
        for wanted, effects in balance:
            found = sum(not c.bon[card] and EFFECTS[c.effect[card]] in effects for card in span)
            sentence = f"{found} cards are {' or '.join(effects)}, not {wanted}"
            check(found == wanted, "LM-C17", deck, sentence)


def decks(c: Components) -> tuple[tuple[str, range], tuple[str, range]]:
    """The two decks as ranges of cards."""
    return ("territories", range(c.territories)), ("sea", range(c.territories, len(c.card_ids)))


def unique(constraint: str, entry: str, names: list[str]) -> None:
    """No name twice."""
    seen: set[str] = set()
    for name in names:
        check(name not in seen, constraint, entry, f"{name!r} is there twice")
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
