"""HTTP API, version 1: notifications: presence at tables, waiting tables, preferences and channels."""

from typing import Annotated, Literal, TypedDict

from fastapi import APIRouter, Request, Response
from pydantic import AfterValidator, Field

from triclinium.server.accounts.recovery import detect_browser
from triclinium.server.accounts.users import Person
from triclinium.server.crypto import ServerKey
from triclinium.server.errors import NotAllowed, NotFound
from triclinium.server.http.api.players import PersonNumber
from triclinium.server.http.api.tables import JsonObject, build_json_response
from triclinium.server.http.auth import (
    get_current_person,
    get_current_viewer,
    get_services,
    resume_on_open,
)
from triclinium.server.http.commands import ANYONE, PERSON, Api, Arguments, Caller, CommandList, Form, NotOffered
from triclinium.server.http.table_commands import TableArguments
from triclinium.server.net.client_address import get_client_network
from triclinium.server.notifications import channels, preferences, sender, telegram
from triclinium.server.notifications.channels import DEVICE, MAIL, TELEGRAM, NotificationChannel
from triclinium.server.notifications.messages import list_waiting_tables
from triclinium.server.notifications.preferences import NotificationPreferences
from triclinium.server.optional_dependencies import NOTIFICATIONS
from triclinium.server.outbox.kinds import GROUPS
from triclinium.server.presenter.api_json import ERROR_RESPONSES
from triclinium.server.sanitize import check_encodable
from triclinium.server.services import Services
from triclinium.server.tables.broadcast import schedule_presence_broadcast

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["notifications"])
commands = CommandList(router)
CHANNELS_SECTION = "/notifications#where"  # section of the notifications page
NotificationGroup = Literal["turn", "table", "chat", "done", "digest"]


class PresenceBody(Arguments):
    """The state of a page: whether it is visible, and whether its script notifies the reader while it is hidden."""

    tab: str = Field(max_length=40, description="the name with which the page opened its event stream")
    visible: bool
    notifies: bool = False


class PagePresence(PresenceBody, TableArguments):
    """The state of a table's page in a browser."""


class PresentSeats(TypedDict):
    """The seats whose players have the table open."""

    present: list[int]


class ChosenPreferences(Arguments):
    """Changes to the caller's notification preferences. Fields that are left out stay the same."""

    language: str | None = Field(None, max_length=8)
    time_zone: str | None = Field(None, max_length=64, description="time zone, such as Europe/Paris; empty: UTC")
    quiet_hours: str | None = Field(None, max_length=11, description="quiet hours, such as 22:30-08:00; empty: none")
    digest_minute: int | None = Field(
        None, ge=0, lt=1440, description="time of the daily digest, in minutes after midnight"
    )


class NewChannel(Arguments):
    """A new notification channel."""

    kind: Literal["device", "mail", "discord", "telegram", "ntfy", "service"]
    address: str = Field("", max_length=1000, description="an email address, a Discord webhook or an Apprise address")
    subscription: Annotated[dict[str, object], AfterValidator(check_encodable)] | None = Field(
        None, description="the push subscription that the browser of a device returned"
    )


class ChannelNumber(Arguments):
    """One of the caller's channels."""

    id: PersonNumber


class ChannelChange(Arguments):
    """The groups of messages that a channel gets; `retry` enables a stopped channel again."""

    id: PersonNumber
    groups: list[NotificationGroup] | None = Field(None, max_length=len(GROUPS))
    retry: bool = False


class SentMessage(Arguments):
    """A sent message that is to be sent again in two hours."""

    message: int = Field(ge=1, lt=2**31)


class StoredPreferences(TypedDict):
    """The stored notification preferences of the caller."""

    language: str
    time_zone: str
    quiet_hours: str
    digest_minute: int


class ChannelId(TypedDict):
    """The number of a channel."""

    id: int


class Snoozed(TypedDict):
    """A message that is sent again later."""

    message: int


@commands.add(
    "report-presence",
    ANYONE,
    api=Api("POST", "/tables/{id}/presence"),
    form=NotOffered("A script of the page reports its visibility. Without a script, the open event stream counts."),
)
async def post_presence(caller: Caller, arguments: PagePresence) -> PresentSeats:
    """Report whether a table's page is visible. While it is, you count as present and get no notifications from it."""
    services, request = caller.services, caller.request
    table = await services.tables.get_table(arguments.id)
    if arguments.visible:
        await resume_on_open(request, table)
    viewer = get_current_viewer(request, table)
    person = None if viewer.token or viewer.person is None else viewer.person.id
    if table.hub.set_visible(arguments.tab, person, viewer.token, arguments.visible, arguments.notifies):
        schedule_presence_broadcast(services.runtime, table)
    return {"present": sorted(table.hub.list_present_seats())}


@router.get("/notifications", response_model=JsonObject)
async def get_notifications(request: Request) -> Response:
    """Return the tables that wait for you, your preferences and channels, and the kinds of channels to choose from."""
    services, person = get_services(request), get_current_person(request)
    return await build_json_response(services.runtime, lambda: build_notifications_json(services, person))


def build_notifications_json(services: Services, person: Person | None) -> JsonObject:
    offers: JsonObject = {"channel_kinds": list_channel_kinds(services), "push_key": get_push_key(services)}
    if person is None:
        return offers | {"waiting_tables": [], "channels": []}
    with services.store.read_connection() as connection:
        own_preferences = preferences.load_preferences(connection, person.id)
        own_channels = channels.list_channels(services.key, connection, person)
        waiting = list_waiting_tables(connection, person.id)
    return offers | {
        "waiting_tables": [{"table": id, "name": name} for id, name in waiting],
        "language": own_preferences.language,
        "time_zone": own_preferences.zone,
        "quiet_hours": own_preferences.quiet,
        "digest_minute": own_preferences.digest,
        "channels": [build_channel_json(channel) for channel in own_channels],
    }


def list_channel_kinds(services: Services) -> list[str]:
    """Return the kinds of channels that this server offers; none if the optional packages are not installed."""
    if not NOTIFICATIONS.is_available():
        return []
    settings = services.settings
    is_available = {
        MAIL: services.mailer is not None,
        TELEGRAM: bool(settings.telegram),
        "service": settings.services == "any",
    }
    return [kind for kind in (DEVICE, MAIL, "ntfy", "discord", TELEGRAM, "service") if is_available.get(kind, True)]


def get_push_key(services: Services) -> str:
    """Return the server's public key for web push, or "" if the optional packages are not installed.

    The key pair is created at the first call.
    """
    if not NOTIFICATIONS.is_available():
        return ""
    push_keys = NOTIFICATIONS.load("notifications.push_keys")
    return str(push_keys.encode_public_key(push_keys.load_key_pair(services.store)))


def build_channel_json(channel: NotificationChannel) -> JsonObject:
    return {
        "id": channel.id,
        "kind": channel.kind,
        "name": channel.name,
        "address": channel.masked_address,
        "groups": [group for group in GROUPS if group in channel.groups],
        "state": channel.state,
        "reason": channel.reason,
        "created_at": channel.created_at,
        "last_sent_at": channel.last_sent_at,
        "is_current": channel.is_current,
    }


@commands.add("set-preferences", PERSON, api=Api("PUT", "/notifications"), form=Form("/notifications"))
async def set_preferences(caller: Caller, arguments: ChosenPreferences) -> StoredPreferences:
    """Change your notification preferences."""
    services, me = caller.services, caller.me

    def load_preferences() -> NotificationPreferences:
        with services.store.read_connection() as connection:
            return preferences.load_preferences(connection, me.id)

    current = await services.runtime.run_in_thread(load_preferences)
    changes = arguments.model_dump(exclude_none=True)
    chosen = NotificationPreferences(
        changes.get("language", current.language),
        changes.get("time_zone", current.zone),
        changes.get("quiet_hours", current.quiet),
        changes.get("digest_minute", current.digest),
    )
    await preferences.store_preferences(services.store, me.id, chosen)
    return {
        "language": chosen.language,
        "time_zone": chosen.zone,
        "quiet_hours": chosen.quiet,
        "digest_minute": chosen.digest,
    }


@commands.add(
    "add-channel",
    PERSON,
    api=Api("POST", "/notifications/channels", status_code=201),
    form=Form("/notifications/channels"),
)
async def post_channel(caller: Caller, arguments: NewChannel) -> ChannelId:
    """Add a notification channel. A mail address must be confirmed; for Telegram, first send `/start` and your code."""
    device_name = detect_browser(caller.request.headers.get("user-agent", ""))
    network = get_client_network(caller.request.scope)
    number = await add_channel(
        caller.services, caller.me, arguments.kind, arguments.address, arguments.subscription, device_name, network
    )
    return {"id": number}


async def add_channel(
    services: Services,
    person: Person,
    kind: str,
    address: str,
    subscription: object = None,
    device_name: str = "",
    network: str = "",
) -> int:
    """Add a channel of any kind, and return its id. Raise RequestError if it cannot be used.

    ``network`` is the caller's, for quotas.
    """
    NOTIFICATIONS.check()
    for module in (
        "notifications.encryption",
        "notifications.push_keys" if kind == DEVICE else "notifications.chat_services",
    ):
        await services.runtime.run_in_thread(NOTIFICATIONS.load, module)  # large modules would block the event loop
    if kind == DEVICE:
        return await channels.add_device(services, person, subscription, device_name)
    if kind == MAIL:
        return await channels.add_mail(services, person, address, network)
    if kind == TELEGRAM:
        chat = await services.runtime.run_in_thread(telegram.find_chat, services, person)
        return await channels.add_telegram(services, person, chat)
    return await channels.add_service(services, person, kind, address)


@commands.add(
    "test-channel",
    PERSON,
    api=Api("POST", "/notifications/channels/{id}/test"),
    form=Form("/notifications/channels/{id}", CHANNELS_SECTION, when=["operation=test"]),
)
async def test_channel(caller: Caller, arguments: ChannelNumber) -> ChannelId:
    """Send a test message to one of your channels, at most twenty a day."""
    await channels.send_test(caller.services.store, caller.me.id, arguments.id)
    return {"id": arguments.id}


@commands.add(
    "change-channel",
    PERSON,
    api=Api("PUT", "/notifications/channels/{id}"),
    form=Form("/notifications/channels/{id}", CHANNELS_SECTION, when=["operation=retry"]),
)
async def change_channel(caller: Caller, arguments: ChannelChange) -> ChannelId:
    """Choose the groups of messages that a channel gets, or turn a stopped channel on again."""
    store, me = caller.services.store, caller.me
    await channels.update_channel(store, me.id, arguments.id, wants=arguments.groups, on=arguments.retry)
    return {"id": arguments.id}


@commands.add(
    "remove-channel",
    PERSON,
    api=Api("DELETE", "/notifications/channels/{id}"),
    form=Form("/notifications/channels/{id}", CHANNELS_SECTION),
)
async def remove_channel(caller: Caller, arguments: ChannelNumber) -> ChannelId:
    """Remove a channel."""
    await channels.remove_channel(caller.services.store, caller.me.id, arguments.id)
    return {"id": arguments.id}


@commands.add(
    "snooze-message",
    PERSON,
    api=Api("POST", "/notifications/snooze"),
    form=NotOffered("Each message has a link, which works without a cookie."),
)
async def snooze_message(caller: Caller, arguments: SentMessage) -> Snoozed:
    """Send a message again in two hours."""
    if not await sender.snooze_message(caller.services.store, caller.me.id, arguments.message):
        raise NotFound("There is no such message.")
    return {"message": arguments.message}


def check_link_signature(key: ServerKey, signature: str, *parts: str | int) -> None:
    """Raise NotAllowed unless the signature of a link in a mail is valid."""
    if not key.is_signature_valid(signature, *parts):
        raise NotAllowed("This link is no longer valid.")
