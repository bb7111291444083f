"""Short ways through many congregations: the tour that is left to a proclaimer (LM-9.1)."""

from typing import Final

from triclinium.games.missionnaires.rules.components import Components

MAX_CACHED_TOURS: Final = 100_000  # tours remembered before the memory is cleared
PERIODICAL_SAVING: Final = 15  # twentieths of a turn that a periodical saves
MAX_DETOUR: Final = 8 * PERIODICAL_SAVING  # no way round that is longer is worth a full hand
PERIODICAL_STRETCH: Final = 40  # twentieths of a way on which one periodical is spent: two spaces
MAX_PART: Final = 3  # spaces of a way that are moved together


def measure_tour(c: Components, start: int, cards: tuple[int, ...]) -> int:
    """The length of a short way from a space through the congregations of these cards to the Bethel."""
    return get_cached_tour(c, start, cards)[0]


def measure_tour_with_return(c: Components, start: int, cards: tuple[int, ...], held: int) -> int:
    """The same, less what is saved by going back to the Bethel for periodicals on the way, where that pays (LM-4.4)."""
    known = get_cached_tour(c, start, cards)
    most = 0
    for i in range(1, len(known), 3):
        uses = min(c.periodicals_max, known[i + 2] // PERIODICAL_STRETCH)
        left = max(0, held - known[i] // PERIODICAL_STRETCH)
        most = max(most, PERIODICAL_SAVING * (uses - min(left, uses)) - known[i + 1])
    return known[0] - most


def get_cached_tour(c: Components, start: int, cards: tuple[int, ...]) -> list[int]:
    """The length of the tour; then for each return to the Bethel that may pay: the way there, how much longer the tour
    is with it, the way that is left from there."""
    key = start
    for card in cards:
        key |= 256 << card
    known = c.tours.get(key)
    if known is None:
        # Sorted: were the tour to hang on the order of the cards, what is remembered would change choices.
        way = find_short_tour(c.travel, c.bethel, start, [c.congregation_at[card] for card in sorted(cards)])
        known = [measure_path(c.travel, way), *measure_returns(c.travel, c.bethel, way)]
        if len(c.tours) > MAX_CACHED_TOURS:
            c.tours.clear()
        c.tours[key] = known
    return known


def measure_returns(far: list[list[int]], home: int, way: list[int]) -> list[int]:
    """What `known_tour` says of returns, from one end of the way to the other."""
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
    """The length of a fair way, by the length of the way from each space to each other."""
    return measure_path(far, find_short_tour(far, home, start, spaces))


def find_short_tour(far: list[list[int]], home: int, start: int, spaces: list[int]) -> list[int]:
    """From a space through all the others home: the better of two ways, built from afar and from near by.

    It is the shortest but for a few hands in a hundred, and takes a hundredth of the time that trying all orders would.
    A way that were often too long would lead in circles: it would look shorter from the space just left.
    """
    near_first = [space for _, space in sorted([(far[start][a] + far[a][home], a) for a in spaces])]
    near_built = build_path(far, home, start, near_first)
    if len(spaces) < 2:
        return near_built
    far_built = build_path(far, home, start, near_first[::-1])
    return near_built if measure_path(far, near_built) <= measure_path(far, far_built) else far_built


def measure_path(far: list[list[int]], way: list[int]) -> int:
    """Of a whole way."""
    total = 0
    for i in range(1, len(way)):
        total += far[way[i - 1]][way[i]]
    return total


def build_path(far: list[list[int]], home: int, start: int, spaces: list[int]) -> list[int]:
    """A way: each space put in where it costs least, then parts turned and moved until nothing helps."""
    way = [start, home]
    for space in spaces:
        insert_part(far, way, [space], 1 << 30)
    better = True
    while better:
        better = reverse_parts(far, way) or move_parts(far, way)
    return way


def insert_part(far: list[list[int]], way: list[int], part: list[int], most: int) -> bool:
    """Put a part into the way, either way round, where it costs least. False, and nothing done, if never below most."""
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
    """Turn round every part of the way that is shorter backwards; both ends stay. Whether that helped."""
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
    """Move every part of one to three spaces to where it costs less. Whether that helped."""
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
