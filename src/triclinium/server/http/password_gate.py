"""At the door of a house with a password: whoever has not said it is led there, before anything is shown.

Who has said it holds a cookie that the server's key signs for the hash of the password, so that a new one sends every
device back to the door. A link to a seat, for spectators, or to a match that is over passes for its table alone.
"""

from urllib.parse import quote

from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.text import msgid
from triclinium.server.accounts.owner import OWNER
from triclinium.server.accounts.owner import PATH as OWNER_LINK
from triclinium.server.http.auth import PERSON
from triclinium.server.net.middleware import API, Refusal
from triclinium.server.sanitize import whole_number
from triclinium.server.server import Server
from triclinium.server.tables import invitations, share
from triclinium.server.tables.seats import viewer

COOKIE = "door"
# What tells nothing of the house, and what its door needs.
APP = ("/manifest.webmanifest", "/sw.js", "/offline")
HEALTH = ("/health", "/healthz", "/readyz")  # a proxy knows no password
FREE = frozenset(
    {"/door", "/robots.txt", "/settings", "/api/v1/door", "/api/v1/owner", "/api/v1/openapi.json", *APP, *HEALTH}
)
ASKED = msgid("this house asks for its password first")


def pass_of(server: Server) -> str:
    """The cookie of a device where the password was said."""
    return server.key.sign(*_door(server))


def _door(server: Server) -> tuple[str, str]:
    return "door", server.password.hash


class PasswordDoor:
    """An ASGI layer: what is behind it is for those who may come in."""

    def __init__(self, app: ASGIApp, server: Server) -> None:
        self.app, self.server = app, server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not self.server.password.is_set or await may_pass(self.server, scope):
            await self.app(scope, receive, send)
            return
        if scope["path"].startswith(API):
            raise Refusal(401, ASKED)
        asked_for = scope["path"] if scope["method"] == "GET" else "/"
        await RedirectResponse(f"/door?back={quote(asked_for)}", 303)(scope, receive, send)


async def may_pass(server: Server, scope: Scope) -> bool:
    """Whether this device has said the password, or nobody has to here, or a link leads to this table alone."""
    path = scope["path"]
    if path in FREE or path.startswith(("/static/", OWNER_LINK)) or scope.get(OWNER):
        return True
    headers = dict(reversed(scope["headers"]))
    said = cookie_parser(headers.get(b"cookie", b"").decode("latin-1")).get(COOKIE, "")
    if server.key.signed(said, *_door(server)):
        return True
    bearer = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    token = bearer[2].strip()[:200] if bearer[0].lower() == "bearer" else ""
    try:
        return await has_way(server, scope, path.removeprefix("/api/v1").split("/")[1:], token)
    except TricliniumError:
        return False


async def has_way(server: Server, scope: Scope, words: list[str], token: str) -> bool:
    """Whether this is a link, or the table that somebody has come to by one."""
    match words:
        case ["s", id, seat, sign] if (number := whole_number(seat, 2)) is not None:
            invitations.invited(server, await server.table(id), number, sign)
            return True
        case ["w", id, sign]:
            invitations.check_watch(server, await server.table(id), sign)
            return True
        case ["told", "off" | "mail" | "later", _, _]:
            return True  # a link in a mail: the page behind it knows its signature
        case ["t" | "tables", id, *_]:
            table = await server.table(id)
            person = scope.get(PERSON)
            at = await server.in_thread(viewer, server, table, person, token)
            return bool(at.mine) or at.watches >= 0 or (person is not None and table.is_known(person.id))
        case ["m" | "matches", id, *_]:
            await server.in_thread(_is_shared, server, id.removesuffix(".png"))
            return True
    return False


def _is_shared(server: Server, link: str) -> None:
    with server.store.reading() as connection:
        share.by_link(connection, link)
