"""HTTP API, version 1: recovery, devices, export of data, vacations, passkeys and account deletion."""

from typing import Annotated, TypedDict

from fastapi import APIRouter, Request, Response
from pydantic import AfterValidator, Field

from triclinium.server.accounts import recovery, vacation, visibility
from triclinium.server.accounts.profile import load_person
from triclinium.server.accounts.users import Person
from triclinium.server.accounts.visibility import get_visibility
from triclinium.server.crypto import ServerKey
from triclinium.server.errors import NotAllowed
from triclinium.server.http.api.players import PersonNumber, require_person
from triclinium.server.http.auth import SESSION_COOKIE, check_rate_limit, get_services
from triclinium.server.http.commands import (
    ANYONE,
    PERSON,
    Api,
    Arguments,
    Caller,
    CommandList,
    Form,
    JsonObject,
    NoArguments,
    NotOffered,
)
from triclinium.server.net.cookies import set_secret_cookie
from triclinium.server.notifications import sign_in_link
from triclinium.server.optional_dependencies import PASSKEYS
from triclinium.server.personal_data import deletion, export, merge
from triclinium.server.presenter.api_json import ERROR_RESPONSES
from triclinium.server.sanitize import check_encodable
from triclinium.server.services import Services

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["players"])
commands = CommandList(router)
NEEDS_SCRIPT = NotOffered("Passkeys need a script in the browser.")


class NewPhraseArguments(Arguments):
    """The language of a new recovery phrase."""

    language: str = "en"


class RecoveryPhrase(Arguments):
    """A recovery phrase of six words."""

    phrase: str = Field(max_length=200)


class MailAddress(Arguments):
    """The mail address to which a sign-in link is sent."""

    mail: str = Field(max_length=200)


class TypedNickname(Arguments):
    """Your nickname, typed again as confirmation."""

    nickname: str = Field(max_length=200)


class HiddenPlayer(Arguments):
    """A player, and whether you and they are hidden from each other."""

    id: PersonNumber
    hidden: bool


class MergedAccount(Arguments):
    """The account to which this device was signed in before, with a signed proof."""

    person: PersonNumber
    proof: str = Field(max_length=64)


class FormerAccount(Arguments):
    """An account that was merged into yours."""

    person: PersonNumber


class DeviceNumber(Arguments):
    """One of your devices."""

    device: str


class PasskeyId(Arguments):
    """One of your passkeys."""

    id: str


class PasskeyResponse(Arguments):
    """The response of a device to a passkey challenge."""

    challenge: str = Field(max_length=400)
    credential: Annotated[dict[str, object], AfterValidator(check_encodable)]


class Vacation(Arguments):
    """The beginning and the end of a new vacation, in seconds since 1970."""

    start: float = Field(0.0, ge=0, le=2**33, description="seconds since 1970; 0: now")
    until: float = Field(ge=0, le=2**33)


class MergeOffer(TypedDict):
    """The proof that a device was signed in as another person before."""

    person: int
    proof: str


class SignIn(TypedDict):
    """A person who has signed in, with the token of the new device."""

    person: int
    name: str
    token: str
    merge: MergeOffer | None


class NewPhrase(TypedDict):
    """A new recovery phrase."""

    phrase: str


class Requested(TypedDict):
    """The confirmation that a request was received. It does not say whether a message was sent."""

    requested: bool


class Merged(TypedDict):
    """The account that was merged into the caller's."""

    merged: int


class Unmerged(TypedDict):
    """The account that is separate again."""

    unmerged: int


class SignedOut(TypedDict):
    """A device that was signed out."""

    signed_out: str


class Deletion(TypedDict):
    """The time at which an account will be deleted; null if no deletion is scheduled."""

    deletion_at: float | None


class Hidden(TypedDict):
    """A person, and whether they and the caller are hidden from each other."""

    person: int
    hidden: bool


class Registered(TypedDict):
    """A passkey that was stored."""

    registered: bool


class Removed(TypedDict):
    """A passkey that was removed."""

    removed: bool


class VacationSpan(TypedDict):
    """The beginning and the end of a vacation, in seconds since 1970."""

    start: float
    until: float


class VacationAnswer(TypedDict):
    """The current or scheduled vacation, and the number of vacation days left this year."""

    vacation: VacationSpan | None
    days_left: int


# -- recovery and sign-in -----------------------------------------------------------------------------------------


@commands.add(
    "replace-recovery-phrase",
    PERSON,
    api=Api("POST", "/me/recovery-phrase", query=["language"]),
    form=Form("/me/recovery-phrase"),
)
async def replace_recovery_phrase(caller: Caller, arguments: NewPhraseArguments) -> NewPhrase:
    """Create a recovery phrase, which signs you in on any device and replaces the old phrase. It is shown only once."""
    return {"phrase": await recovery.replace_phrase(caller.services, caller.me, arguments.language)}


@commands.add("sign-in", ANYONE, api=Api("POST", "/me/recover"), form=Form("/me/recover"), rates=["phrase"])
async def sign_in(caller: Caller, arguments: RecoveryPhrase) -> SignIn:
    """Sign in with a recovery phrase. `token` is your session cookie; `merge` is the proof for merging two accounts."""
    services = caller.services
    return await sign_in_person(
        caller, await services.runtime.run_in_thread(recovery.find_person_by_phrase, services, arguments.phrase)
    )


@commands.add(
    "mail-sign-in-link",
    ANYONE,
    api=Api("POST", "/me/recover/mail", status_code=202),
    form=Form("/me/recover/mail"),
    rates=["phrase"],
)
async def mail_sign_in_link(caller: Caller, arguments: MailAddress) -> Requested:
    """Request a sign-in link to a confirmed mail address. The answer does not reveal whether the address is known."""
    await sign_in_link.request_link(caller.services, arguments.mail)
    return {"requested": True}


async def sign_in_person(caller: Caller, id: int) -> SignIn:
    """Sign an authenticated person in on the caller's device, and return the new token.

    If the device was signed in as another person, the result has the proof that merging the two needs.
    """
    former_person = caller.person
    person, token = await caller.services.people.add_device(id)
    caller.person, caller.new_cookie = person, token
    merge_offer: MergeOffer | None = None
    if former_person is not None and former_person.id != id:
        merge_offer = {"person": former_person.id, "proof": sign_merge(caller.services.key, former_person.id, id)}
    return {"person": person.id, "name": person.name, "token": token, "merge": merge_offer}


def sign_merge(key: ServerKey, merged_id: int, person_id: int) -> str:
    """Return the proof that one device was signed in as both people."""
    return key.sign("join", merged_id, person_id)


@commands.add("merge-accounts", PERSON, api=Api("POST", "/me/merge"), form=Form("/me/merge", "/me/sign-in"))
async def merge_accounts(caller: Caller, arguments: MergedAccount) -> Merged:
    """Merge your former account into yours: seats, results and ratings. You can undo this for a week."""
    services, me = caller.services, caller.me
    if not services.key.is_signature_valid(arguments.proof, "join", arguments.person, me.id):
        raise NotAllowed("This device is not signed in as both players.")
    await merge.merge_accounts(services, me.id, arguments.person)
    return {"merged": arguments.person}


@commands.add("undo-merge", PERSON, api=Api("DELETE", "/me/merge/{person}"), form=Form("/me/unmerge", "/me/sign-in"))
async def undo_merge(caller: Caller, arguments: FormerAccount) -> Unmerged:
    """Undo the merge of two accounts."""
    await merge.undo_merge(caller.services, caller.me.id, arguments.person)
    return {"unmerged": arguments.person}


# -- devices and data ---------------------------------------------------------------------------------------------


@router.get("/me/devices")
async def get_devices(request: Request) -> JsonObject:
    """List the devices on which you are signed in, the most recently seen first."""
    services, person = get_services(request), require_person(request)

    def load_devices() -> list[JsonObject]:
        with services.store.read_connection() as connection:
            return [
                {
                    "device": device.number,
                    "name": device.name,
                    "created_at": device.created_at,
                    "last_seen_at": device.last_seen_at,
                    "is_current": device.is_current,
                }
                for device in recovery.list_devices(connection, person)
            ]

    return {"devices": await services.runtime.run_in_thread(load_devices)}


@commands.add(
    "sign-out-device", PERSON, api=Api("DELETE", "/me/devices/{device}"), form=Form("/me/devices", "/me/sign-in")
)
async def sign_out_device(caller: Caller, arguments: DeviceNumber) -> SignedOut:
    """Sign a device out."""
    await recovery.sign_out_device(caller.services, caller.me, arguments.device)
    return {"signed_out": arguments.device}


@router.get("/me/export", response_class=Response)
async def get_account_data(request: Request) -> Response:
    """Download all data that the server has about you: a ZIP file of JSON, with the records of your matches."""
    check_rate_limit(request, "open")
    services, person = get_services(request), require_person(request)
    archive = await services.runtime.run_in_thread(export.export_person, services.tables, person)
    headers = {"content-disposition": 'attachment; filename="triclinium.zip"', "cache-control": "no-store"}
    return Response(archive, media_type="application/zip", headers=headers)


@commands.add(
    "cancel-deletion",
    PERSON,
    api=Api("DELETE", "/me/deletion"),
    form=Form("/me/deletion", "/me/sign-in", when=["cancel"]),
)
async def cancel_deletion(caller: Caller, arguments: NoArguments) -> Deletion:
    """Cancel the scheduled deletion of your account."""
    await deletion.cancel_deletion(caller.services.store, caller.me)
    return {"deletion_at": None}


@commands.add("request-deletion", PERSON, api=Api("POST", "/me/deletion"), form=Form("/me/deletion", "/me/sign-in"))
async def request_deletion(caller: Caller, arguments: TypedNickname) -> Deletion:
    """Schedule the deletion of your account in one day. You can cancel it until then."""
    return {"deletion_at": await deletion.request_deletion(caller.services.store, caller.me, arguments.nickname)}


@commands.add(
    "hide-player",
    PERSON,
    api=Api("PUT", "/players/{id}/hidden"),
    form=Form("/players/{id}/hide", fields={"hidden": "hide"}),
)
async def hide_player(caller: Caller, arguments: HiddenPlayer) -> Hidden:
    """Hide yourself and another player from each other, or show both again."""
    services, me = caller.services, caller.me

    def check() -> None:
        with services.store.read_connection() as connection:
            load_person(connection, get_visibility(services.settings, connection, me), arguments.id)

    await services.runtime.run_in_thread(check)
    await services.store.write(
        lambda connection: visibility.set_hidden(connection, me.id, arguments.id, arguments.hidden)
    )
    return {"person": arguments.id, "hidden": arguments.hidden}


# -- vacations ----------------------------------------------------------------------------------------------------


def _get_vacation_status(services: Services, person: Person) -> VacationAnswer:
    status = vacation.get_vacation_status(services, person.id)
    span: VacationSpan | None = None if status.span is None else {"start": status.span[0], "until": status.span[1]}
    return {"vacation": span, "days_left": status.days_left}


@router.get("/me/vacation")
async def get_vacation(request: Request) -> JsonObject:
    """Return your vacation and the number of vacation days that you have left this year."""
    return {**_get_vacation_status(get_services(request), require_person(request))}


@commands.add("end-vacation", PERSON, api=Api("DELETE", "/me/vacation"), form=Form("/me/vacation", "/me", when=["end"]))
async def end_vacation(caller: Caller, arguments: NoArguments) -> VacationAnswer:
    """End your vacation, or cancel it before it begins."""
    await vacation.end_vacation(caller.services, caller.me)
    return _get_vacation_status(caller.services, caller.me)


@commands.add("schedule-vacation", PERSON, api=Api("PUT", "/me/vacation"), form=Form("/me/vacation", "/me"))
async def schedule_vacation(caller: Caller, arguments: Vacation) -> VacationAnswer:
    """Schedule a vacation, which stops your clocks at slow tables for at most 21 days a year."""
    await vacation.schedule_vacation(caller.services, caller.me, arguments.start, arguments.until)
    return _get_vacation_status(caller.services, caller.me)


# -- passkeys -----------------------------------------------------------------------------------------------------


def get_request_origin(request: Request) -> str:
    """Return the origin of the page, to which passkeys are bound.

    The `Host` header can be trusted, because `server/net/trusted_hosts.py` has checked it.
    """
    return f"{request.url.scheme}://{request.headers['host']}"


@commands.add("request-passkey", PERSON, api=Api("POST", "/me/passkeys/options"), form=NEEDS_SCRIPT)
async def request_passkey(caller: Caller, arguments: NoArguments) -> Response:
    """Return the options with which your browser creates a passkey by `navigator.credentials.create`."""
    creation_options = await caller.services.runtime.run_in_thread(
        PASSKEYS.load("accounts.passkeys").make_registration_options,
        caller.services,
        caller.me,
        get_request_origin(caller.request),
    )
    return Response(creation_options, media_type="application/json")


@commands.add("register-passkey", PERSON, api=Api("POST", "/me/passkeys", status_code=201), form=NEEDS_SCRIPT)
async def register_passkey(caller: Caller, arguments: PasskeyResponse) -> Registered:
    """Register the passkey that your device has created."""
    device_name = recovery.detect_browser(caller.request.headers.get("user-agent", ""))
    await PASSKEYS.load("accounts.passkeys").register_passkey(
        caller.services,
        caller.me,
        get_request_origin(caller.request),
        arguments.challenge,
        arguments.credential,
        device_name,
    )
    return {"registered": True}


@commands.add(
    "remove-passkey",
    PERSON,
    api=Api("DELETE", "/me/passkeys/{id}"),
    form=Form("/me/passkeys", "/me/sign-in", fields={"id": "passkey"}),
)
async def remove_passkey(caller: Caller, arguments: PasskeyId) -> Removed:
    """Remove a passkey."""
    await PASSKEYS.load("accounts.passkeys").remove_passkey(caller.services.store, caller.me, arguments.id[:400])
    return {"removed": True}


@commands.add(
    "request-passkey-sign-in", ANYONE, api=Api("POST", "/passkeys/options"), form=NEEDS_SCRIPT, rates=["phrase"]
)
async def request_passkey_sign_in(caller: Caller, arguments: NoArguments) -> Response:
    """Return the challenge for signing in by passkey, for `navigator.credentials.get`."""
    origin = get_request_origin(caller.request)
    options = PASSKEYS.load("accounts.passkeys").make_authentication_options(caller.services.key, origin)
    return Response(options, media_type="application/json")


@commands.add("sign-in-by-passkey", ANYONE, api=Api("POST", "/passkeys"), form=NEEDS_SCRIPT, rates=["phrase"])
async def sign_in_by_passkey(caller: Caller, arguments: PasskeyResponse) -> SignIn:
    """Sign in with a passkey. The session cookie is set and is also returned as `token`."""
    former_person = caller.person
    id = await PASSKEYS.load("accounts.passkeys").authenticate_passkey(
        caller.services, get_request_origin(caller.request), arguments.challenge, arguments.credential
    )
    facts = await sign_in_person(caller, id)
    await caller.services.people.remove_former_channels(former_person, id)
    set_secret_cookie(caller.request, caller.response, SESSION_COOKIE, facts["token"])
    return facts
