"""Deletion of old tables, by the operator or after the time that the settings allow.

The results stay, so that ratings and match histories remain. Moves, chat and the names at the seats are deleted.
"""

import asyncio
import contextlib
import logging
from contextlib import AbstractAsyncContextManager

from sqlalchemy import Connection, delete, exists, select, update
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import TricliniumError
from triclinium.server import server_time
from triclinium.server.storage.pubsub import TABLE_DELETED
from triclinium.server.storage.schema import REMOVED, metadata, tables
from triclinium.server.storage.schema_evenings import evenings, guests, round_seats
from triclinium.server.storage.schema_notifications import outbox
from triclinium.server.storage.schema_results import rating_steps, results
from triclinium.server.storage.store import Store
from triclinium.server.tables.repository import TableRepository

log = logging.getLogger("triclinium.tables")
DAY = 86400.0
CHECK_INTERVAL = 3600.0  # seconds between two checks for old tables
BATCH = 50  # maximum number of tables in one commit
ENDED = ("over", "closed")
UNBEGUN = ("waiting", "closed")
RETAINED_TABLES = (results, rating_steps)
CLEARED_VALUES = {
    "shown": REMOVED,
    "options": "{}",
    "variants": "{}",
    "seed": "",
    "salt": "",
    "seal": "",
    "result": "[]",
}


def delete_table_rows(connection: Connection, id: str) -> None:
    """Delete everything stored about a table except its result."""
    for other in metadata.sorted_tables:
        for column in other.columns:
            if other not in RETAINED_TABLES and any(key.column is tables.c.id for key in column.foreign_keys):
                connection.execute(delete(other).where(column == id))
    connection.execute(delete(outbox).where(outbox.c.table == id))
    this = tables.c.id == id
    if connection.execute(select(exists().where(results.c.table == id))).scalar():
        connection.execute(
            update(tables).where(this).values(status=REMOVED, file="", stamp=tables.c.stamp + 1, **CLEARED_VALUES)
        )
    else:
        connection.execute(delete(tables).where(this))


async def delete_table(repository: TableRepository, id: str) -> None:
    """Delete one table and close its event streams. Raise `NotFound` if it does not exist."""
    async with repository.locked(id, loads_match=False):
        await delete_tables(repository, [id])


async def delete_tables(repository: TableRepository, ids: list[str]) -> None:
    def job(connection: Connection) -> None:
        for id in ids:
            delete_table_rows(connection, id)
            repository.runtime.peers.publish_on_commit(connection, TABLE_DELETED, id=id)

    await repository.runtime.store.write(job)
    for id in ids:
        repository.drop_table(id)


def list_old_tables(store: Store, days: float) -> list[str]:
    """Return the tables that ended at least so many days ago, oldest first. Call this in a thread."""
    before = server_time.now() - days * DAY
    wanted = select(tables.c.id).where(tables.c.status.in_(ENDED), tables.c.moved < before).order_by(tables.c.moved)
    with store.read_connection() as connection:
        return [str(id) for id in connection.execute(wanted).scalars()]


async def delete_old_tables(repository: TableRepository, days: float) -> int:
    """Delete the tables that ended at least so many days ago. Return their number."""
    ids = await repository.runtime.run_in_thread(list_old_tables, repository.runtime.store, days)
    for start in range(0, len(ids), BATCH):
        await delete_tables(repository, ids[start : start + BATCH])
    return len(ids)


async def delete_old_evenings(repository: TableRepository, days: float) -> None:
    """Delete the evenings that were opened at least so many days ago, with the names of their guests."""
    old = select(evenings.c.code).where(evenings.c.made < server_time.now() - days * DAY)

    def job(connection: Connection) -> None:
        for table in (round_seats, guests):
            connection.execute(delete(table).where(table.c.evening.in_(old)))
        connection.execute(delete(evenings).where(evenings.c.code.in_(old)))

    await repository.runtime.store.write(job)


async def delete_unstarted_tables(repository: TableRepository, days: float) -> int:
    """Delete the tables that were created at least so many days ago and have not begun. Return their number."""
    before = server_time.now() - days * DAY
    unbegun = (tables.c.status.in_(UNBEGUN), tables.c.moved < before)

    def find_unstarted() -> list[str]:
        with repository.runtime.store.read_connection() as connection:
            return list(connection.execute(select(tables.c.id).where(*unbegun).order_by(tables.c.moved)).scalars())

    def job(connection: Connection, id: str) -> bool:
        # Another server may have started the match in the meantime.
        if connection.execute(select(tables.c.id).where(tables.c.id == id, *unbegun).with_for_update()).first() is None:
            return False
        delete_table_rows(connection, id)
        repository.runtime.peers.publish_on_commit(connection, TABLE_DELETED, id=id)
        return True

    count = 0
    for id in await repository.runtime.run_in_thread(find_unstarted):
        table = repository.find_cached_table(id)
        lock: AbstractAsyncContextManager[object] = contextlib.nullcontext()
        if table is not None:
            lock = repository.locked(table, loads_match=False)
        async with lock:
            if await repository.runtime.store.write(lambda connection, id=id: job(connection, id), id):  # type: ignore[misc]
                repository.drop_table(id)
                count += 1
    return count


async def run_cleanup_loop(repository: TableRepository) -> None:
    """Delete old tables forever, on one of the servers, if the settings limit their age. Errors are tried again."""
    finished, waiting = repository.runtime.settings.keep_finished, repository.runtime.settings.keep_waiting
    while finished or waiting:
        try:
            if await repository.runtime.peers.claim("old tables"):
                count = await delete_old_tables(repository, finished) if finished else 0
                if count:
                    log.info("deleted %d tables that were over for more than %d days", count, finished)
                if finished:
                    await delete_old_evenings(repository, finished)
                count = await delete_unstarted_tables(repository, waiting) if waiting else 0
                if count:
                    log.info("deleted %d tables that had not started after %d days", count, waiting)
        except (TricliniumError, SQLAlchemyError) as error:
            log.warning("old tables could not be deleted and will be checked again: %s", error)
        await asyncio.sleep(CHECK_INTERVAL)
