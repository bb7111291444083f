"""Pages of a finished match for everyone with its link: result, review, positions, and positions to embed.

All pages use a copy of the table without the names of players who have not agreed to be named (see
`server/tables/share.py`).
"""

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from triclinium.engine.visible_scores import get_upper_bound
from triclinium.server.bots.jobs import ReviewProgress
from triclinium.server.errors import NotFound
from triclinium.server.http.api import share as share_commands
from triclinium.server.http.auth import PERSON_SCOPE_KEY, check_rate_limit
from triclinium.server.net.middleware import POLICY_HEADER, SECURITY_HEADERS
from triclinium.server.optional_dependencies import PICTURES
from triclinium.server.presenter.log import build_public_record
from triclinium.server.presenter.table_view import TableView, choose_viewing_seat
from triclinium.server.tables import analysis
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import LockedTable
from triclinium.web import assets
from triclinium.web.datetimes import format_utc_date
from triclinium.web.forms import FieldValues, FormRoutes
from triclinium.web.page_context import PageContext, PostedForm
from triclinium.web.pages.review import render_progress_page, render_review_page
from triclinium.web.pages.shared_link import SharedMatch, open_shared_match
from triclinium.web.pages.shuffle_commitment import render_seal_page
from triclinium.web.pages.table_clocks import summarize_result
from triclinium.web.pages.table_page import (
    build_table_variables,
    format_seat_query,
    read_requested_seat,
    render_table_page,
    render_table_template,
)
from triclinium.web.pages.table_result import describe_result

router = APIRouter(include_in_schema=False)
forms = FormRoutes(share_commands.commands)
MAX_SEATS = 6

ANONYMOUS_VIEWER = Viewer(None, ())
EMBED_HEADERS = {
    POLICY_HEADER.decode(): dict(SECURITY_HEADERS)[POLICY_HEADER.decode()].replace(
        "frame-ancestors 'none'", "frame-ancestors *"
    ),
}


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """The title, text and picture that a messenger shows next to the link of a match."""

    title: str
    occasion: str  # game, number of players and date
    text: str
    has_picture: bool  # the server draws a picture of the result
    cover: str  # file name of the game's own picture; empty if the game has none


@dataclass(frozen=True)
class SharedMatchVariables:
    """The variables of a shared match's page in addition to those of the table."""

    link_preview: LinkPreview
    colours: list[str]  # the colour of each seat


@dataclass(frozen=True)
class EmbedVariables:
    """The variables of an embedded position in addition to those of the table."""

    colours: list[str]  # the colour of each seat


@router.get("/matches/{id}")
async def get_shared(request: Request, id: str) -> Response:
    """Return the result of the match, with links to its other pages."""
    shared = await open_shared_match(request, id)
    async with shared.services.tables.locked(shared.table) as table:
        return await shared.services.runtime.run_in_thread(_render_shared_page, shared, table)


def _render_shared_page(shared: SharedMatch, locked: LockedTable) -> Response:
    context, table = shared.context, shared.make_readable_copy(locked, shared.context.language)
    table_view = TableView(table, (), None, context.language)
    page = SharedMatchVariables(build_link_preview(context, table_view), table.game.seat_colours(table_view.view))
    variables = build_table_variables(context, table_view, ANONYMOUS_VIEWER)
    response = render_table_template(context, table_view, variables, "shared_match.html.jinja", **vars(page))
    return _forbid_indexing(response)


def build_link_preview(context: PageContext, table_view: TableView) -> LinkPreview:
    """Return the title, text and picture that a messenger shows next to the link."""
    table, localize = table_view.table, context.localize
    points = summarize_result(context, table_view).points
    ranking = sorted(points, key=lambda score: (score.rank or 0, score.seat))
    occasion = localize(
        "{0}, {1} players, {2}",
        localize.name(table.game.name, table.game),
        len(table.occupants),
        format_utc_date(table.moved, context.language),
    )
    results = [
        f"{table.occupants[score.seat].name} {localize.points(get_upper_bound(score.total))}"
        if score.total is not None
        else table.occupants[score.seat].name
        for score in ranking
    ]
    return LinkPreview(
        title=describe_result(localize, table, points, None).removesuffix("."),
        occasion=occasion,
        text=f"{occasion}. {', '.join(results)}.",
        has_picture=PICTURES.is_available(),
        cover=f"{table.game_id}-{assets.COVER_FILE}" if assets.has_file(table.game, assets.COVER_FILE) else "",
    )


def _forbid_indexing(page: Response) -> Response:
    """Tell search engines not to index the page."""
    page.headers["x-robots-tag"] = "noindex"
    return page


@router.get("/matches/{id}/positions")
async def redirect_to_position(request: Request, id: str, move: int = 0) -> Response:
    """Redirect to a position. Readers without script choose it in the form of the time machine."""
    context = (await open_shared_match(request, id)).context
    return context.redirect(f"/matches/{id}/positions/{max(0, move)}{format_seat_query(context)}")


@router.get("/matches/{id}/positions/{n}")
async def get_position(request: Request, id: str, n: int) -> Response:
    shared = await open_shared_match(request, id)
    async with shared.services.tables.locked(shared.table) as table:
        copy = shared.make_readable_copy(table, shared.context.language)
        return _forbid_indexing(
            await shared.services.runtime.run_in_thread(
                render_table_page, shared.context, copy, ANONYMOUS_VIEWER, past=n
            )
        )


@router.get("/matches/{id}/review")
async def get_review(request: Request, id: str) -> Response:
    """Return the review of the match. The first request starts the analysis."""
    check_rate_limit(request, "post")
    shared = await open_shared_match(request, id)
    result = await analysis.request_review(shared.services, shared.table)
    async with shared.services.tables.locked(shared.table) as table:
        copy = shared.make_readable_copy(table, shared.context.language)
        if isinstance(result, ReviewProgress):
            return await shared.services.runtime.run_in_thread(
                render_progress_page, shared.context, copy, ANONYMOUS_VIEWER, result
            )
        return _forbid_indexing(
            await shared.services.runtime.run_in_thread(
                render_review_page, shared.context, copy, ANONYMOUS_VIEWER, result
            )
        )


@router.get("/matches/{id}/record")
async def get_record(request: Request, id: str) -> Response:
    """Return the record of the match, which contains no names."""
    shared = await open_shared_match(request, id)
    async with shared.services.tables.locked(shared.table) as table:
        text = await shared.services.runtime.run_in_thread(lambda: build_public_record(table).dumps())
    name = f"{shared.table.game_id}-{shared.share.id}.txt"
    return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{name}"'})


@router.get("/matches/{id}/shuffle")
async def get_seal(request: Request, id: str) -> Response:
    shared = await open_shared_match(request, id)
    async with shared.services.tables.locked(shared.table) as table:
        copy = shared.make_readable_copy(table, shared.context.language)
    return _forbid_indexing(await render_seal_page(shared.context, copy))


# -- embedded in another site ------------------------------------------------------------------------------------------


@router.get("/matches/{id}/positions/{n}/embed")
async def get_embed(request: Request, id: str, n: int) -> Response:
    """Return a position to embed in another site: board, last move and link. Cookies are ignored."""
    scope = {**request.scope, PERSON_SCOPE_KEY: None}
    scope["headers"] = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
    shared = await open_shared_match(Request(scope), id, anonymous=True)
    async with shared.services.tables.locked(shared.table) as table:
        page = await shared.services.runtime.run_in_thread(_render_embed, shared, table, n)
    page.headers.update(EMBED_HEADERS)
    return _forbid_indexing(page)


def _render_embed(shared: SharedMatch, locked: LockedTable, n: int) -> Response:
    context, table = shared.context, shared.make_readable_copy(locked, shared.context.language)
    if not 0 <= n <= table.moves:
        raise NotFound("This match has no such move.")
    seat = choose_viewing_seat(table, (), read_requested_seat(context), n)
    table_view = TableView(table, (), seat, context.language, n)
    page = EmbedVariables(table.game.seat_colours(table_view.view))
    variables = build_table_variables(context, table_view, ANONYMOUS_VIEWER)
    return render_table_template(context, table_view, variables, "embed.html.jinja", **vars(page))


# -- form on the page of the table ------------------------------------------------------------------------------------


@forms.read(share_commands.put_share)
def read_named_seats(context: PageContext, form: PostedForm) -> FieldValues:
    """Read the seats whose names are shown. Each seat of the reader has its own checkbox."""
    return {"named_seats": [seat for seat in range(MAX_SEATS) if form.flag(f"named{seat}")]}


@forms.read(share_commands.post_share)
def read_new_share(context: PageContext, form: PostedForm) -> FieldValues:
    return {**read_named_seats(context, form), "page_language": context.language}
