"""Changing a table that other servers may change, too: by the stamp that it had when it was read, or not at all."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection, bindparam, update
from sqlalchemy.exc import IntegrityError

from triclinium.server.cluster import replication
from triclinium.server.cluster.pubsub import TABLE_CHANGED, Payload
from triclinium.server.errors import StaleVersion
from triclinium.server.server import Server
from triclinium.server.storage.schema import tables
from triclinium.server.storage.statements import PreparedStatement
from triclinium.server.tables.table import Table

T = TypeVar("T")
_UPDATE_STAMP = PreparedStatement(
    update(tables)
    .where(tables.c.id == bindparam("b_id"), tables.c.stamp == bindparam("b_before"))
    .values(stamp=bindparam("b_after"))
)


class VersionConflict(Exception):
    """Another server was faster."""


async def write_table(server: Server, table: Table, job: Callable[[Connection], T], facts: Payload | None = None) -> T:
    """Write something about a table; its lock is held. Raises Stale if it is not as it was read here any more.

    Then nothing is written, and the table is read anew. ``facts``: with it others need not read what has changed.
    """
    if not server.peers.shared:
        return await server.store.write(job)
    before = table.stamp

    def stamped_job(connection: Connection) -> T:
        if _UPDATE_STAMP.run(connection, {"b_id": table.id, "b_before": before, "b_after": before + 1}) != 1:
            raise VersionConflict
        server.peers.publish_on_commit(connection, TABLE_CHANGED, id=table.id, stamp=before + 1, **(facts or {}))
        return job(connection)

    try:
        result = await server.store.write(stamped_job, table.id)
    except (VersionConflict, IntegrityError):
        await reload_table(server, table)
        raise StaleVersion("the table has moved on: look again and choose") from None
    table.stamp = before + 1
    return result


async def reload_table(server: Server, table: Table) -> None:
    """Read the table anew as another server has left it, and tell whoever listens here; its lock is held."""
    moved, seated = _make_progress_key(table), _make_seating_key(table)
    fresh = await server.run_in_thread(server.load_table, table.id)
    await server.run_in_thread(_apply_fresh_table, server, table, fresh)
    table.hub.reassign_seats()
    if moved != _make_progress_key(table):
        server.broadcast_table(table)
    if moved == _make_progress_key(table) or seated != _make_seating_key(table):
        server.broadcast_seats(table)


def _apply_fresh_table(server: Server, table: Table, fresh: Table) -> None:
    _copy_stored_fields(table, fresh)
    if not table.begun:
        return
    match = table.match
    if (
        match is None
        or table.ended_early
        or table.stranded is not None
        or len(match.record.options) != len(table.history)
    ):
        server.replay_match(table)  # also if something was tried in the match that is not stored
        return
    more = server.load_history(table.id, table.version)
    table.auto_replies = server.load_auto_replies(table.id)
    try:
        if not replication.are_next_moves(table, more):
            server.replay_match(table)
        else:
            replication.play_moves(table, more)
            table.undo_request = None
            table.pending_votes = None
    except Exception:  # whatever fails: what is stored is read from the beginning
        server.replay_match(table)


def _copy_stored_fields(table: Table, fresh: Table) -> None:
    """What is stored of the table, beside its moves, is this now."""
    for name in table.stored_names - {"occupants"}:
        setattr(table, name, getattr(fresh, name))
    for current, stored in zip(table.occupants, fresh.occupants, strict=True):
        vars(current).update(vars(stored))  # whoever waits for the lock may hold one already
    table.undo_request = None
    table.pending_votes = None
    table.logs.clear()  # names may have changed
    table.points_at = -1
    if table.status != "waiting" or not all(occupant.taken for occupant in table.occupants):
        table.ready.clear()  # nobody is asked any more whether they are ready
        table.ready_until = 0.0


def _make_progress_key(table: Table) -> tuple[int, str]:
    return table.version, table.status


def _make_seating_key(table: Table) -> list[tuple[object, ...]]:
    return [
        (occupant.person, occupant.name, occupant.kind, occupant.taken, occupant.standin)
        for occupant in table.occupants
    ]
