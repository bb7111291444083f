"""Tables in memory: loaded when first needed, replayed from their history, and locked for every change."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from types import TracebackType

from sqlalchemy import Connection, select

from triclinium.engine.auto_replies import AutoReplies, AutoReply
from triclinium.engine.core.text import msgid
from triclinium.server.errors import NotFound, Stranded
from triclinium.server.runtime import Runtime
from triclinium.server.storage import components
from triclinium.server.storage.schema import REMOVED, departures, history, seats, tables, wishes
from triclinium.server.tables import snapshots
from triclinium.server.tables.table import (
    HistoryRow,
    LockedTable,
    Occupant,
    Table,
    TableProgress,
    TableRow,
    drop_undone,
)

log = logging.getLogger("triclinium.server")
ENDED_BY_CONSENT = msgid("All players agreed to end this match in its last position.")
ABANDONED = msgid("This match was abandoned.")
NO_REPLAY = msgid("This match cannot continue here: the rules installed on this server cannot replay its moves.")


class TableLock:
    """The context manager of `TableRepository.locked`."""

    __slots__ = ("_handle", "_loads_match", "_repository", "_table", "_version")

    def __init__(self, repository: "TableRepository", table: Table | str, version: int | None, loads_match: bool):
        self._repository = repository
        self._table = table
        self._version = version
        self._loads_match = loads_match

    async def __aenter__(self) -> LockedTable:
        table = self._table
        if isinstance(table, str):
            table = await self._repository.get_table(table, self._version)
        handle = await table.acquire()
        if self._loads_match:
            try:
                await self._repository.load_match(handle)
            except BaseException:
                handle.release()
                raise
        self._handle = handle
        return handle

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._handle.release()


class TableRepository:
    """The tables of a server. They stay in memory while they are used."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.store = runtime.store
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        # Set if other servers share the database: updates a table in memory before it is used.
        self.refresh_table: Callable[[Table], Awaitable[None]] | None = None

    def locked(self, table: Table | str, version: int | None = None, *, loads_match: bool = True) -> TableLock:
        """Return a context manager that locks a table (an object or an id) and yields its `LockedTable`.

        The match of a table that has begun is loaded, unless ``loads_match`` is False. ``version`` is that of
        `get_table`. Raise `NotFound` if there is no such table.
        """
        return TableLock(self, table, version, loads_match)

    async def get_table(self, id: str, version: int | None = None) -> Table:
        """Return a table by its id, with its match if it has begun. Raise `NotFound` if there is none.

        ``version`` is the version that the caller is about to change. A table in memory that still has it is not
        compared with the database, because the change itself fails if the table has changed.
        """
        table = self._tables.get(id)
        if table is None:
            if not (6 <= len(id) <= 12 and id.isalnum()):
                raise NotFound("There is no such table.")
            lock = self._loading.setdefault(id, asyncio.Lock())
            try:
                async with lock:
                    table = self._tables.get(id)
                    if table is None:
                        loaded = await self.runtime.run_in_thread(self.load_table, id)
                        table = self._tables.get(id) or loaded  # there is only one object for each table
                        self._cache_table(table)
            finally:
                self._loading.pop(id, None)
        else:
            self._tables.move_to_end(id)
            if self.refresh_table is not None and version != table.version:
                await self.refresh_table(table)
        if table.begun and table.match is None and table.stranded is None:
            async with self.locked(table):
                pass
        return table

    def find_cached_table(self, id: str) -> Table | None:
        """Return a table if it is in memory, or None."""
        return self._tables.get(id)

    def list_cached_tables(self) -> list[Table]:
        """Return the tables that are in memory."""
        return list(self._tables.values())

    def _cache_table(self, table: Table) -> None:
        limit = self.runtime.settings.max_loaded_tables
        self._tables[table.id] = table
        if len(self._tables) > limit:
            for id, other in list(self._tables.items())[:64]:
                is_idle = not other.hub.listeners and not other.is_locked and other.tasks.bot_task is None
                if is_idle and other is not table:
                    del self._tables[id]
                    if len(self._tables) <= limit:
                        break

    def drop_table(self, id: str) -> None:
        """Remove a deleted table from memory, and close its streams."""
        gone = self._tables.pop(id, None)
        if gone is not None:
            gone.hub.close()
            if gone.tasks.bot_task is not None:
                gone.tasks.bot_task.cancel()

    def update_rows(self, change: Callable[[TableRow], TableRow]) -> None:
        """Change the stored facts of all tables in memory, after a change to an account is stored.

        This needs no lock: it replaces the rows without an await, and all other changes begin with the current row.
        """
        for table in self._tables.values():
            table.replace_row_at_once(change)

    def close_streams(self) -> None:
        """Close all event streams before the server stops."""
        for table in self._tables.values():
            table.hub.close()

    # -- reading the database ---------------------------------------------------------------------------------------

    async def load_match(self, table: LockedTable) -> None:
        """Replay the match of a table that has begun, or mark the table as stranded if that fails."""
        if table.match is None and table.begun and table.stranded is None:
            await self.runtime.run_in_thread(self.replay_match, table)

    def replay_match(self, table: LockedTable) -> None:
        """Replay the stored history of a table that has begun. Call this in a thread."""
        done = self.load_history(table.id)
        table.auto_replies = self.load_auto_replies(table.id)
        if table.ended_early:
            table.mark_stranded(Stranded(ABANDONED if table.abandoned else ENDED_BY_CONSENT), done)
            return
        try:
            table.resume(done)
        except Exception as error:  # the stored data stays readable even if a game's code fails
            gone = error if isinstance(error, Stranded) else Stranded(NO_REPLAY)
            table.mark_stranded(gone, done)
            log.warning("table %s is shown at its last snapshot: %s", table.id, error)

    def resume_match(self, table: LockedTable) -> None:
        """Replay the stored history, and raise any error that occurs. Call this in a thread."""
        table.resume(self.load_history(table.id))

    def load_table(self, id: str, *, with_history: bool = False) -> Table:
        """Return a table from the database, without its match.

        Call this in a thread. Raise `NotFound` if there is none.
        """
        with self.store.read_connection() as connection:
            row = connection.execute(select(tables).where(tables.c.id == id)).mappings().one_or_none()
            if row is None or row["status"] == REMOVED:
                raise NotFound("There is no such table.")
            wanted = select(seats).where(seats.c.table == id).order_by(seats.c.seat)
            seat_rows: list[dict[str, object]] = [
                {str(name): value for name, value in seat.items()} for seat in connection.execute(wanted).mappings()
            ]
            columns: dict[str, object] = {str(name): value for name, value in row.items()}
            text = components.load_components_text(connection, str(row["file"])) if row["file"] else ""
            occupants = tuple(Occupant.from_columns(seat) for seat in seat_rows)
            opened = select(departures.c.seat).where(departures.c.table == id, departures.c.how == "opened")
            opened_seats = set(connection.execute(opened).scalars())
            table_row = TableRow.from_columns(
                columns,
                components.load_table_game(str(row["game"]), str(row["components"]), text),
                text,
                occupants,
                _load_departures(connection, id),
                frozenset(each.seat for each in occupants if each.is_vacant and each.seat in opened_seats),
                opened_late=connection.execute(opened.where(departures.c.moves > 0)).first() is not None,
            )
            snapshot_at = snapshots.load_snapshot_move(connection, id)
        progress = TableProgress.from_columns(columns, table_row.options, seat_rows, snapshot_at)
        return Table(table_row, progress, drop_undone(self.load_history(id)) if with_history else [])

    def load_history(self, id: str, after: int = 0) -> list[HistoryRow]:
        """Return the rows of a table's history after a version. Call this in a thread."""
        wanted = select(history).where(history.c.table == id, history.c.version > after).order_by(history.c.version)
        with self.store.read_connection() as connection:
            rows = connection.execute(wanted)
            return [
                HistoryRow(
                    row.version,
                    row.kind,
                    row.seat,
                    row.option,
                    row.key,
                    row.bot,
                    row.at,
                    row.automatic,
                    row.took,
                    row.asked,
                )
                for row in rows
            ]

    def load_auto_replies(self, id: str) -> AutoReplies:
        """Return the auto-replies of a table. Call this in a thread."""
        with self.store.read_connection() as connection:
            rows = connection.execute(select(wishes).where(wishes.c.table == id))
            replies = [AutoReply(row.seat, row.step, row.until, (row.round, row.turn), row.text) for row in rows]
        return {(reply.seat, reply.step): reply for reply in replies}


def _load_departures(connection: Connection, id: str) -> dict[int, str]:
    rows = connection.execute(select(departures).where(departures.c.table == id).order_by(departures.c.at))
    return {row.person: row.how for row in rows if row.person is not None}
