"""How the server is addressed: it answers to names that it knows, so that links never repeat what a caller made up.

The caller writes the Host header itself. It is believed where it names this machine: ``localhost``, the machine's own
name, one of its addresses, or the address at which the connection arrived; and where it is the host of the address that
whoever runs the server has told. To any other name nobody answers. A told address is the server's name for everybody.
"""

import re
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from triclinium.engine.core.text import msgid
from triclinium.server.net.interfaces import name_in
from triclinium.server.net.middleware import Refusal
from triclinium.server.net.reachability import Reach

HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?")
NOT_CALLED_SO = msgid("This house is not called so. Whoever runs it can name it with --url.")
TWO_HOSTS = msgid("The request has two Host headers.")


class KnownHost:
    """An ASGI layer: what is behind it may use the Host header."""

    def __init__(self, app: ASGIApp, reach: Reach) -> None:
        self.app = app
        self.reach = reach
        self.scheme, self.host = urlsplit(reach.url)[:2] if reach.url else ("", "")
        self._known = ("", "")  # a name and the address where it arrived, last: most requests repeat them

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            named = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
            if len(named) > 1:
                raise Refusal(400, TWO_HOSTS)
            given = named[0] if named else ""
            arrived = scope.get("server") or ("localhost", None)
            if not self._is_known(given, arrived[0]):
                raise Refusal(421, NOT_CALLED_SO)
            host = self.host or given or address(*arrived)
            if host != given or self.scheme:
                headers = [(name, value) for name, value in scope["headers"] if name != b"host"]
                headers.append((b"host", host.encode("latin-1")))
                scope = {**scope, "headers": headers, "scheme": self.scheme or scope["scheme"]}
        await self.app(scope, receive, send)

    def _is_known(self, given: str, arrived: str) -> bool:
        if not given or (given, arrived) == self._known:
            return True
        found = HOST.fullmatch(given.lower())
        name = "" if found is None else found[1]
        here = f"[{arrived}]" if ":" in arrived else arrived
        told = name == name_in(self.host) if self.host else False
        if not name or not (told or name == here.lower() or self.reach.knows(name)):
            return False
        self._known = (given, arrived)
        return True


def address(name: str, port: int | None) -> str:
    """A place as a Host header spells it."""
    here = f"[{name}]" if ":" in name else name
    return here if port is None else f"{here}:{port}"
