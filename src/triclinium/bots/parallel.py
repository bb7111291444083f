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

from triclinium.bots.base import Asked
from triclinium.bots.child_process import end_with
from triclinium.bots.core.tree import Tree
from triclinium.bots.time_slices import Sliced, complete

Grow: TypeAlias = Callable[[Tree, Asked], Sliced[None]]

TELLING = 1.0  # seconds after the bound in which children may still tell what they found
CHUNK = 1 << 16


@dataclass
class Child:
    """A process that searches, and what it has told so far."""

    process: int
    pipe: int
    told: bytes = b""
    done: bool = False


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def may_fork() -> bool:
    """Whether a fork is safe: not on a Mac, whose libraries forbid it, and not while other threads may hold a lock."""
    return hasattr(os, "fork") and sys.platform != "darwin" and threading.active_count() == 1


def search_on_cores(tree: Tree, asked: Asked, grow: Grow) -> Sliced[None]:
    """Grow the tree here and in as many children as there are cores to use."""
    helpers = min(asked.budget.cores, cores()) - 1 if may_fork() else 0
    if helpers < 1:
        yield from grow(tree, asked)
        return
    until = time.monotonic() + asked.budget.bound + TELLING
    children: list[Child] = []
    with _signals_wait() as before:
        try:
            for _ in range(helpers):
                children.append(_start(tree, replace(asked, rng=asked.rng.fork()), grow, before))
        except OSError:
            pass  # the machine has no room for more: those that have begun do
        try:
            with _signals_come(before):
                yield from grow(tree, asked)
                _hear(children, until)
        finally:
            for child in children:
                _end(child)
        for child in children:
            if child.done and child.told:  # one that died has told nothing; the others did enough
                found: list[tuple[int, int, float]] = json.loads(child.told)
                for o, visits, total in found:
                    tree.credit(o, visits, total)


@contextmanager
def _signals_wait() -> Iterator[set[int]]:
    """Within, no handler of a signal interrupts; gives what was held back before."""
    before: set[int] = {int(one) for one in signal.pthread_sigmask(signal.SIG_BLOCK, ())}
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        yield before
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _signals_come(before: set[int]) -> Iterator[None]:
    """Within `_signals_wait`, a stretch that may be interrupted."""
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


def _hear(children: list[Child], until: float) -> None:
    """Read what children tell until all are done or it is too late."""
    while waiting := {child.pipe: child for child in children if not child.done}:
        ready, _, _ = select.select(list(waiting), [], [], max(0.0, until - time.monotonic()))
        if not ready:
            return
        for pipe in ready:
            text = os.read(pipe, CHUNK)
            waiting[pipe].told += text
            waiting[pipe].done = not text


def _end(child: Child) -> None:
    """Whatever it is doing; what is done has ended already."""
    os.kill(child.process, signal.SIGKILL)
    os.close(child.pipe)
    os.waitpid(child.process, 0)


def _start(tree: Tree, asked: Asked, grow: Grow, before: set[int]) -> Child:
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
        return Child(process, ours)
    try:
        _be_mortal(parent, asked.budget.limit, before)
        with os.fdopen(theirs, "w", encoding="utf-8") as telling:
            telling.write(json.dumps(_found(tree, asked, grow)))
    finally:
        os._exit(0)


def _be_mortal(parent: int, limit: float, before: set[int]) -> None:
    """In a child: signals end it, its parent's end ends it, and so does its own alarm."""
    for number in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, limit)
    end_with(parent)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _found(tree: Tree, asked: Asked, grow: Grow) -> list[tuple[int, int, float]]:
    """What this child's own search adds to what the tree held before."""
    before = {node.option: (node.visits, node.total) for node in tree.ranked(asked.world.legal)}
    complete(grow(tree, asked))
    told: list[tuple[int, int, float]] = []
    for node in tree.ranked(asked.world.legal):
        visits, total = before.get(node.option, (0, 0.0))
        told.append((node.option, node.visits - visits, node.total - total))
    return told
