"""The ready check: at a full table everybody says that they are there, or their seat is free again after a minute."""

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
from triclinium.server.cluster.pubsub import READY
from triclinium.server.cluster.versioned_write import change
from triclinium.server.errors import Conflict, NotAllowed
from triclinium.server.server import Server
from triclinium.server.storage.schema import seats, tables
from triclinium.server.tables.consent import check_held, held
from triclinium.server.tables.create import begin_if_full
from triclinium.server.tables.seats import free, tell
from triclinium.server.tables.table import Table

PULSE = 1.0  # seconds between two looks at the clock
NOT_READY = msgid("{0} was not ready: the seat is free again")
log = logging.getLogger("triclinium.ready")


async def press(server: Server, table: Table, mine: tuple[Seat, ...]) -> None:
    """Somebody is ready; the last one begins the match."""
    before = held(table, mine)
    async with table.lock:
        check_held(table, mine, before)
        if not table.ready_until:
            raise Conflict("nobody is asked now whether they are ready")
        table.ready.update(mine)
        await server.peers.mention(READY, id=table.id, seats=sorted(table.ready), until=table.ready_until)
        await begin_if_full(server, table)
        server.tell_seats(table)


async def switch(server: Server, table: Table, is_host: bool, on: bool) -> None:
    """The host lets everybody be asked before the deal, or not."""
    async with table.lock:
        if not is_host:
            raise NotAllowed("only the host may do this")
        if table.status != "waiting":
            raise Conflict("the match has begun: nobody is asked any more")
        options = replace(table.options, ready=on)

        def job(connection: Connection) -> None:
            told = json.dumps(asdict(options))
            connection.execute(update(tables).where(tables.c.id == table.id).values(options=told))

        await change(server, table, job)
        table.options = options
        await begin_if_full(server, table)
        tell(server, table)


async def watch(server: Server) -> None:
    """For ever: free the seats of those who do not answer. After a start everybody is asked anew."""
    looked = False
    while True:
        try:
            if not looked:
                server.readying.update(await server.in_thread(_full, server))
                looked = True
        except (TricliniumError, SQLAlchemyError) as error:
            log.warning("full tables are looked for in a moment: %s", error)
        await asyncio.sleep(PULSE)
        for id in list(server.readying):
            try:
                await look(server, await server.table(id))
            except (TricliniumError, SQLAlchemyError) as error:
                log.warning("table %s: %s", id, error)


async def look(server: Server, table: Table) -> None:
    """Free the seats of those who have not answered in time."""
    async with table.lock:
        if not table.ready_until:
            server.readying.discard(table.id)
            await begin_if_full(server, table)  # which asks
        elif server_time.now() >= table.ready_until:
            for occupant in table.unready():
                await free(server, table, occupant, NOT_READY)
            tell(server, table)


def _full(server: Server) -> list[str]:
    """The tables that wait though every seat is taken: they asked when the server ended."""
    some_free = exists().where(seats.c.table == tables.c.id, seats.c.taken.is_(False))
    with server.store.reading() as connection:
        rows = connection.execute(select(tables.c.id).where(tables.c.status == "waiting", ~some_free))
        return [str(row.id) for row in rows]
