"""Long tasks in slices: a task pauses about every 200 ms of processor time and is resumed later.

A task is a generator that yields nothing and returns its result. Its clock excludes the time in which it is suspended.
Slices therefore change neither a search with a number of iterations nor the thinking time of a bot. Several tasks can
thus share one process (`server/bots/worker.py`).
"""

import time
from collections.abc import Generator
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Sliced: TypeAlias = Generator[None, None, T]

DEFAULT_SLICE_SECONDS = 0.2  # seconds of processor time
_slice_seconds = DEFAULT_SLICE_SECONDS


def set_slice_length(seconds: float) -> None:
    """Set the length of the slices of this process."""
    global _slice_seconds
    _slice_seconds = seconds


def run_to_end(task: Sliced[T]) -> T:
    """Run a task to its end without a pause, and return its result."""
    while True:
        try:
            next(task)
        except StopIteration as end:
            result: T = end.value
            return result


class TaskClock:
    """Processor time and wall-clock time of one task, without the time in which it was suspended."""

    def __init__(self) -> None:
        self._processor, self._wall = time.thread_time(), time.monotonic()  # the clock readings that count as 0
        self._slice_ends = _slice_seconds

    def measure_processor_seconds(self) -> float:
        """Return the seconds of processor time that the task has used."""
        return time.thread_time() - self._processor

    def measure_wall_seconds(self) -> float:
        """Return the seconds that the task has run."""
        return time.monotonic() - self._wall

    def is_slice_over(self) -> bool:
        """Return whether the slice is over."""
        return self.measure_processor_seconds() >= self._slice_ends

    def suspend(self) -> Sliced[None]:
        """Give up the processor until the next slice."""
        processor, wall = time.thread_time(), time.monotonic()
        yield
        self._processor += time.thread_time() - processor
        self._wall += time.monotonic() - wall
        self._slice_ends = self.measure_processor_seconds() + _slice_seconds
