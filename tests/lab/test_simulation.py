"""Tests of simulations: independent of the number of workers, with correct sums, and clean when interrupted."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench.example import install
from tests.toy import TOY
from triclinium.bots import create_bot, derive_seed, play_out
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.lab import SimulationPlan, run_simulation
from triclinium.lab.report import format_simulation
from triclinium.lab.totals import SimulationReport, SimulationTotals

ROOT = Path(__file__).resolve().parents[2]


def is_gone(group: int) -> bool:
    """Return whether no process of a group is left. The last ones may take a moment."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def drop_time(report: SimulationReport) -> dict[str, object]:
    return {name: value for name, value in report.items() if name != "time"}


@pytest.mark.usefixtures("figs")
def test_the_result_is_the_same_for_any_number_of_workers() -> None:
    plan = SimulationPlan("figs", 3, 60, 7, ("greedy", "random", "random"), (("gift", "on"),))
    alone = run_simulation(plan)
    assert drop_time(run_simulation(plan, workers=2)) == drop_time(alone)
    assert alone["played"] == 60


@pytest.mark.usefixtures("figs")
def test_each_match_depends_only_on_its_number() -> None:
    """A longer simulation begins with the matches of a shorter one."""
    seen: list[tuple[int, int]] = []
    short = run_simulation(SimulationPlan("figs", 2, 5, 7), progress=lambda done, total: seen.append((done, total)))
    totals = [0, 0]
    for index in range(5):
        s = TOY.deal(2, derive_seed(7, index))
        play_out(s, [create_bot("random", TOY)] * 2, [Rng(derive_seed(7, index, seat)) for seat in range(2)])
        totals = [total + score.points for total, score in zip(totals, TOY.scores(s), strict=True)]
    assert [seat["mean_score"] for seat in short["seats"]] == [total / 5 for total in totals]
    assert seen == [(done, 5) for done in range(1, 6)]


def test_a_tally_splits_wins_and_sums_lines() -> None:
    tally = SimulationTotals(TOY, ["random", "greedy", "random"], {}, 2, 1)
    tally.add_match([1, 1, 3], [10, 10, 4], [[("laid", 6), ("coins", 4)], [("laid", 10)], [("coins", 4)]], 20, 4)
    tally.add_match([2, 1, 3], [6, 12, 2], [[("laid", 6)], [("laid", 12)], [("coins", 2)]], 30, 5)
    report = tally.report(1, 0.5)
    assert [seat["wins"] for seat in report["seats"]] == [0.5, 1.5, 0.0]
    assert [seat["win_share"] for seat in report["seats"]] == [0.25, 0.75, 0.0]
    assert [seat["mean_score"] for seat in report["seats"]] == [8.0, 11.0, 3.0]
    assert [seat["deviation"] for seat in report["seats"]] == pytest.approx([8**0.5, 2**0.5, 2**0.5], abs=0.001)
    assert report["seats"][0]["lines"] == {"laid": 6.0, "coins": 2.0}
    assert report["bots"] == [
        {"bot": "random", "seats": 2, "mean_score": 5.5, "wins": 0.5},
        {"bot": "greedy", "seats": 1, "mean_score": 11.0, "wins": 1.5},
    ]
    assert report["decisions"] == {"mean": 25.0, "least": 20, "most": 30}
    assert report["rounds"] == {"mean": 4.5, "least": 4, "most": 5}
    assert report["time"] == {"workers": 1, "seconds": 0.5, "matches_per_second": 4.0}
    text = format_simulation(report)
    assert "figs version 1, seed 1: 2 matches" in text
    assert "greedy      1       11.00   1.5" in text
    assert "rounds in a match: 4.5 (4 to 5)" in text


@pytest.mark.parametrize(
    ("plan", "workers", "sentence"),
    [
        (SimulationPlan("figs", 3, 0, 7), 1, "at least one match is needed, not 0"),
        (SimulationPlan("figs", 3, 1, 7), 0, "at least one worker is needed, not 0"),
        (SimulationPlan("figs", 3, 1, 7), 9999, "at most 256 workers are possible, not 9999"),
        (SimulationPlan("figs", 9, 1, 7), 1, "figs is played with 2 to 3 seats, not 9"),
        (SimulationPlan("figs", 3, 1, -7), 1, "a seed is a whole number"),
        (SimulationPlan("figs", 3, 1, 7, ("wise",)), 1, "there is no bot 'wise'"),
        (SimulationPlan("figs", 3, 1, 7, variants=(("gift", "maybe"),)), 1, "the variant gift is off or on, not maybe"),
        (SimulationPlan("fogs", 3, 1, 7), 1, "there is no game 'fogs'; did you mean 'figs'"),
    ],
)
@pytest.mark.usefixtures("figs")
def test_an_impossible_plan_is_refused(plan: SimulationPlan, workers: int, sentence: str) -> None:
    with pytest.raises(BadSetup, match=sentence):
        run_simulation(plan, workers)


@pytest.mark.usefixtures("figs")
def test_an_interruption_keeps_what_was_played() -> None:
    def interrupt(done: int, total: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    report = run_simulation(SimulationPlan("figs", 3, 100, 7), progress=interrupt)
    assert report["interrupted"]
    assert report["played"] == 4
    assert "4 of 100 matches" in format_simulation(report)
    whole = run_simulation(SimulationPlan("figs", 3, 4, 7))
    assert report["seats"] == whole["seats"]


# Figs that records which process deals each match.
TELLING = """
import os
from pathlib import Path
from tests.toy import TOY

def deal(*args, real=TOY.deal, **named):
    with Path(__file__).with_name("deals.txt").open("a") as deals:
        deals.write(f"{os.getpid()}\\n")
    return real(*args, **named)

TOY.deal = deal
"""


@pytest.mark.usefixtures("default_sigint_handler")
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_ends_the_command_cleanly(tmp_path: Path, workers: int) -> None:
    """The command reports its progress, prints its single JSON object, and leaves no process behind."""
    install(tmp_path, "figs_game", {"figs": "telling:TOY"})
    (tmp_path / "telling.py").write_text(TELLING)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    words = ["simulate", "figs", "--matches", "1000000", "--seed", "1", "--workers", str(workers), "--json"]
    (tmp_path / "deals.txt").write_text("")
    with subprocess.Popen(
        [sys.executable, "-m", "triclinium", *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        while process.poll() is None and not is_under_way((tmp_path / "deals.txt").read_text().split(), workers):
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)  # like a terminal, which signals every process of the group
        out, complaint = process.communicate(timeout=30)
    assert process.returncode == 130
    assert complaint.startswith("triclinium: interrupted after ")
    assert complaint.count("\n") == 1
    assert '"interrupted": true' in out
    assert is_gone(process.pid)


def is_under_way(deals: list[str], workers: int) -> bool:
    """Return whether several matches were dealt and every worker is running in addition to the command."""
    return len(deals) > 5 and len(set(deals)) == (1 if workers == 1 else 1 + workers)


def test_faults_of_bots_are_counted_by_name() -> None:
    tally = SimulationTotals(TOY, ["greedy", "random"], {}, 1, 1)
    tally.add_match([1, 2], [3, 2], [[], []], 5, None, ["greedy: illegal", "greedy: illegal"])
    report = tally.report(1, 1.0)
    assert report["faults"] == {"greedy: illegal": 2}
    assert "faults of greedy: illegal: 2" in format_simulation(report)
