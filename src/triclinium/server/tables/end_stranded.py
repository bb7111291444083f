"""Vote to end a match whose moves can no longer be replayed."""

import json
from dataclasses import replace

from sqlalchemy import Connection, update

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.core.text import msgid
from triclinium.server import server_time
from triclinium.server.errors import Conflict, Stranded
from triclinium.server.outbox.queue import queue_notification
from triclinium.server.services import Services
from triclinium.server.storage.schema import tables
from triclinium.server.tables import snapshots
from triclinium.server.tables.announcements import store_announcement
from triclinium.server.tables.broadcast import broadcast_table
from triclinium.server.tables.consent import check_same_owners, list_seat_generations, record_consent
from triclinium.server.tables.moves import check_running
from triclinium.server.tables.notification_triggers import list_notified_people
from triclinium.server.tables.repository import ENDED_BY_CONSENT
from triclinium.server.tables.results import FinalResults
from triclinium.server.tables.table import Table
from triclinium.server.tables.versioned_write import write_table

END_VOTE = "end"  # the subject of the vote


async def vote_to_end(services: Services, table: Table, own_seats: tuple[Seat, ...]) -> bool:
    """Agree to end a stranded match. Return True once the owners of all seats agree and the match is over.

    The scores of its last snapshot become the result, which counts for nothing. Raise `Conflict` if the match can
    continue.
    """
    before = list_seat_generations(table, own_seats)
    async with services.tables.locked(table) as table:
        check_same_owners(table, own_seats, before)
        if table.stranded is None or table.status != "playing":
            check_running(table)
            raise Conflict("Only a match that cannot continue can be ended this way. This one can continue.")
        if not await record_consent(services, table, own_seats, END_VOTE):
            return False
        with services.store.read_connection() as connection:
            result = snapshots.scores(connection, table.id)
        now = server_time.now()
        ended = {"status": "over", "ended_early": True, "who": NOBODY, "moved": now, "result": json.dumps(result)}
        match_end = FinalResults(table, table.history, result, now, ended_early=True)

        def job(connection: Connection) -> None:
            match_end.write(connection)
            for person in list_notified_people(table).keys() & services.notifiable_people:
                queue_notification(connection, person, "over", table.id)
            connection.execute(update(tables).where(tables.c.id == table.id).values(**ended))
            store_announcement(
                connection, table, msgid("The players agreed to end the match as it is. It has no result.")
            )

        await write_table(services.tables, table, job)
        table.row = replace(table.row, status="over", ended_early=True, result=result)
        table.progress = replace(table.progress, moved=now)
        table.end_early(Stranded(ENDED_BY_CONSENT))
        broadcast_table(table)
        return True
