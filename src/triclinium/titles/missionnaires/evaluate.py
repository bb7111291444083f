"""What a bot weighs: above all the way that is left (specification, section 9)."""

from typing import Final

from triclinium.kernel.state import Seat
from triclinium.titles.missionnaires.actions.obstacles import under_way
from triclinium.titles.missionnaires.components import OFF, Components
from triclinium.titles.missionnaires.state import THIS_TURN, Missionnaires

FEATURES: Final = (
    "tour",  # the way through all that is unvisited to the Bethel, in turns of one space
    "unvisited",
    "periodicals",  # up to five
    "spare_periodicals",
    "company",  # turns that an overseer saves until the next visit, when he stays behind
    "bons",
    "missed",
    "home",
    "rank",
    "stopped",  # the match is over, and this seat is not home
    "rivals_unvisited",
    "rivals_missed",
    "idle",  # the turn was passed: what is not lost by a bad card is lost by waiting
)

TURN: Final = 20.0  # lengths of ways that make a turn

LONG: Final = 70.0  # the way at the beginning, in turns
KEPT: Final = 200_000  # tours remembered before the memory is cleared


def features(s: Missionnaires, seat: Seat) -> list[float]:
    """The numbers of one seat, in the order of FEATURES."""
    if s.rank[seat] != 0:
        return [0.0] * 7 + [1.0, float(s.rank[seat]), 0.0, 0.0, 0.0, 0.0]
    held = s.periodicals[seat]
    here = soon(s, seat)
    others = [other for other in range(s.seats) if other != seat and s.rank[other] == 0]
    rivals = max(1, len(others))
    return [
        tour(s.c, here, s.hand[seat]) / TURN,
        float(len(s.hand[seat])),
        float(min(held, 5)),
        float(max(held - 5, 0)),
        saved_by_company(s, seat, here),
        float(len(s.bons[seat])),
        float(s.missed[seat]),
        0.0,
        0.0,
        1.0 if s.over else 0.0,
        sum([len(s.hand[other]) for other in others]) / rivals,
        sum([s.missed[other] for other in others]) / rivals,
        1.0 if s.passed[seat] & THIS_TURN else 0.0,
    ]


def progress(s: Missionnaires) -> float:
    """By the way that is left to whoever has least of it."""
    least = LONG
    for seat in range(s.seats):
        left = 0.0 if s.rank[seat] != 0 else tour(s.c, s.at[seat], s.hand[seat]) / TURN
        least = min(least, left)
    return 1.0 - least / LONG


def saved_by_company(s: Missionnaires, seat: Seat, here: int) -> float:
    """LM-3.2, LM-4.3  Half of the way to the nearest congregation, or home when all are visited."""
    if s.company(seat) == OFF:
        return 0.0
    far = s.c.travel[here]
    nearest = far[s.c.bethel]
    if s.hand[seat]:
        nearest = min([far[s.c.congregation_at[card]] for card in s.hand[seat]])
    return 0.5 * nearest / TURN


def soon(s: Missionnaires, seat: Seat) -> int:
    """Where the pawn will stand once the step that is under way is made."""
    to = under_way(s) if seat == s.turn else OFF
    return s.at[seat] if to == OFF else to


def tour(c: Components, start: int, cards: tuple[int, ...]) -> int:
    """The length of a short way from a space through the congregations of these cards to the Bethel."""
    key = start
    for card in cards:
        key |= 256 << card
    known = c.tours.get(key)
    if known is None:
        # Sorted: were the tour to hang on the order of the cards, what is remembered would change choices.
        known = fair_tour(c, start, [c.congregation_at[card] for card in sorted(cards)])
        if len(c.tours) > KEPT:
            c.tours.clear()
        c.tours[key] = known
    return known


def fair_tour(c: Components, start: int, spaces: list[int]) -> int:
    """A way through all the spaces: each put in where it costs least, then bettered until nothing helps.

    It is the shortest or hardly longer, and takes a twentieth of the time that trying all orders would.
    """
    way = [start, c.bethel]
    for space in spaces:
        put_in(c, way, space)
    better = True
    while better:
        better = turn_round(c, way) or move_over(c, way)
    length = 0
    for i in range(1, len(way)):
        length += c.travel[way[i - 1]][way[i]]
    return length


def put_in(c: Components, way: list[int], space: int) -> None:
    """Put a space into the way where it costs least."""
    best = 1 << 30
    where = 1
    for i in range(1, len(way)):
        extra = c.travel[way[i - 1]][space] + c.travel[space][way[i]] - c.travel[way[i - 1]][way[i]]
        if extra < best:
            best = extra
            where = i
    way.insert(where, space)


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
    """Take each space out and put it in again where it costs least. Whether that helped."""
    helped = False
    for space in way[1:-1]:
        i = way.index(space, 1)  # the start may be the same space
        before = c.travel[way[i - 1]][space] + c.travel[space][way[i + 1]] - c.travel[way[i - 1]][way[i + 1]]
        del way[i]
        put_in(c, way, space)
        j = way.index(space, 1)
        after = c.travel[way[j - 1]][space] + c.travel[space][way[j + 1]] - c.travel[way[j - 1]][way[j + 1]]
        if after < before:
            helped = True
    return helped
