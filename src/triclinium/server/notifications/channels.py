"""Notification channels of people: browsers, mail addresses and chat services. Addresses are stored encrypted."""

import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from triclinium.engine.core.text import msgid
from triclinium.server import server_time
from triclinium.server.accounts.quotas import list_mail_quotas, spend_quotas
from triclinium.server.accounts.users import Person
from triclinium.server.crypto import ServerKey
from triclinium.server.errors import Conflict, LimitExceeded, NotFound, RequestError
from triclinium.server.notifications.mail import is_mail_address, is_public_mail_address
from triclinium.server.notifications.safe_http import Unreachable
from triclinium.server.optional_dependencies import NOTIFICATIONS
from triclinium.server.outbox.kinds import GROUPS
from triclinium.server.outbox.queue import ACTIVE, CANCELLED, WAITING, queue_message
from triclinium.server.services import Services
from triclinium.server.storage.schema import seats, tables
from triclinium.server.storage.schema_notifications import outbox, ways
from triclinium.server.storage.store import Store

DEVICE, MAIL, DISCORD, TELEGRAM, NTFY, SERVICE = "device", "mail", "discord", "telegram", "ntfy", "service"
UNCONFIRMED, STOPPED = "asked", "stopped"
MAX_CHANNELS = 5  # maximum number of channels of one person
MAX_TESTS_PER_DAY = 20  # test messages a day to one person
DAY = 86400.0
DEFAULT_GROUPS = {  # events of a new channel, until the person chooses others
    DEVICE: "turn table chat done",
    MAIL: "turn table done digest",
}
OTHER_DEFAULT_GROUPS = "turn done"
TOO_MANY_CHANNELS = msgid("You have reached the maximum number of channels. Remove one first.")


@dataclass(frozen=True, slots=True)
class NotificationChannel:
    """A notification channel, as its owner's page lists it."""

    id: int
    kind: str
    name: str
    masked_address: str  # enough of the address to distinguish it from others
    groups: frozenset[str]
    state: str
    reason: str
    created_at: float
    last_sent_at: float
    is_current: bool  # whether it is the browser of this request


def list_channels(key: ServerKey, connection: Connection, person: Person) -> list[NotificationChannel]:
    """Return the notification channels of a person, the oldest first."""
    rows = connection.execute(select(ways).where(ways.c.person == person.id).order_by(ways.c.id)).all()
    return [_make_channel(key, row, person.device) for row in rows]


def _make_channel(key: ServerKey, row: "Row[tuple[object, ...]]", device: str) -> NotificationChannel:
    address = (
        NOTIFICATIONS.load("notifications.encryption").decrypt_address(key, row.address)
        if NOTIFICATIONS.is_available()
        else ""
    )
    this = row.kind == DEVICE and row.device == device
    wants = frozenset(row.wants.split())
    masked_address = mask_address(row.kind, address)
    return NotificationChannel(
        row.id, row.kind, row.called, masked_address, wants, row.state, row.reason, row.made, row.notified, this
    )


def mask_address(kind: str, address: str) -> str:
    """Return as much of an address as a page may show, enough to recognize it.

    The topic of ntfy is shown in full, because its owner must type it into a phone.
    """
    if kind == MAIL and "@" in address:
        name, _, host = address.rpartition("@")
        return f"{name[0]}…{name[-1]}@{host}"
    return address if kind == NTFY else ""


# -- adding -------------------------------------------------------------------------------------------------------


async def add_device(services: Services, person: Person, subscription: object, called: str) -> int:
    """Add the browser of this request as a channel and return its id.

    Raise `RequestError` if the browser cannot get notifications.
    """
    try:
        stored_subscription = NOTIFICATIONS.load("notifications.push_keys").check_subscription(
            subscription, services.settings.allow_local_hooks
        )
    except Unreachable as error:
        raise RequestError("This browser cannot receive notifications: {0}", error.reason) from None
    return await _add_channel(
        services, person, DEVICE, stored_subscription, json.loads(stored_subscription)["endpoint"], called
    )


async def add_mail(services: Services, person: Person, address: str, network: str = "") -> int:
    """Add a mail address and ask it for confirmation. ``network`` is the caller's, for quotas.

    Return the id of the channel. Raise `RequestError` if the address cannot be used.
    """
    if services.mailer is None:
        raise Conflict("This server cannot send email, because no mail server has been set up.")
    address = address.strip()
    if not is_mail_address(address):
        raise RequestError("This is not a valid email address.")
    if not is_public_mail_address(address) and not services.settings.allow_local_hooks:
        raise RequestError("Email can only be sent to an address on the internet, such as anna@example.org.")
    return await _add_channel(services, person, MAIL, address, address.lower(), state=UNCONFIRMED, network=network)


async def add_service(services: Services, person: Person, kind: str, address: str = "") -> int:
    """Add a chat service and return the id of the channel.

    Allowed are a Discord webhook, a new ntfy topic and, if the operator permits it, other services. Raise
    `RequestError` if the address cannot be used.
    """
    if kind == DISCORD:
        return await _add_channel(
            services,
            person,
            kind,
            NOTIFICATIONS.load("notifications.chat_services").build_discord_address(address),
            address,
        )
    if kind == NTFY:
        topic = f"triclinium-{secrets.token_hex(10)}"
        return await _add_channel(services, person, kind, topic, topic)
    if kind == SERVICE and services.settings.services == "any":
        checked = await services.runtime.run_in_thread(
            NOTIFICATIONS.load("notifications.chat_services").check_service_address,
            address.strip(),
            services.settings.allow_local_hooks,
        )
        return await _add_channel(services, person, kind, checked, address)
    raise RequestError("This server does not use this service.")


async def add_telegram(services: Services, person: Person, chat: str) -> int:
    return await _add_channel(services, person, TELEGRAM, chat, chat)


async def _add_channel(
    services: Services,
    person: Person,
    kind: str,
    address: str,
    known_by: str,
    called: str = "",
    state: str = ACTIVE,
    network: str = "",
) -> int:
    """Store a channel and return its id. A known address is turned on again.

    Raise `RequestError` if the person has too many channels or a quota is used up.
    """
    NOTIFICATIONS.check()
    encrypted_address = NOTIFICATIONS.load("notifications.encryption").encrypt_address(services.key, address)
    marks = services.key.sign_with_all_keys("way", kind, known_by)
    mark = marks[0]
    device = person.device if kind == DEVICE else ""

    def job(connection: Connection) -> int:
        now = server_time.now()
        mine = connection.execute(select(ways).where(ways.c.person == person.id)).all()
        same = next((row for row in mine if row.mark in marks), None)
        if same is None and len(mine) >= MAX_CHANNELS:
            raise Conflict(TOO_MANY_CHANNELS)
        if same is not None and same.state == ACTIVE:
            return int(same.id)
        if state == UNCONFIRMED:
            newcomer = not _has_played_match(connection, person.id)
            spend_quotas(connection, list_mail_quotas(services, mark, network, person.id, newcomer))
        if same is None:
            row = {
                "person": person.id,
                "kind": kind,
                "mark": mark,
                "wants": DEFAULT_GROUPS.get(kind, OTHER_DEFAULT_GROUPS),
                "made": now,
            }
            made = connection.execute(
                insert(ways).values(**row, address=encrypted_address, state=state)
            ).inserted_primary_key
            assert made is not None
            id = int(made[0])
        else:
            id = int(same.id)
        values = {"address": encrypted_address, "state": state, "reason": "", "device": device, "called": called}
        connection.execute(update(ways).where(ways.c.id == id).values(**values))
        if state == UNCONFIRMED:
            queue_message(connection, person.id, id, "confirm", "", f"{now:.3f}", due=now)
        return id

    id = await (
        services.store.write if person.id in services.notifiable_people else services.store.write_and_reload_peers
    )(job)
    services.notifiable_people.add(person.id)
    return id


def _has_played_match(connection: Connection, person: int) -> bool:
    """Return whether a person has had a seat in a match that was played on this server."""
    sat = select(tables.c.id).join(seats, seats.c.table == tables.c.id).where(seats.c.person == person)
    return connection.execute(sat.where(tables.c.moves > 0, tables.c.origin == "").limit(1)).first() is not None


# -- changing -----------------------------------------------------------------------------------------------------


async def update_channel(
    store: Store, person: int, id: int, *, wants: Iterable[str] | None = None, on: bool = False
) -> None:
    """Change the groups of events that a channel reports, or turn a stopped channel on again.

    Raise `NotFound` if there is no such channel.
    """
    values: dict[str, object] = {}
    if wants is not None:
        chosen = set(wants)
        values["wants"] = " ".join(group for group in GROUPS if group in chosen)

    def job(connection: Connection) -> None:
        row = _load_own_channel(connection, person, id)
        if on and row.state == STOPPED:
            values.update(state=ACTIVE, reason="")
        if values:
            connection.execute(update(ways).where(ways.c.id == id).values(**values))

    await store.write(job)


async def confirm_channel(store: Store, id: int) -> None:
    """Activate a mail channel after its confirmation link was opened."""

    def job(connection: Connection) -> None:
        connection.execute(update(ways).where(ways.c.id == id, ways.c.state == UNCONFIRMED).values(state=ACTIVE))

    await store.write(job)


async def remove_channel(store: Store, person: int, id: int) -> None:
    """Remove a channel. Raise `NotFound` if there is no such channel."""

    def job(connection: Connection) -> None:
        _load_own_channel(connection, person, id)
        connection.execute(delete(ways).where(ways.c.id == id))

    await store.write(job)


async def send_test(store: Store, person: int, id: int) -> None:
    """Send a test message to a channel.

    Raise `NotFound`, `Conflict` if the address is not confirmed, or `LimitExceeded` after too many tests.
    """

    def job(connection: Connection) -> None:
        now = server_time.now()
        row = _load_own_channel(connection, person, id)
        if row.state == UNCONFIRMED:
            raise Conflict("This address has not been confirmed yet.")
        mine = select(func.count()).select_from(outbox).where(outbox.c.person == person, outbox.c.kind == "try")
        if connection.execute(mine.where(outbox.c.made > now - DAY)).scalar_one() >= MAX_TESTS_PER_DAY:
            raise LimitExceeded("Too many attempts today. Please try again tomorrow.", retry_after=3600.0)
        connection.execute(update(ways).where(ways.c.id == id).values(state=ACTIVE, reason=""))
        queue_message(connection, person, id, "try", "", f"{now:.3f}", due=now)

    await store.write(job)


def _load_own_channel(connection: Connection, person: int, id: int) -> "Row[tuple[object, ...]]":
    row = connection.execute(select(ways).where(ways.c.id == id, ways.c.person == person)).one_or_none()
    if row is None:
        raise NotFound("There is no such channel.")
    return row


def stop_channel(connection: Connection, id: int, reason: str) -> None:
    """Stop a channel that fails, and cancel its messages. Its owner can turn it on again."""
    connection.execute(update(ways).where(ways.c.id == id).values(state=STOPPED, reason=reason))
    connection.execute(update(outbox).where(outbox.c.way == id, outbox.c.state == WAITING).values(state=CANCELLED))
