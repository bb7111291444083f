"""Tests of the measurements of `bench.headroom`: playouts to the end, and value models on the way."""

from bench.headroom import (
    TURNS,
    evaluate_options,
    find_best_looking_options,
    measure_gains,
    play_to_end,
    predict_later_win_shares,
)
from triclinium.bots.core.value import ValueModel
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import rollout
from triclinium.engine.core.state import State
from triclinium.engine.registry import load_game

GAME = load_game("evangelists")


def late() -> State:
    """Return a decision with several options near the end of a match of two."""
    s = GAME.deal(2, 3)
    while GAME.evaluator.progress(s) < 0.8 or len(GAME.evaluator.sensible_options(s)) < 3:
        rollout(s, Rng(4), 1)
    return s


def test_the_value_of_an_end_is_the_result_of_the_match() -> None:
    """The leads in points of both seats, and their shares of the win, add up correctly at the end of a playout."""
    s = late()
    o = GAME.evaluator.sensible_options(s)[0]
    (mine, won), (theirs, lost) = (play_to_end(GAME, s, o, seat) for seat in (s.who, 1 - s.who))
    assert (mine, won) == (-theirs, 1.0 - lost)
    assert (mine > 0) == (won == 1.0)


def test_all_options_use_the_same_worlds() -> None:
    s = late()
    o = GAME.evaluator.sensible_options(s)[0]
    one, same = evaluate_options(GAME, s, [o, o], 3, Rng(1))
    assert one == same


def test_a_value_model_rates_each_own_turn_and_the_end() -> None:
    s = late()
    model = ValueModel(GAME.evaluator, GAME.weights)
    found = predict_later_win_shares(GAME, model, s, GAME.evaluator.sensible_options(s)[0], s.who)
    assert len(found) == TURNS
    assert all(0.0 <= share <= 1.0 for share in found)
    assert found[-1] in (0.0, 0.5, 1.0)  # fewer turns are left than the playout may take, so the real result counts


def test_the_best_looking_choice_is_compared_with_steady() -> None:
    """The report has a column for each bot, for each number of turns, and for playouts to the end."""
    s = late()
    few = find_best_looking_options(GAME, s, Rng(1))
    assert 1 < len(few) <= len(GAME.evaluator.sensible_options(s))
    assert len(measure_gains(GAME, ["greedy"], s, 2, Rng(2))) == 1 + TURNS + 1
