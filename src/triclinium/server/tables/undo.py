"""Undo: freely if nothing was revealed, by consent of all players, or alone as practice."""

from dataclasses import replace

from sqlalchemy import Connection, bindparam, delete, insert, select

from triclinium.engine.core.state import Seat
from triclinium.server.errors import Conflict, NotAllowed, StaleVersion
from triclinium.server.services import Services
from triclinium.server.storage.schema import votes
from triclinium.server.storage.store import Store
from triclinium.server.tables import timekeeping
from triclinium.server.tables.auto_replies import find_immediate_reply, make_reply_delete_job
from triclinium.server.tables.broadcast import broadcast_seats, broadcast_table
from triclinium.server.tables.consent import (
    AGREE,
    UNDO,
    check_others_remain,
    check_same_owners,
    delete_lapsed_votes,
    list_seat_generations,
)
from triclinium.server.tables.moves import check_running, schedule_bot, store_moves
from triclinium.server.tables.repository import TableRepository
from triclinium.server.tables.results import undo_resignations
from triclinium.server.tables.seat_owners import is_solo
from triclinium.server.tables.table import HistoryRow, LockedTable, Table
from triclinium.server.tables.versioned_write import write_table

LONG_MATCH = 40  # a longer match is replayed in a thread
_SELECT_REQUEST = select(votes.c.seat).where(
    votes.c.table == bindparam("b_table"), votes.c.subject == UNDO, votes.c.version == bindparam("b_version")
)


def undo_steps(table: Table, seat: Seat) -> int:
    """Return the number of moves that a free undo removes, back to the seat's own last decision.

    Return 0 if it is refused. An undo is refused if information was revealed or another player has decided since.
    Auto-replies do not prevent it. The decisions of bots do not prevent it if no other person plays.
    """
    match = table.current_match
    k = match.count_moves_to_undo(seat)
    if k == 0:
        return 0
    if not match.is_unanswered(k):
        owners = {occupant.seat: occupant.person for occupant in table.occupants if occupant.is_owned}
        answered = set(match.list_deciders()[len(match.marks) - k :]) - {seat}
        if len(set(owners.values())) != 1 or answered & owners.keys():
            return 0
    return 0 if match.reveals_information(k) else k


def is_alone(table: Table, own_seats: tuple[Seat, ...]) -> bool:
    """Return whether one person plays alone and owns these seats.

    Players who have left, or have a substitute bot, count too.
    """
    return is_solo(table) and table.list_owned_seats() <= set(own_seats)


def needs_practice(table: Table, own_seats: tuple[Seat, ...]) -> bool:
    """Return whether this player may undo alone, but only as practice, because information was revealed."""
    return is_alone(table, own_seats) and table.current_match.reveals_information(
        table.current_match.count_moves_to_undo(_find_last_decider(table, own_seats))
    )


async def undo_last_decision(services: Services, table: Table, seat: Seat, version: int) -> None:
    """Undo back to the seat's last decision.

    Raise `Conflict` if information was revealed or another player has decided since, and `StaleVersion` if the table
    has changed.
    """
    generation = table.occupants[seat].generation
    async with services.tables.locked(table) as table:
        _check_undo_allowed(table, version)
        if table.occupants[seat].generation != generation:  # the seat got a new owner while this waited for the lock
            raise NotAllowed("This is not your seat.")
        k = undo_steps(table, seat)
        if k == 0:
            raise Conflict(
                "You cannot undo your move, because new information has been revealed or another player has decided."
            )
        await _undo_moves(services, table, k)


async def vote_to_undo(
    services: Services, table: Table, own_seats: tuple[Seat, ...], version: int, practice: bool = False
) -> bool:
    """Request an undo or agree to one. Return True once all seat owners agree and it is done.

    A person who plays alone needs no vote. For them, an undo after information was revealed makes the match practice,
    which ``practice`` must confirm. Raise `Conflict` if it does not.
    """
    before = list_seat_generations(table, own_seats)
    async with services.tables.locked(table) as table:
        _check_undo_allowed(table, version)
        check_same_owners(table, own_seats, before)
        alone = is_alone(table, own_seats)
        requester = None if alone else await services.runtime.run_in_thread(find_undo_requester, services.store, table)
        asking = _find_last_decider(table, own_seats) if requester is None else requester
        k = table.current_match.count_moves_to_undo(asking)
        if k == 0:
            raise Conflict("You have not made a decision yet.")
        learnt = table.current_match.reveals_information(k)
        if alone and learnt and not practice:
            raise Conflict(
                "New information has been revealed since your move. If you undo now, this becomes a practice match "
                "and is not rated."
            )
        if not alone:
            if learnt:
                check_others_remain(table)
            agreed = await _record_vote(services.tables, table, own_seats, asking)
            table.caches.undo_request = None
            if not table.list_owned_seats() <= agreed:
                broadcast_seats(table)
                return False
        await _undo_moves(
            services, table, k, **({"practice" if alone else "undone_by_consent": True} if learnt else {})
        )
        return True


def find_undo_requester(store: Store, table: Table) -> Seat | None:
    """Return the seat that has requested an undo, or None."""
    caches = table.caches
    if caches.undo_request is None or caches.undo_request[0] != table.version:
        with store.read_connection() as connection:
            row = connection.execute(_SELECT_REQUEST, {"b_table": table.id, "b_version": table.version}).one_or_none()
        caches.undo_request = (table.version, None if row is None else int(row.seat))
    return caches.undo_request[1]


def _check_undo_allowed(table: LockedTable, version: int) -> None:
    check_running(table)
    if not table.options.undo:
        raise NotAllowed("Undo is turned off at this table.")
    if version != table.version:
        raise StaleVersion("The table has changed in the meantime. Please check it and choose again.")


def _find_last_decider(table: Table, own_seats: tuple[Seat, ...]) -> Seat:
    """Return the seat among these that decided last."""
    decided = [(k, seat) for seat in own_seats if (k := table.current_match.count_moves_to_undo(seat))]
    return min(decided)[1] if decided else own_seats[0]


async def _record_vote(
    repository: TableRepository, table: LockedTable, own_seats: tuple[Seat, ...], asking: Seat
) -> set[Seat]:
    """Store that these seats agree to an undo. Return all seats that agree."""

    def job(connection: Connection) -> set[Seat]:
        delete_lapsed_votes(connection, table)
        for seat in own_seats:
            subject = UNDO if seat == asking else AGREE
            mine_now = (votes.c.table == table.id, votes.c.subject == subject, votes.c.seat == seat)
            connection.execute(delete(votes).where(*mine_now))
            connection.execute(insert(votes).values(table=table.id, subject=subject, seat=seat, version=table.version))
        rows = connection.execute(
            select(votes.c.seat).where(votes.c.table == table.id, votes.c.subject.in_((UNDO, AGREE)))
        )
        return {row.seat for row in rows}

    return await write_table(repository, table, job)


async def _undo_moves(services: Services, table: LockedTable, k: int, **marks: bool) -> None:
    """Replay the match without its last k moves, store the undo, and then replace the match.

    If an auto-reply would answer the new current question at once, delete it, so that the seat can decide again.
    """
    match = table.current_match
    shorter = (
        match.rebuild_before(k)
        if table.moves <= LONG_MATCH
        else await services.runtime.run_in_thread(match.rebuild_before, k)
    )
    spent = timekeeping.ThinkingTime.measure(services, table)
    done = [
        HistoryRow(table.version + i, "undo", row.seat, row.option, "", "", spent.at)
        for i, row in enumerate(reversed(table.history[-k:]), start=1)
    ]
    ended_reply = find_immediate_reply(table, shorter)

    def store_undo(connection: Connection) -> None:
        undo_resignations(connection, table, len(shorter.record.options))
        if ended_reply is not None:
            make_reply_delete_job(table, ended_reply)(connection)

    clock_after = timekeeping.charge_time(table, spent, done, shorter.state.who)
    await store_moves(services, table, shorter, done, clock_after, store_undo, **marks)
    table.replace_match(shorter)
    if ended_reply is not None:
        del table.auto_replies[ended_reply.seat, ended_reply.step]
    table.remove_moves(done)
    present = {occupant.person for occupant in table.occupants if occupant.is_owned}
    table.row = replace(
        table.row,
        departed={person: how for person, how in table.departed.items() if person not in present},
        practice=table.practice or "practice" in marks,
        undone_by_consent=table.undone_by_consent or "undone_by_consent" in marks,
    )
    broadcast_table(table)
    schedule_bot(services, table)
