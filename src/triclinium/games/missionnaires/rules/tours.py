"""Short tours through many congregations, for balanced deals and evaluation (LM-9.1)."""

from typing import Final

from triclinium.games.missionnaires.rules.components import Components

MAX_CACHED_TOURS: Final = 100_000  # maximum size of the tour cache before it is cleared
PERIODICAL_SAVING: Final = 15  # twentieths of a turn that one periodical saves
MAX_DETOUR: Final = 8 * PERIODICAL_SAVING  # longest detour that can be worth a full hand of periodicals
PERIODICAL_STRETCH: Final = 40  # twentieths of a turn in which a player spends one periodical: the time for two spaces
MAX_PART: Final = 3  # maximum number of neighbouring spaces that are moved together


def measure_tour(c: Components, start: int, cards: tuple[int, ...]) -> int:
    """Return the length of a short tour from a space through the congregations of these cards to the Bethel."""
    return get_cached_tour(c, start, cards)[0]


def measure_tour_with_return(c: Components, start: int, cards: tuple[int, ...], held: int) -> int:
    """Return the length of the tour, reduced by the best return to the Bethel for periodicals, if one pays (LM-4.4)."""
    known = get_cached_tour(c, start, cards)
    most = 0
    for i in range(1, len(known), 3):
        uses = min(c.periodicals_max, known[i + 2] // PERIODICAL_STRETCH)
        left = max(0, held - known[i] // PERIODICAL_STRETCH)
        most = max(most, PERIODICAL_SAVING * (uses - min(left, uses)) - known[i + 1])
    return known[0] - most


def get_cached_tour(c: Components, start: int, cards: tuple[int, ...]) -> list[int]:
    """Return the length of a tour and, for each possible return, three numbers.

    The numbers are the distance to the return, the length of the detour, and the distance left after it.
    """
    key = start
    for card in cards:
        key |= 256 << card
    known = c.tours.get(key)
    if known is None:
        # The cards are sorted, so that the tour does not depend on the order of the hand.
        way = find_short_tour(c.travel, c.bethel, start, [c.congregation_at[card] for card in sorted(cards)])
        known = [measure_path(c.travel, way), *measure_returns(c.travel, c.bethel, way)]
        if len(c.tours) > MAX_CACHED_TOURS:
            c.tours.clear()
        c.tours[key] = known
    return known


def measure_returns(far: list[list[int]], home: int, way: list[int]) -> list[int]:
    """Return the figures of `get_cached_tour` for every possible return, from one end of the tour to the other."""
    return_figures: list[int] = []
    total = measure_path(far, way)
    gone = 0
    for i in range(len(way) - 2):
        a = way[i]
        b = way[i + 1]
        longer = far[a][home] + far[home][b] - far[a][b]
        if longer < MAX_DETOUR and a != home:
            return_figures += [gone + far[a][home], longer, total - gone + far[home][b] - far[a][b]]
        gone += far[a][b]
    return return_figures


def measure_short_tour(far: list[list[int]], home: int, start: int, spaces: list[int]) -> int:
    """Return the length of a short tour, given the distances between all spaces."""
    return measure_path(far, find_short_tour(far, home, start, spaces))


def find_short_tour(far: list[list[int]], home: int, start: int, spaces: list[int]) -> list[int]:
    """Return a short tour from a space through all the others to the Bethel: the better of two constructions.

    One construction starts with the nearest spaces, the other with the farthest. The result is the shortest tour in all
    but a few percent of hands, and takes a hundredth of the time of a full search. A worse method would make bots walk
    in circles, because a tour from the previous space would look shorter.
    """
    near_first = [space for _, space in sorted([(far[start][a] + far[a][home], a) for a in spaces])]
    near_built = build_path(far, home, start, near_first)
    if len(spaces) < 2:
        return near_built
    far_built = build_path(far, home, start, near_first[::-1])
    return near_built if measure_path(far, near_built) <= measure_path(far, far_built) else far_built


def measure_path(far: list[list[int]], way: list[int]) -> int:
    """Return the length of a path."""
    total = 0
    for i in range(1, len(way)):
        total += far[way[i - 1]][way[i]]
    return total


def build_path(far: list[list[int]], home: int, start: int, spaces: list[int]) -> list[int]:
    """Return a path: insert each space where it costs least, then reverse and move parts until nothing improves."""
    way = [start, home]
    for space in spaces:
        insert_part(far, way, [space], 1 << 30)
    better = True
    while better:
        better = reverse_parts(far, way) or move_parts(far, way)
    return way


def insert_part(far: list[list[int]], way: list[int], part: list[int], most: int) -> bool:
    """Insert a part into the path in the cheapest position and direction.

    Return False, without a change, if the cost is never below ``most``.
    """
    first = far[part[0]]
    last = far[part[-1]]
    where = 0
    backwards = False
    for i in range(1, len(way)):
        a = way[i - 1]
        b = way[i]
        gap = far[a][b]
        if first[a] + last[b] - gap < most:
            most = first[a] + last[b] - gap
            where = i
            backwards = False
        if last[a] + first[b] - gap < most:
            most = last[a] + first[b] - gap
            where = i
            backwards = True
    if where:
        way[where:where] = part[::-1] if backwards else part
    return where > 0


def reverse_parts(far: list[list[int]], way: list[int]) -> bool:
    """Reverse every inner part of the path if that makes the path shorter, and return whether any was reversed."""
    helped = False
    for i in range(1, len(way) - 2):
        for j in range(i + 1, len(way) - 1):
            now = far[way[i - 1]][way[i]] + far[way[j]][way[j + 1]]
            turned = far[way[i - 1]][way[j]] + far[way[i]][way[j + 1]]
            if turned < now:
                way[i : j + 1] = way[i : j + 1][::-1]
                helped = True
    return helped


def move_parts(far: list[list[int]], way: list[int]) -> bool:
    """Move every part of one to three spaces to a cheaper position, and return whether any moved."""
    helped = False
    for size in range(1, MAX_PART + 1):
        for i in range(1, len(way) - size):
            part = way[i : i + size]
            a = way[i - 1]
            b = way[i + size]
            now = far[a][part[0]] + far[part[-1]][b] - far[a][b]
            if now > 0:
                rest = way[:i] + way[i + size :]
                if insert_part(far, rest, part, now):
                    way[:] = rest
                    helped = True
    return helped
