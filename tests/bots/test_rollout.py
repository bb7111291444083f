"""Tests of the bot that judges options by random rollouts only."""

import time

import pytest

from tests.toy import TOY, ToyEvaluator
from triclinium.bots import ask_bot, create_bot
from triclinium.bots.core.option_rollouts import OptionRollouts, measure_lead
from triclinium.bots.core.restriction import Restriction
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Seat, State
from triclinium.engine.registry import load_game


def test_rollouts_use_no_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of a result is only worth something if both kinds of bots do not share an evaluation."""

    def refuse(ai: ToyEvaluator, s: State, seat: Seat) -> list[float]:
        raise AssertionError("a rollout bot asked for features")

    monkeypatch.setattr(ToyEvaluator, "features", refuse)
    s = TOY.deal(3, 4)
    assert ask_bot(create_bot("rollout@60x", TOY), s, Rng(1)).fault == ""
    assert ask_bot(create_bot("greedy", TOY), s, Rng(1)).fault == "AssertionError"


def test_worse_options_are_dropped() -> None:
    """Every option is tried as often as the others that remain, and the better half remains."""
    s = TOY.deal(3, 4)
    rollouts = OptionRollouts(TOY.evaluator, s.resample(s.who, Rng(1)), s.who, None, TOY.max_decisions, Rng(2))
    size = len(s.legal)
    assert size == 4
    for _ in range(30):
        rollouts.play_round()
    assert rollouts.used == 30 * size
    totals = dict(zip(rollouts.options, rollouts.totals, strict=True))
    rollouts.drop_worse_half()
    assert len(rollouts.options) == (size + 1) // 2
    dropped = set(totals) - set(rollouts.options)
    assert min(totals[o] for o in rollouts.options) >= max(totals[o] for o in dropped)
    assert rollouts.totals == [totals[o] for o in rollouts.options]
    assert totals[rollouts.pick_best(Rng(3))] == max(totals.values())


def test_a_budget_in_time_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]

    def tick(rollouts: OptionRollouts) -> None:
        clock[0] += 0.1

    monkeypatch.setattr(time, "thread_time", lambda: clock[0])
    monkeypatch.setattr(OptionRollouts, "play_round", tick)
    answer = ask_bot(create_bot("rollout@1s", TOY), TOY.deal(2, 3), Rng(1))
    assert answer.fault == ""
    assert answer.seconds == pytest.approx(1.0, abs=0.11)


def test_rollouts_skip_options_that_bots_avoid() -> None:
    """In Les Missionnaires nobody resigns by chance in a rollout."""
    game = load_game("missionnaires")
    resigning = {o for verb in game.verbs if verb.word == "resign" for o in range(verb.first, verb.first + verb.size)}
    restriction = Restriction([o in resigning for o in range(game.notation.size)], [], game.option_components, False)
    s = game.deal(2, 3)
    rollouts = OptionRollouts(game.evaluator, s, s.who, restriction, 400, Rng(2))
    played = s.clone()
    played.events = []
    rollouts.play_at_random(played, Rng(5))
    assert all(event.type.id != "resigned" for event in played.events)


def test_a_lead_is_in_points_or_in_ranks() -> None:
    s = TOY.deal(2, 3)
    totals = [score.points for score in TOY.scores(s)]
    assert measure_lead(TOY.evaluator, s, 0) == totals[0] - totals[1] == -measure_lead(TOY.evaluator, s, 1)
    ranked = load_game("missionnaires")
    s = ranked.deal(3, 3)
    assert {measure_lead(ranked.evaluator, s, seat) for seat in range(3)} <= {-2.0, -1.0, 0.0, 1.0, 2.0}
