"""The HTTP API, version 1: what the players of a table ask of one another, and what its host may revoke."""

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from triclinium.engine.core.state import Seat
from triclinium.server.accounts import vacation
from triclinium.server.accounts.users import Person
from triclinium.server.errors import NoNickname
from triclinium.server.http.auth import (
    check_rate_limit,
    get_bearer_token,
    get_current_person,
    get_current_viewer,
    get_services,
    require_seat,
    resume_seated_viewer,
)
from triclinium.server.presenter.api_json import ERROR_RESPONSES, build_invitations_json, build_summary_json
from triclinium.server.services import Services
from triclinium.server.tables import (
    bot_seats,
    consent,
    invitations,
    ready_check,
    rematch,
    resign,
    seats,
    timeouts,
    undo,
    vote_replace,
)
from triclinium.server.tables.table import Table

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES)


class UndoRequestBody(BaseModel):
    """Asking to take back, or agreeing to it, at one version of the table."""

    model_config = ConfigDict(extra="forbid", strict=True)
    version: int = Field(ge=0, le=2**31)
    practice: bool = Field(False, description="you are alone and know that the match is practice from then on")


class ResignBody(BaseModel):
    """Leaving the match for good, at one version of the table."""

    model_config = ConfigDict(extra="forbid", strict=True)
    version: int = Field(ge=0, le=2**31)
    seat: int | None = Field(None, ge=0, le=5)


class PauseBody(BaseModel):
    """How long everybody rests."""

    model_config = ConfigDict(extra="forbid", strict=True)
    minutes: int = Field(ge=1, le=consent.MAX_PAUSE_MINUTES)


class BotSeatBody(BaseModel):
    """Which bot takes a seat."""

    model_config = ConfigDict(extra="forbid", strict=True)
    bot: str = Field(max_length=40)


class ReservedSeatBody(BaseModel):
    """Whom a seat is kept for."""

    model_config = ConfigDict(extra="forbid", strict=True)
    person: int = Field(ge=1, lt=2**31)


async def _load_as_player(request: Request, id: str) -> tuple[Services, Table, tuple[Seat, ...]]:
    check_rate_limit(request, "post")
    services = get_services(request)
    table = await services.tables.get_table(id)
    return services, table, (await resume_seated_viewer(request, table)).own_seats


class ReadyCheckBody(BaseModel):
    """Whether everybody is asked before the deal."""

    model_config = ConfigDict(extra="forbid", strict=True)
    enabled: bool


@router.post("/tables/{id}/ready", tags=["seats"])
async def post_ready(request: Request, id: str) -> dict[str, object]:
    """Say that you are ready, at a full table that asks; the match begins when everybody is."""
    services, table, mine = await _load_as_player(request, id)
    await ready_check.confirm_ready(services, table, mine)
    return build_summary_json(services, table)


@router.put("/tables/{id}/ready-check", tags=["tables"])
async def put_ready_check(request: Request, id: str, body: ReadyCheckBody) -> dict[str, object]:
    """The host lets the deal wait until everybody is ready, or not."""
    check_rate_limit(request, "post")
    services = get_services(request)
    table = await services.tables.get_table(id)
    await ready_check.set_ready_check(services, table, get_current_viewer(request, table).is_host(table), body.enabled)
    return build_summary_json(services, table)


@router.post("/tables/{id}/request-undo", tags=["play"])
async def post_undo_request(request: Request, id: str, body: UndoRequestBody) -> dict[str, object]:
    """Ask to take back to your last option, or agree; `done` once the owner of every seat has agreed."""
    services, table, mine = await _load_as_player(request, id)
    done = await undo.vote_to_undo(services, table, mine, body.version, body.practice)
    return {"done": done, "table": build_summary_json(services, table)}


@router.post("/tables/{id}/seats/{seat}/vote-substitute", tags=["seats"])
async def post_substitute_vote(request: Request, id: str, seat: int) -> dict[str, object]:
    """Vote for a substitute bot while the player whose turn it is stays absent; `done` when the others agree."""
    services, table, mine = await _load_as_player(request, id)
    done = await timeouts.vote_for_substitute(services, table, seat, mine)
    return {"done": done, "table": build_summary_json(services, table)}


@router.post("/tables/{id}/seats/{seat}/return", tags=["seats"])
async def post_seat_return(request: Request, id: str, seat: int) -> dict[str, object]:
    """Play again instead of the substitute bot; opening the table, a move, an undo or a vote does the same."""
    check_rate_limit(request, "post")
    services = get_services(request)
    async with services.tables.locked(id) as table:
        own_seat = require_seat(get_current_viewer(request, table), seat)
        await seats.end_own_substitutions(services, table, (own_seat,))
        return build_summary_json(services, table)


@router.post("/tables/{id}/resign", tags=["play"])
async def post_resign(request: Request, id: str, body: ResignBody) -> dict[str, object]:
    """Leave the match for good: you are last and it counts. `option`: by a rule of the game; else a bot goes on."""
    check_rate_limit(request, "post")
    services = get_services(request)
    table = await services.tables.get_table(id)
    viewer = get_current_viewer(request, table)
    option = await resign.resign_seat(services, table, require_seat(viewer, body.seat), body.version)
    return {"option": option, "table": build_summary_json(services, table)}


@router.post("/tables/{id}/pause", tags=["play"])
async def post_pause(request: Request, id: str, body: PauseBody) -> dict[str, object]:
    """Ask for a pause of a live match with a clock, or agree to the same length; `done` when all agree."""
    services, table, mine = await _load_as_player(request, id)
    done = await consent.vote_to_pause(services, table, mine, body.minutes)
    return {"done": done, "table": build_summary_json(services, table)}


@router.delete("/tables/{id}/pause", tags=["play"])
async def delete_pause(request: Request, id: str) -> dict[str, object]:
    """Say that you are back from a pause; it ends when all are."""
    services, table, mine = await _load_as_player(request, id)
    done = await consent.vote_to_resume(services, table, mine)
    return {"done": done, "table": build_summary_json(services, table)}


@router.post("/tables/{id}/abandon", tags=["play"])
async def post_abandon(request: Request, id: str) -> dict[str, object]:
    """Ask to abandon the match, or agree; when the owners of all seats do it ends, and nothing counts."""
    services, table, mine = await _load_as_player(request, id)
    done = await consent.vote_to_abandon(services, table, mine)
    return {"done": done, "table": build_summary_json(services, table)}


@router.post("/tables/{id}/seats/{seat}/vote-remove", tags=["seats"])
async def post_replace_vote(request: Request, id: str, seat: int) -> dict[str, object]:
    """Vote to remove a player whose clock has run out, or who has been absent for a day where there is none."""
    services, table, mine = await _load_as_player(request, id)
    done = await vote_replace.vote_to_remove(services, table, seat, mine)
    return {"done": done, "table": build_summary_json(services, table)}


@router.put("/tables/{id}/seats/{seat}/bot", tags=["seats"])
async def put_bot_in_seat(request: Request, id: str, seat: int, body: BotSeatBody) -> dict[str, object]:
    """The host gives a free seat to a bot, before the deal; with the last one the match begins."""
    check_rate_limit(request, "post")
    services = get_services(request)
    table = await services.tables.get_table(id)
    await seats.fill_with_bot(services, table, seat, get_current_viewer(request, table).is_host(table), body.bot)
    return build_summary_json(services, table)


class OpenSeatBody(BaseModel):
    """Opening the seat of a bot to people."""

    model_config = ConfigDict(extra="forbid", strict=True)
    unrated: bool = Field(False, description="you know that after the first decision the match is not rated any more")


@router.post("/tables/{id}/seats/{seat}/open", tags=["seats"])
async def post_open_seat(request: Request, id: str, seat: int, body: OpenSeatBody) -> dict[str, object]:
    """Open the seat of a bot to people, as the host. The bot plays on until someone takes it by its invitation."""
    check_rate_limit(request, "post")
    services = get_services(request)
    table = await services.tables.get_table(id)
    viewer = get_current_viewer(request, table)
    await bot_seats.open_to_people(services, table, seat, viewer.is_host(table), body.unrated)
    return {
        **build_summary_json(services, table),
        "invitations": build_invitations_json(services.key, table, [table.occupants[seat]]),
    }


@router.delete("/tables/{id}", tags=["tables"])
async def delete_table(request: Request, id: str) -> dict[str, object]:
    """The host closes a table that has not begun."""
    check_rate_limit(request, "post")
    services = get_services(request)
    table = await services.tables.get_table(id)
    await seats.close_table(services.tables, table, get_current_viewer(request, table).is_host(table))
    return build_summary_json(services, table)


@router.post("/tables/{id}/rematch", status_code=201, tags=["tables"])
async def post_rematch(request: Request, id: str) -> dict[str, object]:
    """Play again: open the rematch of a match that is over, or take the seat that is kept for you where it is open.

    A program gets the token of its seat there; asked once more, the same.
    """
    check_rate_limit(request, "open")
    services = get_services(request)
    table = await services.tables.get_table(id)
    viewer = get_current_viewer(request, table)
    owner, old_token = table.occupants[require_seat(viewer)].person, get_bearer_token(request)
    if owner is None:
        raise NoNickname()
    person = (
        viewer.person if not old_token else await services.runtime.run_in_thread(services.people.load_person, owner)
    )
    assert person is not None
    new_table = await rematch.open_rematch(services, person, table, old_token)
    seat, token = await rematch.take_seat(services, new_table, person, old_token)
    return {"table": build_summary_json(services, new_table), "seat": seat, "token": token}


@router.post("/tables/{id}/seats/{seat}/vote-reassign", tags=["seats"])
async def put_reserved_seat(request: Request, id: str, seat: int, body: ReservedSeatBody) -> dict[str, object]:
    """Agree to give a vacated seat to a person of this server; `done` when all players agree. They are notified."""
    services, table, mine = await _load_as_player(request, id)
    done = await vote_replace.vote_to_reassign(services, table, seat, body.person, mine)
    return {"done": done, "table": build_summary_json(services, table)}


@router.delete("/tables/{id}/spectator-link", tags=["tables"])
async def delete_spectator_link(request: Request, id: str) -> dict[str, object]:
    """The host revokes the spectators' link and the code; who came by them goes. The new ones are in the answer."""
    check_rate_limit(request, "post")
    services = get_services(request)
    table = await services.tables.get_table(id)
    await invitations.revoke_watch_link(services.tables, table, get_current_viewer(request, table).is_host(table))
    return {"watch": invitations.make_watch_token(services.key, table), "code": table.code}


class VacationBody(BaseModel):
    """Between which moments somebody is away, in seconds since 1970."""

    model_config = ConfigDict(extra="forbid", strict=True)
    start: float = Field(0.0, ge=0, le=2**33, description="0: now")
    until: float = Field(ge=0, le=2**33)


def _require_person(request: Request) -> Person:
    person = get_current_person(request)
    if person is None:
        raise NoNickname()
    return person


def _build_vacation_json(request: Request) -> dict[str, object]:
    vacation_days = vacation.get_vacation_status(get_services(request), _require_person(request).id)
    return {
        "vacation": None
        if vacation_days.span is None
        else {"start": vacation_days.span[0], "until": vacation_days.span[1]},
        "days_left": vacation_days.days_left,
    }


@router.get("/me/vacation", tags=["players"])
async def get_vacation(request: Request) -> dict[str, object]:
    """When you are away, and how many days of the year you may still be."""
    return _build_vacation_json(request)


@router.put("/me/vacation", tags=["players"])
async def put_vacation(request: Request, body: VacationBody) -> dict[str, object]:
    """Be away: your clocks at slow tables rest, for 21 days a year at most."""
    check_rate_limit(request, "post")
    await vacation.schedule_vacation(get_services(request), _require_person(request), body.start, body.until)
    return _build_vacation_json(request)


@router.delete("/me/vacation", tags=["players"])
async def delete_vacation(request: Request) -> dict[str, object]:
    """Be back now, or do not go."""
    check_rate_limit(request, "post")
    await vacation.end_vacation(get_services(request), _require_person(request))
    return _build_vacation_json(request)
