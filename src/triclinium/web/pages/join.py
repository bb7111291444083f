"""Pages for joining a table by its join code, by the link of a seat, or by the spectators' link."""

from dataclasses import dataclass, replace
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

from triclinium.engine.core.text import Name, msgid
from triclinium.server.accounts.users import Person
from triclinium.server.errors import Conflict, NotFound, RequestError
from triclinium.server.evenings.evening import has_evening
from triclinium.server.http.auth import check_rate_limit, get_current_viewer, get_services
from triclinium.server.http.commands import ANYONE, Arguments, Caller, CommandList, Form, NotOffered
from triclinium.server.net.head_requests import ORIGINAL_METHOD
from triclinium.server.sanitize import clean_name
from triclinium.server.tables import invitations, join_codes, seats
from triclinium.server.tables.lobby import find_table_by_code
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import Occupant, Table
from triclinium.web.forms import FormPost, FormRoutes
from triclinium.web.page_context import PageContext, PostedForm
from triclinium.web.pages.table_actions import NOTICE_SECONDS, SEATED_COOKIE
from triclinium.web.pages.table_clocks import describe_absence_rules, describe_clock
from triclinium.web.pages.waiting_room import describe_origin

router = APIRouter(include_in_schema=False)
commands = CommandList()
forms = FormRoutes(commands)

SEAT_COLOURS = (
    Name("red", "seat"),
    Name("blue", "seat"),
    Name("green", "seat"),
    Name("yellow", "seat"),
    Name("purple", "seat"),
    Name("grey", "seat"),
)


BY_API = NotOffered("A program takes a seat with the command take-seat.")


@dataclass(frozen=True, slots=True)
class SeatInvitation:
    """An invitation to a free seat, by a link or a code."""

    table: Table
    seat: Occupant
    action: str  # the address of the form that takes the seat
    watch_action: str = ""  # the address of the form for watching without a seat


@dataclass(frozen=True, slots=True)
class TakenPlace:
    """A table at which the caller now has a seat, or had one before."""

    table: Table
    had_seat: bool


class TableFull(Conflict):
    """Error for a join code whose table has no free seat."""

    def __init__(self, table: Table) -> None:
        super().__init__(msgid("There is no free seat."))
        self.table = table


class NameTaken(Conflict):
    """Error for a name that another player of the table has. It suggests one that is free."""

    def __init__(self, invitation: SeatInvitation, name: str, free_name: str) -> None:
        super().__init__(msgid("The name {0} is already taken. Do you want to be {1}?"), name, free_name)
        self.invitation = invitation
        self.names = (name, free_name)


async def sit_down(caller: Caller, invitation: SeatInvitation, wanted_name: str) -> TakenPlace:
    """Take the seat of an invitation, or another free seat if another person was faster and the invitation is a code.

    Raise NameTaken if another player has this name.
    """
    services, table = caller.services, invitation.table
    name = clean_name(wanted_name, "")
    if caller.person is not None and table.list_seats_of(caller.person.id):
        return TakenPlace(table, had_seat=True)
    free_name = seats.suggest_name(table, name)
    if free_name:
        raise NameTaken(invitation, name, free_name)
    person = await caller.ensure_person(name)
    if name and name != person.name:
        await services.people.rename(person, name)
    try:
        await seats.take_seat(services, table, invitation.seat, person)
    except Conflict:
        other = find_free_seat(table, person) if invitation.watch_action else None
        if other is None:
            raise
        await seats.take_seat(services, table, other, person)
    return TakenPlace(table, had_seat=False)


# -- join code ----------------------------------------------------------------------------------------------------


@router.get("/join")
async def get_code_form(request: Request) -> Response:
    """Return the page on which a reader types a join code."""
    return await PageContext(request).render_in_thread("join_code.html.jinja")


class JoinCode(Arguments):
    """A join code that a person has typed."""

    code: str = Field("", max_length=40)


@commands.add(
    "open-join-code",
    ANYONE,
    api=NotOffered("A program looks a code up with GET /api/v1/join-codes/{code}."),
    form=Form("/join"),
    rates=["guess"],
)
async def open_join_code(caller: Caller, arguments: JoinCode) -> str:
    """Return the address of the page on which people join the table or the evening with this join code."""
    services, code = caller.services, join_codes.normalize_code(arguments.code)
    if await services.runtime.run_in_thread(has_evening, services.store, code):
        return f"/evening/{code}"
    return f"/join/{(await load_table_by_code(caller.request, code)).code}"


@forms.answer(open_join_code)
async def show_join_page(post: FormPost[Caller, JoinCode, str]) -> Response:
    return post.context.redirect(post.result)


@router.get("/join/{code}")
async def get_join_page(request: Request, code: str) -> Response:
    """Return the page behind the QR code: the game, the players, a field for the name and a button."""
    check_rate_limit(request, "guess")
    context = PageContext(request)
    table = await load_table_by_code(request, code)
    viewer, seat = find_viewer(request, table), find_free_seat(table, context.person)
    if viewer is not None and (
        seat is None or viewer.watch_generation < 0
    ):  # a spectator can still take a seat with the join code
        return context.redirect(f"/tables/{table.id}")
    if seat is None:
        return await render_full_page(context, table)
    invitation = make_code_invitation(table, seat)
    if "hand" in request.query_params:
        invitation = replace(invitation, action=f"{invitation.action}?hand=on")
    return await render_join_page(context, invitation)


class SeatByCode(JoinCode):
    """The name of a person who takes a seat by a join code."""

    name: str = Field("", max_length=200)


@commands.add("join-by-code", ANYONE, api=BY_API, form=Form("/join/{code}"), rates=["guess"])
async def join_by_code(caller: Caller, arguments: SeatByCode) -> TakenPlace:
    """Take the seat that is reserved for the caller at the table with this code, or else its first free seat."""
    table = await load_table_by_code(caller.request, arguments.code)
    seat = find_free_seat(table, caller.person)
    if seat is None:
        raise TableFull(table)
    return await sit_down(caller, make_code_invitation(table, seat), arguments.name)


@commands.add(
    "watch-by-code",
    ANYONE,
    api=NotOffered("A program watches with the spectators' link, which the owner of the table gives it."),
    form=Form("/join/{code}/watch"),
    rates=["guess"],
)
async def watch_by_code(caller: Caller, arguments: JoinCode) -> Table:
    """Watch the table with this code, without a seat."""
    table = await load_table_by_code(caller.request, arguments.code)
    if not join_codes.is_code_valid(table):
        raise TableFull(table)
    token = invitations.make_watch_token(caller.services.key, table)
    await invitations.add_spectator(caller.services, table, await caller.ensure_person(), token)
    return table


@forms.answer(watch_by_code)
async def show_watched_table(post: FormPost[Caller, JoinCode, Table]) -> Response:
    return post.context.redirect(f"/tables/{post.result.id}")


def make_code_invitation(table: Table, seat: Occupant) -> SeatInvitation:
    return SeatInvitation(table, seat, f"/join/{table.code}", f"/join/{table.code}/watch")


async def load_table_by_code(request: Request, code: str) -> Table:
    """Return the table with this code. Raise `NotFound` if there is none or the code has expired."""
    services = get_services(request)
    id = await services.runtime.run_in_thread(find_table_by_code, services.store, join_codes.normalize_code(code))
    if id is None:
        raise NotFound("No table has this join code. Check the code and try again.")
    table = await services.tables.get_table(id)
    if table.status == "closed":
        raise NotFound("This table was closed before the match started.")
    if join_codes.is_old(table) and find_viewer(request, table) is None:
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
        return mark_own_table(context.redirect(f"/tables/{table.id}"), table)
    occupant = invitations.find_invited_seat(context.services.key, table, seat, token)
    if occupant.taken:
        raise NotFound("This link is no longer valid.")
    return await render_join_page(context, SeatInvitation(table, occupant, f"/invitations/{id}/{seat}/{token}"))


class SeatByLink(Arguments):
    """The link of a seat, and the name of a person who takes the seat."""

    id: str
    seat: int
    token: str = Field(max_length=200)
    name: str = Field("", max_length=200)


@commands.add("join-by-link", ANYONE, api=BY_API, form=Form("/invitations/{id}/{seat}/{token}"), rates=["guess"])
async def join_by_link(caller: Caller, arguments: SeatByLink) -> TakenPlace:
    """Take the seat to which this link leads."""
    table = await caller.services.tables.get_table(arguments.id)
    occupant = invitations.find_invited_seat(caller.services.key, table, arguments.seat, arguments.token)
    address = f"/invitations/{arguments.id}/{arguments.seat}/{arguments.token}"
    return await sit_down(caller, SeatInvitation(table, occupant, address), arguments.name)


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


# -- the page of an invitation -------------------------------------------------------------------------------------


async def render_join_page(
    context: PageContext, invitation: SeatInvitation, name: str = "", notice: str = ""
) -> Response:
    table, localize, person = invitation.table, context.localize, context.person
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


def mark_own_table(response: Response, table: Table) -> Response:
    """Let the table's page explain once to its player why a link gives no other seat."""
    response.set_cookie(SEATED_COOKIE, "1", NOTICE_SECONDS, path=f"/tables/{table.id}", samesite="lax", httponly=True)
    return response


async def show_own_table(post: FormPost[Caller, Any, TakenPlace]) -> Response:
    """Redirect to the table. If the caller had a seat there before, the page explains that a second is not possible."""
    page = "/hand" if "hand" in post.context.request.query_params else ""
    response = post.context.redirect(f"/tables/{post.result.table.id}{page}")
    return mark_own_table(response, post.result.table) if post.result.had_seat else response


forms.answer(join_by_code)(show_own_table)
forms.answer(join_by_link)(show_own_table)


@forms.refuse(join_by_code)
@forms.refuse(join_by_link)
@forms.refuse(watch_by_code)
async def show_form_again(context: PageContext, form: PostedForm, error: RequestError) -> Response:
    """Suggest another name if it is taken, or say that the table is full."""
    if isinstance(error, TableFull):
        return await render_full_page(context, error.table)
    if isinstance(error, NameTaken):
        return await render_join_page(
            context, error.invitation, error.names[1], context.localize(error.message.text, *error.names)
        )
    raise error
