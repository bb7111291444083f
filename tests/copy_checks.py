"""Checks that games and environments can be copied and pickled in the middle of an episode."""

import copy
import pickle
from typing import Any

import numpy as np

from triclinium.engine.game import Game
from triclinium.engine.numbers import find_change_faults, list_numbers
from triclinium.lab.learn.weights import with_weights
from triclinium.research.gymnasium import SingleSeatEnv
from triclinium.research.pettingzoo import TurnBasedEnv
from triclinium.research.vector_env import SingleSeatVectorEnv

SOME = 12  # number of steps before an environment is copied
MORE = 24  # number of steps after the copy
SEED = 3


def make_edited_game(game: Game) -> Game:
    """Return the game with the first number changed that can be changed alone."""
    changes = next(
        {number.path: value}
        for number in list_numbers(game)
        for value in (number.low, number.high)
        if value != number.value and not number.hidden and not find_change_faults(game, {number.path: value})
    )
    return game.with_components(game.file.with_changes(changes))


def pickle_and_load(what: Any) -> Any:
    return pickle.loads(pickle.dumps(what))


def check_game(game: Game) -> None:
    """Check that a game, an edited one and one with other weights survive copying and pickling."""
    other = make_edited_game(game)
    for one in (game, other):
        assert copy.deepcopy(one) is one
        assert pickle_and_load(one) is one
    assert other.hash != game.hash
    weighted = with_weights(other, [weight + 1 for weight in other.weights.values])
    assert copy.deepcopy(weighted) is weighted
    back = pickle_and_load(weighted)
    assert (back.hash, back.weights.as_tuple()) == (other.hash, weighted.weights.as_tuple())
    assert game.weights.as_tuple() != back.weights.as_tuple()
    assert back.deal(game.seats[0], SEED).digest() == other.deal(game.seats[0], SEED).digest()


def table_plays(env: TurnBasedEnv, steps: int) -> list[int]:
    """Play legal actions that depend only on the position, and return the digests of the positions."""
    seen: list[int] = []
    for _ in range(steps):
        agent = env.agent_selection
        if env.terminations[agent]:
            break
        actions = np.flatnonzero(env.observe(agent)["action_mask"])
        env.step(int(actions[env.match.digest() % len(actions)]))
        seen.append(env.match.digest())
    return seen


def seat_plays(env: SingleSeatEnv, steps: int) -> list[int]:
    """Play one seat against bots, and return the digests of its observations."""
    seen: list[int] = []
    info = env._build_info()
    for _ in range(steps):
        if env.match.over:
            _, info = env.reset()
        legal = info["legal"]
        _, _, _, _, info = env.step(legal[env.match.digest() % len(legal)])
        seen.append(env.match.digest())
    return seen


def seats_play(envs: SingleSeatVectorEnv, steps: int) -> list[int]:
    """Play one seat in each of several matches, and return the digests of the observations."""
    seen: list[int] = []
    mask = envs._build_info()["action_mask"]
    for _ in range(steps):
        actions = np.array([np.flatnonzero(row)[0] for row in mask])
        _, _, _, _, info = envs.step(actions)
        mask = info["action_mask"]
        seen += [s.digest() for s in envs.batch.states]
    return seen


def list_copies(game: Game) -> dict[str, list[int]]:
    """Copy and pickle environments in the middle of an episode.

    Return the last positions, which are equal on every build.
    """
    check_game(game)
    seats, found = game.seats[0], dict[str, list[int]]()
    table, seat = TurnBasedEnv(game, seats, None), SingleSeatEnv(game, seats, "greedy,random")
    several = SingleSeatVectorEnv(game, seats, 2, "random")
    for name, env, play in (("table", table, table_plays), ("seat", seat, seat_plays), ("seats", several, seats_play)):
        before = pickle_and_load(env)  # This copy is made before the first deal.
        for one in (env, before):
            one.reset(seed=SEED)
        run: Any = play
        assert run(env, SOME) == run(before, SOME), name
        others = (copy.deepcopy(env), pickle_and_load(env))
        played = [run(one, MORE) for one in others]  # copies first, because that reveals data shared with the original
        expected = run(env, MORE)
        assert played == [expected] * 2, name
        found[name] = expected[-1:]
    return found
