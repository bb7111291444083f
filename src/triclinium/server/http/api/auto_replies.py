"""The HTTP API, version 1: automatic answers, what a seat is spared. Each tells and changes its own alone."""

from typing import Annotated, Literal, TypeAlias

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from triclinium.engine.core.state import Seat
from triclinium.server.http.auth import count, seated, server_of, viewer_of
from triclinium.server.presenter.api_json import PROBLEMS
from triclinium.server.presenter.auto_replies import sparing, sparing_facts
from triclinium.server.presenter.decision import reader_for
from triclinium.server.presenter.table_view import own_seat
from triclinium.server.server import Server
from triclinium.server.tables import auto_replies, moves, seats
from triclinium.server.tables.table import Table

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)

Language = Annotated[Literal["en", "fr"], Query(description="the language of sentences")]
Facts: TypeAlias = dict[str, object]
SeatQuery = Annotated[int | None, Query(ge=0, le=5)]


class Spare(BaseModel):
    """The wish not to be asked again what you are asked at this version of the table."""

    model_config = ConfigDict(extra="forbid", strict=True)
    until: Literal["turn", "round", "match", "attacked"]
    version: int = Field(ge=0, le=2**31)
    key: str = Field("", max_length=64, description="your own mark: the same post twice is done once")
    seat: int | None = Field(None, ge=0, le=5)


async def _mine(request: Request, id: str, seat: int | None) -> tuple[Server, Table, Seat]:
    server = server_of(request)
    table = await server.table(id)
    at = viewer_of(request, table)
    return server, table, seated(at, own_seat(table, at.mine) if seat is None else seat)


async def _told(server: Server, table: Table, seat: Seat, language: str) -> Facts:
    async with table.lock:
        await server.load_match(table)
        moves.check_running(table)
        told = await server.in_thread(sparing, table, seat, reader_for(table, language))
        return {"version": table.version, **sparing_facts(seat, told)}


@router.get("/tables/{id}/answers", tags=["play"])
async def get_answers(request: Request, id: str, seat: SeatQuery = None, language: Language = "en") -> Facts:
    """What is answered for your seat without asking, and what of the question at hand could be."""
    server, table, mine = await _mine(request, id, seat)
    return await _told(server, table, mine, language)


@router.post("/tables/{id}/answers", tags=["play"])
async def post_answer(request: Request, id: str, wish: Spare) -> Facts:
    """Give the safe answer to the question at hand, and to the same question until the end of turn, round or match.

    `attacked`: until the end of the round, but not while something is done to the seat that it can answer.
    """
    server, table, mine = await _mine(request, id, wish.seat)
    count(request, "move", table.id, mine)
    generation = table.occupants[mine].generation
    await seats.come_back(server, table, (mine,))
    await moves.spare(server, table, mine, wish.until, wish.version, wish.key, generation=generation)
    if table.status != "playing":
        return {"version": table.version, "seat": mine, "answers": [], "offered": None}
    return await _told(server, table, mine, "en")


@router.delete("/tables/{id}/answers/{step}", tags=["play"])
async def delete_answer(request: Request, id: str, step: str, seat: SeatQuery = None) -> Facts:
    """Be asked again."""
    count(request, "post")
    server, table, mine = await _mine(request, id, seat)
    await auto_replies.end(server, table, mine, step[:40])
    return await _told(server, table, mine, "en")
