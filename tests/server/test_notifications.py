"""Tests of notifications: one message for each event and channel, whatever happens in between."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, select

from tests.databases import put_database
from triclinium.server.outbox.kinds import GROUPS, KINDS
from triclinium.server.outbox.queue import cancel_messages, queue_notification
from triclinium.server.storage.schema import people
from triclinium.server.storage.schema_notifications import outbox, ways
from triclinium.server.storage.store import Store

ANNA, BEN = 1, 2


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    """Yield a server with Anna, who gets everything by mail and turns on her phone, and Ben, who gets nothing."""
    put_database(tmp_path)
    store = Store(f"sqlite:///{tmp_path / 'house.db'}")
    store.migrate()
    with store.engine.begin() as connection:
        for id, name in ((ANNA, "Anna"), (BEN, "Ben")):
            connection.execute(insert(people).values(id=id, name=name, made=0.0))
        for id, kind, wants in ((1, "mail", " ".join(GROUPS)), (2, "device", "turn")):
            way = {"person": ANNA, "kind": kind, "address": "", "mark": kind, "wants": wants, "state": "on"}
            connection.execute(insert(ways).values(id=id, made=0.0, **way))
        yield connection
    store.close()


def waiting(connection: Connection) -> list[tuple[str, str, str]]:
    """Return the channels and messages that are to be sent."""
    rows = connection.execute(
        select(ways.c.kind, outbox.c.kind.label("what"), outbox.c.key)
        .join(ways, ways.c.id == outbox.c.way)
        .where(outbox.c.state == "waiting")
        .order_by(outbox.c.id)
    )
    return [(row.kind, row.what, row.key) for row in rows]


def test_an_event_is_sent_once_by_every_chosen_channel(connection: Connection) -> None:
    """Messages are unique by person, table, decision, kind and channel."""
    for _ in range(2):
        queue_notification(connection, ANNA, "turn", "table1", "4", due=9.0)
        queue_notification(connection, ANNA, "left", "table1", "7", names=["Ben"])
        queue_notification(connection, BEN, "turn", "table1", "4")
    queue_notification(connection, ANNA, "turn", "table1", "5")
    both = [("mail", "turn"), ("device", "turn")]
    assert waiting(connection) == [
        *((way, kind, "4") for way, kind in both),
        ("mail", "left", "7"),
        *((way, kind, "5") for way, kind in both),
    ]


def test_people_who_saw_an_event_are_not_notified(connection: Connection) -> None:
    """Acting at a table cancels its queued messages, and cancelled messages do not come back."""
    for table in ("table1", "table2"):
        queue_notification(connection, ANNA, "turn", table, "4")
    queue_notification(connection, ANNA, "chat", "table1", "0")
    cancel_messages(connection, ANNA, "table1", "turn")
    queue_notification(connection, ANNA, "turn", "table1", "4")
    assert waiting(connection) == [("mail", "turn", "4"), ("device", "turn", "4"), ("mail", "chat", "0")]


def test_every_kind_belongs_to_a_group_that_people_can_turn_off() -> None:
    assert {kind.group for name, kind in KINDS.items() if name not in ("try", "confirm", "return")} == set(GROUPS)
