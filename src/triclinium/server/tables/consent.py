"""Votes that need the consent of all seat owners: pausing, resuming and abandoning a match, and other proposals."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from sqlalchemy import Connection, delete, insert, or_, select, update

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.core.text import msgid
from triclinium.engine.record import build_result
from triclinium.server import server_time
from triclinium.server.errors import Conflict, NotAllowed, RequestError, Stranded
from triclinium.server.services import Services
from triclinium.server.storage.schema import tables, votes
from triclinium.server.storage.store import Store
from triclinium.server.tables import timekeeping
from triclinium.server.tables.announcements import store_announcement
from triclinium.server.tables.broadcast import broadcast_seats, broadcast_table
from triclinium.server.tables.moves import check_running, schedule_bot
from triclinium.server.tables.repository import ABANDONED, TableRepository
from triclinium.server.tables.results import FinalResults
from triclinium.server.tables.seat_owners import is_solo, list_owners
from triclinium.server.tables.snapshots import PendingSnapshot
from triclinium.server.tables.table import LockedTable, Table
from triclinium.server.tables.versioned_write import write_table

PAUSE, RESUME, ABANDON = "pause", "resume", "abandon"
REMOVE = "remove "  # followed by the number of a seat
REASSIGN = "assign "  # followed by the number of a vacated seat and of a person
LASTING_VOTE = -1  # version of votes that do not lapse when the table changes
UNDO, AGREE = "undo", "agree"  # request to undo, and consent to it
MAX_PAUSE_MINUTES = 720  # longest pause of a match


def load_pending_votes(store: Store, table: Table) -> dict[str, set[Seat]]:
    """Return the current proposals and the seats that agree to each.

    They lapse when the table changes, except those of a new player for a vacated seat.
    """
    caches = table.caches
    if caches.pending_votes is None or caches.pending_votes[0] != table.version:
        caches.pending_votes = (table.version, _read_votes(store, table))
    return caches.pending_votes[1]


def _read_votes(store: Store, table: Table) -> dict[str, set[Seat]]:
    wanted = select(votes.c.subject, votes.c.seat).where(
        votes.c.table == table.id,
        votes.c.version.in_((table.version, LASTING_VOTE)),
        votes.c.subject.not_in((UNDO, AGREE)),
    )
    seats_by_subject: dict[str, set[Seat]] = {}
    with store.read_connection() as connection:
        for row in connection.execute(wanted):
            seats_by_subject.setdefault(row.subject, set()).add(row.seat)
    return seats_by_subject


def list_voters(table: Table) -> set[Seat]:
    """Return the seats whose owners must consent. Absent players with a substitute bot are included."""
    return table.list_owned_seats()


def check_others_remain(table: Table) -> None:
    """Raise `Conflict` if all other players have left: a remaining player may not make the match void alone."""
    if len(list_owners(table)) < 2 and not is_solo(table):
        raise Conflict("The other players have left, but the match still counts. Finish it or resign.")


async def vote_to_pause(services: Services, table: Table, own_seats: tuple[Seat, ...], minutes: int) -> bool:
    """Propose a pause of this length or agree to it. Return True if the pause begins."""
    if not 1 <= minutes <= MAX_PAUSE_MINUTES:
        raise RequestError("A pause can last from 1 minute to 12 hours.")
    async with lock_for_vote(services, table, own_seats) as table:
        if table.clock is None or table.options.slow:
            raise Conflict("Only a live match with a clock can be paused.")
        if table.is_paused(server_time.now()):
            raise Conflict("The match is paused.")
        if not await record_consent(services, table, own_seats, f"{PAUSE} {minutes}"):
            return False
        await _set_pause(services, table, server_time.now() + 60.0 * minutes, msgid("The match is paused."))
        return True


async def vote_to_resume(services: Services, table: Table, own_seats: tuple[Seat, ...]) -> bool:
    """Agree to end a pause. Return True once all players have agreed, so that the match continues."""
    async with lock_for_vote(services, table, own_seats) as table:
        if not table.is_paused(server_time.now()):
            raise Conflict("The match is not paused.")
        if not await record_consent(services, table, own_seats, RESUME):
            return False
        await _set_pause(services, table, 0.0, msgid("The match continues."))
        schedule_bot(services, table)
        return True


async def vote_to_abandon(services: Services, table: Table, own_seats: tuple[Seat, ...]) -> bool:
    """Propose to abandon the match or agree to it.

    Return True once the match is abandoned, without a result that counts.
    """
    async with lock_for_vote(services, table, own_seats) as table:
        check_others_remain(table)
        if not await record_consent(services, table, own_seats, ABANDON):
            return False
        await abandon_match(services.tables, table, msgid("The players agreed to abandon the match."))
        return True


@asynccontextmanager
async def lock_for_vote(services: Services, table: Table, own_seats: tuple[Seat, ...]) -> AsyncIterator[LockedTable]:
    """Lock a table while these seats agree to something in a running match.

    Raise `NotAllowed` for spectators, and for players who lost their seat while they waited for the lock.
    """
    before = list_seat_generations(table, own_seats)
    async with services.tables.locked(table) as table:
        check_running(table)
        check_same_owners(table, own_seats, before)
        yield table


def list_seat_generations(table: Table, own_seats: tuple[Seat, ...]) -> list[int]:
    """Return the generation of each of these seats, which changes with the seat's owner."""
    return [table.occupants[seat].generation for seat in own_seats]


def check_same_owners(table: Table, own_seats: tuple[Seat, ...], before: list[int]) -> None:
    """Raise `NotAllowed` if the list of seats is empty or one of them has a new owner."""
    if not own_seats:
        raise NotAllowed("You do not have a seat at this table.")
    if list_seat_generations(table, own_seats) != before:
        raise NotAllowed("This is not your seat.")


async def record_consent(services: Services, table: LockedTable, own_seats: tuple[Seat, ...], subject: str) -> bool:
    """Store that these seats agree to a proposal. Return whether all voters now agree."""
    if list_voters(table) <= await record_votes(services.tables, table, own_seats, subject):
        return True
    broadcast_seats(table)
    return False


async def record_votes(
    repository: TableRepository, table: LockedTable, own_seats: tuple[Seat, ...], subject: str
) -> set[Seat]:
    """Store that these seats agree to a proposal. Return all seats that now agree."""
    now = (votes.c.table == table.id, votes.c.subject == subject)
    version = LASTING_VOTE if subject.startswith(REASSIGN) else table.version

    def job(connection: Connection) -> set[Seat]:
        delete_lapsed_votes(connection, table)
        connection.execute(delete(votes).where(*now, votes.c.seat.in_(own_seats)))
        for seat in own_seats:
            connection.execute(insert(votes).values(table=table.id, subject=subject, seat=seat, version=version))
        return set(connection.execute(select(votes.c.seat).where(*now)).scalars())

    agreed = await write_table(repository, table, job)
    table.caches.pending_votes = None
    return agreed


def delete_lapsed_votes(connection: Connection, table: Table) -> None:
    """Delete the votes that have lapsed because the table has changed."""
    stale = votes.c.version.not_in((table.version, LASTING_VOTE))
    connection.execute(delete(votes).where(votes.c.table == table.id, stale))


def delete_proposals(connection: Connection, table: Table, seat: Seat) -> None:
    """Delete the votes on a new player for a vacated seat."""
    about = votes.c.subject.startswith(f"{REASSIGN}{seat} ")
    connection.execute(delete(votes).where(votes.c.table == table.id, about))


def delete_votes(connection: Connection, table: Table, seat: Seat) -> None:
    """Delete the votes of a seat and those about it, because the seat has a new owner.

    If the seat had requested an undo, delete that request too.
    """
    here = votes.c.table == table.id
    asks = select(votes.c.seat).where(here, votes.c.seat == seat, votes.c.subject == UNDO)
    lapsed = [f"{REMOVE}{seat}", *((UNDO, AGREE) if connection.execute(asks).first() else ())]
    connection.execute(delete(votes).where(here, or_(votes.c.seat == seat, votes.c.subject.in_(lapsed))))
    delete_proposals(connection, table, seat)


async def _set_pause(services: Services, table: LockedTable, until: float, announcement: str) -> None:
    """Pause the match until a time, or resume it now if that time is past."""
    now = server_time.now()
    clock_after = timekeeping.settle_clock(services.paused_time, table, now)
    assert clock_after is not None
    clock_after = clock_after.with_since(max(now, until))

    def job(connection: Connection) -> None:
        connection.execute(update(tables).where(tables.c.id == table.id).values(paused=until))
        connection.execute(delete(votes).where(votes.c.table == table.id))
        timekeeping.write(connection, table, clock_after)
        store_announcement(connection, table, announcement)

    await write_table(services.tables, table, job)
    table.row = replace(table.row, paused_until=until)
    table.set_clock(clock_after)
    table.caches.pending_votes = None
    broadcast_seats(table)


async def abandon_match(repository: TableRepository, table: LockedTable, announcement: str) -> None:
    """End the match in its current position, without a result that counts."""
    now = server_time.now()
    match = table.current_match
    result = build_result(table.game.scores(match.state))
    match_end = FinalResults(table, table.history, result, now, ended_early=True)
    snapshot = await repository.runtime.run_in_thread(PendingSnapshot, table, match)
    ended = {
        "status": "over",
        "ended_early": True,
        "abandoned": True,
        "who": NOBODY,
        "moved": now,
        "result": json.dumps(result),
    }

    def job(connection: Connection) -> None:
        snapshot.write(connection)
        match_end.write(connection)
        connection.execute(update(tables).where(tables.c.id == table.id).values(**ended))
        connection.execute(delete(votes).where(votes.c.table == table.id))
        store_announcement(connection, table, announcement)

    await write_table(repository, table, job)
    snapshot.mark_stored()
    table.row = replace(table.row, status="over", ended_early=True, abandoned=True, result=result)
    table.progress = replace(table.progress, moved=now)
    table.end_early(Stranded(ABANDONED))
    table.invalidate_match()
    broadcast_table(table)
