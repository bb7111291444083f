"""Queue that shares the bot processes fairly among callers.

Every task runs in slices (`bots/time_slices.py`). After each slice the process goes to the caller who was served
longest ago. A caller is the network from which a table was created, or a hint or review was requested. Cookies would
not do, because anyone can get new ones. A caller with thirty tables gets the same share as a caller with one.

The people of one caller take turns in the same way, and a task that has begun comes before a new one. Tables that
nobody watches get one slice in eight if others wait.
"""

import asyncio
import itertools
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

AttendedCheck: TypeAlias = Callable[[], bool]  # returns True if a person has the table open now

UNATTENDED_INTERVAL = 8  # one slice in this many goes to tables that nobody has open
MAX_SUSPENDED = 8  # suspended tasks of a process: the search tree of the strongest bot may take a hundred megabytes
MAX_REMEMBERED = 10_000  # callers, people and tables whose last turn is stored
NO_PROCESS = -1  # the process number of a task that has not begun


def is_awaited() -> bool:
    """Return True. This is the default for tasks that a person has requested and waits for."""
    return True


@dataclass(frozen=True, slots=True)
class TaskOrigin:
    """The caller for whom a bot works, and the table."""

    caller: str
    person: int
    table: str
    kind: str = "move"  # move, hint, review or picture
    is_attended: AttendedCheck = is_awaited

    def __str__(self) -> str:
        return f"{self.kind} at {self.table}"


_numbers = itertools.count(1)


@dataclass(slots=True, eq=False)
class BotTask:
    """A task that shares a process with others."""

    origin: TaskOrigin
    number: int = field(default_factory=lambda: next(_numbers), init=False)
    queued_at: float = field(default_factory=time.monotonic, init=False)  # first queued, on the monotonic clock
    process: int = field(default=NO_PROCESS, init=False)  # the process in which it runs
    slices: int = field(default=0, init=False)  # number of slices so far
    assigned_process: "asyncio.Future[int] | None" = field(default=None, init=False)


class WorkerQueue:
    """The queue of all tasks for a fixed number of processes."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._idle = list(range(processes))
        self._waiting: list[BotTask] = []
        self._started_tasks: Counter[int] = Counter()  # number of unfinished tasks by process
        self._active: Counter[str] = Counter()  # number of waiting or running tasks by caller
        self._last_served: OrderedDict[tuple[str, object], int] = (
            OrderedDict()
        )  # number of the last slice of each caller, person and table
        self._turn = 0

    @property
    def is_busy(self) -> bool:
        """True if any task waits or runs."""
        return bool(self._active)

    @property
    def waiting_count(self) -> int:
        """The number of tasks that wait for a slice."""
        return len(self._waiting)

    def count_load(self, origin: TaskOrigin) -> int:
        """Return the number of tasks that share one process: those of the caller, and one of each other caller.

        Tasks with a lower priority do not count.
        """
        attended = origin.is_attended()
        before = [task.origin for task in self._waiting if not attended or task.origin.is_attended()]
        own = sum(waiting_origin.caller == origin.caller for waiting_origin in before)
        others = len({waiting_origin.caller for waiting_origin in before} - {origin.caller})
        return 1 + (own + others) // self._processes

    def is_alone(self, caller: str) -> bool:
        """Return whether no other caller has a task."""
        return not any(count for other_caller, count in self._active.items() if other_caller != caller)

    async def acquire_process(self, task: BotTask) -> int:
        """Wait for a process and return its number. Then call `requeue_task` or `release_process`."""
        self._active[task.origin.caller] += 1
        self._enqueue(task)
        return await self._wait_for_process(task)

    async def acquire_next_slice(self, task: BotTask) -> int:
        """Return the process for the next slice of a task, after `requeue_task`."""
        return await self._wait_for_process(task)

    async def _wait_for_process(self, task: BotTask) -> int:
        assert task.assigned_process is not None
        try:
            return await task.assigned_process
        except asyncio.CancelledError:
            if task in self._waiting:
                self._waiting.remove(task)
                self._finish_task(task)
            elif task.assigned_process.done() and not task.assigned_process.cancelled():
                self.release_process(task, task.assigned_process.result())  # cancelled after it got the process
            raise

    def requeue_task(self, task: BotTask, process: int) -> None:
        """Queue a task for its next slice, and give the process to the next task."""
        if task.process == NO_PROCESS:
            task.process = process
            self._started_tasks[process] += 1
        self._waiting.append(task)
        task.assigned_process = asyncio.get_running_loop().create_future()
        self._assign_process(process)

    def release_process(self, task: BotTask, process: int) -> None:
        """Remove a finished task, and give its process to the next task."""
        self._finish_task(task)
        self._assign_process(process)

    def _finish_task(self, task: BotTask) -> None:
        if task.process != NO_PROCESS:
            self._started_tasks[task.process] -= 1
            task.process = NO_PROCESS
        self._active[task.origin.caller] -= 1
        self._active += Counter()  # this removes callers without tasks

    def _enqueue(self, task: BotTask) -> None:
        self._waiting.append(task)
        task.assigned_process = asyncio.get_running_loop().create_future()
        for process in list(self._idle):
            self._idle.remove(process)
            self._assign_process(process)

    def _assign_process(self, process: int) -> None:
        able = [task for task in self._waiting if self._can_run(task, process)]
        if not able:
            self._idle.append(process)
            self._idle.sort()
            return
        self._turn += 1
        attended = self._turn % UNATTENDED_INTERVAL != 0
        chosen = min(able, key=lambda task: self._queue_rank(task, attended))
        self._waiting.remove(chosen)
        for key in _list_share_keys(chosen.origin):
            self._last_served.pop(key, None)
            self._last_served[key] = self._turn
        while len(self._last_served) > MAX_REMEMBERED:
            self._last_served.popitem(last=False)
        assert chosen.assigned_process is not None
        chosen.assigned_process.set_result(process)

    def _can_run(self, task: BotTask, process: int) -> bool:
        if task.assigned_process is None or task.assigned_process.done():
            return False  # the task has just been cancelled
        return task.process == process or (task.process == NO_PROCESS and self._started_tasks[process] < MAX_SUSPENDED)

    def _queue_rank(self, task: BotTask, attended: bool) -> tuple[bool, int, int, bool, int, int]:
        """Return the sort key of a task in the queue. The lowest is served first."""
        caller, person, table = (self._last_served.get(key, 0) for key in _list_share_keys(task.origin))
        return task.origin.is_attended() != attended, caller, person, task.process == NO_PROCESS, table, task.number


def _list_share_keys(origin: TaskOrigin) -> tuple[tuple[str, object], ...]:
    return ("caller", origin.caller), ("person", (origin.caller, origin.person)), ("table", origin.table)
