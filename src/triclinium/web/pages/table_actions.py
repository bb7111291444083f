"""The page of a table, its positions and downloads, and the forms on it."""

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.server.errors import Conflict, NotFound, StaleVersion
from triclinium.server.http.api import auto_replies as auto_reply_commands
from triclinium.server.http.api import chat as chat_commands
from triclinium.server.http.api import moves as move_commands
from triclinium.server.http.api import seat_requests
from triclinium.server.http.api import seats as seat_commands
from triclinium.server.http.api import tables as table_commands
from triclinium.server.http.api.tables import get_events
from triclinium.server.http.auth import (
    check_rate_limit,
    get_current_viewer,
    get_current_visitor,
    require_seat,
    resume_on_open,
)
from triclinium.server.http.commands import JsonObject
from triclinium.server.http.table_commands import TableArguments, TableCaller
from triclinium.server.presenter.log import build_public_record
from triclinium.server.presenter.table_view import find_asked_step
from triclinium.server.tables import (
    moves,
    seats,
)
from triclinium.server.tables.deals import check_deal_closed
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import LockedTable, Table
from triclinium.web.forms import ACTING_SEAT_KEY, FROM_HAND_KEY, FieldValues, FormPost, FormRoutes
from triclinium.web.game_guide import load_guide
from triclinium.web.page_context import PageContext, PostedForm
from triclinium.web.pages.guide import GuideProgress, load_guide_progress
from triclinium.web.pages.table_page import format_seat_query, render_preview, render_table_page

MAX_OPTION_LENGTH = 400  # maximum number of characters of an option, or of several options in one text
SEATED_COOKIE = "seated"  # cookie of a player who has opened the link of another seat at their own table
NOTICE_SECONDS = 60  # seconds after which this cookie expires
ALREADY_SEATED_TEXT = msgid(
    "You already have a seat at this table. Each player takes one seat: give the link to someone else."
)
router = APIRouter(include_in_schema=False, prefix="/tables/{id}")
forms = FormRoutes(
    seat_commands.commands,
    table_commands.commands,
    auto_reply_commands.commands,
    chat_commands.commands,
    move_commands.commands,
    seat_requests.commands,
)


@router.get("")
async def get_table(request: Request, id: str) -> Response:
    context = PageContext(request)
    table = await context.services.tables.get_table(id)
    await resume_on_open(request, table)
    if table.status == "waiting":
        context.check_public_address()
    async with context.services.tables.locked(table) as table:
        viewer = get_current_visitor(request, table)
        notice = context.localize(ALREADY_SEATED_TEXT) if SEATED_COOKIE in request.cookies and viewer.own_seats else ""
        response = await context.services.runtime.run_in_thread(
            render_table_page, context, table, viewer, notice=notice
        )
    if notice:
        response.delete_cookie(SEATED_COOKIE, path=f"/tables/{id}")
    return response


@router.get("/events")
async def stream_events(request: Request, id: str, tab: str = "") -> Response:
    return await get_events(request, id, tab[:40])


@router.get("/positions")
async def redirect_to_position(request: Request, id: str, move: int = 0) -> Response:
    """Redirect to a position. Readers without script choose it in the form of the time machine."""
    context = PageContext(request)
    return context.redirect(f"/tables/{id}/positions/{max(0, move)}{format_seat_query(context)}")


@router.get("/positions/{n}")
async def get_position(request: Request, id: str, n: int) -> Response:
    """Return the page of the table as it was after a number of moves."""
    context = PageContext(request)
    async with context.services.tables.locked(id) as table:
        viewer = get_current_viewer(request, table)
        if not table.begun:
            raise NotFound("This match has no such move.")
        if table.stranded is not None:
            return context.redirect(f"/tables/{id}")
        return await context.services.runtime.run_in_thread(render_table_page, context, table, viewer, past=n)


@router.get("/preview/{option}")
async def get_preview(request: Request, id: str, option: str, version: int | None = None) -> Response:
    """Return a fragment of a page with the effects of an option, for the seat that decides."""
    context = PageContext(request)
    async with context.services.tables.locked(id) as table:
        viewer = get_current_viewer(request, table)
        require_seat(viewer)
        moves.check_running(table)
        if version not in (None, table.version):
            raise StaleVersion("The table has changed in the meantime. Please check it and choose again.")
        return await context.services.runtime.run_in_thread(
            render_preview, context, table, viewer, option[:MAX_OPTION_LENGTH]
        )


@router.get("/record")
async def get_record(request: Request, id: str) -> Response:
    context = PageContext(request)
    table = await context.services.tables.get_table(id)
    get_current_viewer(request, table)
    async with context.services.tables.locked(table) as table:
        if not table.begun:
            raise Conflict("The match has not started yet. Some players are still missing.")
        check_deal_closed(table)
        name = f"{table.game_id}-{table.id}.txt"
        text = await context.services.runtime.run_in_thread(lambda: build_public_record(table).dumps())
        return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{name}"'})


# -- forms of the table's page ----------------------------------------------------------------------------------


class TablePost:
    """A form that was sent from a table's page, with its table and its viewer."""

    def __init__(self, context: PageContext, table: Table, viewer: Viewer, form: PostedForm) -> None:
        self.context = context
        self.services = context.services
        self.table = table
        self.viewer = viewer
        self.form = form

    @property
    def seat(self) -> int:
        """Return the seat that the form names. Raise NotAllowed if it is not the viewer's."""
        return require_seat(
            self.viewer, self.form.integer("seat", self.viewer.own_seats[0] if self.viewer.own_seats else -1)
        )

    def redirect_to_table(self, seat: int | None = None) -> Response:
        """Redirect to the table. At a shared device, show the same seat as long as it decides."""
        keeps_seat = seat is not None and len(self.viewer.own_seats) > 1 and self.table.who == seat
        return self.context.redirect(f"/tables/{self.table.id}{f'?as={seat}' if keeps_seat else ''}")


async def read_table_post(request: Request, id: str, action: str = "post") -> TablePost:
    """Read a form that was sent from the table's page, and end a substitution by a bot at a table without a clock."""
    context = PageContext(request)
    check_rate_limit(request, action)
    form = await context.read_form()
    request.scope[ACTING_SEAT_KEY] = form.integer("seat", -1) if form.text("seat") else None
    table = await context.services.tables.get_table(id)
    viewer = get_current_visitor(request, table)
    has_substitute = any(table.occupants[seat].substitute for seat in viewer.own_seats)
    if has_substitute and table.clock is None and action != "move":  # a player who sends a form is present
        async with context.services.tables.locked(table) as locked:
            await seats.end_own_substitutions(context.services, locked, get_current_visitor(request, locked).own_seats)
        viewer = get_current_visitor(request, table)  # The seat may have got another player while the form was read.
    return TablePost(context, table, viewer, form)


@router.post("/guide")
async def post_guide(request: Request, id: str) -> Response:
    """Mark a hint of the guide as seen, skip the guide, or restart it."""
    post = await read_table_post(request, id)
    progress = await _load_progress(post.context, post.table)
    action = post.form.text("guide")
    if action == "skip":
        progress = GuideProgress(False)
    elif action == "restart":
        progress = GuideProgress(True)
    else:
        progress = progress.with_seen(
            hint.key for hint in load_guide(post.table.game).all_hints() if hint.key == post.form.text("seen")
        )
    response = post.redirect_to_table(post.form.integer("seat"))
    progress.save_to_cookie(response, post.table.game_id)
    return response


# -- forms of other commands at the table -----------------------------------------------------------------------


@forms.read(seat_commands.return_to_seat)
def read_own_seats(context: PageContext, form: PostedForm) -> FieldValues:
    return {"seat": seat_commands.ALL_SEATS}


@forms.answer(seat_commands.undo_decision)
async def show_undone(post: FormPost[TableCaller, seat_commands.Undo, JsonObject]) -> Response:
    return redirect_to_table(post, post.caller.table.who)


@forms.answer(seat_commands.leave_seat)
async def show_left(post: FormPost[TableCaller, seat_commands.SeatArguments, JsonObject]) -> Response:
    """Redirect the host to the waiting room, and other people to the start page."""
    table, person = post.caller.table, post.context.person
    is_host = person is not None and person.id == table.host and table.status == "waiting"
    return post.context.redirect(f"/tables/{table.id}" if is_host else "/")


@forms.answer(seat_commands.open_rematch)
async def show_rematch(post: FormPost[TableCaller, TableArguments, seat_commands.Rematch]) -> Response:
    return post.context.redirect(f"/tables/{post.result['table']['id']}")


@forms.answer(seat_requests.continue_match)
async def show_continued(
    post: FormPost[TableCaller, seat_requests.MatchPosition, seat_requests.ContinuedMatch],
) -> Response:
    return post.context.redirect(f"/tables/{post.result['table']['id']}")


def redirect_to_table(post: FormPost[TableCaller, Any, Any], seat: int) -> Response:
    """Redirect to the table. At a shared device, show the same seat as long as it decides."""
    table, own_seats = post.caller.table, post.caller.own_seats
    if post.context.request.scope[FROM_HAND_KEY]:
        return post.context.redirect(f"/tables/{table.id}/hand")
    keeps_seat = seat in own_seats and len(own_seats) > 1 and table.who == seat
    return post.context.redirect(f"/tables/{table.id}{f'?as={seat}' if keeps_seat else ''}")


@forms.answer(table_commands.post_hint)
async def show_requested_hint(
    post: FormPost[TableCaller, table_commands.HintArguments, table_commands.Hint],
) -> Response:
    return redirect_to_table(post, post.result["seat"])


@forms.answer(auto_reply_commands.delete_auto_reply)
async def show_auto_reply_end(post: FormPost[TableCaller, auto_reply_commands.EndedAutoReply, JsonObject]) -> Response:
    return redirect_to_table(post, post.caller.require_seat(post.arguments.seat))


@forms.read(move_commands.post_move)
def read_move(context: PageContext, form: PostedForm) -> FieldValues:
    """Read the text of a move: one option, or several in notation."""
    return {"option": "", "options": (), "text": form.text("option")[: move_commands.MAX_TEXT]}


class MoveProgress:
    """The progress of a player in the guide, updated while their move holds the lock of the table."""

    def __init__(self, progress: GuideProgress) -> None:
        self.progress = progress

    async def note(self, table: LockedTable, seat: Seat) -> None:
        """Mark the current hints as seen before this seat decides, so that none is shown twice."""
        decision_kind = find_asked_step(table, seat)
        hint = load_guide(table.game).next_hint(self.progress.seen, decision_kind) if decision_kind else None
        if hint is not None and self.progress.enabled:
            seen = [hint.key] if hint.kinds else [step.key for step in load_guide(table.game).opening]
            self.progress = self.progress.with_seen(seen)


@forms.prepare(move_commands.post_move)
@forms.prepare(auto_reply_commands.post_auto_reply)
async def follow_guide(context: PageContext, caller: TableCaller, arguments: object) -> MoveProgress:
    noted = MoveProgress(await _load_progress(context, caller.table))
    caller.before_move = noted.note
    return noted


async def _load_progress(context: PageContext, table: Table) -> GuideProgress:
    services, cookies = context.services, context.request.cookies
    return await services.runtime.run_in_thread(
        load_guide_progress, services.store, context.person, cookies, table.game_id, table.id
    )


async def show_decided(post: FormPost[TableCaller, Any, Any]) -> Response:
    """Redirect to the table, and store the progress in the guide in a cookie."""
    viewer = get_current_visitor(post.context.request, post.caller.table)
    response = redirect_to_table(post, require_seat(viewer, post.arguments.seat))
    assert isinstance(post.prepared, MoveProgress)
    post.prepared.progress.save_to_cookie(response, post.caller.table.game_id)
    return response


forms.answer(move_commands.post_move)(show_decided)
forms.answer(auto_reply_commands.post_auto_reply)(show_decided)
