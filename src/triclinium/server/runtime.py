"""Runtime of a server: settings, tasks, threads, the store, and an orderly shutdown."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from triclinium.server.log_format import REQUEST_ID
from triclinium.server.net.rate_limit import THREAD_TIME
from triclinium.server.settings import Settings
from triclinium.server.storage.store import Store

log = logging.getLogger("triclinium.server")
CLOSE_TIMEOUT = 0.7  # seconds to wait for pending writes; a service manager kills a server that closes much more slowly
P = ParamSpec("P")
T = TypeVar("T")


class Runtime:
    """Settings, background tasks, the worker thread, and the store with its messages to other servers."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.database, settings.lock_timeout)
        self.peers = self.store.peers
        self.tasks: set[asyncio.Task[None]] = set()
        self.opened_at = 0.0  # server time of the start; 0: the server is closed
        # One thread for any number of cores. Python runs one thread at a time, so more threads would delay the event
        # loop. With two threads, moves took twice as long under a flood of page requests, and no more pages were
        # served.
        self._executor = ThreadPoolExecutor(1, "triclinium-work")

    def start_task(self, work: "asyncio._CoroutineLike[None]", name: str) -> "asyncio.Task[None]":
        """Start a task that is cancelled when the server closes."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self.tasks.add(task)
        task.add_done_callback(self._on_task_done)
        return task

    def _on_task_done(self, task: "asyncio.Task[None]") -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("the task %r failed", task.get_name(), exc_info=task.exception())

    async def run_in_thread(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Run slow work, or work that reads the disk, outside the event loop.

        A cancelled caller still waits for the work to end, because it may hold the lock of the table that the work
        reads.
        """
        bill, request = THREAD_TIME.get(), REQUEST_ID.get()

        def job() -> T:
            began = time.thread_time()
            REQUEST_ID.set(request)  # for log entries of the work
            try:
                return work(*args, **more)
            finally:
                if bill is not None:
                    bill.milliseconds += (time.thread_time() - began) * 1000

        doing = asyncio.get_running_loop().run_in_executor(self._executor, job)
        try:
            return await asyncio.shield(doing)
        except asyncio.CancelledError:
            await asyncio.wait([doing])
            raise

    async def cancel_tasks(self) -> None:
        """Cancel all background tasks and wait until they have ended."""
        for task in self.tasks:
            task.cancel()
        for task in list(self.tasks):
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def close(self) -> None:
        """Stop the worker thread, leave the other servers, and write what is pending."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(self.peers.close)
        await asyncio.to_thread(self.store.close, CLOSE_TIMEOUT)
        self.opened_at = 0.0
