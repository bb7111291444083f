"""Who listens to a table, and how they are told: server-sent events, small and the same for all but the asked seat.

A stream belongs to a person, or to the token of one seat, never to a seat itself: seats change hands. The hub asks the
table who speaks for which seat now, whenever that may have changed.

A listener that does not keep up misses nothing that matters: its waiting events collapse into one, and the page fetches
the table as it is.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from triclinium.engine.core.state import NOBODY, Seat

PULSE = 10.0  # seconds without any event until a heartbeat; a page takes 28 seconds of silence for a lost connection
FORGOTTEN = 75.0  # seconds after which another server's word on who is there counts no more
LONG_AGO = 1e9  # seconds
WAITING = 32  # events that a slow listener may be behind
clock = time.monotonic  # of presence: the time of day may jump


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Who has the table open at another server, and when it said so."""

    here: frozenset[Seat]
    open: frozenset[Seat]
    aware: frozenset[Seat]
    watching: int
    at: float


@dataclass(slots=True, eq=False)
class Listener:
    """One open event stream: of a person at a device, of a program with a seat's token, or of a stranger."""

    person: int | None = None
    device: str = ""  # the hash of its cookie
    token: str = ""  # the hash of the seat's token; then the person does not count
    watches: int = -1  # the generation of the spectators' link that let it in; -1: none did
    tab: str = ""  # how the page that listens calls itself; a program has none
    looking: bool = field(default=True, init=False)  # a page in a hidden tab is open, but nobody is here
    notifies: bool = field(default=False, init=False)  # it says by itself, on the screen, when it is its reader's turn
    # The seats that it speaks for now, as the table says; none: a spectator.
    seats: tuple[Seat, ...] = field(default=(), init=False)
    closed: bool = field(default=False, init=False)
    _events: deque[bytes] = field(default_factory=lambda: deque(maxlen=WAITING), init=False)
    _wake: asyncio.Future[None] | None = field(default=None, init=False)
    _since: float = field(default=0.0, init=False)  # when it began to wait, by the loop's clock
    _timer: asyncio.TimerHandle | None = field(default=None, init=False)

    def sit(self, seats: tuple[Seat, ...]) -> None:
        """It speaks for these seats from now on. What waits for a seat that it has lost is never told."""
        if not set(self.seats) <= set(seats):
            self._events.clear()
        self.seats = seats

    def tell(self, event: bytes) -> None:
        self._events.append(event)
        self.wake()

    def close(self) -> None:
        self.closed = True
        self._events.clear()
        if self._timer is not None:
            self._timer.cancel()
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
            self._since = loop.time()
            self._wake = loop.create_future()
            if self._timer is None:
                self._timer = loop.call_later(seconds, self._ring, loop, seconds)
            try:
                await self._wake
            finally:
                self._wake = None
        return self.take()

    def _ring(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        """One timer serves many waits, and is set again for what is left of the last: most are ended by a move."""
        left = self._since + seconds - loop.time()
        self._timer = None
        if left > 0.0 and not self.closed:
            self._timer = loop.call_later(left, self._ring, loop, seconds)
        else:
            self.wake()


class Hub:
    """The listeners of one table, and when each seat last showed a sign of life.

    Pages read it in threads of their own, so they count a copy; whatever changes it stays on the loop's thread.
    """

    __slots__ = ("_asked", "_signs", "_since", "elsewhere", "listeners", "seating", "speaks")

    def __init__(self, speaks: Callable[[Listener], tuple[Seat, ...] | None]) -> None:
        self.speaks = speaks  # the seats of a listener now; None: the table is not shown to it any more
        self.seating = 0  # raised by `reseat`
        self._asked = 0  # the seating for which the listeners' seats are true
        self.listeners: set[Listener] = set()
        self.elsewhere: dict[str, Elsewhere] = {}  # by server
        self._signs: dict[Seat, float] = {}
        self._since = clock()

    # -- who is who ---------------------------------------------------------------------------------------------

    def add(self, listener: Listener) -> None:
        seats = self.speaks(listener)
        if seats is None:
            listener.close()
        else:
            listener.sit(seats)
            self.listeners.add(listener)

    def discard(self, listener: Listener) -> None:
        """A stream has ended by itself: its player was here until now."""
        if listener in self.listeners:
            self.ask()
            self.sign(listener.seats)
            self.listeners.discard(listener)

    def reseat(self) -> None:
        """Somebody has sat down or got up, or a link was revoked."""
        self.seating += 1
        self.ask()

    def ask(self) -> None:
        """Let every stream speak for the seats that its owner holds now; close those that have nothing to see here."""
        if self._asked == self.seating:
            return
        self._asked = self.seating
        for listener in list(self.listeners):
            seats = self.speaks(listener)
            if seats is None:
                self._shut(listener)
            elif seats != listener.seats:
                listener.sit(seats)

    def forget(self, device: str) -> None:
        """Close the streams of a device that no longer speaks for anybody."""
        for listener in list(self.listeners):
            if listener.device == device:
                self._shut(listener)

    def shut_who(self, goes: Callable[[Listener], bool]) -> None:
        """Close the streams that must go."""
        for listener in [one for one in self.listeners if goes(one)]:
            self._shut(listener)

    def _shut(self, listener: Listener) -> None:
        self.listeners.discard(listener)  # at once: who has gone is not here
        listener.close()

    def close(self) -> None:
        for listener in self.listeners:
            listener.close()

    # -- presence -----------------------------------------------------------------------------------------------

    def here(self) -> set[Seat]:
        """The seats whose player looks at the table."""
        local = {seat for listener in tuple(self.listeners) if listener.looking for seat in listener.seats}
        return local.union(*(there.here for there in self._others()))

    def open(self) -> set[Seat]:
        """The seats whose player has the table open, seen or not."""
        return self.listening().union(*(there.open for there in self._others()))

    def listening(self) -> set[Seat]:
        """Those whose stream is at this server."""
        return {seat for listener in tuple(self.listeners) for seat in listener.seats}

    def aware(self) -> set[Seat]:
        """The seats whose player sees what happens, or is told of it on the screen by the page itself."""
        listeners = tuple(self.listeners)
        local = {seat for one in listeners if one.looking or one.notifies for seat in one.seats}
        return local.union(*(there.aware for there in self._others()))

    def look(self, tab: str, person: int | None, token: str, looking: bool, notifies: bool) -> bool:
        """A page tells whether somebody looks at it; whether that changes who is here."""
        before = self.here()
        for listener in self.listeners:
            if tab and listener.tab == tab and (listener.person, listener.token) == (person, token):
                listener.looking, listener.notifies = looking, notifies
                self.sign(listener.seats)  # whoever hides the page was here until now
        return before != self.here()

    def watching(self) -> int:
        """How many spectators have the table open."""
        local = sum(1 for listener in tuple(self.listeners) if not listener.seats)
        return local + sum(there.watching for there in self._others())

    def attended(self) -> bool:
        """Whether anybody has the table open, here or at another server."""
        return bool(self.listeners or self._others())

    def told_elsewhere(self) -> dict[str, object]:
        """What this server tells others of who is here."""
        others, self.elsewhere = self.elsewhere, {}
        try:
            sets = {"here": sorted(self.here()), "open": sorted(self.open()), "aware": sorted(self.aware())}
            return {**sets, "watching": self.watching()}
        finally:
            self.elsewhere = others

    def hear(self, server: str, told: Mapping[str, Any]) -> None:
        """What another server tells of who is there; it counts until it should have told again."""
        here, open, aware = (frozenset(told[name]) for name in ("here", "open", "aware"))
        found = Elsewhere(here, open, aware, told["watching"], clock())
        before = self.elsewhere.pop(server, None)
        if before is not None:
            self.sign(tuple(before.open - found.open))  # they were there until now
        if found.open or found.watching:
            self.elsewhere[server] = found

    def _others(self) -> list[Elsewhere]:
        if not self.elsewhere:
            return []
        now = clock()
        return [there for there in tuple(self.elsewhere.values()) if now - there.at < FORGOTTEN]

    def sign(self, seats: tuple[Seat, ...]) -> None:
        """Somebody who speaks for these seats has shown a sign of life."""
        for seat in seats:
            self._signs[seat] = clock()

    def seen(self, seat: Seat) -> float:
        """Seconds since somebody of this seat was certainly here; of one who never was, very many."""
        return 0.0 if seat in self.here() else clock() - self._signs.get(seat, -LONG_AGO)

    def begin(self) -> None:
        """The deal counts as a sign of life of everybody, and may have changed the seats' numbers."""
        self._signs.clear()
        self._since = clock()

    def silent(self, seat: Seat) -> float:
        """Seconds since the seat's last sign of life; nobody was silent before the table was brought to memory."""
        return 0.0 if seat in self.here() else clock() - self._signs.get(seat, self._since)

    # -- telling ------------------------------------------------------------------------------------------------

    def tell(self, event: bytes, asked: Seat = NOBODY, for_asked: bytes = b"") -> None:
        """Tell everybody; the asked seat may be told more."""
        self.ask()
        for listener in self.listeners:
            listener.tell(for_asked if for_asked and asked in listener.seats else event)

    def tell_spectators(self, event: bytes) -> None:
        """Tell nobody who plays."""
        self.ask()
        for listener in self.listeners:
            if not listener.seats:
                listener.tell(event)

    def send_to_seat(self, seat: Seat, event: bytes) -> None:
        """Tell one seat alone."""
        self.ask()
        for listener in self.listeners:
            if seat in listener.seats:
                listener.tell(event)


def encode(kind: str, data: str, id: int | None = None) -> bytes:
    """One event on the wire; the data are one line."""
    head = f"event: {kind}\n" if id is None else f"id: {id}\nevent: {kind}\n"
    return f"{head}data: {data}\n\n".encode()


HEARTBEAT = encode("heartbeat", "{}")  # an event, since browsers do not show comments to scripts


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
        self.hub.add(self.listener)  # before anything is awaited: whoever loses a seat from now on is found here
        gone = asyncio.get_running_loop().create_task(_until_gone(receive, self.listener))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            self.changed()
            while not self.listener.closed:
                told = await self.listener.next(PULSE)
                if not self.listener.closed:
                    await send({"type": "http.response.body", "body": told or HEARTBEAT, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self.hub.discard(self.listener)
            gone.cancel()
            self.changed()


async def _until_gone(receive: Receive, listener: Listener) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    listener.close()
