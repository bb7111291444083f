"""Chat of a table."""

import json
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import Connection, bindparam, delete, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from triclinium.engine.core.state import Seat
from triclinium.server import server_time
from triclinium.server.errors import NoNickname, RequestError
from triclinium.server.outbox.queue import queue_notification
from triclinium.server.outbox.schedule import GATHER_SECONDS
from triclinium.server.sanitize import clean_chat
from triclinium.server.seat_ids import none_to_nobody
from triclinium.server.services import Services
from triclinium.server.storage.pubsub import CHAT
from triclinium.server.storage.schema import chat, chat_reads, seats, tables
from triclinium.server.storage.store import Store
from triclinium.server.tables.announcements import ANNOUNCER, NAME_SEPARATOR
from triclinium.server.tables.event_stream import encode_event
from triclinium.server.tables.notification_triggers import list_notified_people
from triclinium.server.tables.seats import Viewer, suggest_name
from triclinium.server.tables.table import Table

MESSAGES_SHOWN = 100
SPECTATOR = -1
_LAST_MESSAGES = (
    select(chat).where(chat.c.table == bindparam("b_table")).order_by(chat.c.id.desc()).limit(MESSAGES_SHOWN)
)
_READ_UPTO = select(chat_reads.c.upto).where(
    chat_reads.c.table == bindparam("b_table"), chat_reads.c.person == bindparam("b_person")
)
_UNREAD = (
    chat.c.table == bindparam("b_table"),
    chat.c.id > func.coalesce(_READ_UPTO.scalar_subquery(), 0),
    chat.c.seat >= bindparam("b_from"),
    chat.c.seat.not_in(bindparam("b_mine", expanding=True)),
)
_LAST_UNREAD = select(chat).where(*_UNREAD).order_by(chat.c.id.desc()).limit(1)
_COUNT_UNREAD = select(func.count()).select_from(chat).where(*_UNREAD)


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One chat message."""

    id: int
    seat: Seat | None  # None: a spectator, or the server
    name: str
    text: str
    at: float
    by_server: bool

    @property
    def names(self) -> list[str]:
        """The names that a message of the server mentions."""
        return self.name.split(NAME_SEPARATOR)


def load_messages(store: Store, table: Table, seated: bool = False) -> list[ChatMessage]:
    """Return the last messages, oldest first. With ``seated``, leave out the spectators' messages during the match."""
    with store.read_connection() as connection:
        rows = connection.execute(_LAST_MESSAGES, {"b_table": table.id}).all()
    hides_spectators = seated and has_spectator_chat(table)
    return [
        ChatMessage(row.id, row.seat if row.seat >= 0 else None, row.name, row.text, row.at, row.seat == ANNOUNCER)
        for row in reversed(rows)
        if not (hides_spectators and row.seat == SPECTATOR)
    ]


def has_spectator_chat(table: Table) -> bool:
    """Return whether spectators chat among themselves. During a match, players must not read what spectators write."""
    return table.status == "playing"


def resolve_sender(table: Table, viewer: Viewer) -> tuple[Seat | None, str, int | None]:
    """Return the seat, name and person of a sender. Raise `NoNickname` if a visitor has no name yet.

    A player has the name of their seat, because a new nickname may be another player's here. People at a shared device
    write under the owner's name. A spectator gets a name that differs from the players' names.
    """
    if len(viewer.own_seats) == 1:
        sits = table.occupants[viewer.own_seats[0]]
        return sits.seat, sits.name, sits.person
    if viewer.person is None:
        raise NoNickname()
    if viewer.own_seats:
        return viewer.own_seats[0], viewer.person.name, viewer.person.id
    return None, suggest_name(table, viewer.person.name) or viewer.person.name, viewer.person.id


async def post_message(
    services: Services, table: Table, seat: Seat | None, name: str, text: str, person: int | None = None, key: str = ""
) -> bool:
    """Store a message from a seat or a spectator and send it to the readers.

    Return False and change nothing if the same sender has already sent a message under this ``key``. Raise
    `RequestError` if the text is empty.
    """
    services.bans.check_not_muted(person)
    number = none_to_nobody(seat)
    clean = clean_chat(text)
    if not clean:
        raise RequestError("Write a message first.")
    sender = name if person is None else person
    mark = sha256(f"{sender}\0{key}".encode(errors="replace")).hexdigest()[:32] if key else None
    here = table.hub.list_present_seats()
    others = [
        person_id
        for person_id, at in list_notified_people(table).items()
        if person_id != person and at not in here and person_id in services.notifiable_people
    ]

    def job(connection: Connection) -> bool:
        now = server_time.now()
        upsert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
        row = upsert(chat).values(table=table.id, seat=number, name=name, text=clean, at=now, person=person, mark=mark)
        counted = {"preserve_rowcount": True}
        if connection.execute(row.on_conflict_do_nothing().inline(), execution_options=counted).rowcount == 0:
            return False
        if number != SPECTATOR:
            for other in others:
                queue_notification(
                    connection,
                    other,
                    "chat",
                    table.id,
                    str(find_read_position(connection, table.id, other)),
                    due=now + GATHER_SECONDS,
                )
        if person is not None:
            _mark_read(connection, table.id, person)

        services.peers.publish_on_commit(connection, CHAT, id=table.id, seat=number, name=name, text=clean)
        return True

    is_new = await services.store.write(job)
    if is_new:
        broadcast_message(table, number, name, clean)
    return is_new


def broadcast_message(table: Table, number: int, name: str, text: str) -> None:
    """Send a message to everyone who has the table open and may read it."""
    event = encode_event("chat", json.dumps({"seat": number, "name": name, "text": text}))
    if number == SPECTATOR and has_spectator_chat(table):
        table.hub.broadcast_to_spectators(event)
    else:
        table.hub.broadcast(event)


# -- unread messages --------------------------------------------------------------------------------------------------


def load_unread(connection: Connection, table: Table, person: int) -> tuple[int, ChatMessage | None]:
    """Return the number of messages that a person has not read at a table, and the last of them or None."""
    mine = table.list_seats_of(person)
    lowest_seat = 0 if mine and has_spectator_chat(table) else SPECTATOR
    wanted = {"b_table": table.id, "b_person": person, "b_from": lowest_seat, "b_mine": mine}
    row = connection.execute(_LAST_UNREAD, wanted).one_or_none()
    if row is None:
        return 0, None
    count = int(connection.execute(_COUNT_UNREAD, wanted).scalar_one())
    return count, ChatMessage(row.id, row.seat if row.seat >= 0 else None, row.name, row.text, row.at, False)


def count_unread_by_table(connection: Connection, person: int) -> list[tuple[str, int]]:
    """Return the names of a person's unfinished tables with unread messages, each with the number of messages."""
    mine = (seats.c.table == chat.c.table) & (seats.c.person == person) & seats.c.taken
    known = (chat_reads.c.table == chat.c.table) & (chat_reads.c.person == person)
    rows = connection.execute(
        select(tables.c.name, func.count(chat.c.id.distinct()).label("new"))
        .select_from(chat.join(seats, mine).join(tables, tables.c.id == chat.c.table).outerjoin(chat_reads, known))
        .where(tables.c.status.in_(("waiting", "playing")), chat.c.seat >= 0, chat.c.seat != seats.c.seat)
        .where(chat.c.id > func.coalesce(chat_reads.c.upto, 0))
        .group_by(tables.c.id, tables.c.name)
        .order_by(tables.c.name)
    )
    return [(str(row.name), int(row.new)) for row in rows]


def find_read_position(connection: Connection, table: str, person: int) -> int:
    """Return the id of the last message that a person has read, or 0."""
    return int(connection.execute(_READ_UPTO, {"b_table": table, "b_person": person}).scalar_one_or_none() or 0)


async def mark_chat_read(store: Store, table: Table, person: int) -> None:
    """Mark all messages of a table as read by a person."""
    await store.write(lambda connection: _mark_read(connection, table.id, person))


def _mark_read(connection: Connection, table: str, person: int) -> None:
    last = connection.execute(select(func.max(chat.c.id)).where(chat.c.table == table)).scalar_one()
    if last is not None:
        this = (chat_reads.c.table == table, chat_reads.c.person == person)
        connection.execute(delete(chat_reads).where(*this))
        connection.execute(insert(chat_reads).values(table=table, person=person, upto=last))
