"""Check of the Host header. The server answers only to names that it knows, so that a caller cannot forge its links.

The caller writes the Host header itself. Accepted are the names and addresses of this machine, the address at which the
connection arrived, and the host of the configured public URL. A public URL replaces the Host header of every request.
"""

import re
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from triclinium.engine.core.text import msgid
from triclinium.server.net.interfaces import strip_port
from triclinium.server.net.middleware import RequestRefused
from triclinium.server.net.reachability import Reachability

HOST_PATTERN = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?")
UNKNOWN_HOST = msgid(
    "This server does not accept this address. Its operator can add the address with the option --url."
)
TWO_HOSTS = msgid("The request has two Host headers.")


class KnownHostMiddleware:
    """ASGI middleware that refuses unknown hosts, so that the application can trust the Host header."""

    def __init__(self, app: ASGIApp, reachability: Reachability) -> None:
        self.app = app
        self.reachability = reachability
        self.scheme, self.host = urlsplit(reachability.url)[:2] if reachability.url else ("", "")
        # The last accepted name and the address of its connection, because most requests repeat them.
        self._last_known = ("", "")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
            if len(hosts) > 1:
                raise RequestRefused(400, TWO_HOSTS)
            requested = hosts[0] if hosts else ""
            arrived = scope.get("server") or ("localhost", None)
            if not self._is_known(requested, arrived[0]):
                raise RequestRefused(421, UNKNOWN_HOST)
            host = self.host or requested or format_host(*arrived)
            if host != requested or self.scheme:
                headers = [(name, value) for name, value in scope["headers"] if name != b"host"]
                headers.append((b"host", host.encode("latin-1")))
                scope = {**scope, "headers": headers, "scheme": self.scheme or scope["scheme"]}
        await self.app(scope, receive, send)

    def _is_known(self, requested: str, arrived: str) -> bool:
        if not requested or (requested, arrived) == self._last_known:
            return True
        host_match = HOST_PATTERN.fullmatch(requested.lower())
        name = "" if host_match is None else host_match[1]
        here = f"[{arrived}]" if ":" in arrived else arrived
        is_configured = name == strip_port(self.host) if self.host else False
        if not name or not (is_configured or name == here.lower() or self.reachability.is_own_name(name)):
            return False
        self._last_known = (requested, arrived)
        return True


def format_host(name: str, port: int | None) -> str:
    """Return a host and port in the form of a Host header."""
    here = f"[{name}]" if ":" in name else name
    return here if port is None else f"{here}:{port}"
