"""A finished match as one HTML file that works without a server: the match file of a table or of a shared match.

It shows every position as spectators could see it, the log, the score sheet, the review if there is one, and the
record. `engine/match_file.py` reads and checks it.
"""

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from triclinium.bots.review import Review
from triclinium.engine.core.state import Seat
from triclinium.engine.match_file import format_data, list_digests
from triclinium.server.errors import Conflict
from triclinium.server.http.auth import check_rate_limit, get_current_viewer
from triclinium.server.net.rate_limit import THREAD_TIME
from triclinium.server.presenter.log import build_public_record, build_spectator_log
from triclinium.server.presenter.table_view import TableView
from triclinium.server.tables.analysis import load_review
from triclinium.server.tables.deals import check_deal_closed
from triclinium.server.tables.share import MatchShare, make_public_copy
from triclinium.server.tables.table import LockedTable, LogLine, Table
from triclinium.web.page_context import PageContext
from triclinium.web.pages.review import render_seat_review
from triclinium.web.pages.shared_link import open_shared_match
from triclinium.web.pages.shared_match import ANONYMOUS_VIEWER, build_link_preview
from triclinium.web.pages.table_page import GameArt, build_scores, build_table_variables, render_table_text
from triclinium.web.position_store import PositionStore
from triclinium.web.static_files import StaticFiles

router = APIRouter(include_in_schema=False)

POSITIONS_PER_JOB = 5  # a small number, because other pages wait while a job runs
STYLE_FILES = ("tokens", "base", "pages", "table", "board", "kit", "review", "shared")
CSS_URL = re.compile(r"url\(/static/([\w.-]+)\?\w+\)")
DRAWING_URL = re.compile(r"/static/([\w.-]+\.svg)\?\w+#")
SITE_LINK = re.compile(r' href="/(?!static/)[^"]*"')
ID_OR_REFERENCE = re.compile(r'( id="| aria-labelledby="| href="#|url\(#)')
SECTION_NAME = re.compile(r'(<section[^>]*?) aria-labelledby="[^"]*"')
MakeCopy = Callable[[LockedTable], Table]


@dataclass(frozen=True)
class MatchFileVariables:
    """The variables of a match file's content in addition to those of the table."""

    colours: list[str]  # the colour of each seat
    occasion: str  # game, number of players and date
    position: str  # drawing of the last position, for readers without script
    log: list[LogLine]
    reviews: list[Markup]  # the review of each seat; empty without a review
    record: str
    origin: str  # the address of the server
    in_file: bool = True


@router.get("/tables/{id}/file")
async def get_table_file(request: Request, id: str) -> Response:
    """Return the match file of a table, with all names that the reader can see at the table."""
    context = PageContext(request)
    table = await context.services.tables.get_table(id)
    get_current_viewer(request, table)
    if table.stranded is not None:
        raise table.stranded
    if table.status != "over":
        raise Conflict("The match is not over yet.")
    check_deal_closed(table)
    all_names = MatchShare(table.id, table.id, frozenset(), context.language, "")
    return await _respond(
        context, table, lambda locked: make_public_copy(locked, all_names, context.language, locked.names())
    )


@router.get("/matches/{id}/file")
async def get_shared_file(request: Request, id: str) -> Response:
    """Return the match file of a shared match, with the names of those players who allow it."""
    shared = await open_shared_match(request, id)
    language = shared.context.language
    return await _respond(shared.context, shared.table, lambda locked: shared.make_readable_copy(locked, language))


async def _respond(context: PageContext, table: Table, make_copy: MakeCopy) -> Response:
    check_rate_limit(context.request, "file")
    THREAD_TIME.set(None)  # the rate limit of match files already covers the processor time
    services, positions = context.services, PositionStore()
    for start in range(0, table.moves + 1, POSITIONS_PER_JOB):
        moves = range(start, min(start + POSITIONS_PER_JOB, table.moves + 1))
        async with services.tables.locked(table) as locked:
            await services.runtime.run_in_thread(_add_positions, context, make_copy(locked), positions, moves)
    async with services.tables.locked(table) as locked:
        copy = make_copy(locked)
        text = await services.runtime.run_in_thread(_render_file, context, table, copy, positions)
    return HTMLResponse(text, headers={"content-disposition": f'attachment; filename="{table.game_id}-{copy.id}.html"'})


def _add_positions(context: PageContext, table: Table, positions: PositionStore, moves: range) -> None:
    for html in render_positions(context, table, moves):
        positions.add(html)


def render_positions(context: PageContext, table: Table, moves: Iterable[int]) -> Iterator[str]:
    """Yield the table after each of these moves as spectators could see it then."""
    variables = None
    for n in moves:
        table_view = TableView(table, (), None, context.language, n)
        if variables is None:
            variables = build_table_variables(context, table_view, ANONYMOUS_VIEWER)
        page = replace(
            variables.page,
            scores=build_scores(context, table_view, None),
            clocks=replace(variables.page.clocks, seats=[]),
        )
        position = replace(variables, page=page, view=table_view.view, points=table_view.points, past=n)
        yield render_table_text(context, table_view, position, "match_file/position.html.jinja")


def _render_file(context: PageContext, table: Table, copy: Table, positions: PositionStore) -> str:
    """Return the whole file. ``copy`` is the table without the names that the reader may not see."""
    table_view = TableView(copy, (), None, context.language)
    variables = build_table_variables(context, table_view, ANONYMOUS_VIEWER)
    preview, art = build_link_preview(context, table_view), variables.page.art
    review = load_review(context.services.store, table)
    seats = range(len(copy.occupants))
    reviews = [] if review is None else [_render_review(context, copy, review, seat) for seat in seats]
    record = build_public_record(copy)
    content = MatchFileVariables(
        colours=copy.game.seat_colours(table_view.view),
        occasion=preview.occasion,
        position=Markup(next(render_positions(context, copy, [copy.moves]))),
        log=build_spectator_log(copy, context.language),
        reviews=[Markup(html) for html in reviews],
        record=record.dumps(),
        origin=context.origin,
    )
    body = render_table_text(context, table_view, variables, "match_file/body.html.jinja", **vars(content))
    offline = OfflineHtml(context.pages.files, copy.path)
    signature = context.services.key.sign_record(record.dumps())
    data = format_data(
        record, copy.names(), list_digests(record, copy.game), signature, positions.dump(offline.convert)
    )
    body = offline.convert(body)
    names = ("board.js" if art.has_board else "kit.js", "match_file.js")
    scripts = [offline.files.read_text(name) for name in names]
    return context.render_text(
        "match_file/file.html.jinja",
        title=preview.title,
        game_id=copy.game_id,
        has_board=art.has_board,
        body=Markup(body),
        data=Markup(data),
        drawings=Markup(offline.inline_drawings()),
        styles=Markup(inline_styles(offline.files, copy.game_id, art)),
        scripts=[Markup(script) for script in scripts],
        hashes=Markup(" ".join(map(hash_script, scripts))),
    )


def _render_review(context: PageContext, table: Table, review: Review, seat: Seat) -> str:
    """Return the review of one seat.

    The file has a review of each seat, so ids begin with the seat, and sections are not landmarks.
    """
    html = SECTION_NAME.sub(r"\1", render_seat_review(context, table, ANONYMOUS_VIEWER, review, seat))
    return ID_OR_REFERENCE.sub(rf"\g<1>s{seat}-", html)


class OfflineHtml:
    """A converter of HTML for a page without a server. Links to positions are kept, and drawings are included."""

    def __init__(self, files: StaticFiles, table_path: str) -> None:
        self.files = files
        self._position_link = re.compile(rf'href="{re.escape(table_path)}/positions/(\d+)[^"]*"')
        self._drawings: set[str] = set()

    def convert(self, html: str) -> str:
        """Return HTML that refers only to its own page."""
        html = SITE_LINK.sub("", self._position_link.sub(r'href="#m\1"', html))
        return DRAWING_URL.sub(self._convert_drawing_url, html)

    def _convert_drawing_url(self, found: re.Match[str]) -> str:
        self._drawings.add(found[1])
        return f"#{found[1]}-"

    def inline_drawings(self) -> str:
        """Return the drawings to which the HTML refers. Their ids begin with the name of their file."""
        return "".join(self._inline_drawing(name) for name in sorted(self._drawings))

    def _inline_drawing(self, name: str) -> str:
        text = self.files.read_text(name)
        inner = text[text.index(">", text.index("<svg")) + 1 : text.rindex("</svg>")]
        inner = ID_OR_REFERENCE.sub(rf"\g<1>{name}-", inner)
        return f'<svg width="0" height="0" style="position:absolute" aria-hidden="true">{inner}</svg>'


def inline_styles(files: StaticFiles, game_id: str, art: GameArt) -> str:
    """Return all style sheets of the file as text, with the font of names on maps."""
    names = [f"{name}.css" for name in STYLE_FILES]
    names += [f"{game_id}.css"] if art.has_style else []
    names += [f"{game_id}-colours.css"] if art.has_colours else []
    styles = "\n".join(files.read_text(name) for name in [*names, "match_file.css"])
    return CSS_URL.sub(lambda found: f"url({files.make_data_url(found[1])})", styles)


def hash_script(script: str) -> str:
    """Return the source expression of a script for the Content-Security-Policy."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
