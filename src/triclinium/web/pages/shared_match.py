"""A match that is over, read by anybody with its link: result, review, every position, and what others may frame.

Every page is made from a copy of the table that knows no withheld name; see `server/tables/share.py`.
"""

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from triclinium.engine.visible_scores import greatest
from triclinium.server.bots import analysis
from triclinium.server.bots.jobs import Progress
from triclinium.server.errors import NotFound, RequestError
from triclinium.server.http.auth import PERSON, count
from triclinium.server.net.middleware import HEADERS, POLICY
from triclinium.server.optional_dependencies import PICTURES
from triclinium.server.presenter.log import record
from triclinium.server.presenter.table_view import Shown, viewing_seat
from triclinium.server.tables import share
from triclinium.server.tables.seats import Viewer
from triclinium.web import assets
from triclinium.web.page_context import Reading
from triclinium.web.pages.review import making_page, review_page
from triclinium.web.pages.shared_link import Opened, opened
from triclinium.web.pages.shuffle_commitment import seal_page
from triclinium.web.pages.table_actions import post_at
from triclinium.web.pages.table_clocks import ended
from triclinium.web.pages.table_page import as_wished, drawn, print_page, table_facts, table_page, wished_seat

router = APIRouter(include_in_schema=False)

STRANGER = Viewer(None, ())
FRAMED = {
    POLICY.decode(): dict(HEADERS)[POLICY.decode()].replace("frame-ancestors 'none'", "frame-ancestors *"),
}


@router.get("/m/{id}")
async def get_shared(request: Request, id: str) -> Response:
    """How it ended, and the ways into it."""
    found = await opened(request, id)
    async with found.table.lock:
        return await found.server.in_thread(_page, found)


def _page(found: Opened) -> Response:
    reading, table = found.reading, found.copy(found.reading.language)
    shown = Shown(table, (), None, reading.language)
    facts = {**table_facts(reading, shown, STRANGER), **_told(reading, shown), "notice": ""}
    return _unlisted(drawn(reading, table, facts, 200, "shared.html.jinja"))


def _told(reading: Reading, shown: Shown) -> dict[str, object]:
    """What a messenger shows of the link, and the colours of the seats."""
    table = shown.table
    order = sorted(ended(reading, shown).points, key=lambda score: (score.rank or 0, score.seat))
    names = [table.occupants[score.seat].name for score in order]
    title = reading.speech.name(table.game.name, table.game)
    totals = " : ".join(reading.speech.points(greatest(score.total)) for score in order if score.total is not None)
    best = [table.occupants[score.seat].name for score in order if score.rank == 1]
    won = reading.speech("{0} wins {1}" if len(best) == 1 else "{0} share the victory: {1}", ", ".join(best), title)
    return {
        "og_title": f"{won}, {totals}" if totals else won,
        "og_text": reading.speech("{0}: {1}", table.name, ", ".join(names)),
        "has_picture": PICTURES.installed(),
        "cover": f"{table.title_id}-{assets.COVER}" if assets.has(table.game, assets.COVER) else "",
        "colours": table.game.colours(shown.view),
    }


def _unlisted(page: Response) -> Response:
    """No search engine keeps it."""
    page.headers["x-robots-tag"] = "noindex"
    return page


@router.get("/m/{id}/at")
async def go_to(request: Request, id: str, n: int = 0) -> Response:
    """The field of the time machine, without script."""
    reading = (await opened(request, id)).reading
    return reading.go(f"/m/{id}/at/{max(0, n)}{as_wished(reading)}")


@router.get("/m/{id}/at/{n}")
async def position(request: Request, id: str, n: int) -> Response:
    found = await opened(request, id)
    async with found.table.lock:
        copy = found.copy(found.reading.language)
        return _unlisted(await found.server.in_thread(table_page, found.reading, copy, STRANGER, past=n))


@router.get("/m/{id}/review")
async def get_review(request: Request, id: str) -> Response:
    """What decided the match; made when anybody first asks."""
    count(request, "post")
    found = await opened(request, id)
    judged = await analysis.review(found.server, found.table)
    async with found.table.lock:
        copy = found.copy(found.reading.language)
        if isinstance(judged, Progress):
            return await found.server.in_thread(making_page, found.reading, copy, STRANGER, judged)
        return _unlisted(await found.server.in_thread(review_page, found.reading, copy, STRANGER, judged))


@router.get("/m/{id}/print")
async def get_print(request: Request, id: str) -> Response:
    found = await opened(request, id)
    async with found.table.lock:
        copy = found.copy(found.reading.language)
        return _unlisted(await found.server.in_thread(print_page, found.reading, copy, STRANGER))


@router.get("/m/{id}/record")
async def get_record(request: Request, id: str) -> Response:
    """The moves; a record knows no names."""
    found = await opened(request, id)
    async with found.table.lock:
        text = await found.server.in_thread(lambda: record(found.table).dumps())
    name = f"{found.table.title_id}-{found.share.id}.txt"
    return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{name}"'})


@router.get("/m/{id}/seal")
async def get_seal(request: Request, id: str) -> Response:
    found = await opened(request, id)
    async with found.table.lock:
        copy = found.copy(found.reading.language)
    return _unlisted(await seal_page(found.reading, copy))


# -- in somebody else's page ------------------------------------------------------------------------------------------


@router.get("/m/{id}/at/{n}/embed")
async def get_embed(request: Request, id: str, n: int) -> Response:
    """A position for another site: the board, what happened last, and the way here. Nobody is known by a cookie."""
    scope = {**request.scope, PERSON: None}
    scope["headers"] = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
    found = await opened(Request(scope), id, anybody=True)
    async with found.table.lock:
        page = await found.server.in_thread(_embedded, found, n)
    page.headers.update(FRAMED)
    return _unlisted(page)


def _embedded(found: Opened, n: int) -> Response:
    reading, table = found.reading, found.copy(found.reading.language)
    if not 0 <= n <= table.moves:
        raise NotFound("this match has no such move")
    seat = viewing_seat(table, (), wished_seat(reading), n)
    shown = Shown(table, (), seat, reading.language, n)
    facts = {**table_facts(reading, shown, STRANGER), "colours": table.game.colours(shown.view)}
    return drawn(reading, table, facts, 200, "embed.html.jinja")


# -- at the table -----------------------------------------------------------------------------------------------------


@router.post("/t/{id}/share")
async def post_share(request: Request, id: str) -> Response:
    """Make the link, say whose names are told, or revoke it."""
    post = await post_at(request, id)
    server, table, at = post.server, post.table, post.at
    named = [seat for seat in at.mine if post.form.flag(f"named{seat}")]
    async with table.lock:
        await server.load_match(table)
    match post.form.text("do"):
        case "make":
            await share.make(server, table, at, named, post.reading.language)
        case "name":
            await share.name(server, table, at, named)
        case "revoke":
            await share.revoke(server, table, at)
        case _:
            raise RequestError("say what to do with the link: make, name or revoke")
    return post.reading.go(f"/t/{id}#share")
