"""Whose turn it is to use a process: those come first that somebody looks at, then whoever has waited longest.

Without that one caller could open forty tables of bots, look at none of them, and let everybody else's bots wait
for a minute. Open streams, by which a table is looked at, are counted for each address; tables that wait are not.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

Attended: TypeAlias = Callable[[], bool]  # whether somebody looks at it now


@dataclass(slots=True, eq=False)
class Waiting:
    """A job that waits."""

    attended: Attended
    called: "asyncio.Future[None]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Turns:
    """So many at once."""

    def __init__(self, most: int) -> None:
        self._most = self._free = most
        self._queue: list[Waiting] = []  # the oldest first

    @property
    def waiting(self) -> int:
        return len(self._queue)

    def crowd(self, attended: Attended) -> int:
        """How many jobs there are for one process, of those that do not let this one pass."""
        before = self._queue if not attended() else [one for one in self._queue if one.attended()]
        return 1 + len(before) // self._most

    @asynccontextmanager
    async def taken(self, attended: Attended) -> AsyncIterator[None]:
        """One of them, for as long as this lasts."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(Waiting(attended))
        try:
            yield
        finally:
            self._call_next()

    async def _wait(self, one: Waiting) -> None:
        self._queue.append(one)
        try:
            await one.called
        except asyncio.CancelledError:
            if one in self._queue:
                self._queue.remove(one)
            else:
                self._call_next()  # it was called, and does not come
            raise

    def _call_next(self) -> None:
        if not self._queue:
            self._free += 1
            return
        chosen = next((one for one in self._queue if one.attended()), self._queue[0])
        self._queue.remove(chosen)
        chosen.called.set_result(None)
