"""A search on several cores: children of this process search too, and tell what they tried.

A state cannot be sent to another process; a fork has it already. Each child grows a tree of its own with chance of
its own, and its visits of the first decision are added to ours.
"""

import json
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from triclinium.bots.bot import Asked
from triclinium.bots.lifeline import end_with
from triclinium.bots.tree import Tree

Grow: TypeAlias = Callable[[Tree, Asked], None]


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def search_on_cores(tree: Tree, asked: Asked, grow: Grow) -> None:
    """Grow the tree here and in as many children as there are cores to use."""
    helpers = min(asked.budget.cores, cores()) - 1 if hasattr(os, "fork") else 0
    pipes = [_start(tree, replace(asked, rng=asked.rng.fork()), grow) for _ in range(helpers)]
    done = False
    try:
        grow(tree, asked)
        done = True
    finally:  # whatever woke us, no child is left behind
        told = [_hear(child, pipe, done) for child, pipe in pipes]
    for text in told:
        if text:  # a child that died has told nothing; the others did enough
            found: list[tuple[int, int, float]] = json.loads(text)
            for o, visits, total in found:
                tree.credit(o, visits, total)


def _hear(child: int, pipe: int, wanted: bool) -> str:
    """What a child tells when it is done; one that nobody wants to hear any more is ended."""
    if not wanted:
        os.kill(child, signal.SIGKILL)
    with os.fdopen(pipe, encoding="utf-8") as telling:
        text = telling.read()
    os.waitpid(child, 0)
    return text if wanted else ""


def _start(tree: Tree, asked: Asked, grow: Grow) -> tuple[int, int]:
    """Fork a child that searches and tells (option, visits, total) of each option."""
    ours, theirs = os.pipe()
    parent = os.getpid()
    child = os.fork()
    if child:
        os.close(theirs)
        return child, ours
    try:
        end_with(parent)
        before = {node.option: (node.visits, node.total) for node in tree.ranked(asked.world.legal)}
        grow(tree, asked)
        told = []
        for node in tree.ranked(asked.world.legal):
            visits, total = before.get(node.option, (0, 0.0))
            told.append((node.option, node.visits - visits, node.total - total))
        os.write(theirs, json.dumps(told).encode())
    finally:
        os._exit(0)
