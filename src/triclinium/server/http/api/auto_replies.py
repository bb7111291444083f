"""The HTTP API, version 1: automatic answers, what a seat is spared. Each tells and changes its own alone."""

from typing import Annotated, Literal, TypeAlias

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from triclinium.engine.core.state import Seat
from triclinium.server.http.auth import check_rate_limit, get_current_viewer, get_services, require_seat
from triclinium.server.presenter.api_json import ERROR_RESPONSES
from triclinium.server.presenter.auto_replies import build_auto_replies, build_auto_replies_json
from triclinium.server.presenter.decision import make_reader
from triclinium.server.presenter.table_view import choose_own_seat
from triclinium.server.services import Services
from triclinium.server.tables import auto_replies, moves, seats
from triclinium.server.tables.repository import TableRepository
from triclinium.server.tables.table import Table

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES)

Language = Annotated[Literal["en", "fr"], Query(description="the language of sentences")]
JsonObject: TypeAlias = dict[str, object]
SeatQuery = Annotated[int | None, Query(ge=0, le=5)]


class AutoReplyBody(BaseModel):
    """The wish not to be asked again what you are asked at this version of the table."""

    model_config = ConfigDict(extra="forbid", strict=True)
    until: Literal["turn", "round", "match", "attacked"]
    version: int = Field(ge=0, le=2**31)
    key: str = Field("", max_length=64, description="your own mark: the same post twice is done once")
    seat: int | None = Field(None, ge=0, le=5)


async def _load_own_seat(request: Request, id: str, seat: int | None) -> tuple[Services, Table, Seat]:
    services = get_services(request)
    table = await services.tables.get_table(id)
    viewer = get_current_viewer(request, table)
    return services, table, require_seat(viewer, choose_own_seat(table, viewer.own_seats) if seat is None else seat)


async def _load_auto_replies(repository: TableRepository, table: Table, seat: Seat, language: str) -> JsonObject:
    async with repository.locked(table) as table:
        moves.check_running(table)
        seat_replies = await repository.runtime.run_in_thread(
            build_auto_replies, table, seat, make_reader(table, language)
        )
        return {"version": table.version, **build_auto_replies_json(seat, seat_replies)}


@router.get("/tables/{id}/auto-replies", tags=["play"])
async def get_auto_replies(request: Request, id: str, seat: SeatQuery = None, language: Language = "en") -> JsonObject:
    """What is answered for your seat without asking, and what of the question at hand could be."""
    services, table, own_seat_number = await _load_own_seat(request, id, seat)
    return await _load_auto_replies(services.tables, table, own_seat_number, language)


@router.post("/tables/{id}/auto-replies", tags=["play"])
async def post_auto_reply(request: Request, id: str, body: AutoReplyBody) -> JsonObject:
    """Give the safe answer to the question at hand, and to the same question until the end of turn, round or match.

    `attacked`: until the end of the round, but not while something is done to the seat that it can answer.
    """
    services, table, own_seat_number = await _load_own_seat(request, id, body.seat)
    check_rate_limit(request, "move", table.id, own_seat_number)
    async with services.tables.locked(table) as locked:
        require_seat(get_current_viewer(request, locked), own_seat_number)
        await seats.end_own_substitutions(services, locked, (own_seat_number,))
        await moves.set_auto_reply(services, locked, own_seat_number, body.until, body.version, body.key)
    if table.status != "playing":
        return {"version": table.version, "seat": own_seat_number, "auto_replies": [], "offered": None}
    return await _load_auto_replies(services.tables, table, own_seat_number, "en")


@router.delete("/tables/{id}/auto-replies/{step}", tags=["play"])
async def delete_auto_reply(request: Request, id: str, step: str, seat: SeatQuery = None) -> JsonObject:
    """Be asked again."""
    check_rate_limit(request, "post")
    services, table, own_seat_number = await _load_own_seat(request, id, seat)
    await auto_replies.cancel_auto_reply(services.tables, table, own_seat_number, step[:40])
    return await _load_auto_replies(services.tables, table, own_seat_number, "en")
