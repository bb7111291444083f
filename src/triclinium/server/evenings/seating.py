"""Seating of the next round of an evening: who plays at which table.

The result depends only on the arguments. Its cost is the sum of

    100 x the square of how often each pair at a table has met before
     10 x the spread of points at each table, as a share of the spread among all
      1 x the first turns that the first player of each table has had before

Up to 8 people, all seatings are compared; above, a local search exchanges people between tables.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Final

from triclinium.engine.core.rng import Rng

MEETING_COST: Final = 100.0
SPREAD_COST: Final = 10.0
ONLY_BOTS_COST: Final = 1e6  # makes a table without people the last resort
MAX_EXACT: Final = 8  # people for whom all seatings are compared
MAX_TRIALS: Final = 18_000  # exchanges that the local search tries
MAX_FAILURES: Final = 40  # the search ends after this many random starts in a row without an improvement
SEEDS: Final = 1 << 32


@dataclass(frozen=True, slots=True)
class Guest:
    """Someone to be seated, by their number. ``firsts`` counts the rounds in which they had the first turn."""

    number: int
    points: float = 0.0
    firsts: int = 0
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class Seating:
    """The tables of a round. The first guest of each table has the first turn."""

    tables: tuple[tuple[int, ...], ...]
    cost: float
    repeated: int  # pairs at a table who have met before
    all_first: bool  # whether nobody has the first turn who has had it before


@dataclass(frozen=True, slots=True)
class SeatingRefusal:
    """The reason for which this number of people cannot be seated, and what would help."""

    people: int
    sizes: tuple[int, ...]
    bots: int  # bots that would complete the tables
    pauses: int  # people who could pause instead; 0: a pause does not help


@lru_cache(maxsize=512)
def choose_table_sizes(people: int, allowed: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sizes of the tables, the largest first: few tables, as equal as possible. Empty if there are none."""
    low, high = min(allowed), max(allowed)
    for count in range(-(-people // high), people // low + 1):
        fitting = [sizes for sizes in combinations_with_replacement(sorted(allowed), count) if sum(sizes) == people]
        if fitting and people:
            return min(fitting, key=lambda sizes: sizes[-1] - sizes[0])[::-1]
    return ()


def explain_refusal(people: int, allowed: tuple[int, ...]) -> SeatingRefusal | None:
    """Return why this number of people cannot be seated, or None if they can."""
    if choose_table_sizes(people, allowed):
        return None
    bots = next(n for n in range(1, max(allowed) + min(allowed)) if choose_table_sizes(people + n, allowed))
    pauses = next((n for n in range(1, people) if choose_table_sizes(people - n, allowed)), 0)
    return SeatingRefusal(people, allowed, bots, pauses)


@dataclass(slots=True)
class _Costs:
    """The cost of a table, whose guests are given by their place in the list of guests."""

    guests: Sequence[Guest]
    meetings: Mapping[tuple[int, int], int]
    pairs: list[list[float]] = field(init=False)
    points: list[float] = field(init=False)  # points that cost 1 for each point of spread
    firsts: list[int] = field(init=False)
    has_bots: bool = field(init=False)

    def __post_init__(self) -> None:
        numbers = [guest.number for guest in self.guests]
        met = [[self.meetings.get((min(a, b), max(a, b)), 0) for b in numbers] for a in numbers]
        self.pairs = [[MEETING_COST * times * times for times in row] for row in met]
        known = [guest.points for guest in self.guests if not guest.is_bot] or [0.0]
        spread = (max(known) - min(known)) or 1.0
        self.points = [SPREAD_COST * guest.points / spread for guest in self.guests]
        self.firsts = [guest.firsts for guest in self.guests]
        self.has_bots = any(guest.is_bot for guest in self.guests)

    def compute_cost(self, table: Sequence[int]) -> float:
        pairs, cost = self.pairs, 0.0
        for place in range(1, len(table)):
            row = pairs[table[place]]
            for other in table[:place]:
                cost += row[other]
        if self.has_bots:
            table = [one for one in table if not self.guests[one].is_bot]
            if not table:
                return cost + ONLY_BOTS_COST
        points = [self.points[one] for one in table]
        return cost + max(points) - min(points) + min([self.firsts[one] for one in table])

    def count_repeated(self, table: Sequence[int]) -> int:
        return sum(self.pairs[a][b] > 0 for a, b in combinations(table, 2))


def seat_guests(
    guests: Sequence[Guest], meetings: Mapping[tuple[int, int], int], allowed: tuple[int, ...], seed: int
) -> Seating | None:
    """Return the seating of the next round, or None if these guests cannot be seated.

    ``meetings`` counts how often two guests have met, by both numbers, the lower one first. ``allowed`` are the
    numbers of seats that the game allows. Different seeds give different seatings of the same cost, if there are any.
    """
    sizes = choose_table_sizes(len(guests), allowed)
    if not sizes:
        return None
    rng, costs = Rng(seed % SEEDS), _Costs(guests, meetings)
    order = list(range(len(guests)))
    rng.shuffle(order)
    if len(guests) <= MAX_EXACT:
        seatings = _list_seatings(order, sizes)
        return _make_seating(min(seatings, key=lambda tables: sum(map(costs.compute_cost, tables))), costs)
    return _make_seating(_search(order, sizes, costs, rng), costs)


def arrange_seating(
    tables: Sequence[Sequence[int]], guests: Sequence[Guest], meetings: Mapping[tuple[int, int], int]
) -> Seating:
    """Return a seating that someone has chosen by hand, with the first turns in fair order."""
    place = {guest.number: n for n, guest in enumerate(guests)}
    return _make_seating([[place[number] for number in table] for table in tables], _Costs(guests, meetings))


def _make_seating(tables: Sequence[Sequence[int]], costs: _Costs) -> Seating:
    guests = costs.guests
    arranged = [sorted(table, key=lambda one: (guests[one].is_bot, guests[one].firsts)) for table in tables]
    ordered = [
        [table[0], *(one for one in before if one != table[0])] for table, before in zip(arranged, tables, strict=True)
    ]
    return Seating(
        tuple(tuple(guests[one].number for one in table) for table in ordered),
        sum(map(costs.compute_cost, tables)),
        sum(map(costs.count_repeated, tables)),
        all(guests[table[0]].firsts == 0 for table in ordered),
    )


def _list_seatings(order: Sequence[int], sizes: tuple[int, ...]) -> Iterator[list[Sequence[int]]]:
    """Yield every way to divide people into tables of these sizes, each once."""
    if not order:
        yield []
        return
    first, others = order[0], order[1:]
    for size in sorted(set(sizes)):
        rest_sizes = list(sizes)
        rest_sizes.remove(size)
        for company in combinations(others, size - 1):
            rest = [one for one in others if one not in company]
            for tables in _list_seatings(rest, tuple(rest_sizes)):
                yield [(first, *company), *tables]


def _search(order: list[int], sizes: tuple[int, ...], costs: _Costs, rng: Rng) -> list[list[int]]:
    """Return the best of several local optima. Each begins with a random seating and exchanges two people at a time."""
    best: list[list[int]] = []
    best_cost, trials, failures = float("inf"), 0, 0
    while trials < MAX_TRIALS and failures < MAX_FAILURES:
        tables = _deal(order, sizes)
        trials = _improve(tables, costs, trials)
        cost = sum(map(costs.compute_cost, tables))
        failures += 1
        if cost < best_cost - 1e-9:
            best, best_cost, failures = tables, cost, 0
        rng.shuffle(order)
    return best


def _deal(order: Sequence[int], sizes: tuple[int, ...]) -> list[list[int]]:
    tables, begin = [], 0
    for size in sizes:
        tables.append(list(order[begin : begin + size]))
        begin += size
    return tables


def _improve(tables: list[list[int]], costs: _Costs, trials: int) -> int:
    """Exchange people until no exchange lowers the cost or the trials are used up. Return the number of trials."""
    table_costs = [costs.compute_cost(table) for table in tables]
    has_changed = True
    while has_changed:
        has_changed = False
        for a, b in combinations(range(len(tables)), 2):
            if trials >= MAX_TRIALS:
                return trials
            one, other = tables[a], tables[b]
            for i in range(len(one)):
                for j in range(len(other)):
                    trials += 1
                    one[i], other[j] = other[j], one[i]
                    cost_a, cost_b = costs.compute_cost(one), costs.compute_cost(other)
                    if cost_a + cost_b < table_costs[a] + table_costs[b] - 1e-9:
                        table_costs[a], table_costs[b] = cost_a, cost_b
                        has_changed = True
                    else:
                        one[i], other[j] = other[j], one[i]
    return trials
