"""Pages of the reader's account: recovery, sign-in, devices, vacations, export of data, and deletion."""

import datetime
from ipaddress import ip_address
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response

from triclinium.server.accounts import recovery
from triclinium.server.accounts.users import Person
from triclinium.server.accounts.vacation import DAY
from triclinium.server.errors import NoNickname, RequestError
from triclinium.server.http.api import account as api
from triclinium.server.http.auth import get_current_person
from triclinium.server.http.commands import ANYONE, Caller, CommandList, Form, NoArguments, NotOffered
from triclinium.server.net.cookies import YEAR_SECONDS
from triclinium.server.notifications import sign_in_link
from triclinium.server.optional_dependencies import PASSKEYS
from triclinium.server.personal_data import deletion, merge
from triclinium.server.ratings.stats import list_matches
from triclinium.web.forms import FieldValues, FormPost, FormRoutes
from triclinium.web.page_context import PageContext, PostedForm

router = APIRouter(include_in_schema=False)
commands = CommandList()
forms = FormRoutes(commands, api.commands)
PHRASE_COOKIE = "phrase"  # cookie of people who have declined a recovery phrase


def supports_passkeys(origin: str) -> bool:
    """Return whether passkeys work at this origin, which must be secure and have a host name instead of an address."""
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


def should_offer_phrase(context: PageContext) -> bool:
    """Return whether to offer a recovery phrase: once, after the third match, to people who have none."""
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


@forms.answer(api.replace_recovery_phrase)
async def show_phrase(post: FormPost[Caller, api.NewPhraseArguments, api.NewPhrase]) -> Response:
    """Show the new recovery phrase, once."""
    page = await post.context.render_in_thread("accounts/recovery_phrase.html.jinja", words=post.result["phrase"])
    page.headers["cache-control"] = "no-store"
    return page


@forms.read(api.replace_recovery_phrase)
def read_phrase_language(context: PageContext, form: PostedForm) -> FieldValues:
    return {"language": context.language}


@commands.add(
    "dismiss-phrase-offer",
    ANYONE,
    api=NotOffered("The offer is on the home page, and a cookie hides it."),
    form=Form("/me/recovery-phrase", "/", when=["dismiss"]),
)
async def dismiss_phrase_offer(caller: Caller, arguments: NoArguments) -> None:
    """Stop offering a recovery phrase in this browser."""
    caller.response.set_cookie(PHRASE_COOKIE, "no", YEAR_SECONDS, samesite="lax", httponly=True)


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


@forms.answer(api.mail_sign_in_link)
async def show_mailed(post: FormPost[Caller, api.MailAddress, api.Requested]) -> Response:
    """Show that the link was requested. The page does not reveal whether the address is known."""
    return await _render_recovery(post.context, mailed=True)


@forms.answer(api.sign_in)
async def show_sign_in(post: FormPost[Caller, api.RecoveryPhrase, api.SignIn]) -> Response:
    return await finish_sign_in(post.context, get_current_person(post.context.request))


async def finish_sign_in(context: PageContext, before: Person | None, next_path: str = "/") -> Response:
    """Complete a sign-in, and return a redirect or the offer to merge.

    The offer is for readers who have played on this device as another person.
    """
    services, me = context.services, _require_person(context)
    await services.people.remove_former_channels(before, me.id)
    if (
        before is None
        or before.id == me.id
        or not await services.runtime.run_in_thread(_has_matches, context, before.id)
    ):
        return context.redirect(next_path)
    merge_fields = {"person": before.id, "proof": api.sign_merge(services.key, before.id, me.id)}
    return await context.render_in_thread("accounts/merge.html.jinja", before=before, join=merge_fields)


def _has_matches(context: PageContext, person: int) -> bool:
    with context.services.store.read_connection() as connection:
        return bool(list_matches(connection, person, 1))


@router.get("/me/export")
async def get_my_data(request: Request) -> Response:
    return await api.get_account_data(request)


@forms.answer(api.hide_player)
async def show_hidden_players(post: FormPost[Caller, api.HiddenPlayer, api.Hidden]) -> Response:
    return post.context.redirect("/players" if post.result["hidden"] else "/me/privacy")


@forms.read(api.schedule_vacation)
def read_vacation(context: PageContext, form: PostedForm) -> FieldValues:
    """Read the first and the last day of a vacation, in the reader's time zone."""
    start, last = (_parse_day(context, form.text(name)) for name in ("start", "until"))
    return {"start": start, "until": last + DAY}


def _parse_day(context: PageContext, text: str) -> float:
    """Return the time at which a day begins in the reader's time zone. Raise RequestError if it is not a date."""
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        raise RequestError("Enter the dates of your vacation in this format: 2026-12-24.") from None
    midnight = datetime.datetime.combine(day, datetime.time(), context.dates.zone or datetime.UTC)
    return midnight.timestamp()
