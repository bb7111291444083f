"""Pool of bot processes, so that the server never waits for a computation.

A state cannot be sent to another process, but a record can. The work in the processes is in `worker`. Callers share the
processes in time slices: see `worker_queue`.
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

from triclinium.bots import list_bots as list_registered_bots
from triclinium.bots.child_process import block_signals
from triclinium.bots.levels import LEVELS, load_levels
from triclinium.bots.parallel import count_cores
from triclinium.bots.registry import BUILTIN_BOTS_BY_NAME
from triclinium.bots.time_slices import DEFAULT_SLICE_SECONDS, Sliced
from triclinium.engine.build_info import is_compiled
from triclinium.engine.game import Game
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
YIELD_SECONDS = 0.1  # interval at which an idle pool checks whether it may continue
SLICE_TIMEOUT = 320.0  # a longer slice means that the process is stuck; a bot's own time limit is much shorter
SUBSTITUTE_LEVEL = "steady"  # the level of bots that replace absent players


class BotJobFailed(Exception):
    """Raised if a job failed several times or took too long."""


def list_bots() -> list[str]:
    """Return the names of the bots that can play at a table."""
    return list_registered_bots()


def list_levels(game: Game | None = None) -> list[str]:
    """Return the bots that people can choose, for one game or for all: levels, weakest first, then bots of plugins."""
    offered = LEVELS if game is None else load_levels(game).offered
    return [*offered, *(name for name in list_bots() if name not in BUILTIN_BOTS_BY_NAME)]


class TaskLost(Exception):
    """Raised if another task ended the process in which a suspended task was stored."""


class BotPool:
    """The bot processes, each started when it is first needed."""

    def __init__(
        self,
        workers: int,
        packages: str = "",
        slice_seconds: float = DEFAULT_SLICE_SECONDS,
        yields_to: "BotPool | None" = None,
    ) -> None:
        """Create the pool; ``packages`` is a folder that comes first on the import path of the processes.

        A pool that yields to another one runs only while that one has no task, and at idle priority.
        """
        self.packages = packages
        self.workers = workers  # 0: this server runs no bots
        self.cores = max(1, count_cores() // max(1, workers))  # processor cores for one bot
        self.slice_log = SliceLog()
        self._slice_seconds = slice_seconds
        self._executors: dict[
            int, ProcessPoolExecutor
        ] = {}  # one executor for each process, because a suspended task must continue in its process
        self._queue = WorkerQueue(workers)
        self._yields_to = yields_to
        self._closed = False
        self._choosing = 0  # number of moves that bots at tables are choosing

    @property
    def is_playing(self) -> bool:
        """True while a bot at a table thinks or waits for a process."""
        return self._choosing > 0

    @property
    def is_busy(self) -> bool:
        """True if any task waits or runs."""
        return self._queue.is_busy

    @property
    def is_compiled(self) -> bool:
        """True if the bots run from the compiled build."""
        return bool(self.packages) or is_compiled()

    @property
    def waiting_count(self) -> int:
        """The number of tasks that wait for a process."""
        return self._queue.waiting_count

    async def choose(
        self, record: Record, origin: TaskOrigin, name: str, components: str = "", seed: int | None = None
    ) -> str:
        """Return the option that a bot chooses. With a ``seed``, the choice follows from the record and the seed.

        If the bot fails several times, return any legal option, so that a match never stops because of a bot.
        """
        self._choosing += 1
        try:
            return await self._choose(record, origin, name, components, seed)
        finally:
            self._choosing -= 1

    async def _choose(self, record: Record, origin: TaskOrigin, name: str, components: str, seed: int | None) -> str:
        what = f"the bot {name} at {origin.table}"
        case = worker.MatchInput(record.dumps(), components)
        choice = worker.BotChoice("")
        try:
            for _ in range(MAX_TRIES):
                load = self._queue.count_load(origin)
                cores = self.cores if self._queue.is_alone(origin.caller) else 1  # child processes cannot be suspended
                if seed is None:
                    args = (case, origin.table, name, make_seed(), load, cores)
                    choice = await self._run_with_retries(what, origin, worker.choose_option, *args)
                else:
                    choice = await self._run_with_retries(what, origin, worker.choose_repeatably, case, name, seed)
                if choice.cut_short:
                    log.warning("%s ran out of time on a busy machine and played its best option so far", what)
                if not choice.fault:
                    break
                log.warning("%s: %s (%s)", what, choice.fault, choice.detail)
                if choice.fault == "late":
                    break  # a second try would be late too, and people are waiting
        except BotJobFailed:
            log.warning("%s did not answer; a legal option was played instead", what)
        return choice.option or await asyncio.to_thread(worker.choose_any_legal, case)

    async def run(self, origin: TaskOrigin, job: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Return the result of a function that runs in a bot process, in one slice.

        Raise `BotJobFailed` if it fails.
        """

        return await self._run_with_retries(str(origin), origin, worker.run_in_one_slice, partial(job, *args, **more))

    async def run_sliced(self, origin: TaskOrigin, job: Callable[P, Sliced[T]], *args: P.args, **more: P.kwargs) -> T:
        """Return the result of a task that runs in a bot process, in slices. Raise `BotJobFailed` if it fails."""
        return await self._run_with_retries(str(origin), origin, job, *args, **more)

    async def _run_with_retries(
        self, what: str, origin: TaskOrigin, job: Callable[P, Sliced[T]], *args: P.args, **more: P.kwargs
    ) -> T:
        """Run a task to its end and restart it if its process crashes. Raise `BotJobFailed` after the last try."""
        attempt = 1
        while attempt <= MAX_TRIES:
            try:
                return await self._run_in_slices(origin, partial(job, *args, **more))
            except TaskLost:
                continue  # another task ended the process, so this does not count as a try
            except BrokenProcessPool:
                if self._closed:
                    break
                log.warning("a process crashed during %s, attempt %d", what, attempt)
            except TimeoutError:
                log.warning("%s took too long", what)
                break
            except Exception:
                log.exception("%s failed, attempt %d", what, attempt)
            attempt += 1
        raise BotJobFailed(what)

    async def _run_in_slices(self, origin: TaskOrigin, job: Callable[[], Sliced[T]]) -> T:
        """Run a task in slices, each when its turn comes. Time in the queue does not count as thinking time."""
        task = BotTask(origin)
        process = await self._queue.acquire_process(task)
        call: Callable[[], worker.SliceOutcome[T]] = partial(worker.start_task, task.number, job)
        while True:
            while self._yields_to is not None and self._yields_to.is_busy:
                await asyncio.sleep(YIELD_SECONDS)
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
        """Run one slice and return its outcome.

        After an error or a timeout the task is no longer in the queue. Raise the error of the slice, or `TimeoutError`.
        """
        pool = self._get_executor(process)
        began = time.monotonic()

        def end(_: object = None) -> None:
            self.slice_log.add(task, process, began)
            self._queue.release_process(task, process)

        def abandon(done: "asyncio.Future[worker.SliceOutcome[T]]") -> None:
            """Free the process of a slice that has been cancelled or has timed out, as soon as the slice ends."""
            if not done.cancelled() and done.exception() is None:
                self._drop_task(task.number, process)
            end()

        try:
            with block_signals(), prefer_packages(self.packages):  # the first job starts the process
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
        """Make a process delete a suspended task."""
        pool = self._executors.get(process)
        if pool is not None and not self._closed:
            with contextlib.suppress(BrokenProcessPool):
                pool.submit(worker.drop_task, number)

    def close(self) -> None:
        """Kill the processes and cancel their tasks."""
        self._closed = True
        for process, pool in list(self._executors.items()):
            self._kill_process(process, pool)

    def _get_executor(self, process: int) -> ProcessPoolExecutor:
        if process not in self._executors:
            # Processes are spawned: a forked one would inherit the event loop and the database connections.
            begin = (os.getpid(), log_format.get_log_format(), self._slice_seconds, self._yields_to is not None)
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
