"""Other servers on the same database: what one of them changes the others hear, and what is to be done once is claimed.

A server that has its database for itself has none, and pays nothing for them. With PostgreSQL, what a server writes is
announced in the same transaction (NOTIFY): it is heard when it is committed, in the order of the commits, or never.
Claims are locks of the database's own (advisory locks), held by a connection: they end with the server that holds them.
"""

import asyncio
import contextlib
import hashlib
import json
import logging
import secrets
import threading
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Engine

CHANNEL = "triclinium"
# What is announced.
TABLE = "table"  # one has changed
CHAT = "chat"  # somebody has said something
HERE = "here"  # who has a table open at a server
DEVICE = "device"  # one speaks for nobody any more
READY = "ready"  # who has said so before the deal, and until when the others are asked
BALLOT = "ballot"  # somebody wants a bot in an absent player's place
REVIEW = "review"  # how far one is
GONE = "gone"  # a table is deleted
ANEW = "anew"  # something changed that is seldom changed: everything in memory is looked at again
PAUSE = 0.5  # seconds between two tries to reach a database that is gone
LOOK = 1.0  # seconds after which a thread that hears nothing looks whether it should end
log = logging.getLogger("triclinium.peers")
Facts = dict[str, Any]
Heard = Callable[[str, Facts], None]
Matters = Callable[[str, Facts], bool]


class Peers:
    """None: this server is alone."""

    shared = False

    def start(self, heard: Heard, lost: Callable[[], None], matters: Matters) -> None:
        """Begin to listen, on the running loop. ``lost``: something may not have been heard.

        ``matters`` is asked on the thread that listens: the loop is not woken for tables that nobody has open here.
        """

    def close(self) -> None:
        """Hear nothing more, and give up all claims."""

    def announce(self, connection: Connection, kind: str, **facts: object) -> None:
        """Tell the others when, and only if, this transaction is committed."""

    async def mention(self, kind: str, **facts: object) -> None:
        """Tell the others something that is stored nowhere; it may be lost."""

    async def claim(self, name: str) -> bool:
        """Whether this server is the one to do something now, and no other is."""
        return True

    async def release(self, name: str) -> None:
        """Another may do it."""


class PostgresPeers(Peers):
    """The other servers on a PostgreSQL, as many as there are."""

    shared = True

    def __init__(self, engine: Engine) -> None:
        self.name = secrets.token_hex(6)
        self._engine = engine
        self._closing = threading.Event()
        self._threads: list[threading.Thread] = []
        self._claims = Claims(engine)

    def start(self, heard: Heard, lost: Callable[[], None], matters: Matters) -> None:
        self._matters = matters
        self._own = f'{{"by":"{self.name}"'  # how all that this server says begins
        loop = asyncio.get_running_loop()
        ready = threading.Event()
        listening = threading.Thread(
            target=self._listen, args=[loop, heard, lost, ready], name="triclinium-peers", daemon=True
        )
        listening.start()
        self._threads.append(listening)
        ready.wait(10)

    def close(self) -> None:
        self._closing.set()
        for thread in self._threads:
            thread.join(2 * LOOK)
        self._claims.close()

    def announce(self, connection: Connection, kind: str, **facts: object) -> None:
        connection.exec_driver_sql("SELECT pg_notify(%s, %s)", (CHANNEL, self._told(kind, facts)))

    async def mention(self, kind: str, **facts: object) -> None:
        await asyncio.to_thread(self._claims.say, self._told(kind, facts))

    def _told(self, kind: str, facts: Facts) -> str:
        return json.dumps({"by": self.name, "kind": kind, **facts}, separators=(",", ":"))

    async def claim(self, name: str) -> bool:
        return await asyncio.to_thread(self._claims.take, name)

    async def release(self, name: str) -> None:
        await asyncio.to_thread(self._claims.give, name)

    # -- the listening thread -----------------------------------------------------------------------------------------

    def _listen(
        self, loop: asyncio.AbstractEventLoop, heard: Heard, lost: Callable[[], None], ready: threading.Event
    ) -> None:
        heard_before = False
        while not self._closing.is_set():
            try:
                with contextlib.closing(alone(self._engine)) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    ready.set()
                    if heard_before:
                        loop.call_soon_threadsafe(lost)
                    heard_before = True
                    self._hear(connection, loop, heard)
            except Exception as error:  # whatever the driver raises when the database goes away
                if not self._closing.wait(PAUSE):
                    log.warning("the other servers are not heard for a moment: %s", type(error).__name__)

    def _hear(self, connection: Any, loop: asyncio.AbstractEventLoop, heard: Heard) -> None:
        while not self._closing.is_set():
            for note in connection.notifies(timeout=LOOK):
                if not note.payload.startswith(self._own):
                    facts: Facts = json.loads(note.payload)
                    kind = facts.pop("kind")
                    if self._matters(kind, facts):
                        loop.call_soon_threadsafe(heard, kind, facts)


class Claims:
    """Locks that this server holds, all by one connection."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._one = threading.Lock()
        self._connection: Any = None
        self._held: set[str] = set()

    def take(self, name: str) -> bool:
        with self._one:
            if name in self._held:
                return self._alive()
            taken = self._ask("SELECT pg_try_advisory_lock(%s)", name)
            if taken:
                self._held.add(name)
            return taken

    def give(self, name: str) -> None:
        with self._one:
            if name in self._held:
                self._held.discard(name)
                self._ask("SELECT pg_advisory_unlock(%s)", name)

    def say(self, told: str) -> None:
        """By the same connection: it is the server's voice for what is not stored."""
        with self._one:
            self._run("SELECT pg_notify(%s, %s)", (CHANNEL, told))

    def close(self) -> None:
        with self._one:
            if self._connection is not None:
                with contextlib.suppress(Exception):
                    self._connection.close()
            self._connection = None
            self._held.clear()

    def _alive(self) -> bool:
        """Whether what was held is held still: a connection that was lost has lost it."""
        return self._ask("SELECT %s::bigint IS NOT NULL", "")

    def _ask(self, statement: str, name: str) -> bool:
        return bool(self._run(statement, (number_of(name),)))

    def _run(self, statement: str, values: tuple[object, ...]) -> object:
        """What the first column says; None if the database is gone, and all claims with it."""
        try:
            if self._connection is None:
                self._connection = alone(self._engine)
            return self._connection.execute(statement, values).fetchone()[0]
        except Exception as error:
            log.warning("nothing is claimed for a moment: %s", type(error).__name__)
            self._connection = None
            self._held.clear()
            return None


def number_of(name: str) -> int:
    """The lock that stands for a name, as PostgreSQL counts them."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)


def alone(engine: Engine) -> Any:
    """The driver's own connection, taken out of the pool for good; each statement is a transaction."""
    found = engine.raw_connection()
    raw = found.driver_connection
    found.detach()
    assert raw is not None
    raw.autocommit = True
    return raw
