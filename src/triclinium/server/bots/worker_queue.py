"""Fair shares of the bots' processes: whose slice is next.

Every task runs in slices (`bots/time_slices.py`). After each slice its process goes to the caller who was served longest
ago. A caller is the network from which a table was opened, or from which a hint or a review was asked for: cookies are
free, addresses are not. So a caller with thirty tables gets the same share as a caller with one. Within a caller the
people take turns in the same way, and a task that has begun comes before one that has not.

Tables that nobody looks at let the others pass, except for one slice in eight: they wait, but they never stop.
"""

import asyncio
import itertools
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

Attended: TypeAlias = Callable[[], bool]  # whether a person looks at the table now

UNATTENDED_TURN = 8  # one slice in so many goes to a table that nobody looks at, if one waits
BEGUN_MOST = 8  # suspended tasks of a process: the tree of a master may take a hundred megabytes
REMEMBERED = 10_000  # callers, people and tables whose last turn is known
NOWHERE = -1  # the process of a task that has not begun


def is_awaited() -> bool:
    """Return True: a person asked for this, and looks at it."""
    return True


@dataclass(frozen=True, slots=True)
class Origin:
    """The caller for whom bots work, and the table at which they do."""

    caller: str
    person: int
    table: str
    kind: str = "move"  # move, hint, review or picture
    attended: Attended = is_awaited

    def __str__(self) -> str:
        return f"{self.kind} at {self.table}"


_numbers = itertools.count(1)


@dataclass(slots=True, eq=False)
class Task:
    """A task that shares a process with others."""

    origin: Origin
    number: int = field(default_factory=lambda: next(_numbers), init=False)
    asked: float = field(default_factory=time.monotonic, init=False)  # when it first waited, by the monotonic clock
    process: int = field(default=NOWHERE, init=False)  # in which it has begun
    slices: int = field(default=0, init=False)  # that it has had
    called: "asyncio.Future[int] | None" = field(default=None, init=False)


class Turns:
    """The queue of all tasks for a number of processes."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._idle = list(range(processes))
        self._waiting: list[Task] = []
        self._begun: Counter[int] = Counter()  # tasks that have begun and not ended, by process
        self._active: Counter[str] = Counter()  # tasks that wait or run, by caller
        self._served: OrderedDict[tuple[str, object], int] = OrderedDict()  # the last turn of a caller, person or table
        self._turn = 0

    @property
    def waiting(self) -> int:
        """The number of tasks that wait for a slice."""
        return len(self._waiting)

    def crowd(self, origin: Origin) -> int:
        """Return the number of tasks that share one process: those of the caller, and one of each other caller.

        Tasks that let this one pass do not count.
        """
        attended = origin.attended()
        before = [task.origin for task in self._waiting if not attended or task.origin.attended()]
        own = sum(one.caller == origin.caller for one in before)
        others = len({one.caller for one in before} - {origin.caller})
        return 1 + (own + others) // self._processes

    def is_alone(self, caller: str) -> bool:
        """Return whether no other caller has a task."""
        return not any(count for one, count in self._active.items() if one != caller)

    async def take(self, task: Task) -> int:
        """Wait for a process and return its number; `pass_on` or `leave` must follow."""
        self._active[task.origin.caller] += 1
        self._enqueue(task)
        return await self._called(task)

    async def again(self, task: Task) -> int:
        """Return the process for the next slice of a task that was passed on."""
        return await self._called(task)

    async def _called(self, task: Task) -> int:
        assert task.called is not None
        try:
            return await task.called
        except asyncio.CancelledError:
            if task in self._waiting:
                self._waiting.remove(task)
                self._end(task)
            elif task.called.done() and not task.called.cancelled():
                self.leave(task, task.called.result())  # it was called, and does not come
            raise

    def pass_on(self, task: Task, process: int) -> None:
        """A slice of the task is over and more are to come: queue it, and give the process to the next task."""
        if task.process == NOWHERE:
            task.process = process
            self._begun[process] += 1
        self._waiting.append(task)
        task.called = asyncio.get_running_loop().create_future()
        self._free(process)

    def leave(self, task: Task, process: int) -> None:
        """The task has ended: give the process to the next task."""
        self._end(task)
        self._free(process)

    def _end(self, task: Task) -> None:
        if task.process != NOWHERE:
            self._begun[task.process] -= 1
            task.process = NOWHERE
        self._active[task.origin.caller] -= 1
        self._active += Counter()  # drops callers without a task

    def _enqueue(self, task: Task) -> None:
        self._waiting.append(task)
        task.called = asyncio.get_running_loop().create_future()
        for process in list(self._idle):
            self._idle.remove(process)
            self._free(process)

    def _free(self, process: int) -> None:
        able = [one for one in self._waiting if self._can_run(one, process)]
        if not able:
            self._idle.append(process)
            self._idle.sort()
            return
        self._turn += 1
        attended = self._turn % UNATTENDED_TURN != 0
        chosen = min(able, key=lambda one: self._rank(one, attended))
        self._waiting.remove(chosen)
        for key in _keys(chosen.origin):
            self._served.pop(key, None)
            self._served[key] = self._turn
        while len(self._served) > REMEMBERED:
            self._served.popitem(last=False)
        assert chosen.called is not None
        chosen.called.set_result(process)

    def _can_run(self, task: Task, process: int) -> bool:
        if task.called is None or task.called.done():
            return False  # it was cancelled a moment ago
        return task.process == process or (task.process == NOWHERE and self._begun[process] < BEGUN_MOST)

    def _rank(self, task: Task, attended: bool) -> tuple[bool, int, int, bool, int, int]:
        """Return the place of a task in the queue, the lowest first."""
        caller, person, table = (self._served.get(key, 0) for key in _keys(task.origin))
        return task.origin.attended() != attended, caller, person, task.process == NOWHERE, table, task.number


def _keys(origin: Origin) -> tuple[tuple[str, object], ...]:
    return ("caller", origin.caller), ("person", (origin.caller, origin.person)), ("table", origin.table)
