"""HTTP API, version 1: finished matches that a player shares by a link, which anyone can open."""

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from triclinium.server.errors import NotFound
from triclinium.server.http.api.tables import JsonObject, Language, build_json_response
from triclinium.server.http.auth import check_rate_limit, get_current_viewer, get_services, require_seat
from triclinium.server.http.commands import Api, Arguments, CommandList, Form
from triclinium.server.http.table_commands import SEAT_HOLDER, TableArguments, TableCaller
from triclinium.server.presenter.api_json import ERROR_RESPONSES
from triclinium.server.presenter.outcome import load_outcome
from triclinium.server.presenter.table_view import TableView
from triclinium.server.services import Services
from triclinium.server.storage.store import Store
from triclinium.server.tables import share
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.share import MatchShare
from triclinium.server.tables.table import Table

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["shares"])
commands = CommandList(router)
SHARE_SECTION = "/tables/{id}#share"  # section of the table's page

ShareLink = Annotated[str, Path(min_length=8, max_length=24)]


class ShareBody(Arguments):
    """The choice whether the shared page shows the names of your seats."""

    show_name: bool = Field(False, description="true: show your name on the page; false: show “Anonymous”")


class SharedNames(ShareBody, TableArguments):
    """The names on the shared page. Forms have a checkbox for each seat, and send the checked seats as a list."""

    named_seats: list[int] | None = None


class NewShare(SharedNames):
    """A new link to a match, and the language of its picture. Forms send the language of the page instead."""

    language: Literal["en", "fr"] = Field("en", description="language of the sentences")
    page_language: str = ""


async def _load_as_player(request: Request, id: str) -> tuple[Services, Table, Viewer]:
    check_rate_limit(request, "post")
    services = get_services(request)
    table = await services.tables.get_table(id)
    viewer = get_current_viewer(request, table)
    require_seat(viewer)
    return services, table, viewer


def _build_share_json(shared_match: MatchShare | None, viewer: Viewer) -> JsonObject:
    if shared_match is None:
        return {"share": None, "path": None, "show_name": False}
    return {
        "share": shared_match.id,
        "path": shared_match.path,
        "show_name": all(seat in shared_match.named_seats for seat in viewer.own_seats),
    }


@router.get("/tables/{id}/share")
async def get_share(request: Request, id: str) -> JsonObject:
    """Return the link of a match that you played; null until a player creates it."""
    services, table, viewer = await _load_as_player(request, id)

    def build() -> JsonObject:
        with services.store.read_connection() as connection:
            return _build_share_json(share.find_share(connection, table.id), viewer)

    return await services.runtime.run_in_thread(build)


def _choose_named_seats(caller: TableCaller, arguments: SharedNames) -> Sequence[int]:
    if arguments.named_seats is not None:
        return [seat for seat in caller.own_seats if seat in arguments.named_seats]
    return caller.own_seats if arguments.show_name else ()


@commands.add(
    "create-share",
    SEAT_HOLDER,
    api=Api(
        "POST", "/tables/{id}/share", status_code=201, query=["language"], left_out=["named_seats", "page_language"]
    ),
    form=Form("/tables/{id}/share", SHARE_SECTION, when=["operation=create"]),
)
async def post_share(caller: TableCaller, arguments: NewShare) -> JsonObject:
    """Create the link of a finished match, with or without your name and with a picture in this language."""
    named = _choose_named_seats(caller, arguments)
    store, viewer = caller.services.store, caller.viewer
    language = arguments.page_language or arguments.language
    return _build_share_json(await share.create_share(store, caller.table, viewer, named, language), viewer)


@commands.add(
    "set-shared-names",
    SEAT_HOLDER,
    api=Api("PUT", "/tables/{id}/share", left_out=["named_seats"]),
    form=Form("/tables/{id}/share", SHARE_SECTION, when=["operation=set-names"]),
)
async def put_share(caller: TableCaller, arguments: SharedNames) -> JsonObject:
    """Show or hide your name on the shared page."""
    named = _choose_named_seats(caller, arguments)
    store, viewer = caller.services.store, caller.viewer
    return _build_share_json(await share.set_named_seats(store, caller.table, viewer, named), viewer)


@commands.add(
    "revoke-share",
    SEAT_HOLDER,
    api=Api("DELETE", "/tables/{id}/share"),
    form=Form("/tables/{id}/share", SHARE_SECTION, when=["operation=revoke"]),
)
async def delete_share(caller: TableCaller, arguments: TableArguments) -> JsonObject:
    """Revoke the link of a match. Every player of the match can do this."""
    await share.revoke_share(caller.services.store, caller.table, caller.viewer)
    return _build_share_json(None, caller.viewer)


@router.get("/matches/{link}", response_model=JsonObject)
async def get_shared_match(request: Request, link: ShareLink, language: Language = "en") -> Response:
    """Return the result and the score sheet of a shared match. Players who have not agreed have no name."""
    services = get_services(request)
    shared_match = await find_shared_match(request, link)
    async with services.tables.locked(shared_match.table) as table:
        names = share.list_public_names(table, shared_match, [""] * len(table.occupants))
        return await build_json_response(
            services.runtime,
            lambda: build_match_json(
                share.make_public_copy(table, shared_match, f"api {language}", names), services.store, language
            ),
        )


async def find_shared_match(request: Request, link: str) -> MatchShare:
    """Return the shared match of a link. Raise NotFound if there is none.

    Raise LimitExceeded after too many wrong links, so that nobody can guess them.
    """
    services = get_services(request)

    def load() -> MatchShare:
        with services.store.read_connection() as connection:
            return share.load_share(connection, link)

    try:
        return await services.runtime.run_in_thread(load)
    except NotFound:
        check_rate_limit(request, "guess")
        raise


def build_match_json(table: Table, store: Store, language: str) -> JsonObject:
    """Return the result and the score sheet of a match as JSON."""
    table_view = TableView(table, (), None, language)
    scores = load_outcome(store, table).with_final_ranks(table_view.points)
    return {
        "game": table.game_id,
        "name": table.name,
        "ended": table.moved,
        "moves": table.moves,
        "variants": dict(table.options.variants),
        "seats": [
            {
                "seat": occupant.seat,
                "name": occupant.name,
                "bot": occupant.bot,
                "rank": score.rank,
                "total": score.total,
            }
            for occupant, score in zip(table.occupants, scores, strict=True)
        ],
        "lines": [
            {"name": line.name, "points" if table.game.has_points else "values": line.points}
            for line in table_view.score_lines()
        ],
    }
