"""Joining: by the code that is said or scanned, by a seat's link, by the spectators' link."""

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from triclinium.engine.core.text import Name
from triclinium.server.accounts.users import Person
from triclinium.server.errors import Conflict, NotFound, RequestError
from triclinium.server.http.auth import count, viewer_of
from triclinium.server.net.head_requests import ASKED
from triclinium.server.sanitize import plain_name
from triclinium.server.tables import invitations, join_codes, seats
from triclinium.server.tables.lobby import table_by_code
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import Occupant, Table
from triclinium.web.page_context import Form, Reading
from triclinium.web.pages.table_actions import NOTICE_SECONDS, SEATED
from triclinium.web.pages.table_clocks import absence_rules, clock_name
from triclinium.web.pages.waiting import origin

router = APIRouter(include_in_schema=False)

COLOURS = (
    Name("red", "seat"),
    Name("blue", "seat"),
    Name("green", "seat"),
    Name("yellow", "seat"),
    Name("purple", "seat"),
    Name("grey", "seat"),
)


# -- by the code --------------------------------------------------------------------------------------------------


@router.get("/j")
async def type_code(request: Request) -> Response:
    """Where a code is typed that somebody says."""
    return await Reading(request).show("code.html.jinja")


@router.post("/join")
async def post_join(request: Request) -> Response:
    """The code, as somebody typed it."""
    count(request, "guess")
    reading = Reading(request)
    form = await reading.form()
    table = await by_code(reading, form.text("code"))
    return reading.go(f"/j/{table.code}")


@router.get("/j/{code}")
async def get_code(request: Request, code: str) -> Response:
    """What a friend sees who follows the QR code: the game, who sits there, one field and one button."""
    count(request, "guess")
    reading = Reading(request)
    table = await by_code(reading, code)
    known, seat = known_as(request, table), free_seat(table, reading.person)
    if known is not None and (seat is None or known.watches < 0):  # who only watches may still sit down by the code
        return reading.go(f"/t/{table.id}")
    if seat is None:
        return await full_page(reading, table)
    return await join_page(Invitation(reading, table, seat, f"/j/{table.code}", f"/j/{table.code}/watch"))


@router.post("/j/{code}")
async def post_code(request: Request, code: str) -> Response:
    count(request, "guess")
    reading = Reading(request)
    form = await reading.form()
    table = await by_code(reading, code)
    seat = free_seat(table, reading.person)
    if seat is None:
        return await full_page(reading, table)
    way = Invitation(reading, table, seat, f"/j/{table.code}", f"/j/{table.code}/watch")
    return await sit_down(way, form, invited=False)


@router.post("/j/{code}/watch")
async def post_code_watch(request: Request, code: str) -> Response:
    """Only look on, at a table that one was told the code of."""
    count(request, "guess")
    reading = Reading(request)
    await reading.form()
    table = await by_code(reading, code)
    if not join_codes.leads(table):
        return await full_page(reading, table)
    person = await reading.somebody()
    await invitations.watch(reading.server, table, person, invitations.watch_token(reading.server, table))
    return reading.go(f"/t/{table.id}")


async def by_code(reading: Reading, code: str) -> Table:
    """The table that is called so, and was not too long ago; raises NotFound."""
    id = await reading.server.in_thread(table_by_code, reading.server, join_codes.spelled(code))
    if id is None:
        raise NotFound("no table has this code")
    table = await reading.server.table(id)
    if table.status == "closed":
        raise NotFound("this table was closed before it began")
    if join_codes.is_old(table) and known_as(reading.request, table) is None:
        raise NotFound("no table has this code")
    return table


def known_as(request: Request, table: Table) -> Viewer | None:
    """Who this reader is, to whom the table is shown already: at a seat, its host, or a spectator by its link."""
    try:
        at = viewer_of(request, table)
    except RequestError:
        return None
    known = bool(at.mine) or at.watches >= 0 or (at.person is not None and at.person.id == table.host)
    return at if known else None


def free_seat(table: Table, person: Person | None) -> Occupant | None:
    """The seat that is kept for this person, or else the first that is kept for nobody."""
    if table.status != "waiting":
        return None
    free = [one for one in table.occupants if one.offered]
    mine = [one for one in free if person is not None and one.person == person.id]
    return next(iter(mine or [one for one in free if one.person is None]), None)


async def full_page(reading: Reading, table: Table) -> Response:
    """The code has done its work. Who may watch is told where."""
    host = await reading.server.in_thread(reading.server.people.name_of, table.host)
    watch = f"/t/{table.id}" if table.options.shown == "watched" else ""
    return await reading.show("full.html.jinja", 409, table=table, host=host, watch=watch)


# -- by a seat's link ---------------------------------------------------------------------------------------------


@router.get("/s/{id}/{seat}/{token}")
async def seat_link(request: Request, id: str, seat: int, token: str) -> Response:
    """A seat's link: it seats one person, who says so."""
    count(request, "guess")
    reading = Reading(request)
    table = await reading.server.table(id)
    if reading.person is not None and table.seats_of(reading.person.id):
        return seated_already(reading, table)
    occupant = invitations.invited(reading.server, table, seat, token)
    if occupant.taken:
        raise NotFound("this link is not valid any more")
    return await join_page(Invitation(reading, table, occupant, f"/s/{id}/{seat}/{token}"))


@router.post("/s/{id}/{seat}/{token}")
async def post_seat_link(request: Request, id: str, seat: int, token: str) -> Response:
    count(request, "guess")
    reading = Reading(request)
    form = await reading.form()
    table = await reading.server.table(id)
    occupant = invitations.invited(reading.server, table, seat, token)
    return await sit_down(Invitation(reading, table, occupant, f"/s/{id}/{seat}/{token}"), form, invited=True)


# -- by the spectators' link --------------------------------------------------------------------------------------


@router.get("/w/{id}/{token}")
async def watch_link(request: Request, id: str, token: str) -> Response:
    """The spectators' link."""
    count(request, "guess")
    reading = Reading(request)
    table = await reading.server.table(id)
    invitations.check_watch(reading.server, table, token)
    if request.scope.get(ASKED):  # a messenger that looks at the link before it shows it: nobody has come
        return reading.go(f"/t/{id}")
    await invitations.watch(reading.server, table, await reading.somebody(), token)
    return reading.go(f"/t/{id}")


# -- the page, and sitting down -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Invitation:
    """Somebody stands before a free seat, by one way or the other."""

    reading: Reading
    table: Table
    seat: Occupant
    action: str  # where the form leads that takes the seat
    watch: str = ""  # where the one leads that only looks on


async def join_page(way: Invitation, name: str = "", notice: str = "") -> Response:
    reading, table = way.reading, way.table
    speech, person = reading.speech, reading.person
    host = await reading.server.in_thread(reading.server.people.name_of, table.host)
    drawn = table.options.shuffle or table.begun  # then the seat's colour is not known, or somebody's hand
    button = speech("Sit down") if drawn else speech("Sit down on the {0} seat", COLOURS[way.seat.seat])
    return await reading.show(
        "join.html.jinja",
        409 if notice else 200,
        table=table,
        game=table.game,
        host=host,
        way=way,
        button=button,
        origin=await reading.server.in_thread(origin, reading, table),
        absence=absence_rules(table.options, speech),
        clock=clock_name(table.options, speech) if table.options.store else "",
        called=name or (person.name if person else ""),
        notice=notice,
    )


def seated_already(reading: Reading, table: Table) -> Response:
    """Lead to the reader's own table, whose page says once why the link gave no other seat."""
    response = reading.go(f"/t/{table.id}")
    response.set_cookie(SEATED, "1", NOTICE_SECONDS, path=f"/t/{table.id}", samesite="lax", httponly=True)
    return response


async def sit_down(way: Invitation, form: Form, *, invited: bool) -> Response:
    """Take the seat under the name that was given, unless somebody is called so there."""
    reading, table = way.reading, way.table
    name = plain_name(form.text("name"), "")
    if reading.person is not None and table.seats_of(reading.person.id):
        return seated_already(reading, table)
    other = seats.another_name(table, name)
    if other:
        asked = reading.speech("{0} sits here already; shall we call you {1}?", name, other)
        return await join_page(way, other, asked)
    person = await reading.somebody(name)
    if name and name != person.name:
        await reading.server.people.rename(person, name)
    try:
        await seats.sit(reading.server, table, way.seat, person)
    except Conflict:
        seat = None if invited else free_seat(table, person)
        if seat is None:
            raise
        await seats.sit(reading.server, table, seat, person)  # somebody was quicker, and another one is free
    return reading.go(f"/t/{table.id}")
