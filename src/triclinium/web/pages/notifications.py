"""The page `/notifications` with waiting tables, channels and quiet hours, and the pages behind the links in mails."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response
from sqlalchemy import select

from triclinium.engine.core.text import msgid
from triclinium.server.accounts.users import Person
from triclinium.server.errors import NotFound, RequestError
from triclinium.server.http.api import notifications as api
from triclinium.server.http.api.players import PersonId
from triclinium.server.http.auth import check_rate_limit
from triclinium.server.http.commands import Caller
from triclinium.server.net.cookies import YEAR_SECONDS
from triclinium.server.net.interfaces import LOOPBACK_NAMES
from triclinium.server.notifications import channels, sender, telegram
from triclinium.server.notifications.messages import list_waiting_tables
from triclinium.server.notifications.preferences import NotificationPreferences, load_preferences, store_preferences
from triclinium.server.optional_dependencies import NOTIFICATIONS
from triclinium.server.outbox.kinds import CHAT, DIGEST, DONE, GROUPS, TABLE, TURN
from triclinium.server.sanitize import parse_whole_number
from triclinium.server.storage.schema_notifications import outbox
from triclinium.server.storage.schema_notifications import ways as kept_ways
from triclinium.web.datetimes import ZONE_COOKIE as ZONE
from triclinium.web.forms import FieldValues, FormPost, FormRoutes
from triclinium.web.page_context import PageContext, PostedForm
from triclinium.web.pages.waiting_room import render_qr_code

router = APIRouter(include_in_schema=False)
forms = FormRoutes(api.commands)
DEFAULT_QUIET_HOURS = ("22:30", "08:00")
PREFERENCE_ROWS = (
    (
        TURN,
        msgid("It’s your turn and you’re away"),
        msgid(
            "You get a message after 2 minutes. A reminder follows 6 hours before a substitute bot can play, or "
            "halfway through a shorter time limit."
        ),
    ),
    (TABLE, msgid("A table fills up, or its match starts or ends"), msgid("This includes invitations and rematches.")),
    (
        CHAT,
        msgid("Someone writes to you"),
        msgid("Chat messages while you’re away, grouped every five minutes."),
    ),
    (
        DONE,
        msgid("Something happens to your seat"),
        msgid("A substitute bot plays for you, the others vote about your seat, or your time runs out."),
    ),
    (
        DIGEST,
        msgid("Daily summary"),
        msgid("One message a day, at a time you choose, if any table is waiting for you."),
    ),
)
CHANNEL_ICONS = {"device": "bell", "mail": "mail"}
CHANNEL_NAMES = {
    "device": msgid("Device"),
    "mail": msgid("Email"),
    "discord": "Discord",
    "telegram": "Telegram",
    "ntfy": "ntfy",
    "service": msgid("Other service"),
}
# Cookies of the switches for the sounds of a table's page and for the badge with the number of waiting tables.
SWITCH_COOKIES = ("sound", "number", "chat_sound", "clock_sound")


@dataclass(frozen=True, slots=True)
class RequestAddress:
    """The address in the reader's browser, as far as the page needs it."""

    secure: bool  # browsers allow notifications, push and installation only at secure addresses
    local_only: bool  # links in messages work on this computer only
    host: str


def read_request_address(context: PageContext) -> RequestAddress:
    parts = urlsplit(str(context.request.url))
    host = parts.hostname or ""
    secure = parts.scheme == "https" or context.services.settings.https or host in LOOPBACK_NAMES
    services = context.services
    return RequestAddress(
        secure, services.reachability.is_loopback_origin(services.reachability.get_default_origin()), host
    )


@router.get("/notifications")
async def get_notifications(request: Request) -> Response:
    context = PageContext(request)
    return await context.services.runtime.run_in_thread(_render_notifications, context)


def _render_notifications(context: PageContext, status: int = 200) -> Response:
    services, me = context.services, context.person
    variables: dict[str, object] = {
        "at": read_request_address(context),
        "installed": NOTIFICATIONS.is_available(),
        "rows": PREFERENCE_ROWS,
        "groups": GROUPS,
    }
    variables |= {
        "names": CHANNEL_NAMES,
        "signs": CHANNEL_ICONS,
        "offers": api.list_channel_kinds(services),
        "wishes": NotificationPreferences(),
        "ways": [],
        "waiting": [],
    }
    if me is not None:
        with services.store.read_connection() as connection:
            variables["wishes"] = load_preferences(connection, me.id)
            variables["ways"] = my_channels = channels.list_channels(services.key, connection, me)
            variables["waiting"] = list_waiting_tables(connection, me.id)
        variables["this"] = next((channel for channel in my_channels if channel.is_current), None)
        variables |= {"push_key": api.get_push_key(services), "code": telegram.make_code(services.key, me)}
    variables |= {
        "usual_quiet": DEFAULT_QUIET_HOURS,
        "ntfy": services.settings.ntfy,
        "zone": context.request.cookies.get(ZONE, ""),
    }
    return context.render_page("notifications/notifications.html.jinja", status, **variables)


@forms.read(api.set_preferences)
def read_preferences(context: PageContext, form: PostedForm) -> FieldValues:
    """Read the quiet hours and the time of the digest. The language and the time zone are those of the page.

    Raise RequestError if the time cannot be read.
    """
    hours, minutes = (parse_whole_number(part, 2) for part in form.text("digest", "18:00").partition(":")[::2])
    if hours is None or minutes is None:
        raise RequestError("Enter a time in this format: 18:00.")
    return {
        "language": context.language,
        "time_zone": context.request.cookies.get(ZONE, "")[:64],
        "quiet_hours": f"{form.text('from')}-{form.text('until')}" if form.flag("quiet") else "",
        "digest_minute": hours * 60 + minutes,
    }


@forms.answer(api.set_preferences)
async def store_switches(post: FormPost[Caller, api.ChosenPreferences, api.StoredPreferences]) -> Response:
    """Store the message groups of each channel, and the switches of this browser."""
    form = post.form
    for id in form.fields_with_prefix("channel-"):
        channel_id = parse_whole_number(id, 9)
        if channel_id is not None:
            wants = [group for group in GROUPS if form.flag(f"send-{id}-{group}")]
            change = api.ChannelChange.model_validate({"id": channel_id, "groups": wants})
            await api.change_channel.run(post.caller, change)
    response = post.context.redirect("/notifications")
    for name in SWITCH_COOKIES:
        response.set_cookie(name, "on" if form.flag(name) else "off", YEAR_SECONDS, samesite="lax", httponly=True)
    return response


@forms.read(api.post_channel)
def check_channel_kind(context: PageContext, form: PostedForm) -> FieldValues:
    """Raise RequestError for a channel that this server does not offer, and for a device, which needs a script."""
    kind = form.text("kind")
    if kind not in api.list_channel_kinds(context.services) or kind == "device":
        NOTIFICATIONS.check()
        raise RequestError("This server does not use this service.")
    return {}


@forms.answer(api.post_channel)
async def store_language(post: FormPost[Caller, api.NewChannel, api.ChannelId]) -> Response:
    await _save_language_and_zone(post.context, post.caller.me)
    return post.context.redirect(api.CHANNELS_SECTION)


async def _save_language_and_zone(context: PageContext, me: Person) -> None:
    """Store the language of a person who adds a channel, and their time zone unless one is already stored."""

    def read_current() -> NotificationPreferences:
        with context.services.store.read_connection() as connection:
            return load_preferences(connection, me.id)

    before = await context.services.runtime.run_in_thread(read_current)
    zone = before.zone or context.request.cookies.get(ZONE, "")[:64]
    await store_preferences(
        context.services.store, me.id, NotificationPreferences(context.language, zone, before.quiet, before.digest)
    )


@forms.read(api.change_channel)
def read_retry(context: PageContext, form: PostedForm) -> FieldValues:
    return {"retry": True, "groups": None}


@router.get("/notifications/channels/{id}/qr.svg")
async def get_topic_qr(request: Request, id: PersonId) -> Response:
    """Return the address of an ntfy topic as a QR code."""
    context = PageContext(request)
    return await context.services.runtime.run_in_thread(_render_topic_qr, context, id)


def _render_topic_qr(context: PageContext, id: int) -> Response:
    me = context.person
    if me is None:
        raise NotFound("There is no such channel.")
    with context.services.store.read_connection() as connection:
        my_channels = channels.list_channels(context.services.key, connection, me)
    topic = next((channel.masked_address for channel in my_channels if channel.id == id and channel.kind == "ntfy"), "")
    if not topic:
        raise NotFound("There is no such channel.")
    return render_qr_code(f"{context.services.settings.ntfy}/{topic}")


# -- links in mails, which work on any device for the person who received them -----------------------------------------


@router.get("/notifications/{what}/{id}/{sign}")
async def get_mail_link(request: Request, what: str, id: PersonId, sign: str) -> Response:
    """Show a button for the action of a link in a mail, because mail scanners open links but press no buttons."""
    context = PageContext(request)
    await context.services.runtime.run_in_thread(_check_mail_link, context, what, id, sign)
    return await context.render_in_thread("notifications/sign_in_link.html.jinja", what=what, done=False)


@router.post("/notifications/{what}/{id}/{sign}")
async def post_mail_link(request: Request, what: str, id: PersonId, sign: str) -> Response:
    """Carry out the action of a link in a mail. Mail programs also use this for unsubscribing with one click."""
    check_rate_limit(request, "guess")
    context = PageContext(request)
    services = context.services
    person = await services.runtime.run_in_thread(_check_mail_link, context, what, id, sign)
    if what == "unsubscribe":
        await channels.remove_channel(services.store, person, id)
    elif what == "confirm":
        await channels.confirm_channel(services.store, id)
    else:
        await sender.snooze_message(services.store, person, id)
    return await context.render_in_thread("notifications/sign_in_link.html.jinja", what=what, done=True)


def _check_mail_link(context: PageContext, what: str, id: int, sign: str) -> int:
    """Return the person to whom a link in a mail was sent. Raise NotFound or NotAllowed if it is not valid."""
    services = context.services
    with services.store.read_connection() as connection:
        if what == "snooze":
            row = connection.execute(select(outbox).where(outbox.c.id == id)).one_or_none()
        else:
            row = connection.execute(select(kept_ways).where(kept_ways.c.id == id)).one_or_none()
    if row is None or what not in ("unsubscribe", "confirm", "snooze"):
        raise NotFound("This link is no longer valid.")
    api.check_link_signature(services.key, sign, what, id, row.way if what == "snooze" else row.mark)
    return int(row.person)
