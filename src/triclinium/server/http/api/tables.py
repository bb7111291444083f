"""HTTP API, version 1: games, tables and play. A program can take a seat and do everything that the pages offer."""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Literal, TypeAlias, TypedDict

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from triclinium.engine.registry import list_games
from triclinium.i18n.catalog import list_languages
from triclinium.server.accounts.quotas import spend_upload_quota
from triclinium.server.bots.jobs import ReviewProgress
from triclinium.server.crypto import hash_token, make_token
from triclinium.server.errors import Conflict, StaleVersion
from triclinium.server.http.auth import (
    check_rate_limit,
    get_current_person,
    get_current_viewer,
    get_services,
    require_seat,
    resume_on_open,
)
from triclinium.server.http.commands import Api, CommandList, Form
from triclinium.server.http.table_commands import VIEWER, TableArguments, TableCaller
from triclinium.server.net.client_address import get_client_network
from triclinium.server.presenter import api_json
from triclinium.server.presenter.api_json import (
    ERROR_RESPONSES,
    build_game_json,
    build_invitations_json,
    build_summary_json,
    build_table_json,
)
from triclinium.server.presenter.log import build_public_record
from triclinium.server.presenter.review import build_review_json
from triclinium.server.rule_search import search_entries
from triclinium.server.runtime import Runtime
from triclinium.server.sanitize import check_encodable
from triclinium.server.tables import analysis, import_record, invitations, lobby
from triclinium.server.tables.broadcast import make_snapshot_event, schedule_presence_broadcast
from triclinium.server.tables.create import make_new_table, open_table, require_game
from triclinium.server.tables.deals import check_deal_closed, find_deal
from triclinium.server.tables.event_stream import EventStreamResponse
from triclinium.server.tables.options import SeatOptions, TableOptions
from triclinium.server.workshop.access import check_workshop
from triclinium.server.workshop.editions import StoredEdition, load_edition, load_playable_game
from triclinium.server.workshop.playtests import find_playtest, open_playtest_table

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES)
commands = CommandList(router)

Language = Annotated[Literal["en", "fr"], Query(description="language of the sentences")]
SeatNumber = Annotated[int, Field(ge=0, le=5)]


JsonObject: TypeAlias = dict[str, object]


async def build_json_response(runtime: Runtime, build: Callable[[], object]) -> Response:
    """Return JSON of any size. A thread builds and encodes it, so that it does not block the event loop."""
    return await runtime.run_in_thread(lambda: JSONResponse(build()))


def stringify_variants(variants: dict[str, str | int | bool]) -> dict[str, str]:
    """Return the values of variants as strings. Requests may also send numbers and booleans."""
    texts = {name: ("off", "on")[value] if isinstance(value, bool) else str(value) for name, value in variants.items()}
    return check_encodable(texts)


# Options of a new table whose name in storage differs from the name in the API.
STORED_NAMES = {
    "visibility": "shown",
    "shuffle_seats": "shuffle",
    "remind_after": "remind",
    "substitute_after": "takeover",
    "ready_check": "ready",
    "time_bank": "store",
    "delay": "free",
    "auto_substitute": "bots",
    "untrained_bots": "plain",
}
HANDLED_BEFORE = ("edition", "playtest")  # arguments of a new table that are read before its options


class NewSeatBody(BaseModel):
    """A seat of a new table."""

    model_config = ConfigDict(extra="forbid", strict=True)
    kind: Literal["me", "invite", "bot"]
    name: str = Field("", max_length=200)
    bot: str = Field("", max_length=40)


class NewTableBody(BaseModel):
    """A new table: its game, seats, variants and options."""

    model_config = ConfigDict(extra="forbid", strict=True)
    game: str = Field(max_length=40)
    seats: list[NewSeatBody] = Field(min_length=1, max_length=6)
    variants: Annotated[dict[str, str | int | bool], AfterValidator(stringify_variants)] = Field(
        default_factory=dict,
        max_length=40,
        description="a JSON number or boolean, or its text: `40`, `on`",
    )
    name: str = Field("", max_length=200, description="name of the table")
    deal: str = Field("", max_length=60, description="id of a shared deal, whose variants and cards the table gets")
    player: str = Field("", max_length=200, description="your nickname")
    visibility: Literal["link", "listed", "watched"] = "link"
    undo: bool = True
    hints: bool = True
    shuffle_seats: bool = False
    remind_after: int = Field(0, ge=0, le=2_592_000, description="seconds until a reminder; 0: never")
    substitute_after: int = Field(
        0,
        ge=0,
        le=2_592_000,
        description="seconds of absence before the others can vote for a substitute bot, at least 600; 0: 600",
    )
    ready_check: bool = Field(False, description="the match starts only after all players confirm that they are ready")
    time_bank: int = Field(0, ge=0, le=1_209_600, description="seconds of thinking time for each seat; 0: no clock")
    delay: int = Field(0, ge=0, le=259_200, description="seconds of each turn before the time bank runs")
    auto_substitute: bool = Field(
        True, description="true: a substitute bot plays when a player's time runs out; false: the others vote"
    )
    untrained_bots: bool = Field(False, description="true: bots play without their trained networks")
    edition: str = Field("", max_length=12, description="id of one of your editions; empty: the printed game")
    playtest: str = Field("", max_length=12, description="id of a playtest, which gives the table one of two editions")

    def to_options(self) -> TableOptions:
        """Return the options of the table as they are stored."""
        facts = {
            STORED_NAMES.get(name, name): value
            for name, value in self.model_dump().items()
            if name not in HANDLED_BEFORE
        }
        return TableOptions.from_facts(facts)


@router.get("/games", tags=["games"], response_model=list[dict[str, object]])
async def get_games(request: Request) -> Response:
    """List all games of this server."""
    return await build_json_response(
        get_services(request).runtime, lambda: [build_game_json(require_game(id)) for id in list_games()]
    )


@router.get("/games/{id}", tags=["games"], response_model=JsonObject)
async def get_game(request: Request, id: str) -> Response:
    """Return the description of a game: its seats, variants and verbs."""
    return await build_json_response(get_services(request).runtime, lambda: build_game_json(require_game(id)))


@router.get("/games/{id}/search", tags=["games"], response_model=JsonObject)
async def search_rules(
    request: Request, id: str, q: Annotated[str, Query(max_length=200)], language: str = "en"
) -> Response:
    """Search the rules, rulings and components of a game for all words. A rule with this number comes first."""

    def build() -> JsonObject:
        search_language = language if language in list_languages() else list_languages()[0]
        results = search_entries(require_game(id), search_language, q)
        return {
            "results": [
                {"part": result.part, "id": result.number, "title": result.title, "text": result.text}
                for result in results
            ],
        }

    return await build_json_response(get_services(request).runtime, build)


@router.get("/tables", tags=["tables"], response_model=JsonObject)
async def get_tables(
    request: Request,
    which: Literal["open", "running", "mine"] = "open",
    page: Annotated[int, Query(ge=1, le=10_000)] = 1,
) -> Response:
    """List open tables with a free seat, running tables that you can watch, or your own tables, twenty a page."""

    def build() -> JsonObject:
        tables_page = lobby.load_tables_page(get_services(request).store, which, get_current_person(request), page)
        return {"page": page, "more": tables_page.more, "tables": [row.to_json() for row in tables_page.lines]}

    return await build_json_response(get_services(request).runtime, build)


@router.post("/tables", status_code=201, tags=["tables"])
async def post_table(request: Request, body: NewTableBody) -> dict[str, object]:
    """Open a table. Without a cookie, you get the token of your seat."""
    check_rate_limit(request, "open")
    services = get_services(request)
    game = require_game(body.game)
    person = get_current_person(request)
    token = "" if person else make_token()
    token_hash = hash_token(token) if token else ""
    seat_options = [
        SeatOptions(seat.kind, seat.name, seat.bot, token=token_hash if seat.kind == "me" else "")
        for seat in body.seats
    ]
    options = body.to_options()
    deal = await services.runtime.run_in_thread(find_deal, services.store, body.deal) if body.deal else None
    text = ""
    if body.edition:
        edition = await services.runtime.run_in_thread(load_own_edition, request, body.edition, game.id)
        game = await services.runtime.run_in_thread(load_playable_game, edition)
        options, text = replace(options, edition=edition.name), edition.text
    new_table = await services.runtime.run_in_thread(make_new_table, game, seat_options, options, body.name, deal, text)
    playtest = None
    if body.playtest:
        playtest = await services.runtime.run_in_thread(find_playtest, services, body.playtest)
    if person is None:
        person, _ = await services.people.create_person(body.player)
    if playtest is None:
        table = await open_table(services, person, new_table)
    else:
        table = await open_playtest_table(services, person, playtest, new_table)
    mine = (
        [occupant.seat for occupant in table.occupants if occupant.token == token_hash]
        if token
        else table.list_seats_of(person.id)
    )
    free = [occupant for occupant in table.occupants if not occupant.taken]
    return {
        "table": build_summary_json(services, table),
        "seat": mine[0] if mine else None,
        "token": token,
        "code": table.code,
        "invitations": build_invitations_json(services.key, table, free),
        "watch": invitations.make_watch_token(services.key, table),
    }


def load_own_edition(request: Request, id: str, game_id: str) -> StoredEdition:
    """Return one of the caller's editions of a game. Raise `NotFound` or `NotAllowed` if they cannot use it."""
    services, person = get_services(request), get_current_person(request)
    check_workshop(services.settings, request.scope)
    with services.store.read_connection() as connection:
        edition = load_edition(connection, id, None if person is None else person.id)
    if edition.game_id != game_id:
        raise Conflict("This edition is of another game.")
    return edition


@router.get("/tables/{id}", tags=["tables"], response_model=JsonObject)
async def get_table(request: Request, id: str, language: Language = "en") -> Response:
    """Return the table as you may see it: its seats, your view of the match, and your decision if it is your turn."""
    services = get_services(request)
    table = await services.tables.get_table(id)
    await resume_on_open(request, table)
    async with services.tables.locked(
        table
    ) as table:  # lock first, because the caller's seat may change hands meanwhile
        viewer = get_current_viewer(request, table)
        return await build_json_response(services.runtime, lambda: build_table_json(services, table, viewer, language))


@router.get("/tables/{id}/view", tags=["play"], response_model=JsonObject)
async def get_view(
    request: Request,
    id: str,
    move: Annotated[
        int | None, Query(ge=0, le=100_000, description="number of moves after which the view is shown")
    ] = None,
) -> Response:
    """Return your view of the match, now or after a number of moves."""
    services = get_services(request)
    async with services.tables.locked(id) as table:
        viewer = get_current_viewer(request, table)
        if not table.begun:
            raise Conflict("The match has not started yet. Some players are still missing.")
        return await build_json_response(services.runtime, lambda: api_json.view(services, table, viewer, move))


@router.get("/tables/{id}/options", tags=["play"], response_model=JsonObject)
async def get_options(request: Request, id: str, language: Language = "en") -> Response:
    """Return your decision: the question, the options, and the reasons for which the rules exclude others."""
    services = get_services(request)
    async with services.tables.locked(id) as table:
        viewer = get_current_viewer(request, table)
        return await build_json_response(services.runtime, lambda: api_json.build_options_json(table, viewer, language))


class HintArguments(TableArguments):
    """The language of a hint, and an option that the hint always includes."""

    language: Literal["en", "fr"] = Field("en", description="language of the sentences")
    option: str = ""
    seat: int | None = None


class Hint(TypedDict):
    """A hint for one decision."""

    version: int
    seat: int
    options: list[dict[str, object]]


@commands.add(
    "request-hint",
    VIEWER,
    api=Api("POST", "/tables/{id}/hint", tags=["play"], query=["language", "option"], left_out=["seat"]),
    form=Form("/tables/{id}/hint", rates=["hint"]),
    rates=[],  # the handler counts requests of the API by seat
)
async def post_hint(caller: TableCaller, arguments: HintArguments) -> Hint:
    """Request a hint from the server's strong bot, if the table allows hints. This takes about a second.

    The best option comes first; `number` is the number of an option in the decision. Reasons say why the best option
    is better than this one. `option` is one of yours, and the answer always includes it.
    """
    services, request, table = caller.services, caller.request, caller.table
    asked = table.who if table.who in caller.own_seats and not caller.is_form else arguments.seat
    seat = caller.require_seat(asked)
    if caller.is_form:  # the page shows the hint once it is ready
        await analysis.request_hint(services, table, seat, arguments.option)
        return {"version": table.version, "seat": seat, "options": []}
    check_rate_limit(request, "hint", table.id, seat)
    hint = await analysis.request_hint(services, table, seat, arguments.option)
    await hint.done.wait()
    if hint.failed:
        raise Conflict("The bot could not answer. Please try again.")
    async with services.tables.locked(table) as locked:
        require_seat(get_current_viewer(request, locked), seat)  # a player who has left the seat meanwhile gets no hint
        if hint.version != locked.version:
            raise StaleVersion("The table has changed in the meantime. Please check it and choose again.")
        best = api_json.build_hint_json(locked, hint.best, arguments.language)
        return {"version": locked.version, "seat": seat, "options": best}


@router.get("/tables/{id}/log", tags=["play"], response_model=list[dict[str, object]])
async def get_log(request: Request, id: str, language: Language = "en") -> Response:
    """Return the log of the match in sentences, as far as you may know it."""
    services = get_services(request)
    async with services.tables.locked(id) as table:
        viewer = get_current_viewer(request, table)
        return await build_json_response(
            services.runtime, lambda: api_json.build_log_json(services.store, table, viewer, language)
        )


@router.get("/tables/{id}/events", tags=["play"], response_class=Response)
async def get_events(request: Request, id: str, tab: Annotated[str, Query(max_length=40)] = "") -> Response:
    """Stream server-sent events: `table` after a change (with options on your turn), `presence`, `seats`, `chat`, ...

    `tab` is the name that a page gives itself, to report later whether it is visible.
    """
    check_rate_limit(request, "listen")
    services = get_services(request)
    table = await services.tables.get_table(id)
    if not tab:  # a page with a name may be hidden: browsers reopen its stream by themselves
        await resume_on_open(request, table)
    async with services.tables.locked(table) as locked:
        viewer = get_current_viewer(request, locked)
        listener = viewer.make_listener()
        listener.tab = tab
        listener.send(make_snapshot_event(locked, viewer.own_seats))
    return EventStreamResponse(table.hub, listener, lambda: schedule_presence_broadcast(services.runtime, table))


@router.get("/tables/{id}/record", tags=["records"], response_class=PlainTextResponse)
async def get_record(request: Request, id: str) -> PlainTextResponse:
    """Download the record of the match as text. The seed is left out until the match is over."""
    services = get_services(request)
    table = await services.tables.get_table(id)
    get_current_viewer(request, table)
    async with services.tables.locked(table) as table:
        if not table.begun:
            raise Conflict("The match has not started yet. Some players are still missing.")
        check_deal_closed(table)
        return await services.runtime.run_in_thread(lambda: PlainTextResponse(build_public_record(table).dumps()))


@router.get("/tables/{id}/review", tags=["records"], responses={202: {"description": "The review is not finished yet"}})
async def get_review(request: Request, id: str, language: Language = "en") -> Response:
    """Return the review of a finished match: win probabilities after each move, costliest mistakes, and luck.

    The status is 202 with the progress while the review is being made.
    """
    check_rate_limit(request, "post")
    services = get_services(request)
    table = await services.tables.get_table(id)
    get_current_viewer(request, table)
    result = await analysis.request_review(services, table)
    if isinstance(result, ReviewProgress):
        progress = {"decisions_done": result.evaluated_decisions, "decisions": result.decisions}
        return JSONResponse(
            {"positions_done": result.evaluated_positions, "positions": result.positions, **progress}, 202
        )
    async with services.tables.locked(table) as table:
        return await build_json_response(services.runtime, lambda: build_review_json(table, result, language))


@router.post("/records", status_code=201, tags=["records"])
async def post_record(request: Request, language: Language = "en") -> dict[str, object]:
    """Upload a record, whose text is the request body, as a table that you can replay and continue."""
    check_rate_limit(request, "open")
    services = get_services(request)
    body = await request.body()
    new_table, imported_moves = await import_record.make_table_from_record(
        services.runtime, body.decode("utf-8", "replace"), language
    )
    person = get_current_person(request)
    await spend_upload_quota(services, get_client_network(request.scope), person, len(body))
    token = ""
    if person is None:
        person, token = await services.people.create_person("")
    table = await open_table(services, person, new_table, imported_moves)
    return {"table": build_summary_json(services, table), "token": token}
