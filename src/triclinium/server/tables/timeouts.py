"""Absent players: a reminder after a while, a bot that sits in after a longer one or by the others' vote."""

import asyncio
import json
import logging

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.core.text import msgid
from triclinium.server import clock, live
from triclinium.server.errors import Conflict, HouseError, NotStored
from triclinium.server.house import House
from triclinium.server.live import encode
from triclinium.server.storage.schema import tables
from triclinium.server.tables.moves import check_running, wake_all
from triclinium.server.tables.presence import may_be_voted_in, span
from triclinium.server.tables.seating import stand_in
from triclinium.server.tables.table import Table

log = logging.getLogger("triclinium.absence")


async def sweep(house: House) -> None:
    """For ever: look whether somebody has kept a table waiting, and whether a bot sleeps that is asked."""
    look = wake_all  # at the start: people must find their way back before they are missed
    while True:
        try:
            await look(house)
        except (TricliniumError, SQLAlchemyError) as error:
            log.warning("nobody was looked for this time: %s", error)
        look = look_round
        await asyncio.sleep(house.settings.sweep)


async def look_round(house: House) -> None:
    """Look once."""
    for id in await house.in_thread(_late, house):
        try:
            await look(house, await house.table(id))
        except NotStored:
            raise
        except TricliniumError as error:
            log.warning("table %s: %s", id, error)
    await wake_all(house)


def _late(house: House) -> list[str]:
    """The tables where somebody has not decided for long."""
    now = clock.now()
    with house.store.reading() as connection:
        rows = connection.execute(
            select(tables.c.id).where(
                tables.c.status == "playing",
                ((tables.c.takeover > 0) & (tables.c.moved + tables.c.takeover < now))
                | ((tables.c.remind > 0) & (tables.c.moved + tables.c.remind < now)),
            )
        )
        return [str(row.id) for row in rows]


async def look(house: House, table: Table) -> None:
    """Remind whoever is asked, or let a bot sit in."""
    async with table.lock:
        if table.status != "playing" or table.match is None or table.who == NOBODY:
            return
        sitter = table.sitters[table.who]
        now = clock.now()
        waited = now - table.moved
        if sitter.plays_by_itself:
            return
        if table.options.takeover and waited > table.options.takeover:
            if now - house.opened >= house.settings.grace:
                await stand_in(house, table, sitter, msgid("a bot decides for {0}, who has been away"))
        elif table.options.remind and waited > table.options.remind and table.reminded < table.moved:
            table.reminded = now
            table.hub.tell(encode("remind", json.dumps({"who": table.who, "version": table.version})))


async def vote(house: House, table: Table, absent: Seat, mine: tuple[Seat, ...]) -> bool:
    """The others ask for a bot in somebody's place; done when more than half of the other people do.

    A vote counts as long as the absent player stays silent; so votes are kept in memory, as signs of life are.
    """
    async with table.lock:
        await house.bring(table)
        check_running(table)
        if not 0 <= absent < len(table.sitters) or absent in mine or not mine:
            raise HouseError("vote for somebody else's seat")
        sitter = table.sitters[absent]
        if sitter.plays_by_itself:
            raise Conflict("a bot decides there already")
        wait = may_be_voted_in(house, table, sitter)
        if wait is None:
            raise Conflict("this player is at the table")
        if wait > 0:
            raise Conflict("{0} can be replaced by vote in {1}", sitter.name, span(wait))

        others = {one.seat: one.person for one in table.sitters if one.owned and not one.plays_by_itself}
        people = set(others.values()) - {sitter.person}
        ballots = table.ballots.setdefault(absent, {})
        ballots.update({table.sitters[seat].person: live.clock() for seat in mine})
        silent = table.hub.silent(absent)
        agreed = {person for person, at in ballots.items() if person in people and live.clock() - at < silent}
        if 2 * len(agreed) > len(people):
            del table.ballots[absent]
            await stand_in(house, table, sitter, msgid("a bot decides for {0}, by the others' vote"))
            return True
        house.tell_seats(table)
        return False
