"""Bots think in processes of their own, so that the server waits for none of them.

A state cannot be sent to another process; a record can. The work done there is in `worker`. Callers share the processes
in slices, see `turns`.
"""

import asyncio
import contextlib
import logging
import multiprocessing
import os
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import ParamSpec, TypeVar

from triclinium.bots import LEVELS
from triclinium.bots import list_bots as list_registered_bots
from triclinium.bots.child_process import block_signals
from triclinium.bots.parallel import count_cores
from triclinium.bots.registry import BUILTIN_BOTS_BY_NAME
from triclinium.bots.time_slices import DEFAULT_SLICE_SECONDS, Sliced
from triclinium.engine.record import Record
from triclinium.server import log_format
from triclinium.server.bots import worker
from triclinium.server.bots.compiled_packages import prefer_packages
from triclinium.server.bots.slice_log import SliceLog
from triclinium.server.bots.worker_queue import BotTask, TaskOrigin, WorkerQueue
from triclinium.server.crypto import make_seed

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger("triclinium.bots")
MAX_TRIES = 3
SLICE_TIMEOUT = 320.0  # a process that works longer on one slice is stuck: a bot is woken by its own alarm before
DEFAULT_LEVEL = "steady"  # the level that is offered first


class BotJobFailed(Exception):
    """A job failed time and again, or took too long."""


def list_bots() -> list[str]:
    """The bots that may sit at a table, by name."""
    return list_registered_bots()


def list_levels() -> list[str]:
    """The bots that people are offered, the weakest first: our levels, and the guests."""
    return [name for name in list_bots() if name in LEVELS or name not in BUILTIN_BOTS_BY_NAME]


class TaskLost(Exception):
    """The process of a suspended task was ended by another task."""


class BotPool:
    """The processes, each started when it is first needed."""

    def __init__(self, workers: int, packages: str = "", slice_seconds: float = DEFAULT_SLICE_SECONDS) -> None:
        """``packages``: where the processes find their modules first, if not where this one does."""
        self.packages = packages
        self.workers = workers  # 0: nobody will ask
        self.cores = max(1, count_cores() // max(1, workers))  # for one bot
        self.slice_log = SliceLog()
        self._slice_seconds = slice_seconds
        self._executors: dict[
            int, ProcessPoolExecutor
        ] = {}  # of one process each: a suspended task stays in its process
        self._queue = WorkerQueue(workers)
        self._closed = False

    @property
    def waiting_count(self) -> int:
        """How many decisions wait for a process."""
        return self._queue.waiting_count

    async def choose(self, record: Record, origin: TaskOrigin, name: str, components: str = "") -> str:
        """The bot's option. If it fails time and again, any legal option: a table never stops for a bot."""
        what = f"the bot {name} at {origin.table}"
        case = worker.MatchInput(record.dumps(), components)
        choice = worker.BotChoice("")
        try:
            for _ in range(MAX_TRIES):
                load = self._queue.count_load(origin)
                cores = self.cores if self._queue.is_alone(origin.caller) else 1  # children are not sliced
                args = (case, origin.table, name, make_seed(), load, cores)
                choice = await self._run_with_retries(what, origin, worker.choose_option, *args)
                if choice.cut_short:
                    log.warning("%s was cut short by the clock: the machine is busy, its best so far is played", what)
                if not choice.fault:
                    break
                log.warning("%s: %s (%s)", what, choice.fault, choice.detail)
                if choice.fault == "late":
                    break  # it would be late again, and people wait
        except BotJobFailed:
            log.warning("%s gave no answer; a legal option is taken in its place", what)
        return choice.option or await asyncio.to_thread(worker.choose_any_legal, case)

    async def run(self, origin: TaskOrigin, job: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Return what a function returns in a process, in one slice however long it takes; raise GaveUp."""

        return await self._run_with_retries(str(origin), origin, worker.run_in_one_slice, partial(job, *args, **more))

    async def run_sliced(self, origin: TaskOrigin, job: Callable[P, Sliced[T]], *args: P.args, **more: P.kwargs) -> T:
        """Return what a task (`bots/time_slices.py`) returns in a process; raise GaveUp."""
        return await self._run_with_retries(str(origin), origin, job, *args, **more)

    async def _run_with_retries(
        self, what: str, origin: TaskOrigin, job: Callable[P, Sliced[T]], *args: P.args, **more: P.kwargs
    ) -> T:
        """Run a task to its end, again if its process dies; raise GaveUp."""
        attempt = 1
        while attempt <= MAX_TRIES:
            try:
                return await self._run_in_slices(origin, partial(job, *args, **more))
            except TaskLost:
                continue  # another task took the process down, and counts for that
            except BrokenProcessPool:
                if self._closed:
                    break
                log.warning("a process died over %s, attempt %d", what, attempt)
            except TimeoutError:
                log.warning("%s took too long", what)
                break
            except Exception:
                log.exception("%s failed, attempt %d", what, attempt)
            attempt += 1
        raise BotJobFailed(what)

    async def _run_in_slices(self, origin: TaskOrigin, job: Callable[[], Sliced[T]]) -> T:
        """Run a task in slices, each when its turn comes. The time it waits is not taken for time it thinks."""
        task = BotTask(origin)
        process = await self._queue.acquire_process(task)
        call: Callable[[], worker.SliceOutcome[T]] = partial(worker.start_task, task.number, job)
        while True:
            part = await self._run_slice(task, process, call)
            if part.result is not None:
                self._queue.release_process(task, process)
                return part.result[0]
            if part.lost:
                self._queue.release_process(task, process)
                raise TaskLost
            self._queue.requeue_task(task, process)
            try:
                process = await self._queue.acquire_next_slice(task)
            except asyncio.CancelledError:
                self._drop_task(task.number, process)
                raise
            call = partial(worker.resume_task, task.number)

    async def _run_slice(
        self, task: BotTask, process: int, call: "Callable[[], worker.SliceOutcome[T]]"
    ) -> "worker.SliceOutcome[T]":
        """Run one slice. If it fails, the task has left; raise whatever it raised, or TimeoutError."""
        pool = self._get_executor(process)
        began = time.monotonic()

        def end(_: object = None) -> None:
            self.slice_log.add(task, process, began)
            self._queue.release_process(task, process)

        def abandon(done: "asyncio.Future[worker.SliceOutcome[T]]") -> None:
            """Nobody waits for the slice any more; its process is free when it ends."""
            if not done.cancelled() and done.exception() is None:
                self._drop_task(task.number, process)
            end()

        try:
            with block_signals(), prefer_packages(self.packages):  # a process is started with its first job
                running = asyncio.wrap_future(pool.submit(call))
            done, _ = await asyncio.wait([running], timeout=SLICE_TIMEOUT)
        except asyncio.CancelledError:
            running.add_done_callback(abandon)
            raise
        except BrokenProcessPool:
            self._kill_process(process, pool)
            end()
            raise
        if not done:
            self._kill_process(process, pool)
            running.add_done_callback(abandon)
            raise TimeoutError
        try:
            part = running.result()
        except BaseException as error:
            if isinstance(error, BrokenProcessPool):
                self._kill_process(process, pool)
            end()
            raise
        self.slice_log.add(task, process, began)
        return part

    def _drop_task(self, number: int, process: int) -> None:
        """Have a process drop a suspended task."""
        pool = self._executors.get(process)
        if pool is not None and not self._closed:
            with contextlib.suppress(BrokenProcessPool):
                pool.submit(worker.drop_task, number)

    def close(self) -> None:
        """End the processes; what they think about now is given up."""
        self._closed = True
        for process, pool in list(self._executors.items()):
            self._kill_process(process, pool)

    def _get_executor(self, process: int) -> ProcessPoolExecutor:
        if process not in self._executors:
            # Spawned, not forked: a fork would copy the event loop and the database's connections.
            begin = (os.getpid(), log_format.get_log_format(), self._slice_seconds)
            self._executors[process] = ProcessPoolExecutor(
                1, multiprocessing.get_context("spawn"), worker.initialize_process, begin
            )
        return self._executors[process]

    def _kill_process(self, process: int, pool: ProcessPoolExecutor) -> None:
        if self._executors.get(process) is pool:
            del self._executors[process]
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for child in processes:
            child.kill()
