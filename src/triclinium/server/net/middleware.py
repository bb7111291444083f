"""What every request passes first: limits of size and rate, the check of its origin, and the headers of its answer."""

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
from triclinium.server.net.client_address import NetworkCounter, network_of
from triclinium.server.net.rate_limit import BILL, OFTEN, Bill, NetworkBuckets, cost
from triclinium.server.settings import Settings

log = logging.getLogger("triclinium.door")

RATE, DEPTH = 300.0, 2000.0  # milliseconds of work for one address: a second for good, and at once
PAUSE = 0.25  # seconds until a refusal is told: a flood that waits for it is no flood any more
BODY = 64 * 1024
RECORD_BODY = 512 * 1024
API = "/api/"
POLICY = b"content-security-policy"
Sent: TypeAlias = dict[bytes, bytes]  # the headers of a request, by their name in small letters
UPLOADS = ("/record", "/api/v1/records")

HEADERS = (
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


class Refusal(HTTPException):
    """A request is refused before it is handled. Once its answer has begun, whoever makes the answer reports it.

    ``about`` stands in the sentence's only gap, if it has one.
    """

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None, about: str = "") -> None:
        super().__init__(status, detail, headers)
        self.about = (about,) if about else ()


class Streams:
    """How many event streams each address has open."""

    def __init__(self, most: int) -> None:
        self._open = NetworkCounter(most)

    @contextmanager
    def held(self, address: str) -> Iterator[None]:
        """One more while this lasts; raises Refusal."""
        if not self._open.has_room(address):
            raise Refusal(429, msgid("too many tables are open at this address: close some"), {"retry-after": "10"})
        self._open.add(address)
        try:
            yield
        finally:
            self._open.remove(address)


class Guard:
    """The ASGI layer that does all of this."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.https, self.url = settings.https, settings.url
        self.believes = bool(settings.proxies)
        self.buckets = NetworkBuckets(RATE, DEPTH) if settings.limits else None
        self.streams = Streams(settings.streams)
        told = HEADERS + ((("strict-transport-security", "max-age=31536000"),) if self.https else ())
        self.headers = [(name.encode(), value.encode()) for name, value in told]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers: Sent = dict(reversed(scope["headers"]))  # of two with one name the first counts
        answered = False

        async def sending(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                own = message.get("headers", ())
                message["headers"] = [*own, *self._besides(own)]
                if not any(name == b"cache-control" for name, _ in own):
                    message["headers"].append((b"cache-control", b"no-store"))
            await send(message)

        most = RECORD_BODY if scope["path"] in UPLOADS else BODY
        got = 0

        async def receiving() -> Message:
            nonlocal got
            message = await receive()
            if message["type"] == "http.request":
                got += len(message.get("body", b""))
                if got > most:
                    raise Refusal(413, "that is too long")
            return message

        try:
            if self.buckets is not None:
                await self._count(self.buckets, scope)
            check_origin(scope, headers, self.https, self.url)
            length = headers.get(b"content-length", b"0")
            if not length.isdigit() or int(length) > most:
                raise Refusal(413, "that is too long")
            if self.buckets is None:
                await self.app(scope, receiving, sending)
            elif is_stream(scope):
                with self.streams.held(network_of(scope)):
                    await self.app(scope, receiving, sending)
            else:
                with _billed(scope, self.buckets):
                    await self.app(scope, receiving, sending)
        except Refusal as refusal:
            if answered:
                raise
            await sending(_start(scope, refusal))
            await sending({"type": "http.response.body", "body": _said(scope, refusal).encode()})

    async def _count(self, buckets: NetworkBuckets, scope: Scope) -> None:
        """Take what the request costs from its address; raises Refusal."""
        address, price, now = network_of(scope), cost(scope), time.monotonic()
        wait = buckets.wait(address, price, now)
        if wait > 0.0:
            if not self.believes and any(name == b"x-forwarded-for" for name, _ in scope["headers"]):
                self.believes = True  # said once
                log.warning("a proxy seems to stand before the house: without --proxy all its visitors share one limit")
            await asyncio.sleep(PAUSE)
            raise Refusal(429, OFTEN, {"retry-after": str(math.ceil(wait))})
        buckets.take(address, price, now)

    def _besides(self, own: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """The headers of every answer, without the policy where a page that others may frame brings its own."""
        if any(name == POLICY for name, _ in own):
            return [one for one in self.headers if one[0] != POLICY]
        return self.headers


@contextmanager
def _billed(scope: Scope, buckets: NetworkBuckets) -> Iterator[None]:
    """Take afterwards what the work beside the loop cost more than its route usually costs: a long replay, say."""
    bill = Bill()
    before = BILL.set(bill)
    try:
        yield
    finally:
        BILL.reset(before)
        extra = bill.milliseconds - cost(scope)
        if extra > 0.0:
            buckets.take(network_of(scope), extra, time.monotonic())


def _start(scope: Scope, refusal: Refusal) -> Message:
    kind = b"application/json" if scope["path"].startswith(API) else b"text/plain; charset=utf-8"
    headers = [(b"content-type", kind)]
    headers += [(name.encode(), value.encode()) for name, value in (refusal.headers or {}).items()]
    if scope["method"] not in ("GET", "HEAD"):
        headers.append((b"connection", b"close"))  # what was posted has not been read, and will not be
    return {"type": "http.response.start", "status": refusal.status_code, "headers": headers}


def _said(scope: Scope, refusal: Refusal) -> str:
    """The sentence: for a program as everywhere in the API, for a person in their language where there are pages."""
    if scope["path"].startswith(API):
        code = {400: "bad", 401: "door", 413: "too_much", 421: "misdirected", 429: "too_much"}.get(
            refusal.status_code, "not_allowed"
        )
        return json.dumps({"error": code, "message": _plain(refusal.detail, *refusal.about)})
    speak = getattr(scope["app"].state, "speak", None) if "app" in scope else None
    told = _plain if speak is None else partial(speak, Headers(scope=scope))
    return f"{told(refusal.detail, *refusal.about)}\n"


def _plain(text: str, *about: str) -> str:
    return Reader().read(Sentence(text, *about))


def is_stream(scope: Scope) -> bool:
    return bool(scope["method"] == "GET" and scope["path"].endswith("/events"))


def check_origin(scope: Scope, headers: Sent, https: bool, url: str) -> None:
    """A post, or an event stream, from another site is refused whatever cookie it carries."""
    if scope["method"] in ("GET", "HEAD", "OPTIONS") and not is_stream(scope):
        return
    origin = headers.get(b"origin", b"").decode("latin-1")
    if b"origin" not in headers:
        if headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
            raise Refusal(403, "this comes from another site")
    elif not url or origin != url:
        scheme, _, host = origin.partition("://")
        # Where nobody says that the server speaks HTTPS, a proxy in front may do so all the same.
        schemes = ("https",) if https or scope["scheme"] == "https" else ("http", "https")
        if host != headers.get(b"host", b"").decode("latin-1") or scheme not in schemes:
            raise Refusal(403, "this comes from another site")
