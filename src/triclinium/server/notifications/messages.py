"""Texts of notifications: game, table, last player, question and time left. They never reveal a card, hand or hint.

Anyone may see a person's screen. So a question appears only if its text is the same in every position.
"""

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select

from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.state import NOBODY
from triclinium.engine.core.text import Message, Reader, msgid
from triclinium.server import server_time
from triclinium.server.outbox.kinds import KINDS, TURN
from triclinium.server.services import Services
from triclinium.server.storage.schema import seats, tables
from triclinium.server.storage.store import Store
from triclinium.server.tables.chat import count_unread_by_table, load_unread
from triclinium.server.tables.notification_triggers import get_time_limit, list_notified_people
from triclinium.server.tables.table import Table

NEW_CHAT = msgid("{0} new {0:message|messages} at {1}")
MAX_LINES = 5  # lines in a message that combines several
HOUR, DAY = 3600, 86400
TIME_LEFT_TEXTS = (
    (2 * DAY, DAY, msgid("You have {0} days left.")),
    (2 * HOUR, HOUR, msgid("You have {0} hours left.")),
    (0, 60, msgid("You have {0} {0:minute|minutes} left.")),
)
_SEAT_TO_MOVE = (seats.c.table == tables.c.id) & (seats.c.seat == tables.c.who)
_COUNT_WAITING = (  # a constant, because every page for a person runs this query
    select(func.count())
    .select_from(tables.join(seats, _SEAT_TO_MOVE))
    .where(
        tables.c.status == "playing", seats.c.person == bindparam("b_person"), seats.c.taken, seats.c.substitute == ""
    )
)


@dataclass(frozen=True, slots=True)
class NotificationLine:
    """One event to report, in one language."""

    kind: str
    headline: str
    sentence: str
    table: str = ""
    table_name: str = ""


@dataclass(frozen=True, slots=True)
class NotificationMessage:
    """A message that is ready to be sent."""

    headline: str
    text: str
    path: str  # path of the page that it opens
    tag: str  # a newer message with the same tag replaces it


def translate_text(reader: Reader, text: str, *args: str | int) -> str:
    return reader.read(Message(text, *args)) if text else ""


async def build_line(services: Services, row: "Row[Any]", language: str) -> NotificationLine | None:
    """Return the text for a row of the outbox, or None if it is outdated or the person has already seen the change."""
    reader = services.reader(language)
    kind = KINDS[row.kind]
    if row.kind == "digest":
        return await services.runtime.run_in_thread(_build_digest_line, services.store, row.person, reader)
    if not row.table:
        return NotificationLine(row.kind, translate_text(reader, kind.headline), translate_text(reader, kind.sentence))
    try:
        table = await services.tables.get_table(row.table)
    except TricliniumError:
        return None
    async with services.tables.locked(table) as table:
        if _is_outdated(table, row):
            return None
        filled = (table.name, *json.loads(row.names))
        if row.kind == "chat":
            return await services.runtime.run_in_thread(_build_chat_line, services.store, table, row.person, reader)
        sentence = (
            format_turn(table, reader, language)
            if kind.group == TURN
            else translate_text(reader, kind.sentence, *filled)
        )
        return NotificationLine(
            row.kind, translate_text(reader, kind.headline, *filled), sentence, table.id, table.name
        )


def _is_outdated(table: Table, row: "Row[Any]") -> bool:
    """Return whether a message need not be sent any more."""
    if table.status == "closed":
        return True
    seat = list_notified_people(table).get(row.person)
    if KINDS[row.kind].group == TURN:
        is_waiting = table.status == "playing" and table.who != NOBODY and not table.occupants[table.who].deciding_bot
        return (
            not is_waiting
            or table.occupants[table.who].person != row.person
            or table.who in table.hub.list_aware_seats()
        )
    return seat is not None and seat in table.hub.list_present_seats()


def format_turn(table: Table, reader: Reader, language: str) -> str:
    """Return the text about a turn: the game, the player who moved last, the question and the time left."""
    game = table.game
    own = game.words.reader(language, table.names())
    parts = [f"{own.format_arg(game.name)}."]
    before = next((row.seat for row in reversed(table.history) if row.seat != table.who), None)
    if before is not None:
        parts.append(translate_text(reader, msgid("{0} has moved."), table.names()[before]))
    question = find_public_question(table)
    if question is not None:
        parts.append(own.read(question))
    time_limit = get_time_limit(table, table.who)
    if time_limit:
        parts.append(format_time_left(reader, time_limit - (server_time.now() - table.moved)))
    return " ".join(part for part in parts if part)


def find_public_question(table: Table) -> Message | None:
    """Return the question, or None if it contains a fact of the position, which might be hidden from others."""
    try:
        question = table.game.words.question(table.current_match.state)
    except Exception:  # the game's own text failed; the message omits it
        return None
    return None if question.args or "{" in question.text else question


def format_time_left(reader: Reader, seconds: float) -> str:
    """Return the time left as a sentence, such as ``22 hours are left.``"""
    for least, unit, text in TIME_LEFT_TEXTS:
        if seconds >= least:
            return translate_text(reader, text, max(1, int(seconds // unit)))
    return ""


def _build_chat_line(store: Store, table: Table, person: int, reader: Reader) -> NotificationLine | None:
    with store.read_connection() as connection:
        count, last = load_unread(connection, table, person)
    if last is None:
        return None
    headline = translate_text(reader, NEW_CHAT, count, table.name)
    return NotificationLine("chat", headline, f"{last.name}: {last.text}", table.id, table.name)


def list_waiting_tables(connection: Connection, person: int) -> list[tuple[str, str]]:
    """Return the ids and names of the tables where it is a person's turn, the longest waiting first."""
    seat_to_move = (seats.c.table == tables.c.id) & (seats.c.seat == tables.c.who)
    rows = connection.execute(
        select(tables.c.id, tables.c.name)
        .join(seats, seat_to_move)
        .where(tables.c.status == "playing", seats.c.person == person, seats.c.taken, seats.c.substitute == "")
        .order_by(tables.c.moved)
    )
    return [(str(row.id), str(row.name)) for row in rows]


def count_waiting_tables(connection: Connection, person: int) -> int:
    return int(connection.execute(_COUNT_WAITING, {"b_person": person}).scalar_one())


def _build_digest_line(store: Store, person: int, reader: Reader) -> NotificationLine | None:
    with store.read_connection() as connection:
        turns = list_waiting_tables(connection, person)
        talk = count_unread_by_table(connection, person)
    lines = [translate_text(reader, KINDS["turn"].headline, name) for _, name in turns]
    lines += [translate_text(reader, NEW_CHAT, count, name) for name, count in talk]
    if not lines:
        return None
    return NotificationLine(
        "digest", translate_text(reader, KINDS["digest"].headline), "\n".join(_limit_lines(reader, lines))
    )


def _limit_lines(reader: Reader, lines: list[str]) -> list[str]:
    rest = len(lines) - MAX_LINES
    return lines[:MAX_LINES] + ([translate_text(reader, msgid("and {0} more"), rest)] if rest > 0 else [])


def combine_lines(reader: Reader, lines: list[NotificationLine]) -> NotificationMessage:
    """Combine the lines for one channel into one message. Of several turns at one table, only the last appears."""
    decisions = {line.table: line for line in lines if KINDS[line.kind].group == TURN}
    lines = [line for line in lines if KINDS[line.kind].group != TURN or decisions[line.table] is line]
    if len(lines) == 1:
        single_line = lines[0]
        return NotificationMessage(
            single_line.headline, single_line.sentence, _make_path(single_line), single_line.table or single_line.kind
        )
    if all(KINDS[line.kind].group == TURN for line in lines):
        headline = translate_text(reader, msgid("Your turn at {0} tables"), len(lines))
        return NotificationMessage(
            headline, "\n".join(_limit_lines(reader, [line.table_name for line in lines])), "/notifications", "server"
        )
    summaries = [f"{line.headline}. {line.sentence}".strip() for line in lines[1:]]
    text = [lines[0].sentence, *_limit_lines(reader, summaries)]
    return NotificationMessage(lines[0].headline, "\n".join(part for part in text if part), "/notifications", "server")


def _make_path(line: NotificationLine) -> str:
    return f"/tables/{line.table}" if line.table else "/notifications"
