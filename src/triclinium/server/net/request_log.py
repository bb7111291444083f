"""Request ids and the request log.

The id of a request is in its answer, on error pages and in its log lines. A log line contains the route instead of the
URL, because URLs contain secret links, codes and tokens.
"""

import itertools
import json
import logging
import re
import secrets
import time

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from triclinium.engine.core.text import Message as Sentence
from triclinium.engine.core.text import Reader, msgid
from triclinium.server.log_format import REQUEST_ID, LogFields
from triclinium.server.net.head_requests import ORIGINAL_METHOD
from triclinium.server.net.middleware import API_PREFIX

log = logging.getLogger("triclinium.requests")
REQUEST_ID_HEADER = b"x-request-id"
VALID_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")  # other ids from a client or proxy are replaced
TABLE_ROUTES = (
    "/tables/{id}",
    "/invitations/{id}",
    "/watch/{id}",
    "/api/v1/tables/{id}",
)  # in other routes the id may be a secret
UNKNOWN_ROUTE = "-"  # route of a request that matched none
FAILURE_MESSAGE = msgid("Something went wrong on this server. The server log lists it as {0}.")


class RequestLogMiddleware:
    """The outermost ASGI middleware, which sets the request id and logs the request."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        # Ids of this server have a common random prefix and a counter. They are not secret, and a random id for each
        # request would cost a system call.
        self.prefix, self.counter = secrets.token_hex(4), itertools.count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client_id = next((value for name, value in scope["headers"] if name == REQUEST_ID_HEADER), b"")
        id = (
            client_id.decode("ascii")
            if client_id and VALID_ID.fullmatch(client_id)
            else f"{self.prefix}{next(self.counter):08x}"
        )
        REQUEST_ID.set(id)  # never reset, because each request has its own task
        began, status = time.perf_counter(), 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (REQUEST_ID_HEADER, id.encode())]
            await send(message)

        try:
            await self.app(scope, receive, send_with_id)
        except Exception:
            if not status:
                await _send_failure(scope, send_with_id)
            raise  # the ASGI server logs the error with the request id
        finally:
            if log.isEnabledFor(logging.INFO):
                log.info("%s", _build_log_fields(scope, status, (time.perf_counter() - began) * 1000))


def _build_log_fields(scope: Scope, status: int, milliseconds: float) -> LogFields:
    route = str(getattr(scope.get("route"), "path", UNKNOWN_ROUTE))
    facts: dict[str, object] = {
        "method": scope.get(ORIGINAL_METHOD, scope["method"]),
        "route": route,
        "status": status,  # 0: the client has disconnected
        "ms": round(milliseconds, 1),
    }
    if route.startswith(TABLE_ROUTES):
        facts["table"] = str(scope["path_params"].get("id", ""))[:12]
    return LogFields(facts)


async def _send_failure(scope: Scope, send: Send) -> None:
    """Answer an unexpected error with status 500 and a message that contains the request id."""
    id = REQUEST_ID.get()
    speak = getattr(scope["app"].state, "speak", None) if "app" in scope else None
    if scope["path"].startswith(API_PREFIX):
        payload = {"error": "internal_error", "message": Reader().read(Sentence(FAILURE_MESSAGE, id)), "request": id}
        kind, body = b"application/json", json.dumps(payload)
    else:
        kind = b"text/plain; charset=utf-8"
        body = (
            Reader().read(Sentence(FAILURE_MESSAGE, id))
            if speak is None
            else speak(Headers(scope=scope), FAILURE_MESSAGE, id)
        )
    headers = [(b"content-type", kind), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 500, "headers": headers})
    await send({"type": "http.response.body", "body": f"{body}\n".encode()})
