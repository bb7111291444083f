"""Tests of the beginners' scripts: they follow the newcomers' guides, and the guides' advice beats the Novice."""

import pytest

from bench.beginners import GAMES, Beginner, load_advice
from bench.levels import measure_pair
from tests.slow import mark_slow_except
from triclinium.bots import registry
from triclinium.engine.registry import load_game
from triclinium.web.game_guide import load_guide

MATCHES, MIN_WIN_RATE = 100, 0.7


@pytest.fixture
def beginner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the bot `beginner`."""
    classes = {**registry.load_bot_classes(), Beginner.name: Beginner}
    monkeypatch.setattr(registry, "load_bot_classes", lambda: classes)


@pytest.mark.parametrize("game_id", GAMES)
def test_the_script_has_an_answer_for_every_decision_that_the_guide_explains(game_id: str) -> None:
    explained = {kind for hint in load_guide(load_game(game_id)).hints for kind in hint.kinds}
    assert explained == set(load_advice(game_id))


@pytest.mark.usefixtures("beginner")
@pytest.mark.parametrize("game_id", mark_slow_except(list(GAMES), "evangelists", "testoftime"))
def test_the_script_finishes_a_match_without_an_error(game_id: str) -> None:
    seats = load_game(game_id).seats[0]
    assert measure_pair(game_id, "beginner-novice", seats, seed=4)[2] == seats


@pytest.mark.slow
@pytest.mark.usefixtures("beginner")
@pytest.mark.parametrize("game_id", GAMES)
def test_the_guides_advice_beats_the_novice(game_id: str) -> None:
    assert measure_pair(game_id, "beginner-novice", MATCHES)[0] >= MIN_WIN_RATE
