"""The ASGI application: the server, its middleware and the API. `triclinium.web` adds the pages."""

import gc
import json
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache

from fastapi import FastAPI, Response

from triclinium.server.accounts import deletion
from triclinium.server.admin import command_queue
from triclinium.server.cluster.peer_sync import Hearing
from triclinium.server.http.api import (
    account,
    auto_replies,
    bot_accounts,
    chat,
    games,
    moves,
    network,
    notifications,
    players,
    preview,
    seats,
    share,
    tables,
)
from triclinium.server.http.auth import Authentication
from triclinium.server.http.error_responses import ANSWERED, answer_problem
from triclinium.server.http.password_gate import PasswordDoor
from triclinium.server.net.head_requests import Head
from triclinium.server.net.middleware import Guard
from triclinium.server.net.rate_limit import Limits
from triclinium.server.net.request_log import Requests
from triclinium.server.net.trusted_hosts import KnownHost
from triclinium.server.notifications import sender
from triclinium.server.server import Server
from triclinium.server.settings import Settings
from triclinium.server.tables import ready_check, retention, timeouts

TITLE, VERSION = "Triclinium", "1"  # of the API
ABOUT = "One table for board games of the ancient world. See docs/api.md."
GARBAGE = 20_000  # objects that come before circles among them are looked for

PARTS = (
    tables,
    games,
    seats,
    share,
    auto_replies,
    players,
    bot_accounts,
    account,
    network,
    notifications,
    chat,
    preview,
)


def create(settings: Settings) -> FastAPI:
    """An application with a server of these settings."""
    server = Server(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        server.prepare()
        Hearing(server).start()
        threading.Thread(target=server.store.database.look_through, name="triclinium-look", daemon=True).start()
        await server.rests.begin(server.opened, settings.grace)
        server.spawn(timeouts.sweep(server), "looking for absent players")
        server.spawn(deletion.rounds(server), "erasing who asked for it")
        server.spawn(retention.rounds(server), "deleting old tables")
        if not server.peers.shared:
            server.spawn(command_queue.rounds(server), "doing what the command line asks")
        server.spawn(ready_check.watch(server), "looking for those who are not ready")
        server.spawn(sender.rounds(server), "telling those who are not here")
        if settings.warm:
            server.spawn(make_ready(server, app.state.ready), "making ready")
        try:
            yield
        finally:
            await server.close()

    app = FastAPI(
        title=TITLE,
        version=VERSION,
        description=ABOUT,
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # nobody asks for it, and every request would
    )
    app.state.server = server
    app.state.limits = Limits(settings.limits, settings.processes)
    _add_api(app)

    async def openapi() -> Response:
        return Response(await server.in_thread(described), media_type="application/json")

    app.add_api_route("/api/v1/openapi.json", openapi, include_in_schema=False)

    _add_health(app, server)
    app.state.ready = [described]
    _add_middleware(app, server)
    return app


def _add_api(app: FastAPI) -> None:
    moves.add(app)  # before all other layers are put around it
    for part in PARTS:
        # As they are: a router that is included makes all its routes anew, and looks through them twice a request.
        app.router.routes += part.router.routes


@cache
def described() -> bytes:
    """The API for programs, which is the same at every server of this process."""
    alone = FastAPI(title=TITLE, version=VERSION, description=ABOUT)
    _add_api(alone)
    return json.dumps(alone.openapi()).encode()


def _add_middleware(app: FastAPI, server: Server) -> None:
    """Exception handlers, and the layers that a request passes; the one added last is the outermost."""
    for kind in ANSWERED:
        app.add_exception_handler(kind, answer_problem)
    app.add_middleware(PasswordDoor, server=server)
    app.add_middleware(KnownHost, reach=server.reach)
    app.add_middleware(Authentication, server=server)
    app.add_middleware(Guard, settings=server.settings)
    app.add_middleware(Requests)
    app.add_middleware(Head)


def _add_health(app: FastAPI, server: Server) -> None:
    """What proxies and service managers ask."""

    async def health() -> dict[str, str]:
        """That the server answers, and which it is: a proxy or a service manager asks."""
        return {"status": "ok", "house": server.mark}

    async def readiness(response: Response) -> dict[str, str]:
        """Whether requests should be sent here: a proxy that knows other servers asks."""
        ready_check = bool(server.opened) and await server.in_thread(server.store.answers)
        response.status_code = 200 if ready_check else 503
        return {"status": "ready" if ready_check else "not ready"}

    app.add_api_route("/health", health, include_in_schema=False)
    app.add_api_route("/healthz", health, include_in_schema=False)
    app.add_api_route("/readyz", readiness, include_in_schema=False)


async def make_ready(server: Server, jobs: list[Callable[[], object]]) -> None:
    """Do beside the loop, one by one, what somebody would otherwise wait for."""
    for job in jobs:
        await server.in_thread(job)
    # What is there now stays for good: whoever next collects garbage need not look through it.
    await server.in_thread(gc.collect)
    gc.freeze()
    gc.set_threshold(GARBAGE)  # every 700 objects, as usual, took two hundredths of the time
