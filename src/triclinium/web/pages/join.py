"""Pages for joining a table by its join code, by the link of a seat, or by the spectators' link."""

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from triclinium.engine.core.text import Name
from triclinium.server.accounts.users import Person
from triclinium.server.errors import Conflict, NotFound, RequestError
from triclinium.server.http.auth import check_rate_limit, get_current_viewer
from triclinium.server.net.head_requests import ORIGINAL_METHOD
from triclinium.server.sanitize import clean_name
from triclinium.server.tables import invitations, join_codes, seats
from triclinium.server.tables.lobby import find_table_by_code
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import Occupant, Table
from triclinium.web.page_context import PageContext, PostedForm
from triclinium.web.pages.table_actions import NOTICE_SECONDS, SEATED_COOKIE
from triclinium.web.pages.table_clocks import describe_absence_rules, describe_clock
from triclinium.web.pages.waiting_room import describe_origin

router = APIRouter(include_in_schema=False)

SEAT_COLOURS = (
    Name("red", "seat"),
    Name("blue", "seat"),
    Name("green", "seat"),
    Name("yellow", "seat"),
    Name("purple", "seat"),
    Name("grey", "seat"),
)


# -- join code ----------------------------------------------------------------------------------------------------


@router.get("/join")
async def get_code_form(request: Request) -> Response:
    """Return the page on which a reader types a join code."""
    return await PageContext(request).render_in_thread("join_code.html.jinja")


@router.post("/join")
async def post_typed_code(request: Request) -> Response:
    """Redirect to the join page of the code that was typed."""
    check_rate_limit(request, "guess")
    context = PageContext(request)
    form = await context.read_form()
    table = await load_table_by_code(context, form.text("code"))
    return context.redirect(f"/join/{table.code}")


@router.get("/join/{code}")
async def get_join_page(request: Request, code: str) -> Response:
    """Return the page behind the QR code: the game, the players, a field for the name and a button."""
    check_rate_limit(request, "guess")
    context = PageContext(request)
    table = await load_table_by_code(context, code)
    viewer, seat = find_viewer(request, table), find_free_seat(table, context.person)
    if viewer is not None and (
        seat is None or viewer.watch_generation < 0
    ):  # a spectator can still take a seat with the join code
        return context.redirect(f"/tables/{table.id}")
    if seat is None:
        return await render_full_page(context, table)
    return await render_join_page(
        SeatInvitation(context, table, seat, f"/join/{table.code}", f"/join/{table.code}/watch")
    )


@router.post("/join/{code}")
async def post_seat_by_code(request: Request, code: str) -> Response:
    check_rate_limit(request, "guess")
    context = PageContext(request)
    form = await context.read_form()
    table = await load_table_by_code(context, code)
    seat = find_free_seat(table, context.person)
    if seat is None:
        return await render_full_page(context, table)
    invitation = SeatInvitation(context, table, seat, f"/join/{table.code}", f"/join/{table.code}/watch")
    return await sit_down(invitation, form, invited=False)


@router.post("/join/{code}/watch")
async def post_watch_by_code(request: Request, code: str) -> Response:
    """Let the reader watch a table by its code, without a seat."""
    check_rate_limit(request, "guess")
    context = PageContext(request)
    await context.read_form()
    table = await load_table_by_code(context, code)
    if not join_codes.is_code_valid(table):
        return await render_full_page(context, table)
    person = await context.ensure_person()
    await invitations.add_spectator(
        context.services, table, person, invitations.make_watch_token(context.services.key, table)
    )
    return context.redirect(f"/tables/{table.id}")


async def load_table_by_code(context: PageContext, code: str) -> Table:
    """Return the table with this code. Raise `NotFound` if there is none or the code has expired."""
    id = await context.services.runtime.run_in_thread(
        find_table_by_code, context.services.store, join_codes.normalize_code(code)
    )
    if id is None:
        raise NotFound("No table has this join code. Check the code and try again.")
    table = await context.services.tables.get_table(id)
    if table.status == "closed":
        raise NotFound("This table was closed before the match started.")
    if join_codes.is_old(table) and find_viewer(context.request, table) is None:
        raise NotFound("No table has this join code. Check the code and try again.")
    return table


def find_viewer(request: Request, table: Table) -> Viewer | None:
    """Return the reader as a player, host or invited spectator of the table, or None for anyone else."""
    try:
        viewer = get_current_viewer(request, table)
    except RequestError:
        return None
    is_known = (
        bool(viewer.own_seats)
        or viewer.watch_generation >= 0
        or (viewer.person is not None and viewer.person.id == table.host)
    )
    return viewer if is_known else None


def find_free_seat(table: Table, person: Person | None) -> Occupant | None:
    """Return the free seat that is reserved for this person, or else the first one that is not reserved."""
    if table.status != "waiting":
        return None
    free = [occupant for occupant in table.occupants if occupant.is_vacant]
    mine = [occupant for occupant in free if person is not None and occupant.person == person.id]
    return next(iter(mine or [occupant for occupant in free if occupant.person is None]), None)


async def render_full_page(context: PageContext, table: Table) -> Response:
    """Return the page that says that no seat is free, and where the reader can watch."""
    host = await context.services.runtime.run_in_thread(context.services.people.load_name, table.host)
    watch = f"/tables/{table.id}" if table.options.shown == "watched" else ""
    return await context.render_in_thread("table_full.html.jinja", 409, table=table, host=host, watch=watch)


# -- invitation link of a seat ------------------------------------------------------------------------------------


@router.get("/invitations/{id}/{seat}/{token}")
async def get_seat_link(request: Request, id: str, seat: int, token: str) -> Response:
    """Show the invitation to a seat. A button on the page takes the seat."""
    check_rate_limit(request, "guess")
    context = PageContext(request)
    table = await context.services.tables.get_table(id)
    if context.person is not None and table.list_seats_of(context.person.id):
        return redirect_to_own_table(context, table)
    occupant = invitations.find_invited_seat(context.services.key, table, seat, token)
    if occupant.taken:
        raise NotFound("This link is no longer valid.")
    return await render_join_page(SeatInvitation(context, table, occupant, f"/invitations/{id}/{seat}/{token}"))


@router.post("/invitations/{id}/{seat}/{token}")
async def post_seat_link(request: Request, id: str, seat: int, token: str) -> Response:
    check_rate_limit(request, "guess")
    context = PageContext(request)
    form = await context.read_form()
    table = await context.services.tables.get_table(id)
    occupant = invitations.find_invited_seat(context.services.key, table, seat, token)
    return await sit_down(
        SeatInvitation(context, table, occupant, f"/invitations/{id}/{seat}/{token}"), form, invited=True
    )


# -- spectators' link ---------------------------------------------------------------------------------------------


@router.get("/watch/{id}/{token}")
async def get_watch_link(request: Request, id: str, token: str) -> Response:
    """Let the reader watch the table with the spectators' link."""
    check_rate_limit(request, "guess")
    context = PageContext(request)
    table = await context.services.tables.get_table(id)
    invitations.check_watch_token(context.services.key, table, token)
    if request.scope.get(ORIGINAL_METHOD):  # a chat service requests the link for a preview, so no spectator is added
        return context.redirect(f"/tables/{id}")
    await invitations.add_spectator(context.services, table, await context.ensure_person(), token)
    return context.redirect(f"/tables/{id}")


# -- invitation page, and taking the seat -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeatInvitation:
    """An invitation to a free seat, by a link or a code."""

    context: PageContext
    table: Table
    seat: Occupant
    action: str  # the address of the form that takes the seat
    watch_action: str = ""  # the address of the form for watching without a seat


async def render_join_page(invitation: SeatInvitation, name: str = "", notice: str = "") -> Response:
    context, table = invitation.context, invitation.table
    localize, person = context.localize, context.person
    host = await context.services.runtime.run_in_thread(context.services.people.load_name, table.host)
    # the button names no colour if seats are shuffled, or if another player had the seat before
    colour_unknown = table.options.shuffle or table.begun
    button = (
        localize("Take the seat")
        if colour_unknown
        else localize("Take the {0} seat", SEAT_COLOURS[invitation.seat.seat])
    )
    return await context.render_in_thread(
        "join.html.jinja",
        409 if notice else 200,
        table=table,
        game=table.game,
        host=host,
        way=invitation,
        button=button,
        origin=await context.services.runtime.run_in_thread(describe_origin, context, table),
        absence=describe_absence_rules(table.options, localize),
        clock=describe_clock(table.options, localize) if table.options.store else "",
        called=name or (person.name if person else ""),
        notice=notice,
    )


def redirect_to_own_table(context: PageContext, table: Table) -> Response:
    """Redirect a player to their table. Its page explains once why the link gives no other seat."""
    response = context.redirect(f"/tables/{table.id}")
    response.set_cookie(SEATED_COOKIE, "1", NOTICE_SECONDS, path=f"/tables/{table.id}", samesite="lax", httponly=True)
    return response


async def sit_down(invitation: SeatInvitation, form: PostedForm, *, invited: bool) -> Response:
    """Take the seat with the name in the form. Show the form again if another player has this name."""
    context, table = invitation.context, invitation.table
    name = clean_name(form.text("name"), "")
    if context.person is not None and table.list_seats_of(context.person.id):
        return redirect_to_own_table(context, table)
    free_name = seats.suggest_name(table, name)
    if free_name:
        question = context.localize("The name {0} is already taken. Do you want to be {1}?", name, free_name)
        return await render_join_page(invitation, free_name, question)
    person = await context.ensure_person(name)
    if name and name != person.name:
        await context.services.people.rename(person, name)
    try:
        await seats.take_seat(context.services, table, invitation.seat, person)
    except Conflict:
        seat = None if invited else find_free_seat(table, person)
        if seat is None:
            raise
        # another person has taken the seat first, and another seat is free
        await seats.take_seat(context.services, table, seat, person)
    return context.redirect(f"/tables/{table.id}")
