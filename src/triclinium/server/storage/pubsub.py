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
TABLE_CHANGED = "table"  # one has changed
CHAT = "chat"  # somebody has said something
PRESENCE = "here"  # who has a table open at a server
DEVICE_SIGNED_OUT = "device"  # one speaks for nobody any more
READY = "ready"  # who has said so before the deal, and until when the others are asked
SUBSTITUTE_VOTE = "ballot"  # somebody wants a bot in an absent player's place
REVIEW_PROGRESS = "review"  # how far one is
TABLE_DELETED = "gone"  # a table is deleted
RELOAD_ALL = "anew"  # something changed that is seldom changed: everything in memory is looked at again
RECONNECT_SECONDS = 0.5  # seconds between two tries to reach a database that is gone
POLL_SECONDS = 1.0  # seconds after which a thread that hears nothing looks whether it should end
log = logging.getLogger("triclinium.peers")
Payload = dict[str, Any]
MessageHandler = Callable[[str, Payload], None]
MessageFilter = Callable[[str, Payload], bool]


class Peers:
    """None: this server is alone."""

    shared = False

    def start(self, on_message: MessageHandler, on_gap: Callable[[], None], is_relevant: MessageFilter) -> None:
        """Begin to listen, on the running loop. ``on_gap``: something may not have been heard.

        ``is_relevant`` is asked on the thread that listens: the loop is not woken for tables that nobody has open here.
        """

    def close(self) -> None:
        """Hear nothing more, and give up all claims."""

    def publish_on_commit(self, connection: Connection, kind: str, **facts: object) -> None:
        """Tell the others when, and only if, this transaction is committed."""

    async def publish_now(self, kind: str, **facts: object) -> None:
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
        self._locks = AdvisoryLocks(engine)

    def start(self, on_message: MessageHandler, on_gap: Callable[[], None], is_relevant: MessageFilter) -> None:
        self._is_relevant = is_relevant
        self._own_prefix = f'{{"by":"{self.name}"'  # how all that this server says begins
        loop = asyncio.get_running_loop()
        ready = threading.Event()
        listening = threading.Thread(
            target=self._listen, args=[loop, on_message, on_gap, ready], name="triclinium-peers", daemon=True
        )
        listening.start()
        self._threads.append(listening)
        ready.wait(10)

    def close(self) -> None:
        self._closing.set()
        for thread in self._threads:
            thread.join(2 * POLL_SECONDS)
        self._locks.close()

    def publish_on_commit(self, connection: Connection, kind: str, **facts: object) -> None:
        connection.exec_driver_sql("SELECT pg_notify(%s, %s)", (CHANNEL, self._encode_message(kind, facts)))

    async def publish_now(self, kind: str, **facts: object) -> None:
        await asyncio.to_thread(self._locks.send_notify, self._encode_message(kind, facts))

    def _encode_message(self, kind: str, facts: Payload) -> str:
        return json.dumps({"by": self.name, "kind": kind, **facts}, separators=(",", ":"))

    async def claim(self, name: str) -> bool:
        return await asyncio.to_thread(self._locks.acquire, name)

    async def release(self, name: str) -> None:
        await asyncio.to_thread(self._locks.release, name)

    # -- the listening thread -----------------------------------------------------------------------------------------

    def _listen(
        self,
        loop: asyncio.AbstractEventLoop,
        on_message: MessageHandler,
        on_gap: Callable[[], None],
        ready: threading.Event,
    ) -> None:
        has_connected = False
        while not self._closing.is_set():
            try:
                with contextlib.closing(open_raw_connection(self._engine)) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    ready.set()
                    if has_connected:
                        loop.call_soon_threadsafe(on_gap)
                    has_connected = True
                    self._receive_messages(connection, loop, on_message)
            except Exception as error:  # whatever the driver raises when the database goes away
                if not self._closing.wait(RECONNECT_SECONDS):
                    log.warning("the other servers are not heard for a moment: %s", type(error).__name__)

    def _receive_messages(self, connection: Any, loop: asyncio.AbstractEventLoop, on_message: MessageHandler) -> None:
        while not self._closing.is_set():
            for notification in connection.notifies(timeout=POLL_SECONDS):
                if not notification.payload.startswith(self._own_prefix):
                    facts: Payload = json.loads(notification.payload)
                    kind = facts.pop("kind")
                    if self._is_relevant(kind, facts):
                        loop.call_soon_threadsafe(on_message, kind, facts)


class AdvisoryLocks:
    """Locks that this server holds, all by one connection."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._mutex = threading.Lock()
        self._connection: Any = None
        self._held_names: set[str] = set()

    def acquire(self, name: str) -> bool:
        with self._mutex:
            if name in self._held_names:
                return self._is_connected()
            is_acquired = self._run_lock_query("SELECT pg_try_advisory_lock(%s)", name)
            if is_acquired:
                self._held_names.add(name)
            return is_acquired

    def release(self, name: str) -> None:
        with self._mutex:
            if name in self._held_names:
                self._held_names.discard(name)
                self._run_lock_query("SELECT pg_advisory_unlock(%s)", name)

    def send_notify(self, payload: str) -> None:
        """By the same connection: it is the server's voice for what is not stored."""
        with self._mutex:
            self._run_query("SELECT pg_notify(%s, %s)", (CHANNEL, payload))

    def close(self) -> None:
        with self._mutex:
            if self._connection is not None:
                with contextlib.suppress(Exception):
                    self._connection.close()
            self._connection = None
            self._held_names.clear()

    def _is_connected(self) -> bool:
        """Whether what was held is held still: a connection that was lost has lost it."""
        return self._run_lock_query("SELECT %s::bigint IS NOT NULL", "")

    def _run_lock_query(self, statement: str, name: str) -> bool:
        return bool(self._run_query(statement, (hash_lock_name(name),)))

    def _run_query(self, statement: str, values: tuple[object, ...]) -> object:
        """What the first column says; None if the database is gone, and all claims with it."""
        try:
            if self._connection is None:
                self._connection = open_raw_connection(self._engine)
            return self._connection.execute(statement, values).fetchone()[0]
        except Exception as error:
            log.warning("nothing is claimed for a moment: %s", type(error).__name__)
            self._connection = None
            self._held_names.clear()
            return None


def hash_lock_name(name: str) -> int:
    """The lock that stands for a name, as PostgreSQL counts them."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)


def open_raw_connection(engine: Engine) -> Any:
    """The driver's own connection, taken out of the pool for good; each statement is a transaction."""
    pooled = engine.raw_connection()
    raw = pooled.driver_connection
    pooled.detach()
    assert raw is not None
    raw.autocommit = True
    return raw
