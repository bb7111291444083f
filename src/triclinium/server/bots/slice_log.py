"""Log of the bots' time slices: whose task used which process, and when. Kept in memory for tests and operators."""

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

from triclinium.server.bots.worker_queue import BotTask
from triclinium.server.log_format import LogFields

log = logging.getLogger("triclinium.bots.time_slices")
MAX_SLICES = 4096  # maximum number of slices in the log


@dataclass(frozen=True, slots=True)
class BotSlice:
    """One slice of a task. Times are readings of the monotonic clock."""

    caller: str
    table: str
    kind: str
    task: int
    number: int  # counts the slices of the task from 0
    process: int
    asked: float  # time at which the task was queued
    began: float
    ended: float


class SliceLog:
    """The last slices of a pool, oldest first."""

    def __init__(self) -> None:
        self._slices: deque[BotSlice] = deque(maxlen=MAX_SLICES)
        self.on_slice: Callable[[BotSlice], None] | None = None  # called after each slice, for metrics

    def __iter__(self) -> Iterator[BotSlice]:
        return iter(tuple(self._slices))

    def add(self, task: BotTask, process: int, began: float) -> None:
        """Log a slice that ends now."""
        origin = task.origin
        made = BotSlice(
            origin.caller,
            origin.table,
            origin.kind,
            task.number,
            task.slices,
            process,
            task.queued_at,
            began,
            time.monotonic(),
        )
        task.slices += 1
        self._slices.append(made)
        if log.isEnabledFor(logging.DEBUG):
            log.debug("%s", LogFields(asdict(made)))
        if self.on_slice is not None:
            self.on_slice(made)
