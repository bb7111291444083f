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
from triclinium.server.errors import Conflict, NotStored, RequestError
from triclinium.server.live import encode
from triclinium.server.server import Server
from triclinium.server.storage.schema import tables
from triclinium.server.tables.moves import check_running, wake_all
from triclinium.server.tables.presence import may_be_voted_in, span
from triclinium.server.tables.seating import stand_in
from triclinium.server.tables.table import Occupant, Table
from triclinium.server.told.outbox import tell
from triclinium.server.told.turns import told_person

log = logging.getLogger("triclinium.absence")


async def sweep(server: Server) -> None:
    """For ever: look whether somebody has kept a table waiting, and whether a bot sleeps that is asked."""
    look = wake_all  # at the start: people must find their way back before they are missed
    while True:
        try:
            await look(server)
        except (TricliniumError, SQLAlchemyError) as error:
            log.warning("nobody was looked for this time: %s", error)
        look = look_round
        await asyncio.sleep(server.settings.sweep)


async def look_round(server: Server) -> None:
    """Look once."""
    for id in await server.in_thread(_late, server):
        try:
            await look(server, await server.table(id))
        except NotStored:
            raise
        except TricliniumError as error:
            log.warning("table %s: %s", id, error)
    await wake_all(server)


def _late(server: Server) -> list[str]:
    """The tables where somebody has not decided for long."""
    now = clock.now()
    with server.store.reading() as connection:
        rows = connection.execute(
            select(tables.c.id).where(
                tables.c.status == "playing",
                ((tables.c.takeover > 0) & (tables.c.moved + tables.c.takeover < now))
                | ((tables.c.remind > 0) & (tables.c.moved + tables.c.remind < now)),
            )
        )
        return [str(row.id) for row in rows]


async def look(server: Server, table: Table) -> None:
    """Remind whoever is asked, or let a bot sit in."""
    async with table.lock:
        if table.status != "playing" or table.match is None or table.who == NOBODY:
            return
        occupant = table.occupants[table.who]
        now = clock.now()
        waited = now - table.moved
        if occupant.plays_by_itself:
            return
        if table.options.takeover and waited > table.options.takeover:
            if now - server.opened >= server.settings.grace:
                await stand_in(server, table, occupant, msgid("a bot decides for {0}, who has been away"))
        elif table.options.remind and waited > table.options.remind and table.reminded < table.moved:
            table.reminded = now
            table.hub.tell(encode("remind", json.dumps({"who": table.who, "version": table.version})))


async def vote(server: Server, table: Table, absent: Seat, mine: tuple[Seat, ...]) -> bool:
    """The others ask for a bot in somebody's place; done when more than half of the other people do.

    A vote counts as long as the absent player stays silent; so votes are kept in memory, as signs of life are.
    """
    async with table.lock:
        await server.load_match(table)
        check_running(table)
        if not 0 <= absent < len(table.occupants) or absent in mine or not mine:
            raise RequestError("vote for somebody else's seat")
        occupant = table.occupants[absent]
        if occupant.plays_by_itself:
            raise Conflict("a bot decides there already")
        wait = may_be_voted_in(server, table, occupant)
        if wait is None:
            raise Conflict("this player is at the table")
        if wait > 0:
            raise Conflict("{0} can be replaced by vote in {1}", occupant.name, span(wait))

        others = {one.seat: one.person for one in table.occupants if one.owned and not one.plays_by_itself}
        people = set(others.values()) - {occupant.person}
        ballots = table.ballots.setdefault(absent, {})
        ballots.update({table.occupants[seat].person: live.clock() for seat in mine})
        silent = table.hub.silent(absent)
        agreed = {person for person, at in ballots.items() if person in people and live.clock() - at < silent}
        if 2 * len(agreed) > len(people):
            del table.ballots[absent]
            await stand_in(server, table, occupant, msgid("a bot decides for {0}, by the others' vote"))
            return True
        await _tell_of_vote(server, table, occupant, table.occupants[mine[0]].name)
        server.tell_seats(table)
        return False


async def _tell_of_vote(server: Server, table: Table, occupant: Occupant, voter: str) -> None:
    """Whoever is voted about hears of it, once for each decision that they keep the others waiting with."""
    person = told_person(occupant)
    if person in server.reachable:
        assert person is not None
        key = str(table.version)
        await server.store.write(lambda connection: tell(connection, person, "vote", table.id, key, names=[voter]))
