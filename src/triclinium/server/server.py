"""The server: its tables, its people and its bots. Tables are kept in memory while they are used."""

import asyncio
import contextlib
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from sqlalchemy import Connection, select
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.auto_replies import AutoReplies, AutoReply
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.core.text import Reader, msgid
from triclinium.server import server_time
from triclinium.server.accounts.bans import BAN, ActiveBans
from triclinium.server.accounts.owner import OwnerBrowsers
from triclinium.server.accounts.site_password import SitePassword
from triclinium.server.accounts.users import PeopleDirectory, Person
from triclinium.server.bots.jobs import CallerLocks, ReviewProgress
from triclinium.server.bots.pool import BotPool
from triclinium.server.cluster.pubsub import PRESENCE as WHO_IS_HERE
from triclinium.server.crypto import ServerKey
from triclinium.server.errors import NotFound, Stranded
from triclinium.server.log_format import REQUEST_ID
from triclinium.server.net.rate_limit import THREAD_TIME
from triclinium.server.net.reachability import Reachability
from triclinium.server.notifications.mail import Mailer
from triclinium.server.notifications.outbox import load_notifiable_people
from triclinium.server.presenter.seat_ids import nobody_to_none
from triclinium.server.settings import Settings
from triclinium.server.storage import components
from triclinium.server.storage.schema import REMOVED, departures, history, seats, tables, wishes
from triclinium.server.storage.store import Store
from triclinium.server.tables import snapshots
from triclinium.server.tables.announcements import store_announcement
from triclinium.server.tables.event_stream import EventListener, encode_event
from triclinium.server.tables.paused_time import PausedTime
from triclinium.server.tables.table import HistoryRow, Occupant, Table

log = logging.getLogger("triclinium.server")
CLOSE_TIMEOUT = 0.7  # seconds for what waits to be written: more, and whoever stops the server would kill it
PRESENCE_INTERVAL = 0.25  # seconds between two tellings of who is here
ENDED_BY_CONSENT = msgid("this match was ended as it stood, by consent of all")
ABANDONED = msgid("this match was abandoned")
NO_REPLAY = msgid("this match cannot go on here: the rules of its game do not follow its moves any more")
P = ParamSpec("P")
T = TypeVar("T")


class Server:
    """One running server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.database, settings.lock_timeout)
        self.key: ServerKey  # read when the server is prepared: no other server may make one at the same time
        self.reachability = Reachability(settings.url)
        self.peers = self.store.peers
        self.password = SitePassword(self.store)
        self.owners = OwnerBrowsers(self.store)
        self.people = PeopleDirectory(self.store)
        self.paused_time = PausedTime(self.store)
        self.bans = ActiveBans()
        self.mailer = Mailer.read(settings.mail) if settings.mail else None
        self.notifiable_people: set[int] = (
            set()
        )  # people who can be told when they are not here: all of them, or some more
        self.reader: Callable[[str], Reader] = Reader  # of the server's own sentences, by language; pages bring theirs
        self.bot_pool = BotPool(settings.bot_workers, settings.bot_packages)
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        self.reviews_in_progress: dict[str, ReviewProgress] = {}  # reviews that are being made, by table
        self.remote_reviews: dict[str, ReviewProgress] = {}  # the same at other servers
        self.review_locks = CallerLocks()
        self.tasks: set[asyncio.Task[None]] = set()
        self.ready_checks: set[str] = set()  # tables that are full and ask whether everybody is ready, by id
        self.stranded_tables: set[str] = set()  # tables whose match cannot be brought back, by id
        # Where other servers share the database: sees that a table in memory is as it is stored before it is used.
        self.refresh_table: Callable[[Table], Awaitable[None]] | None = None
        self.on_move: Callable[[str, str], None] | None = None  # told of each: its game, and the bot that made it
        self.opened_at = 0.0  # when, by the server's clock; 0: it has not
        # One, whatever the number of cores: Python runs one thread at a time, and each more would take its turn before
        # the loop's. With two, moves beside a flood of pages took twice as long, and no more pages were made.
        self._executor = ThreadPoolExecutor(1, "triclinium-work")

    def open_database(self) -> None:
        """Bring the database up to date and open it, once: whoever wants to hear early what is wrong calls it first."""
        if not self.opened_at:
            self.store.migrate()
            try:
                self.key = ServerKey.load(self.store.database)
                self.password.load(self.settings.password_file)
                self.store.open()
                self.reload_accounts()
            except SQLAlchemyError as error:
                self.store.close()
                raise BadSetup(self.store.database.explain_error(error)) from None
            except BaseException:
                self.store.close()
                raise
            self.opened_at = server_time.now()

    def reload_accounts(self) -> None:
        """What is kept in memory of people, in a thread or at the start: another server may have changed it."""
        self.key = ServerKey.load(self.store.database)
        self.people.clear_cache()
        self.password.read()
        with self.store.read_connection() as connection:
            self.owners.read(connection)
            self.notifiable_people = load_notifiable_people(connection)
            self.paused_time.read(connection)
            self.bans.read(connection)

    def load_secret(self, name: str, make: Callable[[], bytes]) -> bytes:
        """A secret of the house, made the first time it is asked for."""
        return self.store.database.load_or_create_secret(name, make)

    @property
    def fingerprint(self) -> str:
        """What tells this server from any other that answers at its address; no secret."""
        return self.key.sign("health")[:16]

    def close_streams(self) -> None:
        """End every open stream: the server is about to close."""
        for table in self._tables.values():
            table.hub.close()

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        self.bot_pool.close()
        for task in list(self.tasks):
            with contextlib.suppress(asyncio.CancelledError):
                await task
        self.close_streams()
        self._executor.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(self.peers.close)
        await asyncio.to_thread(self.store.close, CLOSE_TIMEOUT)
        self.opened_at = 0.0

    def start_task(self, work: "asyncio._CoroutineLike[None]", name: str) -> "asyncio.Task[None]":
        """A task that the server owns: cancelled when it closes."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self.tasks.add(task)
        task.add_done_callback(self._on_task_done)
        return task

    def _on_task_done(self, task: "asyncio.Task[None]") -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("%s failed", task.get_name(), exc_info=task.exception())

    async def run_in_thread(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Do something long, or something that reads from the disk, beside the loop.

        Whoever is cancelled meanwhile still waits for it: they may hold the lock of the table that it works on.
        """
        bill, request = THREAD_TIME.get(), REQUEST_ID.get()

        def job() -> T:
            began = time.thread_time()
            REQUEST_ID.set(request)  # for what it logs
            try:
                return work(*args, **more)
            finally:
                if bill is not None:
                    bill.milliseconds += (time.thread_time() - began) * 1000

        doing = asyncio.get_running_loop().run_in_executor(self._executor, job)
        try:
            return await asyncio.shield(doing)
        except asyncio.CancelledError:
            await asyncio.wait([doing])
            raise

    # -- tables -------------------------------------------------------------------------------------------------

    async def get_table(self, id: str, version: int | None = None) -> Table:
        """A table by its id, with its match if it has begun; raises NotFound and creates nothing.

        ``version``: the caller knows it so, and will change it. Then whether it still is so is found out by the change.
        """
        table = self._tables.get(id)
        if table is None:
            if not (6 <= len(id) <= 12 and id.isalnum()):
                raise NotFound("there is no such table")
            lock = self._loading.setdefault(id, asyncio.Lock())
            try:
                async with lock:
                    table = self._tables.get(id)
                    if table is None:
                        loaded = await self.run_in_thread(self.load_table, id)
                        table = self._tables.get(id) or loaded  # never a second one of the same table
                        self._cache_table(table)
            finally:
                self._loading.pop(id, None)
        else:
            self._tables.move_to_end(id)
            if self.refresh_table is not None and version != table.version:
                await self.refresh_table(table)
        if table.begun and table.match is None and table.stranded is None:
            async with table.lock:
                await self.load_match(table)
        return table

    def find_cached_table(self, id: str) -> Table | None:
        """A table that is in memory."""
        return self._tables.get(id)

    def list_cached_tables(self) -> list[Table]:
        return list(self._tables.values())

    async def load_match(self, table: Table) -> None:
        """Rebuild the match of a table that has begun, or say why that cannot be done; its lock is held."""
        if table.match is None and table.begun and table.stranded is None:
            await self.run_in_thread(self.replay_match, table)

    def replay_match(self, table: Table) -> None:
        """Replay what is stored of a table that has begun; in a thread, and with the table's lock held."""
        done = self.load_history(table.id)
        table.auto_replies = self.load_auto_replies(table.id)
        if table.ended_early:
            table.mark_stranded(Stranded(ABANDONED if table.abandoned else ENDED_BY_CONSENT), done)
            return
        try:
            table.resume(done)
        except Exception as error:  # whatever fails in a game: what is stored of the table stays readable
            gone = error if isinstance(error, Stranded) else Stranded(NO_REPLAY)
            table.mark_stranded(gone, done)
            log.warning("table %s is shown as it stood: %s", table.id, error)

    def resume_match(self, table: Table) -> None:
        """Replay what is stored; in a thread, and with the table's lock held."""
        table.resume(self.load_history(table.id))

    def load_table(self, id: str) -> Table:
        """A table as it is stored, without its match; in a thread. Raises NotFound."""
        with self.store.read_connection() as connection:
            row = connection.execute(select(tables).where(tables.c.id == id)).mappings().one_or_none()
            if row is None or row["status"] == REMOVED:
                raise NotFound("there is no such table")
            occupants = connection.execute(select(seats).where(seats.c.table == id).order_by(seats.c.seat)).mappings()
            facts: Mapping[str, object] = {str(name): value for name, value in row.items()}
            text = components.load_components_text(connection, str(row["file"])) if row["file"] else ""
            table = Table(
                components.load_table_game(str(row["game"]), str(row["components"]), text),
                facts,
                [Occupant({str(name): value for name, value in occupant.items()}) for occupant in occupants],
            )
            table.components_text = text
            table.snapshot_at = snapshots.load_snapshot_move(connection, id)
            table.departed = _load_departures(connection, id)
            opened = select(departures.c.seat).where(departures.c.table == id, departures.c.how == "opened")
            table.opened_late = connection.execute(opened.where(departures.c.moves > 0)).first() is not None
            opened_seats = set(connection.execute(opened).scalars())
            table.opened_seats = {
                holder.seat for holder in table.occupants if holder.is_vacant and holder.seat in opened_seats
            }
            return table

    def load_history(self, id: str, after: int = 0) -> list[HistoryRow]:
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
        with self.store.read_connection() as connection:
            rows = connection.execute(select(wishes).where(wishes.c.table == id))
            replies = [AutoReply(row.seat, row.step, row.until, (row.round, row.turn), row.text) for row in rows]
        return {(reply.seat, reply.step): reply for reply in replies}

    def _cache_table(self, table: Table) -> None:
        self._tables[table.id] = table
        if len(self._tables) > self.settings.max_loaded_tables:
            for id, other in list(self._tables.items())[:64]:
                idle = not other.hub.listeners and not other.lock.locked() and other.bot_task is None
                if idle and other is not table:
                    del self._tables[id]
                    if len(self._tables) <= self.settings.max_loaded_tables:
                        break

    def drop_table(self, id: str) -> None:
        """A table is deleted: nobody sees it any more."""
        gone = self._tables.pop(id, None)
        if gone is not None:
            gone.hub.close()
            if gone.bot_task is not None:
                gone.bot_task.cancel()

    def invalidate_match(self, table: Table) -> None:
        """Something went wrong in the middle: the truth is what is stored, and is read again when next asked."""
        table.match = None

    # -- telling ------------------------------------------------------------------------------------------------

    def broadcast_table(self, table: Table) -> None:
        """Tell everybody how the table stands. Called after the commit, with the lock held."""
        if not table.hub.listeners:
            return
        facts_json = json.dumps(self._collect_facts(table))
        seat_to_move = table.who
        event_to_mover = b""
        if seat_to_move != NOBODY and seat_to_move in table.hub.list_local_seats():
            event_to_mover = encode_event("table", add_options_json(facts_json, table), table.version)
        table.hub.broadcast(encode_event("table", facts_json, table.version), seat_to_move, event_to_mover)

    def make_snapshot_event(self, table: Table, mine: tuple[Seat, ...]) -> bytes:
        """How the table stands, for one who has just come."""
        facts_json = json.dumps(self._collect_facts(table))
        return encode_event(
            "table", add_options_json(facts_json, table) if table.who in mine else facts_json, table.version
        )

    def _collect_facts(self, table: Table) -> dict[str, object]:
        facts: dict[str, object] = {"version": table.version, "moves": table.moves, "status": table.status}
        if table.match is not None:
            if table.history:
                facts["seat"] = table.history[-1].seat
                facts["option"] = table.history[-1].option
            facts["who"] = nobody_to_none(table.who)
        return facts

    def schedule_presence_broadcast(self, table: Table) -> None:
        """Somebody has come or gone. It is told when no time is lost by it: many come at once, and each is told all."""
        if not table.presence_scheduled:
            table.presence_scheduled = True
            asyncio.get_running_loop().call_later(PRESENCE_INTERVAL, self._send_presence, table)

    def _send_presence(self, table: Table) -> None:
        table.presence_scheduled = False
        if self.peers.shared:
            self.start_task(self.publish_presence(table), "telling other servers who is here")
        self.broadcast_presence(table)

    async def publish_presence(self, table: Table) -> None:
        """Other servers hear who has the table open here."""
        await self.peers.publish_now(WHO_IS_HERE, id=table.id, **table.hub.export_presence())

    def broadcast_presence(self, table: Table) -> None:
        presence = {"present": sorted(table.hub.list_present_seats()), "spectators": table.hub.count_spectators()}
        table.hub.broadcast(encode_event("presence", json.dumps(presence)))

    def broadcast_seats(self, table: Table) -> None:
        """Who sits where has changed, or somebody asks the others for something: the version stays the same."""
        table.hub.broadcast(encode_event("seats", "{}"))

    def post_system_message(
        self, connection: Connection, table: Table, text: str, *names: str, newcomer: int | None = None
    ) -> None:
        """The server says something about somebody in the chat: a template that each reader's page translates.

        ``newcomer``: the person of these names who does not sit at the table yet.
        """
        store_announcement(connection, table, text, names, newcomer)

    # -- devices ------------------------------------------------------------------------------------------------

    async def remove_device(self, person: Person) -> None:
        """This device no longer speaks for the person, at no table, from now on."""
        await self.people.remove_device(person)
        self.drop_device(person.device)

    def drop_device(self, device: str) -> None:
        """A device, by its hash, speaks for nobody any more."""
        self.people.drop_device(device)
        for table in self.list_cached_tables():
            table.hub.close_device(device)

    def close_banned_streams(self) -> None:
        """End the streams of everybody who may not come in any more."""
        for table in self.list_cached_tables():
            table.hub.close_matching(lambda listener, at=table: self._is_banned(at, listener))  # type: ignore[misc]

    def _is_banned(self, table: Table, listener: EventListener) -> bool:
        seat_people = [
            occupant.person for occupant in table.occupants if listener.token and occupant.token == listener.token
        ]
        return any(self.bans.get_end_time(BAN, person) for person in (seat_people or [listener.person]))


def add_options_json(facts: str, table: Table) -> str:
    """A JSON object, and in it what the asked seat may choose: told to nobody else."""
    return f'{facts[:-1]}, "options": {table.get_option_texts_json()}}}'


def _load_departures(connection: Connection, id: str) -> dict[int, str]:
    rows = connection.execute(select(departures).where(departures.c.table == id).order_by(departures.c.at))
    return {row.person: row.how for row in rows if row.person is not None}
