"""Every title of the server, and Figs, keeps the contract: one test a title."""

import pytest

from tests.matches import RECORDS, TITLES, checks_of, our_games
from triclinium.engine import registry
from triclinium.engine.game import Game
from triclinium.testing import check_game


def test_no_title_is_broken() -> None:
    assert registry.broken() == {}
    assert len(our_games()) == len({game.prefix for game in our_games()})


@pytest.mark.parametrize("game", TITLES, ids=lambda title: title.id)
def test_the_contract(game: Game) -> None:
    of = checks_of(game.id)
    check_game(game, of.variants, of.conserved, of.slow_scores, of.derived, RECORDS / game.id)
