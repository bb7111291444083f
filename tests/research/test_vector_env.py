"""Tests of Gymnasium vector environments with its own checks, and against the single environment."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils import env_checker
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import triclinium.research.gymnasium as single
from tests.matches import list_our_games
from tests.research.sampled_worlds import list_seats
from tests.slow import slow
from triclinium.bots.seeds import derive_seed
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.research import pettingzoo
from triclinium.research.batch import RIVAL_SEED_STREAM
from triclinium.research.vector_env import SingleSeatVectorEnv

ALL = [(game.id, seats) for game in list_our_games() for seats in list_seats(game)]
CASES = [case if case == ("evangelists", 2) else slow(*case) for case in ALL]


def make_envs(id: str, seats: int, n: int) -> VectorEnv:
    return gymnasium.make_vec(f"triclinium/{id.capitalize()}-{seats}-v0", num_envs=n, rivals="random")


def draw_options(info: dict[str, Any], rng: np.random.Generator) -> np.ndarray[Any, Any]:
    return np.array([rng.choice(np.flatnonzero(flags)) for flags in info["action_mask"]])


@pytest.mark.parametrize(("id", "seats"), CASES)
def test_gymnasium_accepts_its_vector_environment(id: str, seats: int) -> None:
    """All checks for several matches run. The others run with one match."""
    several = make_envs(id, seats, 3)
    assert several.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    env_checker.check_reset_seed_determinism(several)
    env_checker.check_reset_options(several)
    env_checker.check_reset_return_type(several)
    env_checker.check_space_limit(several.single_observation_space, "observation")
    env_checker.check_returned_data_not_reused(make_envs(id, seats, 1))
    rows, rewards, ended, cut, info = several.step(several.action_space.sample())
    assert rows in several.observation_space
    assert [part.shape for part in (rewards, ended, cut)] == [(3,)] * 3
    assert info["action_mask"].shape == (3, several.single_action_space.n)


@pytest.mark.parametrize("steps", [40, slow(1000)])
@pytest.mark.parametrize("id", ["evangelists", "testoftime"])
def test_its_matches_are_those_of_the_single_environment(id: str, steps: int) -> None:
    """Rows and rewards are equal with the same deal, seat, rivals and rotation of options."""
    seats, n = 3, 2
    many, rng = SingleSeatVectorEnv(id, seats, n, rivals="random"), np.random.default_rng(3)
    rows, info = many.reset(seed=3)
    alone = [make_single_env(many, k, int(info["seat"][k])) for k in range(n)]
    dealt = n
    for _ in range(steps):
        for i, env in enumerate(alone):
            assert np.array_equal(rows[i], env._build_observation())
            assert np.flatnonzero(info["action_mask"][i]).tolist() == sorted(env._build_info()["legal"])
        actions = draw_options(info, rng)
        rows, rewards, ended, _, info = many.step(actions)
        for i, env in enumerate(alone):
            row, reward, over, _, _ = env.step(actions[i])
            assert (reward, over) == (rewards[i], ended[i])
            if over:
                assert np.array_equal(row, info["final_obs"][i])
                alone[i] = make_single_env(many, dealt, int(info["seat"][i]))
                dealt += 1
    assert [s.digest() for s in many.batch.states] == [env.match.digest() for env in alone]


def make_single_env(many: SingleSeatVectorEnv, k: int, seat: int) -> single.SingleSeatEnv:
    """Return match k of a vector environment as a single environment."""
    env = single.SingleSeatEnv(many.game, many.seats, rivals="random")
    env.deal_match(derive_seed(many.base_seed, k), None)
    env._rng = Rng(derive_seed(many.base_seed, k, RIVAL_SEED_STREAM))
    env.seat = env._rng.below(many.seats)
    env._rivals = [env._pool[env._rng.below(1)] for _ in range(many.seats)]
    env._let_rivals_play()
    assert env.seat == seat
    return env


def test_illegal_actions_cost_a_penalty_and_name_the_rule() -> None:
    """Only its own match is affected."""
    many = make_envs("evangelists", 2, 2)
    rows, info = many.reset(seed=4)
    actions = draw_options(info, np.random.default_rng(4))
    actions[0] = np.flatnonzero(info["action_mask"][0] == 0)[0]
    after, rewards, ended, _, info = many.step(actions)
    assert rewards.tolist() == [single.PENALTY, 0.0]
    assert info["refused"][0]
    assert info["_refused"].tolist() == [True, False]
    assert np.array_equal(after[0], rows[0])
    assert not np.array_equal(after[1], rows[1])
    assert not ended.any()


def test_wrappers_of_gymnasium_count_its_matches() -> None:
    """The end of a match gives its reward, its last observation and the next deal at once."""
    counted, rng = RecordEpisodeStatistics(make_envs("evangelists", 2, 2)), np.random.default_rng(5)
    _, info = counted.reset(seed=5, options={"seat": 1})
    assert info["seat"].tolist() == [1, 1]
    ended = np.zeros(2, np.bool_)
    while not ended.any():
        rows, _, ended, _, info = counted.step(draw_options(info, rng))
    assert set(info["episode"]["r"][ended]) <= {-0.5, 0.0, 0.5}
    assert rows in counted.observation_space
    assert all(final is not None for final in info["final_obs"][ended])
    assert len(counted.unwrapped.render()) == 2


@pytest.mark.parametrize("seat", [2, -1, 0.5])
def test_a_missing_seat_is_refused(seat: float) -> None:
    """An environment for a seat that does not exist is refused, because it would never be asked."""
    tables: list[Any] = [make_envs("evangelists", 2, 1), single.SingleSeatEnv("evangelists", 2)]
    for table in tables:
        with pytest.raises(BadSetup, match="seats are 0 to 1; there is no seat"):
            table.reset(seed=1, options={"seat": seat})


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"seats": 3}, r"reset has no option 'seats'; did you mean 'seat'\?"),
        ({"variant": {"memory_aid": False}}, r"reset has no option 'variant'; did you mean 'variants'\?"),
        ({"level": 1}, "reset has no option 'level'; known: seat, variants"),
    ],
)
def test_an_unknown_option_of_a_reset_is_refused(options: dict[str, Any], sentence: str) -> None:
    tables: list[Any] = [make_envs("evangelists", 2, 1), single.SingleSeatEnv("evangelists", 2)]
    for table in tables:
        with pytest.raises(BadSetup, match=f"^{sentence}$"):
            table.reset(seed=1, options=options)
    with pytest.raises(BadSetup, match="reset has no option"):
        pettingzoo.env("evangelists", 2).reset(seed=1, options=options)


def test_a_step_before_reset_is_refused() -> None:
    tables: list[Any] = [
        make_envs("evangelists", 2, 1),
        single.SingleSeatEnv("evangelists", 2),
        pettingzoo.env("evangelists", 2),
    ]
    for table in tables:
        with pytest.raises(BadSetup, match="no match has been dealt yet; call reset before the first step"):
            table.step(np.zeros(1, np.int64))


def test_each_match_is_given_an_action() -> None:
    many = make_envs("evangelists", 2, 2)
    many.reset(seed=1)
    with pytest.raises(BadSetup, match="each of 2 matches needs an action, but 1 were given"):
        many.step(np.zeros(1, np.int64))
