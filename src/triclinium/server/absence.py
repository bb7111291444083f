"""Absent players: a reminder after a while, a bot that sits in after a longer one or by the others' vote."""

import asyncio
import json
import logging
import time

from sqlalchemy import Connection, delete, insert, select

from triclinium.kernel.errors import TricliniumError
from triclinium.kernel.state import NOBODY, Seat
from triclinium.server.errors import Conflict, HouseError
from triclinium.server.house import House
from triclinium.server.live import encode
from triclinium.server.play import check_running, wake
from triclinium.server.schema import tables, votes
from triclinium.server.seating import stand_in
from triclinium.server.table import Table

log = logging.getLogger("triclinium.absence")


async def sweep(house: House) -> None:
    """For ever: look whether somebody has kept a table waiting."""
    while True:
        await asyncio.sleep(house.settings.sweep)
        for id in await house.in_thread(_late, house):
            try:
                await look(house, await house.table(id))
            except TricliniumError as error:
                log.warning("table %s: %s", id, error)
        for table in house.in_memory():
            if table.match is not None:
                wake(house, table)


def _late(house: House) -> list[str]:
    """The tables where somebody has not decided for long."""
    with house.store.reading() as connection:
        rows = connection.execute(
            select(tables.c.id).where(
                tables.c.status == "playing",
                ((tables.c.takeover > 0) & (tables.c.moved + tables.c.takeover < time.time()))
                | ((tables.c.remind > 0) & (tables.c.moved + tables.c.remind < time.time())),
            )
        )
        return [str(row.id) for row in rows]


async def look(house: House, table: Table) -> None:
    """Remind whoever is asked, or let a bot sit in."""
    async with table.lock:
        if table.status != "playing" or table.match is None or table.who == NOBODY:
            return
        sitter = table.sitters[table.who]
        waited = time.time() - table.moved
        if sitter.plays_by_itself:
            return
        if table.takeover and waited > table.takeover:
            await stand_in(house, table, sitter, "a bot decides for {0}, who has been away")
        elif table.remind and waited > table.remind and table.reminded < table.moved:
            table.reminded = time.time()
            table.hub.tell(encode("remind", json.dumps({"who": table.who, "version": table.version})))


async def vote(house: House, table: Table, absent: Seat, mine: tuple[Seat, ...]) -> bool:
    """The others ask for a bot in somebody's place; done when all of them do."""
    async with table.lock:
        await house.bring(table)
        check_running(table)
        if not 0 <= absent < len(table.sitters) or absent in mine or not mine:
            raise HouseError("vote for somebody else's seat")
        sitter = table.sitters[absent]
        if sitter.plays_by_itself:
            raise Conflict("a bot decides there already")
        if absent in table.hub.here():
            raise Conflict("this player is at the table")

        def job(connection: Connection) -> set[Seat]:
            subject = f"absent {absent}"
            for seat in mine:
                once = (votes.c.table == table.id, votes.c.subject == subject, votes.c.seat == seat)
                connection.execute(delete(votes).where(*once))
                connection.execute(
                    insert(votes).values(table=table.id, subject=subject, seat=seat, version=table.version)
                )
            found = connection.execute(
                select(votes.c.seat).where(
                    votes.c.table == table.id, votes.c.subject == subject, votes.c.version == table.version
                )
            )
            return {row.seat for row in found}

        agreed = await house.store.write(job)
        others = {other.seat for other in table.sitters if not other.plays_by_itself and other.seat != absent}
        if others <= agreed:
            await stand_in(house, table, sitter, "a bot decides for {0}, by the others' vote")
            return True
        house.tell(table)
        return False
