"""Contract tests of every game of the server and of Figs, one test for each game.

The slow tests check every golden record and play many matches of each case. The fast tests check a twelfth of the
records and play one match of each case.
"""

import shutil
from pathlib import Path

import pytest

from tests.matches import ALL_GAMES, RECORDS, list_our_games, load_checks
from tests.slow import slow
from triclinium.engine import registry
from triclinium.engine.game import Game
from triclinium.testing import SampleSizes, check_game


def test_no_game_is_broken() -> None:
    assert registry.list_broken_games() == {}
    assert len(list_our_games()) == len({game.prefix for game in list_our_games()})


@pytest.mark.parametrize(
    ("every", "samples"), [(12, SampleSizes()), slow(1, SampleSizes.thorough(20))], ids=["some", "all"]
)
@pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.id)
def test_the_contract(game: Game, every: int, samples: SampleSizes, tmp_path: Path) -> None:
    for file in sorted((RECORDS / game.id).glob("*.rec"))[::every]:
        shutil.copy(file, tmp_path)
    of = load_checks(game.id)
    check_game(game, of.variants, of.conserved, of.slow_scores, of.derived, tmp_path, samples)
