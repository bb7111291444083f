"""Messages and locks between servers that share a database.

A server with its own database uses `Peers`, which does nothing. With PostgreSQL, a server announces its changes in the
transaction that makes them (NOTIFY). Other servers get a message when the transaction is committed, in the order of the
commits, or never. Claims are advisory locks of one connection: they end when its server stops or crashes.
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
# Kinds of messages between servers.
TABLE_CHANGED = "table"  # a table has changed
CHAT = "chat"  # a chat message was sent
PRESENCE = "here"  # the people who have a table open at one server
DEVICE_SIGNED_OUT = "device"  # a device was signed out and its connections must close
READY = "ready"  # the players who are ready to start, and the deadline for the others
SUBSTITUTE_VOTE = "ballot"  # a player voted for a bot to replace an absent player
REVIEW_PROGRESS = "review"  # the progress of a review
TABLE_DELETED = "gone"  # a table was deleted
RELOAD_ALL = "anew"  # accounts, bans or settings changed: every server reloads the data that it caches
RECONNECT_SECONDS = 0.5  # pause before a lost database connection is opened again
POLL_SECONDS = 1.0  # interval at which a listening thread checks whether the server is closing
log = logging.getLogger("triclinium.peers")
Payload = dict[str, Any]
MessageHandler = Callable[[str, Payload], None]
MessageFilter = Callable[[str, Payload], bool]


class Peers:
    """Messages and locks of a server that has its database to itself. All methods do nothing."""

    shared = False

    def start(self, on_message: MessageHandler, on_gap: Callable[[], None], is_relevant: MessageFilter) -> None:
        """Start to listen for messages, on the running event loop.

        ``on_gap`` is called when messages may have been lost. ``is_relevant`` runs on the listening thread and drops
        messages before they wake the event loop.
        """

    def close(self) -> None:
        """Stop listening and release all claims."""

    def publish_on_commit(self, connection: Connection, kind: str, **facts: object) -> None:
        """Send a message to the other servers when this transaction is committed."""

    async def publish_now(self, kind: str, **facts: object) -> None:
        """Send a message that is not stored to the other servers. It may be lost."""

    async def claim(self, name: str) -> bool:
        """Return whether this server has the lock of this name, which no other server can have at the same time."""
        return True

    async def release(self, name: str) -> None:
        """Release a lock so that another server can claim it."""


class PostgresPeers(Peers):
    """Messages and locks between the servers that share a PostgreSQL database."""

    shared = True

    def __init__(self, engine: Engine) -> None:
        self.name = secrets.token_hex(6)
        self._engine = engine
        self._closing = threading.Event()
        self._threads: list[threading.Thread] = []
        self._locks = AdvisoryLocks(engine)

    def start(self, on_message: MessageHandler, on_gap: Callable[[], None], is_relevant: MessageFilter) -> None:
        self._is_relevant = is_relevant
        self._own_prefix = f'{{"by":"{self.name}"'  # every message of this server begins like this
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
            except Exception as error:  # the class of the error depends on the driver
                if not self._closing.wait(RECONNECT_SECONDS):
                    log.warning(
                        "messages of the other servers cannot be received at the moment: %s", type(error).__name__
                    )

    def _receive_messages(self, connection: Any, loop: asyncio.AbstractEventLoop, on_message: MessageHandler) -> None:
        while not self._closing.is_set():
            for notification in connection.notifies(timeout=POLL_SECONDS):
                if not notification.payload.startswith(self._own_prefix):
                    facts: Payload = json.loads(notification.payload)
                    kind = facts.pop("kind")
                    if self._is_relevant(kind, facts):
                        loop.call_soon_threadsafe(on_message, kind, facts)


class AdvisoryLocks:
    """The advisory locks of this server, all held by one database connection."""

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
        """Send a message on the connection of the locks."""
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
        """Return whether the connection still works. A lost connection has lost its locks too."""
        return self._run_lock_query("SELECT %s::bigint IS NOT NULL", "")

    def _run_lock_query(self, statement: str, name: str) -> bool:
        return bool(self._run_query(statement, (hash_lock_name(name),)))

    def _run_query(self, statement: str, values: tuple[object, ...]) -> object:
        """Return the first column of a query's only row.

        If the query fails, drop the connection and all locks and return None.
        """
        try:
            if self._connection is None:
                self._connection = open_raw_connection(self._engine)
            return self._connection.execute(statement, values).fetchone()[0]
        except Exception as error:
            log.warning("locks cannot be taken at the moment: %s", type(error).__name__)
            self._connection = None
            self._held_names.clear()
            return None


def hash_lock_name(name: str) -> int:
    """Return the 64-bit number under which PostgreSQL locks a name."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)


def open_raw_connection(engine: Engine) -> Any:
    """Return a driver connection that no longer belongs to the pool. Each of its statements is a transaction."""
    pooled = engine.raw_connection()
    raw = pooled.driver_connection
    pooled.detach()
    assert raw is not None
    raw.autocommit = True
    return raw
