"""What other servers on the same database have done, as far as it matters to what is in memory here."""

import asyncio
import itertools
import logging
import sys

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import TricliniumError
from triclinium.server.bots.jobs import Progress
from triclinium.server.cluster import replication
from triclinium.server.cluster.pubsub import ANEW, BALLOT, CHAT, DEVICE, GONE, HERE, PAUSE, READY, REVIEW, TABLE, Facts
from triclinium.server.cluster.versioned_write import renew
from triclinium.server.errors import NotFound
from triclinium.server.server import Server
from triclinium.server.storage.schema import REMOVED, tables
from triclinium.server.tables import chat, event_stream
from triclinium.server.tables.moves import wake, wake_all
from triclinium.server.tables.table import Table

TAKE_OVER = 5.0  # seconds between two looks for bots whose server has died
NONE = -1  # the stamp of a table that is not there
UNHEARD: Facts = {"stamp": sys.maxsize}  # something may have changed that nobody here has heard of
TELL_AGAIN = 6  # looks between two tellings of who is here
log = logging.getLogger("triclinium.peers")


class Hearing:
    """One server's ear for the others."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._waiting: dict[str, list[Facts]] = {}  # what was said of tables and will be looked at, by id

    def start(self) -> None:
        if self.server.peers.shared:
            self.server.peers.start(self.heard, self.look_at_everything, self.matters)
            self.server.freshen = self.freshen
            self.server.spawn(self._take_over(), "looking for bots whose server has died")

    def matters(self, kind: str, facts: Facts) -> bool:
        """Whether something that was said elsewhere is about what is in memory here; on the listening thread."""
        return "id" not in facts or self.server.known(facts["id"]) is not None

    def heard(self, kind: str, facts: Facts) -> None:
        """Something was said elsewhere."""
        if kind == ANEW:
            self.look_at_everything()
        elif kind == DEVICE:
            self.server.drop_device(facts["hash"])
        elif kind == GONE:
            self.server.drop_table(facts["id"])
        elif (table := self.server.known(facts["id"])) is None:
            return
        elif kind == TABLE and table.stamp < facts["stamp"]:
            self._follow_soon(table, facts)
        elif kind == CHAT:
            chat.tell_all(table, facts["seat"], facts["name"], facts["text"])
        elif kind == READY:
            table.ready.update(facts["seats"])
            table.ready_until = facts["until"]
            self.server.readying.add(table.id)
            self.server.tell_seats(table)
        elif kind == BALLOT:
            table.ballots.setdefault(facts["seat"], {}).update(dict.fromkeys(facts["people"], event_stream.clock()))
            self.server.tell_seats(table)
        elif kind == REVIEW:
            self._hear_review(table, facts["steps"])
        elif kind == HERE:
            table.hub.hear(facts["by"], facts)
            self.server.tell_who_is_here(table)

    def _hear_review(self, table: Table, steps: list[int]) -> None:
        if steps:
            self.server.reviewed_elsewhere[table.id] = Progress.told(steps)
        else:
            self.server.reviewed_elsewhere.pop(table.id, None)
        table.hub.tell(event_stream.encode("review", "{}"))

    def look_at_everything(self) -> None:
        """Something has changed that many know, or nobody knows what was not heard."""
        self.server.spawn(self._look_at_everything(), "looking at everything again")

    async def _look_at_everything(self) -> None:
        while True:
            try:
                await self.server.in_thread(self.server.reread)
                break
            except (TricliniumError, SQLAlchemyError) as error:
                log.warning("everything is looked at in a moment: %s", error)
                await asyncio.sleep(PAUSE)
        self.server.send_away()
        for table in self.server.in_memory():
            table.stamp = -1  # whatever it is
            self._follow_soon(table, UNHEARD)

    async def freshen(self, table: Table) -> None:
        """Whoever has moved at another server sees it at this one, however soon they come."""
        stored = await self.server.in_thread(self._stamp, table.id)
        if stored == NONE:
            self.server.drop_table(table.id)
            raise NotFound("there is no such table")
        if table.stamp < stored:
            await self._follow(table, stored)

    def _follow_soon(self, table: Table, facts: Facts) -> None:
        if table.id in self._waiting:
            self._waiting[table.id].append(facts)
        else:
            self._waiting[table.id] = [facts]
            self.server.spawn(self._follow(table), f"following what happens at {table.id}")

    async def _follow(self, table: Table, stored: int = NONE) -> None:
        """Do what was heard of a table, in its order; whoever listens here is told. ``stored``: at least that stamp."""
        server = self.server
        try:
            async with table.lock:
                heard = self._waiting.pop(table.id, [])
                known = [self._play(table, facts) for facts in heard if table.stamp < facts["stamp"]]
                unknown = not all(known) or table.stamp < stored
                if unknown and table.stamp < await server.in_thread(self._stamp, table.id):
                    await renew(server, table)
                wake(server, table)
        except (TricliniumError, SQLAlchemyError) as error:
            server.invalidate(table)
            log.warning("table %s could not be read anew: %s", table.id, error)

    def _play(self, table: Table, facts: Facts) -> bool:
        """Moves that were told whole, if they follow what is in memory."""
        follows = replication.follow(table, facts)
        if follows:
            self.server.tell(table)
        return follows

    def _stamp(self, id: str) -> int:
        with self.server.store.reading() as connection:
            kept = (tables.c.id == id, tables.c.status != REMOVED)
            found = connection.execute(select(tables.c.stamp).where(*kept)).scalar_one_or_none()
        return NONE if found is None else int(found)

    async def _take_over(self) -> None:
        """For ever: bots go on wherever one is asked and no server thinks for it; who is here is told again."""
        for n in itertools.count(1):
            await asyncio.sleep(TAKE_OVER)
            try:
                if n % TELL_AGAIN == 0:
                    for table in [one for one in self.server.in_memory() if one.hub.listeners]:
                        await self.server.tell_others(table)
                await wake_all(self.server)
            except (TricliniumError, SQLAlchemyError) as error:
                log.warning("nobody's bots were looked for this time: %s", error)
