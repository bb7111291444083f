"""Queue of messages to send. A message is stored in the same commit as its cause, so none is lost or sent twice.

A message has one row for each channel on which the person wants it. Person, table, key, kind and channel together are
unique. So queueing a message again changes nothing, even after an interruption.
"""

import json
from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, select, update

from triclinium.server import server_time
from triclinium.server.outbox.kinds import KINDS
from triclinium.server.storage.schema_notifications import outbox, ways

WAITING, TRYING, SENT, CANCELLED, FAILED = "waiting", "trying", "sent", "dropped", "failed"
ACTIVE = "on"
RETENTION_SECONDS = 40 * 86400.0  # seconds for which a sent message is kept


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
    """Queue a notification for a person, once for this key, on every channel that wants messages of this kind.

    Call this inside the write that stores the cause. ``names`` are the names in the kind's sentences. ``due`` is the
    time from which it may be sent (0: now). Quiet hours and the person's presence are checked when it is sent.
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
    """Queue a message for one channel and return its number, or None if it was queued before."""
    unique_columns = {"person": person, "way": channel, "kind": kind, "table": table, "key": key}
    existing = select(outbox.c.id).where(*(outbox.c[name] == value for name, value in unique_columns.items()))
    if connection.execute(existing).first() is not None:
        return None
    more = {"names": json.dumps(list(names)), "made": server_time.now(), "due": due, "state": state}
    made = connection.execute(insert(outbox).values(**unique_columns, **more)).inserted_primary_key
    return None if made is None else int(made[0])


def list_subscribed_channels(connection: Connection, person: int, group: str) -> list[int]:
    """Return the numbers of a person's active channels that want messages of this group."""
    mine = select(ways.c.id, ways.c.wants).where(ways.c.person == person, ways.c.state == ACTIVE)
    rows = connection.execute(mine.order_by(ways.c.id))
    return [int(row.id) for row in rows if group in row.wants.split()]


def cancel_messages(connection: Connection, person: int, table: str, *kinds: str) -> None:
    """Cancel a person's waiting messages about a table, all or those of these kinds.

    Call this when the person has seen the table.
    """
    these = [outbox.c.kind.in_(kinds)] if kinds else []
    connection.execute(
        update(outbox)
        .where(outbox.c.person == person, outbox.c.table == table, outbox.c.state == WAITING, *these)
        .values(state=CANCELLED)
    )


def delete_old_messages(connection: Connection) -> None:
    """Delete messages that were sent, cancelled or failed long ago."""
    old = outbox.c.made < server_time.now() - RETENTION_SECONDS
    connection.execute(delete(outbox).where(old, outbox.c.state.in_((SENT, CANCELLED, FAILED))))


def load_notifiable_people(connection: Connection) -> set[int]:
    """Return everyone who has a channel."""
    return {int(person) for person in connection.execute(select(ways.c.person).distinct()).scalars()}
