"""Tests with Kuhn poker, solved exactly through `Draw` by our CFR+ and by OpenSpiel's."""

from functools import cache

import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, expected_game_score
from open_spiel.python.algorithms import exploitability as theirs
from open_spiel.python.policy import TabularPolicy

from kuhn.game import GAME as KUHN
from kuhn.rules import Deal, Kuhn
from tests.slow import slow
from tests.toy import TOY, Toy, Wages
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import CHANCE, NOBODY, Draw, State
from triclinium.engine.registry import load_game
from triclinium.research import openspiel
from triclinium.research.cfr import CfrSolver, GameTree, Strategy, compute_expected_values, exploitability

ROUNDS = 300
VALUE = -1 / 18  # value of the game for the first player (Kuhn 1950)
NEAR = 1e-3

if KUHN.id not in openspiel.REGISTERED_GAMES:
    openspiel.register_games(KUHN)


@cache
def solve_game() -> tuple[GameTree, Strategy]:
    tree = GameTree(KUHN, {"deals": 1})
    solver = CfrSolver(tree)
    solver.run(ROUNDS)
    return tree, solver.average_strategy()


def load_openspiel_game() -> pyspiel.Game:
    return pyspiel.load_game("triclinium_kuhn", {"utility": "points", "variants": "deals:1"})


def test_a_draw_waits_for_its_outcome_where_chance_is_asked() -> None:
    """Six deals are equally likely, and the generator leads to the same deals."""
    s = KUHN.deal(2, 7, {"deals": 1}, chance=True)
    assert (s.who, s.over) == (CHANCE, False)
    assert [weight for _, weight in KUHN.outcomes(s)] == [1] * 6
    assert s.legal == [outcome for outcome, _ in KUHN.outcomes(s)]
    drawn = KUHN.deal(2, 7, {"deals": 1})
    same = KUHN.deal(2, 7, {"deals": 1}, chance=True)
    assert isinstance(same, Kuhn)
    s.choose(Deal(NOBODY).draw(same))
    assert KUHN.observe(s, 0) == KUHN.observe(drawn, 0)
    assert KUHN.observe(s, 1) == KUHN.observe(drawn, 1)


def test_chance_outcomes_are_revealed_only_by_the_rules() -> None:
    """A player sees only their own card."""
    heard = set()
    for outcome, _ in KUHN.outcomes(KUHN.deal(2, 1, {"deals": 1}, chance=True)):
        s = KUHN.deal(2, 1, {"deals": 1}, listen=True, chance=True)
        s.choose(outcome)
        heard.add(tuple(event.for_viewer(0).identity() for event in s.events or []))
    assert len(heard) == 3


def test_outcomes_are_drawn_by_their_weights() -> None:
    """A game without weights uses the generator."""

    class Loaded(Draw[State]):
        def outcomes(self, s: State) -> list[tuple[int, int]]:
            return [(1, 3), (5, 1)]

    s = KUHN.deal(2, 1)
    s.rng = Rng(1)
    drawn = [Loaded(NOBODY).draw(s) for _ in range(400)]
    assert set(drawn) == {1, 5}
    assert 250 < drawn.count(1) < 350


def test_our_own_solver_finds_the_value_of_the_game() -> None:
    """The value is -1/18 and the exploitability 0, both within 1e-3, with twelve information states."""
    tree, strategy = solve_game()
    assert len(strategy) == 12
    assert compute_expected_values(tree, strategy)[0] == pytest.approx(VALUE, abs=NEAR)
    assert exploitability(tree, strategy) < NEAR


def test_openspiel_agrees_on_our_strategy() -> None:
    tree, strategy = solve_game()
    game = load_openspiel_game()
    policy = TabularPolicy(game)
    assert set(policy.state_lookup) == set(strategy)
    for info, at in policy.state_lookup.items():
        for o, likely in strategy[info].items():
            policy.action_probability_array[at][o] = likely
    assert theirs.exploitability(game, policy) == pytest.approx(exploitability(tree, strategy), abs=1e-12)
    worth = expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)
    assert worth == pytest.approx(compute_expected_values(tree, strategy), abs=1e-12)


@pytest.mark.parametrize(("rounds", "near"), [(12, 0.02), slow(200, NEAR)])
def test_openspiel_solves_the_game(rounds: int, near: float) -> None:
    """OpenSpiel's CFR+ solves our game, and our figures for its strategy agree with its own."""
    tree, _ = solve_game()
    game = load_openspiel_game()
    solver = cfr.CFRPlusSolver(game)
    for _ in range(rounds):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    found: Strategy = {
        info: dict(enumerate(policy.action_probability_array[at])) for info, at in policy.state_lookup.items()
    }
    assert compute_expected_values(tree, found)[0] == pytest.approx(VALUE, abs=near)
    assert exploitability(tree, found) < near
    assert exploitability(tree, found) == pytest.approx(theirs.exploitability(game, policy), abs=1e-12)


def test_a_shuffle_has_no_list_of_outcomes() -> None:
    with pytest.raises(BadSetup, match="random events with listed outcomes"):
        GameTree(load_game("evangelists"))


def test_figs_has_listed_chance_outcomes() -> None:
    """TOY-4  A die has three equally likely faces, and the generator draws as before."""
    s, rng = TOY.deal(2, 5, chance=True), Rng(5)
    while s.who != CHANCE:
        s.choose(rng.pick(s.legal))
    assert isinstance(s, Toy)
    assert TOY.outcomes(s) == [(0, 1), (1, 1), (2, 1)]
    for outcome in s.legal:
        t = s.clone()
        t.choose(outcome)
        assert [after - before for after, before in zip(t.coins, s.coins, strict=True)] == [outcome + 1] * 2
    step = s.asked
    assert isinstance(step, Wages)
    for seed in range(10):
        s.rng, same = Rng(seed), Rng(seed)
        assert step.draw(s) == same.below(3)
        assert s.rng.state_key() == same.state_key()
