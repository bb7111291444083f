"""Tests of open cards after a match: exactly the cards of each seat that a spectator did not see."""

import pytest

from tests.toy import TOY
from triclinium.boardkit.revealed import reveal_hidden_things
from triclinium.engine.core.rng import Rng
from triclinium.engine.registry import list_games, load_game


def test_hidden_cards_of_a_hand_are_revealed() -> None:
    s = TOY.deal(2, 3)
    reader = TOY.words.reader("en", ("Ann", "Ben"))
    found = reveal_hidden_things(TOY, s, reader)
    assert set(found) == {0, 1}
    assert all(len(place.things) == 3 for held in found.values() for place in held)


@pytest.mark.parametrize("id", list_games())
def test_public_cards_are_not_revealed_again(id: str) -> None:
    """Worlds that look equal to a seat reveal the same cards. Each seat's own cards come from its view."""
    game = load_game(id)
    s = game.deal(game.seats[0], 5)
    chance = Rng(2)
    for _ in range(60):
        if not s.over:
            s.choose(chance.pick(s.legal))
    reader = game.words.reader("en", ("Ann", "Ben", "Cleo", "Dan", "Eve"))
    found = reveal_hidden_things(game, s, reader)
    assert bool(found) <= game.has_secrets
    for seat, held in found.items():
        assert reveal_hidden_things(game, s.resample(seat, Rng(9)), reader)[seat] == held
