"""The door to the network: a second listener on the same application and loop, while the house goes on."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Iterator

import uvicorn

from triclinium.engine.core.errors import BadSetup
from triclinium.server.errors import Conflict
from triclinium.web.graceful_server import listen

log = logging.getLogger("triclinium")


class Listener(uvicorn.Server):
    """Leaves signals to the house's own server, and lets nobody keep it from closing."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for connection in list(self.server_state.connections):
            if connection.transport is not None:
                connection.transport.abort()
        await super().shutdown(sockets)


class NetworkDoor:
    """Closed until somebody opens it."""

    def __init__(self, config: Callable[[], uvicorn.Config]) -> None:
        """``config``: of a listener without a lifespan, since the application has begun already."""
        self._config = config
        self._listener: Listener | None = None
        self._serving: asyncio.Task[None] | None = None
        self._turning = asyncio.Lock()  # two clicks open one door

    @property
    def is_open(self) -> bool:
        return self._listener is not None

    async def open(self, hosts: list[str], port: int) -> None:
        """Listen at these addresses; raises Conflict where that cannot be done."""
        async with self._turning:
            if self._listener is not None:
                return
            sockets = _sockets(hosts, port)
            listener = Listener(self._config())
            self._serving = asyncio.get_running_loop().create_task(listener.serve(sockets), name="the network's door")
            while not listener.started and not self._serving.done():
                await asyncio.sleep(0.01)
            if self._serving.done():
                self._serving.result()  # raises what kept it from opening
            self._listener = listener
            log.info("the door to the network is open: %s", ", ".join(hosts))

    async def close(self) -> None:
        async with self._turning:
            if self._listener is None or self._serving is None:
                return
            self._listener.should_exit = True
            await self._serving
            self._listener = self._serving = None
            log.info("the door to the network is closed")


def _sockets(hosts: list[str], port: int) -> list[socket.socket]:
    found: list[socket.socket] = []
    try:
        for host in hosts:
            found += listen(host, port)
    except BadSetup as error:
        for each in found:
            each.close()
        raise Conflict("the door does not open: {0}", str(error)) from None
    return found
