"""Writes to tables that other servers may change too. A write fails if the stamp of the table has changed."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection, bindparam, update
from sqlalchemy.exc import IntegrityError

from triclinium.server.errors import StaleVersion
from triclinium.server.storage.pubsub import TABLE_CHANGED, Payload
from triclinium.server.storage.schema import tables
from triclinium.server.storage.statements import PreparedStatement
from triclinium.server.tables import replication
from triclinium.server.tables.broadcast import broadcast_seats, broadcast_table
from triclinium.server.tables.repository import TableRepository
from triclinium.server.tables.table import LockedTable, Table

T = TypeVar("T")
_UPDATE_STAMP = PreparedStatement(
    update(tables)
    .where(tables.c.id == bindparam("b_id"), tables.c.stamp == bindparam("b_before"))
    .values(stamp=bindparam("b_after"))
)


class VersionConflict(Exception):
    """Raised if another server has changed the table first."""


async def write_table(
    repository: TableRepository, table: LockedTable, job: Callable[[Connection], T], facts: Payload | None = None
) -> T:
    """Store a change to a table. Raise `StaleVersion` if another server has changed the table since it was read here.

    After that error nothing is stored, and the table is loaded again. ``facts`` describe the change, so that other
    servers need not load the table.
    """
    if not repository.runtime.peers.shared:
        return await repository.runtime.store.write(job)
    before = table.stamp

    def stamped_job(connection: Connection) -> T:
        if _UPDATE_STAMP.run(connection, {"b_id": table.id, "b_before": before, "b_after": before + 1}) != 1:
            raise VersionConflict
        repository.runtime.peers.publish_on_commit(
            connection, TABLE_CHANGED, id=table.id, stamp=before + 1, **(facts or {})
        )
        return job(connection)

    try:
        result = await repository.runtime.store.write(stamped_job, table.id)
    except (VersionConflict, IntegrityError):
        await reload_table(repository, table)
        raise StaleVersion("The table has changed in the meantime. Please check it and choose again.") from None
    table.set_stamp(before + 1)
    return result


async def reload_table(repository: TableRepository, table: LockedTable) -> None:
    """Load a table that another server has changed, and notify everyone who has it open here."""
    moved, seated = _make_progress_key(table), _make_seating_key(table)
    fresh = await repository.runtime.run_in_thread(repository.load_table, table.id)
    await repository.runtime.run_in_thread(_apply_fresh_table, repository, table, fresh)
    table.hub.reassign_seats()
    if moved != _make_progress_key(table):
        broadcast_table(table)
    if moved == _make_progress_key(table) or seated != _make_seating_key(table):
        broadcast_seats(table)


def _apply_fresh_table(repository: TableRepository, table: LockedTable, fresh: Table) -> None:
    table.load_fresh(fresh)
    if not table.begun:
        return
    match = table.match
    if (
        match is None
        or table.ended_early
        or table.stranded is not None
        or len(match.record.options) != len(table.history)
    ):
        repository.replay_match(table)  # this also removes unsaved moves from the match in memory
        return
    more = repository.load_history(table.id, table.version)
    table.auto_replies = repository.load_auto_replies(table.id)
    try:
        if not replication.are_next_moves(table, more):
            repository.replay_match(table)
        else:
            replication.play_moves(table, more)
            table.caches.clear_votes()
    except Exception:  # after any error, all moves are replayed
        repository.replay_match(table)


def _make_progress_key(table: Table) -> tuple[int, str]:
    return table.version, table.status


def _make_seating_key(table: Table) -> list[tuple[object, ...]]:
    return [
        (occupant.person, occupant.name, occupant.kind, occupant.taken, occupant.substitute)
        for occupant in table.occupants
    ]
