"""The messages to send. They are stored in the same commit as what happened: none is lost, and none is sent twice.

A message is one row for each way by which its person wants to hear of it. Person, table, key, kind and way together are
unique: telling the same again changes nothing, whatever was interrupted meanwhile.
"""

import json
from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, select, update

from triclinium.server import server_time
from triclinium.server.outbox.kinds import KINDS
from triclinium.server.storage.schema_notifications import outbox, ways

WAITING, TRYING, SENT, CANCELLED, FAILED = "waiting", "trying", "told", "gone", "failed"
ACTIVE = "on"
RETENTION_SECONDS = 40 * 86400.0  # seconds that a message which was told is remembered


def queue_notification(
    connection: Connection,
    person: int,
    kind: str,
    table: str = "",
    key: str = "",
    *,
    names: Sequence[str] = (),
    due: float = 0.0,
) -> None:
    """Let somebody be told, once for this key, by every way that wants this kind of message.

    Called inside the write that makes it true. ``names`` are those that the kind's sentences speak of; ``due`` is when
    it may be sent, by the server's clock (0: now). Quiet hours, and being here, are looked at when it is sent.
    """
    now = server_time.now()
    for channel in list_subscribed_channels(connection, person, KINDS[kind].group):
        queue_message(connection, person, channel, kind, table, key, names=names, due=due or now)


def queue_message(
    connection: Connection,
    person: int,
    channel: int,
    kind: str,
    table: str,
    key: str,
    *,
    names: Sequence[str] = (),
    due: float,
    state: str = WAITING,
) -> int | None:
    """One message by one way: its number. None: it was put there before."""
    unique_columns = {"person": person, "way": channel, "kind": kind, "table": table, "key": key}
    existing = select(outbox.c.id).where(*(outbox.c[name] == value for name, value in unique_columns.items()))
    if connection.execute(existing).first() is not None:
        return None
    more = {"names": json.dumps(list(names)), "made": server_time.now(), "due": due, "state": state}
    made = connection.execute(insert(outbox).values(**unique_columns, **more)).inserted_primary_key
    return None if made is None else int(made[0])


def list_subscribed_channels(connection: Connection, person: int, group: str) -> list[int]:
    """Somebody's ways that work and want messages of this group."""
    mine = select(ways.c.id, ways.c.wants).where(ways.c.person == person, ways.c.state == ACTIVE)
    rows = connection.execute(mine.order_by(ways.c.id))
    return [int(row.id) for row in rows if group in row.wants.split()]


def cancel_messages(connection: Connection, person: int, table: str, *kinds: str) -> None:
    """What waits to be told somebody of a table is not told any more: they were there themselves."""
    these = [outbox.c.kind.in_(kinds)] if kinds else []
    connection.execute(
        update(outbox)
        .where(outbox.c.person == person, outbox.c.table == table, outbox.c.state == WAITING, *these)
        .values(state=CANCELLED)
    )


def delete_old_messages(connection: Connection) -> None:
    """What was told long ago cannot be told twice any more."""
    old = outbox.c.made < server_time.now() - RETENTION_SECONDS
    connection.execute(delete(outbox).where(old, outbox.c.state.in_((SENT, CANCELLED, FAILED))))


def load_notifiable_people(connection: Connection) -> set[int]:
    """Everybody who has a way at all."""
    return {int(person) for person in connection.execute(select(ways.c.person).distinct()).scalars()}
