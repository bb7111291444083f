"""The table's page, and what is done at it."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.server.accounts.quotas import BYTES_OF_MOVE, spend_upload
from triclinium.server.bots import analysis
from triclinium.server.errors import Conflict, NoNickname, NotAllowed, NotFound, RequestError, Stale
from triclinium.server.http.api.tables import get_events
from triclinium.server.http.auth import count, opened_at, seated, viewer_of
from triclinium.server.net.client_address import network_of
from triclinium.server.presenter.log import record
from triclinium.server.presenter.table_view import asked_step
from triclinium.server.tables import (
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
from triclinium.server.tables.rating_eligibility import note_help
from triclinium.server.tables.seats import Viewer, only_watches
from triclinium.server.tables.table import Table
from triclinium.web.page_context import Form, Reading
from triclinium.web.pages.guide import Memory, guide, memory
from triclinium.web.pages.table_page import as_wished, preview_part, print_page, table_page

LONGEST = 400  # letters of what is chosen; several options among them
ACTING = "triclinium.acting"  # where a request notes the seat that its form speaks for
SEATED = "seated"  # the cookie of someone who opened the link of another seat at their own table
NOTICE_SECONDS = 60  # for which it waits for the page
SITS_ALREADY = msgid("You already sit at this table. Each player takes one seat: give the link to someone else.")
router = APIRouter(include_in_schema=False, prefix="/t/{id}")


@router.get("")
async def get_table(request: Request, id: str) -> Response:
    reading = Reading(request)
    table = await reading.server.table(id)
    await opened_at(request, table)
    if table.status == "waiting":
        reading.look_at_public_address()
    async with table.lock:
        await reading.server.load_match(table)
        at = _viewer(request, table)
        notice = reading.speech(SITS_ALREADY) if SEATED in request.cookies and at.mine else ""
        response = await reading.server.in_thread(table_page, reading, table, at, notice=notice)
    if notice:
        response.delete_cookie(SEATED, path=f"/t/{id}")
    return response


def _viewer(request: Request, table: Table) -> Viewer:
    """As everywhere, but at a listed table anybody may come to the door to take a seat."""
    try:
        return viewer_of(request, table)
    except NotFound:
        if table.status == "waiting" and table.options.shown != "link":
            return Viewer(Reading(request).person, ())
        raise


@router.get("/events")
async def events(request: Request, id: str, tab: str = "") -> Response:
    return await get_events(request, id, tab[:40])


@router.get("/at")
async def go_to(request: Request, id: str, n: int = 0) -> Response:
    """The field of the time machine, without script."""
    reading = Reading(request)
    return reading.go(f"/t/{id}/at/{max(0, n)}{as_wished(reading)}")


@router.get("/at/{n}")
async def position(request: Request, id: str, n: int) -> Response:
    """Every position of every match has an address."""
    reading = Reading(request)
    table = await reading.server.table(id)
    async with table.lock:
        at = viewer_of(request, table)
        await reading.server.load_match(table)
        if not table.begun:
            raise NotFound("this match has no such move")
        if table.stranded is not None:
            return reading.go(f"/t/{id}")
        return await reading.server.in_thread(table_page, reading, table, at, past=n)


@router.get("/preview/{option}")
async def get_preview(request: Request, id: str, option: str, version: int | None = None) -> Response:
    """What an option would do, for the seat that is asked: a part of a page."""
    reading = Reading(request)
    table = await reading.server.table(id)
    async with table.lock:
        at = viewer_of(request, table)
        await reading.server.load_match(table)
        seated(at)
        moves.check_running(table)
        if version not in (None, table.version):
            raise Stale("the table has moved on: look again and choose")
        return await reading.server.in_thread(preview_part, reading, table, at, option[:LONGEST])


@router.get("/record")
async def get_record(request: Request, id: str) -> Response:
    reading = Reading(request)
    table = await reading.server.table(id)
    viewer_of(request, table)
    async with table.lock:
        await reading.server.load_match(table)
        if not table.begun:
            raise Conflict("the match has not begun: somebody is still awaited")
        name = f"{table.title_id}-{table.id}.txt"
        text = await reading.server.in_thread(lambda: record(table).dumps())
        return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{name}"'})


@router.get("/print")
async def get_print(request: Request, id: str) -> Response:
    """The score sheet and the log of a finished match, on paper."""
    reading = Reading(request)
    table = await reading.server.table(id)
    at = viewer_of(request, table)
    async with table.lock:
        await reading.server.load_match(table)
        if table.stranded is not None:
            raise table.stranded
        if table.status != "over":
            raise Conflict("the match is not over yet")
        return await reading.server.in_thread(print_page, reading, table, at)


# -- deciding ---------------------------------------------------------------------------------------------------


class Post:
    """A post at a table: who, where, what."""

    def __init__(self, reading: Reading, table: Table, at: Viewer, form: Form) -> None:
        self.reading = reading
        self.server = reading.server
        self.table = table
        self.at = at
        self.form = form

    @property
    def seat(self) -> int:
        """The seat that the form speaks for."""
        return seated(self.at, self.form.whole("seat", self.at.mine[0] if self.at.mine else -1))

    def back(self, seat: int | None = None) -> Response:
        """To the table again; at the hot seat to the one who still decides."""
        keep = seat is not None and len(self.at.mine) > 1 and self.table.who == seat
        return self.reading.go(f"/t/{self.table.id}{f'?as={seat}' if keep else ''}")


async def post_at(request: Request, id: str, what: str = "post") -> Post:
    """A form that was sent from the table's page."""
    reading = Reading(request)
    count(request, what)
    form = await reading.form()
    request.scope[ACTING] = form.whole("seat", -1) if form.text("seat") else None
    table = await reading.server.table(id)
    at = _viewer(request, table)
    if table.clock is None or what == "move":
        await seats.come_back(reading.server, table, at.mine)  # whoever does something is not away
        at = _viewer(request, table)  # asked anew: meanwhile a seat may have changed hands
    return Post(reading, table, at, form)


@router.post("/move")
async def post_move(request: Request, id: str) -> Response:
    post = await post_at(request, id, "move")
    seat = post.seat
    option, version, key = post.form.text("option")[:LONGEST], post.form.whole("version"), post.form.text("key")[:64]
    generation = post.table.occupants[seat].generation
    known = await _met(post, seat)
    await moves.move(post.server, post.table, seat, option, version, key, generation=generation)
    response = post.back(seat)
    known.keep(response, post.table.title_id)
    return response


async def _met(post: Post, seat: Seat) -> Memory:
    """What the guide will have told once this seat has decided: nobody is shown a hint twice."""
    table = post.table
    known = await _memory(post)
    async with table.lock:
        await post.server.load_match(table)
        asked = asked_step(table, seat)
        told = guide(table.game).next(known.seen, asked) if asked else None
    if told is None or not known.on:
        return known
    async with table.lock:
        await note_help(post.server, table, seat, guided=True)
    return known.told([told.key] if told.kinds else [step.key for step in guide(table.game).opening])


async def _memory(post: Post) -> Memory:
    reading, table = post.reading, post.table
    cookies = reading.request.cookies
    return await post.server.in_thread(memory, post.server, reading.person, cookies, table.title_id, table.id)


@router.post("/guide")
async def post_guide(request: Request, id: str) -> Response:
    """Got it, skip the guide, or begin it again."""
    post = await post_at(request, id)
    known = await _memory(post)
    what = post.form.text("guide")
    if what == "skip":
        known = Memory(False)
    elif what == "again":
        known = Memory(True)
    else:
        known = known.told(hint.key for hint in guide(post.table.game).all() if hint.key == post.form.text("seen"))
    response = post.back(post.form.whole("seat"))
    known.keep(response, post.table.title_id)
    return response


@router.post("/undo")
async def post_undo(request: Request, id: str) -> Response:
    post = await post_at(request, id)
    seat = post.seat
    async with post.table.lock:
        able = [mine for mine in post.at.mine if post.table.match is not None and undo.undo_steps(post.table, mine)]
    await undo.undo(post.server, post.table, able[0] if able else seat, post.form.whole("version"))
    return post.back(able[0] if able else seat)


@router.post("/answers")
async def post_answer(request: Request, id: str) -> Response:
    """Answer safely, and do not be asked this again for a while."""
    post = await post_at(request, id, "move")
    seat = post.seat
    generation = post.table.occupants[seat].generation
    until, version, key = post.form.text("until")[:8], post.form.whole("version"), post.form.text("key")[:64]
    known = await _met(post, seat)
    await moves.spare(post.server, post.table, seat, until, version, key, generation=generation)
    response = post.back(seat)
    known.keep(response, post.table.title_id)
    return response


@router.post("/answers/end")
async def post_answer_end(request: Request, id: str) -> Response:
    """Be asked again."""
    post = await post_at(request, id)
    await auto_replies.end(post.server, post.table, post.seat, post.form.text("step")[:40])
    return post.back(post.seat)


@router.post("/back")
async def post_back(request: Request, id: str) -> Response:
    """Ask to take back more, or agree to it."""
    post = await post_at(request, id)
    seated(post.at)
    await undo.consent(
        post.server, post.table, post.at.mine, post.form.whole("version"), practice=post.form.flag("practice")
    )
    return post.back()


@router.post("/hint")
async def post_hint(request: Request, id: str) -> Response:
    """Let a bot think about this seat's decision, knowing what the seat knows; the page tells when it has."""
    post = await post_at(request, id, "hint")
    seat = post.seat
    await analysis.hint(post.server, post.table, seat, post.form.text("mine"))
    return post.back(seat)


@router.post("/say")
async def post_say(request: Request, id: str) -> Response:
    post = await post_at(request, id, "chat")
    async with post.table.lock:
        seat, name, person = chat.voice(post.table, _viewer(request, post.table))  # seats may have been drawn meanwhile
        key = post.form.text("key")[:64]
        await chat.say(post.server, post.table, seat, name, post.form.text("text"), person, key)
    return post.back()


@router.post("/read")
async def post_read(request: Request, id: str) -> Response:
    """Whoever has no script says so themselves."""
    post = await post_at(request, id)
    if post.reading.person is not None:
        await chat.read(post.server, post.table, post.reading.person.id)
    return post.back()


# -- sitting down and getting up --------------------------------------------------------------------------------


@router.post("/sit")
async def post_sit(request: Request, id: str) -> Response:
    post = await post_at(request, id)
    number = post.form.whole("seat")
    if not 0 <= number < len(post.table.occupants):
        count(request, "guess")
        raise NotFound("there is no such seat")
    seat = post.table.occupants[number]
    if only_watches(post.table, post.at) and not (post.at.person and seat.person == post.at.person.id):
        raise NotAllowed("the spectators' link seats nobody: come by the code of the table, or by the link of a seat")
    person = await post.reading.somebody(post.form.text("name"))
    await seats.sit(post.server, post.table, seat, person)
    return post.reading.go(f"/t/{id}")


@router.post("/leave")
async def post_leave(request: Request, id: str) -> Response:
    """Get up; before the deal the host may also free somebody's seat."""
    post = await post_at(request, id)
    person = post.reading.person
    number = post.form.whole("seat")
    if not 0 <= number < len(post.table.occupants):
        raise NotFound("there is no such seat")
    hosts = person is not None and person.id == post.table.host and post.table.status == "waiting"
    if number not in post.at.mine and not hosts:
        raise NotAllowed("that is not your seat")
    frees = number not in post.at.mine
    await seats.leave(post.server, post.table, post.table.occupants[number], before_deal=frees)
    return post.reading.go(f"/t/{id}" if hosts else "/")


@router.post("/fill")
async def post_fill(request: Request, id: str) -> Response:
    post = await post_at(request, id)
    host = post.at.is_host(post.table)
    await seats.fill(post.server, post.table, post.form.whole("seat"), host, post.form.text("bot")[:40])
    return post.reading.go(f"/t/{id}")


@router.post("/open")
async def post_open(request: Request, id: str) -> Response:
    """Open the seat of a bot to people, as the host."""
    post = await post_at(request, id)
    host, unrated = post.at.is_host(post.table), post.form.flag("unrated")
    await bot_seats.open_to_people(post.server, post.table, post.form.whole("place"), host, unrated)
    return post.back()


@router.post("/watch")
async def post_watch(request: Request, id: str) -> Response:
    """The host revokes the spectators' link and the code."""
    post = await post_at(request, id)
    await invitations.revoke_watching(post.server, post.table, post.at.is_host(post.table))
    return post.back()


@router.post("/close")
async def post_close(request: Request, id: str) -> Response:
    post = await post_at(request, id)
    await seats.close(post.server, post.table, post.at.is_host(post.table))
    return post.reading.go("/")


@router.post("/end")
async def post_end(request: Request, id: str) -> Response:
    """Agree to end a match that cannot go on, as it stands."""
    post = await post_at(request, id)
    if not post.form.flag("sure"):
        raise RequestError("tick the box if you really want to end the match")
    await end_stranded.end_as_it_stands(post.server, post.table, post.at.mine)
    return post.back()


@router.post("/again")
async def post_again(request: Request, id: str) -> Response:
    count(request, "open")
    post = await post_at(request, id)
    seated(post.at)
    if post.reading.person is None:  # a program asks the API
        raise NoNickname()
    fresh = await rematch.rematch(post.server, post.reading.person, post.table)
    return post.reading.go(f"/t/{fresh.id}")


@router.post("/on")
async def post_on(request: Request, id: str) -> Response:
    """Play on from a position, at one device."""
    count(request, "open")
    post = await post_at(request, id)
    size = BYTES_OF_MOVE * post.table.moves
    await spend_upload(post.server, network_of(request.scope), post.reading.person, size)
    person = await post.reading.somebody()
    fresh = await create.play_on(post.server, person, post.table, post.form.whole("n"))
    return post.reading.go(f"/t/{fresh.id}")
