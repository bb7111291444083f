"""The reader's account: recovery and sign-in, devices, export of all data, and deletion."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response

from triclinium.server.accounts import recovery
from triclinium.server.accounts.users import Person
from triclinium.server.errors import NoNickname
from triclinium.server.http.api.account import get_account_data, merge_accounts, set_player_hidden, sign_merge
from triclinium.server.http.api.players import PersonId
from triclinium.server.http.auth import check_rate_limit
from triclinium.server.net.cookies import YEAR_SECONDS
from triclinium.server.notifications import sign_in_link
from triclinium.server.optional_dependencies import PASSKEYS
from triclinium.server.personal_data import deletion, merge
from triclinium.server.ratings.stats import list_matches
from triclinium.web.page_context import PageContext, PostedForm

router = APIRouter(include_in_schema=False)
PHRASE_COOKIE = "phrase"  # the cookie of people who do not want to be offered words again


def supports_passkeys(origin: str) -> bool:
    """Return whether passkeys can be bound to this origin: it must be secure and have a host name, not a number."""
    parts = urlsplit(origin)
    host = parts.hostname or ""
    try:
        ip_address(host)
    except ValueError:
        return parts.scheme == "https" or host == "localhost"
    return False


def _require_person(context: PageContext) -> Person:
    if context.person is None:
        raise NoNickname()
    return context.person


async def _read_post(request: Request, action: str = "post") -> tuple[PageContext, PostedForm, Person]:
    """Something that somebody asks for themselves."""
    check_rate_limit(request, action)
    context = PageContext(request)
    form = await context.read_form()
    return context, form, _require_person(context)


def should_offer_phrase(context: PageContext) -> bool:
    """Return whether to offer a recovery phrase: after the third match, once, to people who have none."""
    if context.person is None or context.request.cookies.get(PHRASE_COOKIE) == "no":
        return False
    me = context.person.id
    with context.services.store.read_connection() as connection:
        played = len(list_matches(connection, me, recovery.OFFER_AFTER_MATCHES))
        return played >= recovery.OFFER_AFTER_MATCHES and not recovery.has_phrase(connection, me)


@router.get("/me/sign-in")
async def get_account(request: Request) -> Response:
    context = PageContext(request)
    return await context.services.runtime.run_in_thread(_render_account, context)


def _render_account(context: PageContext) -> Response:
    me = _require_person(context)
    with context.services.store.read_connection() as connection:
        variables = {
            "has_phrase": recovery.has_phrase(connection, me.id),
            "devices": recovery.list_devices(connection, me),
            "joined": merge.list_merges(connection, me.id),
            "erasing": deletion.load_deletion_time(connection, me.id),
            "passkeys": PASSKEYS.load("accounts.passkeys").list_passkeys(connection, me.id)
            if PASSKEYS.is_available()
            else [],
        }
    variables |= {"can_lock": PASSKEYS.is_available(), "is_named": supports_passkeys(context.origin)}
    variables["host"] = urlsplit(context.origin).hostname
    return context.render_page("accounts/recovery.html.jinja", **variables)


@router.post("/me/recovery-phrase")
async def post_phrase(request: Request) -> Response:
    """Six new words, shown once."""
    context, form, me = await _read_post(request)
    if form.text("dismiss"):
        response = context.redirect("/")
        response.set_cookie(PHRASE_COOKIE, "no", YEAR_SECONDS, samesite="lax", httponly=True)
        return response
    words = await recovery.replace_phrase(context.services, me, context.language)
    response = await context.render_in_thread("accounts/recovery_phrase.html.jinja", words=words)
    response.headers["cache-control"] = "no-store"
    return response


@router.get("/me/recover")
async def get_recovery(request: Request) -> Response:
    context = PageContext(request)
    return await _render_recovery(context)


async def _render_recovery(context: PageContext, mailed: bool = False) -> Response:
    """Return the page with the ways to sign in that this server and address support."""
    return await context.render_in_thread(
        "accounts/sign_in.html.jinja",
        can_lock=PASSKEYS.is_available(),
        is_named=supports_passkeys(context.origin),
        can_mail=sign_in_link.is_available(context.services),
        mailed=mailed,
    )


@router.post("/me/recover/mail")
async def post_sign_in_link(request: Request) -> Response:
    """A link by mail; it is said to be on its way whether anybody here has that address or not."""
    check_rate_limit(request, "phrase")
    context = PageContext(request)
    form = await context.read_form()
    await sign_in_link.request_link(context.services, form.text("mail"))
    return await _render_recovery(context, mailed=True)


@router.post("/me/recover")
async def post_recovery(request: Request) -> Response:
    """Six words bring somebody back; whoever was somebody else on this device may make both one."""
    check_rate_limit(request, "phrase")
    context = PageContext(request)
    form = await context.read_form()
    services = context.services
    id = await services.runtime.run_in_thread(recovery.find_person_by_phrase, services, form.text("phrase"))
    before = context.person
    context.person, context.new_cookie = await services.people.add_device(id)
    return await finish_sign_in(context, before)


async def finish_sign_in(context: PageContext, before: Person | None) -> Response:
    """Complete a sign-in. A person who has played on this device under another identity can merge the two."""
    services, me = context.services, _require_person(context)
    await services.people.remove_former_channels(before, me.id)
    if (
        before is None
        or before.id == me.id
        or not await services.runtime.run_in_thread(_has_matches, context, before.id)
    ):
        return context.redirect("/")
    merge_fields = {"person": before.id, "proof": sign_merge(services.key, before.id, me.id)}
    return await context.render_in_thread("accounts/merge.html.jinja", before=before, join=merge_fields)


def _has_matches(context: PageContext, person: int) -> bool:
    with context.services.store.read_connection() as connection:
        return bool(list_matches(connection, person, 1))


@router.post("/me/merge")
async def post_merge(request: Request) -> Response:
    context, form, me = await _read_post(request)
    await merge_accounts(context.services, me, form.integer("person"), form.text("proof"))
    return context.redirect("/me/sign-in")


@router.post("/me/unmerge")
async def post_merge_undo(request: Request) -> Response:
    context, form, me = await _read_post(request)
    await merge.undo_merge(context.services, me.id, form.integer("person"))
    return context.redirect("/me/sign-in")


@router.post("/me/devices")
async def post_device_sign_out(request: Request) -> Response:
    """Sign a device out."""
    context, form, me = await _read_post(request)
    await recovery.sign_out_device(context.services, me, form.text("device"))
    return context.redirect("/me/sign-in")


@router.post("/me/passkeys")
async def post_passkey_removal(request: Request) -> Response:
    """Forget a passkey; making one needs the script."""
    context, form, me = await _read_post(request)
    await PASSKEYS.load("accounts.passkeys").remove_passkey(context.services.store, me, form.text("passkey"))
    return context.redirect("/me/sign-in")


@router.get("/me/export")
async def get_my_data(request: Request) -> Response:
    return await get_account_data(request)


@router.post("/me/deletion")
async def post_deletion(request: Request) -> Response:
    """Be erased in a day, or stay after all."""
    context, form, me = await _read_post(request)
    if form.text("cancel"):
        await deletion.cancel_deletion(context.services.store, me)
    else:
        await deletion.request_deletion(context.services.store, me, form.text("nickname"))
    return context.redirect("/me/sign-in")


@router.post("/players/{id}/hide")
async def post_hide(request: Request, id: PersonId) -> Response:
    """Do not show me to somebody; or do again."""
    context, form, me = await _read_post(request)
    hides = form.text("hide") == "on"
    await set_player_hidden(context.services.runtime, me, id, hides)
    return context.redirect("/players" if hides else "/me/privacy")
