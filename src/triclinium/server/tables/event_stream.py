"""Event streams of a table: server-sent events for pages and API clients.

A stream belongs to a person or to the API token of a seat, never to the seat itself, because seats change owners. After
each such change the hub updates the seats of every stream.

A slow listener loses old events. That is harmless, because a page fetches the whole table after an event.
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
    10.0  # pages treat 28 seconds without an event as a lost connection, so heartbeats are more frequent
)
REMOTE_PRESENCE_SECONDS = 75.0  # older reports of another server about presence are ignored, in seconds
LONG_AGO = 1e9  # seconds since the last visit of a player who never came
MAX_PENDING_EVENTS = 32  # a slow listener loses older events
clock = time.monotonic  # presence uses the monotonic clock, because the time of day may jump


@dataclass(frozen=True, slots=True)
class RemotePresence:
    """The people who have the table open at another server, and the time of its report."""

    present: frozenset[Seat]
    connected: frozenset[Seat]
    aware: frozenset[Seat]
    spectators: int
    received_at: float


@dataclass(slots=True, eq=False)
class EventListener:
    """An open event stream of a person's device, of an API client with a seat's token, or of an unknown visitor."""

    person: int | None = None
    device: str = ""  # hash of the device's cookie
    token: str = ""  # hash of the seat's token; if set, the person is ignored
    link_generation: int = -1  # generation of the spectators' link that was used; -1: none
    has_finished_deal: bool = False  # the person has played the table's deal to the end
    tab: str = ""  # identifies the browser tab; empty for API clients
    is_wall: bool = False  # a screen for everyone in a room, which has no seat even if a player opened it
    visible: bool = field(default=True, init=False)  # False while the page is in a hidden tab
    notifies: bool = field(default=False, init=False)  # its page notifies the player of their turn
    # Seats that the stream's owner has now. Empty for spectators.
    seats: tuple[Seat, ...] = field(default=(), init=False)
    closed: bool = field(default=False, init=False)
    _events: deque[bytes] = field(default_factory=lambda: deque(maxlen=MAX_PENDING_EVENTS), init=False)
    _wake: asyncio.Future[None] | None = field(default=None, init=False)
    _waiting_since: float = field(default=0.0, init=False)  # time on the clock of the event loop
    _timer: asyncio.TimerHandle | None = field(default=None, init=False)

    def set_seats(self, seats: tuple[Seat, ...]) -> None:
        """Change the seats of this stream. If it loses a seat, delete pending events, which may contain secrets."""
        if not set(self.seats) <= set(seats):
            self._events.clear()
        self.seats = () if self.is_wall else seats

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
        """Return all pending events as one piece, and delete them."""
        pending = b"".join(self._events)
        self._events.clear()
        return pending

    async def wait_for_events(self, seconds: float) -> bytes:
        """Wait for events and return them. Return b"" after ``seconds``, or if the stream is closed."""
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
        """End a wait that has timed out, or set the timer again for the remaining time.

        One timer serves many waits, because most of them end early.
        """
        left = self._waiting_since + seconds - loop.time()
        self._timer = None
        if left > 0.0 and not self.closed:
            self._timer = loop.call_later(left, self._on_timer, loop, seconds)
        else:
            self.wake()


class ListenerHub:
    """The listeners of one table, and the time at which each seat was last active.

    Only the event loop's thread changes the hub. Pages read it in other threads and iterate over a copy of the
    listeners.
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
        self.find_seats = find_seats  # returns a listener's seats, or None if it may no longer see the table
        self.seating_version = 0  # increased by `reassign_seats`
        self._refreshed_version = 0  # seating version for which the listeners' seats are correct
        self.listeners: set[EventListener] = set()
        self.remote_presence: dict[str, RemotePresence] = {}  # presence by the name of the server
        self._last_seen: dict[Seat, float] = {}
        self._loaded_at = clock()

    # -- seats of the listeners ---------------------------------------------------------------------------------

    def add(self, listener: EventListener) -> None:
        seats = self.find_seats(listener)
        if seats is None:
            listener.close()
        else:
            listener.set_seats(seats)
            self.listeners.add(listener)

    def discard(self, listener: EventListener) -> None:
        """Remove a stream that has ended. Its player was present until now."""
        if listener in self.listeners:
            self.refresh_seats()
            self.record_activity(listener.seats)
            self.listeners.discard(listener)

    def reassign_seats(self) -> None:
        """Update the seats of all streams after a player has joined or left or a link was revoked."""
        self.seating_version += 1
        self.refresh_seats()

    def refresh_seats(self) -> None:
        """Update the seats of every stream, and close streams that may no longer see the table."""
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
        """Close the streams of a device that was signed out."""
        for listener in list(self.listeners):
            if listener.device == device:
                self._close_listener(listener)

    def close_matching(self, must_close: Callable[[EventListener], bool]) -> None:
        """Close the streams for which a condition is true."""
        for listener in [candidate for candidate in self.listeners if must_close(candidate)]:
            self._close_listener(listener)

    def _close_listener(self, listener: EventListener) -> None:
        self.listeners.discard(listener)  # remove the stream at once, so that the player no longer counts as present
        listener.close()

    def close(self) -> None:
        for listener in self.listeners:
            listener.close()

    # -- presence -----------------------------------------------------------------------------------------------

    def list_present_seats(self) -> set[Seat]:
        """Return the seats whose players have the table open in a visible tab."""
        local = {seat for listener in tuple(self.listeners) if listener.visible for seat in listener.seats}
        return local.union(*(there.present for there in self._list_remote_presence()))

    def list_connected_seats(self) -> set[Seat]:
        """Return the seats whose players have the table open, in a visible or a hidden tab."""
        return self.list_local_seats().union(*(there.connected for there in self._list_remote_presence()))

    def list_local_seats(self) -> set[Seat]:
        """Return the seats whose streams are at this server."""
        return {seat for listener in tuple(self.listeners) for seat in listener.seats}

    def list_aware_seats(self) -> set[Seat]:
        """Return the seats whose players need no notification: they see the table, or their page notifies them."""
        listeners = tuple(self.listeners)
        local = {seat for listener in listeners if listener.visible or listener.notifies for seat in listener.seats}
        return local.union(*(there.aware for there in self._list_remote_presence()))

    def set_visible(self, tab: str, person: int | None, token: str, visible: bool, notifies: bool) -> bool:
        """Store whether a tab is visible. Return True if that changes the present seats."""
        before = self.list_present_seats()
        for listener in self.listeners:
            if tab and listener.tab == tab and (listener.person, listener.token) == (person, token):
                listener.visible, listener.notifies = visible, notifies
                self.record_activity(listener.seats)  # the player was present until the tab was hidden
        return before != self.list_present_seats()

    def count_spectators(self) -> int:
        """Return the number of spectators who have the table open."""
        local = sum(1 for listener in tuple(self.listeners) if not listener.seats)
        return local + sum(there.spectators for there in self._list_remote_presence())

    def is_attended(self) -> bool:
        """Return whether anyone has the table open, at this server or another."""
        return bool(self.listeners or self._list_remote_presence())

    def export_presence(self) -> dict[str, object]:
        """Return the presence at this server as a message for other servers."""
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
        """Store the presence at another server. It expires if the server does not repeat it."""
        here, open, aware = (frozenset(message[name]) for name in ("here", "open", "aware"))
        presence = RemotePresence(here, open, aware, message["watching"], clock())
        before = self.remote_presence.pop(server, None)
        if before is not None:
            self.record_activity(tuple(before.connected - presence.connected))  # these players have just left
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
        """Record that the owners of these seats are active now."""
        for seat in seats:
            self._last_seen[seat] = clock()

    def count_seconds_since_seen(self, seat: Seat) -> float:
        """Return the seconds since a player of this seat was last present. The number is huge if none ever was."""
        return 0.0 if seat in self.list_present_seats() else clock() - self._last_seen.get(seat, -LONG_AGO)

    def reset_presence(self) -> None:
        """Count all players as active now. Called when the match begins, because seats may have new numbers."""
        self._last_seen.clear()
        self._loaded_at = clock()

    def count_silent_seconds(self, seat: Seat) -> float:
        """Return the seconds since the seat was last active. Time before the table was loaded does not count."""
        return 0.0 if seat in self.list_present_seats() else clock() - self._last_seen.get(seat, self._loaded_at)

    # -- sending events -----------------------------------------------------------------------------------------

    def broadcast(self, event: bytes, seat_to_move: Seat = NOBODY, event_to_mover: bytes = b"") -> None:
        """Send an event to all listeners, and optionally a different one to the seat that has to decide."""
        self.refresh_seats()
        for listener in self.listeners:
            listener.send(event_to_mover if event_to_mover and seat_to_move in listener.seats else event)

    def broadcast_to_spectators(self, event: bytes) -> None:
        """Send an event to spectators only."""
        self.refresh_seats()
        for listener in self.listeners:
            if not listener.seats:
                listener.send(event)

    def send_to_seat(self, seat: Seat, event: bytes) -> None:
        """Send an event to one seat only."""
        self.refresh_seats()
        for listener in self.listeners:
            if seat in listener.seats:
                listener.send(event)


def encode_event(kind: str, data: str, id: int | None = None) -> bytes:
    """Return a server-sent event as bytes. The data must be a single line."""
    head = f"event: {kind}\n" if id is None else f"id: {id}\nevent: {kind}\n"
    return f"{head}data: {data}\n\n".encode()


HEARTBEAT = encode_event("heartbeat", "{}")  # an event, because scripts in browsers cannot see comments


class EventStreamResponse(Response):
    """An HTTP response with an open event stream: it sends events as they come, and heartbeats in between."""

    media_type = "text/event-stream"

    def __init__(self, hub: ListenerHub, listener: EventListener, on_presence_change: Callable[[], None]) -> None:
        super().__init__(None, headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self.hub = hub
        self.listener = listener
        self.on_presence_change = on_presence_change  # called when a listener arrives or leaves

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # The listener is added before the first await, so that every later change of seats reaches it.
        self.hub.add(self.listener)
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
