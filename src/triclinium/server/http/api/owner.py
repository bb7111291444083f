"""HTTP API, version 1: administration of a server by its owner, who is identified by the owner's cookie.

The commands call the same functions as `triclinium admin`.
"""

from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Literal, TypedDict, TypeVar
from urllib.parse import urlsplit

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import FileResponse
from pydantic import Field
from starlette.types import Scope

from triclinium.engine.core.text import msgid
from triclinium.server.accounts import bans
from triclinium.server.accounts.owner import check_owner
from triclinium.server.admin import actions, lists
from triclinium.server.admin.backup_folder import BackupFolder
from triclinium.server.admin.health import measure_health
from triclinium.server.errors import Conflict, NotAllowed
from triclinium.server.http.api.players import PersonNumber
from triclinium.server.http.auth import check_rate_limit, get_services
from triclinium.server.http.commands import OWNER, Api, Arguments, Caller, CommandList, Form, JsonObject, NoArguments
from triclinium.server.net.interfaces import is_loopback
from triclinium.server.presenter.api_json import ERROR_RESPONSES

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["owner"])
commands = CommandList(router)
T = TypeVar("T")
PAGE_SIZE = 50  # rows on one page of a list
MIN_SECONDS, MAX_SECONDS = 60, 10 * 365 * 86400  # the shortest and the longest ban
CONFIRM_FIRST = msgid("Nothing was changed. Please use the confirmation page.")
OWN_ACCOUNT = msgid("This is your own account. You cannot ban or delete yourself here.")
UNSAFE_DOWNLOAD = msgid(
    "A backup contains the server’s secrets, so you can download it only over HTTPS or on the server’s own "
    "computer. You can also copy the file from the backup folder."
)
FORWARDING_HEADERS = (b"forwarded", b"via", b"x-forwarded-for", b"x-real-ip")


class PersonChoice(Arguments):
    """A person, by number."""

    id: PersonNumber


class NewName(Arguments):
    """A person, by number, and their new nickname."""

    id: PersonNumber
    name: str = Field(min_length=1, max_length=200)


class RestrictionChoice(Arguments):
    """A person, and the number of seconds for which they are muted or banned."""

    id: PersonNumber
    seconds: int = Field(ge=MIN_SECONDS, le=MAX_SECONDS)


class TableChoice(Arguments):
    """A table, by its id."""

    id: str = Field(max_length=12)


class BackupChoice(Arguments):
    """A backup, by its name."""

    name: str = Field(max_length=40)


class Renamed(TypedDict):
    """A person under their new nickname."""

    person: int
    name: str


class Restricted(TypedDict):
    """A person, and the time until which they are muted or banned; 0: neither."""

    person: int
    until: float


class DeletedPerson(TypedDict):
    """A person whose account was deleted."""

    person: int
    deleted: bool


class ChangedTable(TypedDict):
    """A table that was closed or deleted."""

    table: str
    status: Literal["closed", "deleted"]


class MadeBackup(TypedDict):
    """The state of a new backup. A long backup continues after the answer and is not `done` yet."""

    done: bool


class CheckedBackup(TypedDict):
    """A backup, and whether it is undamaged."""

    name: str
    whole: bool


class DeletedBackup(TypedDict):
    """A backup that was deleted."""

    name: str
    deleted: bool


def get_backups(request: Request) -> BackupFolder:
    backups = request.app.state.backups
    assert isinstance(backups, BackupFolder)
    return backups


async def _build_for_owner(request: Request, build: Callable[[], T]) -> T:
    """Return data for the owner, built in a thread. Raise NotAllowed for everyone else."""
    check_rate_limit(request, "post")
    check_owner(request.scope)
    return await get_services(request).runtime.run_in_thread(build)


# -- reading ------------------------------------------------------------------------------------------------------


@router.get("/server")
async def get_server_status(request: Request) -> JsonObject:
    """Return the version, the health, the storage and the load of the bots."""
    folder = get_backups(request).path
    return await _build_for_owner(request, lambda: asdict(measure_health(get_services(request), folder)))


@router.get("/server/people")
async def get_people(
    request: Request,
    name: Annotated[str, Query(max_length=80)] = "",
    page: Annotated[int, Query(ge=1, le=10_000)] = 1,
) -> JsonObject:
    """List people whose name contains a text, fifty a page, the newest first."""

    def build() -> JsonObject:
        rows = lists.list_people(
            get_services(request).store, name, PAGE_SIZE + 1, offset=(page - 1) * PAGE_SIZE, erased=False
        )
        return {"people": [row.to_json() for row in rows[:PAGE_SIZE]], "more": len(rows) > PAGE_SIZE}

    return await _build_for_owner(request, build)


@router.get("/server/tables")
async def get_server_tables(
    request: Request,
    state: Literal["", "waiting", "playing", "over", "closed"] = "",
    page: Annotated[int, Query(ge=1, le=10_000)] = 1,
) -> JsonObject:
    """List tables, all or those in one state, fifty a page, the most recently changed first."""

    def build() -> JsonObject:
        rows = lists.list_tables(
            get_services(request).store, "", state, 0.0, PAGE_SIZE + 1, offset=(page - 1) * PAGE_SIZE, newest_first=True
        )
        return {"tables": [row.to_json() for row in rows[:PAGE_SIZE]], "more": len(rows) > PAGE_SIZE}

    return await _build_for_owner(request, build)


@router.get("/server/backups")
async def list_server_backups(request: Request) -> JsonObject:
    """List the backups in the folder, the newest first. `state` is the result of the last check."""
    backups = get_backups(request)

    def build() -> JsonObject:
        return {"running": backups.is_running, "backups": [asdict(each) for each in backups.list_backups()]}

    return await _build_for_owner(request, build)


@router.get("/server/backups/{name}", response_class=Response)
async def download_backup(request: Request, name: str) -> Response:
    """Download a backup. This works only over HTTPS or on the server's own computer."""
    check_rate_limit(request, "open")
    check_owner(request.scope)
    if not is_safe_to_download(request.scope, get_services(request).settings.https):
        raise NotAllowed(UNSAFE_DOWNLOAD)
    path = await get_services(request).runtime.run_in_thread(get_backups(request).find_backup, name)
    headers = {"cache-control": "no-store"}
    return FileResponse(path, media_type="application/octet-stream", filename=f"triclinium-{name}", headers=headers)


def is_safe_to_download(scope: Scope, https: bool) -> bool:
    """Return whether an answer is safe from third parties: it is sent over HTTPS or stays on this computer."""
    if https or scope["scheme"] == "https":
        return True
    headers = dict(scope["headers"])
    client, host = scope.get("client"), urlsplit(f"//{headers.get(b'host', b'').decode('latin-1')}").hostname
    came_directly = not any(name in headers for name in FORWARDING_HEADERS)
    return came_directly and client is not None and is_loopback(client[0]) and is_loopback(host or "")


# -- people -------------------------------------------------------------------------------------------------------


@commands.add(
    "rename-person",
    OWNER,
    api=Api("PUT", "/server/people/{id}/name"),
    form=Form("/server/people/{id}/rename", "/server/people/{id}"),
)
async def rename_person(caller: Caller, arguments: NewName) -> Renamed:
    """Give a person another nickname."""
    result = await actions.rename_person(caller.services, {"person": arguments.id, "name": arguments.name})
    return {"person": arguments.id, "name": str(result["name"])}


@commands.add(
    "mute-person",
    OWNER,
    api=Api("PUT", "/server/people/{id}/mute"),
    form=Form("/server/people/{id}/mute", "/server/people/{id}"),
)
async def mute_person(caller: Caller, arguments: RestrictionChoice) -> Restricted:
    """Mute a person in all chats for a number of seconds."""
    return await _restrict(caller, arguments.id, [bans.MUTE], arguments.seconds)


@commands.add(
    "ban-person",
    OWNER,
    api=Api("PUT", "/server/people/{id}/ban"),
    form=Form("/server/people/{id}/ban", "/server/people/{id}"),
)
async def ban_person(caller: Caller, arguments: RestrictionChoice) -> Restricted:
    """Ban a person from the server for a number of seconds."""
    _check_somebody_else(caller, arguments.id)
    return await _restrict(caller, arguments.id, [bans.BAN], arguments.seconds)


@commands.add(
    "lift-restrictions",
    OWNER,
    api=Api("DELETE", "/server/people/{id}/restrictions"),
    form=Form("/server/people/{id}/lift", "/server/people/{id}"),
)
async def lift_restrictions(caller: Caller, arguments: PersonChoice) -> Restricted:
    """Lift the mute and the ban of a person."""
    return await _restrict(caller, arguments.id, [bans.MUTE, bans.BAN], 0)


@commands.add(
    "delete-person",
    OWNER,
    api=Api("DELETE", "/server/people/{id}"),
    form=Form("/server/people/{id}/delete", "/server/people", confirmation=CONFIRM_FIRST),
)
async def delete_person(caller: Caller, arguments: PersonChoice) -> DeletedPerson:
    """Delete the account of a person now. Bots take over their seats, and their name is removed everywhere."""
    _check_somebody_else(caller, arguments.id)
    await actions.delete_account(caller.services, {"person": arguments.id})
    return {"person": arguments.id, "deleted": True}


async def _restrict(caller: Caller, id: int, kinds: list[str], seconds: int) -> Restricted:
    result = await actions.mute_or_ban(caller.services, {"person": id, "kinds": kinds, "seconds": seconds})
    return {"person": id, "until": float(result["until"])}


def _check_somebody_else(caller: Caller, id: int) -> None:
    """Raise Conflict if the person is the owner, who must not lock themselves out."""
    if caller.person is not None and caller.person.id == id:
        raise Conflict(OWN_ACCOUNT)


# -- tables -------------------------------------------------------------------------------------------------------


@commands.add(
    "close-any-table",
    OWNER,
    api=Api("POST", "/server/tables/{id}/close"),
    form=Form("/server/tables/{id}/close", "/server/tables", confirmation=CONFIRM_FIRST),
)
async def close_any_table(caller: Caller, arguments: TableChoice) -> ChangedTable:
    """Close a table. A running match is abandoned and does not count."""
    await actions.close_tables(caller.services, {"tables": [arguments.id]})
    return {"table": arguments.id, "status": "closed"}


@commands.add(
    "delete-any-table",
    OWNER,
    api=Api("DELETE", "/server/tables/{id}"),
    form=Form("/server/tables/{id}/delete", "/server/tables", confirmation=CONFIRM_FIRST),
)
async def delete_any_table(caller: Caller, arguments: TableChoice) -> ChangedTable:
    """Delete a table in any state, with its moves and its chat. Results and ratings stay."""
    await actions.delete_tables(caller.services, {"tables": [arguments.id]})
    return {"table": arguments.id, "status": "deleted"}


# -- backups ------------------------------------------------------------------------------------------------------


@commands.add(
    "make-backup",
    OWNER,
    api=Api("POST", "/server/backups", status_code=201),
    form=Form("/server/backups", "/server#backups"),
    rates=["open"],
)
async def make_backup(caller: Caller, arguments: NoArguments) -> MadeBackup:
    """Make a backup and check it. If it takes long, `done` is false and the backup continues after the answer."""
    return {"done": await get_backups(caller.request).make_backup(caller.services)}


@commands.add(
    "verify-backup",
    OWNER,
    api=Api("POST", "/server/backups/{name}/verify"),
    form=Form("/server/backups/{name}/verify", "/server#backups"),
    rates=["open"],
)
async def verify_backup(caller: Caller, arguments: BackupChoice) -> CheckedBackup:
    """Check the checksum of a backup, and whether this release can restore it."""
    return {"name": arguments.name, "whole": await get_backups(caller.request).verify_backup(arguments.name)}


@commands.add(
    "delete-backup",
    OWNER,
    api=Api("DELETE", "/server/backups/{name}"),
    form=Form("/server/backups/{name}/delete", "/server#backups", confirmation=CONFIRM_FIRST),
)
async def delete_backup(caller: Caller, arguments: BackupChoice) -> DeletedBackup:
    """Delete a backup."""
    await get_backups(caller.request).delete_backup(arguments.name)
    return {"name": arguments.name, "deleted": True}
