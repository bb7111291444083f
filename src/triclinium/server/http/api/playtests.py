"""HTTP API, version 1: playtests of two editions with people, and the answers of their players."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from triclinium.engine.core.text import msgid
from triclinium.server.http.api.players import require_person
from triclinium.server.http.api.workshop import DESIGNER, EDITION_FORM, EditionArguments, read_edition
from triclinium.server.http.auth import get_services
from triclinium.server.http.commands import PERSON, Api, Arguments, Caller, CommandList, Form, JsonObject
from triclinium.server.http.table_commands import SEAT_HOLDER, TableArguments, TableCaller
from triclinium.server.presenter.api_json import ERROR_RESPONSES
from triclinium.server.services import Services
from triclinium.server.workshop import playtests
from triclinium.server.workshop.playtest_results import SCALE, FigureEstimate, PlaytestResults, build_csv, load_results
from triclinium.server.workshop.playtests import (
    FIRST,
    QUESTIONS,
    SECOND,
    PlayerAnswers,
    Playtest,
    load_own_playtest,
)

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["playtests"])
commands = CommandList(router)
CONFIRM_END = msgid("Confirm that you want to end this playtest.")
CONFIRM_DELETION = msgid("Confirm that you want to delete this playtest.")
PlaytestId = Annotated[str, Path(max_length=12)]
Step = Annotated[int, Field(ge=1, le=5)]


class NewPlaytest(EditionArguments):
    """A playtest of one of your editions."""

    against: str = Field("", max_length=12, description="id of another of your editions; empty: the printed game")
    question: str = Field("enjoyed", max_length=12, description="the main question")
    name: str = Field("", max_length=200, description="a name that only you see")


class PlaytestArguments(Arguments):
    """One of your playtests."""

    id: str = Field(max_length=12)


class Answers(TableArguments):
    """A player's answers after the match, from 1 (no) to 5 (yes)."""

    enjoyed: Step
    mattered: Step
    fair: Step
    length: Step
    remark: str = Field("", max_length=2000)
    seat: int | None = None


# -- reading ----------------------------------------------------------------------------------------------------------


def read_own_results(services: Services, id: str, person: int | None) -> PlaytestResults:
    """Return the results of a playtest of this person."""
    with services.store.read_connection() as connection:
        return load_results(connection, load_own_playtest(connection, id, person))


def build_playtest_json(playtest: Playtest) -> JsonObject:
    """Return the public facts about a playtest. The key and the editions become public at the end."""
    facts: JsonObject = {"id": playtest.id, "game": playtest.game_id, "open": playtest.is_open, "seal": playtest.seal}
    if not playtest.is_open:
        facts |= {"key": playtest.key, "salt": playtest.salt}
        facts["editions"] = [edition.name or None for edition in playtest.editions]
    return facts


def build_results_json(results: PlaytestResults) -> JsonObject:
    """Return the results of a playtest as JSON. Differences are in steps of the answers."""
    estimates = results.estimates
    last = asdict(estimates[-1]) if estimates else None
    return {
        **build_playtest_json(results.playtest),
        "name": results.playtest.name,
        "question": results.playtest.question,
        "editions": [edition.name or None for edition in results.playtest.editions],
        "tables": len(results.tables),
        "pairs": len(estimates),
        "difference": last
        and {**{key: SCALE * last[key] for key in ("mean", "low", "high")}, "clear": last["is_clear"]},
        "clear_since": results.clear_since or None,
        "answers": {
            question: [results.count_answers(question, edition) for edition in (FIRST, SECOND)]
            for question in QUESTIONS
        },
        "figures": [_build_figures_json(results.estimate_figures(edition)) for edition in (FIRST, SECOND)],
        "bots": [_build_figures_json(figures) for figures in results.bots],
    }


def _build_figures_json(figures: Mapping[str, FigureEstimate]) -> JsonObject:
    return {name: asdict(figure) for name, figure in figures.items()}


@router.get("/playtests")
async def get_playtests(request: Request) -> JsonObject:
    """List your playtests, the newest first."""
    services, person = get_services(request), require_person(request)

    def build() -> JsonObject:
        with services.store.read_connection() as connection:
            return {
                "playtests": [build_playtest_json(each) for each in playtests.list_playtests(connection, person.id)]
            }

    return await services.runtime.run_in_thread(build)


@router.get("/playtests/{id}")
async def get_playtest(request: Request, id: PlaytestId) -> JsonObject:
    """Return a playtest, with the seal of its random assignment, and with the key after the end."""
    services = get_services(request)
    return await services.runtime.run_in_thread(lambda: build_playtest_json(playtests.find_playtest(services, id)))


@router.get("/playtests/{id}/results")
async def get_results(request: Request, id: PlaytestId) -> JsonObject:
    """Return the results of one of your playtests."""
    services, person = get_services(request), require_person(request)
    return await services.runtime.run_in_thread(lambda: build_results_json(read_own_results(services, id, person.id)))


@router.get("/playtests/{id}/answers.csv", response_class=Response)
async def get_answers(request: Request, id: PlaytestId) -> Response:
    """Download the answers of one of your playtests as CSV, one line for each player."""
    services, person = get_services(request), require_person(request)
    text = await services.runtime.run_in_thread(lambda: build_csv(read_own_results(services, id, person.id)))
    headers = {"Content-Disposition": f'attachment; filename="playtest-{id}.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


# -- owners -----------------------------------------------------------------------------------------------------------


@commands.add(
    "create-playtest",
    DESIGNER,
    api=Api("POST", "/editions/{id}/playtests", status_code=201),
    form=Form(f"{EDITION_FORM}/playtests"),
)
async def create_playtest(caller: Caller, arguments: NewPlaytest) -> JsonObject:
    """Start a playtest of one of your editions against another one, or against the printed game."""
    services, me = caller.services, caller.me
    edition = await services.runtime.run_in_thread(read_edition, services, arguments.id, me.id)
    other = None
    if arguments.against:
        other = await services.runtime.run_in_thread(read_edition, services, arguments.against, me.id)
    created = await playtests.create_playtest(services, me, edition, other, arguments.question, arguments.name)
    return build_playtest_json(created)


async def _load_own(caller: Caller, id: str) -> Playtest:
    def load() -> Playtest:
        with caller.services.store.read_connection() as connection:
            return load_own_playtest(connection, id, caller.me.id)

    return await caller.services.runtime.run_in_thread(load)


@commands.add(
    "end-playtest",
    PERSON,
    api=Api("POST", "/playtests/{id}/end"),
    form=Form("/playtests/{id}/end", "/workshop/playtests/{id}", confirmation=CONFIRM_END),
)
async def end_playtest(caller: Caller, arguments: PlaytestArguments) -> JsonObject:
    """End a playtest. Tables still in play do not count, and the key of the random assignment becomes public."""
    return build_playtest_json(await playtests.end_playtest(caller.services, await _load_own(caller, arguments.id)))


@commands.add(
    "delete-playtest",
    PERSON,
    api=Api("DELETE", "/playtests/{id}"),
    form=Form("/playtests/{id}/delete", "/workshop", confirmation=CONFIRM_DELETION),
)
async def delete_playtest(caller: Caller, arguments: PlaytestArguments) -> JsonObject:
    """Delete a playtest with its answers. Its tables stay."""
    playtest = await _load_own(caller, arguments.id)
    await playtests.delete_playtest(caller.services, playtest)
    return {"id": playtest.id, "deleted": True}


# -- players ----------------------------------------------------------------------------------------------------------


@commands.add(
    "answer-playtest",
    SEAT_HOLDER,
    api=Api("POST", "/tables/{id}/answers", status_code=201),
    form=Form("/tables/{id}/answers", "/tables/{id}"),
)
async def answer_playtest(caller: TableCaller, arguments: Answers) -> JsonObject:
    """Answer the questions of a playtest after the match. You then learn which edition you played."""
    seat = caller.require_seat(arguments.seat)
    given = PlayerAnswers({question: getattr(arguments, question) for question in QUESTIONS}, arguments.remark)
    await playtests.save_answers(caller.services, caller.table, caller.person, caller.own_seats, seat, given)
    return {"id": caller.table.id, "seat": seat, "edition": await load_edition_name(caller)}


async def load_edition_name(caller: TableCaller) -> str | None:
    """Return the name of the table's edition if the caller may know it, or None; the printed game has the name ""."""

    def load() -> str | None:
        with caller.services.store.read_connection() as connection:
            if not playtests.knows_edition(connection, caller.table, caller.own_seats):
                return None
            placed = playtests.find_table_edition(connection, caller.table)
            return None if placed is None else placed.edition.name

    return await caller.services.runtime.run_in_thread(load)
