"""Short ways through many congregations: the tour that is left to a proclaimer (LM-9.1)."""

from typing import Final

from triclinium.games.missionnaires.rules.components import Components

KEPT: Final = 200_000  # tours remembered before the memory is cleared
PART: Final = 3  # spaces of a way that are moved together


def tour(c: Components, start: int, cards: tuple[int, ...]) -> int:
    """The length of a short way from a space through the congregations of these cards to the Bethel."""
    key = start
    for card in cards:
        key |= 256 << card
    known = c.tours.get(key)
    if known is None:
        # Sorted: were the tour to hang on the order of the cards, what is remembered would change choices.
        known = length(c, fair_way(c, start, [c.congregation_at[card] for card in sorted(cards)]))
        if len(c.tours) > KEPT:
            c.tours.clear()
        c.tours[key] = known
    return known


def fair_way(c: Components, start: int, spaces: list[int]) -> list[int]:
    """From a space through all the others to the Bethel: the better of two ways, built from afar and from near by.

    It is the shortest but for a few hands in a hundred, and takes a hundredth of the time that trying all orders would.
    A way that were often too long would lead in circles: it would look shorter from the space just left.
    """
    near_first = [space for _, space in sorted([(c.travel[start][a] + c.travel[a][c.bethel], a) for a in spaces])]
    one = built(c, start, near_first)
    if len(spaces) < 2:
        return one
    other = built(c, start, near_first[::-1])
    return one if length(c, one) <= length(c, other) else other


def length(c: Components, way: list[int]) -> int:
    """In twentieths of a turn."""
    total = 0
    for i in range(1, len(way)):
        total += c.travel[way[i - 1]][way[i]]
    return total


def built(c: Components, start: int, spaces: list[int]) -> list[int]:
    """A way: each space put in where it costs least, then parts turned and moved until nothing helps."""
    way = [start, c.bethel]
    for space in spaces:
        put_in(c, way, [space], 1 << 30)
    better = True
    while better:
        better = turn_round(c, way) or move_over(c, way)
    return way


def put_in(c: Components, way: list[int], part: list[int], most: int) -> bool:
    """Put a part into the way, either way round, where it costs least. False, and nothing done, if never below most."""
    first = c.travel[part[0]]
    last = c.travel[part[-1]]
    where = 0
    backwards = False
    for i in range(1, len(way)):
        a = way[i - 1]
        b = way[i]
        gap = c.travel[a][b]
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


def turn_round(c: Components, way: list[int]) -> bool:
    """Turn round every part of the way that is shorter backwards; both ends stay. Whether that helped."""
    helped = False
    for i in range(1, len(way) - 2):
        for j in range(i + 1, len(way) - 1):
            now = c.travel[way[i - 1]][way[i]] + c.travel[way[j]][way[j + 1]]
            turned = c.travel[way[i - 1]][way[j]] + c.travel[way[i]][way[j + 1]]
            if turned < now:
                way[i : j + 1] = way[i : j + 1][::-1]
                helped = True
    return helped


def move_over(c: Components, way: list[int]) -> bool:
    """Move every part of one to three spaces to where it costs less. Whether that helped."""
    helped = False
    for size in range(1, PART + 1):
        for i in range(1, len(way) - size):
            part = way[i : i + size]
            a = way[i - 1]
            b = way[i + size]
            now = c.travel[a][part[0]] + c.travel[part[-1]][b] - c.travel[a][b]
            if now > 0:
                rest = way[:i] + way[i + size :]
                if put_in(c, rest, part, now):
                    way[:] = rest
                    helped = True
    return helped
