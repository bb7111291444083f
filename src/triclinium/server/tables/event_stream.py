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

HEARTBEAT_SECONDS = (
    10.0  # seconds without any event until a heartbeat; a page takes 28 seconds of silence for a lost connection
)
REMOTE_PRESENCE_SECONDS = 75.0  # seconds after which another server's word on who is there counts no more
LONG_AGO = 1e9  # seconds
MAX_PENDING_EVENTS = 32  # events that a slow listener may be behind
clock = time.monotonic  # of presence: the time of day may jump


@dataclass(frozen=True, slots=True)
class RemotePresence:
    """Who has the table open at another server, and when it said so."""

    present: frozenset[Seat]
    connected: frozenset[Seat]
    aware: frozenset[Seat]
    spectators: int
    received_at: float


@dataclass(slots=True, eq=False)
class EventListener:
    """One open event stream: of a person at a device, of a program with a seat's token, or of a stranger."""

    person: int | None = None
    device: str = ""  # the hash of its cookie
    token: str = ""  # the hash of the seat's token; then the person does not count
    link_generation: int = -1  # the generation of the spectators' link that let it in; -1: none did
    tab: str = ""  # how the page that listens calls itself; a program has none
    visible: bool = field(default=True, init=False)  # a page in a hidden tab is open, but nobody is here
    notifies: bool = field(default=False, init=False)  # it says by itself, on the screen, when it is its reader's turn
    # The seats that it speaks for now, as the table says; none: a spectator.
    seats: tuple[Seat, ...] = field(default=(), init=False)
    closed: bool = field(default=False, init=False)
    _events: deque[bytes] = field(default_factory=lambda: deque(maxlen=MAX_PENDING_EVENTS), init=False)
    _wake: asyncio.Future[None] | None = field(default=None, init=False)
    _waiting_since: float = field(default=0.0, init=False)  # when it began to wait, by the loop's clock
    _timer: asyncio.TimerHandle | None = field(default=None, init=False)

    def set_seats(self, seats: tuple[Seat, ...]) -> None:
        """It speaks for these seats from now on. What waits for a seat that it has lost is never told."""
        if not set(self.seats) <= set(seats):
            self._events.clear()
        self.seats = seats

    def send(self, event: bytes) -> None:
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

    def drain_events(self) -> bytes:
        """Everything that waits, as one piece."""
        pending = b"".join(self._events)
        self._events.clear()
        return pending

    async def wait_for_events(self, seconds: float) -> bytes:
        """What is told next; nothing, when the time is over or the stream is closed."""
        if not self._events and not self.closed:
            loop = asyncio.get_running_loop()
            self._waiting_since = loop.time()
            self._wake = loop.create_future()
            if self._timer is None:
                self._timer = loop.call_later(seconds, self._on_timer, loop, seconds)
            try:
                await self._wake
            finally:
                self._wake = None
        return self.drain_events()

    def _on_timer(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        """One timer serves many waits, and is set again for what is left of the last: most are ended by a move."""
        left = self._waiting_since + seconds - loop.time()
        self._timer = None
        if left > 0.0 and not self.closed:
            self._timer = loop.call_later(left, self._on_timer, loop, seconds)
        else:
            self.wake()


class ListenerHub:
    """The listeners of one table, and when each seat last showed a sign of life.

    Pages read it in threads of their own, so they count a copy; whatever changes it stays on the loop's thread.
    """

    __slots__ = (
        "_last_seen",
        "_loaded_at",
        "_refreshed_version",
        "find_seats",
        "listeners",
        "remote_presence",
        "seating_version",
    )

    def __init__(self, find_seats: Callable[[EventListener], tuple[Seat, ...] | None]) -> None:
        self.find_seats = find_seats  # the seats of a listener now; None: the table is not shown to it any more
        self.seating_version = 0  # raised by `reseat`
        self._refreshed_version = 0  # the seating for which the listeners' seats are true
        self.listeners: set[EventListener] = set()
        self.remote_presence: dict[str, RemotePresence] = {}  # by server
        self._last_seen: dict[Seat, float] = {}
        self._loaded_at = clock()

    # -- who is who ---------------------------------------------------------------------------------------------

    def add(self, listener: EventListener) -> None:
        seats = self.find_seats(listener)
        if seats is None:
            listener.close()
        else:
            listener.set_seats(seats)
            self.listeners.add(listener)

    def discard(self, listener: EventListener) -> None:
        """A stream has ended by itself: its player was here until now."""
        if listener in self.listeners:
            self.refresh_seats()
            self.record_activity(listener.seats)
            self.listeners.discard(listener)

    def reassign_seats(self) -> None:
        """Somebody has sat down or got up, or a link was revoked."""
        self.seating_version += 1
        self.refresh_seats()

    def refresh_seats(self) -> None:
        """Let every stream speak for the seats that its owner holds now; close those that have nothing to see here."""
        if self._refreshed_version == self.seating_version:
            return
        self._refreshed_version = self.seating_version
        for listener in list(self.listeners):
            seats = self.find_seats(listener)
            if seats is None:
                self._close_listener(listener)
            elif seats != listener.seats:
                listener.set_seats(seats)

    def close_device(self, device: str) -> None:
        """Close the streams of a device that no longer speaks for anybody."""
        for listener in list(self.listeners):
            if listener.device == device:
                self._close_listener(listener)

    def close_matching(self, must_close: Callable[[EventListener], bool]) -> None:
        """Close the streams that must go."""
        for listener in [candidate for candidate in self.listeners if must_close(candidate)]:
            self._close_listener(listener)

    def _close_listener(self, listener: EventListener) -> None:
        self.listeners.discard(listener)  # at once: who has gone is not here
        listener.close()

    def close(self) -> None:
        for listener in self.listeners:
            listener.close()

    # -- presence -----------------------------------------------------------------------------------------------

    def list_present_seats(self) -> set[Seat]:
        """The seats whose player looks at the table."""
        local = {seat for listener in tuple(self.listeners) if listener.visible for seat in listener.seats}
        return local.union(*(there.present for there in self._list_remote_presence()))

    def list_connected_seats(self) -> set[Seat]:
        """The seats whose player has the table open, seen or not."""
        return self.list_local_seats().union(*(there.connected for there in self._list_remote_presence()))

    def list_local_seats(self) -> set[Seat]:
        """Those whose stream is at this server."""
        return {seat for listener in tuple(self.listeners) for seat in listener.seats}

    def list_aware_seats(self) -> set[Seat]:
        """The seats whose player sees what happens, or is told of it on the screen by the page itself."""
        listeners = tuple(self.listeners)
        local = {seat for listener in listeners if listener.visible or listener.notifies for seat in listener.seats}
        return local.union(*(there.aware for there in self._list_remote_presence()))

    def set_visible(self, tab: str, person: int | None, token: str, visible: bool, notifies: bool) -> bool:
        """A page tells whether somebody looks at it; whether that changes who is here."""
        before = self.list_present_seats()
        for listener in self.listeners:
            if tab and listener.tab == tab and (listener.person, listener.token) == (person, token):
                listener.visible, listener.notifies = visible, notifies
                self.record_activity(listener.seats)  # whoever hides the page was here until now
        return before != self.list_present_seats()

    def count_spectators(self) -> int:
        """How many spectators have the table open."""
        local = sum(1 for listener in tuple(self.listeners) if not listener.seats)
        return local + sum(there.spectators for there in self._list_remote_presence())

    def is_attended(self) -> bool:
        """Whether anybody has the table open, here or at another server."""
        return bool(self.listeners or self._list_remote_presence())

    def export_presence(self) -> dict[str, object]:
        """What this server tells others of who is here."""
        others, self.remote_presence = self.remote_presence, {}
        try:
            sets = {
                "here": sorted(self.list_present_seats()),
                "open": sorted(self.list_connected_seats()),
                "aware": sorted(self.list_aware_seats()),
            }
            return {**sets, "watching": self.count_spectators()}
        finally:
            self.remote_presence = others

    def merge_remote_presence(self, server: str, message: Mapping[str, Any]) -> None:
        """What another server tells of who is there; it counts until it should have told again."""
        here, open, aware = (frozenset(message[name]) for name in ("here", "open", "aware"))
        presence = RemotePresence(here, open, aware, message["watching"], clock())
        before = self.remote_presence.pop(server, None)
        if before is not None:
            self.record_activity(tuple(before.connected - presence.connected))  # they were there until now
        if presence.connected or presence.spectators:
            self.remote_presence[server] = presence

    def _list_remote_presence(self) -> list[RemotePresence]:
        if not self.remote_presence:
            return []
        now = clock()
        return [
            there for there in tuple(self.remote_presence.values()) if now - there.received_at < REMOTE_PRESENCE_SECONDS
        ]

    def record_activity(self, seats: tuple[Seat, ...]) -> None:
        """Somebody who speaks for these seats has shown a sign of life."""
        for seat in seats:
            self._last_seen[seat] = clock()

    def count_seconds_since_seen(self, seat: Seat) -> float:
        """Seconds since somebody of this seat was certainly here; of one who never was, very many."""
        return 0.0 if seat in self.list_present_seats() else clock() - self._last_seen.get(seat, -LONG_AGO)

    def reset_presence(self) -> None:
        """The deal counts as a sign of life of everybody, and may have changed the seats' numbers."""
        self._last_seen.clear()
        self._loaded_at = clock()

    def count_silent_seconds(self, seat: Seat) -> float:
        """Seconds since the seat's last sign of life; nobody was silent before the table was brought to memory."""
        return 0.0 if seat in self.list_present_seats() else clock() - self._last_seen.get(seat, self._loaded_at)

    # -- telling ------------------------------------------------------------------------------------------------

    def broadcast(self, event: bytes, seat_to_move: Seat = NOBODY, event_to_mover: bytes = b"") -> None:
        """Tell everybody; the asked seat may be told more."""
        self.refresh_seats()
        for listener in self.listeners:
            listener.send(event_to_mover if event_to_mover and seat_to_move in listener.seats else event)

    def broadcast_to_spectators(self, event: bytes) -> None:
        """Tell nobody who plays."""
        self.refresh_seats()
        for listener in self.listeners:
            if not listener.seats:
                listener.send(event)

    def send_to_seat(self, seat: Seat, event: bytes) -> None:
        """Tell one seat alone."""
        self.refresh_seats()
        for listener in self.listeners:
            if seat in listener.seats:
                listener.send(event)


def encode_event(kind: str, data: str, id: int | None = None) -> bytes:
    """One event on the wire; the data are one line."""
    head = f"event: {kind}\n" if id is None else f"id: {id}\nevent: {kind}\n"
    return f"{head}data: {data}\n\n".encode()


HEARTBEAT = encode_event("heartbeat", "{}")  # an event, since browsers do not show comments to scripts


class EventStreamResponse(Response):
    """An open event stream: what stands now, then whatever is told, and a sign of life in between."""

    media_type = "text/event-stream"

    def __init__(self, hub: ListenerHub, listener: EventListener, on_presence_change: Callable[[], None]) -> None:
        super().__init__(None, headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self.hub = hub
        self.listener = listener
        self.on_presence_change = on_presence_change  # told when somebody comes or goes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.hub.add(self.listener)  # before anything is awaited: whoever loses a seat from now on is found here
        gone = asyncio.get_running_loop().create_task(_wait_for_disconnect(receive, self.listener))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            self.on_presence_change()
            while not self.listener.closed:
                events = await self.listener.wait_for_events(HEARTBEAT_SECONDS)
                if not self.listener.closed:
                    await send({"type": "http.response.body", "body": events or HEARTBEAT, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self.hub.discard(self.listener)
            gone.cancel()
            self.on_presence_change()


async def _wait_for_disconnect(receive: Receive, listener: EventListener) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    listener.close()
