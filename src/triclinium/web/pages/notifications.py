"""The page of notifications (`/told`): what waits, what is sent where, quiet hours; and the links in mails."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response
from sqlalchemy import select

from triclinium.engine.core.text import msgid
from triclinium.server.accounts.users import Person
from triclinium.server.errors import NoNickname, NotFound, RequestError
from triclinium.server.http.api.notifications import WayId, add, check_signed, offered, push_key
from triclinium.server.http.auth import count
from triclinium.server.net.client_address import network_of
from triclinium.server.net.interfaces import LOOPBACK_NAMES
from triclinium.server.notifications import channels, sender, telegram
from triclinium.server.notifications.kinds import CHAT, DIGEST, DONE, GROUPS, TABLE, TURN
from triclinium.server.notifications.messages import waiting_for
from triclinium.server.notifications.preferences import Wishes, wish, wishes_of
from triclinium.server.optional_dependencies import NOTIFICATIONS
from triclinium.server.sanitize import whole_number
from triclinium.server.storage.schema_notifications import outbox
from triclinium.server.storage.schema_notifications import ways as kept_ways
from triclinium.web.datetimes import COOKIE as ZONE
from triclinium.web.page_context import YEAR, Form, Reading
from triclinium.web.pages.waiting import qr_answer

router = APIRouter(include_in_schema=False)
USUAL_QUIET = ("22:30", "08:00")
ROWS = (
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
SIGNS = {"device": "bell", "mail": "mail"}
NAMES = {
    "device": msgid("Device"),
    "mail": msgid("Mail"),
    "discord": "Discord",
    "telegram": "Telegram",
    "ntfy": "ntfy",
    "service": msgid("Another service"),
}
SWITCHES = ("sound", "number", "chat_sound", "clock_sound")  # cookies of the table's own ways


@dataclass(frozen=True, slots=True)
class Told:
    """What the page knows of the address by which its reader came."""

    secure: bool  # a browser lets pages notify, push, and be installed
    here_only: bool  # links in messages lead to this computer alone
    host: str


def told_at(reading: Reading) -> Told:
    parts = urlsplit(str(reading.request.url))
    host = parts.hostname or ""
    secure = parts.scheme == "https" or reading.server.settings.https or host in LOOPBACK_NAMES
    server = reading.server
    return Told(secure, server.reach.leads_here_only(server.reach.home()), host)


@router.get("/told")
async def get_told(request: Request) -> Response:
    reading = Reading(request)
    return await reading.server.in_thread(_page, reading)


def _page(reading: Reading, status: int = 200) -> Response:
    server, me = reading.server, reading.person
    facts: dict[str, object] = {
        "at": told_at(reading),
        "installed": NOTIFICATIONS.installed(),
        "rows": ROWS,
        "groups": GROUPS,
    }
    facts |= {"names": NAMES, "signs": SIGNS, "offers": offered(server), "wishes": Wishes(), "ways": [], "waiting": []}
    if me is not None:
        with server.store.reading() as connection:
            facts["wishes"] = wishes_of(connection, me.id)
            facts["ways"] = mine = channels.ways_of(server, connection, me)
            facts["waiting"] = waiting_for(connection, me.id)
        facts["this"] = next((way for way in mine if way.this), None)
        facts |= {"push_key": push_key(server), "code": telegram.code_of(server, me)}
    facts |= {"usual_quiet": USUAL_QUIET, "ntfy": server.settings.ntfy, "zone": reading.request.cookies.get(ZONE, "")}
    return reading.page("told/told.html.jinja", status, **facts)


async def _post(request: Request) -> tuple[Reading, Form, Person]:
    count(request, "post")
    reading = Reading(request)
    form = await reading.form()
    if reading.person is None:
        raise NoNickname()
    return reading, form, reading.person


@router.post("/told")
async def post_told(request: Request) -> Response:
    """Keep what is told where, when not, and what the table itself does."""
    reading, form, me = await _post(request)
    quiet = f"{form.text('from')}-{form.text('until')}" if form.flag("quiet") else ""
    hours, minutes = (whole_number(part, 2) for part in form.text("digest", "18:00").partition(":")[::2])
    if hours is None or minutes is None:
        raise RequestError("an hour is given like 18:00")
    zone = reading.request.cookies.get(ZONE, "")
    chosen = Wishes(reading.language, zone[:64], quiet, hours * 60 + minutes)
    await wish(reading.server, me.id, chosen)
    for id in form.beginning("way-"):
        way = whole_number(id, 9)
        if way is not None:
            wants = [group for group in GROUPS if form.flag(f"want-{id}-{group}")]
            await channels.change(reading.server, me.id, way, wants=wants)
    response = reading.go("/told")
    for name in SWITCHES:
        response.set_cookie(name, "on" if form.flag(name) else "off", YEAR, samesite="lax", httponly=True)
    return response


@router.post("/told/ways")
async def post_way(request: Request) -> Response:
    """A new way; a browser's own needs its script."""
    reading, form, me = await _post(request)
    kind = form.text("kind")
    if kind not in offered(reading.server) or kind == "device":
        NOTIFICATIONS.check()
        raise RequestError("this service is not used here")
    await add(reading.server, me, kind, form.text("address")[:1000], network=network_of(request.scope))
    await _note_reader(reading, me)
    return reading.go("/told#where")


async def _note_reader(reading: Reading, me: Person) -> None:
    """Note the language of somebody who asks for messages, and their time zone unless one was known before."""

    def known() -> Wishes:
        with reading.server.store.reading() as connection:
            return wishes_of(connection, me.id)

    before = await reading.server.in_thread(known)
    zone = before.zone or reading.request.cookies.get(ZONE, "")[:64]
    await wish(reading.server, me.id, Wishes(reading.language, zone, before.quiet, before.digest))


@router.post("/told/ways/{id}")
async def post_change(request: Request, id: WayId) -> Response:
    """Try a way, mend it, or end it."""
    reading, form, me = await _post(request)
    match form.text("do"):
        case "try":
            await channels.try_it(reading.server, me.id, id)
        case "mend":
            await channels.change(reading.server, me.id, id, on=True)
        case _:
            await channels.remove(reading.server, me.id, id)
    return reading.go("/told#where")


@router.get("/told/ways/{id}/qr.svg")
async def get_topic(request: Request, id: WayId) -> Response:
    """The address of a topic, for the camera of a phone."""
    reading = Reading(request)
    return await reading.server.in_thread(_topic, reading, id)


def _topic(reading: Reading, id: int) -> Response:
    me = reading.person
    if me is None:
        raise NotFound("there is no such way")
    with reading.server.store.reading() as connection:
        mine = channels.ways_of(reading.server, connection, me)
    topic = next((way.shown for way in mine if way.id == id and way.kind == "ntfy"), "")
    if not topic:
        raise NotFound("there is no such way")
    return qr_answer(f"{reading.server.settings.ntfy}/{topic}")


# -- links in mails: they act for the person who got them, on any device -----------------------------------------------


@router.get("/told/{what}/{id}/{sign}")
async def get_link(request: Request, what: str, id: WayId, sign: str) -> Response:
    """What a link in a mail does is done by a press: those who look into mails press nothing."""
    reading = Reading(request)
    await reading.server.in_thread(_check_link, reading, what, id, sign)
    return await reading.show("told/link.html.jinja", what=what, done=False)


@router.post("/told/{what}/{id}/{sign}")
async def post_link(request: Request, what: str, id: WayId, sign: str) -> Response:
    """Also by a program that reads mail, in one click, without a form of ours."""
    count(request, "guess")
    reading = Reading(request)
    server = reading.server
    person = await server.in_thread(_check_link, reading, what, id, sign)
    if what == "off":
        await channels.remove(server, person, id)
    elif what == "mail":
        await channels.confirm(server, id)
    else:
        await sender.snooze(server, person, id)
    return await reading.show("told/link.html.jinja", what=what, done=True)


def _check_link(reading: Reading, what: str, id: int, sign: str) -> int:
    """Whose it is; raises NotFound or NotAllowed."""
    server = reading.server
    with server.store.reading() as connection:
        if what == "later":
            row = connection.execute(select(outbox).where(outbox.c.id == id)).one_or_none()
        else:
            row = connection.execute(select(kept_ways).where(kept_ways.c.id == id)).one_or_none()
    if row is None or what not in ("off", "mail", "later"):
        raise NotFound("this link is not valid any more")
    check_signed(server, sign, what, id, row.way if what == "later" else row.mark)
    return int(row.person)
