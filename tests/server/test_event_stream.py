"""Tests of a table's listeners: their events, and the removal of listeners that have lost their seat."""

import asyncio

import pytest
from starlette.types import Message

from tests.event_loop import run_coroutine
from triclinium.server.tables import event_stream
from triclinium.server.tables.event_stream import EventListener, EventStreamResponse, ListenerHub


class Seats:
    """The assignment of seats to people."""

    def __init__(self, **held: int) -> None:
        self.held = held

    def __call__(self, listener: EventListener) -> tuple[int, ...] | None:
        return (self.held[listener.token],) if listener.token in self.held else None


def test_a_player_who_lost_the_seat_gets_no_pending_event() -> None:
    seats = Seats(ben=1)
    hub = ListenerHub(lambda listener: seats(listener) or ())
    ear = EventListener(token="ben")
    hub.add(ear)
    hub.broadcast(b"for all", 1, b"for seat 1")
    hub.send_to_seat(1, b"hint")
    seats.held.clear()
    hub.seating_version += 1
    hub.broadcast(b"then", 1, b"for whoever sits there now")
    assert ear.drain_events() == b"then"
    assert hub.list_present_seats() == set()
    assert hub.count_spectators() == 1


def test_a_stream_without_access_is_closed() -> None:
    seats = Seats(ben=1)
    hub = ListenerHub(seats)
    ear = EventListener(token="ben")
    hub.add(ear)
    hub.broadcast(b"for all", 1, b"for seat 1")
    seats.held.clear()
    hub.reassign_seats()
    assert hub.list_present_seats() == set()
    assert ear.closed
    assert run_coroutine(ear.wait_for_events(1.0)) == b""


def test_access_is_checked_again_only_when_the_seating_changes() -> None:
    asked: list[str] = []

    def speaks(listener: EventListener) -> tuple[int, ...]:
        asked.append(listener.token)
        return (0,)

    hub = ListenerHub(speaks)
    hub.add(EventListener(token="anna"))
    for _ in range(5):
        hub.broadcast(b"move")
    assert asked == ["anna"]
    hub.seating_version += 1
    for _ in range(5):
        hub.broadcast(b"move")
    assert asked == ["anna", "anna"]


def test_absence_counts_from_the_last_activity() -> None:
    hub = ListenerHub(lambda _: (0,))
    ear = EventListener(token="anna")
    hub.add(ear)
    assert hub.count_silent_seconds(0) == 0.0
    assert hub.count_silent_seconds(1) > 0.0
    before = hub.count_silent_seconds(1)
    hub.discard(ear)
    assert 0.0 < hub.count_silent_seconds(0) < before + 1.0
    hub.record_activity((1,))
    assert hub.count_silent_seconds(1) < before + 1.0


def test_a_quiet_stream_sends_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser passes events to scripts, but no comments."""
    monkeypatch.setattr(event_stream, "HEARTBEAT_SECONDS", 0.01)
    sent: list[bytes] = []

    async def listen() -> None:
        ear = EventListener()
        never: asyncio.Future[Message] = asyncio.get_running_loop().create_future()

        async def receive() -> Message:
            return await never

        async def send(message: Message) -> None:
            sent.append(message.get("body", b""))
            if len(sent) == 4:
                ear.close()

        await EventStreamResponse(ListenerHub(lambda _: ()), ear, lambda: None)({"type": "http"}, receive, send)

    run_coroutine(listen())
    assert sent[1:4] == [b"event: heartbeat\ndata: {}\n\n"] * 3
