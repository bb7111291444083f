"""Who is calling: a browser with a cookie, or a program with the token of a seat."""

from fastapi import Request
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from triclinium.server import server_time
from triclinium.server.accounts.bans import BAN, BANNED, said
from triclinium.server.accounts.owner import OWNER
from triclinium.server.accounts.recovery import browser_name
from triclinium.server.accounts.users import SEEN, Person
from triclinium.server.crypto import hashed
from triclinium.server.errors import NotAllowed, NotStored
from triclinium.server.http.cookies import find_cookie
from triclinium.server.net.client_address import CALLER, network_of, site
from triclinium.server.net.middleware import Refusal
from triclinium.server.net.rate_limit import Limits
from triclinium.server.server import Server
from triclinium.server.tables.seats import Viewer, come_back, viewer
from triclinium.server.tables.table import Table

COOKIE = "triclinium"
HIDDEN = b"x-page-hidden"  # the header by which the script of a page says that nobody looks at it
PERSON = "triclinium.person"  # in the scope of a request: who calls


def server_of(request: Request) -> Server:
    return server_in(request.scope)


def server_in(scope: Scope) -> Server:
    server = scope["app"].state.server
    assert isinstance(server, Server)
    return server


def limits_of(request: Request) -> Limits:
    limits = request.app.state.limits
    assert isinstance(limits, Limits)
    return limits


class Authentication:
    """An ASGI layer that finds the person whose cookie a request carries, in a thread where the database is needed."""

    def __init__(self, app: ASGIApp, server: Server) -> None:
        self.app, self.server = app, server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith("/static/"):
            scope[PERSON] = None
            CALLER.set(site(network_of(scope)))
            scope[OWNER] = self.server.owners.is_owner(scope)
            for name, value in scope["headers"]:  # programs have no cookie: they pay for no more than this look
                if name == b"cookie":
                    await _meet(scope, find_cookie(cookie_parser(value.decode("latin-1")), COOKIE))
                    break
            person = scope.get(PERSON)
            if person is not None and person.seen < server_time.now() - SEEN:
                agent = dict(scope["headers"]).get(b"user-agent", b"").decode("latin-1")
                self.server.spawn(_seen(scope, person, browser_name(agent)), "noting a device")
            if person is not None:
                check_come(self.server, person)
            self.server.reach.note(scope, None if person is None else person.id)
        await self.app(scope, receive, send)


def check_come(server: Server, person: Person) -> None:
    """Raise Refusal for somebody who is banned for a while."""
    end = server.restraints.until(BAN, person.id)
    if end:
        raise Refusal(403, BANNED, about=said(end))


async def _seen(scope: Scope, person: Person, called: str) -> None:
    try:
        await server_in(scope).people.note(person, called)
    except (SQLAlchemyError, NotStored):
        person.seen = 0.0  # it is noted another time


async def _meet(scope: Scope, token: str) -> None:
    people = server_in(scope).people
    scope[PERSON] = people.remembered(hashed(token)) if token else None
    if token and scope[PERSON] is None:
        try:
            scope[PERSON] = await server_in(scope).in_thread(people.by_cookie, token)
        except (SQLAlchemyError, NotStored):
            del scope[PERSON]  # whoever needs to know asks again, where the answer to the failure is made


def person_of(request: Request) -> Person | None:
    """The person whose cookie this is."""
    if PERSON not in request.scope:
        request.scope[PERSON] = server_of(request).people.by_cookie(find_cookie(request.cookies, COOKIE))
    person = request.scope[PERSON]
    assert person is None or isinstance(person, Person)
    return person


def token_of(request: Request) -> str:
    """The token of a program: ``Authorization: Bearer ...``."""
    for name, value in request.scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            return token.strip()[:200] if scheme.lower() == "bearer" else ""
    return ""


def count(request: Request, what: str, *seat: object) -> None:
    """Count a request against the limits of the caller's network, and of its seat or its person; raises TooMuch.

    A cookie or token that nobody knows is no key: whoever invents a hundred would have a hundred limits.
    """
    limits = limits_of(request)
    if not limits.on:
        return
    person = None if seat else person_of(request)
    one = "/".join(map(str, seat)) if person is None else f"person {person.id}"
    limits.count(what, network_of(request.scope), one)


def is_hidden_page(request: Request) -> bool:
    """Return whether the script of a page asks that nobody looks at: that is no sign of life of a player."""
    return any(name == HIDDEN for name, _ in request.scope["headers"])


def viewer_of(request: Request, table: Table) -> Viewer:
    """Who this is at the table; raises where it is not shown to them."""
    try:
        attended = not is_hidden_page(request)
        return viewer(server_of(request), table, person_of(request), token_of(request), attended=attended)
    except NotAllowed:
        count(request, "guess")  # a token that fits no seat
        raise


async def opened_at(request: Request, table: Table) -> None:
    """Let the owner of a seat play again who opens the table.

    With a clock they say so by a move or a button, since returning is worth time.
    """
    absent = any(one.standin for one in table.occupants)
    if absent and table.clock is None and not is_hidden_page(request):
        await come_back(server_of(request), table, viewer_of(request, table).mine)


async def back_at(request: Request, table: Table) -> Viewer:
    """Somebody who sits at the table and does something there, and so is back; raises NotAllowed for spectators.

    Who it is, is asked anew afterwards: while the bot that sat in is sent away, the seat may change hands.
    """
    at = viewer_of(request, table)
    seated(at)
    await come_back(server_of(request), table, at.mine)
    at = viewer_of(request, table)
    seated(at)
    return at


def seated(at: Viewer, seat: int | None = None) -> int:
    """The seat that the caller acts for; raises NotAllowed for spectators."""
    if not at.mine:
        raise NotAllowed("you do not sit at this table")
    if seat is None:
        return at.mine[0]
    if seat not in at.mine:
        raise NotAllowed("that is not your seat")
    return seat
