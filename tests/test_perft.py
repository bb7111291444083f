"""Perft: how many lines of play start at named positions. A change of the rules shows here first."""

import pytest

import triclinium
from tests.golden import PERFT, named_state
from tests.matches import our_titles
from triclinium.kernel.rollout import perft
from triclinium.kernel.title import Title


def positions() -> list[tuple[str, int, int, int, int, int]]:
    found: list[tuple[str, int, int, int, int, int]] = []
    for path in sorted(PERFT.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                seats, seed, made, depth, count = (int(part) for part in line.split())
                found.append((path.stem, seats, seed, made, depth, count))
    return found


@pytest.mark.parametrize(("name", "seats", "seed", "made", "depth", "count"), positions())
def test_perft(name: str, seats: int, seed: int, made: int, depth: int, count: int) -> None:
    assert perft(named_state(triclinium.title(name), seats, seed, made), depth) == count


@pytest.mark.parametrize("title", our_titles(), ids=lambda title: title.id)
def test_every_number_of_seats_has_its_counts(title: Title) -> None:
    assert {seats for name, seats, *_ in positions() if name == title.id} == set(title.seats)
