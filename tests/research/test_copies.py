"""Tests that games and environments can be copied and pickled. `tests/test_builds.py` covers the compiled build."""

import copy
import pickle

import numpy as np
import pytest

from tests.copy_checks import list_copies
from tests.matches import list_our_games
from tests.slow import slow
from tests.toy import TOY
from triclinium.bots import ask_bot, create_bot
from triclinium.engine.core.chance import create_keyed_rng
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.research.batch import Batch, draw_options
from triclinium.research.gymnasium import SingleSeatEnv

GAMES = [game if game.id in ("portals", "testoftime") else slow(game, id=game.id) for game in list_our_games()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: getattr(game, "id", None))
def test_an_environment_plays_on_identically_and_independently(game: Game) -> None:
    """A deep copy and a pickle from the middle of an episode continue like the original."""
    found = list_copies(game)
    assert sorted(found) == ["seat", "seats", "table"]
    assert all(found.values())


def test_a_game_that_is_not_installed_is_pickled() -> None:
    assert pickle.loads(pickle.dumps(TOY)) is TOY


def test_a_game_with_other_printed_components_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pickle of the printed game has the hash of its components, which may differ in another release."""
    game = load_game("testoftime")
    told = pickle.dumps(game)
    assert len(told) < 1000
    monkeypatch.setattr(game, "hash", "0123456789ab")
    with pytest.raises(BadSetup, match=r"the pickled testoftime has the components \w+, but this installation has 01"):
        pickle.loads(told)


def test_an_environment_against_a_search_is_copied() -> None:
    """A rival with search is copied without its tree, which no environment reuses."""
    env = SingleSeatEnv("testoftime", 2, "strong@3x")
    env.reset(seed=1, options={"seat": 0})
    for _ in range(3):
        env.step(env._build_info()["legal"][0])
    other = copy.deepcopy(env)
    for one in (env, other):
        one.step(one._build_info()["legal"][-1])
    assert env.match.digest() == other.match.digest()
    strong = create_bot("strong@3x", load_game("testoftime"))
    ask_bot(strong, load_game("testoftime").deal(2, 1), Rng(1))
    assert getattr(strong, "last_tree") is not None  # noqa: B009
    assert getattr(copy.deepcopy(strong), "last_tree") is None  # noqa: B009


def test_a_batch_is_copied_and_not_pickled() -> None:
    batch = Batch("testoftime", seats=2, n=3, seed=1)
    rng = np.random.default_rng(1)
    for _ in range(30):
        batch.step(draw_options(*batch.options(), rng))
    other = copy.deepcopy(batch)
    ahead = [draw_options(*batch.options(), rng)]
    other.step(ahead[0])
    assert batch.observations().tolist() != other.observations().tolist()
    batch.step(ahead[0])
    assert batch.observations().tolist() == other.observations().tolist()
    with pytest.raises(TypeError, match="a batch is not pickled"):
        pickle.dumps(batch)


def test_random_streams_are_copied_at_their_position() -> None:
    for stream in (Rng(5), create_keyed_rng(5)):
        stream.below(10)
        others = (copy.copy(stream), copy.deepcopy(stream), pickle.loads(pickle.dumps(stream)))
        told = [[one.below(1000) for _ in range(9)] for one in (stream, *others)]
        assert told == [told[0]] * 4
