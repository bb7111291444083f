"""Tests that the data for OpenSpiel do not change: a playthrough of each game, one in the daily tests."""

import pytest

from tests.matches import list_our_games
from tests.research.playthrough import FOLDER, playthrough
from tests.slow import mark_slow_except

GAMES = [game.id for game in list_our_games()]


@pytest.mark.parametrize("id", mark_slow_except(GAMES, "evangelists", "testoftime"))
def test_playthroughs_never_change(id: str) -> None:
    """After an intended change, `python -m tests.research.playthrough` writes them again."""
    assert playthrough(id) == (FOLDER / f"{id}.txt").read_text(encoding="utf-8")


def test_every_game_has_a_playthrough() -> None:
    assert {file.stem for file in FOLDER.iterdir()} >= set(GAMES)
