"""Constraints PP-C1 to PP-C17 on a components file. Each failure names the constraint and the entry.

Other conditions, such as unique ids and the timeline (PP-C18), are checked when the tables are read.
"""

from itertools import pairwise

from triclinium.engine.core.components import ComponentsTable, ConstraintCheck
from triclinium.engine.core.errors import ComponentsFault
from triclinium.games.portals.rules.components import (
    GENESIS,
    NEW,
    NONE,
    OLD,
    Card,
    Components,
    Space,
    compute_road_distances,
)

EVENTS_BY_CENTURY = [7, 4, 3, 6, 9, 5, 9, 5, 3, 5, 4]
NEAR_BETHSAIDA = {"hazor", "capernaum", "sea_of_galilee", "assyria"}
MIN_GAP = 55


def find_faults(c: Components, printed: bool) -> list[ComponentsFault]:
    """Return the constraints that do not hold.

    With ``printed``, check also those that only the printed game must keep. Each card is checked alone first: a wrong
    face breaks counts too, and designers need to know the card.
    """
    constraints = ConstraintCheck(printed)
    fits = c.start_hand <= c.hand_limit
    path = "numbers.start_hand"
    constraints.check(fits, "PP-5.1", path, "must not exceed the hand limit, {0}", c.hand_limit)
    titles = read_chronology(c, constraints)
    ancient = find_symbol_bit(c, "ancient", "PP-C7", constraints)
    for card, row in enumerate(c.file.row("events").rows("card")):
        check_event(c, card, row, titles, constraints)
        is_ancient = c.symbols[card] & ancient != 0
        early = c.period[card] < c.space_ids.index("12")
        right = is_ancient == early
        constraints.check_printed(
            right, "PP-C7", row.path, "events before the 12th century, and no others, must show Ancient"
        )
    check_cards(c, constraints)
    check_centuries(c, titles, constraints)
    check_symbols(c, constraints)
    check_regions(c, constraints)
    check_fuel(c, constraints)
    check_points(c, constraints)
    for place, row in enumerate(c.file.row("places").rows("place")):
        row.integer("x")  # Only the drawing reads these two numbers, where an error would be found too late.
        row.integer("y")
        constraints.check(
            NONE not in c.distance[place], "PP-C11", row.path, "this place is not connected to every other place"
        )
    if printed:
        check_road_graph(c, constraints)
        check_drawing(c, constraints)
    return constraints.faults


def read_chronology(c: Components, constraints: ConstraintCheck) -> dict[str, Space]:
    """Return the titles as printed in the rulebook, each with its period."""
    printed: dict[str, Space] = {}
    for space, row in enumerate(c.file.row("timeline").rows("space")):
        for title in row.texts("titles"):
            constraints.check_printed(title not in printed, "PP-C3", row.path, "contains {0} twice", repr(title))
            printed[title] = space
    return printed


def get_printed_title(row: ComponentsTable) -> str:
    """PP-R4  Return a card's title as printed; the rulebook misspells one title, and its card has both forms."""
    return row.text("printed_title") if row.has("printed_title") else row.text("title")


def find_symbol_bit(c: Components, name: str, constraint_id: str, constraints: ConstraintCheck) -> int:
    """Return the bit of a symbol that a constraint names, or 0 if there is no such symbol."""
    known = name in c.symbol_ids
    constraints.check_printed(known, constraint_id, "symbols", "one of the symbols must be {0}", name)
    return 1 << c.symbol_ids.index(name) if known else 0


def check_event(
    c: Components, card: Card, row: ComponentsTable, printed: dict[str, Space], constraints: ConstraintCheck
) -> None:
    """Check the constraints on a single event card."""
    row.name("at")  # Only the drawing reads these two texts, where an error would be found too late.
    row.name("ref")
    space = c.period[card]
    deck = GENESIS if space == 0 else NEW if space == c.spaces - 1 else OLD
    constraints.check(
        c.deck[card] == deck,
        "PP-C3",
        row.path,
        "this event of the space {0} must be in the deck of that space",
        c.space_names[space],
    )
    if not row.has("t"):
        title = get_printed_title(row)
        listed = printed.get(title) == space
        constraints.check_printed(
            listed, "PP-C3", row.path, "the timeline must list the title {0} in the period of this card", repr(title)
        )
    constraints.check(c.symbols[card].bit_count() <= 4, "PP-C8", row.path, "a card can show at most four symbols")
    place = c.place[card]
    region = c.place_region[place]
    right = c.region[card] == region
    constraints.check(
        right, "PP-C9", row.path, "the region must be that of {0}, {1}", c.place_names[place], c.region_names[region]
    )


def check_cards(c: Components, constraints: ConstraintCheck) -> None:
    for deck, row in enumerate(c.file.row("decks").rows("deck")):
        events = sum([1 for card in range(c.events) if c.deck[card] == deck])
        stated = row.integer("events")
        right = stated == (18, 60, 20)[deck] == events
        constraints.check_printed(right, "PP-C1", row.path, "says {0} events, but {1} are listed", stated, events)
    wilds = sum(c.wild)
    constraints.check_printed(wilds == 4, "PP-C1", "bonus", "there must be 4 Region cards, not {0}", wilds)
    bonus = c.cards - c.events
    constraints.check_printed(bonus == 10, "PP-C1", "bonus", "there must be 10 Region and Symbol cards, not {0}", bonus)
    titles = [c.titles[card].text for card in range(c.events)]
    for i, title in enumerate(titles):
        path = f"events.card.{c.card_ids[i]}"
        constraints.check_printed(titles.index(title) == i, "PP-C2", path, "two cards have the title {0}", repr(title))
    held = [c.symbol_card[card] for card in range(c.events, c.cards) if c.symbol_card[card] != NONE]
    for kind, name in enumerate(c.symbol_ids):
        path = f"symbols.symbol.{name}"
        constraints.check_printed(held.count(kind) == 1, "PP-C2", path, "each symbol must have one Symbol card")


def check_centuries(c: Components, printed: dict[str, Space], constraints: ConstraintCheck) -> None:
    left = dict(printed)
    added = [0] * c.spaces
    for card, row in enumerate(c.file.row("events").rows("card")):
        if row.has("t"):
            added[c.period[card]] += 1
        else:
            left.pop(get_printed_title(row), None)
    for title, space in left.items():
        path = f"timeline.space.{c.space_ids[space]}"
        constraints.check_printed(False, "PP-C3", path, "no card has the title {0}", repr(title))
    for space, row in enumerate(c.file.row("timeline").rows("space")):
        right = added[space] == row.integer("added")
        constraints.check_printed(
            right, "PP-C3", row.path, "says another number of added titles than {0}", added[space]
        )
    for century, wanted in enumerate(EVENTS_BY_CENTURY, start=1):
        events = c.period.count(century)
        path = f"timeline.space.{c.space_ids[century]}"
        constraints.check_printed(events == wanted, "PP-C4", path, "has {0} events instead of {1}", events, wanted)


def check_symbols(c: Components, constraints: ConstraintCheck) -> None:
    for kind, row in enumerate(c.file.row("symbols").rows("symbol")):
        times = [0, 0, 0]
        for card in range(c.events):
            times[c.deck[card]] += (c.symbols[card] >> kind) & 1
        right = times == row.integers("stats")
        constraints.check_printed(
            right, "PP-C5", row.path, "must give the number of cards with this symbol, by deck: {0}", str(times)
        )
    shown = {c.symbols[card].bit_count() for card in range(c.events)}
    constraints.check_printed(
        {0, 4} <= shown, "PP-C8", "events", "at least one card must show no symbol, and at least one must show four"
    )
    wanted = sum([find_symbol_bit(c, name, "PP-C8", constraints) for name in ("ancient", "mountain", "god_speaks")])
    there = wanted in c.symbols
    constraints.check_printed(
        there, "PP-C8", "events", "at least one card must show exactly Ancient, Mountain and God Speaks"
    )


def check_regions(c: Components, constraints: ConstraintCheck) -> None:
    for region, row in enumerate(c.file.row("regions").rows("region")):
        times = [0, 0, 0]
        for card in range(c.events):
            times[c.deck[card]] += 1 if c.region[card] == region else 0
        right = times == row.integers("stats")
        constraints.check_printed(
            right, "PP-C6", row.path, "must give the number of cards in this region, by deck: {0}", str(times)
        )
    for place, name in enumerate(c.place_ids):
        constraints.check_printed(
            place in c.place, "PP-C10", f"places.place.{name}", "at least one event must happen there"
        )
    homes = {c.place_region[place] for place in c.suggested_portals}
    suggested = len(c.suggested_portals)
    path = "portals.suggested"
    constraints.check(suggested == len(homes), "PP-C13", path, "the suggested portals must be in different regions")
    constraints.check_printed(
        suggested == c.portals, "PP-C13", path, "suggests {0} portals instead of {1}", suggested, c.portals
    )


def check_fuel(c: Components, constraints: ConstraintCheck) -> None:
    by_deck: dict[int, list[int]] = {deck: [0] * len(c.colour_ids) for deck in (GENESIS, OLD, NEW)}
    for card in range(c.events):
        if c.fuel[card]:
            by_deck[c.deck[card]][c.colour[card]] += 1
    constraints.check_printed(2 in c.fuel, "PP-C14", "events", "at least one card must have two fuel icons")
    for deck, counts in by_deck.items():
        equal = len(set(counts)) == 1
        path = f"decks.deck.{c.deck_ids[deck]}"
        constraints.check_printed(
            equal, "PP-C14", path, "each colour of fuel must be on the same number of cards, not {0}", str(counts)
        )


def check_points(c: Components, constraints: ConstraintCheck) -> None:
    worth: dict[int, list[int]] = {}
    for card in range(c.events):
        worth.setdefault(c.symbols[card].bit_count(), []).append(c.points[card])
    means = [sum(worth[shown]) / len(worth[shown]) for shown in sorted(worth)]
    falls = all(more > less for more, less in pairwise(means))
    constraints.check_printed(
        falls, "PP-C15", "events", "the more symbols a card shows, the fewer points it must be worth on average"
    )


def check_road_graph(c: Components, constraints: ConstraintCheck) -> None:
    for place, near in enumerate(c.neighbours):
        path = f"places.place.{c.place_ids[place]}"
        constraints.check_printed(2 <= len(near) <= 5, "PP-C11", path, "it must have 2 to 5 roads, not {0}", len(near))
    if "bethsaida" in c.place_ids:
        near_it = {c.place_ids[place] for place in c.neighbours[c.place_ids.index("bethsaida")]}
        constraints.check_printed(
            near_it == NEAR_BETHSAIDA,
            "PP-C12",
            "places.place.bethsaida",
            "its roads must lead to {0} and nowhere else",
            ", ".join(sorted(NEAR_BETHSAIDA)),
        )
    for place in range(c.places):
        without = [[there for there in near if there != place] for near in c.neighbours]
        reached = compute_road_distances(without, 0 if place else 1)
        path = f"places.place.{c.place_ids[place]}"
        constraints.check_printed(
            reached.count(NONE) == 1, "PP-C11", path, "the map must stay connected without this place"
        )
    farthest = max([max(row) for row in c.distance])
    path = "limits.greatest_distance"
    right = farthest == c.greatest_distance
    constraints.check_printed(right, "PP-C11", path, "must be {0}, the greatest distance in roads", farthest)
    linked = [list(near) for near in c.neighbours]
    for place in c.suggested_portals:
        linked[place] += [other for other in c.suggested_portals if other != place]
    farthest = max([max(compute_road_distances(linked, place)) for place in range(c.places)])
    path = "limits.greatest_distance_by_portal"
    right = farthest == c.greatest_distance_by_portal
    constraints.check_printed(
        right, "PP-C11", path, "must be {0}, the greatest distance with the suggested portals", farthest
    )


def check_drawing(c: Components, constraints: ConstraintCheck) -> None:
    rows = c.file.row("places").rows("place")
    spots: dict[tuple[float, float], str] = {}
    for place, row in enumerate(rows):
        spot = (row.number("lat"), row.number("lon"))
        new = spot not in spots
        constraints.check_printed(
            new, "PP-C16", row.path, "this place is at the same point as {0}", spots.get(spot, "")
        )
        spots[spot] = c.place_ids[place]
        if c.region_ids[c.place_region[place]] != "distant":
            home = 31.2 <= spot[0] <= 33.1 and 34.4 <= spot[1] <= 35.7
            constraints.check_printed(
                home, "PP-C16", row.path, "a place outside Distant Destinations must be within 31.2-33.1 N, 34.4-35.7 E"
            )
    at = [(row.integer("x"), row.integer("y")) for row in rows]
    for place, (x, y) in enumerate(at):
        for other in range(place):
            gap = (x - at[other][0]) ** 2 + (y - at[other][1]) ** 2
            apart = gap >= MIN_GAP**2
            constraints.check_printed(
                apart, "PP-C17", rows[place].path, "this place is drawn too near {0}", c.place_names[other]
            )
    for i, (a, b) in enumerate(c.roads):
        for d, e in c.roads[:i]:
            if len({a, b, d, e}) == 4:
                cross = lines_cross(at[a], at[b], at[d], at[e])
                ends = (c.place_ids[a], c.place_ids[b], c.place_ids[d], c.place_ids[e])
                constraints.check_printed(
                    not cross, "PP-C17", f"roads.road.{i}", "the road {0} to {1} crosses the road {2} to {3}", *ends
                )


def lines_cross(a: tuple[int, int], b: tuple[int, int], d: tuple[int, int], e: tuple[int, int]) -> bool:
    """Return whether the lines a-b and d-e cross.

    A drawing without crossings proves that the map is planar (PP-C11).
    """
    return (
        compute_turn_direction(a, b, d) * compute_turn_direction(a, b, e) <= 0
        and compute_turn_direction(d, e, a) * compute_turn_direction(d, e, b) <= 0
    )


def compute_turn_direction(a: tuple[int, int], b: tuple[int, int], p: tuple[int, int]) -> int:
    turn = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    return (turn > 0) - (turn < 0)
