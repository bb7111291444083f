"""The HTTP API, version 1: ways back, devices, all one's data, and leaving for good."""

from typing import Annotated, TypeAlias

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from triclinium.server.accounts import deletion, export, merge, recovery, visibility
from triclinium.server.accounts.profile import known
from triclinium.server.accounts.users import Person
from triclinium.server.errors import NotAllowed
from triclinium.server.http.api.players import PersonId, eyes_of, somebody
from triclinium.server.http.auth import COOKIE, count, person_of, server_of
from triclinium.server.http.cookies import set_secret_cookie
from triclinium.server.notifications import sign_in_link
from triclinium.server.optional_dependencies import PASSKEYS
from triclinium.server.presenter.api_json import PROBLEMS
from triclinium.server.sanitize import readable
from triclinium.server.server import Server

router = APIRouter(prefix="/api/v1", responses=PROBLEMS, tags=["people"])
Facts: TypeAlias = dict[str, object]


class Strict(BaseModel):
    """Nothing but what is named."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Words(Strict):
    """Six words."""

    words: str = Field(max_length=200)


class MailAddress(Strict):
    """Where a link is sent."""

    mail: str = Field(max_length=200)


class Nickname(Strict):
    """Your nickname, typed once more."""

    nickname: str = Field(max_length=200)


class Hidden(Strict):
    """Whether you and somebody are hidden from each other."""

    hidden: bool


class Joining(Strict):
    """Whom this device spoke for before, and the mark that proves it."""

    person: int = Field(ge=1, lt=2**31)
    mark: str = Field(max_length=64)


class KeyAnswer(Strict):
    """What a device answered to the question for a passkey."""

    challenge: str = Field(max_length=400)
    answer: Annotated[dict[str, object], AfterValidator(readable)]


@router.post("/me/phrase")
async def post_phrase(request: Request, language: str = "en") -> Facts:
    """Six new words that bring you back on any device; they are told once, and the old ones are dead."""
    count(request, "post")
    return {"words": await recovery.make_phrase(server_of(request), somebody(request), language)}


@router.post("/me/return")
async def post_return(request: Request, wish: Words) -> Facts:
    """Come back by six words: the token is your cookie. If you were somebody else here, `join` makes both one."""
    count(request, "phrase")
    server = server_of(request)
    return await come_back(server, person_of(request), await server.in_thread(recovery.by_words, server, wish.words))


@router.post("/me/return/mail", status_code=202)
async def post_return_mail(request: Request, wish: MailAddress) -> Facts:
    """Ask for a link to a mail address that you have confirmed here. The answer does not tell whether anybody has."""
    count(request, "phrase")
    await sign_in_link.ask(server_of(request), wish.mail)
    return {"asked": True}


async def come_back(server: Server, before: Person | None, id: int) -> Facts:
    """A device for somebody who has proven who they are."""
    person, token = await server.people.let_in(id)
    join = (
        None if before is None or before.id == id else {"person": before.id, "mark": join_mark(server, before.id, id)}
    )
    return {"person": person.id, "name": person.name, "token": token, "join": join}


def join_mark(server: Server, gone: int, person: int) -> str:
    """The proof that one device spoke for both."""
    return server.key.sign("join", gone, person)


async def join_both(server: Server, person: Person, gone: int, mark: str) -> None:
    """Make two people one; raises NotAllowed without the proof."""
    if not server.key.signed(mark, "join", gone, person.id):
        raise NotAllowed("this device did not speak for both")
    await merge.merge(server, person.id, gone)


@router.post("/me/join")
async def post_join(request: Request, wish: Joining) -> Facts:
    """Make whom you were before and whom you are one: seats, results and ratings. It can be undone for a week."""
    count(request, "post")
    await join_both(server_of(request), somebody(request), wish.person, wish.mark)
    return {"joined": wish.person}


@router.delete("/me/join/{person}")
async def delete_join(request: Request, person: PersonId) -> Facts:
    """Be two again."""
    count(request, "post")
    await merge.split(server_of(request), somebody(request).id, person)
    return {"parted": person}


@router.get("/me/devices")
async def get_devices(request: Request) -> Facts:
    """The devices that speak for you, the last seen first."""
    server, person = server_of(request), somebody(request)

    def found() -> list[Facts]:
        with server.store.reading() as connection:
            return [
                {"device": one.number, "called": one.called, "made": one.made, "seen": one.seen, "this": one.this}
                for one in recovery.devices_of(connection, person)
            ]

    return {"devices": await server.in_thread(found)}


@router.delete("/me/devices/{device}")
async def delete_device(request: Request, device: str) -> Facts:
    """Sign a device out."""
    count(request, "post")
    await recovery.sign_out(server_of(request), somebody(request), device)
    return {"signed_out": device}


@router.get("/me/data", response_class=Response)
async def get_data(request: Request) -> Response:
    """All that the house knows of you: a zip of JSON, and the records of your matches."""
    count(request, "open")
    server, person = server_of(request), somebody(request)
    kept = await server.in_thread(export.all_of, server, person)
    named = {"content-disposition": 'attachment; filename="triclinium.zip"', "cache-control": "no-store"}
    return Response(kept, media_type="application/zip", headers=named)


@router.post("/me/erase")
async def post_erase(request: Request, wish: Nickname) -> Facts:
    """Be erased in a day, unless you take it back."""
    count(request, "post")
    return {"erasing": await deletion.ask(server_of(request), somebody(request), wish.nickname)}


@router.delete("/me/erase")
async def delete_erase(request: Request) -> Facts:
    """Stay after all."""
    count(request, "post")
    await deletion.take_back(server_of(request), somebody(request))
    return {"erasing": None}


@router.put("/people/{id}/hidden")
async def put_hidden(request: Request, id: PersonId, wish: Hidden) -> Facts:
    """Do not show yourself to somebody, nor them to you; or do again."""
    count(request, "post")
    server, person = server_of(request), somebody(request)
    await set_hidden(server, person, id, wish.hidden)
    return {"person": id, "hidden": wish.hidden}


async def set_hidden(server: Server, person: Person, other: int, away: bool) -> None:
    def check() -> None:
        with server.store.reading() as connection:
            known(connection, eyes_of(server, connection, person), other)

    await server.in_thread(check)
    await server.store.write(lambda connection: visibility.hide(connection, person.id, other, away))


# -- passkeys -----------------------------------------------------------------------------------------------------


def origin_of(request: Request) -> str:
    """The address that the page was opened by: keys are bound to it. Believed: see server/net/trusted_hosts.py."""
    return f"{request.url.scheme}://{request.headers['host']}"


@router.post("/me/passkeys/question")
async def post_key_wish(request: Request) -> Response:
    """What your device is asked to make a passkey for; for `navigator.credentials.create`."""
    count(request, "post")
    server, person = server_of(request), somebody(request)
    asked = await server.in_thread(PASSKEYS.load("passkeys").creation, server, person, origin_of(request))
    return Response(asked, media_type="application/json")


@router.post("/me/passkeys", status_code=201)
async def post_key(request: Request, made: KeyAnswer) -> Facts:
    """The passkey that your device has made."""
    count(request, "post")
    called = recovery.browser_name(request.headers.get("user-agent", ""))
    server, person = server_of(request), somebody(request)
    await PASSKEYS.load("passkeys").keep(server, person, origin_of(request), made.challenge, made.answer, called)
    return {"kept": True}


@router.delete("/me/passkeys/{id}")
async def delete_key(request: Request, id: str) -> Facts:
    """Forget a passkey."""
    count(request, "post")
    await PASSKEYS.load("passkeys").remove(server_of(request), somebody(request), id[:400])
    return {"removed": True}


@router.post("/passkeys/question")
async def post_question(request: Request) -> Response:
    """What a device is asked to prove; for `navigator.credentials.get`."""
    count(request, "phrase")
    return Response(
        PASSKEYS.load("passkeys").question(server_of(request), origin_of(request)), media_type="application/json"
    )


@router.post("/passkeys")
async def post_proof(request: Request, proof: KeyAnswer) -> Response:
    """Come back by a passkey: the cookie is set, and told as a token."""
    count(request, "phrase")
    server = server_of(request)
    id = await PASSKEYS.load("passkeys").owner(server, origin_of(request), proof.challenge, proof.answer)
    facts = await come_back(server, person_of(request), id)
    await server.people.replaced(person_of(request), id)
    response = JSONResponse(facts)
    set_secret_cookie(request, response, COOKIE, str(facts["token"]))
    return response
