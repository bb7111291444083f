"""A table whose moves cannot be replayed: what is told of it, and its end as it stands."""

import json

from sqlalchemy import Connection, update

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.core.text import Reader, msgid
from triclinium.engine.words import in_notation
from triclinium.i18n.catalog import catalog
from triclinium.server import clock
from triclinium.server.errors import Conflict, NotAllowed, Stranded
from triclinium.server.house import ENDED, House
from triclinium.server.storage.schema import tables
from triclinium.server.tables import snapshots
from triclinium.server.tables.moves import check_running
from triclinium.server.tables.seating import Viewer
from triclinium.server.tables.snapshots import Snapshot
from triclinium.server.tables.table import LogLine, Table


def stood(house: House, table: Table, seat: Seat) -> Snapshot | None:
    """The last that this seat (NOBODY: a spectator) could see; None: it was begun before such things were stored."""
    with house.store.reading() as connection:
        return snapshots.read(connection, table.id, seat)


def log_of(table: Table, known: Snapshot | None, language: str) -> list[LogLine]:
    """The log as it was told; what was decided after the snapshot in notation, as the record gives it to everybody."""
    lines = [] if known is None else known.log[language]
    reader = Reader(language, catalog(language).messages, table.names())
    first = 0 if known is None else known.moves
    for n, one in enumerate(table.done[first:], start=first + 1):
        lines.append(LogLine(n, one.seat, reader.read(in_notation(one.seat, one.option)), ""))
    return lines


def facts(house: House, table: Table, at: Viewer) -> dict[str, object]:
    """What a program is told: why the match cannot go on, and how it stood for its own seat. The lock is held."""
    seat = at.mine[0] if at.mine else NOBODY
    known = stood(house, table, seat)
    why = "" if table.stranded is None else Reader().read(table.stranded.message)
    told: dict[str, object] = {"stranded": why, "seat": None if seat == NOBODY else seat}
    if known is not None:
        told["stood_after"] = known.moves
        told["view"] = known.view or {}
        told["points"] = [score.to_json() for score in known.points]
    return told


async def end_as_it_stands(house: House, table: Table, at: Viewer) -> None:
    """The host ends a match that cannot go on: the scores of its last snapshot are the result."""
    async with table.lock:
        await house.bring(table)
        if not at.is_host(table):
            raise NotAllowed("only the host may end the match as it stands")
        if table.stranded is None or table.status != "playing":
            check_running(table)
            raise Conflict("this match can go on: only one that cannot is ended as it stands")
        with house.store.reading() as connection:
            result = snapshots.scores(connection, table.id)
        now = clock.now()
        ended = {"status": "over", "stands": True, "who": NOBODY, "moved": now, "result": json.dumps(result)}

        def job(connection: Connection) -> None:
            connection.execute(update(tables).where(tables.c.id == table.id).values(**ended))
            house.announce(
                connection, table, msgid("{0} has ended the match as it stood"), house.people.name_of(table.host)
            )

        await house.store.write(job)
        table.status = "over"
        table.stands = True
        table.stranded = Stranded(ENDED)
        table.result = result
        table.moved = now
        house.tell(table)
