"""HTTP API, version 1: the workshop, where people make editions of games and study them with bots."""

from collections.abc import Callable, Iterable
from typing import Annotated, TypeVar

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import Field
from sqlalchemy import Connection

from triclinium.engine.core.text import Reader, msgid
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.server.accounts.users import Person
from triclinium.server.errors import NotFound
from triclinium.server.http.api.players import require_person
from triclinium.server.http.auth import get_services
from triclinium.server.http.commands import AccessRule, Api, Arguments, Caller, CommandList, Form, JsonObject
from triclinium.server.presenter.api_json import ERROR_RESPONSES
from triclinium.server.services import Services
from triclinium.server.tables.create import require_game
from triclinium.server.workshop import editions, studies
from triclinium.server.workshop.access import check_workshop
from triclinium.server.workshop.editions import MAX_FILE_BYTES, StoredEdition, find_edition_faults
from triclinium.server.workshop.number_fields import EditionNumbers
from triclinium.server.workshop.studies import EditionStudy, StudyQuestion

T = TypeVar("T")
router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["workshop"])
commands = CommandList(router)
WORKSHOP = "/workshop"
EDITION_FORM = "/workshop/{game}/{id}"
CONFIRM_DELETION = msgid("Confirm that you want to delete this edition.")
MAX_NUMBERS = 2000  # fields of the form of an edition
MAX_FILE_CHARACTERS = 4 * MAX_FILE_BYTES  # a larger file is refused unread; up to here the refusal says why


async def _admit_designer(caller: Caller) -> Caller:
    check_workshop(caller.services.settings, caller.request.scope)
    if not caller.is_form:  # a program has to come with a cookie, because it would not get one here
        _ = caller.me
    await caller.ensure_person()
    return caller


DESIGNER = AccessRule("person who may use the workshop", _admit_designer)
EditionId = Annotated[str, Path(max_length=12)]


class NewEdition(Arguments):
    """A new edition of a game, by default of its printed components."""

    game: str = Field(max_length=40)
    name: str = Field("", max_length=200)
    file: str = Field("", max_length=MAX_FILE_CHARACTERS, description="a components file, TOML, at most 64 KB")


class EditionArguments(Arguments):
    """One of your editions."""

    id: str = Field(max_length=12)


class EditionChanges(EditionArguments):
    """The name and the numbers of an edition. Numbers are texts, by path. Those that are left out stay."""

    name: str = Field("", max_length=200)
    numbers: dict[str, str] = Field(default_factory=dict, max_length=MAX_NUMBERS)
    revision: int = Field(-1, ge=-1, description="the revision that you have read; -1: whichever is stored")


class EditionFile(EditionArguments):
    """A components file that replaces that of an edition."""

    file: str = Field(max_length=MAX_FILE_CHARACTERS, description="a components file, TOML, at most 64 KB")


class EditionSharing(EditionArguments):
    """The choice whether an edition has a read-only link."""

    shared: bool = True


class NewStudy(EditionArguments):
    """A study of an edition against the printed game."""

    seats: int = Field(0, ge=0, le=6, description="number of players; 0: three if the game allows it")
    bots: str = Field("steady", max_length=20)
    also: str = Field("", max_length=20, description="the bots that check the result; empty: the usual second kind")
    main: str = Field("first", max_length=20, description="the figure that answers the question")
    points: int = Field(5, ge=1, le=50, description="the smallest difference that matters, in percentage points")
    matches: int = Field(0, ge=0, le=100_000, description="deals for each edition; 0: as many as `points` needs")


class StudyArguments(Arguments):
    """One of your studies."""

    id: str = Field(max_length=12)


# -- reading ----------------------------------------------------------------------------------------------------------


def build_edition_json(edition: StoredEdition) -> JsonObject:
    """Return an edition with its changed numbers and the constraints that it breaks."""
    game, file = load_game(edition.game_id), edition.load_file()
    faults = find_edition_faults(game, file)
    numbers = EditionNumbers(game, file, faults, {})
    return {
        "id": edition.id,
        "game": edition.game_id,
        "name": edition.name,
        "revision": edition.revision,
        "changed": edition.changed_at,
        "shared": edition.shared_path or None,
        "components": file.hash,
        "changes": [
            {"path": field.path, "printed": field.number.value, "value": field.value}
            for field in numbers.changed_fields
        ],
        "faults": [
            {"constraint": fault.constraint, "path": fault.path, "text": fault.format(Reader())} for fault in faults
        ],
    }


def build_study_json(study: EditionStudy) -> JsonObject:
    """Return the state of a study."""
    progress = study.progress
    return {
        "id": study.id,
        "edition": study.edition,
        "game": study.game_id,
        "name": study.name,
        "state": study.state,
        "made": study.made_at,
        "deals": progress.played,
        "planned": progress.planned,
        "seconds_left": round(progress.seconds_left) or None,
        "first": dict(progress.first),
        "problem": study.problem or None,
    }


async def _list_own(
    request: Request, load: Callable[[Connection, int], Iterable[T]], build_json: Callable[[T], JsonObject]
) -> list[JsonObject]:
    """Return what belongs to the caller as JSON."""
    services, person = _require_designer(request)

    def build() -> list[JsonObject]:
        with services.store.read_connection() as connection:
            return [build_json(each) for each in load(connection, person.id)]

    return await services.runtime.run_in_thread(build)


@router.get("/editions")
async def get_editions(request: Request) -> JsonObject:
    """List your editions, the last changed first."""
    return {"editions": await _list_own(request, editions.list_editions, build_edition_json)}


@router.get("/editions/{id}")
async def get_edition(request: Request, id: EditionId) -> JsonObject:
    """Return one of your editions: its changes and the constraints that it breaks."""
    services, person = _require_designer(request)
    return await services.runtime.run_in_thread(lambda: build_edition_json(read_edition(services, id, person.id)))


@router.get("/editions/{id}/file", response_class=PlainTextResponse)
async def get_edition_file(request: Request, id: EditionId) -> Response:
    """Return the components file of one of your editions, for `triclinium play --components`."""
    services, person = _require_designer(request)
    edition = await services.runtime.run_in_thread(read_edition, services, id, person.id)
    return PlainTextResponse(edition.text)


@router.get("/studies")
async def get_studies(request: Request) -> JsonObject:
    """List your studies, the newest first."""
    return {"studies": await _list_own(request, studies.list_studies, build_study_json)}


@router.get("/studies/{id}")
async def get_study(request: Request, id: EditionId) -> JsonObject:
    """Return the state of one of your studies: its progress, and the first figures."""
    services, person = _require_designer(request)
    return await services.runtime.run_in_thread(lambda: build_study_json(read_study(services, id, person.id)))


@router.get("/studies/{id}/{file}")
async def get_study_file(request: Request, id: EditionId, file: Annotated[str, Path(max_length=40)]) -> Response:
    """Return a file of a study: `summary.json`, `report.html`, `study.toml` or `edition.toml`."""
    services, person = _require_designer(request)
    return await services.runtime.run_in_thread(make_study_file_response, services, id, file, person.id)


def make_study_file_response(services: Services, id: str, file: str, person: int) -> Response:
    """Return a file of a study. Raise `NotFound` if the person has no such study or the study no such file."""
    study = read_study(services, id, person)
    with services.store.read_connection() as connection:
        text = studies.load_study_file(connection, study.id, file)
    if not text:
        raise NotFound("This study has no such file yet.")
    kind = "application/json" if file.endswith(".json") else "text/plain; charset=utf-8"
    return Response(text, media_type=kind)


def _require_designer(request: Request) -> tuple[Services, Person]:
    services = get_services(request)
    check_workshop(services.settings, request.scope)
    return services, require_person(request)


def read_edition(services: Services, id: str, person: int) -> StoredEdition:
    """Return an edition of this person."""
    with services.store.read_connection() as connection:
        return editions.load_edition(connection, id, person)


def read_study(services: Services, id: str, person: int) -> EditionStudy:
    """Return a study of this person."""
    with services.store.read_connection() as connection:
        return studies.load_study(connection, id, person)


async def _load_own(caller: Caller, id: str) -> StoredEdition:
    return await caller.services.runtime.run_in_thread(read_edition, caller.services, id, caller.me.id)


# -- editions ---------------------------------------------------------------------------------------------------------


@commands.add(
    "create-edition",
    DESIGNER,
    api=Api("POST", "/editions", status_code=201),
    form=Form(WORKSHOP, files=1),
)
async def create_edition(caller: Caller, arguments: NewEdition) -> JsonObject:
    """Create an edition of a game, with the printed components or with those of a file."""
    game = require_game(arguments.game)
    text = await _read_file(caller, game, arguments.file) if arguments.file else ""
    edition = await editions.create_edition(caller.services.store, caller.me, game, arguments.name, text)
    return await caller.services.runtime.run_in_thread(build_edition_json, edition)


async def _read_file(caller: Caller, game: Game, text: str) -> str:
    read = await caller.services.runtime.run_in_thread(editions.read_uploaded_file, game, text)
    return read.to_toml_text()


@commands.add(
    "save-edition",
    DESIGNER,
    api=Api("PUT", "/editions/{id}"),
    form=Form(EDITION_FORM, max_fields=MAX_NUMBERS),
)
async def save_edition(caller: Caller, arguments: EditionChanges) -> JsonObject:
    """Save the name and the numbers of an edition. A draft may break constraints; the answer lists them."""
    edition = await _load_own(caller, arguments.id)
    saved = await _save_numbers(caller, edition, arguments)
    return await caller.services.runtime.run_in_thread(build_edition_json, saved)


async def _save_numbers(caller: Caller, edition: StoredEdition, arguments: EditionChanges) -> StoredEdition:
    def read() -> str:
        game = load_game(edition.game_id)
        file, unread = editions.apply_numbers(game, edition.load_file(), arguments.numbers)
        if unread:
            path, text = next(iter(unread.items()))
            raise editions.make_unread_error(path, text)
        return file.to_toml_text()

    text = await caller.services.runtime.run_in_thread(read)
    revision = edition.revision if arguments.revision < 0 else arguments.revision
    return await editions.save_edition(caller.services.store, edition, arguments.name, text, revision)


@commands.add(
    "check-edition",
    DESIGNER,
    api=Api("POST", "/editions/{id}/check"),
    form=Form("/workshop/{game}/{id}/check", max_fields=MAX_NUMBERS),
)
async def check_edition(caller: Caller, arguments: EditionChanges) -> JsonObject:
    """Return an edition as it would be with these numbers, without saving it."""
    edition = await _load_own(caller, arguments.id)

    def build() -> JsonObject:
        file, unread = editions.apply_numbers(load_game(edition.game_id), edition.load_file(), arguments.numbers)
        draft = build_edition_json(editions.replace_text(edition, file.to_toml_text()))
        return {**draft, "unread": sorted(unread)}

    return await caller.services.runtime.run_in_thread(build)


@commands.add(
    "replace-edition-file",
    DESIGNER,
    api=Api("PUT", "/editions/{id}/file"),
    form=Form("/workshop/{game}/{id}/file", files=1),
)
async def replace_edition_file(caller: Caller, arguments: EditionFile) -> JsonObject:
    """Replace the components of an edition by those of a file."""
    edition = await _load_own(caller, arguments.id)
    text = await _read_file(caller, load_game(edition.game_id), arguments.file)
    saved = await editions.save_edition(caller.services.store, edition, edition.name, text, edition.revision)
    return await caller.services.runtime.run_in_thread(build_edition_json, saved)


@commands.add(
    "share-edition",
    DESIGNER,
    api=Api("PUT", "/editions/{id}/share"),
    form=Form("/workshop/{game}/{id}/share"),
)
async def share_edition(caller: Caller, arguments: EditionSharing) -> JsonObject:
    """Create or revoke the link at which everyone can read an edition."""
    edition = await _load_own(caller, arguments.id)
    link = await editions.set_shared(caller.services.store, edition, arguments.shared)
    return {"id": edition.id, "shared": f"/workshop/shared/{link}" if link else None}


@commands.add(
    "delete-edition",
    DESIGNER,
    api=Api("DELETE", "/editions/{id}"),
    form=Form("/workshop/{game}/{id}/delete", WORKSHOP, confirmation=CONFIRM_DELETION),
)
async def delete_edition(caller: Caller, arguments: EditionArguments) -> JsonObject:
    """Delete an edition. Tables, records and studies that use it keep their own copy."""
    edition = await _load_own(caller, arguments.id)
    await editions.delete_edition(caller.services.store, edition)
    return {"id": edition.id, "deleted": True}


# -- studies ----------------------------------------------------------------------------------------------------------


@commands.add(
    "start-study",
    DESIGNER,
    api=Api("POST", "/editions/{id}/studies", status_code=201),
    form=Form("/workshop/{game}/{id}/studies"),
)
async def start_study(caller: Caller, arguments: NewStudy) -> JsonObject:
    """Let bots compare an edition with the printed game. Studies of all people are played one after the other."""
    edition = await _load_own(caller, arguments.id)
    seats = arguments.seats or _choose_seats(load_game(edition.game_id))
    question = StudyQuestion(seats, arguments.bots, arguments.also, arguments.points, arguments.main, arguments.matches)
    files = await caller.services.runtime.run_in_thread(studies.build_study_files, edition, question)
    study = await studies.start_study(caller.services.store, caller.me, edition, files)
    return build_study_json(study)


def _choose_seats(game: Game) -> int:
    return 3 if 3 in game.seats else game.seats[0]


@commands.add(
    "stop-study",
    DESIGNER,
    api=Api("POST", "/studies/{id}/stop"),
    form=Form("/workshop/studies/{id}/stop", "/workshop/studies/{id}"),
)
async def stop_study(caller: Caller, arguments: StudyArguments) -> JsonObject:
    """Stop a study that waits or runs."""
    study = await caller.services.runtime.run_in_thread(read_study, caller.services, arguments.id, caller.me.id)
    return build_study_json(await studies.stop_study(caller.services.store, study))


@commands.add(
    "retry-study",
    DESIGNER,
    api=Api("POST", "/studies/{id}/retry"),
    form=Form("/workshop/studies/{id}/retry", "/workshop/studies/{id}"),
)
async def retry_study(caller: Caller, arguments: StudyArguments) -> JsonObject:
    """Queue a study that failed or was stopped again."""
    study = await caller.services.runtime.run_in_thread(read_study, caller.services, arguments.id, caller.me.id)
    return build_study_json(await studies.retry_study(caller.services.store, study))


@commands.add(
    "delete-study",
    DESIGNER,
    api=Api("DELETE", "/studies/{id}"),
    form=Form("/workshop/studies/{id}/delete", WORKSHOP),
)
async def delete_study(caller: Caller, arguments: StudyArguments) -> JsonObject:
    """Delete a study and its report."""
    study = await caller.services.runtime.run_in_thread(read_study, caller.services, arguments.id, caller.me.id)
    await studies.delete_study(caller.services.store, study)
    return {"id": study.id, "deleted": True}
