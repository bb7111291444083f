"""Every title of the server, and Figs, keeps the contract: one test a title.

Each case is walked through by chance every day, and a sixth of the golden records; ``TRICLINIUM_SOAK`` takes them all.
"""

import shutil
from pathlib import Path

import pytest

from tests.matches import RECORDS, TITLES, checks_of, our_games
from tests.pace import QUIET, of_today
from triclinium.engine import registry
from triclinium.engine.game import Game
from triclinium.testing import check_game


def test_no_title_is_broken() -> None:
    assert registry.broken() == {}
    assert len(our_games()) == len({game.prefix for game in our_games()})


PARTS = 6  # days in which every record is walked through


def records_of_today(game: Game, folder: Path) -> Path:
    """The records whose turn it is, laid into a folder."""
    if QUIET:
        return RECORDS / game.id
    files = sorted((RECORDS / game.id).glob("*.rec"))
    for file in of_today([files[part::PARTS] for part in range(PARTS)]):
        shutil.copy(file, folder)
    return folder


@pytest.mark.parametrize("game", TITLES, ids=lambda title: title.id)
def test_the_contract(game: Game, tmp_path: Path) -> None:
    of = checks_of(game.id)
    check_game(game, of.variants, of.conserved, of.slow_scores, of.derived, records_of_today(game, tmp_path))
