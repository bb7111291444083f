"""Authentication of callers: browsers by a cookie, and bots by the token of a seat."""

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
from triclinium.server.errors import NotAllowed, NotFound, NotStored
from triclinium.server.net.client_address import CALLER_SITE, get_client_network, get_site
from triclinium.server.net.cookies import find_cookie
from triclinium.server.net.middleware import RequestRefused
from triclinium.server.net.rate_limit import RateLimits
from triclinium.server.services import Services
from triclinium.server.tables.seats import Viewer, end_own_substitutions, identify_viewer
from triclinium.server.tables.table import Table

SESSION_COOKIE = "triclinium"
HIDDEN_PAGE_HEADER = b"x-page-hidden"  # header that the script of a page sends while the page is hidden
PERSON_SCOPE_KEY = "triclinium.person"  # key in the scope of a request: the person who sent it


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
    """ASGI middleware that finds the person to whom a request's cookie belongs."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        self.app, self.services = app, services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith("/static/"):
            scope[PERSON_SCOPE_KEY] = None
            CALLER_SITE.set(get_site(get_client_network(scope)))
            scope[OWNER_SCOPE_KEY] = self.services.owners.is_owner(scope)
            for name, value in scope["headers"]:  # a request without a cookie costs only this loop
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
    """Raise `RequestRefused` if a person is banned."""
    end = bans.get_end_time(BAN, person.id)
    if end:
        raise RequestRefused(403, BANNED, message_arg=format_utc(end))


async def _record_last_seen(scope: Scope, person: Person, device_name: str) -> None:
    try:
        await get_services_from_scope(scope).people.record_visit(person, device_name)
    except (SQLAlchemyError, NotStored):
        person.seen_stored_at = 0.0  # the next request tries again


async def _identify_person(scope: Scope, token: str) -> None:
    people = get_services_from_scope(scope).people
    scope[PERSON_SCOPE_KEY] = people.find_cached(hash_token(token)) if token else None
    if token and scope[PERSON_SCOPE_KEY] is None:
        try:
            scope[PERSON_SCOPE_KEY] = await get_services_from_scope(scope).runtime.run_in_thread(
                people.find_by_cookie, token
            )
        except (SQLAlchemyError, NotStored):
            del scope[PERSON_SCOPE_KEY]  # handlers look the person up again and report the error


def get_current_person(request: Request) -> Person | None:
    """Return the person to whom the cookie of a request belongs, or None."""
    if PERSON_SCOPE_KEY not in request.scope:
        request.scope[PERSON_SCOPE_KEY] = get_services(request).people.find_by_cookie(
            find_cookie(request.cookies, SESSION_COOKIE)
        )
    person = request.scope[PERSON_SCOPE_KEY]
    assert person is None or isinstance(person, Person)
    return person


def get_bearer_token(request: Request) -> str:
    """Return the token from the header ``Authorization: Bearer ...``, or ""."""
    for name, value in request.scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            return token.strip()[:200] if scheme.lower() == "bearer" else ""
    return ""


def check_rate_limit(request: Request, action: str, *seat: object) -> None:
    """Count a request against the limits of the caller's network and of the seat or person.

    Raise `LimitExceeded` if a limit is reached. Unknown cookies and tokens have no limit of their own, because a caller
    can invent any number of them.
    """
    limits = get_rate_limits(request)
    if not limits.is_enabled:
        return
    person = None if seat else get_current_person(request)
    caller = "/".join(map(str, seat)) if person is None else f"person {person.id}"
    limits.count_action(action, get_client_network(request.scope), caller)


def is_hidden_page(request: Request) -> bool:
    """Return whether a hidden page sent the request. Such a request does not count as the presence of a player."""
    return any(name == HIDDEN_PAGE_HEADER for name, _ in request.scope["headers"])


def get_current_viewer(request: Request, table: Table) -> Viewer:
    """Return the caller as a viewer of a table. Raise `NotAllowed` if they may not see it."""
    token = get_bearer_token(request)
    is_attended = bool(token) or not is_hidden_page(request)
    try:
        return identify_viewer(get_services(request), table, get_current_person(request), token, attended=is_attended)
    except NotAllowed:
        check_rate_limit(request, "guess")  # the token belongs to no seat of the table
        raise


def get_current_visitor(request: Request, table: Table) -> Viewer:
    """Return the caller as a viewer of a table. Everyone may see a listed table that waits for players.

    Raise `NotAllowed` if they may not see it.
    """
    try:
        return get_current_viewer(request, table)
    except NotFound:
        if table.status == "waiting" and table.options.shown != "link":
            return Viewer(get_current_person(request), ())
        raise


async def resume_on_open(request: Request, table: Table) -> None:
    """End the substitution by a bot when the absent player opens the table.

    At a table with clocks, the player must move or press a button, because a return changes the clock.
    """
    has_substitute = any(occupant.substitute for occupant in table.occupants)
    if has_substitute and table.clock is None and not is_hidden_page(request):
        await end_viewers_substitutions(request, table)


async def end_viewers_substitutions(request: Request, table: Table) -> None:
    """Let the caller play again where a substitute bot plays for them."""
    own_seats = get_current_viewer(request, table).own_seats
    if any(table.occupants[seat].substitute for seat in own_seats):
        services = get_services(request)
        async with services.tables.locked(table) as locked:
            await end_own_substitutions(services, locked, get_current_viewer(request, locked).own_seats)


async def resume_seated_viewer(request: Request, table: Table) -> Viewer:
    """Return the caller as a player, after ending a substitution by a bot.

    Raise `NotAllowed` for spectators. The caller is identified again at the end, because the seat may have changed
    hands while the substitute bot left.
    """
    require_seat(get_current_viewer(request, table))
    await end_viewers_substitutions(request, table)
    caller = get_current_viewer(request, table)
    require_seat(caller)
    return caller


def require_seat(caller: Viewer, seat: int | None = None) -> int:
    """Return the seat for which the caller acts. Raise `NotAllowed` for spectators and for other players' seats."""
    if not caller.own_seats:
        raise NotAllowed("You do not have a seat at this table.")
    if seat is None:
        return caller.own_seats[0]
    if seat not in caller.own_seats:
        raise NotAllowed("This is not your seat.")
    return seat
