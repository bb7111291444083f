"""At the door: size of what is sent, where it comes from, how often, and the headers of every answer."""

import time

from limits import RateLimitItemPerMinute, RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from triclinium.server.errors import TooMuch

BODY = 64 * 1024
RECORD_BODY = 512 * 1024
UPLOADS = ("/record", "/api/v1/records")

HEADERS = (
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=()"),
)


class Refusal(HTTPException):
    """The door is closed to this request. Where the answer is being made already, its maker tells."""


class Buckets:
    """A bucket of tokens for each address: a flood from one of them does not reach the house at all."""

    RATE = 150.0  # requests a second for good
    DEPTH = 600.0  # at once, after a rest
    ADDRESSES = 20_000

    def __init__(self) -> None:
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, address: str, now: float) -> bool:
        """Take one token; False: the bucket is empty."""
        left, then = self._left.get(address, (self.DEPTH, now))
        left = min(self.DEPTH, left + (now - then) * self.RATE)
        if left < 1.0:
            return False
        if len(self._left) > self.ADDRESSES:
            self._left.clear()  # everybody starts anew: kinder than turning the next one away
        self._left[address] = (left - 1.0, now)
        return True


class Guard:
    """An ASGI door in front of everything."""

    def __init__(self, app: ASGIApp, https: bool = False, limits: bool = True, url: str = "") -> None:
        self.app = app
        self.https = https
        self.url = url
        self.buckets = Buckets() if limits else None
        told = HEADERS + ((("strict-transport-security", "max-age=31536000"),) if https else ())
        self.headers = [(name.encode(), value.encode()) for name, value in told]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        answered = False

        async def sending(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                own = message.get("headers", ())
                message["headers"] = [*own, *self.headers]
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
            client = scope.get("client")
            if self.buckets is not None and not self.buckets.take(client[0] if client else "", time.monotonic()):
                raise Refusal(429, "that was too often: wait a moment")
            check_origin(scope, headers, self.https, self.url)
            length = headers.get("content-length", "0")
            if not length.isdigit() or int(length) > most:
                raise Refusal(413, "that is too long")
            await self.app(scope, receiving, sending)
        except Refusal as refusal:
            if answered:
                raise
            body = f"{refusal.detail}\n".encode()
            await sending(
                {
                    "type": "http.response.start",
                    "status": refusal.status_code,
                    "headers": [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")],
                }
            )
            await sending({"type": "http.response.body", "body": body})


def check_origin(scope: Scope, headers: Headers, https: bool, url: str) -> None:
    """A post, or an event stream, from another site is refused whatever cookie it carries."""
    listens = scope["path"].endswith("/events")
    if scope["method"] in ("GET", "HEAD", "OPTIONS") and not listens:
        return
    origin = headers.get("origin")
    if origin is None:
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise Refusal(403, "this comes from another site")
    elif not url or origin != url:
        scheme, _, host = origin.partition("://")
        # Where nobody says that the house speaks HTTPS, a proxy in front may do so all the same.
        schemes = ("https",) if https or scope["scheme"] == "https" else ("http", "https")
        if host != headers.get("host", "") or scheme not in schemes:
            raise Refusal(403, "this comes from another site")


class Limits:
    """How often somebody may do what. Generous to five busy tabs, closed to a flood."""

    RATES = {  # noqa: RUF012
        "move": (RateLimitItemPerSecond(40), RateLimitItemPerMinute(900)),
        "post": (RateLimitItemPerSecond(30), RateLimitItemPerMinute(600)),
        "open": (RateLimitItemPerMinute(30), RateLimitItemPerMinute(300, 60)),
        "chat": (RateLimitItemPerSecond(5), RateLimitItemPerMinute(40)),
        "listen": (RateLimitItemPerSecond(40), RateLimitItemPerMinute(600)),
        "hint": (RateLimitItemPerSecond(4), RateLimitItemPerMinute(60)),
        "guess": (RateLimitItemPerMinute(60),),  # codes and links of which somebody tries one after the other
    }

    def __init__(self, on: bool) -> None:
        self.on = on
        self._limiter = FixedWindowRateLimiter(MemoryStorage())

    def count(self, what: str, *who: str) -> None:
        """Count one; raises TooMuch."""
        if self.on and not all(self._limiter.hit(rate, what, *who) for rate in self.RATES[what]):
            raise TooMuch("that was too often: wait a moment")
