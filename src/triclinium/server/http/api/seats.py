"""The HTTP API, version 1: what the players of a table ask of one another, and what its host may revoke."""

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from triclinium.engine.core.state import Seat
from triclinium.server.accounts import vacation
from triclinium.server.accounts.users import Person
from triclinium.server.errors import NoNickname
from triclinium.server.http.auth import back_at, count, person_of, seated, server_of, token_of, viewer_of
from triclinium.server.presenter.api_json import PROBLEMS, list_invitations, summary
from triclinium.server.server import Server
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

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)


class TakeBack(BaseModel):
    """Asking to take back, or agreeing to it, at one version of the table."""

    model_config = ConfigDict(extra="forbid", strict=True)
    version: int = Field(ge=0, le=2**31)
    practice: bool = Field(False, description="you are alone and know that the match is practice from then on")


class Resigning(BaseModel):
    """Leaving the match for good, at one version of the table."""

    model_config = ConfigDict(extra="forbid", strict=True)
    version: int = Field(ge=0, le=2**31)
    seat: int | None = Field(None, ge=0, le=5)


class Pause(BaseModel):
    """How long everybody rests."""

    model_config = ConfigDict(extra="forbid", strict=True)
    minutes: int = Field(ge=1, le=consent.LONGEST)


class Level(BaseModel):
    """Which bot takes a seat."""

    model_config = ConfigDict(extra="forbid", strict=True)
    bot: str = Field(max_length=40)


class Kept(BaseModel):
    """Whom a seat is kept for."""

    model_config = ConfigDict(extra="forbid", strict=True)
    person: int = Field(ge=1, lt=2**31)


async def _player(request: Request, id: str) -> tuple[Server, Table, tuple[Seat, ...]]:
    count(request, "post")
    server = server_of(request)
    table = await server.table(id)
    return server, table, (await back_at(request, table)).mine


class ReadyCheck(BaseModel):
    """Whether everybody is asked before the deal."""

    model_config = ConfigDict(extra="forbid", strict=True)
    on: bool


@router.post("/tables/{id}/ready", tags=["seats"])
async def post_ready(request: Request, id: str) -> dict[str, object]:
    """Say that you are ready, at a full table that asks; the match begins when everybody is."""
    server, table, mine = await _player(request, id)
    await ready_check.press(server, table, mine)
    return summary(server, table)


@router.put("/tables/{id}/ready", tags=["tables"])
async def put_ready(request: Request, id: str, wish: ReadyCheck) -> dict[str, object]:
    """The host lets the deal wait until everybody is ready, or not."""
    count(request, "post")
    server = server_of(request)
    table = await server.table(id)
    await ready_check.switch(server, table, viewer_of(request, table).is_host(table), wish.on)
    return summary(server, table)


@router.post("/tables/{id}/back", tags=["play"])
async def post_back(request: Request, id: str, wish: TakeBack) -> dict[str, object]:
    """Ask to take back to your last option, or agree; `done` once the owner of every seat has agreed."""
    server, table, mine = await _player(request, id)
    done = await undo.consent(server, table, mine, wish.version, wish.practice)
    return {"done": done, "table": summary(server, table)}


@router.post("/tables/{id}/seats/{seat}/absent", tags=["seats"])
async def post_absent(request: Request, id: str, seat: int) -> dict[str, object]:
    """Vote for a substitute bot while the player whose turn it is stays absent; `done` when the others agree."""
    server, table, mine = await _player(request, id)
    done = await timeouts.vote(server, table, seat, mine)
    return {"done": done, "table": summary(server, table)}


@router.post("/tables/{id}/seats/{seat}/back", tags=["seats"])
async def post_seat_back(request: Request, id: str, seat: int) -> dict[str, object]:
    """Play again instead of the substitute bot; opening the table, a move, an undo or a vote does the same."""
    count(request, "post")
    server = server_of(request)
    table = await server.table(id)
    await seats.come_back(server, table, (seated(viewer_of(request, table), seat),))
    return summary(server, table)


@router.post("/tables/{id}/resign", tags=["play"])
async def post_resign(request: Request, id: str, wish: Resigning) -> dict[str, object]:
    """Leave the match for good: you are last and it counts. `option`: by a rule of the game; else a bot goes on."""
    count(request, "post")
    server = server_of(request)
    table = await server.table(id)
    at = viewer_of(request, table)
    option = await resign.resign(server, table, seated(at, wish.seat), wish.version)
    return {"option": option, "table": summary(server, table)}


@router.post("/tables/{id}/pause", tags=["play"])
async def post_pause(request: Request, id: str, wish: Pause) -> dict[str, object]:
    """Ask for a pause of a live match with a clock, or agree to the same length; `done` when all agree."""
    server, table, mine = await _player(request, id)
    done = await consent.pause(server, table, mine, wish.minutes)
    return {"done": done, "table": summary(server, table)}


@router.delete("/tables/{id}/pause", tags=["play"])
async def delete_pause(request: Request, id: str) -> dict[str, object]:
    """Say that you are back from a pause; it ends when all are."""
    server, table, mine = await _player(request, id)
    done = await consent.go_on(server, table, mine)
    return {"done": done, "table": summary(server, table)}


@router.post("/tables/{id}/break", tags=["play"])
async def post_break(request: Request, id: str) -> dict[str, object]:
    """Ask to abandon the match, or agree; when the owners of all seats do it ends, and nothing counts."""
    server, table, mine = await _player(request, id)
    done = await consent.break_off(server, table, mine)
    return {"done": done, "table": summary(server, table)}


@router.post("/tables/{id}/seats/{seat}/remove", tags=["seats"])
async def post_remove(request: Request, id: str, seat: int) -> dict[str, object]:
    """Vote to remove a player whose clock has run out, or who has been absent for a day where there is none."""
    server, table, mine = await _player(request, id)
    done = await vote_replace.vote_out(server, table, seat, mine)
    return {"done": done, "table": summary(server, table)}


@router.put("/tables/{id}/seats/{seat}/bot", tags=["seats"])
async def put_bot(request: Request, id: str, seat: int, wish: Level) -> dict[str, object]:
    """The host gives a free seat to a bot, before the deal; with the last one the match begins."""
    count(request, "post")
    server = server_of(request)
    table = await server.table(id)
    await seats.fill(server, table, seat, viewer_of(request, table).is_host(table), wish.bot)
    return summary(server, table)


class Opening(BaseModel):
    """Opening the seat of a bot to people."""

    model_config = ConfigDict(extra="forbid", strict=True)
    unrated: bool = Field(False, description="you know that after the first decision the match is not rated any more")


@router.post("/tables/{id}/seats/{seat}/open", tags=["seats"])
async def post_open(request: Request, id: str, seat: int, wish: Opening) -> dict[str, object]:
    """Open the seat of a bot to people, as the host. The bot plays on until someone takes it by its invitation."""
    count(request, "post")
    server = server_of(request)
    table = await server.table(id)
    at = viewer_of(request, table)
    await bot_seats.open_to_people(server, table, seat, at.is_host(table), wish.unrated)
    return {**summary(server, table), "invitations": list_invitations(server, table, [table.occupants[seat]])}


@router.delete("/tables/{id}", tags=["tables"])
async def delete_table(request: Request, id: str) -> dict[str, object]:
    """The host closes a table that has not begun."""
    count(request, "post")
    server = server_of(request)
    table = await server.table(id)
    await seats.close(server, table, viewer_of(request, table).is_host(table))
    return summary(server, table)


@router.post("/tables/{id}/again", status_code=201, tags=["tables"])
async def post_again(request: Request, id: str) -> dict[str, object]:
    """Play again: open the rematch of a match that is over, or take the seat that is kept for you where it is open.

    A program gets the token of its seat there; asked once more, the same.
    """
    count(request, "open")
    server = server_of(request)
    table = await server.table(id)
    at = viewer_of(request, table)
    owner, held = table.occupants[seated(at)].person, token_of(request)
    if owner is None:
        raise NoNickname()
    person = at.person if not held else await server.in_thread(server.people.known, owner)
    assert person is not None
    fresh = await rematch.rematch(server, person, table, held)
    seat, token = await rematch.take_seat(server, fresh, person, held)
    return {"table": summary(server, fresh), "seat": seat, "token": token}


@router.put("/tables/{id}/seats/{seat}/kept", tags=["seats"])
async def put_kept(request: Request, id: str, seat: int, wish: Kept) -> dict[str, object]:
    """Agree to give a vacated seat to a person of this server; `done` when all players agree. They are notified."""
    server, table, mine = await _player(request, id)
    done = await vote_replace.offer(server, table, seat, wish.person, mine)
    return {"done": done, "table": summary(server, table)}


@router.delete("/tables/{id}/watch", tags=["tables"])
async def delete_watch(request: Request, id: str) -> dict[str, object]:
    """The host revokes the spectators' link and the code; who came by them goes. The new ones are in the answer."""
    count(request, "post")
    server = server_of(request)
    table = await server.table(id)
    await invitations.revoke_watching(server, table, viewer_of(request, table).is_host(table))
    return {"watch": invitations.watch_token(server, table), "code": table.code}


class Absence(BaseModel):
    """Between which moments somebody is away, in seconds since 1970."""

    model_config = ConfigDict(extra="forbid", strict=True)
    start: float = Field(0.0, ge=0, le=2**33, description="0: now")
    until: float = Field(ge=0, le=2**33)


def _oneself(request: Request) -> Person:
    person = person_of(request)
    if person is None:
        raise NoNickname()
    return person


def _away_facts(request: Request) -> dict[str, object]:
    told = vacation.away_of(server_of(request), _oneself(request).id)
    return {"away": None if told.span is None else {"start": told.span[0], "until": told.span[1]}, "days": told.days}


@router.get("/me/away", tags=["people"])
async def get_away(request: Request) -> dict[str, object]:
    """When you are away, and how many days of the year you may still be."""
    return _away_facts(request)


@router.put("/me/away", tags=["people"])
async def put_away(request: Request, wish: Absence) -> dict[str, object]:
    """Be away: your clocks at slow tables rest, for 21 days a year at most."""
    count(request, "post")
    await vacation.go_away(server_of(request), _oneself(request), wish.start, wish.until)
    return _away_facts(request)


@router.delete("/me/away", tags=["people"])
async def delete_away(request: Request) -> dict[str, object]:
    """Be back now, or do not go."""
    count(request, "post")
    await vacation.come_back(server_of(request), _oneself(request))
    return _away_facts(request)
