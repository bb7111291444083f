"""Tests of bots that fail: a legal option is played, and the error names the bot."""

import contextlib
import threading
import time

import pytest

from tests.slow import slow
from tests.toy import TOY
from triclinium.bots import Bot, BotAnswer, Budget, DecisionRequest, ask_bot, play_out
from triclinium.bots.random import Random
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat
from triclinium.engine.core.text import Name


class Cheat(Bot):
    """A bot that names an illegal option."""

    name = "cheat"
    description = Name("cheats")

    def choose(self, asked: DecisionRequest) -> Option:
        return 999


class Clumsy(Bot):
    """A bot that raises an error."""

    name = "clumsy"
    description = Name("stumbles")

    def choose(self, asked: DecisionRequest) -> Option:
        raise KeyError("dropped")


class Slow(Bot):
    """A bot that never answers."""

    name = "slow"
    description = Name("sleeps")
    budget = Budget(0.01)

    def choose(self, asked: DecisionRequest) -> Option:
        while True:
            time.sleep(0.01)


class Stubborn(Slow):
    """A bot that catches every exception and continues to sleep."""

    def choose(self, asked: DecisionRequest) -> Option:
        while True:
            with contextlib.suppress(Exception):
                time.sleep(60)


class Dreamer(Slow):
    """A bot that answers late with a legal option."""

    def choose(self, asked: DecisionRequest) -> Option:
        time.sleep(asked.budget.wall_limit + 0.1)
        return asked.world.legal[-1]


def test_an_illegal_option_is_replaced() -> None:
    s = TOY.deal(2, 1)
    answer = ask_bot(Cheat(TOY), s, Rng(1))
    assert answer.option in s.legal
    assert answer.fault == "illegal"
    assert "999" in answer.detail


def test_an_exception_is_reported() -> None:
    s = TOY.deal(2, 1)
    answer = ask_bot(Clumsy(TOY), s, Rng(1))
    assert answer.option in s.legal
    assert (answer.fault, answer.detail) == ("KeyError", "'dropped'")


@pytest.mark.parametrize("kind", [Slow, slow(Stubborn)])
def test_a_bot_that_never_answers_is_woken(kind: type[Bot]) -> None:
    s = TOY.deal(2, 1)
    answer = ask_bot(kind(TOY), s, Rng(1))
    assert answer.option in s.legal
    assert (answer.fault, answer.cut_short) == ("late", False)
    assert answer.seconds < 1.0  # processor time, because the bot slept


def test_a_late_answer_is_played_and_reported() -> None:
    """A late answer is played and not replaced by a random one.

    This is the same with an alarm and, outside the main thread, without one.
    """
    s = TOY.deal(2, 1)
    answers = [ask_bot(Dreamer(TOY), s, Rng(1))]
    thread = threading.Thread(target=lambda: answers.append(ask_bot(Dreamer(TOY), s, Rng(1))))
    thread.start()
    thread.join()
    for answer in answers:
        assert (answer.option, answer.fault, answer.cut_short) == (s.legal[-1], "", True)


def test_the_fallback_depends_on_the_seed() -> None:
    s = TOY.deal(3, 4)
    options = [ask_bot(Clumsy(TOY), s, Rng(seed)).option for seed in range(20)]
    assert options == [ask_bot(Clumsy(TOY), s, Rng(seed)).option for seed in range(20)]
    assert len(set(options)) > 1


def test_a_match_goes_on_to_its_end() -> None:
    faults: list[tuple[Seat, str]] = []

    def heard(seat: Seat, answer: BotAnswer) -> None:
        if answer.fault:
            faults.append((seat, answer.fault))

    s = TOY.deal(2, 5)
    play_out(s, [Cheat(TOY), Random(TOY)], [Rng(0), Rng(1)], heard)
    assert s.over
    assert faults
    assert set(faults) == {(0, "illegal")}


def test_budgets_are_read() -> None:
    assert Budget.read("300ms").seconds == 0.3
    assert Budget.read("1.5s").seconds == 1.5
    assert Budget.read("500x").iterations == 500
    assert Budget.read("300ms").wall_limit == pytest.approx(5.0)  # wall-clock limit: ten times as much plus two seconds
    for wrong in ("", "fast", "-1s", "3m", "5"):
        with pytest.raises(BadSetup, match="a budget is given as 300ms"):
            Budget.read(wrong)
