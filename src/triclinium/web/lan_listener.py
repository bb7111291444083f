"""The listener for the local network: a second listener for the same application and event loop."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Iterator

import uvicorn

from triclinium.engine.core.errors import BadSetup
from triclinium.server.errors import Conflict
from triclinium.web.graceful_server import open_listening_sockets

log = logging.getLogger("triclinium")


class LanServer(uvicorn.Server):
    """An HTTP server that leaves signals to the main server, and closes even while clients are connected."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for connection in list(self.server_state.connections):
            if connection.transport is not None:
                connection.transport.abort()
        await super().shutdown(sockets)


class LanListener:
    """The listener for the local network; it is closed until the host opens it."""

    def __init__(self, config: Callable[[], uvicorn.Config]) -> None:
        """Create a closed listener.

        ``config`` makes its settings, without a lifespan because the application already runs.
        """
        self._make_config = config
        self._server: LanServer | None = None
        self._serving_task: asyncio.Task[None] | None = None
        self._switch_lock = asyncio.Lock()  # two clicks must not open two listeners

    @property
    def is_open(self) -> bool:
        return self._server is not None

    async def open(self, hosts: list[str], port: int) -> None:
        """Listen at these addresses. Raise `Conflict` if that is not possible."""
        async with self._switch_lock:
            if self._server is not None:
                return
            sockets = _open_sockets(hosts, port)
            listener = LanServer(self._make_config())
            self._serving_task = asyncio.get_running_loop().create_task(
                listener.serve(sockets), name="the network's door"
            )
            while not listener.started and not self._serving_task.done():
                await asyncio.sleep(0.01)
            if self._serving_task.done():
                self._serving_task.result()  # raises the error that prevented the start
            self._server = listener
            log.info("open to the network: %s", ", ".join(hosts))

    async def close(self) -> None:
        async with self._switch_lock:
            if self._server is None or self._serving_task is None:
                return
            self._server.should_exit = True
            await self._serving_task
            self._server = self._serving_task = None
            log.info("closed to the network")


def _open_sockets(hosts: list[str], port: int) -> list[socket.socket]:
    sockets: list[socket.socket] = []
    try:
        for host in hosts:
            sockets += open_listening_sockets(host, port)
    except BadSetup as error:
        for each in sockets:
            each.close()
        raise Conflict("The server cannot be opened to your network: {0}", str(error)) from None
    return sockets
