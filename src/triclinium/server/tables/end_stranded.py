"""The end, as it stands, of a match whose moves cannot be replayed."""

import json

from sqlalchemy import Connection, update

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.core.text import msgid
from triclinium.server import server_time
from triclinium.server.cluster.versioned_write import change
from triclinium.server.errors import Conflict, Stranded
from triclinium.server.notifications.outbox import tell
from triclinium.server.notifications.triggers import people_at
from triclinium.server.ratings.results import Ended
from triclinium.server.server import ENDED, Server
from triclinium.server.storage.schema import tables
from triclinium.server.tables import snapshots
from triclinium.server.tables.consent import agreed_by_all, check_held, held
from triclinium.server.tables.moves import check_running
from triclinium.server.tables.table import Table

END = "end"  # the subject of the vote


async def end_as_it_stands(server: Server, table: Table, mine: tuple[Seat, ...]) -> bool:
    """Agree to end a match that cannot go on; return whether the owners of all seats do, so that it is over.

    The scores of its last snapshot are the result, and nothing counts.
    """
    before = held(table, mine)
    async with table.lock:
        await server.load_match(table)
        check_held(table, mine, before)
        if table.stranded is None or table.status != "playing":
            check_running(table)
            raise Conflict("this match can go on: only one that cannot is ended as it stands")
        if not await agreed_by_all(server, table, mine, END):
            return False
        with server.store.reading() as connection:
            result = snapshots.scores(connection, table.id)
        now = server_time.now()
        ended = {"status": "over", "stands": True, "who": NOBODY, "moved": now, "result": json.dumps(result)}
        stood = Ended(table, table.history, result, now, stood=True)

        def job(connection: Connection) -> None:
            stood.write(connection)
            for person in people_at(table).keys() & server.reachable:
                tell(connection, person, "over", table.id)
            connection.execute(update(tables).where(tables.c.id == table.id).values(**ended))
            server.announce(connection, table, msgid("the match is ended as it stood, by consent of all"))

        await change(server, table, job)
        table.status = "over"
        table.stands = True
        table.stranded = Stranded(ENDED)
        table.result = result
        table.moved = now
        server.tell(table)
        return True
