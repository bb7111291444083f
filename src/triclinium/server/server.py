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

from triclinium.engine.auto_replies import Wish, Wishes
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.core.text import Reader, msgid
from triclinium.server import server_time
from triclinium.server.accounts.bans import BAN, Restraints
from triclinium.server.accounts.owner import Owners
from triclinium.server.accounts.site_password import HousePassword
from triclinium.server.accounts.users import People, Person
from triclinium.server.bots.jobs import CallerLocks, Progress
from triclinium.server.bots.pool import BotPool
from triclinium.server.cluster.pubsub import HERE as WHO_IS_HERE
from triclinium.server.crypto import Key
from triclinium.server.errors import NotFound, Stranded
from triclinium.server.log_format import REQUEST
from triclinium.server.net.rate_limit import BILL
from triclinium.server.net.reachability import Reach
from triclinium.server.notifications.mail import Mailer
from triclinium.server.notifications.outbox import reachable
from triclinium.server.presenter.seat_ids import or_none
from triclinium.server.settings import Settings
from triclinium.server.storage import components
from triclinium.server.storage.schema import REMOVED, departures, history, seats, tables, wishes
from triclinium.server.storage.store import Store
from triclinium.server.tables import snapshots
from triclinium.server.tables.announcements import store_announcement
from triclinium.server.tables.event_stream import Listener, encode
from triclinium.server.tables.paused_time import Rests
from triclinium.server.tables.table import HistoryRow, Occupant, Table

log = logging.getLogger("triclinium.server")
CLOSING = 0.7  # seconds for what waits to be written: more, and whoever stops the server would kill it
HERE = 0.25  # seconds between two tellings of who is here
ENDED = msgid("this match was ended as it stood, by consent of all")
BROKEN_OFF = msgid("this match was abandoned")
NO_REPLAY = msgid("this match cannot go on here: the rules of its game do not follow its moves any more")
P = ParamSpec("P")
T = TypeVar("T")


class Server:
    """One running server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.database, settings.busy)
        self.key: Key  # read when the server is prepared: no other server may make one at the same time
        self.reach = Reach(settings.url)
        self.peers = self.store.peers
        self.password = HousePassword(self.store)
        self.owners = Owners(self.store)
        self.people = People(self.store)
        self.rests = Rests(self.store)
        self.restraints = Restraints()
        self.mailer = Mailer.read(settings.mail) if settings.mail else None
        self.reachable: set[int] = set()  # people who can be told when they are not here: all of them, or some more
        self.reader: Callable[[str], Reader] = Reader  # of the server's own sentences, by language; pages bring theirs
        self.bot_pool = BotPool(settings.bot_workers, settings.bot_packages)
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        self.reviewing: dict[str, Progress] = {}  # reviews that are being made, by table
        self.reviewed_elsewhere: dict[str, Progress] = {}  # the same at other servers
        self.review_locks = CallerLocks()
        self.tasks: set[asyncio.Task[None]] = set()
        self.readying: set[str] = set()  # tables that are full and ask whether everybody is ready, by id
        self.unopened: set[str] = set()  # tables whose match cannot be brought back, by id
        # Where other servers share the database: sees that a table in memory is as it is stored before it is used.
        self.freshen: Callable[[Table], Awaitable[None]] | None = None
        self.on_move: Callable[[str, str], None] | None = None  # told of each: its game, and the bot that made it
        self.opened = 0.0  # when, by the server's clock; 0: it has not
        # One, whatever the number of cores: Python runs one thread at a time, and each more would take its turn before
        # the loop's. With two, moves beside a flood of pages took twice as long, and no more pages were made.
        self._worker = ThreadPoolExecutor(1, "triclinium-work")

    def prepare(self) -> None:
        """Bring the database up to date and open it, once: whoever wants to hear early what is wrong calls it first."""
        if not self.opened:
            self.store.migrate()
            try:
                self.key = Key.of(self.store.database)
                self.password.load(self.settings.password_file)
                self.store.open()
                self.reread()
            except SQLAlchemyError as error:
                self.store.close()
                raise BadSetup(self.store.database.explain(error)) from None
            except BaseException:
                self.store.close()
                raise
            self.opened = server_time.now()

    def reread(self) -> None:
        """What is kept in memory of people, in a thread or at the start: another server may have changed it."""
        self.key = Key.of(self.store.database)
        self.people.forget_all()
        self.password.read()
        with self.store.reading() as connection:
            self.owners.read(connection)
            self.reachable = reachable(connection)
            self.rests.read(connection)
            self.restraints.read(connection)

    def secret(self, name: str, make: Callable[[], bytes]) -> bytes:
        """A secret of the house, made the first time it is asked for."""
        return self.store.database.secret(name, make)

    @property
    def mark(self) -> str:
        """What tells this server from any other that answers at its address; no secret."""
        return self.key.sign("health")[:16]

    def send_home(self) -> None:
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
        self.send_home()
        self._worker.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(self.peers.close)
        await asyncio.to_thread(self.store.close, CLOSING)
        self.opened = 0.0

    def spawn(self, work: "asyncio._CoroutineLike[None]", name: str) -> "asyncio.Task[None]":
        """A task that the server owns: cancelled when it closes."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self.tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("%s failed", task.get_name(), exc_info=task.exception())

    async def in_thread(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Do something long, or something that reads from the disk, beside the loop.

        Whoever is cancelled meanwhile still waits for it: they may hold the lock of the table that it works on.
        """
        bill, request = BILL.get(), REQUEST.get()

        def job() -> T:
            began = time.thread_time()
            REQUEST.set(request)  # for what it logs
            try:
                return work(*args, **more)
            finally:
                if bill is not None:
                    bill.milliseconds += (time.thread_time() - began) * 1000

        doing = asyncio.get_running_loop().run_in_executor(self._worker, job)
        try:
            return await asyncio.shield(doing)
        except asyncio.CancelledError:
            await asyncio.wait([doing])
            raise

    # -- tables -------------------------------------------------------------------------------------------------

    async def table(self, id: str, version: int | None = None) -> Table:
        """A table by its id, with its match if it has begun; raises NotFound and creates nothing.

        ``version``: the caller knows it so, and will change it. Then whether it still is so is found out by the change.
        """
        found = self._tables.get(id)
        if found is None:
            if not (6 <= len(id) <= 12 and id.isalnum()):
                raise NotFound("there is no such table")
            lock = self._loading.setdefault(id, asyncio.Lock())
            try:
                async with lock:
                    found = self._tables.get(id)
                    if found is None:
                        loaded = await self.in_thread(self.stored, id)
                        found = self._tables.get(id) or loaded  # never a second one of the same table
                        self._keep(found)
            finally:
                self._loading.pop(id, None)
        else:
            self._tables.move_to_end(id)
            if self.freshen is not None and version != found.version:
                await self.freshen(found)
        if found.begun and found.match is None and found.stranded is None:
            async with found.lock:
                await self.load_match(found)
        return found

    def known(self, id: str) -> Table | None:
        """A table that is in memory."""
        return self._tables.get(id)

    def in_memory(self) -> list[Table]:
        return list(self._tables.values())

    async def load_match(self, table: Table) -> None:
        """Rebuild the match of a table that has begun, or say why that cannot be done; its lock is held."""
        if table.match is None and table.begun and table.stranded is None:
            await self.in_thread(self.bring, table)

    def bring(self, table: Table) -> None:
        """Replay what is stored of a table that has begun; in a thread, and with the table's lock held."""
        done = self.history(table.id)
        table.wishes = self.wishes(table.id)
        if table.stands:
            table.strand(Stranded(BROKEN_OFF if table.broken else ENDED), done)
            return
        try:
            table.resume(done)
        except Exception as error:  # whatever fails in a game: what is stored of the table stays readable
            gone = error if isinstance(error, Stranded) else Stranded(NO_REPLAY)
            table.strand(gone, done)
            log.warning("table %s is shown as it stood: %s", table.id, error)

    def resume(self, table: Table) -> None:
        """Replay what is stored; in a thread, and with the table's lock held."""
        table.resume(self.history(table.id))

    def stored(self, id: str) -> Table:
        """A table as it is stored, without its match; in a thread. Raises NotFound."""
        with self.store.reading() as connection:
            row = connection.execute(select(tables).where(tables.c.id == id)).mappings().one_or_none()
            if row is None or row["status"] == REMOVED:
                raise NotFound("there is no such table")
            occupants = connection.execute(select(seats).where(seats.c.table == id).order_by(seats.c.seat)).mappings()
            facts: Mapping[str, object] = {str(name): value for name, value in row.items()}
            text = components.kept(connection, str(row["file"])) if row["file"] else ""
            table = Table(
                components.game_of(str(row["title"]), str(row["components"]), text),
                facts,
                [Occupant({str(name): value for name, value in occupant.items()}) for occupant in occupants],
            )
            table.components_text = text
            table.kept_at = snapshots.kept_at(connection, id)
            table.departed = _departed(connection, id)
            opened = select(departures.c.seat).where(departures.c.table == id, departures.c.how == "opened")
            table.opened_late = connection.execute(opened.where(departures.c.moves > 0)).first() is not None
            opened_seats = set(connection.execute(opened).scalars())
            table.opened_seats = {one.seat for one in table.occupants if one.offered and one.seat in opened_seats}
            return table

    def history(self, id: str, after: int = 0) -> list[HistoryRow]:
        wanted = select(history).where(history.c.table == id, history.c.version > after).order_by(history.c.version)
        with self.store.reading() as connection:
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

    def wishes(self, id: str) -> Wishes:
        with self.store.reading() as connection:
            rows = connection.execute(select(wishes).where(wishes.c.table == id))
            found = [Wish(row.seat, row.step, row.until, (row.round, row.turn), row.text) for row in rows]
        return {(wish.seat, wish.step): wish for wish in found}

    def _keep(self, table: Table) -> None:
        self._tables[table.id] = table
        if len(self._tables) > self.settings.tables_kept:
            for id, other in list(self._tables.items())[:64]:
                idle = not other.hub.listeners and not other.lock.locked() and other.thinking is None
                if idle and other is not table:
                    del self._tables[id]
                    if len(self._tables) <= self.settings.tables_kept:
                        break

    def drop_table(self, id: str) -> None:
        """A table is deleted: nobody sees it any more."""
        gone = self._tables.pop(id, None)
        if gone is not None:
            gone.hub.close()
            if gone.thinking is not None:
                gone.thinking.cancel()

    def invalidate(self, table: Table) -> None:
        """Something went wrong in the middle: the truth is what is stored, and is read again when next asked."""
        table.match = None

    # -- telling ------------------------------------------------------------------------------------------------

    def tell(self, table: Table) -> None:
        """Tell everybody how the table stands. Called after the commit, with the lock held."""
        if not table.hub.listeners:
            return
        told = json.dumps(self._facts(table))
        asked = table.who
        for_asked = b""
        if asked != NOBODY and asked in table.hub.listening():
            for_asked = encode("table", with_options(told, table), table.version)
        table.hub.tell(encode("table", told, table.version), asked, for_asked)

    def standing(self, table: Table, mine: tuple[Seat, ...]) -> bytes:
        """How the table stands, for one who has just come."""
        told = json.dumps(self._facts(table))
        return encode("table", with_options(told, table) if table.who in mine else told, table.version)

    def _facts(self, table: Table) -> dict[str, object]:
        facts: dict[str, object] = {"version": table.version, "moves": table.moves, "status": table.status}
        if table.match is not None:
            if table.history:
                facts["seat"] = table.history[-1].seat
                facts["option"] = table.history[-1].option
            facts["who"] = or_none(table.who)
        return facts

    def tell_here(self, table: Table) -> None:
        """Somebody has come or gone. It is told when no time is lost by it: many come at once, and each is told all."""
        if not table.telling_here:
            table.telling_here = True
            asyncio.get_running_loop().call_later(HERE, self._tell_here, table)

    def _tell_here(self, table: Table) -> None:
        table.telling_here = False
        if self.peers.shared:
            self.spawn(self.tell_others(table), "telling other servers who is here")
        self.tell_who_is_here(table)

    async def tell_others(self, table: Table) -> None:
        """Other servers hear who has the table open here."""
        await self.peers.mention(WHO_IS_HERE, id=table.id, **table.hub.told_elsewhere())

    def tell_who_is_here(self, table: Table) -> None:
        here = {"here": sorted(table.hub.here()), "watching": table.hub.watching()}
        table.hub.tell(encode("here", json.dumps(here)))

    def tell_seats(self, table: Table) -> None:
        """Who sits where has changed, or somebody asks the others for something: the version stays the same."""
        table.hub.tell(encode("seats", "{}"))

    def announce(
        self, connection: Connection, table: Table, text: str, *names: str, newcomer: int | None = None
    ) -> None:
        """The server says something about somebody in the chat: a template that each reader's page translates.

        ``newcomer``: the person of these names who does not sit at the table yet.
        """
        store_announcement(connection, table, text, names, newcomer)

    # -- devices ------------------------------------------------------------------------------------------------

    async def forget_device(self, person: Person) -> None:
        """This device no longer speaks for the person, at no table, from now on."""
        await self.people.forget(person)
        self.drop_device(person.device)

    def drop_device(self, device: str) -> None:
        """A device, by its hash, speaks for nobody any more."""
        self.people.drop(device)
        for table in self.in_memory():
            table.hub.forget(device)

    def send_away(self) -> None:
        """End the streams of everybody who may not come in any more."""
        for table in self.in_memory():
            table.hub.shut_who(lambda listener, at=table: self._is_banned(at, listener))  # type: ignore[misc]

    def _is_banned(self, table: Table, listener: Listener) -> bool:
        held = [one.person for one in table.occupants if listener.token and one.token == listener.token]
        return any(self.restraints.until(BAN, person) for person in (held or [listener.person]))


def with_options(facts: str, table: Table) -> str:
    """A JSON object, and in it what the asked seat may choose: told to nobody else."""
    return f'{facts[:-1]}, "options": {table.offered_json()}}}'


def _departed(connection: Connection, id: str) -> dict[int, str]:
    rows = connection.execute(select(departures).where(departures.c.table == id).order_by(departures.c.at))
    return {row.person: row.how for row in rows if row.person is not None}
