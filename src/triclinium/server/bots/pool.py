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

from triclinium.bots import LEVELS, bots
from triclinium.bots.child_process import deaf
from triclinium.bots.parallel import cores
from triclinium.bots.registry import BOTS
from triclinium.bots.time_slices import SLICE, Sliced
from triclinium.engine.record import Record
from triclinium.server import log_format
from triclinium.server.bots import worker
from triclinium.server.bots.compiled import first
from triclinium.server.bots.slice_log import SliceLog
from triclinium.server.bots.worker_queue import Origin, Task, Turns
from triclinium.server.crypto import new_seed

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger("triclinium.bots")
TRIES = 3
SECONDS = 320.0  # a process that works longer on one slice is stuck: a bot is woken by its own alarm before
USUAL = "steady"  # the level that is offered first


class GaveUp(Exception):
    """A job failed time and again, or took too long."""


def known_bots() -> list[str]:
    """The bots that may sit at a table, by name."""
    return bots()


def levels() -> list[str]:
    """The bots that people are offered, the weakest first: our levels, and the guests."""
    return [name for name in bots() if name in LEVELS or name not in BOTS]


class Lost(Exception):
    """The process of a suspended task was ended by another task."""


class BotPool:
    """The processes, each started when it is first needed."""

    def __init__(self, workers: int, packages: str = "", slice_seconds: float = SLICE) -> None:
        """``packages``: where the processes find their modules first, if not where this one does."""
        self.packages = packages
        self.workers = workers  # 0: nobody will ask
        self.cores = max(1, cores() // max(1, workers))  # for one bot
        self.slices = SliceLog()
        self._slice_seconds = slice_seconds
        self._pools: dict[int, ProcessPoolExecutor] = {}  # of one process each: a suspended task stays in its process
        self._turns = Turns(workers)
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many decisions wait for a process."""
        return self._turns.waiting

    async def choose(self, record: Record, origin: Origin, name: str, components: str = "") -> str:
        """The bot's option. If it fails time and again, any legal option: a table never stops for a bot."""
        what = f"the bot {name} at {origin.table}"
        case = worker.Case(record.dumps(), components)
        thought = worker.Thought("")
        try:
            for _ in range(TRIES):
                crowd = self._turns.crowd(origin)
                cores = self.cores if self._turns.is_alone(origin.caller) else 1  # children are not sliced
                args = (case, origin.table, name, new_seed(), crowd, cores)
                thought = await self._try(what, origin, worker.choose, *args)
                if thought.cut:
                    log.warning("%s was cut short by the clock: the machine is busy, its best so far is played", what)
                if not thought.fault:
                    break
                log.warning("%s: %s (%s)", what, thought.fault, thought.detail)
                if thought.fault == "late":
                    break  # it would be late again, and people wait
        except GaveUp:
            log.warning("%s gave no answer; a legal option is taken in its place", what)
        return thought.option or await asyncio.to_thread(worker.any_legal, case)

    async def run(self, origin: Origin, job: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Return what a function returns in a process, in one slice however long it takes; raise GaveUp."""

        return await self._try(str(origin), origin, worker.in_one_slice, partial(job, *args, **more))

    async def run_sliced(self, origin: Origin, job: Callable[P, Sliced[T]], *args: P.args, **more: P.kwargs) -> T:
        """Return what a task (`bots/time_slices.py`) returns in a process; raise GaveUp."""
        return await self._try(str(origin), origin, job, *args, **more)

    async def _try(self, what: str, origin: Origin, job: Callable[P, Sliced[T]], *args: P.args, **more: P.kwargs) -> T:
        """Run a task to its end, again if its process dies; raise GaveUp."""
        attempt = 1
        while attempt <= TRIES:
            try:
                return await self._share(origin, partial(job, *args, **more))
            except Lost:
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
        raise GaveUp(what)

    async def _share(self, origin: Origin, job: Callable[[], Sliced[T]]) -> T:
        """Run a task in slices, each when its turn comes. The time it waits is not taken for time it thinks."""
        task = Task(origin)
        process = await self._turns.take(task)
        call: Callable[[], worker.Part[T]] = partial(worker.start, task.number, job)
        while True:
            part = await self._slice(task, process, call)
            if part.result is not None:
                self._turns.leave(task, process)
                return part.result[0]
            if part.lost:
                self._turns.leave(task, process)
                raise Lost
            self._turns.pass_on(task, process)
            try:
                process = await self._turns.again(task)
            except asyncio.CancelledError:
                self._forget(task.number, process)
                raise
            call = partial(worker.resume, task.number)

    async def _slice(self, task: Task, process: int, call: "Callable[[], worker.Part[T]]") -> "worker.Part[T]":
        """Run one slice. If it fails, the task has left; raise whatever it raised, or TimeoutError."""
        pool = self._started(process)
        began = time.monotonic()

        def end(_: object = None) -> None:
            self.slices.add(task, process, began)
            self._turns.leave(task, process)

        def abandon(done: "asyncio.Future[worker.Part[T]]") -> None:
            """Nobody waits for the slice any more; its process is free when it ends."""
            if not done.cancelled() and done.exception() is None:
                self._forget(task.number, process)
            end()

        try:
            with deaf(), first(self.packages):  # a process is started with its first job
                running = asyncio.wrap_future(pool.submit(call))
            done, _ = await asyncio.wait([running], timeout=SECONDS)
        except asyncio.CancelledError:
            running.add_done_callback(abandon)
            raise
        except BrokenProcessPool:
            self._drop(process, pool)
            end()
            raise
        if not done:
            self._drop(process, pool)
            running.add_done_callback(abandon)
            raise TimeoutError
        try:
            part = running.result()
        except BaseException as error:
            if isinstance(error, BrokenProcessPool):
                self._drop(process, pool)
            end()
            raise
        self.slices.add(task, process, began)
        return part

    def _forget(self, number: int, process: int) -> None:
        """Have a process drop a suspended task."""
        pool = self._pools.get(process)
        if pool is not None and not self._closed:
            with contextlib.suppress(BrokenProcessPool):
                pool.submit(worker.drop, number)

    def close(self) -> None:
        """End the processes; what they think about now is given up."""
        self._closed = True
        for process, pool in list(self._pools.items()):
            self._drop(process, pool)

    def _started(self, process: int) -> ProcessPoolExecutor:
        if process not in self._pools:
            # Spawned, not forked: a fork would copy the event loop and the database's connections.
            begin = (os.getpid(), log_format.form(), self._slice_seconds)
            self._pools[process] = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), worker.begin, begin)
        return self._pools[process]

    def _drop(self, process: int, pool: ProcessPoolExecutor) -> None:
        if self._pools.get(process) is pool:
            del self._pools[process]
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for one in processes:
            one.kill()
