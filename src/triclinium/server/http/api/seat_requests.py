"""HTTP API, version 1: taking a seat, and continuing a finished match at a new table."""

from typing import TypedDict

from fastapi import APIRouter
from pydantic import Field

from triclinium.server.accounts.quotas import BYTES_PER_MOVE, spend_upload_quota
from triclinium.server.accounts.users import Person
from triclinium.server.crypto import hash_token
from triclinium.server.errors import Conflict, NotAllowed, NotFound
from triclinium.server.http.auth import get_bearer_token, get_current_visitor
from triclinium.server.http.commands import ANYONE, Api, Arguments, Caller, CommandList, Form, JsonObject
from triclinium.server.http.table_commands import VIEWER, TableArguments, TableCaller
from triclinium.server.net.client_address import get_client_network
from triclinium.server.personal_data.bot_accounts import is_registered_bot
from triclinium.server.presenter.api_json import ERROR_RESPONSES, build_summary_json
from triclinium.server.tables import create, invitations, join_codes, seats
from triclinium.server.tables.table import Occupant, Table

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES)
commands = CommandList(router)


class SeatRequestBody(Arguments):
    """A request for a seat: with its invitation, with the join code, or with neither at a listed table."""

    player: str = Field("", max_length=200, description="your nickname")
    seat: int | None = Field(None, ge=0, le=99)
    invitation: str = Field("", max_length=64)
    code: str = Field("", max_length=12)


class SeatRequest(SeatRequestBody, TableArguments):
    """A request for a seat at a table."""


class TakenSeat(TypedDict):
    """The seat that the caller has taken, the token of a program, and the table afterwards."""

    seat: int
    token: str
    table: JsonObject


@commands.add(
    "take-seat",
    ANYONE,
    api=Api("POST", "/tables/{id}/seats", 201, tags=["seats"]),
    form=Form("/tables/{id}/join", "/tables/{id}", fields={"player": "name"}),
    rates=["post", "guess"],
)
async def take_seat(caller: Caller, arguments: SeatRequest) -> TakenSeat:
    """Take a seat at a table. A bot gets the token of the seat; a person with a cookie needs none."""
    services = caller.services
    table = await services.tables.get_table(arguments.id)
    if caller.is_form:
        occupant = _find_chosen_seat(caller, table, arguments)
        person = await caller.ensure_person(arguments.player)
        token = await seats.take_seat(services, table, occupant, person)
    else:
        occupant = _find_seat(caller, table, arguments)
        token_hash = hash_token(get_bearer_token(caller.request))
        if any(each.token == token_hash for each in table.occupants):
            raise Conflict("You already have a seat at this table.")
        is_bot_account = await _is_program(caller)
        person = await caller.ensure_person(arguments.player)
        token = await seats.take_seat(services, table, occupant, person, program=is_bot_account)
    return {"seat": occupant.seat, "token": token, "table": build_summary_json(services, table)}


async def _is_program(caller: Caller) -> bool:
    """Return whether the caller is a program: without a cookie, or with a bot account."""
    services, person = caller.services, caller.person
    return person is None or await services.runtime.run_in_thread(is_registered_bot, services.store, person)


def _find_chosen_seat(caller: Caller, table: Table, arguments: SeatRequest) -> Occupant:
    """Return the seat whose button on the table's page was pressed. Raise RequestError if it is not for the caller."""
    viewer = get_current_visitor(caller.request, table)
    if arguments.seat is None or arguments.seat >= len(table.occupants):
        raise NotFound("There is no such seat.")
    occupant = table.occupants[arguments.seat]
    is_reserved = viewer.person is not None and occupant.person == viewer.person.id
    if seats.is_spectator_only(table, viewer) and not is_reserved:
        raise NotAllowed(
            "The spectators’ link does not give you a seat. Use the join code of the table or the link of a seat."
        )
    return occupant


def _find_seat(caller: Caller, table: Table, arguments: SeatRequest) -> Occupant:
    """Return the seat for which a program asks, or the first free one. Raise RequestError if it may have none."""
    reserved = _find_reserved_seat(table, caller.person)
    if reserved is not None and arguments.seat in (None, reserved.seat):
        return reserved
    if arguments.invitation:
        if arguments.seat is None:
            raise NotFound("This link is no longer valid.")
        return invitations.find_invited_seat(caller.services.key, table, arguments.seat, arguments.invitation)
    has_code = join_codes.is_code_valid(table) and arguments.code.upper() == table.code
    if table.options.shown == "link" and not has_code:
        raise NotFound("There is no such table, or only people with its link can see it.")
    is_waiting = table.status == "waiting"  # later a free seat has a hand, and only its link gives it to a player
    free = [occupant for occupant in table.occupants if is_waiting and occupant.is_vacant and occupant.person is None]
    if arguments.seat is not None:
        free = [occupant for occupant in free if occupant.seat == arguments.seat]
    if not free:
        raise Conflict("There is no free seat.")
    return free[0]


def _find_reserved_seat(table: Table, person: Person | None) -> Occupant | None:
    """Return the free seat that is reserved for this person, or None."""
    if person is None:
        return None
    return next((each for each in table.occupants if each.is_vacant and each.person == person.id), None)


class MatchPositionBody(Arguments):
    """A position of a match: the number of moves before it."""

    move: int = Field(ge=0, le=100_000)


class MatchPosition(MatchPositionBody, TableArguments):
    """A position of the match at a table."""


class ContinuedMatch(TypedDict):
    """The summary of the table at which a match continues."""

    table: JsonObject


@commands.add(
    "continue-match",
    VIEWER,
    api=Api("POST", "/tables/{id}/continue", 201, tags=["records"]),
    form=Form("/tables/{id}/continue"),
    rates=["open"],
)
async def continue_match(caller: TableCaller, arguments: MatchPosition) -> ContinuedMatch:
    """Open a new table that continues a finished match from a position. One device plays all seats."""
    size = BYTES_PER_MOVE * caller.table.moves
    await spend_upload_quota(caller.services, get_client_network(caller.request.scope), caller.person, size)
    person = await caller.ensure_person()
    table = await create.continue_match(caller.services, person, caller.table, arguments.move)
    return {"table": build_summary_json(caller.services, table)}
