"""How the server is addressed: links that are sent to others never repeat a name that a caller made up.

The caller writes the Host header itself. It is believed where it names this machine: ``localhost``, the machine's own
name, or the address at which the connection arrived. Any other becomes that address, unless whoever runs the server has
said how it is reached from outside: then that is its name for everybody.
"""

import re
import socket
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?")
MACHINE = socket.gethostname().lower()
OWN_NAMES = {"localhost", "127.0.0.1", "[::1]", MACHINE, f"{MACHINE}.local"}


class KnownHost:
    """An ASGI layer: what is behind it may use the Host header."""

    def __init__(self, app: ASGIApp, url: str = "") -> None:
        """``url``: how the server is reached from outside, if that was said."""
        self.app = app
        self.scheme, self.host = urlsplit(url)[:2] if url else ("", "")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
            host = self.host or believed(given, tuple(scope.get("server") or ()))
            if host != given or self.scheme:
                headers = [(name, value) for name, value in scope["headers"] if name != b"host"]
                headers.append((b"host", host.encode("latin-1")))
                scope = {**scope, "headers": headers, "scheme": self.scheme or scope["scheme"]}
        await self.app(scope, receive, send)


@lru_cache(1000)
def believed(host: str, arrived: tuple[str, int | None] | tuple[()]) -> str:
    """The host as it was given if it is this machine, else where the connection arrived."""
    name, port = arrived or ("localhost", None)
    here = f"[{name}]" if ":" in name else name
    found = HOST.fullmatch(host.lower())
    if found is not None and (found[1] in OWN_NAMES or found[1] == here.lower()):
        return host
    return here if port is None else f"{here}:{port}"
