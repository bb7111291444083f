"""What whoever runs a house may want to draw: requests, moves, times and queues, for Prometheus.

This module is loaded only where somebody asks for it (`--metrics`): it needs a package more. All of it is told at an
address of its own, which no proxy leads to.
"""

import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from triclinium.engine.core.errors import BadSetup
from triclinium.server.bots.slice_log import Slice
from triclinium.server.net.rate_limit import SERVER, TABLE
from triclinium.server.server import Server

TIMES = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)  # seconds
SLICES = (0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)  # seconds
OTHER = "other"


def where(path: str) -> str:
    """The kind of a request, by its path: few enough to be drawn, and without anybody's table."""
    words = path.removeprefix("/api/v1").split("/")
    if len(words) > 2 and words[1] in ("t", "tables", "m", "matches"):
        what = words[3] if len(words) > 3 else ""
        return f"table {what}".strip() if what in TABLE else f"table {OTHER}"
    first = words[1] if len(words) > 1 else ""
    return (first or "home") if first in SERVER else OTHER


class Metrics:
    """All that is counted of one server."""

    def __init__(self, server: Server) -> None:
        self.registry = to = CollectorRegistry()
        self.requests = Counter("triclinium_requests", "Answered, by kind and status", ["where", "status"], registry=to)
        self.seconds = Histogram(
            "triclinium_request_seconds", "Until an answer began", ["where"], buckets=TIMES, registry=to
        )
        self.moves = Counter("triclinium_moves", "Stored moves", ["title", "by"], registry=to)
        self.commits = Histogram("triclinium_commit_seconds", "Until a commit was on disk", buckets=TIMES, registry=to)
        self.written = Counter("triclinium_writes", "Writes that were committed", registry=to)
        self.slices = Histogram(
            "triclinium_bot_slice_seconds", "Slices of bots' work, by kind", ["kind"], buckets=SLICES, registry=to
        )
        self.first_slices = Histogram(
            "triclinium_bot_wait_seconds", "Until a bot's work began, by kind", ["kind"], buckets=SLICES, registry=to
        )
        server.on_move = self.moved
        server.bot_pool.slices.on_slice = self.shared
        server.store.on_commit = self.committed
        for name, text, count in (
            ("tables", "Tables in memory", lambda: len(server.in_memory())),
            ("streams", "Open event streams", lambda: sum(len(one.hub.listeners) for one in server.in_memory())),
            ("bots_waiting", "Decisions of bots that wait for a process", lambda: server.bot_pool.waiting),
            ("writes_waiting", "Writes that wait for the next commit", lambda: server.store.waiting),
        ):
            Gauge(f"triclinium_{name}", text, registry=to).set_function(count)

    def moved(self, title: str, bot: str) -> None:
        self.moves.labels(title, "bot" if bot else "person").inc()

    def shared(self, one: Slice) -> None:
        """Count a slice of a bot's process."""
        self.slices.labels(one.kind).observe(one.ended - one.began)
        if one.number == 0:
            self.first_slices.labels(one.kind).observe(one.began - one.asked)

    def committed(self, writes: int, seconds: float) -> None:
        self.commits.observe(seconds)
        self.written.inc(writes)

    def tell_at(self, host: str, port: int) -> None:
        """Answer there from now on, on a thread of its own; raises BadSetup."""
        try:
            start_http_server(port, host, self.registry)
        except OSError as error:
            raise BadSetup(f"metrics cannot be told at {host}, port {port}: {error.strerror}") from None


class Measured:
    """Counts every request on its way in and out."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        kind, began = where(scope["path"]), time.perf_counter()

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.metrics.requests.labels(kind, str(message["status"])).inc()
                self.metrics.seconds.labels(kind).observe(time.perf_counter() - began)
            await send(message)

        await self.app(scope, receive, counted)
