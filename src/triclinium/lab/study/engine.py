"""Engines that play the parts of a study in this process or in several. `ray_engine.py` uses other machines."""

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from typing import Protocol

from triclinium.engine.core.errors import BadSetup
from triclinium.lab.simulation import WORKER_LIMIT, ignore_interrupts
from triclinium.lab.study.plan import StudyPlan
from triclinium.lab.study.worker import play_part

QUEUED_PER_WORKER = 2  # parts queued for each worker, so that none is idle

_stop_events: list[Event] = []  # In a worker: set when its results are not needed any more.


class StudyEngine(Protocol):
    """An engine that plays parts in any order."""

    workers: int

    def play(self, plan: StudyPlan, parts: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """Yield each part with its tables. Closing the iterator stops the play."""


class LocalEngine:
    """An engine with one process of this machine for each worker, or this process for a single worker."""

    def __init__(self, workers: int = 1) -> None:
        if not 1 <= workers <= WORKER_LIMIT:
            raise BadSetup(f"a study takes 1 to {WORKER_LIMIT} workers, not {workers}")
        self.workers = workers
        self.pool: ProcessPoolExecutor | None = None

    def play(self, plan: StudyPlan, parts: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        if self.pool is None:
            for part in parts:
                yield part, play_part(plan, part)
            return
        waiting = iter(parts)
        futures: dict[Future[bytes], int] = {}
        try:
            while True:
                with ignore_interrupts():
                    for part in islice(waiting, QUEUED_PER_WORKER * self.workers - len(futures)):
                        futures[self.pool.submit(_play_part, plan, part)] = part
                if not futures:
                    return
                for done in sorted(
                    wait(futures, return_when=FIRST_COMPLETED).done, key=lambda completed: futures[completed]
                ):
                    yield futures.pop(done), done.result()
        except BrokenProcessPool:
            raise BadSetup("a worker crashed; finished parts are kept, and the same command continues") from None
        finally:
            for future in futures:
                future.cancel()


def _init_worker(stop: Event) -> None:
    """Keep the stop event of a new worker process."""
    _stop_events.append(stop)


def _play_part(plan: StudyPlan, part: int) -> bytes:
    return play_part(plan, part, _stop_events[0].is_set)


@contextmanager
def open_local_engine(workers: int) -> Iterator[LocalEngine]:
    """Open an engine with this many workers on this machine, and close it with the context."""
    engine = LocalEngine(workers)
    if workers == 1:
        yield engine
        return
    context = get_context("spawn")  # A forked process would copy locks that other threads of this process hold.
    stop = context.Event()
    with ProcessPoolExecutor(workers, context, _init_worker, (stop,)) as pool:
        engine.pool = pool
        try:
            yield engine
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
