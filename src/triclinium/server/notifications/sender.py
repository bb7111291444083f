"""Sending of due messages from the outbox: each once, outside quiet hours, and not too many an hour."""

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
from triclinium.server.notifications.channels import DEVICE, UNCONFIRMED, stop_channel
from triclinium.server.notifications.messages import NotificationLine, build_line, combine_lines, count_waiting_tables
from triclinium.server.notifications.safe_http import Unreachable
from triclinium.server.optional_dependencies import NOTIFICATIONS
from triclinium.server.outbox.kinds import DIGEST, KINDS, TURN
from triclinium.server.outbox.queue import (
    ACTIVE,
    CANCELLED,
    FAILED,
    SENT,
    TRYING,
    WAITING,
    delete_old_messages,
    queue_message,
)
from triclinium.server.outbox.schedule import GATHER_SECONDS, find_digest_day, find_quiet_end
from triclinium.server.services import Services
from triclinium.server.storage.schema import people
from triclinium.server.storage.schema_notifications import outbox, ways
from triclinium.server.storage.store import Store
from triclinium.server.tables.chat import count_unread_by_table
from triclinium.server.tables.notification_triggers import is_live_table, list_notified_people
from triclinium.server.tables.repository import TableRepository

log = logging.getLogger("triclinium.notifications")
MAX_CONCURRENT = 8  # messages that are sent at the same time
HOUR = 3600.0
MAX_PER_HOUR = 6  # messages to one person in an hour, over all channels and tables
RECENT_SECONDS = 900.0  # a person seen at a live match within this many seconds gets its messages in quiet hours too
RETRY_DELAYS = (10.0, 60.0, 600.0)  # seconds until the next try
SEND_TIMEOUT = 25.0  # seconds for one try
SEPARATE_KIND = "return"  # a sign-in link is private, so it is not combined with other messages
REQUESTED_KINDS = ("try", "confirm", SEPARATE_KIND)  # the person has just asked for these, so they do not wait
BATCH_SIZE = 500  # rows that are loaded at once


async def run_send_loop(services: Services) -> None:
    """Send due messages forever, in one server of the cluster.

    First, decide about messages that a crash has interrupted.
    """
    sends = False
    while True:
        try:
            begins = not sends
            sends = await services.peers.claim("telling")
            if sends and begins:
                await services.store.write(recover_interrupted)
            if sends:
                await send_due(services)
        except (TricliniumError, SQLAlchemyError) as error:
            log.warning("notifications could not be sent this time: %s", error)
        await asyncio.sleep(services.settings.notify_seconds)


def recover_interrupted(connection: Connection) -> None:
    """Decide about messages that a crash interrupted, because they may or may not have arrived.

    A browser replaces the last message about a table with a newer one, so its messages are sent again. All other
    messages count as sent, because none may arrive twice.
    """
    browsers = select(ways.c.id).where(ways.c.kind == DEVICE)
    hanging = outbox.c.state == TRYING
    connection.execute(update(outbox).where(hanging, outbox.c.way.in_(browsers)).values(state=WAITING))
    connection.execute(update(outbox).where(hanging).values(state=SENT))
    delete_old_messages(connection)


async def send_due(services: Services) -> None:
    """Send all messages that are due now."""
    if not services.notifiable_people or not NOTIFICATIONS.is_available():
        return
    await services.store.write(queue_digests)
    rows = await services.runtime.run_in_thread(_load_due, services.store)
    slots = asyncio.Semaphore(MAX_CONCURRENT)

    async def send_group(group: list["Row[Any]"]) -> None:
        async with slots:
            await notify_person(services, group)

    rows.sort(key=_make_group_key)
    await asyncio.gather(*(send_group(list(group)) for _, group in groupby(rows, key=lambda row: row.person)))


def _make_group_key(row: "Row[Any]") -> tuple[int, int, bool, int]:
    """Return the key of a message. Messages with the same key are combined into one."""
    alone = row.kind == SEPARATE_KIND
    return row.person, row.way, alone, row.id if alone else 0


def _load_due(store: Store) -> list["Row[Any]"]:
    with store.read_connection() as connection:
        wanted = _select_messages().where(outbox.c.state == WAITING, outbox.c.due <= server_time.now())
        return list(connection.execute(wanted.order_by(outbox.c.way, outbox.c.id).limit(BATCH_SIZE)))


def _select_messages() -> "Select[Any]":
    """Return a query for messages with their channels and people."""
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


async def notify_person(services: Services, rows: list["Row[Any]"]) -> None:
    """Send the due messages of a person, combined into one for each channel. A slow channel delays no other.

    Messages are selected channel by channel, because all channels share one hourly limit.
    """
    now = server_time.now()
    chosen = [await _select_sendable(services, list(group), now) for _, group in groupby(rows, key=_make_group_key)]
    await asyncio.gather(*(_send_lines(services, lines, now) for lines in chosen if lines))


async def _select_sendable(
    services: Services, rows: list["Row[Any]"], now: float
) -> list[tuple["Row[Any]", NotificationLine]]:
    """Return the messages of a channel that can be sent now, and mark them as in progress.

    Outdated messages are cancelled. Messages that must wait are postponed.
    """
    wanted = [
        row for row in rows if row.way_state == ACTIVE or (row.way_state == UNCONFIRMED and row.kind == "confirm")
    ]
    outdated = [row for row in rows if row not in wanted]
    lines: list[tuple[Row[Any], NotificationLine]] = []
    for row in wanted:
        line = await build_line(services, row, row.language or "en")
        if line is None:
            outdated.append(row)
        else:
            lines.append((row, line))
    later = await _find_delays(services.tables, [row for row, _ in lines])
    lines = [(row, line) for row, line in lines if row.id not in later]

    def job(connection: Connection) -> None:
        _update_messages(connection, [row.id for row in outdated], state=CANCELLED)
        for id, due in later.items():
            _update_messages(connection, [id], due=due)
        _update_messages(connection, [row.id for row, _ in lines], state=TRYING, at=now)

    await services.store.write(job)
    return lines


async def _find_delays(repository: TableRepository, rows: list["Row[Any]"]) -> dict[int, float]:
    """Return the times until which messages must wait, by message.

    They wait for the end of quiet hours, for the hourly limit, or for further turns to combine.
    """
    delays: dict[int, float] = {}
    now = server_time.now()
    free = [row for row in rows if row.kind not in REQUESTED_KINDS]
    for row in free:
        end = find_quiet_end(now, row.zone, row.quiet)
        if end is not None and not await _is_playing_now(repository, row):
            delays[row.id] = end
    rest = [row for row in free if row.id not in delays]
    if rest:
        often, turn = await repository.runtime.run_in_thread(_find_rate_limits, repository.runtime.store, rest[0], now)
        if often:
            delays |= {row.id: often for row in rest}
        elif turn:
            delays |= {row.id: turn for row in rest if row.kind == "turn" and not row.tries}
    return delays


async def _is_playing_now(repository: TableRepository, row: "Row[Any]") -> bool:
    """Return whether a message is about a live match at which the person was active a moment ago."""
    if not row.table:
        return False
    table = await repository.get_table(row.table)
    seat = list_notified_people(table).get(row.person)
    return seat is not None and is_live_table(table) and table.hub.count_seconds_since_seen(seat) < RECENT_SECONDS


def _find_rate_limits(store: Store, row: "Row[Any]", now: float) -> tuple[float, float]:
    """Return when the person's hourly limit ends, and when this channel stops collecting turns; 0: it need not wait."""
    was_sent = (
        outbox.c.person == row.person,
        outbox.c.state.in_((SENT, TRYING)),
        outbox.c.kind.not_in(REQUESTED_KINDS),
    )
    with store.read_connection() as connection:
        messages = select(outbox.c.at, outbox.c.way).where(*was_sent, outbox.c.at > now - HOUR).distinct()
        at = list(connection.execute(messages.order_by(outbox.c.at)).scalars())
        kinds = [name for name, kind in KINDS.items() if kind.group == TURN]
        turns = (outbox.c.way == row.way, outbox.c.kind.in_(kinds), outbox.c.at > now - GATHER_SECONDS)
        turn = connection.execute(select(func.max(outbox.c.at)).where(*was_sent, *turns)).scalar_one()
    often = at[-MAX_PER_HOUR] + HOUR if len(at) >= MAX_PER_HOUR else 0.0
    return often, 0.0 if turn is None else turn + GATHER_SECONDS


async def _send_lines(services: Services, lines: list[tuple["Row[Any]", NotificationLine]], now: float) -> None:
    """Try to send a message. A failed message is tried again several times, and then its channel is stopped."""
    row, ids = lines[0][0], [line_row.id for line_row, _ in lines]
    message = combine_lines(services.reader(row.language or "en"), [line for _, line in lines])
    live = await _is_live(services.tables, row)
    try:
        work = asyncio.to_thread(delivery.deliver_message, services, row, message, live)
        await asyncio.wait_for(work, SEND_TIMEOUT)
    except TimeoutError:
        failed = Unreachable("no answer came in time")
    except Unreachable as error:
        failed = error
    except Exception as error:  # an error in one package must not stop other messages
        log.warning("a message was not sent: %s", error, exc_info=True)
        failed = Unreachable(type(error).__name__)
    else:
        await services.store.write(lambda connection: _mark_sent(connection, ids, row.way, now))
        return
    await services.store.write(lambda connection: _mark_failed(connection, ids, row, failed))


async def _is_live(repository: TableRepository, row: "Row[Any]") -> bool:
    return bool(row.table) and is_live_table(await repository.get_table(row.table))


def _mark_sent(connection: Connection, ids: list[int], channel: int, now: float) -> None:
    _update_messages(connection, ids, state=SENT, at=now)
    connection.execute(update(ways).where(ways.c.id == channel).values(notified=now))


def _mark_failed(connection: Connection, ids: list[int], row: "Row[Any]", failed: Unreachable) -> None:
    if failed.is_permanent:
        connection.execute(ways.delete().where(ways.c.id == row.way))
    elif row.tries >= len(RETRY_DELAYS):
        _update_messages(connection, ids, state=FAILED)
        stop_channel(connection, row.way, failed.reason)
    else:
        _update_messages(
            connection, ids, state=WAITING, tries=row.tries + 1, due=server_time.now() + RETRY_DELAYS[row.tries]
        )


def _update_messages(connection: Connection, ids: Iterable[int], **values: object) -> None:
    chosen = list(ids)
    if chosen:
        connection.execute(update(outbox).where(outbox.c.id.in_(chosen)).values(**values))


def queue_digests(connection: Connection) -> None:
    """Queue the daily digest of each person at the hour they chose, if there is something to report."""
    now = server_time.now()
    wanted = select(ways.c.id, ways.c.wants, ways.c.person, people.c.zone, people.c.digest)
    rows = connection.execute(wanted.join(people, people.c.id == ways.c.person).where(ways.c.state == ACTIVE)).all()
    for row in rows:
        day = find_digest_day(now, row.zone, row.digest) if DIGEST in row.wants.split() else None
        if day is not None:
            waits = count_waiting_tables(connection, row.person) > 0 or bool(
                count_unread_by_table(connection, row.person)
            )
            queue_message(
                connection, row.person, row.id, "digest", "", day, due=now, state=WAITING if waits else CANCELLED
            )


async def snooze_message(store: Store, person: int, id: int, seconds: float = 2 * HOUR) -> bool:
    """Send a message once more later, with all that it was combined with. Return False if there is no such message."""

    def job(connection: Connection) -> bool:
        row = connection.execute(select(outbox).where(outbox.c.id == id, outbox.c.person == person)).one_or_none()
        if row is None or row.state != SENT:
            return False
        same = (outbox.c.way == row.way, outbox.c.at == row.at, outbox.c.state == SENT)
        connection.execute(update(outbox).where(*same).values(state=WAITING, tries=0, due=server_time.now() + seconds))
        return True

    return await store.write(job)
