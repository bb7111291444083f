"""The HTTP API, version 1: notifications. Where a person is looking, what waits for them, how they are reached."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from triclinium.server.accounts.recovery import detect_browser
from triclinium.server.accounts.users import Person
from triclinium.server.crypto import ServerKey
from triclinium.server.errors import NotAllowed, NotFound
from triclinium.server.http.api.players import require_person
from triclinium.server.http.api.tables import JsonObject, build_json_response
from triclinium.server.http.auth import (
    check_rate_limit,
    get_current_person,
    get_current_viewer,
    get_services,
    resume_on_open,
)
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
from triclinium.server.tables import chat
from triclinium.server.tables.broadcast import schedule_presence_broadcast

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["notifications"])
ChannelId = Annotated[int, Path(ge=1, lt=2**31)]
NotificationGroup = Literal["turn", "table", "chat", "done", "digest"]
STRICT_CONFIG = ConfigDict(extra="forbid", strict=True)


class PresenceBody(BaseModel):
    """Whether somebody looks at a page, and whether it notifies them by itself while they do not."""

    model_config = STRICT_CONFIG
    tab: str = Field(max_length=40, description="what the page called itself when it opened its stream")
    visible: bool
    notifies: bool = False


class PreferencesBody(BaseModel):
    """How somebody wants to be told; what is left out stays."""

    model_config = STRICT_CONFIG
    language: str | None = Field(None, max_length=8)
    time_zone: str | None = Field(None, max_length=64, description="Europe/Paris; empty: UTC")
    quiet_hours: str | None = Field(None, max_length=11, description="22:30-08:00; empty: none")
    digest_minute: int | None = Field(None, ge=0, lt=1440, description="minutes after midnight")


class NewChannelBody(BaseModel):
    """A way to be told by."""

    model_config = STRICT_CONFIG
    kind: Literal["device", "mail", "discord", "telegram", "ntfy", "service"]
    address: str = Field("", max_length=1000, description="a mail address, a webhook of Discord, an address of apprise")
    subscription: Annotated[dict[str, object], AfterValidator(check_encodable)] | None = Field(
        None, description="of a device: what its browser gave"
    )


class ChannelChangeBody(BaseModel):
    """The groups of messages that a channel gets; `retry` enables a stopped channel again."""

    model_config = STRICT_CONFIG
    groups: list[NotificationGroup] | None = Field(None, max_length=len(GROUPS))
    retry: bool = False


class SnoozeBody(BaseModel):
    """A message that was told, to be told again in two hours."""

    model_config = STRICT_CONFIG
    message: int = Field(ge=1, lt=2**31)


@router.post("/tables/{id}/presence")
async def post_presence(request: Request, id: str, body: PresenceBody) -> JsonObject:
    """Tell whether somebody looks at the page: only then they are here, and are not told by any way."""
    check_rate_limit(request, "post")
    services = get_services(request)
    table = await services.tables.get_table(id)
    if body.visible:
        await resume_on_open(request, table)
    viewer = get_current_viewer(request, table)
    person = None if viewer.token or viewer.person is None else viewer.person.id
    if table.hub.set_visible(body.tab, person, viewer.token, body.visible, body.notifies):
        schedule_presence_broadcast(services.runtime, table)
    return {"present": sorted(table.hub.list_present_seats())}


@router.post("/tables/{id}/chat/read")
async def post_chat_read(request: Request, id: str) -> JsonObject:
    """You have read all that was said at the table so far."""
    check_rate_limit(request, "post")
    services, person = get_services(request), require_person(request)
    table = await services.tables.get_table(id)
    get_current_viewer(request, table)
    await chat.mark_chat_read(services.store, table, person.id)
    return {"unread": 0}


@router.get("/notifications", response_model=JsonObject)
async def get_notifications(request: Request) -> Response:
    """What waits for you, how you want to be told, and by which ways; and which ways this house has."""
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
    """The kinds of ways that this house has; none without its packages."""
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
    """By which a browser knows the house; made when it is first asked for."""
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


@router.put("/notifications")
async def put_preferences(request: Request, body: PreferencesBody) -> JsonObject:
    """Choose how you are told."""
    check_rate_limit(request, "post")
    services, person = get_services(request), require_person(request)

    def load_preferences() -> NotificationPreferences:
        with services.store.read_connection() as connection:
            return preferences.load_preferences(connection, person.id)

    current = await services.runtime.run_in_thread(load_preferences)
    changes = body.model_dump(exclude_none=True)
    chosen = NotificationPreferences(
        changes.get("language", current.language),
        changes.get("time_zone", current.zone),
        changes.get("quiet_hours", current.quiet),
        changes.get("digest_minute", current.digest),
    )
    await preferences.store_preferences(services.store, person.id, chosen)
    return {
        "language": chosen.language,
        "time_zone": chosen.zone,
        "quiet_hours": chosen.quiet,
        "digest_minute": chosen.digest,
    }


@router.post("/notifications/channels", status_code=201)
async def post_channel(request: Request, body: NewChannelBody) -> JsonObject:
    """Add a way. A mail address is asked first; to Telegram's bot you have sent `/start` and your code before."""
    check_rate_limit(request, "post")
    services, person = get_services(request), require_person(request)
    device_name, network = detect_browser(request.headers.get("user-agent", "")), get_client_network(request.scope)
    return {"id": await add_channel(services, person, body.kind, body.address, body.subscription, device_name, network)}


async def add_channel(
    services: Services,
    person: Person,
    kind: str,
    address: str,
    subscription: object = None,
    device_name: str = "",
    network: str = "",
) -> int:
    """Add a way of any kind; raise RequestError. ``network``: of the caller."""
    NOTIFICATIONS.check()
    for module in (
        "notifications.encryption",
        "notifications.push_keys" if kind == DEVICE else "notifications.chat_services",
    ):
        await services.runtime.run_in_thread(NOTIFICATIONS.load, module)  # it is large: the loop goes on meanwhile
    if kind == DEVICE:
        return await channels.add_device(services, person, subscription, device_name)
    if kind == MAIL:
        return await channels.add_mail(services, person, address, network)
    if kind == TELEGRAM:
        chat = await services.runtime.run_in_thread(telegram.find_chat, services, person)
        return await channels.add_telegram(services, person, chat)
    return await channels.add_service(services, person, kind, address)


@router.put("/notifications/channels/{id}")
async def put_channel(request: Request, id: ChannelId, body: ChannelChangeBody) -> JsonObject:
    """Choose what is told by a way, or try one again that was stopped."""
    check_rate_limit(request, "post")
    services, person = get_services(request), require_person(request)
    await channels.update_channel(services.store, person.id, id, wants=body.groups, on=body.retry)
    return {"id": id}


@router.delete("/notifications/channels/{id}")
async def delete_channel(request: Request, id: ChannelId) -> JsonObject:
    """Nothing is told there any more."""
    check_rate_limit(request, "post")
    await channels.remove_channel(get_services(request).store, require_person(request).id, id)
    return {"id": id}


@router.post("/notifications/channels/{id}/test")
async def post_channel_test(request: Request, id: ChannelId) -> JsonObject:
    """Send yourself a message; twenty a day."""
    check_rate_limit(request, "post")
    await channels.send_test(get_services(request).store, require_person(request).id, id)
    return {"id": id}


@router.post("/notifications/snooze")
async def post_snooze(request: Request, body: SnoozeBody) -> JsonObject:
    """Be told once more in two hours."""
    check_rate_limit(request, "post")
    if not await sender.snooze_message(get_services(request).store, require_person(request).id, body.message):
        raise NotFound("there is no such message")
    return {"message": body.message}


def check_link_signature(key: ServerKey, signature: str, *parts: str | int) -> None:
    """A link in a mail speaks for the person it was sent to; raises NotAllowed."""
    if not key.is_signature_valid(signature, *parts):
        raise NotAllowed("this link is not valid any more")
