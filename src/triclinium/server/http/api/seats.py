"""HTTP API, version 1: seats, votes and requests among the players of a table, and commands of its host."""

from typing import TypedDict

from fastapi import APIRouter
from pydantic import Field

from triclinium.engine.core.text import msgid
from triclinium.server.errors import NoNickname, NotFound
from triclinium.server.http.api.players import PersonNumber
from triclinium.server.http.auth import get_bearer_token, get_current_viewer, require_seat
from triclinium.server.http.commands import Api, Arguments, CommandList, Form, JsonObject
from triclinium.server.http.table_commands import HOST, SEAT_HOLDER, VIEWER, TableArguments, TableCaller, Vote
from triclinium.server.presenter.api_json import ERROR_RESPONSES, build_invitations_json, build_summary_json
from triclinium.server.tables import (
    bot_seats,
    consent,
    end_stranded,
    invitations,
    ready_check,
    rematch,
    resign,
    seats,
    timeouts,
    undo,
    vote_replace,
)

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES)
commands = CommandList(router)
TABLE_PAGE = "/tables/{id}"
ALL_SEATS = -1  # the seat number in a form whose player returns to all of their seats
CONFIRM_RESIGNING = msgid("Tick the box to confirm that you want to resign.")
CONFIRM_ENDING = msgid("Tick the box to confirm that you want to end the match.")


class SeatArguments(TableArguments):
    """A seat of a table."""

    seat: int


class UndoRequestBody(Arguments):
    """A request to undo, or the agreement to one, at one version of the table."""

    version: int = Field(ge=0, le=2**31)
    practice: bool = Field(False, description="true: undo alone, although the match is then only practice")


class UndoRequest(UndoRequestBody, TableArguments):
    """A request to undo at a table, or the agreement to one."""


class UndoBody(Arguments):
    """The version of the table and the seat whose last decision is undone."""

    version: int = Field(ge=0, le=2**31)
    seat: int | None = Field(None, ge=0, le=5)


class Undo(UndoBody, TableArguments):
    """The undo of a seat's last decision."""


class ResignBody(Arguments):
    """The resignation of a seat, at one version of the table."""

    version: int = Field(ge=0, le=2**31)
    seat: int | None = Field(None, ge=0, le=5)


class Resignation(ResignBody, TableArguments):
    """The resignation of a seat at a table."""


class PauseBody(Arguments):
    """The length of a pause."""

    minutes: int = Field(ge=1, le=consent.MAX_PAUSE_MINUTES)


class Pause(PauseBody, TableArguments):
    """A pause of a match."""


class BotSeatBody(Arguments):
    """The bot that takes a seat."""

    bot: str = Field(max_length=40)


class BotSeat(BotSeatBody, SeatArguments):
    """A seat for a bot."""


class ReservedSeatBody(Arguments):
    """The person for whom a seat is reserved."""

    person: PersonNumber


class ReservedSeat(ReservedSeatBody, SeatArguments):
    """A seat for a person."""


class ReadyCheckBody(Arguments):
    """The switch of the ready check: with it, all players must confirm before the deal that they are ready."""

    enabled: bool


class ReadyCheck(ReadyCheckBody, TableArguments):
    """The ready check of a table."""


class OpenSeatBody(Arguments):
    """The confirmation for opening a bot's seat to people."""

    unrated: bool = Field(
        False, description="true: open the seat of a match that has started, although the match is then no longer rated"
    )


class OpenSeat(OpenSeatBody, SeatArguments):
    """A bot's seat that is opened to people."""


class Resigned(TypedDict):
    """The option by which a seat resigned, and the table afterwards. The option is empty if a bot plays on."""

    option: str | None
    table: JsonObject


class Rematch(TypedDict):
    """The table of a rematch, and the caller's seat there."""

    table: JsonObject
    seat: int | None
    token: str


class WatchLink(TypedDict):
    """The new token of the spectators' link, and the new code of the table."""

    watch: str
    code: str


# -- before the deal ----------------------------------------------------------------------------------------------


@commands.add(
    "confirm-ready",
    SEAT_HOLDER,
    api=Api("POST", "/tables/{id}/ready", tags=["seats"]),
    form=Form("/tables/{id}/ready", TABLE_PAGE),
)
async def confirm_ready(caller: TableCaller, arguments: TableArguments) -> JsonObject:
    """Confirm that you are ready, at a full table with a ready check. The match begins when all players are ready."""
    await ready_check.confirm_ready(caller.services, caller.table, caller.own_seats)
    return caller.build_summary()


@commands.add(
    "set-ready-check",
    HOST,
    api=Api("PUT", "/tables/{id}/ready-check", tags=["tables"]),
    form=Form("/tables/{id}/ready-check", TABLE_PAGE, fields={"enabled": "ready"}),
)
async def set_ready_check(caller: TableCaller, arguments: ReadyCheck) -> JsonObject:
    """Turn the ready check of a table on or off, as the host."""
    await ready_check.set_ready_check(caller.services, caller.table, caller.is_host, arguments.enabled)
    return caller.build_summary()


@commands.add(
    "fill-seat-with-bot",
    HOST,
    api=Api("PUT", "/tables/{id}/seats/{seat}/bot", tags=["seats"]),
    form=Form("/tables/{id}/add-bot", TABLE_PAGE),
)
async def fill_seat_with_bot(caller: TableCaller, arguments: BotSeat) -> JsonObject:
    """Give a free seat to a bot before the deal, as the host. The match begins when the last seat is filled."""
    await seats.fill_with_bot(caller.services, caller.table, arguments.seat, caller.is_host, arguments.bot)
    return caller.build_summary()


@commands.add(
    "close-table",
    HOST,
    api=Api("DELETE", "/tables/{id}", tags=["tables"]),
    form=Form("/tables/{id}/close", "/"),
)
async def close_table(caller: TableCaller, arguments: TableArguments) -> JsonObject:
    """Close a table before the deal, as the host."""
    await seats.close_table(caller.services.tables, caller.table, caller.is_host)
    return caller.build_summary()


@commands.add(
    "revoke-spectator-link",
    HOST,
    api=Api("DELETE", "/tables/{id}/spectator-link", tags=["tables"]),
    form=Form("/tables/{id}/revoke-spectator-link", TABLE_PAGE),
)
async def revoke_spectator_link(caller: TableCaller, arguments: TableArguments) -> WatchLink:
    """Replace the spectators' link and the join code, as the host. All spectators are removed."""
    services, table = caller.services, caller.table
    await invitations.revoke_watch_link(services.tables, table, caller.is_host)
    return {"watch": invitations.make_watch_token(services.key, table), "code": table.code}


# -- seats --------------------------------------------------------------------------------------------------------


@commands.add(
    "leave-seat",
    VIEWER,
    api=Api("DELETE", "/tables/{id}/seats/{seat}", tags=["seats"]),
    form=Form("/tables/{id}/leave"),
)
async def leave_seat(caller: TableCaller, arguments: SeatArguments) -> JsonObject:
    """Leave a seat; after the deal a bot takes over. Before the deal, the host can also free other players' seats."""
    table, seat = caller.table, arguments.seat
    host_frees_seat = seat not in caller.own_seats and caller.is_host and table.status == "waiting"
    if (host_frees_seat or caller.is_form) and not 0 <= seat < len(table.occupants):
        raise NotFound("There is no such seat.")
    await seats.leave_seat(
        caller.services,
        table,
        table.occupants[seat if host_frees_seat else caller.require_seat(seat)],
        before_deal=host_frees_seat,
    )
    return caller.build_summary()


@commands.add(
    "open-seat",
    HOST,
    api=Api("POST", "/tables/{id}/seats/{seat}/open", tags=["seats"]),
    form=Form("/tables/{id}/open-seat", TABLE_PAGE, fields={"seat": "bot_seat"}),
)
async def open_seat(caller: TableCaller, arguments: OpenSeat) -> JsonObject:
    """Open the seat of a bot to people, as the host. The bot plays on until someone takes it by its invitation."""
    services, table = caller.services, caller.table
    await bot_seats.open_to_people(services, table, arguments.seat, caller.is_host, arguments.unrated)
    opened = [table.occupants[arguments.seat]]
    return {**caller.build_summary(), "invitations": build_invitations_json(services.key, table, opened)}


@commands.add(
    "return-to-seat",
    VIEWER,
    api=Api("POST", "/tables/{id}/seats/{seat}/return", tags=["seats"]),
    form=Form("/tables/{id}/return", TABLE_PAGE),
)
async def return_to_seat(caller: TableCaller, arguments: SeatArguments) -> JsonObject:
    """Play again instead of the substitute bot. Opening the table, a move, an undo or a vote has the same effect."""
    async with caller.services.tables.locked(caller.table) as table:
        viewer = get_current_viewer(caller.request, table)
        first = require_seat(viewer, None if arguments.seat == ALL_SEATS else arguments.seat)
        back = viewer.own_seats if arguments.seat == ALL_SEATS else (first,)
        await seats.end_own_substitutions(caller.services, table, back)
        return build_summary_json(caller.services, table)


@commands.add(
    "vote-substitute",
    SEAT_HOLDER,
    api=Api("POST", "/tables/{id}/seats/{seat}/vote-substitute", tags=["seats"]),
    form=Form("/tables/{id}/vote-substitute", TABLE_PAGE),
)
async def vote_substitute(caller: TableCaller, arguments: SeatArguments) -> Vote:
    """Vote for a substitute bot for the absent player whose turn it is. `done` is true once enough others agree."""
    done = await timeouts.vote_for_substitute(caller.services, caller.table, arguments.seat, caller.own_seats)
    return {"done": done, "table": caller.build_summary()}


@commands.add(
    "vote-remove",
    SEAT_HOLDER,
    api=Api("POST", "/tables/{id}/seats/{seat}/vote-remove", tags=["seats"]),
    form=Form("/tables/{id}/vote-remove", TABLE_PAGE),
)
async def vote_remove(caller: TableCaller, arguments: SeatArguments) -> Vote:
    """Vote to remove a player whose clock has run out or, without a clock, who has been absent for a day."""
    done = await vote_replace.vote_to_remove(caller.services, caller.table, arguments.seat, caller.own_seats)
    return {"done": done, "table": caller.build_summary()}


@commands.add(
    "vote-reassign",
    SEAT_HOLDER,
    api=Api("POST", "/tables/{id}/seats/{seat}/vote-reassign", tags=["seats"]),
    form=Form("/tables/{id}/vote-reassign", TABLE_PAGE),
)
async def vote_reassign(caller: TableCaller, arguments: ReservedSeat) -> Vote:
    """Vote to give a vacated seat to a person of this server. `done` is true once all players agree."""
    done = await vote_replace.vote_to_reassign(
        caller.services, caller.table, arguments.seat, arguments.person, caller.own_seats
    )
    return {"done": done, "table": caller.build_summary()}


# -- the match ----------------------------------------------------------------------------------------------------


@commands.add(
    "undo",
    SEAT_HOLDER,
    api=Api("POST", "/tables/{id}/undo", tags=["play"]),
    form=Form("/tables/{id}/undo"),
)
async def undo_decision(caller: TableCaller, arguments: Undo) -> JsonObject:
    """Undo your last decision, if no information was revealed and no other player has decided since."""
    seat = caller.require_seat(arguments.seat)
    if caller.is_form:  # people who share a device have one button for all of their seats
        async with caller.services.tables.locked(caller.table) as table:
            seat = next(
                (own for own in caller.own_seats if table.match is not None and undo.undo_steps(table, own)), seat
            )
    await undo.undo_last_decision(caller.services, caller.table, seat, arguments.version)
    return caller.build_summary()


@commands.add(
    "request-undo",
    SEAT_HOLDER,
    api=Api("POST", "/tables/{id}/request-undo", tags=["play"]),
    form=Form("/tables/{id}/request-undo", TABLE_PAGE),
)
async def request_undo(caller: TableCaller, arguments: UndoRequest) -> Vote:
    """Request to undo your last decision, or agree to such a request. `done` is true once all seat owners agree."""
    done = await undo.vote_to_undo(
        caller.services, caller.table, caller.own_seats, arguments.version, arguments.practice
    )
    return {"done": done, "table": caller.build_summary()}


@commands.add(
    "resign",
    VIEWER,
    api=Api("POST", "/tables/{id}/resign", tags=["play"]),
    form=Form("/tables/{id}/resign", TABLE_PAGE, confirmation=CONFIRM_RESIGNING),
)
async def resign_match(caller: TableCaller, arguments: Resignation) -> Resigned:
    """Resign from the match, which counts as last place. If the game has no option for this, a bot plays on."""
    seat = caller.require_seat(arguments.seat)
    option = await resign.resign_seat(caller.services, caller.table, seat, arguments.version)
    return {"option": option, "table": caller.build_summary()}


@commands.add(
    "pause",
    SEAT_HOLDER,
    api=Api("POST", "/tables/{id}/pause", tags=["play"]),
    form=Form("/tables/{id}/pause", TABLE_PAGE),
)
async def pause_match(caller: TableCaller, arguments: Pause) -> Vote:
    """Propose a pause of a live match with a clock, or agree to the same length. `done` is true once all agree."""
    done = await consent.vote_to_pause(caller.services, caller.table, caller.own_seats, arguments.minutes)
    return {"done": done, "table": caller.build_summary()}


@commands.add(
    "resume",
    SEAT_HOLDER,
    api=Api("DELETE", "/tables/{id}/pause", tags=["play"]),
    form=Form("/tables/{id}/resume", TABLE_PAGE),
)
async def resume_match(caller: TableCaller, arguments: TableArguments) -> Vote:
    """Agree to end a pause. The match continues once all players agree."""
    done = await consent.vote_to_resume(caller.services, caller.table, caller.own_seats)
    return {"done": done, "table": caller.build_summary()}


@commands.add(
    "abandon",
    SEAT_HOLDER,
    api=Api("POST", "/tables/{id}/abandon", tags=["play"]),
    form=Form("/tables/{id}/abandon", TABLE_PAGE),
)
async def abandon_match(caller: TableCaller, arguments: TableArguments) -> Vote:
    """Propose to abandon the match, or agree. Once all seat owners agree, it ends without a result."""
    done = await consent.vote_to_abandon(caller.services, caller.table, caller.own_seats)
    return {"done": done, "table": caller.build_summary()}


@commands.add(
    "end-stranded",
    VIEWER,
    api=Api("POST", "/tables/{id}/end", tags=["play"]),
    form=Form("/tables/{id}/end", TABLE_PAGE, confirmation=CONFIRM_ENDING),
)
async def end_stranded_match(caller: TableCaller, arguments: TableArguments) -> JsonObject:
    """Agree to end a match that can no longer be replayed. Its `status` is `over` once all players agree."""
    await end_stranded.vote_to_end(caller.services, caller.table, caller.own_seats)
    return caller.build_summary()


@commands.add(
    "rematch",
    VIEWER,
    api=Api("POST", "/tables/{id}/rematch", status_code=201, tags=["tables"]),
    form=Form("/tables/{id}/rematch", rates=["post"]),
    rates=["open"],
)
async def open_rematch(caller: TableCaller, arguments: TableArguments) -> Rematch:
    """Open the rematch of a finished match, or take the seat that is reserved for you if it is already open.

    A program gets the token of its new seat; a repeated request returns the same token.
    """
    services, viewer = caller.services, caller.viewer
    owner, old_token = caller.table.occupants[caller.require_seat()].person, get_bearer_token(caller.request)
    if owner is None:
        raise NoNickname()
    person = (
        viewer.person if not old_token else await services.runtime.run_in_thread(services.people.load_person, owner)
    )
    if person is None or (caller.is_form and caller.person is None):  # a program must use the API instead of the form
        raise NoNickname()
    new_table = await rematch.open_rematch(services, person, caller.table, old_token)
    if caller.is_form:  # the page of the new table asks whether the player takes the seat
        return {"table": build_summary_json(services, new_table), "seat": None, "token": ""}
    seat, token = await rematch.take_seat(services, new_table, person, old_token)
    return {"table": build_summary_json(services, new_table), "seat": seat, "token": token}
