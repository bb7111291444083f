"""The page *Notifications* (`/notifications`): channels, preferences, quiet hours; and the links in mails."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response
from sqlalchemy import select

from triclinium.engine.core.text import msgid
from triclinium.server.accounts.users import Person
from triclinium.server.errors import NoNickname, NotFound, RequestError
from triclinium.server.http.api.notifications import (
    ChannelId,
    add_channel,
    check_link_signature,
    get_push_key,
    list_channel_kinds,
)
from triclinium.server.http.auth import check_rate_limit
from triclinium.server.net.client_address import get_client_network
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
from triclinium.web.page_context import PageContext, PostedForm
from triclinium.web.pages.waiting_room import render_qr_code

router = APIRouter(include_in_schema=False)
DEFAULT_QUIET_HOURS = ("22:30", "08:00")
PREFERENCE_ROWS = (
    (
        TURN,
        msgid("It is your turn, and you are not here"),
        msgid("After 2 minutes, and once more before a substitute bot can play: at half time, or 6 hours before."),
    ),
    (TABLE, msgid("A table fills, starts or ends"), msgid("Also an invitation, and a rematch.")),
    (
        CHAT,
        msgid("Somebody writes to you"),
        msgid("Chat at your tables, while you are away; five minutes are gathered into one."),
    ),
    (DONE, msgid("Something was done for you"), msgid("A bot sat in, a vote about your seat, your time runs out.")),
    (
        DIGEST,
        msgid("The day in one message"),
        msgid("Everything that waits, at an hour of yours, only if something does."),
    ),
)
CHANNEL_ICONS = {"device": "bell", "mail": "mail"}
CHANNEL_NAMES = {
    "device": msgid("Device"),
    "mail": msgid("Mail"),
    "discord": "Discord",
    "telegram": "Telegram",
    "ntfy": "ntfy",
    "service": msgid("Another service"),
}
SWITCH_COOKIES = ("sound", "number", "chat_sound", "clock_sound")  # cookies of this browser's switches


@dataclass(frozen=True, slots=True)
class RequestAddress:
    """Facts about the address in the reader's browser, on which the available channels depend."""

    secure: bool  # browsers allow notifications, push messages and installation as an app
    local_only: bool  # links in messages work only on this computer
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
        "offers": list_channel_kinds(services),
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
        variables |= {"push_key": get_push_key(services), "code": telegram.make_code(services.key, me)}
    variables |= {
        "usual_quiet": DEFAULT_QUIET_HOURS,
        "ntfy": services.settings.ntfy,
        "zone": context.request.cookies.get(ZONE, ""),
    }
    return context.render_page("notifications/notifications.html.jinja", status, **variables)


async def _read_post(request: Request) -> tuple[PageContext, PostedForm, Person]:
    check_rate_limit(request, "post")
    context = PageContext(request)
    form = await context.read_form()
    if context.person is None:
        raise NoNickname()
    return context, form, context.person


@router.post("/notifications")
async def post_preferences(request: Request) -> Response:
    """Keep what is told where, when not, and what the table itself does."""
    context, form, me = await _read_post(request)
    quiet = f"{form.text('from')}-{form.text('until')}" if form.flag("quiet") else ""
    hours, minutes = (parse_whole_number(part, 2) for part in form.text("digest", "18:00").partition(":")[::2])
    if hours is None or minutes is None:
        raise RequestError("an hour is given like 18:00")
    zone = context.request.cookies.get(ZONE, "")
    preferences = NotificationPreferences(context.language, zone[:64], quiet, hours * 60 + minutes)
    await store_preferences(context.services.store, me.id, preferences)
    for id in form.fields_with_prefix("channel-"):
        channel_id = parse_whole_number(id, 9)
        if channel_id is not None:
            wants = [group for group in GROUPS if form.flag(f"send-{id}-{group}")]
            await channels.update_channel(context.services.store, me.id, channel_id, wants=wants)
    response = context.redirect("/notifications")
    for name in SWITCH_COOKIES:
        response.set_cookie(name, "on" if form.flag(name) else "off", YEAR_SECONDS, samesite="lax", httponly=True)
    return response


@router.post("/notifications/channels")
async def post_channel(request: Request) -> Response:
    """A new way; a browser's own needs its script."""
    context, form, me = await _read_post(request)
    kind = form.text("kind")
    if kind not in list_channel_kinds(context.services) or kind == "device":
        NOTIFICATIONS.check()
        raise RequestError("this service is not used here")
    await add_channel(
        context.services, me, kind, form.text("address")[:1000], network=get_client_network(request.scope)
    )
    await _save_language_and_zone(context, me)
    return context.redirect("/notifications#where")


async def _save_language_and_zone(context: PageContext, me: Person) -> None:
    """Store a person's language, and the time zone unless one is stored already."""

    def read_current() -> NotificationPreferences:
        with context.services.store.read_connection() as connection:
            return load_preferences(connection, me.id)

    before = await context.services.runtime.run_in_thread(read_current)
    zone = before.zone or context.request.cookies.get(ZONE, "")[:64]
    await store_preferences(
        context.services.store, me.id, NotificationPreferences(context.language, zone, before.quiet, before.digest)
    )


@router.post("/notifications/channels/{id}")
async def post_channel_action(request: Request, id: ChannelId) -> Response:
    """Try a way, mend it, or end it."""
    context, form, me = await _read_post(request)
    match form.text("operation"):
        case "test":
            await channels.send_test(context.services.store, me.id, id)
        case "retry":
            await channels.update_channel(context.services.store, me.id, id, on=True)
        case _:
            await channels.remove_channel(context.services.store, me.id, id)
    return context.redirect("/notifications#where")


@router.get("/notifications/channels/{id}/qr.svg")
async def get_topic_qr(request: Request, id: ChannelId) -> Response:
    """Return the QR code of an ntfy topic, to scan with a phone."""
    context = PageContext(request)
    return await context.services.runtime.run_in_thread(_render_topic_qr, context, id)


def _render_topic_qr(context: PageContext, id: int) -> Response:
    me = context.person
    if me is None:
        raise NotFound("there is no such way")
    with context.services.store.read_connection() as connection:
        my_channels = channels.list_channels(context.services.key, connection, me)
    topic = next((channel.masked_address for channel in my_channels if channel.id == id and channel.kind == "ntfy"), "")
    if not topic:
        raise NotFound("there is no such way")
    return render_qr_code(f"{context.services.settings.ntfy}/{topic}")


# -- links in mails: they act for the person who got them, on any device -----------------------------------------------


@router.get("/notifications/{what}/{id}/{sign}")
async def get_mail_link(request: Request, what: str, id: ChannelId, sign: str) -> Response:
    """Return a page with a button for the link in a mail, because mail filters open links but press no buttons."""
    context = PageContext(request)
    await context.services.runtime.run_in_thread(_check_mail_link, context, what, id, sign)
    return await context.render_in_thread("notifications/sign_in_link.html.jinja", what=what, done=False)


@router.post("/notifications/{what}/{id}/{sign}")
async def post_mail_link(request: Request, what: str, id: ChannelId, sign: str) -> Response:
    """Carry out the link of a mail. Mail programs can post it directly, to unsubscribe in one click."""
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
    """Return the id of the person to whom the mail was sent. Raise NotFound or NotAllowed."""
    services = context.services
    with services.store.read_connection() as connection:
        if what == "snooze":
            row = connection.execute(select(outbox).where(outbox.c.id == id)).one_or_none()
        else:
            row = connection.execute(select(kept_ways).where(kept_ways.c.id == id)).one_or_none()
    if row is None or what not in ("unsubscribe", "confirm", "snooze"):
        raise NotFound("this link is not valid any more")
    check_link_signature(services.key, sign, what, id, row.way if what == "snooze" else row.mark)
    return int(row.person)
