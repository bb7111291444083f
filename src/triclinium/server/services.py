"""The parts of a server in one container, for functions that need several of them."""

import asyncio
import logging
from collections.abc import Callable

from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.text import Reader
from triclinium.server import server_time
from triclinium.server.accounts.bans import BAN, ActiveBans
from triclinium.server.accounts.owner import OwnerBrowsers
from triclinium.server.accounts.paused_time import PausedTime
from triclinium.server.accounts.site_password import SitePassword
from triclinium.server.accounts.users import PeopleDirectory, Person
from triclinium.server.bots.jobs import CallerLocks, ReviewProgress
from triclinium.server.bots.pool import BotPool
from triclinium.server.crypto import ServerKey
from triclinium.server.net.reachability import Reachability
from triclinium.server.notifications.mail import Mailer
from triclinium.server.outbox.queue import load_notifiable_people
from triclinium.server.runtime import Runtime
from triclinium.server.settings import Settings
from triclinium.server.tables.event_stream import EventListener, ListenerHub
from triclinium.server.tables.repository import TableRepository
from triclinium.server.tables.table import Table
from triclinium.server.workshop.study_queue import StudyQueue

log = logging.getLogger("triclinium.server")


class Services:
    """The runtime, the tables, the accounts and the bots of one server."""

    key: ServerKey  # loaded with the database, so that two servers cannot both create one

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.runtime = Runtime(settings)
        self.store = self.runtime.store
        self.peers = self.runtime.peers
        self.tables = TableRepository(self.runtime)
        self.reachability = Reachability(settings.url)
        self.password = SitePassword(self.store)
        self.owners = OwnerBrowsers(self.store)
        self.people = PeopleDirectory(self.store)
        self.paused_time = PausedTime(self.store)
        self.bans = ActiveBans()
        self.mailer = Mailer.read(settings.mail) if settings.mail else None
        self.notifiable_people: set[int] = set()  # people who may have a channel for notifications
        # Readers of the server's own sentences, by language. `triclinium.web` sets its own.
        self.reader: Callable[[str], Reader] = Reader
        self.bot_pool = BotPool(settings.bot_workers, settings.bot_packages)
        self.studies = StudyQueue(settings, self.runtime, lambda: self.bot_pool.is_playing)
        self.reviews_in_progress: dict[str, ReviewProgress] = {}  # progress by the id of the table
        self.remote_reviews: dict[str, ReviewProgress] = {}  # reviews in progress at other servers
        self.review_locks = CallerLocks()
        self.ready_checks: set[str] = set()  # ids of full tables that ask whether everyone is ready
        self.stranded_tables: set[str] = set()  # ids of tables whose match cannot be replayed
        self.evening_hubs: dict[str, ListenerHub] = {}  # open pages of evenings, by the code of the evening
        self.on_move: Callable[[str, str], None] | None = None  # called with the game and the bot of each move

    def open_database(self) -> None:
        """Bring the database up to date and open it, unless it is open. Raise `BadSetup` if that fails."""
        if not self.runtime.opened_at:
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
            self.runtime.opened_at = server_time.now()

    def reload_accounts(self) -> None:
        """Reload the data about people that is kept in memory, because another server may have changed it."""
        self.key = ServerKey.load(self.store.database)
        self.people.clear_cache()
        self.password.read()
        with self.store.read_connection() as connection:
            self.owners.read(connection)
            self.notifiable_people = load_notifiable_people(connection)
            self.paused_time.read(connection)
            self.bans.read(connection)

    @property
    def fingerprint(self) -> str:
        """Return the public fingerprint of this server, by which it recognizes itself at an address."""
        return self.key.sign("health")[:16]

    async def close(self) -> None:
        """Stop all tasks and bots, close all streams, and write what is pending."""
        stopping = asyncio.create_task(self.runtime.cancel_tasks())
        await asyncio.sleep(0)
        self.bot_pool.close()
        await stopping
        self.tables.close_streams()
        for hub in self.evening_hubs.values():
            hub.close()
        await self.runtime.close()

    # -- devices ----------------------------------------------------------------------------------------------------

    async def remove_device(self, person: Person) -> None:
        """Sign a person out on the device of this request, at all tables."""
        await self.people.remove_device(person)
        self.drop_device(person.device)

    def drop_device(self, device: str) -> None:
        """Forget a device, by its hash, and close its streams."""
        self.people.drop_device(device)
        for hub in (*self.evening_hubs.values(), *(table.hub for table in self.tables.list_cached_tables())):
            hub.close_device(device)

    def close_banned_streams(self) -> None:
        """Close the streams of everyone who is banned now."""
        for table in self.tables.list_cached_tables():
            table.hub.close_matching(lambda listener, at=table: self._is_banned(at, listener))  # type: ignore[misc]
        for hub in self.evening_hubs.values():
            hub.close_matching(lambda listener: bool(self.bans.get_end_time(BAN, listener.person)))

    def _is_banned(self, table: Table, listener: EventListener) -> bool:
        seat_people = [
            occupant.person for occupant in table.occupants if listener.token and occupant.token == listener.token
        ]
        return any(self.bans.get_end_time(BAN, person) for person in (seat_people or [listener.person]))
