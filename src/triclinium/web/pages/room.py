"""Pages for people in one room: a wall for everyone, a hand for each player's phone, and the code that opens a hand."""

from fastapi import APIRouter, Request, Response

from triclinium.server.errors import Conflict
from triclinium.server.http.auth import check_rate_limit, get_current_viewer, require_seat, resume_on_open
from triclinium.server.http.commands import CommandList, Form, NotOffered
from triclinium.server.http.table_commands import SEAT_HOLDER, TableArguments, TableCaller
from triclinium.server.presenter.table_view import TableView
from triclinium.server.tables.broadcast import make_snapshot_event, schedule_presence_broadcast
from triclinium.server.tables.event_stream import EventStreamResponse
from triclinium.server.tables.seats import Viewer, identify_viewer
from triclinium.server.tables.table import Table
from triclinium.web.forms import FormPost, FormRoutes
from triclinium.web.page_context import PageContext
from triclinium.web.pages.stranded_match import render_stranded_page
from triclinium.web.pages.table_page import build_table_variables, render_hand_page, render_table_template
from triclinium.web.pages.waiting_room import render_large_code, render_qr_code, render_waiting_page

SPECTATOR = Viewer(None, ())  # a wall shows what a spectator without an account sees
router = APIRouter(include_in_schema=False, prefix="/tables/{id}")
commands = CommandList()
forms = FormRoutes(commands)


@router.get("/wall")
async def get_wall(request: Request, id: str) -> Response:
    """Return the table for a screen that everyone sees. Before the match it shows how to join."""
    context = PageContext(request)
    async with context.services.tables.locked(id) as table:
        viewer = _identify_wall(context, table)
        return await context.services.runtime.run_in_thread(_render_wall, context, table, viewer)


def _identify_wall(context: PageContext, table: Table) -> Viewer:
    """Return the person whose browser shows a wall. A wall is no sign that this person is present."""
    return identify_viewer(context.services, table, context.person, attended=False)


def _render_wall(context: PageContext, table: Table, viewer: Viewer) -> Response:
    if not table.begun:
        can_invite = bool(viewer.own_seats) or viewer.is_host(table)
        is_reachable = not context.services.reachability.is_loopback_origin(context.origin)
        if can_invite and table.status == "waiting" and is_reachable:
            return render_large_code(context, table, viewer, in_room=True)
        return render_waiting_page(context, table, viewer, "", 200)
    if table.stranded is not None:
        return render_stranded_page(context, table, SPECTATOR, "", 200)
    if "theme" not in context.request.cookies:
        context.theme = "dark"
    table_view = TableView(table, (), None, context.language)
    variables = build_table_variables(context, table_view, SPECTATOR)
    return render_table_template(context, table_view, variables, "wall.html.jinja")


@router.get("/wall/events")
async def stream_wall_events(request: Request, id: str, tab: str = "") -> Response:
    """Stream what spectators may know, even if the wall's browser belongs to a player.

    So a wall does not count as the presence of that player. The stream ends when the browser loses access to the table.
    """
    check_rate_limit(request, "listen")
    context = PageContext(request)
    table = await context.services.tables.get_table(id)
    async with context.services.tables.locked(table) as locked:
        listener = _identify_wall(context, locked).make_listener()
        listener.is_wall = True
        listener.set_seats(())
        listener.tab = tab[:40]
        listener.send(make_snapshot_event(locked, ()))
    return EventStreamResponse(
        table.hub, listener, lambda: schedule_presence_broadcast(context.services.runtime, table)
    )


@router.get("/hand")
async def get_hand(request: Request, id: str) -> Response:
    """Return the reader's own things and decision, for a phone next to a wall."""
    context = PageContext(request)
    table = await context.services.tables.get_table(id)
    await resume_on_open(request, table)
    async with context.services.tables.locked(table) as table:
        viewer = get_current_viewer(request, table)
        if not table.begun:
            return await context.services.runtime.run_in_thread(render_waiting_page, context, table, viewer, "", 200)
        require_seat(viewer)
        return await context.services.runtime.run_in_thread(render_hand_page, context, table, viewer)


@commands.add(
    "make-hand-code",
    SEAT_HOLDER,
    api=NotOffered("The code signs a browser in; a program has the token of its seat."),
    form=Form("/tables/{id}/hand-code"),
)
async def make_hand_code(caller: TableCaller, arguments: TableArguments) -> str:
    """Return the path of a link that opens the caller's hand on another device. It works once."""
    if caller.table.status == "over":
        raise Conflict("The match is already over.")
    token = await caller.services.people.create_device_token(caller.me)
    return f"/me/sign-in/{token}?hand={caller.table.id}"


@forms.answer(make_hand_code)
async def show_hand_code(post: FormPost[TableCaller, TableArguments, str]) -> Response:
    link = f"{post.context.origin}{post.result}"
    picture = render_qr_code(link).body
    return await post.context.render_in_thread(
        "hand_code.html.jinja", table=post.caller.table, link=link, picture=bytes(picture).decode()
    )
