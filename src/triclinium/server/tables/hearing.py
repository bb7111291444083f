"""What other servers on the same database have done, as far as it matters to what is in memory here."""

import asyncio
import itertools
import logging

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import TricliniumError
from triclinium.server import live
from triclinium.server.bots.pending import Progress
from triclinium.server.errors import NotFound
from triclinium.server.server import Server
from triclinium.server.storage.peers import ANEW, BALLOT, CHAT, DEVICE, GONE, HERE, READY, REVIEW, TABLE, Facts
from triclinium.server.storage.schema import REMOVED, tables
from triclinium.server.tables import chat
from triclinium.server.tables.changing import renew
from triclinium.server.tables.moves import wake, wake_all
from triclinium.server.tables.table import Table

TAKE_OVER = 5.0  # seconds between two looks for bots whose server has died
NONE = -1  # the stamp of a table that is not there
TELL_AGAIN = 6  # looks between two tellings of who is here
log = logging.getLogger("triclinium.peers")


class Hearing:
    """One server's ear for the others."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._reading: set[str] = set()  # tables that will be read anew, by id

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
            self._read_soon(table)
        elif kind == CHAT:
            chat.tell_all(table, facts["seat"], facts["name"], facts["text"])
        elif kind == READY:
            table.ready.update(facts["seats"])
            table.ready_until = facts["until"]
            self.server.readying.add(table.id)
            self.server.tell_seats(table)
        elif kind == BALLOT:
            table.ballots.setdefault(facts["seat"], {}).update(dict.fromkeys(facts["people"], live.clock()))
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
        table.hub.tell(live.encode("review", "{}"))

    def look_at_everything(self) -> None:
        """Something has changed that many know, or nobody knows what was not heard."""
        self.server.spawn(self._look_at_everything(), "looking at everything again")

    async def _look_at_everything(self) -> None:
        await self.server.in_thread(self.server.reread)
        self.server.send_away()
        for table in self.server.in_memory():
            table.stamp = -1  # whatever it is
            self._read_soon(table)

    async def freshen(self, table: Table) -> None:
        """Whoever has moved at another server sees it at this one, however soon they come."""
        stored = await self.server.in_thread(self._stamp, table.id)
        if stored == NONE:
            self.server.drop_table(table.id)
            raise NotFound("there is no such table")
        if table.stamp < stored:
            await self._read(table)

    def _read_soon(self, table: Table) -> None:
        if table.id not in self._reading:
            self._reading.add(table.id)
            self.server.spawn(self._read(table), f"reading {table.id} anew")

    async def _read(self, table: Table) -> None:
        """Read the table as it is stored now; whoever listens here is told."""
        server = self.server
        try:
            async with table.lock:
                self._reading.discard(table.id)  # what is heard from here on is read again
                if table.stamp < await server.in_thread(self._stamp, table.id):
                    moved, seated = _moved(table), _seated(table)
                    await renew(server, table)
                    if moved != _moved(table):
                        server.tell(table)
                    if moved == _moved(table) or seated != _seated(table):
                        server.tell_seats(table)
                    wake(server, table)
        except (TricliniumError, SQLAlchemyError) as error:
            server.invalidate(table)
            log.warning("table %s could not be read anew: %s", table.id, error)
        finally:
            self._reading.discard(table.id)

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


def _moved(table: Table) -> tuple[int, str]:
    return table.version, table.status


def _seated(table: Table) -> list[tuple[object, ...]]:
    return [(one.person, one.name, one.kind, one.taken, one.standin) for one in table.occupants]
