"""Synchronization of the tables in memory with changes that other servers on the same database make."""

import asyncio
import itertools
import logging
import sys

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import TricliniumError
from triclinium.server.bots.jobs import ReviewProgress
from triclinium.server.errors import NotFound
from triclinium.server.services import Services
from triclinium.server.storage.pubsub import (
    CHAT,
    DEVICE_SIGNED_OUT,
    PRESENCE,
    READY,
    RECONNECT_SECONDS,
    RELOAD_ALL,
    REVIEW_PROGRESS,
    SUBSTITUTE_VOTE,
    TABLE_CHANGED,
    TABLE_DELETED,
    Payload,
)
from triclinium.server.storage.schema import REMOVED, tables
from triclinium.server.tables import chat, event_stream, replication
from triclinium.server.tables.broadcast import broadcast_presence, broadcast_seats, broadcast_table, publish_presence
from triclinium.server.tables.moves import schedule_all_bots, schedule_bot
from triclinium.server.tables.table import LockedTable, Table
from triclinium.server.tables.versioned_write import reload_table

TAKEOVER_INTERVAL = 5.0  # seconds between two checks for bots whose server has stopped
NO_STAMP = -1  # the stamp of a table that does not exist
UNKNOWN_CHANGE: Payload = {"stamp": sys.maxsize}  # represents changes whose messages were lost
PRESENCE_EVERY = 6  # number of takeover checks between two messages about presence
log = logging.getLogger("triclinium.peers")


class PeerListener:
    """A listener for changes that other servers of the same cluster publish."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._pending_changes: dict[str, list[Payload]] = {}  # changes to apply, by table id

    def start(self) -> None:
        if self.services.peers.shared:
            self.services.peers.start(self.handle_message, self.reload_everything, self.is_relevant)
            self.services.tables.refresh_table = self.refresh_table
            self.services.runtime.start_task(self._run_takeover_loop(), "take over bots of stopped servers")

    def is_relevant(self, kind: str, facts: Payload) -> bool:
        """Return whether a message concerns a table in memory. This runs on the listening thread."""
        return "id" not in facts or self.services.tables.find_cached_table(facts["id"]) is not None

    def handle_message(self, kind: str, facts: Payload) -> None:
        """Apply a message of another server."""
        if kind == RELOAD_ALL:
            self.reload_everything()
        elif kind == DEVICE_SIGNED_OUT:
            self.services.drop_device(facts["hash"])
        elif kind == TABLE_DELETED:
            self.services.tables.drop_table(facts["id"])
        elif (table := self.services.tables.find_cached_table(facts["id"])) is None:
            return
        elif kind == TABLE_CHANGED and table.stamp < facts["stamp"]:
            self._queue_change(table, facts)
        elif kind == CHAT:
            chat.broadcast_message(table, facts["seat"], facts["name"], facts["text"])
        elif kind == READY:
            table.votes.ready.update(facts["seats"])
            table.votes.ready_until = facts["until"]
            self.services.ready_checks.add(table.id)
            broadcast_seats(table)
        elif kind == SUBSTITUTE_VOTE:
            table.votes.ballots.setdefault(facts["seat"], {}).update(
                dict.fromkeys(facts["people"], event_stream.clock())
            )
            broadcast_seats(table)
        elif kind == REVIEW_PROGRESS:
            self._handle_review(table, facts["steps"])
        elif kind == PRESENCE:
            table.hub.merge_remote_presence(facts["by"], facts)
            broadcast_presence(table)

    def _handle_review(self, table: Table, steps: list[int]) -> None:
        if steps:
            self.services.remote_reviews[table.id] = ReviewProgress.from_steps(steps)
        else:
            self.services.remote_reviews.pop(table.id, None)
        table.hub.broadcast(event_stream.encode_event("review", "{}"))

    def reload_everything(self) -> None:
        """Reload accounts and all tables in memory, after a far-reaching change or lost messages."""
        self.services.runtime.start_task(self._reload_everything(), "check all tables again")

    async def _reload_everything(self) -> None:
        while True:
            try:
                await self.services.runtime.run_in_thread(self.services.reload_accounts)
                break
            except (TricliniumError, SQLAlchemyError) as error:
                log.warning("the tables will be checked again soon: %s", error)
                await asyncio.sleep(RECONNECT_SECONDS)
        self.services.close_banned_streams()
        for table in self.services.tables.list_cached_tables():
            table.tasks.must_reload = True
            self._queue_change(table, UNKNOWN_CHANGE)

    async def refresh_table(self, table: Table) -> None:
        """Bring a table up to date with the database, so that players see their moves at another server.

        Raise `NotFound` if the table was deleted.
        """
        stored = await self.services.runtime.run_in_thread(self._read_stamp, table.id)
        if stored == NO_STAMP:
            self.services.tables.drop_table(table.id)
            raise NotFound("There is no such table.")
        if table.stamp < stored or table.tasks.must_reload:
            await self._apply_changes(table, stored)

    def _queue_change(self, table: Table, facts: Payload) -> None:
        if table.id in self._pending_changes:
            self._pending_changes[table.id].append(facts)
        else:
            self._pending_changes[table.id] = [facts]
            self.services.runtime.start_task(self._apply_changes(table), f"listen for changes at {table.id}")

    async def _apply_changes(self, table: Table, stored: int = NO_STAMP) -> None:
        """Apply the pending changes of a table in order and notify its listeners.

        ``stored`` is the stamp that the table must reach; it is reloaded if the changes do not suffice.
        """
        services = self.services
        try:
            async with services.tables.locked(table, loads_match=False) as locked:
                changes = self._pending_changes.pop(locked.id, [])
                applied = [self._apply_moves(locked, facts) for facts in changes if locked.stamp < facts["stamp"]]
                must_reload = locked.tasks.must_reload
                if must_reload or not all(applied) or locked.stamp < stored:
                    stamp_now = await services.runtime.run_in_thread(self._read_stamp, locked.id)
                    if locked.stamp < stamp_now or (must_reload and stamp_now != NO_STAMP):
                        await reload_table(services.tables, locked)
                schedule_bot(services, locked)
        except (TricliniumError, SQLAlchemyError) as error:
            async with services.tables.locked(table, loads_match=False) as locked:
                locked.invalidate_match()
            log.warning("table %s could not be reloaded: %s", table.id, error)

    def _apply_moves(self, table: LockedTable, facts: Payload) -> bool:
        """Apply moves that a message contains in full. Return False if they do not follow the state in memory."""
        applied = replication.apply_moves(table, facts)
        if applied:
            broadcast_table(table)
        return applied

    def _read_stamp(self, id: str) -> int:
        with self.services.store.read_connection() as connection:
            conditions = (tables.c.id == id, tables.c.status != REMOVED)
            stamp = connection.execute(select(tables.c.stamp).where(*conditions)).scalar_one_or_none()
        return NO_STAMP if stamp is None else int(stamp)

    async def _run_takeover_loop(self) -> None:
        """Start the bots of tables whose server has stopped, and repeat the messages about presence, forever."""
        for n in itertools.count(1):
            await asyncio.sleep(TAKEOVER_INTERVAL)
            try:
                if n % PRESENCE_EVERY == 0:
                    for table in [
                        candidate for candidate in self.services.tables.list_cached_tables() if candidate.hub.listeners
                    ]:
                        await publish_presence(self.services.runtime, table)
                await schedule_all_bots(self.services)
            except (TricliniumError, SQLAlchemyError) as error:
                log.warning("bots of stopped servers could not be checked, and the server will try again: %s", error)
