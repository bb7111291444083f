"""Tests of environments for other libraries with those libraries' own checks."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from open_spiel.python.algorithms import ismcts, mcts
from pettingzoo.test import api_test, seed_test

import triclinium.research.gymnasium
from tests.matches import list_our_games
from tests.research.sampled_worlds import list_seats
from tests.slow import slow
from tests.toy import TOY
from triclinium.bots import Budget, ask_bot
from triclinium.engine.core.errors import BadSetup, Refused
from triclinium.engine.core.rng import Rng
from triclinium.engine.registry import load_game
from triclinium.research import openspiel
from triclinium.research.ismcts import Ismcts
from triclinium.research.pettingzoo import env

ALL = [(game.id, seats) for game in list_our_games() for seats in list_seats(game)]
CYCLES = 30
assert triclinium.research.gymnasium.PENALTY < 0  # importing it has registered the games


def cases(*fast: tuple[str, int]) -> pytest.MarkDecorator:
    """Return a parametrization over all games; those that are not named are slow tests."""
    others = [slow(*case) for case in ALL if case not in fast]
    return pytest.mark.parametrize(("id", "seats"), [*fast, *others])


@cases(("evangelists", 3))
def test_pettingzoo_accepts_its_environment(id: str, seats: int) -> None:
    """`api_test` advises against observations in a dict, which its own classic games have too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        api_test(env(id, seats), num_cycles=CYCLES)


@cases(("portals", 2))
def test_pettingzoo_finds_the_same_match_by_the_same_seed(id: str, seats: int) -> None:
    seed_test(lambda: env(id, seats), num_cycles=CYCLES)


def test_an_illegal_option_is_refused_by_its_rule() -> None:
    """The table does not change. Seats are numbered from the asked one."""
    table = env("testoftime", 3)
    table.reset(seed=1)
    before = table.match.digest()
    with pytest.raises(Refused):
        table.step(table.game.read("reverse"))
    assert table.match.digest() == before
    legal = np.flatnonzero(table.observe(table.agent_selection)["action_mask"]).tolist()
    turn = table.game.notation.rotate_option
    assert sorted(legal) == sorted(turn(o, table.match.who, 3) for o in table.match.legal)


def test_rewards_are_shares_of_the_win() -> None:
    """Rewards come once at the end and sum to 0."""
    table, rng = env("evangelists", 2), np.random.default_rng(1)
    table.reset(seed=3, options={"variants": {"memory_aid": False}})
    for agent in table.agent_iter():
        seen, reward, over, _, _ = table.last()
        if over:
            assert reward == table.rewards[agent]
            table.step(None)
            continue
        assert reward == 0
        table.step(rng.choice(np.flatnonzero(seen["action_mask"])))
    assert table.match.over
    assert len(table.state()) == 2 * table.game.encoding.width(2)


@cases(("evangelists", 2))
def test_gymnasium_accepts_its_environment(id: str, seats: int) -> None:
    made = gymnasium.make(f"triclinium/{id.capitalize()}-{seats}-v0", rivals="random")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        check_env(made.unwrapped)


def test_gymnasium_plays_a_match_against_bots() -> None:
    """A refused option costs a little, and the info has its rule."""
    made = gymnasium.make("triclinium/Evangelists-2-v0", rivals="random").unwrapped
    _, info = made.reset(seed=4)
    illegal = next(o for o in range(294) if o not in info["legal"])
    row, reward, over, _, info = made.step(illegal)
    assert (reward, over) == (triclinium.research.gymnasium.PENALTY, False)
    assert info["refused"]
    rng, total = np.random.default_rng(4), 0.0
    while not over:
        row, reward, over, _, info = made.step(rng.choice(info["legal"]))
        total += reward
    assert total in (-0.5, 0.0, 0.5)
    assert made.observation_space.contains(row)


def their(id: str, seats: int) -> pyspiel.Game:
    return pyspiel.load_game(f"triclinium_{id}", {"players": seats})


@cases(("evangelists", 2))
def test_openspiel_plays_a_match(id: str, seats: int) -> None:
    """OpenSpiel plays random matches and serialises states."""
    pyspiel.random_sim_test(their(id, seats), num_sims=1, serialize=True, verbose=False)


@cases(("evangelists", 3), ("testoftime", 2))
def test_openspiel_gets_correct_game_properties(id: str, seats: int) -> None:
    """OpenSpiel's API tests check the options, the game's limits, and that returns sum to zero."""
    game, rng = their(id, seats), np.random.default_rng(1)
    rules = load_game(id)
    kind = game.get_type()
    assert (kind.chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC) == (not rules.has_chance)
    assert (kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION) == (not rules.has_secrets)
    s = game.new_initial_state()
    made = 0
    while not s.is_terminal():
        if s.is_chance_node():
            assert sum(p for _, p in s.chance_outcomes()) == pytest.approx(1)
        else:
            check_position(game, s)
        s.apply_action(int(rng.choice(s.legal_actions())))
        made += 1
        if made % 40 == 0:
            assert str(s.clone()) == str(s)
    assert made <= game.max_game_length()
    assert sum(s.returns()) == pytest.approx(0)
    assert all(not s.legal_actions(player) for player in range(seats))


def check_position(game: pyspiel.Game, s: Any) -> None:
    who = s.current_player()
    legal = s.legal_actions()
    assert legal == sorted(set(legal))
    assert 0 <= legal[0] <= legal[-1] < game.num_distinct_actions()
    for player in range(game.num_players()):
        if player != who:
            assert s.legal_actions(player) == []
    assert len(s.observation_tensor(who)) == game.observation_tensor_size()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"utility": "coins"}, "utility is 'win' or 'points', not 'coins'"),
        ({"variants": "memory_aid"}, "variants are written NAME:VALUE with ; between them, not 'memory_aid'"),
        ({"variants": "memory:on"}, "did you mean 'memory_aid'"),
    ],
)
def test_unsupported_settings_of_openspiel_are_refused(given: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadSetup, match=sentence):
        pyspiel.load_game("triclinium_evangelists", given)


def test_openspiel_has_no_tensor_of_an_information_state() -> None:
    game = pyspiel.load_game("triclinium_evangelists", {"players": 2})
    s = game.new_initial_state()
    s.apply_action(0)
    assert s.information_state_string(0)
    with pytest.raises(BadSetup, match="there is no information_state_tensor; use observation_tensor"):
        s.information_state_tensor(0)


def test_another_world_has_the_same_information_state() -> None:
    """For search with information sets the player's knowledge and options stay, and hidden cards differ."""
    game, rng = their("portals", 2), np.random.default_rng(2)
    s = game.new_initial_state()
    for _ in range(40):
        s.apply_action(int(rng.choice(s.legal_actions())))
    who = s.current_player()
    worlds = [s.resample(who, seed) for seed in range(8)]
    for world in worlds:
        assert world.observation_string(who) == s.observation_string(who)
        assert world.information_state_string(who) == s.information_state_string(who)
        assert world.legal_actions() == s.legal_actions()
    assert len({world.action_history.s.digest() for world in worlds}) > 1


def test_a_match_continues_in_a_determinization() -> None:
    """A match in another world uses the events of that world's cards.

    The information state of the asked player is that of a copy.
    """
    game, rng = their("portals", 2), np.random.default_rng(2)
    s = game.new_initial_state()
    for _ in range(40):
        s.apply_action(int(rng.choice(s.legal_actions())))
    before = s.information_state_string(s.current_player())
    world = s.resample(s.current_player(), 5)
    for _ in range(20):
        who = world.current_player()
        known = world.information_state_string(who)
        assert known == world.clone().information_state_string(who)
        world.apply_action(int(rng.choice(world.legal_actions())))
    assert s.information_state_string(s.current_player()) == before
    assert world.resample(world.current_player(), 6).information_state_string(world.current_player())


def test_ismcts_gets_determinizations() -> None:
    """ISMCTS uses `set_resampler`, with nodes by observation and a few iterations."""
    game, rng = their("portals", 2), np.random.default_rng(2)
    s = game.new_initial_state()
    for _ in range(40):
        s.apply_action(int(rng.choice(s.legal_actions())))
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 5, random_state=np.random.RandomState(1))
    bot.set_resampler(openspiel.make_resampler(1))
    assert bot.step(s) in s.legal_actions()


def test_registered_openspiel_games_are_ours() -> None:
    assert set(openspiel.REGISTERED_GAMES) >= {game.id for game in list_our_games()}


@pytest.mark.parametrize("id", ["portals", "testoftime"])
def test_ismcts_is_a_bot(id: str) -> None:
    """OpenSpiel's bot chooses the same in all worlds that its seat cannot distinguish. It needs an iteration count."""
    game = load_game(id)
    bot, s = Ismcts(game), game.deal(2, 3)
    for _ in range(12):
        s.choose(s.legal[0])
    answers = [ask_bot(bot, world, Rng(4), budget=Budget(9.0, 6)) for world in (s, s.resample(s.who, Rng(9)))]
    assert [answer.fault for answer in answers] == ["", ""]
    assert answers[0].option == answers[1].option
    assert answers[0].option in s.legal
    assert "the budget of ismcts is a number of iterations" in ask_bot(bot, s, Rng(4), budget=Budget(9.0)).detail


def test_ismcts_refuses_a_game_without_observations() -> None:
    with pytest.raises(BadSetup, match="figs has no observations"):
        Ismcts(TOY)
