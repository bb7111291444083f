"""Announcements that the server writes into the chat of a table, with a reference to each person they mention."""

from collections.abc import Sequence

from sqlalchemy import Connection, insert, select

from triclinium.server import server_time
from triclinium.server.storage.schema import chat, chat_mentions, departures
from triclinium.server.tables.table import Occupant, Table

ANNOUNCER = -2  # the sender's number in the chat
NAME_SEPARATOR = "\x1f"  # separates the names in a message; no name contains it


def store_announcement(
    connection: Connection, table: Table, text: str, *names: str, newcomer: int | None = None
) -> None:
    """Store an announcement for the chat. Its text is a template, which pages translate and fill with the names.

    ``newcomer`` is a person among the names who has no seat at the table yet.
    """
    row = {
        "table": table.id,
        "seat": ANNOUNCER,
        "name": NAME_SEPARATOR.join(names),
        "text": text,
        "at": server_time.now(),
    }
    chat_key = connection.execute(insert(chat).values(**row)).inserted_primary_key
    assert chat_key is not None
    for place, person in enumerate(_find_mentioned_people(connection, table, names, newcomer)):
        if person is not None:
            connection.execute(insert(chat_mentions).values(chat=chat_key[0], place=place, person=person))


def _find_mentioned_people(
    connection: Connection, table: Table, names: Sequence[str], newcomer: int | None
) -> list[int | None]:
    """Return the person for each name: the seat's present or last owner, or the newcomer.

    None means a bot or a guest.
    """
    sitting = {occupant.name: occupant for occupant in table.occupants}
    people = [_find_owner(connection, table, sitting[name]) if name in sitting else newcomer for name in names]
    if newcomer is not None and newcomer not in people:
        people[:1] = [newcomer]  # the newcomer has the name of the seat's former player
    return people


def _find_owner(connection: Connection, table: Table, occupant: Occupant) -> int | None:
    """Return the person whose name a seat has, even if they have left it. None means a bot or a guest."""
    if occupant.taken and occupant.person is not None:  # a vacated seat may be reserved for another person
        return occupant.person
    at = (departures.c.table == table.id, departures.c.seat == occupant.seat)
    last = select(departures.c.person).where(*at).order_by(departures.c.turn.desc()).limit(1)
    return connection.execute(last).scalar_one_or_none()
