"""Search on several cores: forked child processes search in parallel, and the parent adds their results.

A state cannot be sent to another process, but a fork already has it. Each child grows its own tree with its own random
stream. Its visits of the first decision are added to the parent's tree. The children continue while the parent's search
is suspended between slices (`time_slices.py`).

No child outlives the search. Signals are blocked while children are started and killed, so that none is lost. A child
ends with its parent. An alarm that it cannot catch kills a child that is stuck.
"""

import json
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeAlias

from triclinium.bots.base import DecisionRequest
from triclinium.bots.child_process import exit_with_parent
from triclinium.bots.core.tree import SearchTree
from triclinium.bots.time_slices import Sliced, run_to_end

Grow: TypeAlias = Callable[[SearchTree, DecisionRequest], Sliced[None]]

REPORT_SECONDS = 1.0  # extra seconds for children to report their results
CHUNK = 1 << 16


@dataclass
class SearchChild:
    """A child process that searches, and its output so far."""

    process: int
    pipe: int
    output: bytes = b""
    done: bool = False


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def can_fork() -> bool:
    """Return whether fork is safe. It is not on macOS, or while other threads may hold a lock."""
    return hasattr(os, "fork") and sys.platform != "darwin" and threading.active_count() == 1


def search_on_cores(tree: SearchTree, request: DecisionRequest, grow: Grow) -> Sliced[None]:
    """Grow the tree in this process and in child processes, up to the number of cores in the budget."""
    helpers = min(request.budget.cores, count_cores()) - 1 if can_fork() else 0
    if helpers < 1:
        yield from grow(tree, request)
        return
    deadline = time.monotonic() + request.budget.wall_limit + REPORT_SECONDS
    children: list[SearchChild] = []
    with _block_all_signals() as old_mask:
        try:
            for _ in range(helpers):
                children.append(_start_child(tree, replace(request, rng=request.rng.fork()), grow, old_mask))
        except OSError:
            pass  # the system cannot start more processes; continue with those that run
        try:
            # No context manager restores the mask here: a signal inside its exit would leave its generator suspended,
            # and the generator would block all signals when it is collected.
            try:
                signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)
                yield from grow(tree, request)
                _read_outputs(children, deadline)
            finally:
                signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        finally:
            for child in children:
                _kill_child(child)
        for child in children:
            if child.done and child.output:  # ignores a child that died without output
                results: list[tuple[int, int, float]] = json.loads(child.output)
                for o, visits, total in results:
                    tree.add_visits(o, visits, total)


@contextmanager
def _block_all_signals() -> Iterator[set[int]]:
    """Block all signals inside the block, and yield the previous signal mask."""
    old_mask: set[int] = {int(number) for number in signal.pthread_sigmask(signal.SIG_BLOCK, ())}
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        yield old_mask
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)


def _read_outputs(children: list[SearchChild], deadline: float) -> None:
    """Read the outputs of the children until all are done or the deadline has passed."""
    while waiting := {child.pipe: child for child in children if not child.done}:
        ready, _, _ = select.select(list(waiting), [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return
        for pipe in ready:
            text = os.read(pipe, CHUNK)
            waiting[pipe].output += text
            waiting[pipe].done = not text


def _kill_child(child: SearchChild) -> None:
    """Kill a child in any state, and release its pipe and process entry."""
    os.kill(child.process, signal.SIGKILL)
    os.close(child.pipe)
    os.waitpid(child.process, 0)


def _start_child(tree: SearchTree, request: DecisionRequest, grow: Grow, old_mask: set[int]) -> SearchChild:
    """Fork a child that searches and reports (option, visits, total) for each option."""
    ours, theirs = os.pipe()
    parent = os.getpid()
    try:
        process = os.fork()
    except OSError:
        os.close(ours)
        os.close(theirs)
        raise
    if process:
        os.close(theirs)
        return SearchChild(process, ours)
    try:
        _limit_lifetime(parent, request.budget.stuck_limit, old_mask)
        with os.fdopen(theirs, "w", encoding="utf-8") as stream:
            stream.write(json.dumps(_search_in_child(tree, request, grow)))
    finally:
        os._exit(0)


def _limit_lifetime(parent: int, limit: float, old_mask: set[int]) -> None:
    """Make sure that a child ends by signals, with its parent, and after its time limit."""
    for number in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, limit)
    exit_with_parent(parent)
    signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)


def _search_in_child(tree: SearchTree, request: DecisionRequest, grow: Grow) -> list[tuple[int, int, float]]:
    """Return the results that this child's search adds to the tree's previous ones."""
    before = {node.option: (node.visits, node.total) for node in tree.rank_nodes(request.world.legal)}
    run_to_end(grow(tree, request))
    results: list[tuple[int, int, float]] = []
    for node in tree.rank_nodes(request.world.legal):
        visits, total = before.get(node.option, (0, 0.0))
        results.append((node.option, node.visits - visits, node.total - total))
    return results
