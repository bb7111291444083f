"""The table's page and its forms."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.server.accounts.quotas import BYTES_PER_MOVE, spend_upload_quota
from triclinium.server.errors import Conflict, NoNickname, NotAllowed, NotFound, RequestError, StaleVersion
from triclinium.server.http.api.tables import get_events
from triclinium.server.http.auth import check_rate_limit, get_current_viewer, require_seat, resume_on_open
from triclinium.server.net.client_address import get_client_network
from triclinium.server.presenter.log import build_public_record
from triclinium.server.presenter.table_view import find_asked_step
from triclinium.server.tables import (
    analysis,
    auto_replies,
    bot_seats,
    chat,
    create,
    end_stranded,
    invitations,
    moves,
    rematch,
    seats,
    undo,
)
from triclinium.server.tables.rating_eligibility import record_help
from triclinium.server.tables.seats import Viewer, is_spectator_only
from triclinium.server.tables.table import LockedTable, Table
from triclinium.web.game_guide import load_guide
from triclinium.web.page_context import PageContext, PostedForm
from triclinium.web.pages.guide import GuideProgress, load_guide_progress
from triclinium.web.pages.table_page import format_seat_query, render_preview, render_print_page, render_table_page

MAX_OPTION_LENGTH = 400  # maximum length of the posted options, of which there may be several
ACTING_SEAT_KEY = "triclinium.acting"  # name in the request's state for the seat for which its form was sent
SEATED_COOKIE = "seated"  # the cookie of someone who opened the link of another seat at their own table
NOTICE_SECONDS = 60  # lifetime of that cookie
ALREADY_SEATED_TEXT = msgid("You already sit at this table. Each player takes one seat: give the link to someone else.")
router = APIRouter(include_in_schema=False, prefix="/tables/{id}")


@router.get("")
async def get_table(request: Request, id: str) -> Response:
    context = PageContext(request)
    table = await context.services.tables.get_table(id)
    await resume_on_open(request, table)
    if table.status == "waiting":
        context.check_public_address()
    async with context.services.tables.locked(table) as table:
        viewer = _find_viewer(request, table)
        notice = context.localize(ALREADY_SEATED_TEXT) if SEATED_COOKIE in request.cookies and viewer.own_seats else ""
        response = await context.services.runtime.run_in_thread(
            render_table_page, context, table, viewer, notice=notice
        )
    if notice:
        response.delete_cookie(SEATED_COOKIE, path=f"/tables/{id}")
    return response


def _find_viewer(request: Request, table: Table) -> Viewer:
    """Return the viewer of a table. At a listed table, anyone may see the waiting room in order to take a seat."""
    try:
        return get_current_viewer(request, table)
    except NotFound:
        if table.status == "waiting" and table.options.shown != "link":
            return Viewer(PageContext(request).person, ())
        raise


@router.get("/events")
async def stream_events(request: Request, id: str, tab: str = "") -> Response:
    return await get_events(request, id, tab[:40])


@router.get("/positions")
async def redirect_to_position(request: Request, id: str, move: int = 0) -> Response:
    """Redirect to the position that a reader without script has chosen in the time machine."""
    context = PageContext(request)
    return context.redirect(f"/tables/{id}/positions/{max(0, move)}{format_seat_query(context)}")


@router.get("/positions/{n}")
async def get_position(request: Request, id: str, n: int) -> Response:
    """Return the table's page with an earlier position of the match."""
    context = PageContext(request)
    async with context.services.tables.locked(id) as table:
        viewer = get_current_viewer(request, table)
        if not table.begun:
            raise NotFound("this match has no such move")
        if table.stranded is not None:
            return context.redirect(f"/tables/{id}")
        return await context.services.runtime.run_in_thread(render_table_page, context, table, viewer, past=n)


@router.get("/preview/{option}")
async def get_preview(request: Request, id: str, option: str, version: int | None = None) -> Response:
    """Return the preview of an option for the asked seat, as a part of a page."""
    context = PageContext(request)
    async with context.services.tables.locked(id) as table:
        viewer = get_current_viewer(request, table)
        require_seat(viewer)
        moves.check_running(table)
        if version not in (None, table.version):
            raise StaleVersion("the table has moved on: look again and choose")
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
            raise Conflict("the match has not begun: somebody is still awaited")
        name = f"{table.game_id}-{table.id}.txt"
        text = await context.services.runtime.run_in_thread(lambda: build_public_record(table).dumps())
        return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{name}"'})


@router.get("/print")
async def get_print(request: Request, id: str) -> Response:
    """Return the score sheet and the log of a finished match, for printing."""
    context = PageContext(request)
    table = await context.services.tables.get_table(id)
    viewer = get_current_viewer(request, table)
    async with context.services.tables.locked(table) as table:
        if table.stranded is not None:
            raise table.stranded
        if table.status != "over":
            raise Conflict("the match is not over yet")
        return await context.services.runtime.run_in_thread(render_print_page, context, table, viewer)


# -- decisions ---------------------------------------------------------------------------------------------------------


class TablePost:
    """A form that was posted at a table, with its sender and the table."""

    def __init__(self, context: PageContext, table: Table, viewer: Viewer, form: PostedForm) -> None:
        self.context = context
        self.services = context.services
        self.table = table
        self.viewer = viewer
        self.form = form

    @property
    def seat(self) -> int:
        """The seat for which the form was sent."""
        return require_seat(
            self.viewer, self.form.integer("seat", self.viewer.own_seats[0] if self.viewer.own_seats else -1)
        )

    def redirect_to_table(self, seat: int | None = None) -> Response:
        """Redirect to the table. If several people share a device, the page shows the seat that must still decide."""
        keeps_seat = seat is not None and len(self.viewer.own_seats) > 1 and self.table.who == seat
        return self.context.redirect(f"/tables/{self.table.id}{f'?as={seat}' if keeps_seat else ''}")


async def read_table_post(request: Request, id: str, action: str = "post") -> TablePost:
    """Return a form that was sent from the table's page."""
    context = PageContext(request)
    check_rate_limit(request, action)
    form = await context.read_form()
    request.scope[ACTING_SEAT_KEY] = form.integer("seat", -1) if form.text("seat") else None
    table = await context.services.tables.get_table(id)
    viewer = _find_viewer(request, table)
    has_substitute = any(table.occupants[seat].standin for seat in viewer.own_seats)
    if has_substitute and table.clock is None and action != "move":  # whoever does something is not away
        async with context.services.tables.locked(table) as locked:
            await seats.end_own_substitutions(context.services, locked, _find_viewer(request, locked).own_seats)
        viewer = _find_viewer(request, table)  # meanwhile a seat may have changed hands
    return TablePost(context, table, viewer, form)


async def _resume_for_move(post: TablePost, table: LockedTable) -> int:
    """Return the seat that a form decides for, after its player has taken it back from a substitute bot."""
    post.viewer = _find_viewer(post.context.request, table)  # while the form waited, a seat may have changed hands
    await seats.end_own_substitutions(post.services, table, post.viewer.own_seats)
    return post.seat


@router.post("/move")
async def post_move(request: Request, id: str) -> Response:
    post = await read_table_post(request, id, "move")
    option, version, key = (
        post.form.text("option")[:MAX_OPTION_LENGTH],
        post.form.integer("version"),
        post.form.text("key")[:64],
    )
    progress = await _load_progress(post)
    async with post.services.tables.locked(post.table) as table:
        seat = await _resume_for_move(post, table)
        progress = await _update_guide_progress(post, table, seat, progress)
        await moves.make_move(post.services, table, seat, option, version, key)
    response = post.redirect_to_table(seat)
    progress.save_to_cookie(response, post.table.game_id)
    return response


async def _update_guide_progress(
    post: TablePost, table: LockedTable, seat: Seat, progress: GuideProgress
) -> GuideProgress:
    """Return which hints of the guide have been shown once this seat has decided, so that none is shown twice."""
    decision_kind = find_asked_step(table, seat)
    hint = load_guide(table.game).next_hint(progress.seen, decision_kind) if decision_kind else None
    if hint is None or not progress.enabled:
        return progress
    await record_help(post.services.tables, table, seat, guided=True)
    return progress.with_seen([hint.key] if hint.kinds else [step.key for step in load_guide(table.game).opening])


async def _load_progress(post: TablePost) -> GuideProgress:
    context, table = post.context, post.table
    cookies = context.request.cookies
    return await post.services.runtime.run_in_thread(
        load_guide_progress, post.services.store, context.person, cookies, table.game_id, table.id
    )


@router.post("/guide")
async def post_guide(request: Request, id: str) -> Response:
    """Confirm a hint of the guide, or turn the guide off or on."""
    post = await read_table_post(request, id)
    progress = await _load_progress(post)
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


@router.post("/undo")
async def post_undo(request: Request, id: str) -> Response:
    post = await read_table_post(request, id)
    seat = post.seat
    async with post.services.tables.locked(post.table) as table:
        undoable = [mine for mine in post.viewer.own_seats if table.match is not None and undo.undo_steps(table, mine)]
    await undo.undo_last_decision(
        post.services, post.table, undoable[0] if undoable else seat, post.form.integer("version")
    )
    return post.redirect_to_table(undoable[0] if undoable else seat)


@router.post("/auto-replies")
async def post_auto_reply(request: Request, id: str) -> Response:
    """Set an auto-reply to the current question."""
    post = await read_table_post(request, id, "move")
    until, version, key = post.form.text("until")[:8], post.form.integer("version"), post.form.text("key")[:64]
    progress = await _load_progress(post)
    async with post.services.tables.locked(post.table) as table:
        seat = await _resume_for_move(post, table)
        progress = await _update_guide_progress(post, table, seat, progress)
        await moves.set_auto_reply(post.services, table, seat, until, version, key)
    response = post.redirect_to_table(seat)
    progress.save_to_cookie(response, post.table.game_id)
    return response


@router.post("/auto-replies/cancel")
async def post_auto_reply_end(request: Request, id: str) -> Response:
    """Cancel an auto-reply, so that the player is asked again."""
    post = await read_table_post(request, id)
    await auto_replies.cancel_auto_reply(post.services.tables, post.table, post.seat, post.form.text("step")[:40])
    return post.redirect_to_table(post.seat)


@router.post("/request-undo")
async def post_undo_request(request: Request, id: str) -> Response:
    """Request an undo that needs the consent of others, or agree to one."""
    post = await read_table_post(request, id)
    require_seat(post.viewer)
    await undo.vote_to_undo(
        post.services,
        post.table,
        post.viewer.own_seats,
        post.form.integer("version"),
        practice=post.form.flag("practice"),
    )
    return post.redirect_to_table()


@router.post("/hint")
async def post_hint(request: Request, id: str) -> Response:
    """Start the search for a hint with the knowledge of this seat. The page is notified when it is done."""
    post = await read_table_post(request, id, "hint")
    seat = post.seat
    await analysis.request_hint(post.services, post.table, seat, post.form.text("option"))
    return post.redirect_to_table(seat)


@router.post("/chat")
async def post_chat(request: Request, id: str) -> Response:
    post = await read_table_post(request, id, "chat")
    async with post.services.tables.locked(post.table) as table:
        seat, name, person = chat.resolve_sender(
            table, _find_viewer(request, table)
        )  # the seats may have been drawn at random in the meantime
        key = post.form.text("key")[:64]
        await chat.post_message(post.services, table, seat, name, post.form.text("text"), person, key)
    return post.redirect_to_table()


@router.post("/chat/read")
async def post_chat_read(request: Request, id: str) -> Response:
    """Mark the chat as read, for readers without script."""
    post = await read_table_post(request, id)
    if post.context.person is not None:
        await chat.mark_chat_read(post.services.store, post.table, post.context.person.id)
    return post.redirect_to_table()


# -- seats -------------------------------------------------------------------------------------------------------------


@router.post("/join")
async def post_take_seat(request: Request, id: str) -> Response:
    post = await read_table_post(request, id)
    number = post.form.integer("seat")
    if not 0 <= number < len(post.table.occupants):
        check_rate_limit(request, "guess")
        raise NotFound("there is no such seat")
    seat = post.table.occupants[number]
    if is_spectator_only(post.table, post.viewer) and not (post.viewer.person and seat.person == post.viewer.person.id):
        raise NotAllowed("the spectators' link seats nobody: come by the code of the table, or by the link of a seat")
    person = await post.context.ensure_person(post.form.text("name"))
    await seats.take_seat(post.services, post.table, seat, person)
    return post.context.redirect(f"/tables/{id}")


@router.post("/leave")
async def post_leave(request: Request, id: str) -> Response:
    """Leave the seat. Before the deal, the host can also free the seats of other people."""
    post = await read_table_post(request, id)
    person = post.context.person
    number = post.form.integer("seat")
    if not 0 <= number < len(post.table.occupants):
        raise NotFound("there is no such seat")
    is_host = person is not None and person.id == post.table.host and post.table.status == "waiting"
    if number not in post.viewer.own_seats and not is_host:
        raise NotAllowed("that is not your seat")
    frees_other = number not in post.viewer.own_seats
    await seats.leave_seat(post.services, post.table, post.table.occupants[number], before_deal=frees_other)
    return post.context.redirect(f"/tables/{id}" if is_host else "/")


@router.post("/add-bot")
async def post_fill_seat(request: Request, id: str) -> Response:
    post = await read_table_post(request, id)
    host = post.viewer.is_host(post.table)
    await seats.fill_with_bot(post.services, post.table, post.form.integer("seat"), host, post.form.text("bot")[:40])
    return post.context.redirect(f"/tables/{id}")


@router.post("/open-seat")
async def post_open_seat(request: Request, id: str) -> Response:
    """Open a bot's seat to people, as the host."""
    post = await read_table_post(request, id)
    host, unrated = post.viewer.is_host(post.table), post.form.flag("unrated")
    await bot_seats.open_to_people(post.services, post.table, post.form.integer("bot_seat"), host, unrated)
    return post.redirect_to_table()


@router.post("/revoke-spectator-link")
async def post_revoke_watching(request: Request, id: str) -> Response:
    """Revoke the spectators' link and the join code, as the host."""
    post = await read_table_post(request, id)
    await invitations.revoke_watch_link(post.services.tables, post.table, post.viewer.is_host(post.table))
    return post.redirect_to_table()


@router.post("/close")
async def post_close_table(request: Request, id: str) -> Response:
    post = await read_table_post(request, id)
    await seats.close_table(post.services.tables, post.table, post.viewer.is_host(post.table))
    return post.context.redirect("/")


@router.post("/end")
async def post_end_stranded(request: Request, id: str) -> Response:
    """Agree to end a stranded match with its last stored scores."""
    post = await read_table_post(request, id)
    if not post.form.flag("confirmed"):
        raise RequestError("tick the box if you really want to end the match")
    await end_stranded.vote_to_end(post.services, post.table, post.viewer.own_seats)
    return post.redirect_to_table()


@router.post("/rematch")
async def post_rematch(request: Request, id: str) -> Response:
    check_rate_limit(request, "open")
    post = await read_table_post(request, id)
    require_seat(post.viewer)
    if post.context.person is None:  # programs use the API instead
        raise NoNickname()
    new_table = await rematch.open_rematch(post.services, post.context.person, post.table)
    return post.context.redirect(f"/tables/{new_table.id}")


@router.post("/continue")
async def post_continue(request: Request, id: str) -> Response:
    """Continue the match from a position at a new table on one device."""
    check_rate_limit(request, "open")
    post = await read_table_post(request, id)
    size = BYTES_PER_MOVE * post.table.moves
    await spend_upload_quota(post.services, get_client_network(request.scope), post.context.person, size)
    person = await post.context.ensure_person()
    new_table = await create.continue_match(post.services, person, post.table, post.form.integer("move"))
    return post.context.redirect(f"/tables/{new_table.id}")
