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
from triclinium.server.accounts.owner import LINK_PATH as OWNER_LINK
from triclinium.server.accounts.owner import OWNER_SCOPE_KEY
from triclinium.server.http.auth import PERSON_SCOPE_KEY
from triclinium.server.net.middleware import API_PREFIX, RequestRefused
from triclinium.server.sanitize import parse_whole_number
from triclinium.server.services import Services
from triclinium.server.storage.store import Store
from triclinium.server.tables import invitations, share
from triclinium.server.tables.seats import identify_viewer

GATE_COOKIE = "site_access"
# What tells nothing of the house, and what its door needs.
APP_PATHS = ("/manifest.webmanifest", "/sw.js", "/offline")
HEALTH_PATHS = ("/health", "/healthz", "/readyz")  # a proxy knows no password
PUBLIC_PATHS = frozenset(
    {
        "/password",
        "/robots.txt",
        "/settings",
        "/api/v1/password",
        "/api/v1/owner",
        "/api/v1/openapi.json",
        *APP_PATHS,
        *HEALTH_PATHS,
    }
)
PASSWORD_REQUIRED = msgid("this house asks for its password first")


def sign_gate_cookie(services: Services) -> str:
    """The cookie of a device where the password was said."""
    return services.key.sign(*_get_signed_parts(services))


def _get_signed_parts(services: Services) -> tuple[str, str]:
    return "door", services.password.hash


class PasswordGateMiddleware:
    """An ASGI layer: what is behind it is for those who may come in."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        self.app, self.services = app, services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not self.services.password.is_set or await can_pass_gate(self.services, scope):
            await self.app(scope, receive, send)
            return
        if scope["path"].startswith(API_PREFIX):
            raise RequestRefused(401, PASSWORD_REQUIRED)
        return_path = scope["path"] if scope["method"] == "GET" else "/"
        await RedirectResponse(f"/password?back={quote(return_path)}", 303)(scope, receive, send)


async def can_pass_gate(services: Services, scope: Scope) -> bool:
    """Whether this device has said the password, or nobody has to here, or a link leads to this table alone."""
    path = scope["path"]
    if path in PUBLIC_PATHS or path.startswith(("/static/", OWNER_LINK)) or scope.get(OWNER_SCOPE_KEY):
        return True
    headers = dict(reversed(scope["headers"]))
    gate_cookie = cookie_parser(headers.get(b"cookie", b"").decode("latin-1")).get(GATE_COOKIE, "")
    if services.key.is_signature_valid(gate_cookie, *_get_signed_parts(services)):
        return True
    bearer = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    token = bearer[2].strip()[:200] if bearer[0].lower() == "bearer" else ""
    try:
        return await has_link_access(services, scope, path.removeprefix("/api/v1").split("/")[1:], token)
    except TricliniumError:
        return False


async def has_link_access(services: Services, scope: Scope, path_parts: list[str], token: str) -> bool:
    """Whether this is a link, or the table that somebody has come to by one."""
    match path_parts:
        case ["invitations", id, seat, sign] if (number := parse_whole_number(seat, 2)) is not None:
            invitations.find_invited_seat(services.key, await services.tables.get_table(id), number, sign)
            return True
        case ["watch", id, sign]:
            invitations.check_watch_token(services.key, await services.tables.get_table(id), sign)
            return True
        case ["notifications", "unsubscribe" | "confirm" | "snooze", _, _]:
            return True  # a link in a mail: the page behind it knows its signature
        case ["tables", id, *_]:
            table = await services.tables.get_table(id)
            person = scope.get(PERSON_SCOPE_KEY)
            caller = await services.runtime.run_in_thread(identify_viewer, services, table, person, token)
            return (
                bool(caller.own_seats)
                or caller.watch_generation >= 0
                or (person is not None and table.can_always_view(person.id))
            )
        case ["matches", id, *_]:
            await services.runtime.run_in_thread(_check_is_shared, services.store, id.removesuffix(".png"))
            return True
        case ["t" | "m" | "s" | "w" | "j", *_] | ["me", "enter", _]:
            return True  # a former address, which only redirects
    return False


def _check_is_shared(store: Store, link: str) -> None:
    with store.read_connection() as connection:
        share.load_share(connection, link)
