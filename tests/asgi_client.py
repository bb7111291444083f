"""Test client that hands each request to the server's event loop in a single call.

Starlette's own client needs eight hand-overs, so that it can read an endless response. Each wakes two threads, which
together takes longer than most responses. Tests of event streams use real HTTP instead.
"""

from collections.abc import MutableMapping
from typing import Any
from urllib.parse import unquote

import anyio
from httpx2 import ByteStream, Request, Response
from starlette import testclient

PORTS = {"http": 80, "https": 443}
STARLETTES = testclient._TestClientTransport.handle_request


class AsgiExchange:
    """One request as the application sees it, and the response."""

    def __init__(self, request: Request) -> None:
        self.body: bytes | None = request.read()
        self.status = 0  # 0 until the response begins
        self.headers: list[tuple[str, str]] = []
        self.parts: list[bytes] = []
        self.fault: Exception | None = None

    async def run(self, app: Any, scope: dict[str, Any]) -> None:
        self.complete = anyio.Event()
        try:
            await app(scope, self.receive, self.send)
        except Exception as fault:
            self.fault = fault

    async def receive(self) -> MutableMapping[str, Any]:
        if self.body is None:
            await self.complete.wait()
            return {"type": "http.disconnect"}
        body, self.body = self.body, None
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            assert not self.status, "an answer that begins twice"
            self.status = message["status"]
            self.headers = [(name.decode(), value.decode()) for name, value in message.get("headers", ())]
        elif message["type"] == "http.response.body":
            assert self.status, "a body before its answer"
            assert not self.complete.is_set(), "more after the end of an answer"
            self.parts.append(bytes(message.get("body", b"")))
            if not message.get("more_body", False):
                self.complete.set()


def handle_request(self: testclient._TestClientTransport, request: Request) -> Response:
    """Handle a request in place of Starlette's method."""
    url, exchange = request.url, AsgiExchange(request)
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": request.method,
        "scheme": url.scheme,
        "path": unquote(url.path),
        "raw_path": url.raw_path.partition(b"?")[0],
        "query_string": url.query,
        "root_path": self.root_path,
        "headers": [(name.lower().encode(), value.encode()) for name, value in request.headers.multi_items()],
        "client": self.client,
        "server": [url.host, url.port or PORTS[url.scheme]],
        "extensions": {},
        "state": self.app_state.copy(),
    }
    with self.portal_factory() as portal:
        portal.call(exchange.run, self.app, scope)
    if self.raise_server_exceptions:
        if exchange.fault is not None:
            raise exchange.fault
        assert exchange.complete.is_set(), "no answer, or none that ends"
    body = b"" if request.method == "HEAD" else b"".join(exchange.parts)
    return Response(exchange.status or 500, headers=exchange.headers, stream=ByteStream(body), request=request)


def install_single_call_client() -> None:
    """Make every test client use a single call for each request."""
    testclient._TestClientTransport.handle_request = handle_request  # type: ignore[method-assign]
