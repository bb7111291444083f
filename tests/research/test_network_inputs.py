"""Tests of network inputs: small numbers independent of ids, and attributes from the components."""

import numpy as np
import pytest

from tests.research.sampled_worlds import GAMES, sample_moments
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.research.network_inputs import NetworkInputs


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_observations_become_small_numbers(game: Game) -> None:
    """Different observations stay different."""
    seats = game.seats[-1]
    inputs = NetworkInputs(game, seats)
    seen = sorted({game.observe(s, s.who) for s in sample_moments(game, seats, 1)})
    rows = np.frombuffer(b"".join(seen), np.uint8).reshape(len(seen), -1)
    numbers = inputs.expand(rows)
    assert numbers.shape == (len(seen), inputs.size)
    assert np.isfinite(numbers).all()
    assert numbers.max() < 20
    assert len({row.tobytes() for row in numbers}) == len(seen)


def test_an_edited_card_is_another_input() -> None:
    """The bytes are equal, the numbers differ."""
    game = load_game("portals")
    s = sample_moments(game, 2, 1)[4]
    card = game.ids["card"][next(card for card in s.row if card >= 0)]  # type: ignore[attr-defined]
    points = game.file.value_at(f"events.card.{card}.points")
    edited = game.with_components(game.file.with_changes({f"events.card.{card}.points": 7 if points != 7 else 6}))
    row = np.frombuffer(game.observe(s, 0), np.uint8)[None]
    assert not np.array_equal(NetworkInputs(game, 2).expand(row), NetworkInputs(edited, 2).expand(row))
