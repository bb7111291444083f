"""The HTTP API, version 1: ways back, devices, all one's data, and leaving for good."""

from typing import Annotated, TypeAlias

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from triclinium.server.accounts import recovery, visibility
from triclinium.server.accounts.profile import load_person
from triclinium.server.accounts.users import Person
from triclinium.server.accounts.visibility import get_visibility
from triclinium.server.crypto import ServerKey
from triclinium.server.errors import NotAllowed
from triclinium.server.http.api.players import PersonId, require_person
from triclinium.server.http.auth import SESSION_COOKIE, check_rate_limit, get_current_person, get_services
from triclinium.server.net.cookies import set_secret_cookie
from triclinium.server.notifications import sign_in_link
from triclinium.server.optional_dependencies import PASSKEYS
from triclinium.server.personal_data import deletion, export, merge
from triclinium.server.presenter.api_json import ERROR_RESPONSES
from triclinium.server.runtime import Runtime
from triclinium.server.sanitize import check_encodable
from triclinium.server.services import Services

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["players"])
JsonObject: TypeAlias = dict[str, object]


class StrictBody(BaseModel):
    """Nothing but what is named."""

    model_config = ConfigDict(extra="forbid", strict=True)


class RecoveryPhraseBody(StrictBody):
    """Six words."""

    phrase: str = Field(max_length=200)


class MailAddressBody(StrictBody):
    """Where a link is sent."""

    mail: str = Field(max_length=200)


class NicknameBody(StrictBody):
    """Your nickname, typed once more."""

    nickname: str = Field(max_length=200)


class HiddenPlayerBody(StrictBody):
    """Whether you and somebody are hidden from each other."""

    hidden: bool


class MergeBody(StrictBody):
    """Whom this device spoke for before, and the mark that proves it."""

    person: int = Field(ge=1, lt=2**31)
    proof: str = Field(max_length=64)


class PasskeyBody(StrictBody):
    """What a device answered to the question for a passkey."""

    challenge: str = Field(max_length=400)
    credential: Annotated[dict[str, object], AfterValidator(check_encodable)]


@router.post("/me/recovery-phrase")
async def post_recovery_phrase(request: Request, language: str = "en") -> JsonObject:
    """Six new words that bring you back on any device; they are told once, and the old ones are dead."""
    check_rate_limit(request, "post")
    return {"phrase": await recovery.replace_phrase(get_services(request), require_person(request), language)}


@router.post("/me/recover")
async def post_sign_in(request: Request, body: RecoveryPhraseBody) -> JsonObject:
    """Come back by six words: the token is your cookie. If you were somebody else here, `merge` makes both one."""
    check_rate_limit(request, "phrase")
    services = get_services(request)
    return await sign_in_person(
        services,
        get_current_person(request),
        await services.runtime.run_in_thread(recovery.find_person_by_phrase, services, body.phrase),
    )


@router.post("/me/recover/mail", status_code=202)
async def post_sign_in_link(request: Request, body: MailAddressBody) -> JsonObject:
    """Ask for a link to a mail address that you have confirmed here. The answer does not tell whether anybody has."""
    check_rate_limit(request, "phrase")
    await sign_in_link.request_link(get_services(request), body.mail)
    return {"requested": True}


async def sign_in_person(services: Services, former_person: Person | None, id: int) -> JsonObject:
    """A device for somebody who has proven who they are."""
    person, token = await services.people.add_device(id)
    merge_offer = (
        None
        if former_person is None or former_person.id == id
        else {"person": former_person.id, "proof": sign_merge(services.key, former_person.id, id)}
    )
    return {"person": person.id, "name": person.name, "token": token, "merge": merge_offer}


def sign_merge(key: ServerKey, merged_id: int, person_id: int) -> str:
    """The proof that one device spoke for both."""
    return key.sign("join", merged_id, person_id)


async def merge_accounts(services: Services, person: Person, merged_id: int, signature: str) -> None:
    """Make two people one; raises NotAllowed without the proof."""
    if not services.key.is_signature_valid(signature, "join", merged_id, person.id):
        raise NotAllowed("this device did not speak for both")
    await merge.merge_accounts(services, person.id, merged_id)


@router.post("/me/merge")
async def post_merge(request: Request, body: MergeBody) -> JsonObject:
    """Make whom you were before and whom you are one: seats, results and ratings. It can be undone for a week."""
    check_rate_limit(request, "post")
    await merge_accounts(get_services(request), require_person(request), body.person, body.proof)
    return {"merged": body.person}


@router.delete("/me/merge/{person}")
async def delete_merge(request: Request, person: PersonId) -> JsonObject:
    """Be two again."""
    check_rate_limit(request, "post")
    await merge.undo_merge(get_services(request), require_person(request).id, person)
    return {"unmerged": person}


@router.get("/me/devices")
async def get_devices(request: Request) -> JsonObject:
    """The devices that speak for you, the last seen first."""
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


@router.delete("/me/devices/{device}")
async def delete_device(request: Request, device: str) -> JsonObject:
    """Sign a device out."""
    check_rate_limit(request, "post")
    await recovery.sign_out_device(get_services(request), require_person(request), device)
    return {"signed_out": device}


@router.get("/me/export", response_class=Response)
async def get_account_data(request: Request) -> Response:
    """All that the house knows of you: a zip of JSON, and the records of your matches."""
    check_rate_limit(request, "open")
    services, person = get_services(request), require_person(request)
    archive = await services.runtime.run_in_thread(export.export_person, services.tables, person)
    headers = {"content-disposition": 'attachment; filename="triclinium.zip"', "cache-control": "no-store"}
    return Response(archive, media_type="application/zip", headers=headers)


@router.post("/me/deletion")
async def post_account_deletion(request: Request, body: NicknameBody) -> JsonObject:
    """Be erased in a day, unless you take it back."""
    check_rate_limit(request, "post")
    return {
        "deletion_at": await deletion.request_deletion(
            get_services(request).store, require_person(request), body.nickname
        )
    }


@router.delete("/me/deletion")
async def delete_account_deletion(request: Request) -> JsonObject:
    """Stay after all."""
    check_rate_limit(request, "post")
    await deletion.cancel_deletion(get_services(request).store, require_person(request))
    return {"deletion_at": None}


@router.put("/players/{id}/hidden")
async def put_hidden_player(request: Request, id: PersonId, body: HiddenPlayerBody) -> JsonObject:
    """Do not show yourself to somebody, nor them to you; or do again."""
    check_rate_limit(request, "post")
    services, person = get_services(request), require_person(request)
    await set_player_hidden(services.runtime, person, id, body.hidden)
    return {"person": id, "hidden": body.hidden}


async def set_player_hidden(runtime: Runtime, person: Person, other_id: int, hidden: bool) -> None:
    def check() -> None:
        with runtime.store.read_connection() as connection:
            load_person(connection, get_visibility(runtime.settings, connection, person), other_id)

    await runtime.run_in_thread(check)
    await runtime.store.write(lambda connection: visibility.set_hidden(connection, person.id, other_id, hidden))


# -- passkeys -----------------------------------------------------------------------------------------------------


def get_request_origin(request: Request) -> str:
    """The address that the page was opened by: keys are bound to it. Believed: see server/net/trusted_hosts.py."""
    return f"{request.url.scheme}://{request.headers['host']}"


@router.post("/me/passkeys/options")
async def post_passkey_creation(request: Request) -> Response:
    """What your device is asked to make a passkey for; for `navigator.credentials.create`."""
    check_rate_limit(request, "post")
    services, person = get_services(request), require_person(request)
    creation_options = await services.runtime.run_in_thread(
        PASSKEYS.load("accounts.passkeys").make_registration_options, services, person, get_request_origin(request)
    )
    return Response(creation_options, media_type="application/json")


@router.post("/me/passkeys", status_code=201)
async def post_passkey(request: Request, body: PasskeyBody) -> JsonObject:
    """The passkey that your device has made."""
    check_rate_limit(request, "post")
    device_name = recovery.detect_browser(request.headers.get("user-agent", ""))
    services, person = get_services(request), require_person(request)
    await PASSKEYS.load("accounts.passkeys").register_passkey(
        services, person, get_request_origin(request), body.challenge, body.credential, device_name
    )
    return {"registered": True}


@router.delete("/me/passkeys/{id}")
async def delete_passkey(request: Request, id: str) -> JsonObject:
    """Forget a passkey."""
    check_rate_limit(request, "post")
    await PASSKEYS.load("accounts.passkeys").remove_passkey(
        get_services(request).store, require_person(request), id[:400]
    )
    return {"removed": True}


@router.post("/passkeys/options")
async def post_passkey_challenge(request: Request) -> Response:
    """What a device is asked to prove; for `navigator.credentials.get`."""
    check_rate_limit(request, "phrase")
    return Response(
        PASSKEYS.load("accounts.passkeys").make_authentication_options(
            get_services(request).key, get_request_origin(request)
        ),
        media_type="application/json",
    )


@router.post("/passkeys")
async def post_passkey_sign_in(request: Request, body: PasskeyBody) -> Response:
    """Come back by a passkey: the cookie is set, and told as a token."""
    check_rate_limit(request, "phrase")
    services = get_services(request)
    id = await PASSKEYS.load("accounts.passkeys").authenticate_passkey(
        services, get_request_origin(request), body.challenge, body.credential
    )
    facts = await sign_in_person(services, get_current_person(request), id)
    await services.people.remove_former_channels(get_current_person(request), id)
    response = JSONResponse(facts)
    set_secret_cookie(request, response, SESSION_COOKIE, str(facts["token"]))
    return response
