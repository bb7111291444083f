"""Bots think in processes of their own, so that no table waits for another's bot, and the server for none.

A state cannot be sent to another process; a record can. What is done there is `worker`.
"""

import asyncio
import logging
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import ParamSpec, TypeVar

from triclinium.bots import LEVELS, bots
from triclinium.bots.lifeline import deaf
from triclinium.bots.parallel import cores
from triclinium.bots.registry import BOTS
from triclinium.engine.record import Record
from triclinium.server import logs
from triclinium.server.bots import worker
from triclinium.server.bots.compiled import first
from triclinium.server.bots.turns import Attended, Turns
from triclinium.server.secret import new_seed

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger("triclinium.bots")
TRIES = 3
SECONDS = 320.0  # a process that works longer on one thing is stuck: a bot is woken by its own alarm before
USUAL = "steady"  # the level that is offered first


class GaveUp(Exception):
    """A job failed time and again, or took too long."""


def known_bots() -> list[str]:
    """The bots that may sit at a table, by name."""
    return bots()


def levels() -> list[str]:
    """The bots that people are offered, the weakest first: our levels, and the guests."""
    return [name for name in bots() if name in LEVELS or name not in BOTS]


def awaited() -> bool:
    """Of what a person has asked for: they look at it."""
    return True


class BotPool:
    """The processes, started when one is first asked."""

    def __init__(self, workers: int, packages: str = "") -> None:
        """``packages``: where the processes find their modules first, if not where this one does."""
        self.packages = packages
        self.workers = workers  # 0: nobody will ask
        self.cores = max(1, cores() // max(1, workers))  # for one bot
        self._pool: ProcessPoolExecutor | None = None
        self._turns = Turns(workers)
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many decisions wait for a process."""
        return self._turns.waiting

    async def choose(
        self, record: Record, table: str, name: str, components: str = "", attended: Attended = awaited
    ) -> str:
        """The bot's option. If it fails time and again, any legal option: a table never stops for a bot.

        ``attended``: whether somebody looks at the table. One that nobody looks at lets the others pass.
        """
        what = f"the bot {name} at {table}"
        case = worker.Case(record.dumps(), components)
        thought = worker.Thought("")
        try:
            for _ in range(TRIES):
                crowd = self._turns.crowd(attended)
                async with self._turns.taken(attended):
                    thought = await self._run(what, worker.choose, case, table, name, new_seed(), crowd, self.cores)
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

    async def run(self, what: str, job: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """What a job that somebody waits for answers in a process of its own. Raises GaveUp.

        It is handed over when a process is free: the time it waits is not taken for time it thinks.
        """
        async with self._turns.taken(awaited):
            return await self._run(what, job, *args, **more)

    async def _run(self, what: str, job: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """The same, once it has its turn; tried again if the process dies."""
        for attempt in range(1, TRIES + 1):
            pool = self._started()
            try:
                with deaf(), first(self.packages):  # a process is started with its first job
                    answer = pool.submit(job, *args, **more)
                return await asyncio.wait_for(asyncio.wrap_future(answer), SECONDS)
            except BrokenProcessPool:
                if self._closed:
                    break
                log.warning("a process died over %s, attempt %d", what, attempt)
                self._drop(pool)
            except TimeoutError:
                log.warning("%s took too long", what)
                self._drop(pool)
                break
            except Exception:
                log.exception("%s failed, attempt %d", what, attempt)
        raise GaveUp(what)

    def close(self) -> None:
        """End the processes; what they think about now is given up."""
        self._closed = True
        if self._pool is not None:
            self._drop(self._pool)

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # Spawned, not forked: a fork would copy the event loop and the database's connections.
            self._pool = ProcessPoolExecutor(
                self.workers, multiprocessing.get_context("spawn"), worker.begin, (os.getpid(), logs.form())
            )
        return self._pool

    def _drop(self, pool: ProcessPoolExecutor) -> None:
        if self._pool is pool:
            self._pool = None
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()
