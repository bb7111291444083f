"""Who listens to a table, and how they are told: server-sent events, small and the same for all but the asked seat.

A listener that does not keep up misses nothing that matters: its waiting events collapse into one, and the page fetches
the table as it is.
"""

import asyncio
from collections import deque
from collections.abc import Callable

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from triclinium.kernel.state import NOBODY, Seat

PULSE = 20.0  # seconds between two signs of life
WAITING = 32  # events that a slow listener may be behind


class Listener:
    """One open event stream."""

    __slots__ = ("_events", "_wake", "closed", "seats")

    def __init__(self, seats: tuple[Seat, ...]) -> None:
        self.seats = seats  # none: a spectator
        self.closed = False
        self._events: deque[bytes] = deque(maxlen=WAITING)
        self._wake: asyncio.Future[None] | None = None

    def tell(self, event: bytes) -> None:
        self._events.append(event)
        self.wake()

    def close(self) -> None:
        self.closed = True
        self.wake()

    def wake(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    def take(self) -> bytes:
        """Everything that waits, as one piece."""
        taken = b"".join(self._events)
        self._events.clear()
        return taken

    async def next(self, seconds: float) -> bytes:
        """What is told next; nothing, when the time is over or the stream is closed."""
        if not self._events and not self.closed:
            loop = asyncio.get_running_loop()
            self._wake = loop.create_future()
            timer = loop.call_later(seconds, self.wake)
            try:
                await self._wake
            finally:
                timer.cancel()
                self._wake = None
        return self.take()


class Hub:
    """The listeners of one table. Pages read it in threads of their own, so they count a copy."""

    __slots__ = ("listeners",)

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()

    def here(self) -> set[Seat]:
        """The seats whose player has the table open."""
        return {seat for listener in tuple(self.listeners) for seat in listener.seats}

    def watching(self) -> int:
        """How many spectators have the table open."""
        return sum(1 for listener in tuple(self.listeners) if not listener.seats)

    def tell(self, event: bytes, asked: Seat = NOBODY, for_asked: bytes = b"") -> None:
        """Tell everybody; the asked seat may be told more."""
        for listener in self.listeners:
            listener.tell(for_asked if for_asked and asked in listener.seats else event)

    def whisper(self, seat: Seat, event: bytes) -> None:
        """Tell one seat alone."""
        for listener in self.listeners:
            if seat in listener.seats:
                listener.tell(event)

    def close(self) -> None:
        for listener in self.listeners:
            listener.close()


def encode(kind: str, data: str, id: int | None = None) -> bytes:
    """One event on the wire; the data are one line."""
    head = f"event: {kind}\n" if id is None else f"id: {id}\nevent: {kind}\n"
    return f"{head}data: {data}\n\n".encode()


class Stream(Response):
    """An open event stream: what stands now, then whatever is told, and a sign of life in between."""

    media_type = "text/event-stream"

    def __init__(self, hub: Hub, listener: Listener, changed: Callable[[], None]) -> None:
        super().__init__(None, headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self.hub = hub
        self.listener = listener
        self.changed = changed  # told when somebody comes or goes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        gone = asyncio.get_running_loop().create_task(_until_gone(receive, self.listener))
        self.hub.listeners.add(self.listener)
        self.changed()
        try:
            while not self.listener.closed:
                told = await self.listener.next(PULSE)
                if not self.listener.closed:
                    await send({"type": "http.response.body", "body": told or b": here\n\n", "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self.hub.listeners.discard(self.listener)
            gone.cancel()
            self.changed()


async def _until_gone(receive: Receive, listener: Listener) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    listener.close()
