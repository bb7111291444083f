"""HTTP API, version 1: auto-replies. A seat can read and change only its own."""

from typing import Annotated, Literal, TypeAlias

from fastapi import APIRouter, Query, Request
from pydantic import Field

from triclinium.engine.core.state import Seat
from triclinium.server.http.auth import check_rate_limit, get_current_viewer, get_services, require_seat
from triclinium.server.http.commands import Api, Arguments, CommandList, Form
from triclinium.server.http.table_commands import MOVER, VIEWER, TableArguments, TableCaller
from triclinium.server.presenter.api_json import ERROR_RESPONSES
from triclinium.server.presenter.auto_replies import build_auto_replies, build_auto_replies_json
from triclinium.server.presenter.decision import make_reader
from triclinium.server.presenter.table_view import choose_own_seat
from triclinium.server.services import Services
from triclinium.server.tables import auto_replies, moves, seats
from triclinium.server.tables.repository import TableRepository
from triclinium.server.tables.table import Table

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES)
commands = CommandList(router)

Language = Annotated[Literal["en", "fr"], Query(description="language of the sentences")]
JsonObject: TypeAlias = dict[str, object]
SeatQuery = Annotated[int | None, Query(ge=0, le=5)]


class AutoReplyBody(Arguments):
    """A new auto-reply to the current question, at one version of the table."""

    until: Literal["turn", "round", "match", "attacked"]
    version: int = Field(ge=0, le=2**31)
    key: str = Field(
        "", max_length=64, description="idempotency key: a repeated request with the same key has no further effect"
    )
    seat: int | None = Field(None, ge=0, le=5)


class NewAutoReply(AutoReplyBody, TableArguments):
    """A new auto-reply of a seat."""


class EndedAutoReply(TableArguments):
    """An auto-reply to cancel, identified by the step that asks the question."""

    step: str
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
    """List the auto-replies of your seat, and the one that you can set for the current question."""
    services, table, own_seat_number = await _load_own_seat(request, id, seat)
    return await _load_auto_replies(services.tables, table, own_seat_number, language)


@commands.add(
    "set-auto-reply",
    MOVER,
    api=Api("POST", "/tables/{id}/auto-replies", tags=["play"]),
    form=Form("/tables/{id}/auto-replies", rates=["move"]),
    rates=[],  # the handler counts requests of the API by seat
)
async def post_auto_reply(caller: TableCaller, arguments: NewAutoReply) -> JsonObject:
    """Give the safe answer to the current question, and to the same question until the turn, round or match ends.

    With `attacked`, the auto-reply lasts until the end of the round, except when the seat can react to an attack.
    """
    services, table, request = caller.services, caller.table, caller.request
    seat = _choose_seat(caller, arguments.seat)
    if not caller.is_form:
        check_rate_limit(request, "move", table.id, seat)
    async with services.tables.locked(table) as locked:
        require_seat(get_current_viewer(request, locked), seat)
        await seats.end_own_substitutions(services, locked, (seat,))
        if caller.before_move is not None:
            await caller.before_move(locked, seat)
        await moves.set_auto_reply(services, locked, seat, arguments.until, arguments.version, arguments.key)
    return await _build_answer(caller, seat)


def _choose_seat(caller: TableCaller, seat: int | None) -> int:
    if seat is None and not caller.is_form:
        seat = choose_own_seat(caller.table, caller.own_seats)
    return caller.require_seat(seat)


async def _build_answer(caller: TableCaller, seat: int) -> JsonObject:
    """Return the seat's auto-replies. A form gets an empty list, because its page shows them when it loads again."""
    table = caller.table
    if caller.is_form or table.status != "playing":
        return {"version": table.version, "seat": seat, "auto_replies": [], "offered": None, "plans": []}
    return await _load_auto_replies(caller.services.tables, table, seat, "en")


@commands.add(
    "cancel-auto-reply",
    VIEWER,
    api=Api("DELETE", "/tables/{id}/auto-replies/{step}", tags=["play"]),
    form=Form("/tables/{id}/auto-replies/cancel"),
)
async def delete_auto_reply(caller: TableCaller, arguments: EndedAutoReply) -> JsonObject:
    """Cancel an auto-reply, so that you are asked this question again."""
    tables, seat = caller.services.tables, _choose_seat(caller, arguments.seat)
    await auto_replies.cancel_auto_reply(tables, caller.table, seat, arguments.step[:40])
    if caller.is_form:
        return await _build_answer(caller, seat)
    return await _load_auto_replies(tables, caller.table, seat, "en")
