"""Perft: how many lines of play start at named positions. A change of the rules shows here first."""

import pytest

import triclinium
from tests.golden import KEYED, PERFT, named_state
from tests.matches import our_titles
from triclinium.engine.core.rollout import perft
from triclinium.engine.game import Title


def positions(format: int) -> list[tuple[str, int, int, int, int, int]]:
    found: list[tuple[str, int, int, int, int, int]] = []
    for path in sorted((PERFT if format == 1 else PERFT / KEYED).glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                seats, seed, made, depth, count = (int(part) for part in line.split())
                found.append((path.stem, seats, seed, made, depth, count))
    return found


@pytest.mark.parametrize(("name", "seats", "seed", "made", "depth", "count"), positions(1))
def test_perft(name: str, seats: int, seed: int, made: int, depth: int, count: int) -> None:
    assert perft(named_state(triclinium.title(name), seats, seed, made, 1), depth) == count


@pytest.mark.parametrize(("name", "seats", "seed", "made", "depth", "count"), positions(2))
def test_perft_of_what_the_keyed_stream_deals(
    name: str, seats: int, seed: int, made: int, depth: int, count: int
) -> None:
    assert perft(named_state(triclinium.title(name), seats, seed, made, 2), depth) == count


@pytest.mark.parametrize("title", our_titles(), ids=lambda title: title.id)
def test_every_number_of_seats_has_its_counts(title: Title) -> None:
    assert {seats for name, seats, *_ in positions(1) if name == title.id} == set(title.seats)
    assert {seats for name, seats, *_ in positions(2) if name == title.id} == {title.seats[0]}
