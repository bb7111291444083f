"""Tests on a busy machine: budgets are processor time, and a timeout is reported. Real processes keep it busy."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.toy import TOY, ToyEvaluator
from triclinium import load_game
from triclinium.bots import Budget, DecisionRequest, ask_bot, create_bot
from triclinium.bots.parallel import count_cores
from triclinium.bots.search import Strong
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Seat, State
from triclinium.lab import SimulationPlan, run_simulation
from triclinium.lab.arena import Tournament, play_arena_match
from triclinium.lab.ratings import build_arena_report
from triclinium.lab.report import format_arena, format_simulation

BUSY = 5  # processes per core, so that a search limited by wall-clock time would do a sixth of its work
TIME = 0.3  # seconds of a search
TRIES = 3  # the best attempt counts, because other programs use the machine too


@contextmanager
def busy_machine() -> Iterator[None]:
    """Start enough processes to keep every core busy, in addition to the load that is there already."""
    more = max(count_cores(), BUSY * count_cores() - int(os.getloadavg()[0]))
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(more)]
    try:
        time.sleep(0.5)
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def iterations() -> int:
    """Return the iterations that the strong bot makes in this time, in a position of The Acts of the Evangelists."""
    found = load_game("evangelists")
    done = 0
    for attempt in range(TRIES):
        s = found.deal(2, 7)
        rng = Rng(attempt)
        tree = Strong(found).search(DecisionRequest(found, s.resample(s.who, rng), s.who, rng, Budget(TIME)))
        done = max(done, tree.iterations)
    return done


@pytest.mark.slow
def test_strong_is_as_strong_on_a_busy_machine() -> None:
    idle = iterations()
    with busy_machine():
        busy = iterations()
    assert busy >= idle / 2, (idle, busy)


def slow_down_evaluations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each evaluation of Figs take wall-clock time but no processor time."""
    features = ToyEvaluator.features

    def waits(ai: ToyEvaluator, s: State, seat: Seat) -> list[float]:
        time.sleep(0.01)
        return features(ai, s, seat)

    monkeypatch.setattr(ToyEvaluator, "features", waits)


def test_a_search_that_runs_out_of_time_returns_its_best_option(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that is cut off by the clock reports it and answers with its best option, which is not random."""
    slow_down_evaluations(monkeypatch)
    s = TOY.deal(2, 1)
    for budget in (Budget(0.05), Budget(0.05, 100_000)):
        player = Strong(TOY)
        began = time.monotonic()
        answer = ask_bot(player, s, Rng(1), budget=budget)
        assert (answer.fault, answer.cut_short) == ("", True)
        assert budget.wall_limit <= time.monotonic() - began < budget.stuck_limit
        assert player.last_tree is not None
        assert answer.option == player.last_tree.rank_nodes(s.legal)[0].option
        assert 0 < player.last_tree.iterations < 100_000


def test_a_stuck_rollout_keeps_earlier_results(monkeypatch: pytest.MonkeyPatch) -> None:
    s = TOY.deal(2, 1)
    looks = 0
    features = ToyEvaluator.features

    def sticks(ai: ToyEvaluator, state: State, seat: Seat) -> list[float]:
        nonlocal looks
        looks += 1
        if looks > 400:
            time.sleep(60)
        return features(ai, state, seat)

    monkeypatch.setattr(ToyEvaluator, "features", sticks)
    answer = ask_bot(Strong(TOY), s, Rng(1), budget=Budget(0.05))
    assert (answer.fault, answer.cut_short) == ("", True)
    assert answer.option in s.legal


@pytest.mark.usefixtures("figs")
def test_reports_count_searches_that_ran_out_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A report counts the answers that the clock cut off. A limit of zero cuts off every answer."""
    monkeypatch.setattr(Budget, "wall_limit", 0.0)
    report = run_simulation(SimulationPlan("figs", 2, 1, 7, ("strong@1ms", "random")))
    assert report["cut"]["strong"] > 3
    assert f"strong was stopped by the time limit {report['cut']['strong']} times" in format_simulation(report)
    tournament = Tournament("figs", ("strong@1ms", "random"), 1, 2, 7)
    standings = build_arena_report(tournament, [play_arena_match(tournament, 0)], 1.0)
    cut = {one["bot"]: one["cut"] for one in standings["standings"]}
    assert cut["strong@1ms"] > 3
    assert f"strong@1ms was stopped by the time limit {cut['strong@1ms']} times" in format_arena(standings)


def test_an_idle_machine_cuts_no_search_short() -> None:
    answer = ask_bot(create_bot("strong@50ms", TOY), TOY.deal(2, 1), Rng(1))
    assert (answer.fault, answer.cut_short) == ("", False)
