"""HTTP connections with timeouts for requests and a limit for each address.

uvicorn closes a connection that is idle after an answer, but waits forever for the rest of a request. This protocol
extends uvicorn's and closes connections whose head or body is late.
"""

import asyncio
import logging
import sys
import time
from ipaddress import ip_address
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from triclinium.server.net.client_address import NO_ADDRESS, NetworkCounter, get_network
from triclinium.server.settings import Settings

if sys.platform != "win32":
    import resource

MAX_HEAD_BYTES = 32 * 1024
HEAD_TOO_LONG_RESPONSE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
)
BODY_TIMEOUT = 60.0
LOG_INTERVAL = 60.0

log = logging.getLogger("triclinium.http")


class ConnectionLimiter:
    """Limits on the connections to one server: their number for each network, and their timeouts."""

    def __init__(self, settings: Settings) -> None:
        self.header_timeout = settings.header_timeout
        self.proxies = settings.proxies
        self.connections = NetworkCounter(settings.max_connections if settings.limits else 0)
        self._logged_at = 0.0
        self._unlogged = 0

    def admit(self, address: str, host: str) -> bool:
        """Count a connection and return True, or return False if its network holds too many.

        Proxies have no limit, because they connect for many clients and can limit those themselves.
        """
        if not self.connections.has_room(address) and not self._is_proxy(host):
            return False
        self.connections.add(address)
        return True

    def _is_proxy(self, host: str) -> bool:
        return host == NO_ADDRESS or any(ip_address(host) in each for each in self.proxies)

    def release(self, address: str) -> None:
        self.connections.remove(address)

    def log_closed(self, address: str, reason: str) -> None:
        """Log a closed connection, at most one line a minute, so that a flood does not fill the disk."""
        self._unlogged += 1
        now = time.monotonic()
        if not self._logged_at or now - self._logged_at > LOG_INTERVAL:
            log.warning("%s: %s; %d connections closed since the last such message", address, reason, self._unlogged)
            self._logged_at, self._unlogged = now, 0


class HeadTooLong(Exception):
    """Error for a request whose head is longer than the server reads."""


class TimeoutProtocol(HttpToolsProtocol):
    """An HTTP protocol that closes connections whose requests arrive too slowly.

    `make_protocol` creates a subclass for each server.
    """

    limiter: ClassVar[ConnectionLimiter]
    address = ""  # network for which the connection is counted; "": it was refused
    awaited_part = "head"  # part of a request that must arrive next: "head", "body" or "" for none
    head_bytes = 0  # bytes of an incomplete head
    field_bytes = 0  # bytes of the URL and the header fields so far
    timer: asyncio.TimerHandle | None = None
    timed_part = ""  # part of the request that the timer waits for

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else NO_ADDRESS
        address = get_network(host)
        if not self.limiter.admit(address, host):
            self.limiter.log_closed(address, "it has too many open connections")
            transport.abort()
            return
        self.address = address
        self._restart_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.awaited_part = ""
        self._restart_timer()
        if self.address:
            self.limiter.release(self.address)
            self.address = ""

    def data_received(self, data: bytes) -> None:
        if not self.address:
            return
        super().data_received(data)
        if self.awaited_part == "head":
            self.head_bytes += len(data)
            if self.head_bytes > MAX_HEAD_BYTES:
                self._abort_connection("the header of its request is too long")
        if self.awaited_part != self.timed_part:
            self._restart_timer()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.awaited_part = "head"
        self.head_bytes = self.field_bytes = 0

    def on_url(self, url: bytes) -> None:
        self._count_head_bytes(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count_head_bytes(len(name) + len(value) + len(b": \r\n"))
        super().on_header(name, value)

    def _count_head_bytes(self, length: int) -> None:
        """Count bytes of the head.

        Raise `HeadTooLong` above the limit; the parser then reports a bad request.
        """
        self.field_bytes += length
        if self.field_bytes > MAX_HEAD_BYTES:
            raise HeadTooLong

    def send_400_response(self, msg: str) -> None:
        if self.field_bytes <= MAX_HEAD_BYTES:
            super().send_400_response(msg)
            return
        self.limiter.log_closed(self.address, "the header of its request is too long")
        self.transport.write(HEAD_TOO_LONG_RESPONSE)
        self.transport.close()

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self.awaited_part = "body"

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self.awaited_part = ""

    def _restart_timer(self) -> None:
        """Start the timer for the missing part of a request. A request that arrives in one piece needs no timer."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        self.timed_part = self.awaited_part
        if self.awaited_part:
            seconds = self.limiter.header_timeout if self.awaited_part == "head" else BODY_TIMEOUT
            self.timer = self.loop.call_later(
                seconds, self._abort_connection, f"the {self.awaited_part} of its request is late"
            )

    def _abort_connection(self, reason: str) -> None:
        if not self.transport.is_closing():
            self.limiter.log_closed(self.address, reason)
            self.transport.abort()


def make_protocol(settings: Settings) -> type[HttpToolsProtocol]:
    """Return the protocol class of one server, for uvicorn's option ``http``."""
    return type("LimitedProtocol", (TimeoutProtocol,), {"limiter": ConnectionLimiter(settings)})


def raise_file_limit() -> None:
    """Raise the limit of open files to the system's maximum, because every connection is an open file."""
    if sys.platform == "win32":
        return  # Windows has no such limit
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
