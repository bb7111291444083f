"""The HTTP API, version 1: what the players of a table ask of one another, and what its host may revoke."""

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from triclinium.engine.core.state import Seat
from triclinium.server.auth import count, seated, server_of, viewer_of
from triclinium.server.presenter.answers import PROBLEMS, summary
from triclinium.server.server import Server
from triclinium.server.tables import links, ready, seating, timeouts, undo
from triclinium.server.tables.table import Table

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)


class TakeBack(BaseModel):
    """Asking to take back, or agreeing to it, at one version of the table."""

    model_config = ConfigDict(extra="forbid", strict=True)
    version: int = Field(ge=0, le=2**31)
    practice: bool = Field(False, description="you are alone and know that the match is practice from then on")


async def _player(request: Request, id: str) -> tuple[Server, Table, tuple[Seat, ...]]:
    """Somebody who sits at the table and does something there, and so is back; raises for spectators."""
    count(request, "post")
    server = server_of(request)
    table = await server.table(id)
    at = viewer_of(request, table)
    seated(at)
    await seating.come_back(server, table, at.mine)
    return server, table, at.mine


class ReadyCheck(BaseModel):
    """Whether everybody is asked before the deal."""

    model_config = ConfigDict(extra="forbid", strict=True)
    on: bool


@router.post("/tables/{id}/ready", tags=["seats"])
async def post_ready(request: Request, id: str) -> dict[str, object]:
    """Say that you are ready, at a full table that asks; the match begins when everybody is."""
    server, table, mine = await _player(request, id)
    await ready.press(server, table, mine)
    return summary(server, table)


@router.put("/tables/{id}/ready", tags=["tables"])
async def put_ready(request: Request, id: str, wish: ReadyCheck) -> dict[str, object]:
    """The host lets the deal wait until everybody is ready, or not."""
    count(request, "post")
    server = server_of(request)
    table = await server.table(id)
    await ready.switch(server, table, viewer_of(request, table).is_host(table), wish.on)
    return summary(server, table)


@router.post("/tables/{id}/back", tags=["play"])
async def post_back(request: Request, id: str, wish: TakeBack) -> dict[str, object]:
    """Ask to take back to your last option, or agree; `done` once the owner of every seat has agreed."""
    server, table, mine = await _player(request, id)
    done = await undo.consent(server, table, mine, wish.version, wish.practice)
    return {"done": done, "table": summary(server, table)}


@router.post("/tables/{id}/seats/{seat}/absent", tags=["seats"])
async def post_absent(request: Request, id: str, seat: int) -> dict[str, object]:
    """Vote for a bot in the place of somebody who has long shown no sign of life; `done` when the others agree."""
    server, table, mine = await _player(request, id)
    done = await timeouts.vote(server, table, seat, mine)
    return {"done": done, "table": summary(server, table)}


@router.post("/tables/{id}/seats/{seat}/back", tags=["seats"])
async def post_seat_back(request: Request, id: str, seat: int) -> dict[str, object]:
    """Take your own seat back from the bot that sits in; a move, an undo or a vote does the same."""
    count(request, "post")
    server = server_of(request)
    table = await server.table(id)
    await seating.come_back(server, table, (seated(viewer_of(request, table), seat),))
    return summary(server, table)


@router.delete("/tables/{id}/watch", tags=["tables"])
async def delete_watch(request: Request, id: str) -> dict[str, object]:
    """The host revokes the spectators' link and the code; who came by them goes. The new ones are in the answer."""
    count(request, "post")
    server = server_of(request)
    table = await server.table(id)
    await links.revoke_watching(server, table, viewer_of(request, table).is_host(table))
    return {"watch": links.watch_token(server, table), "code": table.code}
