"""The constraints PP-C1 to PP-C17: what a components file must keep. Each failure names constraint and entry.

What the tables themselves need (unique ids, the timeline of PP-C18) is checked where they are read.
"""

from itertools import pairwise

from triclinium.engine.core.components import Table, check
from triclinium.games.portals.rules.components import GENESIS, NEW, NONE, OLD, Card, Components, Space, distances

BY_CENTURY = [7, 4, 3, 6, 9, 5, 9, 5, 3, 5, 4]
NEAR_BETHSAIDA = {"hazor", "capernaum", "sea_of_galilee", "assyria"}
LEAST_GAP = 55


def check_components(c: Components) -> None:
    """Raise BadComponents unless all constraints hold.

    Each card by itself comes first: a wrong face breaks counts too, and the card is what a designer must be told.
    """
    check(c.start_hand <= c.hand_limit, "PP-5.1", "numbers", f"start_hand is more than the {c.hand_limit} of a hand")
    printed = chronology(c)
    for card, row in enumerate(c.sheet.row("events").rows("card")):
        face(c, card, row, printed)
    cards(c)
    centuries(c, printed)
    symbols(c)
    regions(c)
    fuel(c)
    points(c)
    road_graph(c)
    drawing(c)


def chronology(c: Components) -> dict[str, Space]:
    """The titles as the rulebook prints them, each with its period."""
    printed: dict[str, Space] = {}
    for space, row in enumerate(c.sheet.row("timeline").rows("space")):
        for title in row.texts("titles"):
            check(title not in printed, "PP-C3", row.where, f"{title!r} stands in the chronology twice")
            printed[title] = space
    return printed


def printed_title(row: Table) -> str:
    """PP-R4  One title is misspelt in the rulebook; the card keeps both forms."""
    return row.text("printed_title") if row.has("printed_title") else row.text("title")


def symbol(c: Components, name: str, constraint: str) -> int:
    """A symbol that a constraint speaks of."""
    check(name in c.symbol_ids, constraint, "symbols", f"one of the symbols is {name}")
    return c.symbol_ids.index(name)


def face(c: Components, card: Card, row: Table, printed: dict[str, Space]) -> None:
    """What one event card must keep, whatever the others show."""
    row.name("at")  # these two are the drawing's alone, and missed there too late
    row.name("ref")
    space = c.period[card]
    deck = GENESIS if space == 0 else NEW if space == c.spaces - 1 else OLD
    check(c.deck[card] == deck, "PP-C3", row.where, f"{c.space_ids[space]} is not in its deck")
    if not row.has("t"):
        title = printed_title(row)
        check(printed.get(title) == space, "PP-C3", row.where, f"the chronology has no {title!r} in its period")
    ancient = (c.symbols[card] >> symbol(c, "ancient", "PP-C7")) & 1 == 1
    early = space < c.space_ids.index("12")
    check(ancient == early, "PP-C7", row.where, "Ancient marks what comes before the 12th century")
    check(c.symbols[card].bit_count() <= 4, "PP-C8", row.where, "a card shows at most four symbols")
    place = c.place[card]
    region = c.place_region[place]
    check(c.region[card] == region, "PP-C9", row.where, f"{c.place_ids[place]} lies in {c.region_ids[region]}")


def cards(c: Components) -> None:
    for deck, row in enumerate(c.sheet.row("decks").rows("deck")):
        events = sum(1 for card in range(c.events) if c.deck[card] == deck)
        stated = row.integer("events")
        check(stated == (18, 60, 20)[deck] == events, "PP-C1", row.where, f"{stated} events stated, {events} listed")
    wilds = sum(c.wild)
    check(wilds == 4, "PP-C1", "bonus", f"there are 4 Region cards, not {wilds}")
    check(c.cards - c.events == 10, "PP-C1", "bonus", f"there are 10 Region and Symbol cards, not {c.cards - c.events}")
    titles = [c.titles[card].text for card in range(c.events)]
    for i, title in enumerate(titles):
        check(titles.index(title) == i, "PP-C2", f"card {c.card_ids[i]!r}", f"two cards have the title {title!r}")
    held = [c.symbol_card[card] for card in range(c.events, c.cards) if c.symbol_card[card] != NONE]
    for kind, name in enumerate(c.symbol_ids):
        check(held.count(kind) == 1, "PP-C2", f"symbol {name!r}", "each symbol has one Symbol card")


def centuries(c: Components, printed: dict[str, Space]) -> None:
    left = dict(printed)
    added = [0] * c.spaces
    for card, row in enumerate(c.sheet.row("events").rows("card")):
        if row.has("t"):
            added[c.period[card]] += 1
        else:
            left.pop(printed_title(row), None)
    for title, space in left.items():
        check(False, "PP-C3", f"space {c.space_ids[space]!r}", f"no card has the title {title!r}")
    for space, row in enumerate(c.sheet.row("timeline").rows("space")):
        check(added[space] == row.integer("added"), "PP-C3", row.where, f"{added[space]} titles are added to it")
    for century, wanted in enumerate(BY_CENTURY, start=1):
        found = c.period.count(century)
        check(found == wanted, "PP-C4", f"space {c.space_ids[century]!r}", f"{found} events, {wanted} wanted")


def symbols(c: Components) -> None:
    for kind, row in enumerate(c.sheet.row("symbols").rows("symbol")):
        found = [0, 0, 0]
        for card in range(c.events):
            found[c.deck[card]] += (c.symbols[card] >> kind) & 1
        check(found == row.integers("stats"), "PP-C5", row.where, f"the cards show it {found} times, by deck")
    shown = {c.symbols[card].bit_count() for card in range(c.events)}
    check({0, 4} <= shown, "PP-C8", "events", "some card shows no symbol and some card four")
    wanted = sum(1 << symbol(c, name, "PP-C8") for name in ("ancient", "mountain", "god_speaks"))
    check(wanted in c.symbols, "PP-C8", "events", "some card shows exactly Ancient, Mountain and God Speaks")


def regions(c: Components) -> None:
    for region, row in enumerate(c.sheet.row("regions").rows("region")):
        found = [0, 0, 0]
        for card in range(c.events):
            found[c.deck[card]] += c.region[card] == region
        check(found == row.integers("stats"), "PP-C6", row.where, f"the cards lie in it {found} times, by deck")
    for place, name in enumerate(c.place_ids):
        check(place in c.place, "PP-C10", f"place {name!r}", "no event happens there")
    homes = {c.place_region[place] for place in c.suggested}
    fits = len(c.suggested) == c.portals == len(homes)
    check(fits, "PP-C13", "portals", f"the {c.portals} suggested portals lie in different regions")


def fuel(c: Components) -> None:
    by_deck: dict[int, list[int]] = {deck: [0] * len(c.colour_ids) for deck in (GENESIS, OLD, NEW)}
    for card in range(c.events):
        if c.fuel[card]:
            by_deck[c.deck[card]][c.colour[card]] += 1
    check(2 in c.fuel, "PP-C14", "events", "some card has two fuel icons")
    for deck, counts in by_deck.items():
        equal = len(set(counts)) == 1
        check(equal, "PP-C14", f"deck {c.deck_ids[deck]!r}", f"its colours are not equal in number: {counts}")


def points(c: Components) -> None:
    worth: dict[int, list[int]] = {}
    for card in range(c.events):
        worth.setdefault(c.symbols[card].bit_count(), []).append(c.points[card])
    means = [sum(worth[shown]) / len(worth[shown]) for shown in sorted(worth)]
    falls = all(more > less for more, less in pairwise(means))
    check(falls, "PP-C15", "events", "the more symbols a card shows, the fewer points it is worth on average")


def road_graph(c: Components) -> None:
    for place, near in enumerate(c.neighbours):
        check(2 <= len(near) <= 5, "PP-C11", f"place {c.place_ids[place]!r}", f"it has {len(near)} roads, not 2 to 5")
    bethsaida = c.place_ids.index("bethsaida") if "bethsaida" in c.place_ids else NONE
    near_it = {c.place_ids[place] for place in c.neighbours[bethsaida]}
    right = bethsaida != NONE and near_it == NEAR_BETHSAIDA
    check(right, "PP-C12", "place 'bethsaida'", f"roads lead to {', '.join(sorted(NEAR_BETHSAIDA))} and nowhere else")
    for place in range(c.places):
        without = [[there for there in near if there != place] for near in c.neighbours]
        reached = distances(without, 0 if place else 1)
        entry = f"place {c.place_ids[place]!r}"
        check(reached.count(NONE) == 1, "PP-C11", entry, "without it the map falls apart")
    farthest = max(max(row) for row in c.distance)
    check(farthest == c.greatest_distance, "PP-C11", "limits", f"the greatest distance is {farthest} roads")
    linked = [list(near) for near in c.neighbours]
    for place in c.suggested:
        linked[place] += [other for other in c.suggested if other != place]
    farthest = max(max(distances(linked, place)) for place in range(c.places))
    by_portal = c.greatest_distance_by_portal
    check(farthest == by_portal, "PP-C11", "limits", f"by the suggested portals the greatest distance is {farthest}")


def drawing(c: Components) -> None:
    rows = c.sheet.row("places").rows("place")
    spots: dict[tuple[float, float], str] = {}
    for place, row in enumerate(rows):
        spot = (row.number("lat"), row.number("lon"))
        check(spot not in spots, "PP-C16", row.where, f"it lies exactly where {spots.get(spot)} lies")
        spots[spot] = c.place_ids[place]
        if c.region_ids[c.place_region[place]] != "distant":
            home = 31.2 <= spot[0] <= 33.1 and 34.4 <= spot[1] <= 35.7
            check(home, "PP-C16", row.where, "a place of the four home regions lies within 31.2-33.1 N, 34.4-35.7 E")
    at = [(row.integer("x"), row.integer("y")) for row in rows]
    for place, (x, y) in enumerate(at):
        for other in range(place):
            gap = (x - at[other][0]) ** 2 + (y - at[other][1]) ** 2
            check(gap >= LEAST_GAP**2, "PP-C17", rows[place].where, f"it is drawn too near {c.place_ids[other]}")
    for i, (a, b) in enumerate(c.roads):
        for d, e in c.roads[:i]:
            if len({a, b, d, e}) == 4:
                cross = crossing(at[a], at[b], at[d], at[e])
                entry = f"road {c.place_ids[a]!r} to {c.place_ids[b]!r}"
                check(not cross, "PP-C17", entry, f"it crosses the road {c.place_ids[d]} to {c.place_ids[e]}")


def crossing(a: tuple[int, int], b: tuple[int, int], d: tuple[int, int], e: tuple[int, int]) -> bool:
    """Whether the lines a-b and d-e cross; a drawing without crossings shows that the map is planar (PP-C11)."""
    return side(a, b, d) * side(a, b, e) <= 0 and side(d, e, a) * side(d, e, b) <= 0


def side(a: tuple[int, int], b: tuple[int, int], p: tuple[int, int]) -> int:
    turn = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    return (turn > 0) - (turn < 0)
