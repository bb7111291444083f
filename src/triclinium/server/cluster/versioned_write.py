"""Changing a table that other servers may change, too: by the stamp that it had when it was read, or not at all."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection, bindparam, update
from sqlalchemy.exc import IntegrityError

from triclinium.server.cluster import replication
from triclinium.server.cluster.pubsub import TABLE, Facts
from triclinium.server.errors import Stale
from triclinium.server.server import Server
from triclinium.server.storage.schema import tables
from triclinium.server.storage.statements import Prepared
from triclinium.server.tables.table import Table

T = TypeVar("T")
_STAMP = Prepared(
    update(tables)
    .where(tables.c.id == bindparam("b_id"), tables.c.stamp == bindparam("b_before"))
    .values(stamp=bindparam("b_after"))
)


class Behind(Exception):
    """Another server was faster."""


async def change(server: Server, table: Table, job: Callable[[Connection], T], told: Facts | None = None) -> T:
    """Write something about a table; its lock is held. Raises Stale if it is not as it was read here any more.

    Then nothing is written, and the table is read anew. ``told``: with it others need not read what has changed.
    """
    if not server.peers.shared:
        return await server.store.write(job)
    before = table.stamp

    def whole(connection: Connection) -> T:
        if _STAMP.run(connection, {"b_id": table.id, "b_before": before, "b_after": before + 1}) != 1:
            raise Behind
        server.peers.announce(connection, TABLE, id=table.id, stamp=before + 1, **(told or {}))
        return job(connection)

    try:
        answer = await server.store.write(whole, table.id)
    except (Behind, IntegrityError):
        await renew(server, table)
        raise Stale("the table has moved on: look again and choose") from None
    table.stamp = before + 1
    return answer


async def renew(server: Server, table: Table) -> None:
    """Read the table anew as another server has left it, and tell whoever listens here; its lock is held."""
    moved, seated = _moved(table), _seated(table)
    fresh = await server.in_thread(server.stored, table.id)
    await server.in_thread(_renew, server, table, fresh)
    table.hub.reseat()
    if moved != _moved(table):
        server.tell(table)
    if moved == _moved(table) or seated != _seated(table):
        server.tell_seats(table)


def _renew(server: Server, table: Table, fresh: Table) -> None:
    _take(table, fresh)
    if not table.begun:
        return
    match = table.match
    if match is None or table.stands or table.stranded is not None or len(match.record.options) != len(table.history):
        server.bring(table)  # also if something was tried in the match that is not stored
        return
    more = server.history(table.id, table.version)
    table.wishes = server.wishes(table.id)
    try:
        if not replication.follows(table, more):
            server.bring(table)
        else:
            replication.play(table, more)
            table.asked_back = None
            table.asked_for = None
    except Exception:  # whatever fails: what is stored is read from the beginning
        server.bring(table)


def _take(table: Table, fresh: Table) -> None:
    """What is stored of the table, beside its moves, is this now."""
    for name in table.stored - {"occupants"}:
        setattr(table, name, getattr(fresh, name))
    for known, now in zip(table.occupants, fresh.occupants, strict=True):
        vars(known).update(vars(now))  # whoever waits for the lock may hold one already
    table.asked_back = None
    table.asked_for = None
    table.logs.clear()  # names may have changed
    table.points_at = -1
    if table.status != "waiting" or not all(one.taken for one in table.occupants):
        table.ready.clear()  # nobody is asked any more whether they are ready
        table.ready_until = 0.0


def _moved(table: Table) -> tuple[int, str]:
    return table.version, table.status


def _seated(table: Table) -> list[tuple[object, ...]]:
    return [(one.person, one.name, one.kind, one.taken, one.standin) for one in table.occupants]
