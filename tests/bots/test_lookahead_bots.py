"""Tests of the baseline bots for searches: many worlds, and own turns to their end."""

from statistics import mean, pstdev

import pytest

from bench import baseline_bots
from bench.baseline_bots import ManyWorldsBot, OwnTurnBot
from triclinium.bots import Budget, DecisionRequest, ask_bot, create_bot
from triclinium.bots.core.value import weigh_options
from triclinium.bots.steady import WORLDS
from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Seat, State
from triclinium.engine.registry import load_game
from triclinium.games.portals.rules.state import Portals

GAME = load_game("portals")


def play_to_round(round: int) -> State:
    s = GAME.deal(2, 5)
    assert isinstance(s, Portals)
    player, rng = create_bot("greedy", GAME), Rng(1)
    while s.round < round or len(s.legal) < 6:
        s.choose(ask_bot(player, s, rng).option)
    return s


def make_request(s: State, seed: int) -> DecisionRequest:
    return DecisionRequest(GAME, s.resample(s.who, Rng(seed)), s.who, Rng(seed), Budget(60.0))


def test_more_worlds_reduce_the_effect_of_luck() -> None:
    """With many worlds the top card of one world decides less about the value of a draw. Steady uses three worlds."""
    s = play_to_round(4)
    draw = [GAME.format_option(o) for o in s.legal].index("draw old")
    few: list[float] = []
    many: list[float] = []
    for seed in range(16):
        to = make_request(s, seed)
        few.append(weigh_options(GAME.evaluator, to.world, s.who, GAME.weights.values, WORLDS, to.rng)[draw])
        many.append(ManyWorldsBot(GAME).evaluate_options(make_request(s, seed))[draw])
    assert 0 < pstdev(many) < pstdev(few) / 2
    assert mean(many) == pytest.approx(mean(few), abs=pstdev(few))


def test_turns_are_compared_at_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """PP-3.1  A turn has four actions. Positions are compared when another seat is asked, not after each action."""
    seen: list[Seat] = []

    def noted(ai: Evaluator, s: State, seat: Seat, weights: list[float]) -> float:
        seen.append(s.who)
        return 0.0

    monkeypatch.setattr(baseline_bots, "evaluate_position", noted)
    monkeypatch.setattr(baseline_bots, "NEAR", 1e9)
    monkeypatch.setattr(baseline_bots, "TURNS", 2)
    s = play_to_round(4)
    answer = ask_bot(OwnTurnBot(GAME), s, Rng(1))
    assert not answer.fault
    assert answer.option in s.legal
    assert seen == [1 - s.who] * 2 * baseline_bots.FEW
