"""What a message says: game, table, who moved, what is asked, how long is left. Never a card, a hand or a hint.

Whoever sees somebody's screen learns nothing: a question is told only where it reads the same for every position.
"""

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select

from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.state import NOBODY
from triclinium.engine.core.text import Message, Reader, msgid
from triclinium.server import server_time
from triclinium.server.notifications.kinds import KINDS, TURN
from triclinium.server.notifications.triggers import people_at, store_of
from triclinium.server.server import Server
from triclinium.server.storage.schema import seats, tables
from triclinium.server.tables.chat import unread, unread_by_table
from triclinium.server.tables.table import Table

NEW = msgid("{0} new {0:message|messages} at {1}")
LINES = 5  # of several messages in one
HOUR, DAY = 3600, 86400
LEFT = (
    (2 * DAY, DAY, msgid("{0} days are left.")),
    (2 * HOUR, HOUR, msgid("{0} hours are left.")),
    (0, 60, msgid("{0} {0:minute is|minutes are} left.")),
)
_ASKED = (seats.c.table == tables.c.id) & (seats.c.seat == tables.c.who)
_WAITING = (  # every page of a person asks it
    select(func.count())
    .select_from(tables.join(seats, _ASKED))
    .where(tables.c.status == "playing", seats.c.person == bindparam("b_person"), seats.c.taken, seats.c.standin == "")
)


@dataclass(frozen=True, slots=True)
class Line:
    """One thing to tell, for a reader of one language."""

    kind: str
    headline: str
    sentence: str
    table: str = ""
    name: str = ""  # of the table


@dataclass(frozen=True, slots=True)
class Note:
    """A message as it is sent."""

    headline: str
    text: str
    path: str  # where it leads
    tag: str  # what it is about: a newer one takes its place


def said(reader: Reader, text: str, *args: str | int) -> str:
    return reader.read(Message(text, *args)) if text else ""


async def line_of(server: Server, row: "Row[Any]", language: str) -> Line | None:
    """What a row of the outbox says now; None: it is not true any more, or they have seen it themselves."""
    reader = server.reader(language)
    kind = KINDS[row.kind]
    if row.kind == "digest":
        return await server.in_thread(_digest, server, row.person, reader)
    if not row.table:
        return Line(row.kind, said(reader, kind.headline), said(reader, kind.sentence))
    try:
        table = await server.table(row.table)
    except TricliniumError:
        return None
    async with table.lock:
        if _is_over(table, row):
            return None
        filled = (table.name, *json.loads(row.names))
        if row.kind == "chat":
            return await server.in_thread(_talk, server, table, row.person, reader)
        sentence = asked_text(table, reader, language) if kind.group == TURN else said(reader, kind.sentence, *filled)
        return Line(row.kind, said(reader, kind.headline, *filled), sentence, table.id, table.name)


def _is_over(table: Table, row: "Row[Any]") -> bool:
    """Whether it need not be told any more."""
    if table.status == "closed":
        return True
    seat = people_at(table).get(row.person)
    if KINDS[row.kind].group == TURN:
        asked = table.status == "playing" and table.who != NOBODY and not table.occupants[table.who].plays_by_itself
        return not asked or table.occupants[table.who].person != row.person or table.who in table.hub.aware()
    return seat is not None and seat in table.hub.here()


def asked_text(table: Table, reader: Reader, language: str) -> str:
    """The game, who moved before, what is asked, and how long is left."""
    game = table.game
    own = game.words.reader(language, table.names())
    parts = [f"{own.say(game.name)}."]
    before = next((row.seat for row in reversed(table.history) if row.seat != table.who), None)
    if before is not None:
        parts.append(said(reader, msgid("{0} has moved."), table.names()[before]))
    question = open_question(table)
    if question is not None:
        parts.append(own.read(question))
    store = store_of(table, table.who)
    if store:
        parts.append(time_left(reader, store - (server_time.now() - table.moved)))
    return " ".join(part for part in parts if part)


def open_question(table: Table) -> Message | None:
    """What is asked, where no fact of the position stands in it: such a sentence says nothing that is hidden."""
    try:
        asked = table.game.words.question(table.playing.state)
    except Exception:  # a game's own words: the message goes without
        return None
    return None if asked.args or "{" in asked.text else asked


def time_left(reader: Reader, seconds: float) -> str:
    """``22 hours are left.``"""
    for least, unit, text in LEFT:
        if seconds >= least:
            return said(reader, text, max(1, int(seconds // unit)))
    return ""


def _talk(server: Server, table: Table, person: int, reader: Reader) -> Line | None:
    with server.store.reading() as connection:
        count, last = unread(connection, table, person)
    if last is None:
        return None
    headline = said(reader, NEW, count, table.name)
    return Line("chat", headline, f"{last.name}: {last.text}", table.id, table.name)


def waiting_for(connection: Connection, person: int) -> list[tuple[str, str]]:
    """The tables where somebody is asked, with their names; the longest waiting first."""
    asked = (seats.c.table == tables.c.id) & (seats.c.seat == tables.c.who)
    rows = connection.execute(
        select(tables.c.id, tables.c.name)
        .join(seats, asked)
        .where(tables.c.status == "playing", seats.c.person == person, seats.c.taken, seats.c.standin == "")
        .order_by(tables.c.moved)
    )
    return [(str(row.id), str(row.name)) for row in rows]


def how_many_wait(connection: Connection, person: int) -> int:
    return int(connection.execute(_WAITING, {"b_person": person}).scalar_one())


def _digest(server: Server, person: int, reader: Reader) -> Line | None:
    with server.store.reading() as connection:
        turns = waiting_for(connection, person)
        talk = unread_by_table(connection, person)
    lines = [said(reader, KINDS["turn"].headline, name) for _, name in turns]
    lines += [said(reader, NEW, count, name) for name, count in talk]
    if not lines:
        return None
    return Line("digest", said(reader, KINDS["digest"].headline), "\n".join(_cut(reader, lines)))


def _cut(reader: Reader, lines: list[str]) -> list[str]:
    rest = len(lines) - LINES
    return lines[:LINES] + ([said(reader, msgid("and {0} more"), rest)] if rest > 0 else [])


def joined(reader: Reader, lines: list[Line]) -> Note:
    """Everything that one way is told at one moment is one message; of one decision it is told the last."""
    decisions = {line.table: line for line in lines if KINDS[line.kind].group == TURN}
    lines = [line for line in lines if KINDS[line.kind].group != TURN or decisions[line.table] is line]
    if len(lines) == 1:
        one = lines[0]
        return Note(one.headline, one.sentence, _path(one), one.table or one.kind)
    if all(KINDS[line.kind].group == TURN for line in lines):
        headline = said(reader, msgid("Your turn at {0} tables"), len(lines))
        return Note(headline, "\n".join(_cut(reader, [line.name for line in lines])), "/told", "house")
    told = [f"{line.headline}. {line.sentence}".strip() for line in lines[1:]]
    text = [lines[0].sentence, *_cut(reader, told)]
    return Note(lines[0].headline, "\n".join(part for part in text if part), "/told", "house")


def _path(line: Line) -> str:
    return f"/t/{line.table}" if line.table else "/told"
