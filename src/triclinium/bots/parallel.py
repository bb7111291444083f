"""A search on several cores: children of this process search too, and tell what they tried.

A state cannot be sent to another process; a fork has it already. Each child grows a tree of its own with chance of
its own, and its visits of the first decision are added to ours.

Children go on while the search itself is suspended (`slices.py`).

No child outlives the search. Signals wait while children are started and ended, so that none is lost track of; a child
dies with its parent, and an alarm of its own, which no code of it can catch, ends one that is stuck.
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

REPORT_SECONDS = 1.0  # seconds after the bound in which children may still tell what they found
CHUNK = 1 << 16


@dataclass
class SearchChild:
    """A process that searches, and what it has told so far."""

    process: int
    pipe: int
    output: bytes = b""
    done: bool = False


def count_cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def can_fork() -> bool:
    """Whether a fork is safe: not on a Mac, whose libraries forbid it, and not while other threads may hold a lock."""
    return hasattr(os, "fork") and sys.platform != "darwin" and threading.active_count() == 1


def search_on_cores(tree: SearchTree, request: DecisionRequest, grow: Grow) -> Sliced[None]:
    """Grow the tree here and in as many children as there are cores to use."""
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
            pass  # the machine has no room for more: those that have begun do
        try:
            with _restore_signals(old_mask):
                yield from grow(tree, request)
                _read_outputs(children, deadline)
        finally:
            for child in children:
                _kill_child(child)
        for child in children:
            if child.done and child.output:  # one that died has told nothing; the others did enough
                results: list[tuple[int, int, float]] = json.loads(child.output)
                for o, visits, total in results:
                    tree.add_visits(o, visits, total)


@contextmanager
def _block_all_signals() -> Iterator[set[int]]:
    """Within, no handler of a signal interrupts; gives what was held back before."""
    old_mask: set[int] = {int(number) for number in signal.pthread_sigmask(signal.SIG_BLOCK, ())}
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        yield old_mask
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)


@contextmanager
def _restore_signals(old_mask: set[int]) -> Iterator[None]:
    """Within `_signals_wait`, a stretch that may be interrupted."""
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


def _read_outputs(children: list[SearchChild], deadline: float) -> None:
    """Read what children tell until all are done or it is too late."""
    while waiting := {child.pipe: child for child in children if not child.done}:
        ready, _, _ = select.select(list(waiting), [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return
        for pipe in ready:
            text = os.read(pipe, CHUNK)
            waiting[pipe].output += text
            waiting[pipe].done = not text


def _kill_child(child: SearchChild) -> None:
    """Whatever it is doing; what is done has ended already."""
    os.kill(child.process, signal.SIGKILL)
    os.close(child.pipe)
    os.waitpid(child.process, 0)


def _start_child(tree: SearchTree, request: DecisionRequest, grow: Grow, old_mask: set[int]) -> SearchChild:
    """Fork a child that searches and tells (option, visits, total) of each option."""
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
    """In a child: signals end it, its parent's end ends it, and so does its own alarm."""
    for number in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, limit)
    exit_with_parent(parent)
    signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)


def _search_in_child(tree: SearchTree, request: DecisionRequest, grow: Grow) -> list[tuple[int, int, float]]:
    """What this child's own search adds to what the tree held before."""
    before = {node.option: (node.visits, node.total) for node in tree.rank_nodes(request.world.legal)}
    run_to_end(grow(tree, request))
    results: list[tuple[int, int, float]] = []
    for node in tree.rank_nodes(request.world.legal):
        visits, total = before.get(node.option, (0, 0.0))
        results.append((node.option, node.visits - visits, node.total - total))
    return results
