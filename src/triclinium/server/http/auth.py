"""Who is calling: a browser with a cookie, or a program with the token of a seat."""

from fastapi import Request
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from triclinium.server import server_time
from triclinium.server.accounts.bans import BAN, BANNED, ActiveBans, format_utc
from triclinium.server.accounts.owner import OWNER_SCOPE_KEY
from triclinium.server.accounts.recovery import detect_browser
from triclinium.server.accounts.users import SEEN_INTERVAL, Person
from triclinium.server.crypto import hash_token
from triclinium.server.errors import NotAllowed, NotStored
from triclinium.server.net.client_address import CALLER_SITE, get_client_network, get_site
from triclinium.server.net.cookies import find_cookie
from triclinium.server.net.middleware import RequestRefused
from triclinium.server.net.rate_limit import RateLimits
from triclinium.server.services import Services
from triclinium.server.tables.seats import Viewer, end_own_substitutions, identify_viewer
from triclinium.server.tables.table import Table

SESSION_COOKIE = "triclinium"
HIDDEN_PAGE_HEADER = b"x-page-hidden"  # the header by which the script of a page says that nobody looks at it
PERSON_SCOPE_KEY = "triclinium.person"  # in the scope of a request: who calls


def get_services(request: Request) -> Services:
    return get_services_from_scope(request.scope)


def get_services_from_scope(scope: Scope) -> Services:
    services = scope["app"].state.services
    assert isinstance(services, Services)
    return services


def get_rate_limits(request: Request) -> RateLimits:
    limits = request.app.state.limits
    assert isinstance(limits, RateLimits)
    return limits


class AuthenticationMiddleware:
    """An ASGI layer that finds the person whose cookie a request carries, in a thread where the database is needed."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        self.app, self.services = app, services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith("/static/"):
            scope[PERSON_SCOPE_KEY] = None
            CALLER_SITE.set(get_site(get_client_network(scope)))
            scope[OWNER_SCOPE_KEY] = self.services.owners.is_owner(scope)
            for name, value in scope["headers"]:  # programs have no cookie: they pay for no more than this look
                if name == b"cookie":
                    await _identify_person(scope, find_cookie(cookie_parser(value.decode("latin-1")), SESSION_COOKIE))
                    break
            person = scope.get(PERSON_SCOPE_KEY)
            if person is not None and person.seen_stored_at < server_time.now() - SEEN_INTERVAL:
                agent = dict(scope["headers"]).get(b"user-agent", b"").decode("latin-1")
                self.services.runtime.start_task(
                    _record_last_seen(scope, person, detect_browser(agent)), "noting a device"
                )
            if person is not None:
                check_not_banned(self.services.bans, person)
            self.services.reachability.record_visit(scope, None if person is None else person.id)
        await self.app(scope, receive, send)


def check_not_banned(bans: ActiveBans, person: Person) -> None:
    """Raise Refusal for somebody who is banned for a while."""
    end = bans.get_end_time(BAN, person.id)
    if end:
        raise RequestRefused(403, BANNED, message_arg=format_utc(end))


async def _record_last_seen(scope: Scope, person: Person, device_name: str) -> None:
    try:
        await get_services_from_scope(scope).people.record_visit(person, device_name)
    except (SQLAlchemyError, NotStored):
        person.seen_stored_at = 0.0  # it is noted another time


async def _identify_person(scope: Scope, token: str) -> None:
    people = get_services_from_scope(scope).people
    scope[PERSON_SCOPE_KEY] = people.find_cached(hash_token(token)) if token else None
    if token and scope[PERSON_SCOPE_KEY] is None:
        try:
            scope[PERSON_SCOPE_KEY] = await get_services_from_scope(scope).runtime.run_in_thread(
                people.find_by_cookie, token
            )
        except (SQLAlchemyError, NotStored):
            del scope[PERSON_SCOPE_KEY]  # whoever needs to know asks again, where the answer to the failure is made


def get_current_person(request: Request) -> Person | None:
    """The person whose cookie this is."""
    if PERSON_SCOPE_KEY not in request.scope:
        request.scope[PERSON_SCOPE_KEY] = get_services(request).people.find_by_cookie(
            find_cookie(request.cookies, SESSION_COOKIE)
        )
    person = request.scope[PERSON_SCOPE_KEY]
    assert person is None or isinstance(person, Person)
    return person


def get_bearer_token(request: Request) -> str:
    """The token of a program: ``Authorization: Bearer ...``."""
    for name, value in request.scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            return token.strip()[:200] if scheme.lower() == "bearer" else ""
    return ""


def check_rate_limit(request: Request, action: str, *seat: object) -> None:
    """Count a request against the limits of the caller's network, and of its seat or its person; raises TooMuch.

    A cookie or token that nobody knows is no key: whoever invents a hundred would have a hundred limits.
    """
    limits = get_rate_limits(request)
    if not limits.is_enabled:
        return
    person = None if seat else get_current_person(request)
    caller = "/".join(map(str, seat)) if person is None else f"person {person.id}"
    limits.count_action(action, get_client_network(request.scope), caller)


def is_hidden_page(request: Request) -> bool:
    """Return whether the script of a page asks that nobody looks at: that is no sign of life of a player."""
    return any(name == HIDDEN_PAGE_HEADER for name, _ in request.scope["headers"])


def get_current_viewer(request: Request, table: Table) -> Viewer:
    """Who this is at the table; raises where it is not shown to them."""
    try:
        is_attended = not is_hidden_page(request)
        return identify_viewer(
            get_services(request), table, get_current_person(request), get_bearer_token(request), attended=is_attended
        )
    except NotAllowed:
        check_rate_limit(request, "guess")  # a token that fits no seat
        raise


async def resume_on_open(request: Request, table: Table) -> None:
    """Let the owner of a seat play again who opens the table.

    With a clock they say so by a move or a button, since returning is worth time.
    """
    has_substitute = any(occupant.standin for occupant in table.occupants)
    if has_substitute and table.clock is None and not is_hidden_page(request):
        await _end_viewers_substitutions(request, table)


async def _end_viewers_substitutions(request: Request, table: Table) -> None:
    own_seats = get_current_viewer(request, table).own_seats
    if any(table.occupants[seat].standin for seat in own_seats):
        services = get_services(request)
        async with services.tables.locked(table) as locked:
            await end_own_substitutions(services, locked, get_current_viewer(request, locked).own_seats)


async def resume_seated_viewer(request: Request, table: Table) -> Viewer:
    """Return a player who does something at the table, and so is back; raise NotAllowed for spectators.

    The player is identified again afterwards: while the substitute bot leaves, the seat may change hands.
    """
    require_seat(get_current_viewer(request, table))
    await _end_viewers_substitutions(request, table)
    caller = get_current_viewer(request, table)
    require_seat(caller)
    return caller


def require_seat(caller: Viewer, seat: int | None = None) -> int:
    """The seat that the caller acts for; raises NotAllowed for spectators."""
    if not caller.own_seats:
        raise NotAllowed("you do not sit at this table")
    if seat is None:
        return caller.own_seats[0]
    if seat not in caller.own_seats:
        raise NotAllowed("that is not your seat")
    return seat
