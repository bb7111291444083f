"""The picture of a shared match that messengers show next to its link; it is cached until a name changes."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from triclinium.engine.core.state import Seat
from triclinium.engine.game import Game
from triclinium.engine.visible_scores import VisibleScore, get_upper_bound
from triclinium.server.bots.pool import BotJobFailed
from triclinium.server.bots.worker_queue import TaskOrigin
from triclinium.server.errors import Conflict
from triclinium.server.http.auth import check_rate_limit
from triclinium.server.optional_dependencies import PICTURES
from triclinium.server.presenter.outcome import load_outcome
from triclinium.server.presenter.table_view import TableView
from triclinium.server.tables import share
from triclinium.server.tables.table import LockedTable, Table
from triclinium.web import svg_colours
from triclinium.web.datetimes import format_utc_date
from triclinium.web.i18n import Localizer
from triclinium.web.page_context import PageResources
from triclinium.web.pages.shared_link import SharedMatch, open_shared_match

router = APIRouter(include_in_schema=False)

SEAT_SHAPES = (
    '<circle cx="16" cy="16" r="14"/>',
    '<rect x="3" y="3" width="26" height="26" rx="2.5"/>',
    '<path d="M16 2 31 29H1Z"/>',
    '<path d="M16 .5 31.5 16 16 31.5.5 16Z"/>',
    '<path d="M16 1 29 8.5v15L16 31 3 23.5v-15Z"/>',
    '<path d="m16 1 5 9 10 2-6.5 7.5 1 10.500L16 26l-9.500 4 1-10.500L1 12l10-2Z"/>',
)
ROWS_HEIGHT = 272  # the height of all rows together
MAX_ROW_STEP = 68  # the largest distance between two rows


@dataclass(frozen=True, slots=True)
class PictureRow:
    """A row of the picture: the seat, its name with the font size, and its points."""

    seat: Seat
    name: tuple[str, float]
    points: str
    won: bool


@router.get("/matches/{id}.png")
async def get_picture(request: Request, id: str) -> Response:
    check_rate_limit(request, "post")
    convert: Callable[[str], bytes] = PICTURES.load("rasterize").convert_svg_to_png
    shared = await open_shared_match(request, id, anonymous=True)
    async with shared.services.tables.locked(shared.table) as table:
        svg = await shared.services.runtime.run_in_thread(render_svg, shared, table)
    digest = hashlib.sha256(svg.encode()).hexdigest()
    png = await shared.services.runtime.run_in_thread(_load_picture, shared, digest)
    if png is None:
        origin = TaskOrigin(shared.services.key.label_caller(), 0, shared.table.id, "picture")
        try:
            png = await shared.services.bot_pool.run(origin, convert, svg)
        except BotJobFailed:
            raise Conflict("The picture could not be created.") from None
        await share.store_picture(shared.services.store, shared.share, digest, png)
    return Response(png, media_type="image/png", headers={"cache-control": "public, max-age=300"})


def _load_picture(shared: SharedMatch, digest: str) -> bytes | None:
    with shared.services.store.read_connection() as connection:
        return share.load_picture(connection, shared.share, digest)


def render_svg(shared: SharedMatch, locked: LockedTable) -> str:
    """Return the picture in the language of the person who shared the match."""
    language = shared.share.language
    table, localize = shared.make_readable_copy(locked, language), Localizer(language)
    points = load_outcome(shared.services.store, table).with_final_ranks(TableView(table, (), None, language).points)
    rows = [
        _build_row(table, score, localize) for score in sorted(points, key=lambda score: (score.rank or 0, score.seat))
    ]
    pages = shared.context.request.app.state.pages
    assert isinstance(pages, PageResources)
    foot = f"{table.name}, {format_utc_date(table.moved, language)} · Triclinium"
    return render_picture(pages, table.game, localize, _describe_winners(table, points, localize), rows, foot)


def render_picture(
    pages: PageResources, game: Game, localize: Localizer, heading: str, rows: Sequence[PictureRow], foot: str
) -> str:
    """Return the picture with these texts."""
    return pages.templates.get_template("share.svg.jinja").render(
        title=svg_colours.fit_text(localize.name(game.name, game), 30, 525, 20),
        heading=svg_colours.fit_text(heading, 66, 525, 34),
        rows=rows,
        step=min(MAX_ROW_STEP, ROWS_HEIGHT / len(rows)),
        foot=svg_colours.fit_text(foot, 26, 545, 18),
        drawn=svg_colours.resolve_vignette(game),
        shapes=[Markup(shape) for shape in SEAT_SHAPES],
        colour=lambda token: svg_colours.resolve_colour(game, token),
    )


def _build_row(table: Table, score: VisibleScore, localize: Localizer) -> PictureRow:
    occupant = table.occupants[score.seat]
    name = localize("{0}, bot", occupant.name) if occupant.kind == "bot" else occupant.name
    points = "" if score.total is None else localize.points(get_upper_bound(score.total))
    return PictureRow(score.seat, svg_colours.fit_text(name, 38, 380, 22), points, score.rank == 1)


def _describe_winners(table: Table, points: list[VisibleScore], localize: Localizer) -> str:
    winners = [table.occupants[score.seat].name for score in points if score.rank == 1]
    return localize("{0} wins" if len(winners) == 1 else "{0} share the victory", ", ".join(winners))
