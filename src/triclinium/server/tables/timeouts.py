"""Timeouts: reminders for players who take long, and substitute bots by vote or when a clock runs out."""

import asyncio
import json
import logging

from sqlalchemy import ColumnElement, case, select
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.core.text import msgid
from triclinium.server import server_time
from triclinium.server.errors import Conflict, NotStored, RequestError
from triclinium.server.outbox.queue import queue_notification
from triclinium.server.services import Services
from triclinium.server.storage.pubsub import SUBSTITUTE_VOTE
from triclinium.server.storage.schema import seats, tables
from triclinium.server.storage.store import Store
from triclinium.server.tables import event_stream, timekeeping
from triclinium.server.tables.absence import count_seconds_until_substitute, format_clock_time, is_absent
from triclinium.server.tables.broadcast import broadcast_seats
from triclinium.server.tables.consent import lock_for_vote
from triclinium.server.tables.event_stream import encode_event
from triclinium.server.tables.moves import schedule_all_bots
from triclinium.server.tables.notification_jobs import make_notify_job
from triclinium.server.tables.notification_triggers import get_notified_person
from triclinium.server.tables.seats import start_substitution
from triclinium.server.tables.table import LockedTable, Occupant, Table
from triclinium.server.tables.time_bank import DAY

NO_TIME = msgid("{0} has run out of time. A substitute bot plays until {0} returns.")
VOTED = msgid("The other players voted for a substitute bot. It plays for {0} until {0} returns.")
log = logging.getLogger("triclinium.absence")


async def run_timeout_loop(services: Services) -> None:
    """Check for late players and for bots that have to decide, forever.

    With several servers, only one of them checks for late players. Each of them checks for bots
    (`cluster/peer_sync.py`).
    """
    check = schedule_all_bots  # the first check starts only bots, so that players have time to return after a restart
    while True:
        try:
            if await services.peers.claim("absent players"):
                await check(services)
        except (TricliniumError, SQLAlchemyError) as error:
            log.warning("late players could not be checked, and the server will try again: %s", error)
        check = check_late_tables
        await asyncio.sleep(services.settings.absence_check_seconds)


async def check_late_tables(services: Services) -> None:
    """Check all tables once: remind or replace late players, and start bots."""
    await services.paused_time.record_heartbeat(server_time.now())
    for id in await services.runtime.run_in_thread(_find_late_tables, services.store):
        try:
            await remind_or_replace(services, await services.tables.get_table(id))
        except NotStored:
            raise
        except TricliniumError as error:
            log.warning("table %s: %s", id, error)
    await schedule_all_bots(services)


def _find_late_tables(store: Store) -> list[str]:
    """Return the ids of tables where a player may be late."""
    now = server_time.now()
    asked = (seats.c.table == tables.c.id) & (seats.c.seat == tables.c.who)
    with store.read_connection() as connection:
        rows = connection.execute(
            select(tables.c.id)
            .join(seats, asked, isouter=True)
            .where(
                tables.c.status == "playing",
                ((tables.c.store > 0) & _make_timeout_filter(now))
                | ((tables.c.remind > 0) & (tables.c.moved + tables.c.remind < now)),
            )
        )
        return [str(row.id) for row in rows]


def _make_timeout_filter(now: float) -> ColumnElement[bool]:
    """Return a filter for tables whose clock is about to run out.

    Pauses can delay the end, so the result may be too early.
    """
    rest = (seats.c.left + tables.c.free * 1000 - seats.c.free_used) / 1000.0
    early = case((tables.c.store / 4 > 6 * 3600, tables.c.store / 4), else_=6 * 3600)
    left = case((tables.c.store >= DAY, rest - early), else_=rest / 2)
    since = case((tables.c.counted > tables.c.moved, tables.c.counted), else_=tables.c.moved)
    return since + left < now


async def remind_or_replace(services: Services, table: Table) -> None:
    """Remind the player to move, or let a substitute bot play for a player without time."""
    async with services.tables.locked(table) as table:
        if table.status != "playing" or table.match is None or table.who == NOBODY:
            return
        occupant = table.occupants[table.who]
        now = server_time.now()
        waited = now - table.moved
        if occupant.deciding_bot:
            return
        if table.clock is not None:
            await _check_clock(services, table, now)
        if table.options.remind and waited > table.options.remind and table.reminded < table.moved:
            table.reminded = now
            table.hub.broadcast(encode_event("reminder", json.dumps({"who": table.who, "version": table.version})))


async def _check_clock(services: Services, table: LockedTable, now: float) -> None:
    """Warn a player before their time runs out. At the end, start a substitute bot or let the others vote for one."""
    assert table.clock is not None
    if table.is_paused(now):
        return
    rest = sum(timekeeping.compute_times_left(services.paused_time, table, table.who, now))
    if rest > 0:
        if (
            rest <= compute_warning_time(table, table.clock.get_time_left(table.who))
            and table.time_warning_version != table.version
        ):
            call = make_notify_job(table, [get_notified_person(table.occupants[table.who])], "time", str(table.version))
            await services.store.write(call)
            table.time_warning_version = table.version
        return
    if table.options.bots:
        await start_substitution(services, table, table.occupants[table.who], NO_TIME, timed_out=True)
    elif table.reminded < table.moved:
        table.reminded = now
        broadcast_seats(table)  # the others can vote now


def compute_warning_time(table: Table, time_had: int) -> int:
    """Return the number of milliseconds before the end at which the player gets a warning.

    In a live match the warning comes when half of ``time_had`` is used. In a slow match it comes with six hours or a
    quarter of the time bank left.
    """
    return max(6 * 3600 * 1000, table.options.store * 250) if table.options.slow else time_had // 2


async def vote_for_substitute(services: Services, table: Table, absent: Seat, own_seats: tuple[Seat, ...]) -> bool:
    """Vote for a substitute bot in an absent player's place. Return True once more than half of the others agree.

    A vote counts until the absent player is active again, so votes are kept in memory. Raise `Conflict` if the player
    is not absent long enough or is not the player to move.
    """
    async with lock_for_vote(services, table, own_seats) as table:
        if not 0 <= absent < len(table.occupants) or absent in own_seats:
            raise RequestError("You can vote only about another player’s seat.")
        occupant = table.occupants[absent]
        if occupant.deciding_bot:
            raise Conflict("A bot already plays this seat.")
        if occupant.seat != table.who:
            raise Conflict("A substitute bot can only replace the player whose turn it is.")
        wait = count_seconds_until_substitute(services, table, occupant)
        if wait is None:
            raise Conflict("This player is not absent.")
        if wait > 0:
            raise Conflict("{0} can be replaced by vote in {1}", occupant.name, format_clock_time(wait))

        cast = table.votes.ballots.setdefault(absent, {})
        cast.update({table.occupants[seat].person: event_stream.clock() for seat in own_seats})
        await services.peers.publish_now(
            SUBSTITUTE_VOTE,
            id=table.id,
            seat=absent,
            people=[table.occupants[own_seat].person for own_seat in own_seats],
        )
        agreed, needed = count_ballots(table, occupant)
        if agreed >= needed:
            del table.votes.ballots[absent]
            timed_out = (
                table.clock is not None
                and sum(timekeeping.compute_times_left(services.paused_time, table, absent)) == 0
            )
            await start_substitution(services, table, occupant, VOTED, timed_out=timed_out)
            return True
        await _notify_of_vote(services, table, occupant, table.occupants[own_seats[0]].name)
        broadcast_seats(table)
        return False


def count_ballots(table: Table, occupant: Occupant) -> tuple[int, int]:
    """Return the number of votes for a substitute bot and the number needed: more than half of the players present."""
    after, cast = table.options.substitute_after, table.votes.ballots.get(occupant.seat, {})
    there = [other for other in table.occupants if other.is_owned and not other.deciding_bot]
    others = {other.person for other in there if other.person in cast or not is_absent(table, other, after)} - {
        occupant.person
    }
    silent = table.hub.count_silent_seconds(occupant.seat)
    if table.clock is not None and occupant.seat == table.who:
        silent = max(silent, server_time.now() - table.moved)  # the player may be present but not decide
    agreed = sum(person in others and event_stream.clock() - at < silent for person, at in cast.items())
    return agreed, len(others) // 2 + 1


async def _notify_of_vote(services: Services, table: Table, occupant: Occupant, voter: str) -> None:
    """Notify an absent player of a vote about them, once for each decision."""
    person = get_notified_person(occupant)
    if person in services.notifiable_people:
        assert person is not None
        key = str(table.version)
        await services.store.write(
            lambda connection: queue_notification(connection, person, "vote", table.id, key, names=[voter])
        )
