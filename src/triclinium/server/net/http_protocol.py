"""Connections: a request must have come within its time, and one address holds so many.

uvicorn closes a connection that is idle after an answer, but waits for ever for the rest of a request that has begun.
So its own protocol is extended where that is known: when data came, when the head and when the whole request is there.
"""

import asyncio
import logging
import sys
import time
from ipaddress import ip_address
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from triclinium.server.net.client_address import NOWHERE, NetworkCounter, network
from triclinium.server.settings import Settings

if sys.platform != "win32":
    import resource

HEAD_BYTES = 32 * 1024
HEAD_TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
BODY_SECONDS = 60.0
LOG_SECONDS = 60.0

log = logging.getLogger("triclinium.wire")


class Doorstep:
    """Who is connected to one server, and how long it waits for them."""

    def __init__(self, settings: Settings) -> None:
        self.head = settings.head
        self.proxies = settings.proxies
        self.open = NetworkCounter(settings.connections if settings.limits else 0)
        self._told = 0.0
        self._untold = 0

    def enter(self, address: str, host: str) -> bool:
        """Count a connection; False: this address holds enough. A proxy speaks for many, and knows them better."""
        if not self.open.has_room(address) and not self._is_proxy(host):
            return False
        self.open.add(address)
        return True

    def _is_proxy(self, host: str) -> bool:
        return host == NOWHERE or any(ip_address(host) in each for each in self.proxies)

    def leave(self, address: str) -> None:
        self.open.remove(address)

    def closed(self, address: str, why: str) -> None:
        """Log what was closed, one line a minute: a flood must not fill the disk."""
        self._untold += 1
        now = time.monotonic()
        if not self._told or now - self._told > LOG_SECONDS:
            log.warning("%s: %s; %d closed since the last such line", address, why, self._untold)
            self._told, self._untold = now, 0


class TooLong(Exception):
    """The head of a request is longer than the server reads."""


class Patient(HttpToolsProtocol):
    """Waits for a request so long and no longer. `protocol` makes the class of one server."""

    serving: ClassVar[Doorstep]
    address = ""  # counted under; none: it was turned away
    waiting = "head"  # what of a request is still to come: head, body or nothing
    got = 0  # bytes of a head that is not whole
    length = 0  # bytes of the URL and the header fields so far
    timer: asyncio.TimerHandle | None = None
    timed = ""  # what the timer waits for

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else NOWHERE
        address = network(host)
        if not self.serving.enter(address, host):
            self.serving.closed(address, "it holds too many connections")
            transport.abort()
            return
        self.address = address
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.waiting = ""
        self._wait()
        if self.address:
            self.serving.leave(self.address)
            self.address = ""

    def data_received(self, data: bytes) -> None:
        if not self.address:
            return
        super().data_received(data)
        if self.waiting == "head":
            self.got += len(data)
            if self.got > HEAD_BYTES:
                self._late("the head of its request is too long")
        if self.waiting != self.timed:
            self._wait()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.waiting = "head"
        self.got = self.length = 0

    def on_url(self, url: bytes) -> None:
        self._measure(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._measure(len(name) + len(value) + len(b": \r\n"))
        super().on_header(name, value)

    def _measure(self, length: int) -> None:
        """Count bytes of the head; raise TooLong, which the parser reports as a bad request."""
        self.length += length
        if self.length > HEAD_BYTES:
            raise TooLong

    def send_400_response(self, msg: str) -> None:
        if self.length <= HEAD_BYTES:
            super().send_400_response(msg)
            return
        self.serving.closed(self.address, "the head of its request is too long")
        self.transport.write(HEAD_TOO_LONG)
        self.transport.close()

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self.waiting = "body"

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self.waiting = ""

    def _wait(self) -> None:
        """Wait for what is missing now. A request that comes in one piece, as most do, needs no timer."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        self.timed = self.waiting
        if self.waiting:
            seconds = self.serving.head if self.waiting == "head" else BODY_SECONDS
            self.timer = self.loop.call_later(seconds, self._late, f"the {self.waiting} of its request is late")

    def _late(self, why: str) -> None:
        if not self.transport.is_closing():
            self.serving.closed(self.address, why)
            self.transport.abort()


def protocol(settings: Settings) -> type[HttpToolsProtocol]:
    """The protocol of one server, for uvicorn's option ``http``."""
    return type("Patient", (Patient,), {"serving": Doorstep(settings)})


def raise_file_limit() -> None:
    """Every connection is an open file: allow as many as the system lets this process have."""
    if sys.platform == "win32":
        return  # it knows no such limit
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
