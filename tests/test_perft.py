"""Perft tests: the number of lines of play from named positions. They reveal changes of the rules first.

The deepest count of a position takes as long as all others together, so it is a slow test.
"""

import pytest

import triclinium
from tests.golden import PERFT, named_state
from tests.matches import list_our_games
from tests.slow import slow
from triclinium.engine.core.rollout import perft
from triclinium.engine.game import Game

Position = tuple[str, int, int, int]  # game, seats, seed, number of decisions made


def read_counts() -> dict[Position, list[int]]:
    """Return the number of lines of play from each position, by depth from 1."""
    found: dict[Position, list[int]] = {}
    for path in sorted(PERFT.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                seats, seed, made, depth, count = (int(part) for part in line.split())
                known = found.setdefault((path.stem, seats, seed, made), [])
                assert depth == len(known) + 1
                known.append(count)
    return found


COUNTS = read_counts()


@pytest.mark.parametrize("deepest", [False, slow(True)])
@pytest.mark.parametrize("position", COUNTS, ids=lambda position: "-".join(map(str, position)))
def test_perft(position: Position, deepest: bool) -> None:
    name, seats, seed, made = position
    wanted = COUNTS[position]
    wanted = wanted if deepest or len(wanted) == 1 else wanted[:-1]
    s = named_state(triclinium.load_game(name), seats, seed, made)
    assert [perft(s, depth) for depth in range(1, len(wanted) + 1)] == wanted


@pytest.mark.parametrize("game", list_our_games(), ids=lambda game: game.id)
def test_every_number_of_seats_has_its_counts(game: Game) -> None:
    assert {position[1] for position in COUNTS if position[0] == game.id} == set(game.seats)
