"""The picture of a shared match, which a messenger shows beside its link. Made once, and anew when a name changes."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from triclinium.engine.core.state import Seat
from triclinium.engine.game import Game
from triclinium.engine.visible_scores import VisibleScore, greatest
from triclinium.server.bots.pool import GaveUp
from triclinium.server.bots.worker_queue import Origin
from triclinium.server.errors import Conflict
from triclinium.server.http.auth import count
from triclinium.server.optional_dependencies import PICTURES
from triclinium.server.presenter.outcome import ending
from triclinium.server.presenter.table_view import Shown
from triclinium.server.tables import share
from triclinium.server.tables.table import Table
from triclinium.web import svg_colours
from triclinium.web.datetimes import plain_date
from triclinium.web.i18n import Speech
from triclinium.web.page_context import Pages
from triclinium.web.pages.shared_link import Opened, opened

router = APIRouter(include_in_schema=False)

SHAPES = (
    '<circle cx="16" cy="16" r="14"/>',
    '<rect x="3" y="3" width="26" height="26" rx="2.5"/>',
    '<path d="M16 2 31 29H1Z"/>',
    '<path d="M16 .5 31.5 16 16 31.5.5 16Z"/>',
    '<path d="M16 1 29 8.5v15L16 31 3 23.5v-15Z"/>',
    '<path d="m16 1 5 9 10 2-6.5 7.5 1 10.500L16 26l-9.500 4 1-10.500L1 12l10-2Z"/>',
)
ROOM = 272  # of the picture's height, for the rows
STEP = 68  # between two of few


@dataclass(frozen=True, slots=True)
class Row:
    """A seat in the picture: its name with the size of its letters, and its points."""

    seat: Seat
    name: tuple[str, float]
    points: str
    won: bool


@router.get("/m/{id}.png")
async def get_picture(request: Request, id: str) -> Response:
    count(request, "post")
    paint: Callable[[str], bytes] = PICTURES.load("bots.painting").paint
    found = await opened(request, id, anybody=True)
    async with found.table.lock:
        svg = await found.server.in_thread(svg_of, found)
    mark = hashlib.sha256(svg.encode()).hexdigest()
    made = await found.server.in_thread(_kept, found, mark)
    if made is None:
        origin = Origin(found.server.key.caller(), 0, found.table.id, "picture")
        try:
            made = await found.server.bot_pool.run(origin, paint, svg)
        except GaveUp:
            raise Conflict("the picture could not be made") from None
        await share.keep_picture(found.server, found.share, mark, made)
    return Response(made, media_type="image/png", headers={"cache-control": "public, max-age=300"})


def _kept(found: Opened, mark: str) -> bytes | None:
    with found.server.store.reading() as connection:
        return share.picture(connection, found.share, mark)


def svg_of(found: Opened) -> str:
    """The picture in the language of the person who shared the match. The table's lock is held."""
    language = found.share.language
    table, speech = found.copy(language), Speech(language)
    points = ending(found.server, table).counted(Shown(table, (), None, language).points)
    rows = [_row(table, score, speech) for score in sorted(points, key=lambda score: (score.rank or 0, score.seat))]
    pages = found.reading.request.app.state.pages
    assert isinstance(pages, Pages)
    foot = f"{table.name}, {plain_date(table.moved, language)} · Triclinium"
    return drawn(pages, table.game, speech, _winners(table, points, speech), rows, foot)


def drawn(pages: Pages, game: Game, speech: Speech, heading: str, rows: Sequence[Row], foot: str) -> str:
    """The picture of these words."""
    return pages.templates.get_template("share.svg.jinja").render(
        title=svg_colours.fitted(speech.name(game.name, game), 30, 525, 20),
        heading=svg_colours.fitted(heading, 66, 525, 34),
        rows=rows,
        step=min(STEP, ROOM / len(rows)),
        foot=svg_colours.fitted(foot, 26, 545, 18),
        drawn=svg_colours.vignette(game),
        shapes=[Markup(shape) for shape in SHAPES],
        colour=lambda token: svg_colours.colour(game, token),
    )


def _row(table: Table, score: VisibleScore, speech: Speech) -> Row:
    sits = table.occupants[score.seat]
    name = speech("{0}, bot", sits.name) if sits.kind == "bot" else sits.name
    points = "" if score.total is None else speech.points(greatest(score.total))
    return Row(score.seat, svg_colours.fitted(name, 38, 380, 22), points, score.rank == 1)


def _winners(table: Table, points: list[VisibleScore], speech: Speech) -> str:
    best = [table.occupants[score.seat].name for score in points if score.rank == 1]
    return speech("{0} wins" if len(best) == 1 else "{0} share the victory", ", ".join(best))
