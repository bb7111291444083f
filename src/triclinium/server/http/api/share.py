"""The HTTP API, version 1: a match that is over, shared by those who sat there and read by anybody with its link."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from triclinium.server.errors import NotFound
from triclinium.server.http.api.tables import Facts, Language, made
from triclinium.server.http.auth import count, seated, server_of, viewer_of
from triclinium.server.presenter.api_json import PROBLEMS
from triclinium.server.presenter.outcome import ending
from triclinium.server.presenter.table_view import Shown
from triclinium.server.server import Server
from triclinium.server.tables import share
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.share import Share
from triclinium.server.tables.table import Table

router = APIRouter(prefix="/api/v1", responses=PROBLEMS, tags=["shares"])

Link = Annotated[str, Path(min_length=8, max_length=24)]


class SharingWish(BaseModel):
    """Whether strangers are told the names of your own seats."""

    model_config = ConfigDict(extra="forbid", strict=True)
    named: bool = Field(False, description="your name stands on the page; else somebody played there")


async def _player(request: Request, id: str) -> tuple[Server, Table, Viewer]:
    count(request, "post")
    server = server_of(request)
    table = await server.table(id)
    at = viewer_of(request, table)
    seated(at)
    async with table.lock:
        await server.load_match(table)
    return server, table, at


def _told(found: Share | None, at: Viewer) -> Facts:
    if found is None:
        return {"share": None, "path": None, "named": False}
    return {"share": found.id, "path": found.path, "named": all(seat in found.named for seat in at.mine)}


@router.get("/tables/{id}/share")
async def get_share(request: Request, id: str) -> Facts:
    """The link of a match at which you sat; none until somebody makes it."""
    server, table, at = await _player(request, id)

    def facts() -> Facts:
        with server.store.reading() as connection:
            return _told(share.of_table(connection, table.id), at)

    return await server.in_thread(facts)


@router.post("/tables/{id}/share", status_code=201)
async def post_share(request: Request, id: str, wish: SharingWish, language: Language = "en") -> Facts:
    """Make the link of a match that is over, with or without your name; its picture is in this language."""
    server, table, at = await _player(request, id)
    return _told(await share.make(server, table, at, at.mine if wish.named else (), language), at)


@router.put("/tables/{id}/share")
async def put_share(request: Request, id: str, wish: SharingWish) -> Facts:
    """Let your name stand there, or not any more."""
    server, table, at = await _player(request, id)
    return _told(await share.name(server, table, at, at.mine if wish.named else ()), at)


@router.delete("/tables/{id}/share")
async def delete_share(request: Request, id: str) -> Facts:
    """Revoke the link: anybody who sat there may."""
    server, table, at = await _player(request, id)
    await share.revoke(server, table, at)
    return _told(None, at)


@router.get("/matches/{link}", response_model=Facts)
async def get_match(request: Request, link: Link, language: Language = "en") -> Response:
    """A shared match, for anybody: result and score sheet. Who has not allowed it has no name."""
    server = server_of(request)
    found = await by_link(request, link)
    table = await server.table(found.table)
    async with table.lock:
        await server.load_match(table)
        names = share.told_names(table, found, [""] * len(table.occupants))
        return await made(
            server, lambda: match_facts(share.opened(table, found, f"api {language}", names), server, language)
        )


async def by_link(request: Request, link: str) -> Share:
    """What a link leads to; whoever tries one after the other is stopped."""
    server = server_of(request)

    def look() -> Share:
        with server.store.reading() as connection:
            return share.by_link(connection, link)

    try:
        return await server.in_thread(look)
    except NotFound:
        count(request, "guess")
        raise


def match_facts(table: Table, server: Server, language: str) -> Facts:
    """How it ended. The table's lock is held."""
    shown = Shown(table, (), None, language)
    points = ending(server, table).counted(shown.points)
    return {
        "title": table.title_id,
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
            for occupant, score in zip(table.occupants, points, strict=True)
        ],
        "lines": [
            {"name": line.name, "points" if table.game.has_points else "values": line.points}
            for line in shown.score_lines()
        ],
    }
