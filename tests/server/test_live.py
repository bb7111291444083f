"""The listeners of a table: who is told what, and what is forgotten when a seat is lost."""

import asyncio

import pytest
from starlette.types import Message

from tests.loop import alone
from triclinium.server.tables import event_stream
from triclinium.server.tables.event_stream import Hub, Listener, Stream


class Seats:
    """Who holds which seat."""

    def __init__(self, **held: int) -> None:
        self.held = held

    def __call__(self, listener: Listener) -> tuple[int, ...] | None:
        return (self.held[listener.token],) if listener.token in self.held else None


def test_what_waits_for_a_seat_is_not_told_to_who_has_lost_it() -> None:
    seats = Seats(ben=1)
    hub = Hub(lambda listener: seats(listener) or ())
    ear = Listener(token="ben")
    hub.add(ear)
    hub.tell(b"for all", 1, b"for seat 1")
    hub.send_to_seat(1, b"hint")
    seats.held.clear()
    hub.seating += 1
    hub.tell(b"then", 1, b"for whoever sits there now")
    assert ear.take() == b"then"
    assert hub.here() == set()
    assert hub.watching() == 1


def test_a_stream_that_may_not_look_any_more_is_closed_and_tells_nothing() -> None:
    seats = Seats(ben=1)
    hub = Hub(seats)
    ear = Listener(token="ben")
    hub.add(ear)
    hub.tell(b"for all", 1, b"for seat 1")
    seats.held.clear()
    hub.reseat()
    assert hub.here() == set()
    assert ear.closed
    assert alone(ear.next(1.0)) == b""


def test_the_hub_asks_again_only_when_the_seating_changes() -> None:
    asked: list[str] = []

    def speaks(listener: Listener) -> tuple[int, ...]:
        asked.append(listener.token)
        return (0,)

    hub = Hub(speaks)
    hub.add(Listener(token="anna"))
    for _ in range(5):
        hub.tell(b"move")
    assert asked == ["anna"]
    hub.seating += 1
    for _ in range(5):
        hub.tell(b"move")
    assert asked == ["anna", "anna"]


def test_a_seat_is_silent_from_its_last_sign_of_life() -> None:
    hub = Hub(lambda _: (0,))
    ear = Listener(token="anna")
    hub.add(ear)
    assert hub.silent(0) == 0.0
    assert hub.silent(1) > 0.0
    before = hub.silent(1)
    hub.discard(ear)
    assert 0.0 < hub.silent(0) < before + 1.0
    hub.sign((1,))
    assert hub.silent(1) < before + 1.0


def test_a_quiet_stream_has_heartbeats_that_a_page_can_hear(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser shows events to scripts, and no comments."""
    monkeypatch.setattr(event_stream, "PULSE", 0.01)
    sent: list[bytes] = []

    async def listen() -> None:
        ear = Listener()
        never: asyncio.Future[Message] = asyncio.get_running_loop().create_future()

        async def receive() -> Message:
            return await never

        async def send(message: Message) -> None:
            sent.append(message.get("body", b""))
            if len(sent) == 4:
                ear.close()

        await Stream(Hub(lambda _: ()), ear, lambda: None)({"type": "http"}, receive, send)

    alone(listen())
    assert sent[1:4] == [b"event: heartbeat\ndata: {}\n\n"] * 3
