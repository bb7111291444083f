"""Ready check: when a table is full, each player must confirm within a minute or lose their seat."""

import asyncio
import json
import logging
from dataclasses import asdict, replace

from sqlalchemy import Connection, exists, select, update
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.server import server_time
from triclinium.server.errors import Conflict, NotAllowed
from triclinium.server.services import Services
from triclinium.server.storage.pubsub import READY
from triclinium.server.storage.schema import seats, tables
from triclinium.server.storage.store import Store
from triclinium.server.tables.broadcast import broadcast_seating, broadcast_seats
from triclinium.server.tables.consent import check_same_owners, list_seat_generations
from triclinium.server.tables.create import begin_if_full
from triclinium.server.tables.seats import free_seat
from triclinium.server.tables.table import Table
from triclinium.server.tables.versioned_write import write_table

CHECK_INTERVAL = 1.0  # seconds between two checks for players who have not answered
NOT_READY = msgid("{0} was not ready. The seat is free again.")
log = logging.getLogger("triclinium.ready")


async def confirm_ready(services: Services, table: Table, own_seats: tuple[Seat, ...]) -> None:
    """Confirm that players are ready. The last confirmation starts the match.

    Raise `NotAllowed` if a seat has a new owner, and `Conflict` if no ready check is running.
    """
    before = list_seat_generations(table, own_seats)
    async with services.tables.locked(table) as table:
        check_same_owners(table, own_seats, before)
        if not table.ready_until:
            raise Conflict("No ready check is in progress.")
        table.votes.ready.update(own_seats)
        await services.peers.publish_now(READY, id=table.id, seats=sorted(table.votes.ready), until=table.ready_until)
        await begin_if_full(services, table)
        broadcast_seats(table)


async def set_ready_check(services: Services, table: Table, is_host: bool, on: bool) -> None:
    """Turn the ready check of a table on or off. Only the host may do this, before the match."""
    async with services.tables.locked(table) as table:
        if not is_host:
            raise NotAllowed("Only the host can do this.")
        if table.status != "waiting":
            raise Conflict("The match has already started, so there is no ready check any more.")
        options = replace(table.options, ready=on)

        def job(connection: Connection) -> None:
            text = json.dumps(asdict(options))
            connection.execute(update(tables).where(tables.c.id == table.id).values(options=text))

        await write_table(services.tables, table, job)
        table.row = replace(table.row, options=options)
        await begin_if_full(services, table)
        broadcast_seating(services.runtime, table)


async def run_ready_checks(services: Services) -> None:
    """Free the seats of players who do not confirm in time, forever. After a restart, all players are asked again."""
    is_loaded = False
    while True:
        try:
            if not is_loaded:
                services.ready_checks.update(await services.runtime.run_in_thread(_find_full_tables, services.store))
                is_loaded = True
        except (TricliniumError, SQLAlchemyError) as error:
            log.warning("full tables could not be checked and will be checked again: %s", error)
        await asyncio.sleep(CHECK_INTERVAL)
        for id in list(services.ready_checks):
            try:
                await free_unready_seats(services, await services.tables.get_table(id))
            except (TricliniumError, SQLAlchemyError) as error:
                log.warning("table %s: %s", id, error)


async def free_unready_seats(services: Services, table: Table) -> None:
    """Free the seats of players who have not confirmed in time."""
    async with services.tables.locked(table) as table:
        if not table.ready_until:
            services.ready_checks.discard(table.id)
            await begin_if_full(services, table)  # This call starts the ready check.
        elif server_time.now() >= table.ready_until:
            for occupant in table.list_unready_occupants():
                await free_seat(services, table, occupant, NOT_READY)
            broadcast_seating(services.runtime, table)


def _find_full_tables(store: Store) -> list[str]:
    """Return the tables that are full but have not started, because the server stopped during their ready check."""
    some_free = exists().where(seats.c.table == tables.c.id, seats.c.taken.is_(False))
    with store.read_connection() as connection:
        rows = connection.execute(select(tables.c.id).where(tables.c.status == "waiting", ~some_free))
        return [str(row.id) for row in rows]
