"""Sends the messages of the outbox that are due: each once, at a good time, and not too many."""

import asyncio
import logging
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select, update
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import TricliniumError
from triclinium.server import server_time
from triclinium.server.notifications import delivery
from triclinium.server.notifications.channels import ASKED, DEVICE, stop
from triclinium.server.notifications.kinds import DIGEST, KINDS, TURN
from triclinium.server.notifications.messages import Line, how_many_wait, joined, line_of
from triclinium.server.notifications.outbox import FAILED, GONE, ON, TOLD, TRYING, WAITING, forget_old, put
from triclinium.server.notifications.safe_http import Unreachable
from triclinium.server.notifications.schedule import GATHERED, digest_day, quiet_until
from triclinium.server.notifications.triggers import people_at, plays_live
from triclinium.server.optional_dependencies import NOTIFICATIONS
from triclinium.server.server import Server
from triclinium.server.storage.schema import people
from triclinium.server.storage.schema_notifications import outbox, ways
from triclinium.server.tables.chat import unread_by_table

log = logging.getLogger("triclinium.told")
AT_ONCE = 8  # messages that are under way together
HOUR = 3600.0
IN_AN_HOUR = 6  # messages to one person, over all ways and tables
LATELY = 900.0  # seconds: somebody seen at a live match within these gets its messages in quiet hours too
WAITS = (10.0, 60.0, 600.0)  # seconds until the next try
PATIENCE = 25.0  # seconds for one try, whatever hangs
ALONE = "return"  # a link for one person's eyes is not joined with other messages
ASKED_FOR = ("try", "confirm", ALONE)  # the person has asked for these just now: they do not wait
ROUND = 500  # rows in one look


async def rounds(server: Server) -> None:
    """Send what is due, for ever, at one of the servers. First decide about messages that a crash left half sent."""
    sends = False
    while True:
        try:
            begins = not sends
            sends = await server.peers.claim("telling")
            if sends and begins:
                await server.store.write(recover)
            if sends:
                await look(server)
        except (TricliniumError, SQLAlchemyError) as error:
            log.warning("nobody is told anything this time: %s", error)
        await asyncio.sleep(server.settings.tell_every)


def recover(connection: Connection) -> None:
    """Of what was under way nobody knows whether it arrived.

    A browser shows the newest message about a table in place of the one before: it may be sent again. Anything else
    counts as told, since nothing is told twice.
    """
    browsers = select(ways.c.id).where(ways.c.kind == DEVICE)
    hanging = outbox.c.state == TRYING
    connection.execute(update(outbox).where(hanging, outbox.c.way.in_(browsers)).values(state=WAITING))
    connection.execute(update(outbox).where(hanging).values(state=TOLD))
    forget_old(connection)


async def look(server: Server) -> None:
    """Send once what is due."""
    if not server.reachable or not NOTIFICATIONS.installed():
        return
    await server.store.write(queue_digests)
    rows = await server.in_thread(_due, server)
    one_by_one = asyncio.Semaphore(AT_ONCE)

    async def one(group: list["Row[Any]"]) -> None:
        async with one_by_one:
            await tell_person(server, group)

    rows.sort(key=_together)
    await asyncio.gather(*(one(list(group)) for _, group in groupby(rows, key=lambda row: row.person)))


def _together(row: "Row[Any]") -> tuple[int, int, bool, int]:
    """What of the messages that are due goes in one."""
    alone = row.kind == ALONE
    return row.person, row.way, alone, row.id if alone else 0


def _due(server: Server) -> list["Row[Any]"]:
    with server.store.reading() as connection:
        wanted = _rows().where(outbox.c.state == WAITING, outbox.c.due <= server_time.now())
        return list(connection.execute(wanted.order_by(outbox.c.way, outbox.c.id).limit(ROUND)))


def _rows() -> "Select[Any]":
    """Messages with all that is known of their way and their person."""
    return (
        select(
            outbox,
            ways.c.kind.label("by"),
            ways.c.address,
            ways.c.mark,
            ways.c.state.label("way_state"),
            people.c.language,
            people.c.zone,
            people.c.quiet,
        )
        .join(ways, ways.c.id == outbox.c.way)
        .join(people, people.c.id == outbox.c.person)
    )


async def tell_person(server: Server, rows: list["Row[Any]"]) -> None:
    """All that somebody is to be told now, by each way as one message; one way that hangs delays no other.

    What goes out is settled way after way, since all of them share what is allowed in an hour.
    """
    now = server_time.now()
    chosen = [await _chosen(server, list(group), now) for _, group in groupby(rows, key=_together)]
    await asyncio.gather(*(_send(server, lines, now) for lines in chosen if lines))


async def _chosen(server: Server, rows: list["Row[Any]"], now: float) -> list[tuple["Row[Any]", Line]]:
    """Of what is due by one way: what is still true and need not wait. From here on it is under way."""
    wanted = [row for row in rows if row.way_state == ON or (row.way_state == ASKED and row.kind == "confirm")]
    false = [row for row in rows if row not in wanted]
    lines: list[tuple[Row[Any], Line]] = []
    for row in wanted:
        line = await line_of(server, row, row.language or "en")
        if line is None:
            false.append(row)
        else:
            lines.append((row, line))
    later = await _later(server, [row for row, _ in lines])
    lines = [(row, line) for row, line in lines if row.id not in later]

    def job(connection: Connection) -> None:
        _set(connection, [row.id for row in false], state=GONE)
        for id, due in later.items():
            _set(connection, [id], due=due)
        _set(connection, [row.id for row, _ in lines], state=TRYING, at=now)

    await server.store.write(job)
    return lines


async def _later(server: Server, rows: list["Row[Any]"]) -> dict[int, float]:
    """What is to wait, and until when: people sleep, turns are gathered, and nobody is told more than six an hour."""
    held: dict[int, float] = {}
    now = server_time.now()
    free = [row for row in rows if row.kind not in ASKED_FOR]
    for row in free:
        end = quiet_until(now, row.zone, row.quiet)
        if end is not None and not await _plays_now(server, row):
            held[row.id] = end
    rest = [row for row in free if row.id not in held]
    if rest:
        often, turn = await server.in_thread(_lately, server, rest[0], now)
        if often:
            held |= {row.id: often for row in rest}
        elif turn:
            held |= {row.id: turn for row in rest if row.kind == "turn" and not row.tries}
    return held


async def _plays_now(server: Server, row: "Row[Any]") -> bool:
    """Whether this is of a live match at which the person was seen just now."""
    if not row.table:
        return False
    table = await server.table(row.table)
    seat = people_at(table).get(row.person)
    return seat is not None and plays_live(table) and table.hub.seen(seat) < LATELY


def _lately(server: Server, row: "Row[Any]", now: float) -> tuple[float, float]:
    """Until when this person has been told enough, and until when this way gathers turns; 0: not so."""
    told = (outbox.c.person == row.person, outbox.c.state.in_((TOLD, TRYING)), outbox.c.kind.not_in(ASKED_FOR))
    with server.store.reading() as connection:
        messages = select(outbox.c.at, outbox.c.way).where(*told, outbox.c.at > now - HOUR).distinct()
        at = list(connection.execute(messages.order_by(outbox.c.at)).scalars())
        kinds = [name for name, kind in KINDS.items() if kind.group == TURN]
        turns = (outbox.c.way == row.way, outbox.c.kind.in_(kinds), outbox.c.at > now - GATHERED)
        turn = connection.execute(select(func.max(outbox.c.at)).where(*told, *turns)).scalar_one()
    often = at[-IN_AN_HOUR] + HOUR if len(at) >= IN_AN_HOUR else 0.0
    return often, 0.0 if turn is None else turn + GATHERED


async def _send(server: Server, lines: list[tuple["Row[Any]", Line]], now: float) -> None:
    """One try. What fails is tried again, and then its way is stopped."""
    row, ids = lines[0][0], [one.id for one, _ in lines]
    note = joined(server.reader(row.language or "en"), [line for _, line in lines])
    live = await _is_live(server, row)
    try:
        work = asyncio.to_thread(delivery.deliver, server, row, note, live)
        await asyncio.wait_for(work, PATIENCE)
    except TimeoutError:
        failed = Unreachable("no answer came in time")
    except Unreachable as error:
        failed = error
    except Exception as error:  # a package that fails in its own way is no reason to tell nobody else
        log.warning("a message was not sent: %s", error, exc_info=True)
        failed = Unreachable(type(error).__name__)
    else:
        await server.store.write(lambda connection: _sent(connection, ids, row.way, now))
        return
    await server.store.write(lambda connection: _failed(connection, ids, row, failed))


async def _is_live(server: Server, row: "Row[Any]") -> bool:
    return bool(row.table) and plays_live(await server.table(row.table))


def _sent(connection: Connection, ids: list[int], way: int, now: float) -> None:
    _set(connection, ids, state=TOLD, at=now)
    connection.execute(update(ways).where(ways.c.id == way).values(told=now))


def _failed(connection: Connection, ids: list[int], row: "Row[Any]", failed: Unreachable) -> None:
    if failed.gone:
        connection.execute(ways.delete().where(ways.c.id == row.way))
    elif row.tries >= len(WAITS):
        _set(connection, ids, state=FAILED)
        stop(connection, row.way, failed.reason)
    else:
        _set(connection, ids, state=WAITING, tries=row.tries + 1, due=server_time.now() + WAITS[row.tries])


def _set(connection: Connection, ids: Iterable[int], **values: object) -> None:
    chosen = list(ids)
    if chosen:
        connection.execute(update(outbox).where(outbox.c.id.in_(chosen)).values(**values))


def queue_digests(connection: Connection) -> None:
    """At the hour that each has chosen, and only where something waits: once a day."""
    now = server_time.now()
    wanted = select(ways.c.id, ways.c.wants, ways.c.person, people.c.zone, people.c.digest)
    rows = connection.execute(wanted.join(people, people.c.id == ways.c.person).where(ways.c.state == ON)).all()
    for row in rows:
        day = digest_day(now, row.zone, row.digest) if DIGEST in row.wants.split() else None
        if day is not None:
            waits = how_many_wait(connection, row.person) > 0 or bool(unread_by_table(connection, row.person))
            put(connection, row.person, row.id, "digest", "", day, due=now, state=WAITING if waits else GONE)


async def snooze(server: Server, person: int, id: int, seconds: float = 2 * HOUR) -> bool:
    """Tell it once more, later; with all that stood in the same message. False: there is no such message."""

    def job(connection: Connection) -> bool:
        one = connection.execute(select(outbox).where(outbox.c.id == id, outbox.c.person == person)).one_or_none()
        if one is None or one.state != TOLD:
            return False
        same = (outbox.c.way == one.way, outbox.c.at == one.at, outbox.c.state == TOLD)
        connection.execute(update(outbox).where(*same).values(state=WAITING, tries=0, due=server_time.now() + seconds))
        return True

    return await server.store.write(job)
