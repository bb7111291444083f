"""Bots think in processes of their own, so that no table waits for another's bot.

A state cannot be sent to another process; a record can. Each process keeps the matches it last thought about.
"""

import asyncio
import logging
import multiprocessing
import secrets
from collections import OrderedDict
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from triclinium.bots import bot, bots, choice
from triclinium.kernel.record import Record, replay_one
from triclinium.kernel.registry import title as find_title
from triclinium.kernel.rng import Rng
from triclinium.kernel.state import State
from triclinium.server.secret import new_seed

log = logging.getLogger("triclinium.bots")
TRIES = 3
SECONDS = 60.0  # a bot that thinks longer has lost its way
MATCHES = 32  # kept by a process

_kept: OrderedDict[str, tuple[list[str], State]] = OrderedDict()


def levels() -> list[str]:
    """The bots that may sit at a table, the weakest first."""
    return bots()


def usual(names: list[str]) -> str:
    """The level that is offered first."""
    for name in ("steady", "greedy"):
        if name in names:
            return name
    return names[-1]


def adviser(names: list[str]) -> str:
    """The level that gives hints: strong, and soon done."""
    return "strong" if "strong" in names else usual(names)


def _state(record: Record, table: str) -> State:
    """The state of a record; a match thought about before is only played on."""
    title = find_title(record.title)
    done, s = _kept.pop(table, ([], None))
    if s is None or record.options[: len(done)] != done:
        done, s = [], record.deal(title)
    for n, text in enumerate(record.options[len(done) :], start=len(done) + 1):
        replay_one(title, s, n, text)
    _kept[table] = (list(record.options), s)
    while len(_kept) > MATCHES:
        _kept.popitem(last=False)
    return s


def think(text: str, table: str, name: str, seed: int) -> str:
    """In a bot's process: what the bot chooses for the seat that is asked, in notation."""
    record = Record.loads(text)
    s = _state(record, table)
    title = find_title(record.title)
    return title.say(choice(bot(name, title), s.clone(), Rng(seed)))


class Thinkers:
    """The processes, started when a bot is first asked."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool: ProcessPoolExecutor | None = None

    async def choose(self, record: Record, table: str, name: str) -> str:
        """The bot's option. If it fails time and again, any legal option: a table never stops for a bot."""
        for attempt in range(TRIES):
            pool = self._started()
            try:
                job = asyncio.get_running_loop().run_in_executor(pool, think, record.dumps(), table, name, new_seed())
                return await asyncio.wait_for(job, SECONDS)
            except BrokenProcessPool:
                log.warning("a bot's process died while %s thought at %s, attempt %d", name, table, attempt + 1)
                self._drop(pool)
            except TimeoutError:
                log.warning("the bot %s thought too long at %s", name, table)
                self._drop(pool)
                break
            except Exception:
                log.exception("the bot %s failed at %s, attempt %d", name, table, attempt + 1)
        title = find_title(record.title)
        s = record.replay()
        return title.say(secrets.choice(s.legal))

    def close(self) -> None:
        if self._pool is not None:
            self._drop(self._pool)

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # Spawned, not forked: a fork would copy the event loop and the database's connections.
            self._pool = ProcessPoolExecutor(self.workers, mp_context=multiprocessing.get_context("spawn"))
        return self._pool

    def _drop(self, pool: ProcessPoolExecutor) -> None:
        if self._pool is pool:
            self._pool = None
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()
