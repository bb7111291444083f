"""Oneself: ways back after a lost device, the devices, all one's data, and leaving for good."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response

from triclinium.server.accounts import deletion, merge, recovery
from triclinium.server.accounts.users import Person
from triclinium.server.errors import NoNickname
from triclinium.server.http.api.account import get_data, join_both, join_mark, set_hidden
from triclinium.server.http.api.players import PersonId
from triclinium.server.http.auth import count
from triclinium.server.notifications import sign_in_link
from triclinium.server.optional_dependencies import PASSKEYS
from triclinium.server.ratings.stats import matches_of
from triclinium.web.page_context import YEAR, Form, Reading

router = APIRouter(include_in_schema=False)
ASIDE = "phrase"  # the cookie of people who do not want to be offered words again


def is_named(origin: str) -> bool:
    """Whether passkeys can be bound to this address: it is secure, and a name rather than a number."""
    parts = urlsplit(origin)
    host = parts.hostname or ""
    try:
        ip_address(host)
    except ValueError:
        return parts.scheme == "https" or host == "localhost"
    return False


def _me(reading: Reading) -> Person:
    if reading.person is None:
        raise NoNickname()
    return reading.person


async def _post(request: Request, what: str = "post") -> tuple[Reading, Form, Person]:
    """Something that somebody asks for themselves."""
    count(request, what)
    reading = Reading(request)
    form = await reading.form()
    return reading, form, _me(reading)


def offers_words(reading: Reading) -> bool:
    """Whether to say once that six words bring one back: after the third match, to people who have none."""
    if reading.person is None or reading.request.cookies.get(ASIDE) == "no":
        return False
    me = reading.person.id
    with reading.server.store.reading() as connection:
        played = len(matches_of(connection, me, recovery.OFFERED_AFTER))
        return played >= recovery.OFFERED_AFTER and not recovery.has_phrase(connection, me)


@router.get("/me/keys")
async def get_keys(request: Request) -> Response:
    reading = Reading(request)
    return await reading.server.in_thread(_keys, reading)


def _keys(reading: Reading) -> Response:
    me = _me(reading)
    with reading.server.store.reading() as connection:
        facts = {
            "has_phrase": recovery.has_phrase(connection, me.id),
            "devices": recovery.devices_of(connection, me),
            "joined": merge.merged(connection, me.id),
            "erasing": deletion.asked(connection, me.id),
            "passkeys": PASSKEYS.load("passkeys").keys_of(connection, me.id) if PASSKEYS.installed() else [],
        }
    facts |= {"can_lock": PASSKEYS.installed(), "is_named": is_named(reading.origin)}
    facts["host"] = urlsplit(reading.origin).hostname
    return reading.page("identity/keys.html.jinja", **facts)


@router.post("/me/phrase")
async def post_phrase(request: Request) -> Response:
    """Six new words, shown once."""
    reading, form, me = await _post(request)
    if form.text("aside"):
        response = reading.go("/")
        response.set_cookie(ASIDE, "no", YEAR, samesite="lax", httponly=True)
        return response
    words = await recovery.make_phrase(reading.server, me, reading.language)
    response = await reading.show("identity/words.html.jinja", words=words)
    response.headers["cache-control"] = "no-store"
    return response


@router.get("/me/return")
async def get_return(request: Request) -> Response:
    reading = Reading(request)
    return await _return_page(reading)


async def _return_page(reading: Reading, mailed: bool = False) -> Response:
    """The ways back that this house has, by the address at hand."""
    return await reading.show(
        "identity/return.html.jinja",
        can_lock=PASSKEYS.installed(),
        is_named=is_named(reading.origin),
        can_mail=sign_in_link.offered(reading.server),
        mailed=mailed,
    )


@router.post("/me/return/mail")
async def post_return_mail(request: Request) -> Response:
    """A link by mail; it is said to be on its way whether anybody here has that address or not."""
    count(request, "phrase")
    reading = Reading(request)
    form = await reading.form()
    await sign_in_link.ask(reading.server, form.text("mail"))
    return await _return_page(reading, mailed=True)


@router.post("/me/return")
async def post_return(request: Request) -> Response:
    """Six words bring somebody back; whoever was somebody else on this device may make both one."""
    count(request, "phrase")
    reading = Reading(request)
    form = await reading.form()
    server = reading.server
    id = await server.in_thread(recovery.by_words, server, form.text("words"))
    before = reading.person
    reading.person, reading.new_cookie = await server.people.let_in(id)
    return await came_back(reading, before)


async def came_back(reading: Reading, before: Person | None) -> Response:
    """Somebody is known again; whoever they were on this device until now, and has played, may become one with them."""
    server, me = reading.server, _me(reading)
    await server.people.replaced(before, me.id)
    if before is None or before.id == me.id or not await server.in_thread(_has_matches, reading, before.id):
        return reading.go("/")
    join = {"person": before.id, "mark": join_mark(server, before.id, me.id)}
    return await reading.show("identity/join.html.jinja", before=before, join=join)


def _has_matches(reading: Reading, person: int) -> bool:
    with reading.server.store.reading() as connection:
        return bool(matches_of(connection, person, 1))


@router.post("/me/join")
async def post_join(request: Request) -> Response:
    reading, form, me = await _post(request)
    await join_both(reading.server, me, form.whole("person"), form.text("mark"))
    return reading.go("/me/keys")


@router.post("/me/part")
async def post_part(request: Request) -> Response:
    reading, form, me = await _post(request)
    await merge.split(reading.server, me.id, form.whole("person"))
    return reading.go("/me/keys")


@router.post("/me/devices")
async def post_device(request: Request) -> Response:
    """Sign a device out."""
    reading, form, me = await _post(request)
    await recovery.sign_out(reading.server, me, form.text("device"))
    return reading.go("/me/keys")


@router.post("/me/passkeys")
async def post_passkey(request: Request) -> Response:
    """Forget a passkey; making one needs the script."""
    reading, form, me = await _post(request)
    await PASSKEYS.load("passkeys").remove(reading.server, me, form.text("passkey"))
    return reading.go("/me/keys")


@router.get("/me/data")
async def data(request: Request) -> Response:
    return await get_data(request)


@router.post("/me/erase")
async def post_erase(request: Request) -> Response:
    """Be erased in a day, or stay after all."""
    reading, form, me = await _post(request)
    if form.text("stay"):
        await deletion.take_back(reading.server, me)
    else:
        await deletion.ask(reading.server, me, form.text("nickname"))
    return reading.go("/me/keys")


@router.post("/people/{id}/hide")
async def post_hide(request: Request, id: PersonId) -> Response:
    """Do not show me to somebody; or do again."""
    reading, form, me = await _post(request)
    away = form.text("hide") == "on"
    await set_hidden(reading.server, me, id, away)
    return reading.go("/people" if away else "/me/privacy")
