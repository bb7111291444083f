"""Metrics for Prometheus: requests, moves, times and queues.

The server loads this module only with the option `--metrics`, because it needs another package. The metrics have a port
of their own, so that no proxy publishes them.
"""

import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from triclinium.engine.core.errors import BadSetup
from triclinium.server.bots.slice_log import BotSlice
from triclinium.server.net.rate_limit import SERVER_COSTS, TABLE_COSTS
from triclinium.server.services import Services

TIME_BUCKETS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)  # seconds
SLICE_BUCKETS = (0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)  # seconds
OTHER_KIND = "other"


def get_request_kind(path: str) -> str:
    """Return the kind of a request from its path. There are few kinds, and none contains the id of a table."""
    path_parts = path.removeprefix("/api/v1").split("/")
    if len(path_parts) > 2 and path_parts[1] in ("tables", "matches"):
        action = path_parts[3] if len(path_parts) > 3 else ""
        return f"table {action}".strip() if action in TABLE_COSTS else f"table {OTHER_KIND}"
    first = path_parts[1] if len(path_parts) > 1 else ""
    return (first or "home") if first in SERVER_COSTS else OTHER_KIND


class Metrics:
    """Counters and histograms of one server."""

    def __init__(self, services: Services) -> None:
        self.registry = registry = CollectorRegistry()
        self.requests = Counter(
            "triclinium_requests", "Answered requests, by kind and status", ["where", "status"], registry=registry
        )
        self.seconds = Histogram(
            "triclinium_request_seconds", "Time until an answer", ["where"], buckets=TIME_BUCKETS, registry=registry
        )
        self.moves = Counter("triclinium_moves", "Stored moves", ["game", "by"], registry=registry)
        self.commits = Histogram(
            "triclinium_commit_seconds", "Time until a commit was on disk", buckets=TIME_BUCKETS, registry=registry
        )
        self.writes = Counter("triclinium_writes", "Number of committed writes", registry=registry)
        self.slices = Histogram(
            "triclinium_bot_slice_seconds",
            "Seconds of a slice of bot work, by kind",
            ["kind"],
            buckets=SLICE_BUCKETS,
            registry=registry,
        )
        self.first_slices = Histogram(
            "triclinium_bot_wait_seconds",
            "Seconds until bot work began, by kind",
            ["kind"],
            buckets=SLICE_BUCKETS,
            registry=registry,
        )
        services.on_move = self.count_move
        services.bot_pool.slice_log.on_slice = self.observe_slice
        services.store.on_commit = self.observe_commit
        for name, text, count in (
            ("tables", "Tables in memory", lambda: len(services.tables.list_cached_tables())),
            (
                "streams",
                "Open event streams",
                lambda: sum(len(table.hub.listeners) for table in services.tables.list_cached_tables()),
            ),
            ("bots_waiting", "Bot decisions that wait for a process", lambda: services.bot_pool.waiting_count),
            ("writes_waiting", "Writes that wait for the next commit", lambda: services.store.pending_writes),
        ):
            Gauge(f"triclinium_{name}", text, registry=registry).set_function(count)

    def count_move(self, game_id: str, bot: str) -> None:
        self.moves.labels(game_id, "bot" if bot else "person").inc()

    def observe_slice(self, bot_slice: BotSlice) -> None:
        """Count a slice of a bot's work, and how long the first slice waited."""
        self.slices.labels(bot_slice.kind).observe(bot_slice.ended - bot_slice.began)
        if bot_slice.number == 0:
            self.first_slices.labels(bot_slice.kind).observe(bot_slice.began - bot_slice.asked)

    def observe_commit(self, writes: int, seconds: float) -> None:
        self.commits.observe(seconds)
        self.writes.inc(writes)

    def serve_at(self, host: str, port: int) -> None:
        """Serve the metrics at this address on a separate thread. Raise `BadSetup` if the port is not free."""
        try:
            start_http_server(port, host, self.registry)
        except OSError as error:
            raise BadSetup(f"cannot serve metrics at {host}, port {port}: {error.strerror}") from None


class MetricsMiddleware:
    """ASGI middleware that counts every request and measures the time until its answer."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        kind, began = get_request_kind(scope["path"]), time.perf_counter()

        async def send_and_count(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.metrics.requests.labels(kind, str(message["status"])).inc()
                self.metrics.seconds.labels(kind).observe(time.perf_counter() - began)
            await send(message)

        await self.app(scope, receive, send_and_count)
