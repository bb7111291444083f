"""An HTTP server that closes within three seconds: it ends the streams of all open pages and waits for no client."""

import asyncio
import errno
import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from triclinium.engine.core.errors import BadSetup
from triclinium.server.services import Services

log = logging.getLogger("triclinium")
STREAM_GRACE_SECONDS = 0.7  # seconds that clients get to read the rest of an answer
RESPONSE_TIMEOUT = 1  # seconds that an unfinished response gets
SHUTDOWN_LIMIT = 2.2  # seconds after which the server exits in any case; everything that was acknowledged is on disk
BACKLOG = 2048


def open_listening_sockets(host: str, port: int) -> list[socket.socket]:
    """Return sockets on which the server listens from now on. Raise `BadSetup` if an address cannot be used."""
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, UnicodeError):
        raise BadSetup(f"the address {host} does not exist on this machine") from None
    sockets: list[socket.socket] = []
    for family, kind, protocol, _, address in dict.fromkeys(addresses):
        try:
            sockets.append(_open_listening_socket(family, kind, protocol, address))
        except OSError as error:
            for other in sockets:
                other.close()
            raise BadSetup(_describe_listen_error(error, host, port)) from None
    return sockets


def _open_listening_socket(
    family: int, kind: int, protocol: int, address: tuple[str | int, ...] | tuple[int, bytes]
) -> socket.socket:
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            # allows the server to restart at once on the same port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def _describe_listen_error(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is taken: another program listens there; choose another with --port"
    if error.errno == errno.EACCES:
        return f"port {port} is not allowed for this user; choose one above 1023 with --port"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is not an address of this machine; use one of its addresses with --host, or 0.0.0.0 for all"
    return f"the server cannot listen at {host}, port {port}: {error.strerror}"


class GracefulHttpServer(uvicorn.Server):
    """An HTTP server that stops within three seconds of a signal, with exit code 0."""

    def __init__(self, config: uvicorn.Config, services: Services) -> None:
        super().__init__(config)
        self.services = services

    @contextmanager
    def catch_signals(self) -> Iterator[None]:
        """Handle stop signals from the first moment on, and ignore them after the server has closed."""
        before = {number: signal.signal(number, self._on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        """Request the shutdown.

        This runs before uvicorn takes over the signals, and again when uvicorn raises the signal at the end.
        """
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.should_exit:
            last = threading.Timer(SHUTDOWN_LIMIT, _exit_after_timeout)
            last.daemon = True
            last.start()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        logging.getLogger("uvicorn.error").addFilter(_is_not_cancelled)
        loop = asyncio.get_running_loop()
        closing_connections = loop.create_task(self._close_connections())
        closing = loop.create_task(self._close_lan_listener())
        try:
            await super().shutdown(sockets)
            await closing
        finally:
            closing_connections.cancel()
            logging.getLogger("uvicorn.error").removeFilter(_is_not_cancelled)

    async def _close_lan_listener(self) -> None:
        """Close the listener for the network, if there is one."""
        lan_listener = self.services.reachability.lan_listener
        if lan_listener is not None:
            await lan_listener.close()

    async def _close_connections(self) -> None:
        """End all streams, including those that are being opened; then close the connections that remain."""
        loop = asyncio.get_running_loop()
        until = loop.time() + STREAM_GRACE_SECONDS
        while True:
            self.services.tables.close_streams()
            if loop.time() > until:
                for connection in list(self.server_state.connections):
                    if connection.transport is not None:
                        connection.transport.abort()
            await asyncio.sleep(0.05)


def _is_not_cancelled(record: logging.LogRecord) -> bool:
    """Return False for a log record about an answer that was cancelled because the server closes.

    It needs no traceback.
    """
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


def exit_process() -> None:
    """End this process immediately; everything that was acknowledged is on disk."""
    logging.shutdown()
    os._exit(0)


def _exit_after_timeout() -> None:
    log.warning("the server did not close in time and stops now; no acknowledged change is lost")
    exit_process()
