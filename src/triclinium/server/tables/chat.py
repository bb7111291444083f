"""The chat of a table."""

import json
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, insert, select

from triclinium.engine.core.state import Seat
from triclinium.server import clock
from triclinium.server.errors import RequestError
from triclinium.server.live import encode
from triclinium.server.presenter.nobody import or_nobody
from triclinium.server.sanitize import plain_chat
from triclinium.server.server import ANNOUNCER, NAMES_APART, Server
from triclinium.server.storage.schema import chat
from triclinium.server.tables.table import Table

SHOWN = 100
_LAST = select(chat).where(chat.c.table == bindparam("b_table")).order_by(chat.c.id.desc()).limit(SHOWN)


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message."""

    id: int
    seat: Seat | None  # None: a spectator, or the server
    name: str
    text: str
    at: float
    by_server: bool

    @property
    def names(self) -> list[str]:
        """Of whom the server speaks."""
        return self.name.split(NAMES_APART)


def said(server: Server, table: Table) -> list[ChatMessage]:
    """The last messages, oldest first."""
    with server.store.reading() as connection:
        rows = connection.execute(_LAST, {"b_table": table.id}).all()
    return [
        ChatMessage(row.id, row.seat if row.seat >= 0 else None, row.name, row.text, row.at, row.seat == ANNOUNCER)
        for row in reversed(rows)
    ]


async def say(server: Server, table: Table, seat: Seat | None, name: str, text: str) -> None:
    """Say something at the table, from a seat or as a spectator."""
    number = or_nobody(seat)
    clean = plain_chat(text)
    if not clean:
        raise RequestError("say something")

    def job(connection: Connection) -> None:
        connection.execute(insert(chat).values(table=table.id, seat=number, name=name, text=clean, at=clock.now()))

    await server.store.write(job)
    table.hub.tell(encode("chat", json.dumps({"seat": number, "name": name, "text": clean})))
