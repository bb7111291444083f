"""HTTP API, version 1: evenings with several rounds, their guests, seating and points."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from triclinium.server.errors import Conflict
from triclinium.server.evenings import guests, rounds
from triclinium.server.evenings.evening import GONE, Evening, EveningTable, list_evenings, plan_seating
from triclinium.server.evenings.seating import SeatingRefusal
from triclinium.server.evenings.stream import open_stream
from triclinium.server.http.api.tables import JsonObject, build_json_response
from triclinium.server.http.auth import check_rate_limit, get_current_person, get_services
from triclinium.server.http.commands import ANYONE, Api, Arguments, Caller, CommandList, Form
from triclinium.server.http.evening_commands import (
    EVENING_HOST,
    GUEST,
    EveningArguments,
    EveningCaller,
    open_visible_evening,
)
from triclinium.server.presenter.api_json import ERROR_RESPONSES
from triclinium.server.sanitize import clean_name
from triclinium.server.tables import seats
from triclinium.server.tables.create import require_game
from triclinium.server.tables.join_codes import normalize_code

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["evenings"])
commands = CommandList(router)
EVENING_PAGE = "/evening/{code}"
MAX_AGAIN = 99

Again = Annotated[int, Field(ge=0, le=MAX_AGAIN, description="another number gives another seating")]


class NewEvening(Arguments):
    """A new evening: its name and its first game."""

    game: str = Field(max_length=40)
    name: str = Field("", max_length=200, description="name of the evening; by default the date")
    player: str = Field("", max_length=200, description="your nickname, if you are new")


class NewGuest(EveningArguments):
    """Your nickname."""

    player: str = Field("", max_length=200, description="your nickname")


class AddedGuest(EveningArguments):
    """Someone without a device, or a bot."""

    name: str = Field("", max_length=200, description="empty: the server names a bot")
    bot: str = Field("", max_length=40, description="level of a bot; empty: a person without a device")


class GuestStatus(EveningArguments):
    """The status of a guest: here, paused, or left."""

    number: int = Field(ge=1, le=guests.MAX_GUESTS)
    status: Literal["here", "paused", "left"]


class NewRound(EveningArguments):
    """The next round."""

    round: int = Field(ge=1, le=1000, description="number of the round, so that it starts only once")
    game: str = Field("", max_length=40, description="empty: the same game as before")
    tables: list[list[int]] | None = Field(
        None, max_length=32, description="guests of each table by number; null: the server seats everyone who is here"
    )
    again: Again = 0
    same_deal: bool = Field(False, description="true: all tables get the same cards; they must have one size")


def build_evening_json(evening: Evening) -> JsonObject:
    """Return an evening as JSON."""
    names = {guest.number: guest.name for guest in evening.guests}
    return {
        "code": evening.code,
        "name": evening.name,
        "host": evening.host_name,
        "game": evening.game,
        "round": evening.round,
        "opened_at": evening.made,
        "ended_at": evening.ended or None,
        "guests": [
            {
                "number": guest.number,
                "name": guest.name,
                "bot": guest.bot,
                "has_device": guest.person is not None,
                "status": guest.status,
                "start": guest.start,
            }
            for guest in evening.guests
        ],
        "tables": [_build_table_json(table) for table in evening.tables],
        "ranking": [
            {
                "number": ranked.number,
                "name": names[ranked.number],
                "place": ranked.place,
                "points": ranked.points,
                "wins": ranked.wins,
                "start": ranked.start,
                "rounds": {str(n): each.points for n, each in ranked.rounds.items()},
            }
            for ranked in evening.build_ranking()
        ],
    }


def _build_table_json(table: EveningTable) -> JsonObject:
    return {
        "id": table.id,
        "round": table.round,
        "place": table.place,
        "game": table.game,
        "status": table.status,
        "moves": table.moves,
        "seats": [
            {"guest": seat.guest, "first": seat.first, "total": seat.total, "rank": seat.rank} for seat in table.seats
        ],
    }


@router.get("/evenings", response_model=list[JsonObject])
async def get_evenings(request: Request) -> Response:
    """List your evenings, as host or guest, the latest first."""
    services, person = get_services(request), get_current_person(request)

    def build() -> list[JsonObject]:
        if person is None:
            return []
        with services.store.read_connection() as connection:
            listed = list_evenings(connection, person.id)
        return [{"code": one.code, "name": one.name, "game": one.game, "round": one.round} for one in listed]

    return await build_json_response(services.runtime, build)


@commands.add(
    "open-evening",
    ANYONE,
    api=Api("POST", "/evenings", status_code=201),
    form=Form("/evenings"),
    rates=["open"],
)
async def post_evening(caller: Caller, arguments: NewEvening) -> JsonObject:
    """Open an evening. You are its host and first guest. Without a cookie, you get one, and `cookie` is its value."""
    game = require_game(arguments.game)
    host = await caller.ensure_person(arguments.player)
    name = clean_name(arguments.name, "")
    evening = await guests.open_evening(caller.services, host, name, game.id)
    return {**build_evening_json(evening), "cookie": caller.new_cookie}


@router.get("/evenings/{code}", response_model=JsonObject)
async def get_evening(request: Request, code: str) -> Response:
    """Return an evening that you have joined: its guests, its tables with their progress, and the points."""
    caller = Caller(request, get_current_person(request), Response())
    evening = await open_visible_evening(caller, code)
    return await build_json_response(caller.services.runtime, lambda: build_evening_json(evening))


@router.get("/evenings/{code}/seating", response_model=JsonObject)
async def get_seating(
    request: Request, code: str, game: str = "", again: Annotated[int, Query(ge=0, le=99)] = 0
) -> Response:
    """Return the seating of the next round that the server proposes to the host. `again` asks for another one."""
    caller = Caller(request, get_current_person(request), Response())
    evening = await open_visible_evening(caller, code)
    guests.check_host(evening, caller.me)
    chosen_game = require_game(game or evening.game)

    def build() -> JsonObject:
        planned = plan_seating(evening, chosen_game, again)
        if isinstance(planned, SeatingRefusal):
            refusal = rounds.describe_refusal(planned)
            raise Conflict(refusal.text, *refusal.args)
        return {
            "round": evening.round + 1,
            "tables": planned.tables,
            "cost": planned.cost,
            "repeated": planned.repeated,
        }

    return await build_json_response(caller.services.runtime, build)


@router.get("/evenings/{code}/events", response_class=Response)
async def get_evening_events(request: Request, code: str) -> Response:
    """Stream server-sent events: `seats` after a change of the guests, the rounds, the tables or their progress."""
    check_rate_limit(request, "listen")
    caller = Caller(request, get_current_person(request), Response())
    evening = await open_visible_evening(caller, code)
    return open_stream(caller.services, evening.code, caller.me)


@commands.add(
    "join-evening",
    ANYONE,
    api=Api("POST", "/evenings/{code}/guests", status_code=201),
    form=Form("/evening/{code}/join", EVENING_PAGE),
    rates=["guess"],
)
async def join_evening(caller: Caller, arguments: NewGuest) -> JsonObject:
    """Join an evening with its code. Without a cookie, you get one, and `cookie` is its value."""
    services, code = caller.services, normalize_code(arguments.code)
    await services.runtime.run_in_thread(rounds.read_evening, services, code)  # a wrong code creates no person
    person = await caller.ensure_person(arguments.player)
    name = clean_name(arguments.player, "")
    if name and name != person.name:
        await services.people.rename(person, name)
    evening = await guests.join_evening(services.store, code, person)
    return {**build_evening_json(evening), "cookie": caller.new_cookie}


@commands.add(
    "add-evening-guest",
    EVENING_HOST,
    api=Api("POST", "/evenings/{code}/others", status_code=201),
    form=Form("/evening/{code}/add", EVENING_PAGE),
)
async def add_evening_guest(caller: EveningCaller, arguments: AddedGuest) -> JsonObject:
    """Add someone without a device, who plays at that of another player, or a bot. Only the host can do this."""
    store = caller.services.store
    evening = await guests.add_guest(store, caller.evening, caller.me, arguments.name, arguments.bot)
    return build_evening_json(evening)


@commands.add(
    "set-guest-status",
    GUEST,
    api=Api("PUT", "/evenings/{code}/guests/{number}"),
    form=Form("/evening/{code}/guests/{number}", EVENING_PAGE),
)
async def set_guest_status(caller: EveningCaller, arguments: GuestStatus) -> JsonObject:
    """Set your status; the host can set it for everyone. A guest who leaves the evening also leaves the match."""
    services, evening = caller.services, caller.evening
    evening = await guests.set_guest_status(services.store, evening, caller.me, arguments.number, arguments.status)
    guest, table = evening.get_guest(arguments.number), evening.find_table_of(arguments.number)
    if arguments.status == GONE and table is not None and guest.person == caller.me.id:
        played = await services.tables.get_table(table.id)
        for occupant in played.occupants:
            if occupant.person == guest.person and occupant.kind == "person" and occupant.taken:
                await seats.leave_seat(services, played, occupant)
    return build_evening_json(evening)


@commands.add(
    "start-round",
    EVENING_HOST,
    api=Api("POST", "/evenings/{code}/rounds", status_code=201),
    form=Form("/evening/{code}/rounds", EVENING_PAGE),
    rates=["open"],
)
async def start_round(caller: EveningCaller, arguments: NewRound) -> JsonObject:
    """Start the next round. Its matches begin at once. Only the host can do this."""
    game = require_game(arguments.game or caller.evening.game)
    evening = await rounds.start_round(
        caller.services,
        caller.evening,
        caller.me,
        arguments.round,
        game,
        arguments.tables,
        arguments.again,
        same_deal=arguments.same_deal,
    )
    return build_evening_json(evening)


@commands.add(
    "end-evening",
    EVENING_HOST,
    api=Api("DELETE", "/evenings/{code}"),
    form=Form("/evening/{code}/end", EVENING_PAGE),
)
async def end_evening(caller: EveningCaller, arguments: EveningArguments) -> JsonObject:
    """End the evening. Running matches continue and still give points. Only the host can do this."""
    return build_evening_json(await guests.end_evening(caller.services.store, caller.evening, caller.me))
