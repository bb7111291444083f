"""The HTTP API, version 1: notifications. Where a person is looking, what waits for them, how they are reached."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from triclinium.server.accounts.recovery import browser_name
from triclinium.server.accounts.users import Person
from triclinium.server.errors import NotAllowed, NotFound
from triclinium.server.http.api.players import somebody
from triclinium.server.http.api.tables import Facts, made
from triclinium.server.http.auth import count, opened_at, person_of, server_of, viewer_of
from triclinium.server.net.client_address import network_of
from triclinium.server.notifications import channels, preferences, sender, telegram
from triclinium.server.notifications.channels import DEVICE, MAIL, TELEGRAM, Way
from triclinium.server.notifications.kinds import GROUPS
from triclinium.server.notifications.messages import waiting_for
from triclinium.server.notifications.preferences import Wishes
from triclinium.server.optional_dependencies import NOTIFICATIONS
from triclinium.server.presenter.api_json import PROBLEMS
from triclinium.server.sanitize import readable
from triclinium.server.server import Server
from triclinium.server.tables import chat

router = APIRouter(prefix="/api/v1", responses=PROBLEMS, tags=["told"])
WayId = Annotated[int, Path(ge=1, lt=2**31)]
Group = Literal["turn", "table", "chat", "done", "digest"]
STRICT = ConfigDict(extra="forbid", strict=True)


class Looking(BaseModel):
    """Whether somebody looks at a page, and whether it notifies them by itself while they do not."""

    model_config = STRICT
    tab: str = Field(max_length=40, description="what the page called itself when it opened its stream")
    looking: bool
    notifies: bool = False


class ToldWish(BaseModel):
    """How somebody wants to be told; what is left out stays."""

    model_config = STRICT
    language: str | None = Field(None, max_length=8)
    zone: str | None = Field(None, max_length=64, description="Europe/Paris; empty: UTC")
    quiet: str | None = Field(None, max_length=11, description="22:30-08:00; empty: none")
    digest: int | None = Field(None, ge=0, lt=1440, description="minutes after midnight")


class WayWish(BaseModel):
    """A way to be told by."""

    model_config = STRICT
    kind: Literal["device", "mail", "discord", "telegram", "ntfy", "service"]
    address: str = Field("", max_length=1000, description="a mail address, a webhook of Discord, an address of apprise")
    subscription: Annotated[dict[str, object], AfterValidator(readable)] | None = Field(
        None, description="of a device: what its browser gave"
    )


class WayChange(BaseModel):
    """What is told by a way; `on` tries one again that was stopped."""

    model_config = STRICT
    wants: list[Group] | None = Field(None, max_length=len(GROUPS))
    on: bool = False


class Later(BaseModel):
    """A message that was told, to be told again in two hours."""

    model_config = STRICT
    message: int = Field(ge=1, lt=2**31)


@router.post("/tables/{id}/here")
async def post_here(request: Request, id: str, wish: Looking) -> Facts:
    """Tell whether somebody looks at the page: only then they are here, and are not told by any way."""
    count(request, "post")
    server = server_of(request)
    table = await server.table(id)
    if wish.looking:
        await opened_at(request, table)
    at = viewer_of(request, table)
    person = None if at.token or at.person is None else at.person.id
    if table.hub.look(wish.tab, person, at.token, wish.looking, wish.notifies):
        server.tell_here(table)
    return {"here": sorted(table.hub.here())}


@router.post("/tables/{id}/read")
async def post_read(request: Request, id: str) -> Facts:
    """You have read all that was said at the table so far."""
    count(request, "post")
    server, person = server_of(request), somebody(request)
    table = await server.table(id)
    viewer_of(request, table)
    await chat.read(server, table, person.id)
    return {"unread": 0}


@router.get("/told", response_model=Facts)
async def get_told(request: Request) -> Response:
    """What waits for you, how you want to be told, and by which ways; and which ways this house has."""
    server, person = server_of(request), person_of(request)
    return await made(server, lambda: told_facts(server, person))


def told_facts(server: Server, person: Person | None) -> Facts:
    offers: Facts = {"offers": offered(server), "push_key": push_key(server)}
    if person is None:
        return offers | {"waiting": [], "ways": []}
    with server.store.reading() as connection:
        chosen = preferences.wishes_of(connection, person.id)
        mine = channels.ways_of(server, connection, person)
        waiting = waiting_for(connection, person.id)
    return offers | {
        "waiting": [{"table": id, "name": name} for id, name in waiting],
        "language": chosen.language,
        "zone": chosen.zone,
        "quiet": chosen.quiet,
        "digest": chosen.digest,
        "ways": [way_facts(way) for way in mine],
    }


def offered(server: Server) -> list[str]:
    """The kinds of ways that this house has; none without its packages."""
    if not NOTIFICATIONS.installed():
        return []
    settings = server.settings
    able = {MAIL: server.mailer is not None, TELEGRAM: bool(settings.telegram), "service": settings.services == "any"}
    return [kind for kind in (DEVICE, MAIL, "ntfy", "discord", TELEGRAM, "service") if able.get(kind, True)]


def push_key(server: Server) -> str:
    """By which a browser knows the house; made when it is first asked for."""
    if not NOTIFICATIONS.installed():
        return ""
    vapid = NOTIFICATIONS.load("notifications.vapid")
    return str(vapid.public_key(vapid.kept(server)))


def way_facts(way: Way) -> Facts:
    return {
        "id": way.id,
        "kind": way.kind,
        "called": way.called,
        "address": way.shown,
        "wants": [group for group in GROUPS if group in way.wants],
        "state": way.state,
        "reason": way.reason,
        "made": way.made,
        "told": way.told,
        "this": way.this,
    }


@router.put("/told")
async def put_told(request: Request, wish: ToldWish) -> Facts:
    """Choose how you are told."""
    count(request, "post")
    server, person = server_of(request), somebody(request)

    def before() -> Wishes:
        with server.store.reading() as connection:
            return preferences.wishes_of(connection, person.id)

    known = await server.in_thread(before)
    said = wish.model_dump(exclude_none=True)
    chosen = Wishes(
        said.get("language", known.language),
        said.get("zone", known.zone),
        said.get("quiet", known.quiet),
        said.get("digest", known.digest),
    )
    await preferences.wish(server, person.id, chosen)
    return {"language": chosen.language, "zone": chosen.zone, "quiet": chosen.quiet, "digest": chosen.digest}


@router.post("/told/ways", status_code=201)
async def post_way(request: Request, wish: WayWish) -> Facts:
    """Add a way. A mail address is asked first; to Telegram's bot you have sent `/start` and your code before."""
    count(request, "post")
    server, person = server_of(request), somebody(request)
    called, network = browser_name(request.headers.get("user-agent", "")), network_of(request.scope)
    return {"id": await add(server, person, wish.kind, wish.address, wish.subscription, called, network)}


async def add(
    server: Server,
    person: Person,
    kind: str,
    address: str,
    subscription: object = None,
    called: str = "",
    network: str = "",
) -> int:
    """Add a way of any kind; raise RequestError. ``network``: of the caller."""
    NOTIFICATIONS.check()
    for module in ("notifications.sealing", "notifications.vapid" if kind == DEVICE else "notifications.services"):
        await server.in_thread(NOTIFICATIONS.load, module)  # it is large: the loop goes on meanwhile
    if kind == DEVICE:
        return await channels.add_device(server, person, subscription, called)
    if kind == MAIL:
        return await channels.add_mail(server, person, address, network)
    if kind == TELEGRAM:
        chat = await server.in_thread(telegram.find_chat, server, person)
        return await channels.add_telegram(server, person, chat)
    return await channels.add_service(server, person, kind, address)


@router.put("/told/ways/{id}")
async def put_way(request: Request, id: WayId, change: WayChange) -> Facts:
    """Choose what is told by a way, or try one again that was stopped."""
    count(request, "post")
    server, person = server_of(request), somebody(request)
    await channels.change(server, person.id, id, wants=change.wants, on=change.on)
    return {"id": id}


@router.delete("/told/ways/{id}")
async def delete_way(request: Request, id: WayId) -> Facts:
    """Nothing is told there any more."""
    count(request, "post")
    await channels.remove(server_of(request), somebody(request).id, id)
    return {"id": id}


@router.post("/told/ways/{id}/try")
async def post_try(request: Request, id: WayId) -> Facts:
    """Send yourself a message; twenty a day."""
    count(request, "post")
    await channels.try_it(server_of(request), somebody(request).id, id)
    return {"id": id}


@router.post("/told/later")
async def post_later(request: Request, wish: Later) -> Facts:
    """Be told once more in two hours."""
    count(request, "post")
    if not await sender.snooze(server_of(request), somebody(request).id, wish.message):
        raise NotFound("there is no such message")
    return {"message": wish.message}


def check_signed(server: Server, sign: str, *parts: str | int) -> None:
    """A link in a mail speaks for the person it was sent to; raises NotAllowed."""
    if not server.key.signed(sign, *parts):
        raise NotAllowed("this link is not valid any more")
