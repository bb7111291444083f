"""The HTTP API, version 1. Whatever the pages do can be done here; a program may take a seat."""

from collections.abc import Callable
from typing import Annotated, Literal, TypeAlias

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from triclinium.engine.registry import titles
from triclinium.i18n.catalog import languages
from triclinium.server.accounts.bot_accounts import is_registered
from triclinium.server.accounts.quotas import spend_upload
from triclinium.server.bots import analysis
from triclinium.server.bots.jobs import Progress
from triclinium.server.crypto import hashed, new_token
from triclinium.server.errors import Conflict, NotFound, Stale
from triclinium.server.http.auth import back_at, count, opened_at, person_of, seated, server_of, token_of, viewer_of
from triclinium.server.net.client_address import network_of
from triclinium.server.presenter import api_json
from triclinium.server.presenter.api_json import PROBLEMS, fresh, list_invitations, summary, title_facts
from triclinium.server.presenter.log import record
from triclinium.server.presenter.review import review_facts
from triclinium.server.rule_search import search
from triclinium.server.sanitize import readable
from triclinium.server.server import Server
from triclinium.server.tables import end_stranded, import_record, invitations, join_codes, lobby, seats
from triclinium.server.tables import undo as back
from triclinium.server.tables.create import NewTable, known_title, open_table
from triclinium.server.tables.event_stream import Stream
from triclinium.server.tables.options import SeatOptions, TableOptions
from triclinium.server.tables.table import Occupant, Table

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)

Language = Annotated[Literal["en", "fr"], Query(description="the language of sentences")]
SeatNumber = Annotated[int, Field(ge=0, le=5)]


Facts: TypeAlias = dict[str, object]


async def made(server: Server, make: Callable[[], object]) -> Response:
    """An answer of any size: what it tells is found out and written beside the loop."""
    return await server.in_thread(lambda: JSONResponse(make()))


def in_notation(variants: dict[str, str | int | bool]) -> dict[str, str]:
    """Return the choices as texts: numbers and booleans may be sent as such."""
    words = {name: ("off", "on")[value] if isinstance(value, bool) else str(value) for name, value in variants.items()}
    return readable(words)


class SeatWish(BaseModel):
    """A seat of a new table."""

    model_config = ConfigDict(extra="forbid", strict=True)
    kind: Literal["me", "invite", "bot"]
    name: str = Field("", max_length=200)
    bot: str = Field("", max_length=40)


class TableWish(BaseModel):
    """A new table."""

    model_config = ConfigDict(extra="forbid", strict=True)
    title: str = Field(max_length=40)
    seats: list[SeatWish] = Field(min_length=1, max_length=6)
    variants: Annotated[dict[str, str | int | bool], AfterValidator(in_notation)] = Field(
        default_factory=dict,
        max_length=40,
        description="a number or true and false as such, or in notation: `40`, `on`",
    )
    name: str = Field("", max_length=200, description="of the table")
    player: str = Field("", max_length=200, description="your nickname")
    shown: Literal["link", "listed", "watched"] = "link"
    undo: bool = True
    hints: bool = True
    shuffle: bool = False
    remind: int = Field(0, ge=0, le=2_592_000, description="seconds; 0: never")
    takeover: int = Field(
        0,
        ge=0,
        le=2_592_000,
        description="seconds of absence before the others can vote for a substitute bot, at least 600; 0: 600",
    )
    ready: bool = Field(False, description="the deal waits until everybody has said that they are")
    store: int = Field(0, ge=0, le=1_209_600, description="seconds of each seat's store clock; 0: no clock")
    free: int = Field(0, ge=0, le=259_200, description="seconds of each spell that cost nothing")
    bots: bool = Field(True, description="a substitute bot plays when a player's time runs out; else the others vote")
    plain: bool = Field(False, description="bots play as if nothing had been learnt")


class SitDown(BaseModel):
    """Taking a seat: with the seat's invitation, with the table's code, or at a listed table with neither."""

    model_config = ConfigDict(extra="forbid", strict=True)
    player: str = Field("", max_length=200, description="your nickname")
    seat: SeatNumber | None = None
    invitation: str = Field("", max_length=64)
    code: str = Field("", max_length=12)


class Against(BaseModel):
    """A version of the table."""

    model_config = ConfigDict(extra="forbid", strict=True)
    version: int = Field(ge=0, le=2**31)
    seat: SeatNumber | None = None


@router.get("/titles", tags=["titles"], response_model=list[dict[str, object]])
async def get_titles(request: Request) -> Response:
    """All games of this server."""
    return await made(server_of(request), lambda: [title_facts(known_title(id)) for id in titles()])


@router.get("/titles/{id}", tags=["titles"], response_model=Facts)
async def get_title(request: Request, id: str) -> Response:
    """One game: its seats, its variants, its verbs."""
    return await made(server_of(request), lambda: title_facts(known_title(id)))


@router.get("/titles/{id}/search", tags=["titles"], response_model=Facts)
async def get_search(
    request: Request, id: str, q: Annotated[str, Query(max_length=200)], language: str = "en"
) -> Response:
    """Rules, rulings and components of a game that have every word of the question; a rule by its number first."""

    def facts() -> Facts:
        spoken = language if language in languages() else languages()[0]
        found = search(known_title(id), spoken, q)
        return {
            "found": [{"part": one.part, "id": one.number, "title": one.title, "text": one.text} for one in found],
        }

    return await made(server_of(request), facts)


@router.get("/tables", tags=["tables"], response_model=Facts)
async def get_tables(
    request: Request,
    which: Literal["open", "running", "mine"] = "open",
    page: Annotated[int, Query(ge=1, le=10_000)] = 1,
) -> Response:
    """Listed tables with a free seat, tables that may be watched, or your own; twenty a page."""

    def facts() -> Facts:
        found = lobby.tables_page(server_of(request), which, person_of(request), page)
        return {"page": page, "more": found.more, "tables": [line.facts() for line in found.lines]}

    return await made(server_of(request), facts)


@router.post("/tables", status_code=201, tags=["tables"])
async def post_table(request: Request, wish: TableWish) -> dict[str, object]:
    """Open a table. Without a cookie you get the token of the seat that is yours."""
    count(request, "open")
    server = server_of(request)
    game = known_title(wish.title)
    person = person_of(request)
    token = "" if person else new_token()
    mark = hashed(token) if token else ""
    seats = [SeatOptions(one.kind, one.name, one.bot, token=mark if one.kind == "me" else "") for one in wish.seats]
    options = TableOptions.of(wish.model_dump())
    new = await server.in_thread(NewTable, game, seats, options, name=wish.name)
    if person is None:
        person, _ = await server.people.welcome(wish.player)
    table = await open_table(server, person, new)
    mine = (
        [occupant.seat for occupant in table.occupants if occupant.token == mark]
        if token
        else table.seats_of(person.id)
    )
    free = [occupant for occupant in table.occupants if not occupant.taken]
    return {
        "table": summary(server, table),
        "seat": mine[0] if mine else None,
        "token": token,
        "code": table.code,
        "invitations": list_invitations(server, table, free),
        "watch": invitations.watch_token(server, table),
    }


@router.get("/tables/{id}", tags=["tables"], response_model=Facts)
async def get_table(request: Request, id: str, language: Language = "en") -> Response:
    """The table as you may see it: seats, view, and your decision if you are asked."""
    server = server_of(request)
    table = await server.table(id)
    await opened_at(request, table)
    async with table.lock:  # first: while somebody waits for it, their seat may change hands
        at = viewer_of(request, table)
        return await made(server, lambda: fresh(server, table, at, language))


@router.post("/tables/{id}/seats", status_code=201, tags=["seats"])
async def post_seat(request: Request, id: str, wish: SitDown) -> dict[str, object]:
    """Take a seat. A program gets the token of the seat; with the cookie of a person the seat is yours as at a page."""
    count(request, "post")
    count(request, "guess")
    server = server_of(request)
    table = await server.table(id)
    occupant = _seat_for(request, table, wish)
    held = hashed(token_of(request))
    if any(one.token == held for one in table.occupants):
        raise Conflict("you sit at this table already")
    person = person_of(request)
    is_program = person is None or await server.in_thread(is_registered, server, person)
    if person is None:
        count(request, "come")
        person, _ = await server.people.welcome(wish.player)
    token = await seats.sit(server, table, occupant, person, program=is_program)
    return {"seat": occupant.seat, "token": token, "table": summary(server, table)}


def _seat_for(request: Request, table: Table, wish: SitDown) -> Occupant:
    person = person_of(request)
    kept = [one for one in table.occupants if one.offered and person is not None and one.person == person.id]
    if kept and wish.seat in (None, kept[0].seat):
        return kept[0]
    if wish.invitation:
        if wish.seat is None:
            raise NotFound("this link is not valid any more")
        return invitations.invited(server_of(request), table, wish.seat, wish.invitation)
    if table.options.shown == "link" and not (join_codes.leads(table) and wish.code.upper() == table.code):
        raise NotFound("there is no such table, or it is shown to those with its link only")
    waits = table.status == "waiting"  # afterwards a free seat holds a hand, and only its link seats somebody there
    free = [one for one in table.occupants if waits and one.offered and one.person is None]
    if wish.seat is not None:
        free = [one for one in free if one.seat == wish.seat]
    if not free:
        raise Conflict("no seat is free")
    return free[0]


@router.delete("/tables/{id}/seats/{seat}", tags=["seats"])
async def delete_seat(request: Request, id: str, seat: int) -> dict[str, object]:
    """Get up. The token is revoked; after the deal a bot sits in. Before the deal the host may free anybody's seat."""
    count(request, "post")
    server = server_of(request)
    table = await server.table(id)
    at = viewer_of(request, table)
    frees = seat not in at.mine and at.is_host(table) and table.status == "waiting"
    if frees and not 0 <= seat < len(table.occupants):
        raise NotFound("there is no such seat")
    await seats.leave(server, table, table.occupants[seat if frees else seated(at, seat)], before_deal=frees)
    return summary(server, table)


@router.get("/tables/{id}/view", tags=["play"], response_model=Facts)
async def get_view(
    request: Request,
    id: str,
    move: Annotated[int | None, Query(ge=0, le=100_000, description="after so many moves")] = None,
) -> Response:
    """What you may know, now or after so many moves."""
    server = server_of(request)
    table = await server.table(id)
    async with table.lock:
        at = viewer_of(request, table)
        if not table.begun:
            raise Conflict("the match has not begun: somebody is still awaited")
        return await made(server, lambda: api_json.view(server, table, at, move))


@router.get("/tables/{id}/options", tags=["play"], response_model=Facts)
async def get_options(request: Request, id: str, language: Language = "en") -> Response:
    """Your decision: the question, what you may choose, and what the rules refuse and why."""
    server = server_of(request)
    table = await server.table(id)
    async with table.lock:
        at = viewer_of(request, table)
        return await made(server, lambda: api_json.options(table, at, language))


@router.post("/tables/{id}/undo", tags=["play"])
async def post_undo(request: Request, id: str, against: Against) -> dict[str, object]:
    """Take back your last option, if nothing was learnt and nobody else decided since."""
    count(request, "post")
    server = server_of(request)
    table = await server.table(id)
    seat = seated(await back_at(request, table), against.seat)
    await back.undo(server, table, seat, against.version)
    return summary(server, table)


@router.post("/tables/{id}/end", tags=["play"])
async def post_end(request: Request, id: str) -> dict[str, object]:
    """Agree to end a match that cannot be replayed any more, as it stands; its `status` is `over` when all agree."""
    count(request, "post")
    server = server_of(request)
    table = await server.table(id)
    await end_stranded.end_as_it_stands(server, table, viewer_of(request, table).mine)
    return summary(server, table)


@router.post("/tables/{id}/hint", tags=["play"])
async def post_hint(request: Request, id: str, language: Language = "en", option: str = "") -> dict[str, object]:
    """What the server's strong bot thinks of your decision, where the table allows it; it takes about a second.

    The best option comes first; `number` is the number that an option has in the decision. Reasons say why the best
    option is better than this one. `option` is one of yours that the answer includes in any case.
    """
    server = server_of(request)
    table = await server.table(id)
    at = viewer_of(request, table)
    seat = seated(at, table.who if table.who in at.mine else None)
    count(request, "hint", table.id, seat)
    given = await analysis.hint(server, table, seat, option)
    await given.done.wait()
    if given.failed:
        raise Conflict("the bot has no answer: try again")
    async with table.lock:
        seated(viewer_of(request, table), seat)  # who has left meanwhile is told nothing
        if given.version != table.version:
            raise Stale("the table has moved on: look again and choose")
        best = api_json.hint_facts(table, given.best, language)
        return {"version": table.version, "seat": seat, "options": best}


@router.get("/tables/{id}/log", tags=["play"], response_model=list[dict[str, object]])
async def get_log(request: Request, id: str, language: Language = "en") -> Response:
    """What has happened, in sentences, as you may know it."""
    server = server_of(request)
    table = await server.table(id)
    async with table.lock:
        at = viewer_of(request, table)
        return await made(server, lambda: api_json.log_lines(server, table, at, language))


@router.get("/tables/{id}/events", tags=["play"], response_class=Response)
async def get_events(request: Request, id: str, tab: Annotated[str, Query(max_length=40)] = "") -> Response:
    """Server-sent events: `table` when it moves (with your options when you are asked), `here`, `seats`, `chat`, ...

    A page calls itself by `tab`, so that it can tell later whether somebody looks at it.
    """
    count(request, "listen")
    server = server_of(request)
    table = await server.table(id)
    if not tab:  # a browser opens the stream of a hidden page again by itself
        await opened_at(request, table)
    async with table.lock:
        at = viewer_of(request, table)
        listener = at.listener()
        listener.tab = tab
        listener.tell(server.standing(table, at.mine))
    return Stream(table.hub, listener, lambda: server.tell_here(table))


@router.get("/tables/{id}/record", tags=["records"], response_class=PlainTextResponse)
async def get_record(request: Request, id: str) -> PlainTextResponse:
    """The record as text; without its seed until the match is over."""
    server = server_of(request)
    table = await server.table(id)
    viewer_of(request, table)
    async with table.lock:
        if not table.begun:
            raise Conflict("the match has not begun: somebody is still awaited")
        return await server.in_thread(lambda: PlainTextResponse(record(table).dumps()))


@router.get("/tables/{id}/review", tags=["records"], responses={202: {"description": "It is being made"}})
async def get_review(request: Request, id: str, language: Language = "en") -> Response:
    """Each seat's chance after every move of a finished match, its dearest decisions, and what chance did.

    202 while it is made.
    """
    count(request, "post")
    server = server_of(request)
    table = await server.table(id)
    viewer_of(request, table)
    found = await analysis.review(server, table)
    if isinstance(found, Progress):
        judged = {"judged": found.judged, "to_judge": found.to_judge}
        return JSONResponse({"looked_at": found.looked_at, "positions": found.whole, **judged}, 202)
    async with table.lock:
        await server.load_match(table)
        return await made(server, lambda: review_facts(table, found, language))


@router.post("/records", status_code=201, tags=["records"])
async def post_record(request: Request, language: Language = "en") -> dict[str, object]:
    """Upload a record (its text is the body): a table to look at and to play on."""
    count(request, "open")
    server = server_of(request)
    body = await request.body()
    new, written = await import_record.table_of(server, body.decode("utf-8", "replace"), language)
    person = person_of(request)
    await spend_upload(server, network_of(request.scope), person, len(body))
    token = ""
    if person is None:
        person, token = await server.people.welcome("")
    table = await open_table(server, person, new, written)
    return {"table": summary(server, table), "person": token}
