"""Password gate of a server with a site password. Visitors without the password are redirected to its page.

A visitor who has entered the password gets a cookie, whose signature depends on the hash of the password. So a new
password makes all cookies invalid. Links to a seat, for spectators or to a finished match work without the password,
for their table only.
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
# Paths that need no password: they reveal nothing about the server, or the password page needs them.
APP_PATHS = ("/manifest.webmanifest", "/sw.js", "/offline")
HEALTH_PATHS = ("/health", "/healthz", "/readyz")  # programs that check the health have no password
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
PASSWORD_REQUIRED = msgid("Please enter the site password first.")


def sign_gate_cookie(services: Services) -> str:
    """Return the cookie for a device on which the password was entered."""
    return services.key.sign(*_get_signed_parts(services))


def _get_signed_parts(services: Services) -> tuple[str, str]:
    return "door", services.password.hash


class PasswordGateMiddleware:
    """ASGI middleware that stops requests of visitors who have not entered the site password."""

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
    """Return whether a request may pass: it needs no password, has proof of it, or uses a link to one table."""
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
    """Return whether the path is a valid link, or a table that the caller may see."""
    match path_parts:
        case ["invitations", id, seat, sign] if (number := parse_whole_number(seat, 2)) is not None:
            invitations.find_invited_seat(services.key, await services.tables.get_table(id), number, sign)
            return True
        case ["watch", id, sign]:
            invitations.check_watch_token(services.key, await services.tables.get_table(id), sign)
            return True
        case ["notifications", "unsubscribe" | "confirm" | "snooze", _, _]:
            return True  # a link in a mail, whose signature the page checks
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
            return True  # an old address that only redirects
    return False


def _check_is_shared(store: Store, link: str) -> None:
    with store.read_connection() as connection:
        share.load_share(connection, link)
