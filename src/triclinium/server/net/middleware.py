"""Middleware for every request: limits on size and rate, the check of its origin, and security headers."""

import asyncio
import json
import logging
import math
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from triclinium.engine.core.text import Message as Sentence
from triclinium.engine.core.text import Reader, msgid
from triclinium.server.net.client_address import NetworkCounter, get_client_network
from triclinium.server.net.rate_limit import (
    THREAD_TIME,
    TOO_MANY_REQUESTS,
    NetworkBuckets,
    ThreadTime,
    get_request_cost,
)
from triclinium.server.settings import Settings

log = logging.getLogger("triclinium.password")

RATE, DEPTH = 300.0, 2000.0  # milliseconds of processor time for one network: per second, and in a burst
REFUSAL_DELAY = 0.25  # seconds before a refusal is sent, which slows down a flood of requests
MAX_BODY_BYTES = 64 * 1024
MAX_EDITION_BYTES = 512 * 1024
MAX_RECORD_BYTES = 4 * 1024 * 1024  # a match file contains every position
API_PREFIX = "/api/"
POLICY_HEADER = b"content-security-policy"
RequestHeaders: TypeAlias = dict[bytes, bytes]  # headers of a request, with names in lower case
UPLOAD_PATHS = ("/records", "/api/v1/records")
UPLOAD_FOLDERS = ("/workshop", "/api/v1/editions")

SECURITY_HEADERS = (
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "font-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=()"),
)


class RequestRefused(HTTPException):
    """Error for a request that is refused before it is handled.

    If the answer has already begun, the error reaches the code that makes the answer. ``message_arg`` fills the only
    placeholder of the message, if it has one.
    """

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None, message_arg: str = "") -> None:
        super().__init__(status, detail, headers)
        self.message_args = (message_arg,) if message_arg else ()


class StreamLimiter:
    """A limit on the number of event streams that each network has open."""

    def __init__(self, limit: int) -> None:
        self._open = NetworkCounter(limit)

    @contextmanager
    def hold_stream(self, address: str) -> Iterator[None]:
        """Count an open stream until the end of the block. Raise `RequestRefused` if the network has too many."""
        if not self._open.has_room(address):
            raise RequestRefused(
                429,
                msgid("Too many tables are open from this address. Close some of them first."),
                {"retry-after": "10"},
            )
        self._open.add(address)
        try:
            yield
        finally:
            self._open.remove(address)


class SecurityMiddleware:
    """ASGI middleware that applies the limits, checks the origin and adds the security headers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.https, self.url = settings.https, settings.url
        self.proxy_noticed = bool(settings.proxies)
        self.buckets = NetworkBuckets(RATE, DEPTH) if settings.limits else None
        self.streams = StreamLimiter(settings.max_streams)
        headers = SECURITY_HEADERS + ((("strict-transport-security", "max-age=31536000"),) if self.https else ())
        self.headers = [(name.encode(), value.encode()) for name, value in headers]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        # In reverse order, so that the first of several headers with the same name counts.
        headers: RequestHeaders = dict(reversed(scope["headers"]))
        answered = False

        async def send_with_headers(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                own = message.get("headers", ())
                message["headers"] = [*own, *self._list_headers_to_add(own)]
                if not any(name == b"cache-control" for name, _ in own):
                    message["headers"].append((b"cache-control", b"no-store"))
            await send(message)

        path = scope["path"]
        max_bytes = MAX_EDITION_BYTES if path.startswith(UPLOAD_FOLDERS) else MAX_BODY_BYTES
        max_bytes = MAX_RECORD_BYTES if path in UPLOAD_PATHS else max_bytes
        received_bytes = 0

        async def receive_limited() -> Message:
            nonlocal received_bytes
            message = await receive()
            if message["type"] == "http.request":
                received_bytes += len(message.get("body", b""))
                if received_bytes > max_bytes:
                    raise RequestRefused(413, "the URL or the body is too long")
            return message

        try:
            if self.buckets is not None:
                await self._charge_request(self.buckets, scope)
            check_origin(scope, headers, self.https, self.url)
            length = headers.get(b"content-length", b"0")
            if not length.isdigit() or int(length) > max_bytes:
                raise RequestRefused(413, "the URL or the body is too long")
            if self.buckets is None:
                await self.app(scope, receive_limited, send_with_headers)
            elif is_stream(scope):
                with self.streams.hold_stream(get_client_network(scope)):
                    await self.app(scope, receive_limited, send_with_headers)
            else:
                with _charge_extra_time(scope, self.buckets):
                    await self.app(scope, receive_limited, send_with_headers)
        except RequestRefused as refusal:
            if answered:
                raise
            await send_with_headers(_build_response_start(scope, refusal))
            await send_with_headers(
                {"type": "http.response.body", "body": _build_refusal_text(scope, refusal).encode()}
            )

    async def _charge_request(self, buckets: NetworkBuckets, scope: Scope) -> None:
        """Charge the cost of a request to its network. Raise `RequestRefused` if the limit is reached."""
        address, price, now = get_client_network(scope), get_request_cost(scope), time.monotonic()
        wait = buckets.compute_wait(address, price, now)
        if wait > 0.0:
            if not self.proxy_noticed and any(name == b"x-forwarded-for" for name, _ in scope["headers"]):
                self.proxy_noticed = True  # the server warns only once
                log.warning(
                    "requests seem to come through a proxy; without --proxy all its visitors share one rate limit"
                )
            await asyncio.sleep(REFUSAL_DELAY)
            raise RequestRefused(429, TOO_MANY_REQUESTS, {"retry-after": str(math.ceil(wait))})
        buckets.take_tokens(address, price, now)

    def _list_headers_to_add(self, own: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """Return the security headers, without the content security policy if the page has its own."""
        if any(name == POLICY_HEADER for name, _ in own):
            return [header for header in self.headers if header[0] != POLICY_HEADER]
        return self.headers


@contextmanager
def _charge_extra_time(scope: Scope, buckets: NetworkBuckets) -> Iterator[None]:
    """Charge the processor time that the request used in threads beyond its usual cost, such as a long replay."""
    thread_time = ThreadTime()
    before = THREAD_TIME.set(thread_time)
    try:
        yield
    finally:
        THREAD_TIME.reset(before)
        extra = thread_time.milliseconds - get_request_cost(scope)
        if extra > 0.0:
            buckets.take_tokens(get_client_network(scope), extra, time.monotonic())


def _build_response_start(scope: Scope, refusal: RequestRefused) -> Message:
    kind = b"application/json" if scope["path"].startswith(API_PREFIX) else b"text/plain; charset=utf-8"
    headers = [(b"content-type", kind)]
    headers += [(name.encode(), value.encode()) for name, value in (refusal.headers or {}).items()]
    if scope["method"] not in ("GET", "HEAD"):
        headers.append((b"connection", b"close"))  # the body of the request has not been read
    return {"type": "http.response.start", "status": refusal.status_code, "headers": headers}


def _build_refusal_text(scope: Scope, refusal: RequestRefused) -> str:
    """Return the text of a refusal: JSON for the API, otherwise a sentence in the reader's language."""
    if scope["path"].startswith(API_PREFIX):
        code = {
            400: "bad_request",
            401: "password_required",
            413: "too_large",
            421: "wrong_host",
            429: "too_many_requests",
        }.get(refusal.status_code, "not_allowed")
        return json.dumps({"error": code, "message": _format_english(refusal.detail, *refusal.message_args)})
    speak = getattr(scope["app"].state, "speak", None) if "app" in scope else None
    translate = _format_english if speak is None else partial(speak, Headers(scope=scope))
    return f"{translate(refusal.detail, *refusal.message_args)}\n"


def _format_english(text: str, *message_args: str) -> str:
    return Reader().read(Sentence(text, *message_args))


def is_stream(scope: Scope) -> bool:
    return bool(scope["method"] == "GET" and scope["path"].endswith("/events"))


def check_origin(scope: Scope, headers: RequestHeaders, https: bool, url: str) -> None:
    """Raise `RequestRefused` if another site sends a POST or opens an event stream. Cookies make no difference."""
    if scope["method"] in ("GET", "HEAD", "OPTIONS") and not is_stream(scope):
        return
    origin = headers.get(b"origin", b"").decode("latin-1")
    if b"origin" not in headers:
        if headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
            raise RequestRefused(403, "this request comes from another site")
    elif not url or origin != url:
        scheme, _, host = origin.partition("://")
        # A proxy in front may use HTTPS even if no setting says so.
        schemes = ("https",) if https or scope["scheme"] == "https" else ("http", "https")
        if host != headers.get(b"host", b"").decode("latin-1") or scheme not in schemes:
            raise RequestRefused(403, "this request comes from another site")
