"""Property tests of the seating of an evening, in all games and for 2 to 64 people, and of the points of a round."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

import pytest

from tests.slow import slow
from triclinium.engine.registry import list_games, load_game
from triclinium.server.evenings.points import (
    GuestResult,
    build_ranking,
    compute_late_start,
    score_table,
)
from triclinium.server.evenings.seating import Guest, Seating, choose_table_sizes, explain_refusal, seat_guests

ALLOWED = sorted({tuple(load_game(id).seats) for id in list_games()})
MANY = 64


def can_be_seated(people: int, allowed: Sequence[int]) -> bool:
    """Return whether people fill tables of these sizes, counted like coins."""
    reachable = {0}
    for total in range(1, people + 1):
        if any(total - size in reachable for size in allowed):
            reachable.add(total)
    return people in reachable


class History:
    """Rounds that have been played, with random points."""

    def __init__(self, people: int, chance: random.Random) -> None:
        self.people, self.chance = people, chance
        self.meetings: Counter[tuple[int, int]] = Counter()
        self.firsts: Counter[int] = Counter()
        self.points: Counter[int] = Counter()

    def list_guests(self) -> list[Guest]:
        return [Guest(n, self.points[n], self.firsts[n]) for n in range(1, self.people + 1)]

    def add(self, tables: Sequence[Sequence[int]]) -> None:
        for table in tables:
            self.firsts[table[0]] += 1
            self.meetings.update(combinations(sorted(table), 2))
            for number in table:
                self.points[number] += self.chance.randint(-20, 20)


def compute_cost(tables: Sequence[Sequence[int]], history: History) -> float:
    """Return the cost of a seating, by the formula of the specification."""
    points = {guest.number: guest.points for guest in history.list_guests()}
    spread = (max(points.values()) - min(points.values())) or 1.0
    cost = 0.0
    for table in tables:
        cost += sum(100 * history.meetings[a, b] ** 2 for a, b in combinations(sorted(table), 2))
        own = [points[number] for number in table]
        cost += 10 * (max(own) - min(own)) / spread + min(history.firsts[number] for number in table)
    return cost


def check_seating(found: Seating, history: History, allowed: Sequence[int]) -> None:
    sizes = [len(table) for table in found.tables]
    assert sorted(number for table in found.tables for number in table) == list(range(1, history.people + 1))
    assert set(sizes) <= set(allowed)
    assert max(sizes) - min(sizes) <= 1
    assert found.cost == pytest.approx(compute_cost(found.tables, history))
    assert found.repeated == sum(
        history.meetings[pair] > 0 for table in found.tables for pair in combinations(sorted(table), 2)
    )
    for table in found.tables:
        assert history.firsts[table[0]] == min(history.firsts[number] for number in table)


@pytest.mark.parametrize("allowed", ALLOWED, ids=str)
def test_everyone_sits_once_at_tables_of_allowed_and_equal_sizes(allowed: tuple[int, ...]) -> None:
    for people in (*range(2, 13), 33, MANY):
        chance = random.Random(people)
        history = History(people, chance)
        for number in range(2):
            found = seat_guests(history.list_guests(), history.meetings, allowed, number)
            assert (found is not None) == can_be_seated(people, allowed)
            if found is not None:
                check_seating(found, history, allowed)
                assert seat_guests(history.list_guests(), history.meetings, allowed, number) == found
                numbers = list(range(1, people + 1))
                chance.shuffle(numbers)
                drawn, begin = [], 0
                for table in found.tables:
                    drawn.append(numbers[begin : begin + len(table)])
                    begin += len(table)
                assert found.cost <= compute_cost(drawn, history) + 1e-6
                history.add(found.tables)


@pytest.mark.parametrize("allowed", ALLOWED, ids=str)
@pytest.mark.parametrize("people", [pytest.param(n, marks=pytest.mark.slow) for n in range(2, MANY + 1)])
def test_all_numbers_of_people(allowed: tuple[int, ...], people: int) -> None:
    history = History(people, random.Random(people))
    for number in range(6):
        found = seat_guests(history.list_guests(), history.meetings, allowed, number)
        if found is None:
            assert not can_be_seated(people, allowed)
            return
        check_seating(found, history, allowed)
        history.add(found.tables)


def list_all(numbers: Sequence[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Yield every seating by trying all orders, some of them several times."""
    for order in permutations(numbers):
        tables, begin = [], 0
        for size in sizes:
            tables.append(order[begin : begin + size])
            begin += size
        if all(list(table) == sorted(table) for table in tables):
            yield tables


@pytest.mark.parametrize(("people", "rounds"), [(5, 4), (6, 3), slow(7, 4), slow(8, 4)])
def test_up_to_eight_people_no_seating_costs_less(people: int, rounds: int) -> None:
    for allowed in ALLOWED:
        history = History(people, random.Random(9))
        for number in range(rounds):
            found = seat_guests(history.list_guests(), history.meetings, allowed, number)
            if found is None:
                break
            sizes = choose_table_sizes(people, allowed)
            least = min(compute_cost(tables, history) for tables in list_all(range(1, people + 1), sizes))
            assert found.cost == pytest.approx(least)
            history.add(found.tables)


def test_above_eight_people_repeats_are_avoided_where_a_plan_exists() -> None:
    """Nine people can meet in threes for four rounds without a repeat, 16 in fours for three."""
    for people, allowed, rounds in ((9, (3,), 4), (16, (4,), 3), (12, (2,), 8)):
        history = History(people, random.Random(1))
        for number in range(rounds):
            found = seat_guests(history.list_guests(), history.meetings, allowed, number)
            assert found is not None
            assert found.repeated == 0
            history.add(found.tables)


def test_a_refusal_suggests_a_solution() -> None:
    for allowed in ALLOWED:
        for people in range(1, MANY + 1):
            refusal = explain_refusal(people, allowed)
            assert (refusal is None) == can_be_seated(people, allowed)
            if refusal is not None:
                assert can_be_seated(people + refusal.bots, allowed)
                assert not refusal.pauses or can_be_seated(people - refusal.pauses, allowed)
    five = explain_refusal(5, (3, 4))
    assert five is not None
    assert (five.bots, five.pauses) == (1, 1)


def test_a_table_has_a_person_where_possible() -> None:
    guests = [Guest(n, is_bot=n > 2) for n in range(1, 7)]
    for seed in range(20):
        found = seat_guests(guests, {}, (3,), seed)
        assert found is not None
        assert all(min(table) <= 2 for table in found.tables)
        assert all(table[0] <= 2 for table in found.tables)  # a person goes first


def test_another_seed_gives_another_seating() -> None:
    history = History(12, random.Random(0))
    found = {seat_guests(history.list_guests(), {}, (4,), seed) for seed in range(8)}
    assert len({each.tables for each in found if each is not None}) > 1


# -- points -----------------------------------------------------------------------------------------------------------


def test_a_round_gives_the_margin() -> None:
    scored = score_table([GuestResult(1, 1, 96), GuestResult(2, 2, 81), GuestResult(3, 3, 77), GuestResult(4, 4, 70)])
    assert {number: each.points for number, each in scored.items()} == {1: 15, 2: 0, 3: -4, 4: -11}
    assert [number for number, each in scored.items() if each.won] == [1]


def test_without_points_a_round_gives_points_by_rank() -> None:
    scored = score_table(
        [GuestResult(1, 2, None), GuestResult(2, 1, None), GuestResult(3, 4, None), GuestResult(4, 2, None)]
    )
    assert {number: each.points for number, each in scored.items()} == {1: 3, 2: 5, 3: 1, 4: 3}


def test_leaving_a_match_gives_no_points_for_a_lead() -> None:
    scored = score_table([GuestResult(1, 3, 90, left=True), GuestResult(2, 1, 60), GuestResult(3, 2, 30, left=True)])
    assert {number: each.points for number, each in scored.items()} == {1: 0, 2: 0, 3: -30}
    assert [number for number, each in scored.items() if each.won] == [2]


def test_ties_of_points_are_broken_by_wins_or_shared() -> None:
    first = score_table([GuestResult(1, 1, 10), GuestResult(2, 2, 4)])
    second = score_table([GuestResult(1, 2, 4), GuestResult(2, 1, 10)])
    third = score_table([GuestResult(3, 1, 10), GuestResult(4, 1, 10)])
    found = build_ranking(dict.fromkeys(range(1, 5), 0), {1: [first, third], 2: [second]})
    assert {each.number: each.place for each in found} == {1: 1, 2: 1, 3: 1, 4: 1}  # all have one win and 0 points
    found = build_ranking(dict.fromkeys(range(1, 5), 0), {1: [first, third]})
    assert [(each.number, each.place, each.points) for each in found] == [(1, 1, 3), (3, 2, 0), (4, 2, 0), (2, 4, -3)]


def test_a_late_guest_starts_with_the_mean_of_the_lower_half() -> None:
    assert compute_late_start([22, 19, 12, 12, 4, 2, -7, -10, -11, -18, -25]) == -14
    assert compute_late_start([5]) == 5
    assert compute_late_start([]) == 0
    found = build_ranking({1: 0, 2: -14}, {1: [score_table([GuestResult(1, 1, 9), GuestResult(2, 2, 1)])]})
    assert [(each.number, each.points, each.start) for each in found] == [(1, 4, 0), (2, -18, -14)]


def test_a_bot_is_not_in_the_ranking_but_counts_in_the_mean() -> None:
    scored = score_table([GuestResult(1, 2, 20), GuestResult(9, 1, 40)])
    found = build_ranking({1: 0}, {1: [scored]})
    assert [(each.number, each.points, each.wins) for each in found] == [(1, -10, 0)]
