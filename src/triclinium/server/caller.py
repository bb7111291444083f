"""Who is calling: a browser with a cookie, or a program with the token of a seat."""

from fastapi import Request

from triclinium.server.errors import NotAllowed
from triclinium.server.guard import Limits
from triclinium.server.house import House
from triclinium.server.people import Person
from triclinium.server.seating import Viewer, viewer
from triclinium.server.table import Table

COOKIE = "triclinium"


def house_of(request: Request) -> House:
    house = request.app.state.house
    assert isinstance(house, House)
    return house


def limits_of(request: Request) -> Limits:
    limits = request.app.state.limits
    assert isinstance(limits, Limits)
    return limits


def person_of(request: Request) -> Person | None:
    """The person whose cookie this is."""
    return house_of(request).people.by_cookie(request.cookies.get(COOKIE, ""))


def token_of(request: Request) -> str:
    """The token of a program: ``Authorization: Bearer ...``."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip()[:200] if scheme.lower() == "bearer" else ""


def address_of(request: Request) -> str:
    return request.client.host if request.client is not None else "nowhere"


def count(request: Request, what: str, *more: str) -> None:
    """Count one against the rates; raises TooMuch."""
    limits_of(request).count(what, *(more or (address_of(request),)))


def viewer_of(request: Request, table: Table) -> Viewer:
    """Who this is at the table; raises where it is not shown to them."""
    return viewer(house_of(request), table, person_of(request), token_of(request))


def seated(at: Viewer, seat: int | None = None) -> int:
    """The seat that the caller acts for; raises NotAllowed for spectators."""
    if not at.mine:
        raise NotAllowed("you do not sit at this table")
    if seat is None:
        return at.mine[0]
    if seat not in at.mine:
        raise NotAllowed("that is not your seat")
    return seat
