"""Tests of parallel search in child processes: their results are added, and no process is left behind."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.slow import slow

ROOT = Path(__file__).parents[2]

forks = pytest.mark.skipif(sys.platform != "linux", reason="children are forked and counted by Linux's own means")

BEFORE = """
import json, os, random, signal, sys, threading, time
from tests.toy import TOY
from triclinium.bots import Budget, DecisionRequest
from triclinium.bots import parallel
from triclinium.bots.base import BotTimeout
from triclinium.bots.search import Master
from triclinium.bots.time_slices import run_to_end
from triclinium.engine.core.rng import Rng

parallel.count_cores = lambda: 3

def asked(seconds, seed=1):
    s, rng = TOY.deal(3, 2), Rng(seed)
    return DecisionRequest(TOY, s.resample(s.who, rng), s.who, rng, Budget(seconds, cores=3))

def childless():
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return True
    return False

def tell(**facts):
    print(json.dumps(facts), flush=True)
"""


def run(code: str) -> dict[str, object]:
    """Return the output of a fresh process that runs this code after `BEFORE`."""
    done = subprocess.run([sys.executable, "-c", BEFORE + code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    facts: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return facts


@forks
def test_results_of_child_processes_are_added() -> None:
    facts = run(
        """
tree = Master(TOY).search(asked(0.15))
first = sum(node.visits for node in tree.rank_nodes(TOY.deal(3, 2).legal))
tell(visits=tree.root.visits, own=tree.iterations, first=first, childless=childless())
"""
    )
    assert facts["childless"]
    assert isinstance(facts["visits"], int)
    assert isinstance(facts["own"], int)
    assert facts["visits"] > facts["own"] > 0
    assert facts["first"] == facts["visits"]


@forks
@pytest.mark.parametrize("alarms", [50, slow(150)])
def test_an_alarm_at_any_moment_leaves_no_child_process(alarms: int) -> None:
    """The alarm comes while children start, search, report or end."""
    facts = run(
        f"ALARMS = {alarms}"
        """
def ring(number, frame):
    raise BotTimeout

signal.signal(signal.SIGALRM, ring)
chance = random.Random(5)
player = Master(TOY)

def search(seed):
    given = asked(0.005, seed)
    run_to_end(parallel.search_on_cores(player.get_tree(given), given, player.grow_tree))

began = time.monotonic()
for seed in range(10):
    search(seed)
usual = (time.monotonic() - began) / 10
rung = left = 0
for seed in range(ALARMS):
    try:
        signal.setitimer(signal.ITIMER_REAL, usual * (0.01 + chance.random()))
        search(seed)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except BotTimeout:
        rung += 1
    left += not childless()
held = [int(one) for one in signal.pthread_sigmask(signal.SIG_BLOCK, ())]
tell(rung=rung, left=left, held=held, pipes=len(os.listdir("/proc/self/fd")))
"""
    )
    assert facts["left"] == 0
    assert facts["held"] == []
    assert isinstance(facts["rung"], int)
    assert facts["rung"] > 10
    assert isinstance(facts["pipes"], int)
    assert facts["pipes"] < 10


@forks
def test_a_stuck_child_process_is_not_awaited() -> None:
    facts = run(
        """
here = os.getpid()
def grow(tree, given):
    if os.getpid() != here:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
        while True:
            time.sleep(1)
    yield from Master(TOY).grow_tree(tree, given)

given = asked(0.02)
tree = Master(TOY).get_tree(given)
began = time.monotonic()
run_to_end(parallel.search_on_cores(tree, given, grow))
tell(waited=time.monotonic() - began, bound=given.budget.wall_limit, own=tree.iterations, childless=childless())
"""
    )
    assert facts["childless"]
    assert isinstance(facts["waited"], float)
    assert isinstance(facts["bound"], float)
    assert facts["bound"] < facts["waited"] < facts["bound"] + 10
    assert isinstance(facts["own"], int)
    assert facts["own"] > 0


@forks
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_children_end_with_their_parent(end: signal.Signals) -> None:
    hears = "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # also if the tests run in the background
    code = BEFORE + hears + "tell(begun=True)\nMaster(TOY).search(asked(60.0))\n"
    parent = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert parent.stdout is not None
    with parent.stdout:
        assert json.loads(parent.stdout.readline()) == {"begun": True}
        listed = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
        children: list[str] = []
        until = time.monotonic() + 30
        while len(children) < 2 and time.monotonic() < until:
            time.sleep(0.02)
            children = listed.read_text().split()
        assert len(children) == 2
        time.sleep(0.2)
        parent.send_signal(end)
        assert parent.wait(30) != 0
        while any(os.path.exists(f"/proc/{child}") for child in children) and time.monotonic() < until:
            time.sleep(0.02)
        assert not [child for child in children if os.path.exists(f"/proc/{child}")]


@pytest.mark.parametrize(
    "where",
    ["sys.platform = 'darwin'", "del os.fork", "threading.Thread(target=time.sleep, args=(2,)).start()"],
    ids=["on a Mac", "without fork", "beside a thread"],
)
def test_no_process_is_forked_where_that_is_unsafe(where: str) -> None:
    """The search then uses one process."""
    facts = run(
        f"""
def fork():
    raise AssertionError("forked")

os.fork = fork
{where}
tree = Master(TOY).search(asked(0.05))
tell(visits=tree.root.visits, own=tree.iterations)
"""
    )
    assert facts["visits"] == facts["own"] != 0
