"""ASGI application: the server, its middleware and the API. `triclinium.web` adds the pages."""

import gc
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import cache
from types import ModuleType

from fastapi import FastAPI, Response

from triclinium.server.admin import command_queue
from triclinium.server.admin.backup_folder import BackupFolder
from triclinium.server.cluster.peer_sync import PeerListener
from triclinium.server.http.api import (
    account,
    auto_replies,
    bot_accounts,
    chat,
    deals,
    evenings,
    games,
    moves,
    network,
    notifications,
    owner,
    players,
    playtests,
    practice,
    preview,
    seat_requests,
    seats,
    share,
    tables,
    workshop,
)
from triclinium.server.http.auth import AuthenticationMiddleware
from triclinium.server.http.commands import AnyCommand
from triclinium.server.http.error_responses import HANDLED_ERRORS, build_error_response
from triclinium.server.http.password_gate import PasswordGateMiddleware
from triclinium.server.net.head_requests import HeadMiddleware
from triclinium.server.net.middleware import SecurityMiddleware
from triclinium.server.net.rate_limit import RateLimits
from triclinium.server.net.request_log import RequestLogMiddleware
from triclinium.server.net.trusted_hosts import KnownHostMiddleware
from triclinium.server.notifications import sender
from triclinium.server.personal_data import deletion
from triclinium.server.practice import review_queue
from triclinium.server.runtime import Runtime
from triclinium.server.services import Services
from triclinium.server.settings import Settings
from triclinium.server.tables import ready_check, retention, timeouts
from triclinium.server.tables.deals import run_deal_loop

TITLE, VERSION = "Triclinium", "1"  # shown in the OpenAPI description
DESCRIPTION = "One table for board games of the ancient world. See docs/api.md."
GC_THRESHOLD = 20_000  # new objects before Python looks for reference cycles

API_MODULES = (
    tables,
    deals,
    seat_requests,
    games,
    seats,
    share,
    evenings,
    auto_replies,
    players,
    practice,
    bot_accounts,
    account,
    network,
    owner,
    notifications,
    chat,
    preview,
    workshop,
    playtests,
)


def create_app(settings: Settings) -> FastAPI:
    """Return an application that serves with these settings."""
    services = Services(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        services.open_database()
        PeerListener(services).start()
        threading.Thread(
            target=services.store.database.check_integrity_fully, name="triclinium-look", daemon=True
        ).start()
        await services.paused_time.record_opening(services.runtime.opened_at, settings.startup_grace)
        services.runtime.start_task(timeouts.run_timeout_loop(services), "check for absent players")
        services.runtime.start_task(deletion.run_deletion_loop(services), "delete accounts")
        services.runtime.start_task(retention.run_cleanup_loop(services.tables), "deleting old tables")
        services.runtime.start_task(review_queue.run_review_queue(services), "reviewing finished matches")
        services.runtime.start_task(run_deal_loop(services), "closing finished deals")
        if not services.peers.shared:
            services.runtime.start_task(command_queue.run_queue(services), "run admin commands")
        services.runtime.start_task(ready_check.run_ready_checks(services), "check for players who are not ready")
        services.runtime.start_task(sender.run_send_loop(services), "send notifications")
        services.runtime.start_task(services.studies.run_loop(), "play studies of editions")
        if settings.warm_up:
            services.runtime.start_task(warm_up(services.runtime, app.state.ready), "making ready")
        try:
            yield
        finally:
            await services.close()

    app = FastAPI(
        title=TITLE,
        version=VERSION,
        description=DESCRIPTION,
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        # Telemetry is unused and would cost time in every request.
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.state.services = services
    app.state.backups = BackupFolder(settings)
    app.state.limits = RateLimits(settings.limits, settings.processes)
    _add_api(app)

    async def openapi() -> Response:
        return Response(await services.runtime.run_in_thread(render_openapi), media_type="application/json")

    app.add_api_route("/api/v1/openapi.json", openapi, include_in_schema=False)

    _add_health(app, services)
    app.state.ready = [render_openapi]
    _add_middleware(app, services)
    return app


def list_commands(modules: Iterable[ModuleType] = (moves, *API_MODULES)) -> list[AnyCommand]:
    """Return the commands that modules declare."""
    return [command for module in modules for command in getattr(module, "commands", ())]


def _add_api(app: FastAPI) -> None:
    moves.add_move_route(app)  # first, because its middleware must be the innermost
    for module in API_MODULES:
        # Share the routes: `include_router` would copy each one and match every request twice.
        app.router.routes += module.router.routes


@cache
def render_openapi() -> bytes:
    """Return the OpenAPI description of the API as JSON. It is the same for every server of this process."""
    api_only = FastAPI(title=TITLE, version=VERSION, description=DESCRIPTION)
    _add_api(api_only)
    return json.dumps(api_only.openapi()).encode()


def _add_middleware(app: FastAPI, services: Services) -> None:
    """Add the exception handlers and the middleware. The middleware that is added last is the outermost."""
    for kind in HANDLED_ERRORS:
        app.add_exception_handler(kind, build_error_response)
    app.add_middleware(PasswordGateMiddleware, services=services)
    app.add_middleware(KnownHostMiddleware, reachability=services.reachability)
    app.add_middleware(AuthenticationMiddleware, services=services)
    app.add_middleware(SecurityMiddleware, settings=services.settings)
    app.add_middleware(RequestLogMiddleware)
    app.add_middleware(HeadMiddleware)


def _add_health(app: FastAPI, services: Services) -> None:
    """Add the health and readiness checks that proxies and service managers request."""

    async def health() -> dict[str, str]:
        """Report that the server answers, and its fingerprint."""
        return {"status": "ok", "server": services.fingerprint}

    async def readiness(response: Response) -> dict[str, str]:
        """Report whether the server accepts requests. A load balancer asks before it sends requests here."""
        ready_check = bool(services.runtime.opened_at) and await services.runtime.run_in_thread(services.store.can_read)
        response.status_code = 200 if ready_check else 503
        return {"status": "ready" if ready_check else "not ready"}

    app.add_api_route("/health", health, include_in_schema=False)
    app.add_api_route("/healthz", health, include_in_schema=False)
    app.add_api_route("/readyz", readiness, include_in_schema=False)


async def warm_up(runtime: Runtime, jobs: list[Callable[[], object]]) -> None:
    """Run slow jobs in the worker thread, one after another, before the first requests need their results."""
    for job in jobs:
        await runtime.run_in_thread(job)
    # Everything that exists now stays until the process ends, so later garbage collections can ignore it.
    await runtime.run_in_thread(gc.collect)
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)  # the default of 700 objects took 2% of the processor time
