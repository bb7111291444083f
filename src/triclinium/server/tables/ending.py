"""The end, as it stands, of a match whose moves cannot be replayed."""

import json

from sqlalchemy import Connection, update

from triclinium.engine.core.state import NOBODY
from triclinium.engine.core.text import msgid
from triclinium.server import clock
from triclinium.server.errors import Conflict, NotAllowed, Stranded
from triclinium.server.notifications.outbox import tell
from triclinium.server.notifications.turns import people_at
from triclinium.server.results import Ended
from triclinium.server.server import ENDED, Server
from triclinium.server.storage.schema import tables
from triclinium.server.tables import snapshots
from triclinium.server.tables.changing import change
from triclinium.server.tables.moves import check_running
from triclinium.server.tables.seating import Viewer
from triclinium.server.tables.table import Table


async def end_as_it_stands(server: Server, table: Table, at: Viewer) -> None:
    """The host ends a match that cannot go on: the scores of its last snapshot are the result."""
    async with table.lock:
        await server.load_match(table)
        if not at.is_host(table):
            raise NotAllowed("only the host may end the match as it stands")
        if table.stranded is None or table.status != "playing":
            check_running(table)
            raise Conflict("this match can go on: only one that cannot is ended as it stands")
        with server.store.reading() as connection:
            result = snapshots.scores(connection, table.id)
        now = clock.now()
        ended = {"status": "over", "stands": True, "who": NOBODY, "moved": now, "result": json.dumps(result)}
        stood = Ended(table, table.history, result, now, stood=True)

        def job(connection: Connection) -> None:
            stood.write(connection)
            for person in people_at(table).keys() & server.reachable:
                tell(connection, person, "over", table.id)
            connection.execute(update(tables).where(tables.c.id == table.id).values(**ended))
            server.announce(
                connection,
                table,
                msgid("{0} has ended the match as it stood"),
                server.people.name_of(table.host),
                newcomer=table.host,
            )

        await change(server, table, job)
        table.status = "over"
        table.stands = True
        table.stranded = Stranded(ENDED)
        table.result = result
        table.moved = now
        server.tell(table)
