"""Tests of the random generator: constant, fair, copied and forked."""

import pytest

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import SEED_LIMIT, Rng


@pytest.mark.parametrize(
    ("seed", "start", "draws", "after"),
    [
        (0, (1646307472, 2065550768), [11, 29, 70, 29, 3, 31, 0, 77], (1909530593, 250564842)),
        (1, (285879875, 151150012), [69, 9, 38, 85, 70, 84, 14, 18], (1326629381, 929785303)),
        (7, (1674306021, 1496452568), [47, 5, 23, 94, 0, 89, 19, 81], (1963775796, 204277482)),
        (SEED_LIMIT - 1, (1886868150, 982917866), [95, 41, 55, 75, 55, 66, 3, 13], (822698934, 532361731)),
    ],
)
def test_the_stream_never_changes(seed: int, start: tuple[int, int], draws: list[int], after: tuple[int, int]) -> None:
    """Changing a number here would change every record."""
    rng = Rng(seed)
    assert rng.state_key() == start
    assert [rng.below(100) for _ in draws] == draws
    assert rng.state_key() == after


def test_values_derived_from_the_stream_never_change() -> None:
    items = list(range(10))
    Rng(7).shuffle(items)
    assert items == [9, 8, 6, 3, 5, 1, 2, 0, 7, 4]
    items = list(range(7))
    Rng(7).shuffle(items)
    assert items == [5, 6, 4, 1, 0, 2, 3]
    assert Rng(7).pick([5, 6, 7]) == 6
    assert Rng(7).fork().state_key() == (1027774534, 112166011)
    assert Rng(3).below(1 << 31) == 1691121450


def test_below_stays_below_and_is_fair() -> None:
    rng = Rng(2)
    for sides in (1, 2, 3, 6, 7, 52):
        counts = [0] * sides
        draws = 2000 * sides
        for _ in range(draws):
            counts[rng.below(sides)] += 1
        # chi squared with sides - 1 degrees of freedom has mean sides - 1 and variance 2 (sides - 1)
        chi = sum((count - 2000) ** 2 / 2000 for count in counts)
        assert chi < sides - 1 + 5 * (2 * max(sides - 1, 1)) ** 0.5


def test_pairs_of_draws_are_fair() -> None:
    rng = Rng(3)
    counts = [0] * 36
    for _ in range(36 * 500):
        counts[rng.below(6) * 6 + rng.below(6)] += 1
    assert sum((count - 500) ** 2 / 500 for count in counts) < 35 + 5 * 70**0.5


def test_neighbouring_seeds_start_far_apart() -> None:
    firsts = [Rng(seed).below(10) for seed in range(2000)]
    assert all(150 < firsts.count(face) < 250 for face in range(10))


def test_a_shuffle_keeps_the_items_and_reaches_every_order() -> None:
    rng = Rng(4)
    seen: dict[tuple[int, ...], int] = {}
    for _ in range(6000):
        items = [4, 4, 9]
        rng.shuffle(items)
        assert sorted(items) == [4, 4, 9]
        order = [0, 1, 2]
        rng.shuffle(order)
        seen[tuple(order)] = seen.get(tuple(order), 0) + 1
    assert len(seen) == 6
    assert all(850 < count < 1150 for count in seen.values())


def test_a_shuffle_of_nothing_or_one_draws_nothing() -> None:
    rng = Rng(4)
    before = rng.state_key()
    rng.shuffle([])
    rng.shuffle([3])
    assert rng.state_key() == before


@pytest.mark.parametrize("seed", [-1, SEED_LIMIT, 10**40])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(BadSetup, match=f"a seed is a whole number from 0 to {SEED_LIMIT - 1}, not {seed}"):
        Rng(seed)


def test_a_copy_continues_the_same_stream() -> None:
    rng = Rng(5)
    rng.below(3)
    twin = rng.copy()
    assert twin.state_key() == rng.state_key()
    draws = [rng.below(1000) for _ in range(20)]
    assert [twin.below(1000) for _ in range(20)] == draws


def test_a_fork_is_another_stream_and_advances_this_one() -> None:
    rng = Rng(5)
    before = rng.state_key()
    fork = rng.fork()
    assert rng.state_key() != before
    assert [fork.below(1000) for _ in range(20)] != [rng.below(1000) for _ in range(20)]
    assert Rng(5).fork().state_key() == Rng(5).fork().state_key()
