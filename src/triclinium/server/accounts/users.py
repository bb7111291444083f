"""Users: each has a nickname and a secret cookie on each device. There is no registration."""

import threading
from collections import OrderedDict
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select, update

from triclinium.server import server_time
from triclinium.server.crypto import hash_token, make_token
from triclinium.server.errors import NotFound
from triclinium.server.sanitize import clean_name
from triclinium.server.storage.pubsub import DEVICE_SIGNED_OUT
from triclinium.server.storage.schema import devices, passages, people
from triclinium.server.storage.schema_notifications import ways
from triclinium.server.storage.store import Store

DEVICE_TOKEN_SECONDS = 3600
MAX_CACHED = 20_000
SEEN_INTERVAL = 3600.0  # seconds between two updates of the time when a device was last seen


@dataclass(slots=True)
class Person:
    """A user of the server, who plays or watches."""

    id: int
    name: str
    device: str  # hash of the cookie that the request had
    seen_stored_at: float = 0.0  # when the last visit was stored


class PeopleDirectory:
    """Lookup, creation and sign-in of users, with a cache by device."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._cached: OrderedDict[str, Person] = OrderedDict()
        self._lock = threading.Lock()  # The lock is needed because pages are rendered in a thread.

    def find_by_cookie(self, token: str) -> Person | None:
        """Return the person to whom a cookie belongs, or None."""
        if not 16 <= len(token) <= 64:
            return None
        device = hash_token(token)
        person = self.find_cached(device)
        if person is None:
            with self.store.read_connection() as connection:
                row = connection.execute(
                    select(people.c.id, people.c.name).join(devices).where(devices.c.hash == device)
                ).one_or_none()
            if row is None:
                return None
            person = self._cache_person(Person(row.id, row.name, device))
        return person

    def load_name(self, id: int) -> str:
        """Return the current name of a person."""
        with self.store.read_connection() as connection:
            return str(connection.execute(select(people.c.name).where(people.c.id == id)).scalar_one())

    def load_person(self, id: int) -> Person:
        """Return a person for a bot that plays with the token of a seat. The result has no device."""
        return Person(id, self.load_name(id), "")

    def find_cached(self, device: str) -> Person | None:
        """Return the person of a device from the cache, or None, without reading the database."""
        with self._lock:
            person = self._cached.get(device)
            if person is not None:
                self._cached.move_to_end(device)
            return person

    async def create_person(self, name: str) -> tuple[Person, str]:
        """Create a person. Return the person and the secret for their cookie."""
        called = clean_name(name, "Guest")
        token = make_token()
        device = hash_token(token)

        def job(connection: Connection) -> int:
            now = server_time.now()
            made = connection.execute(insert(people), {"name": called, "made": now}).inserted_primary_key
            assert made is not None
            connection.execute(insert(devices), {"hash": device, "person": made[0], "made": now})
            return int(made[0])

        return self._cache_person(Person(await self.store.write(job), called, device)), token

    async def rename(self, person: Person, name: str) -> None:
        called = clean_name(name, person.name)

        def job(connection: Connection) -> None:
            connection.execute(update(people).where(people.c.id == person.id).values(name=called))

        await self.store.write_and_reload_peers(job)
        with self._lock:
            for cached in self._cached.values():
                if cached.id == person.id:
                    cached.name = called

    async def create_device_token(self, person: Person) -> str:
        """Return a one-time token that signs a person in on another device within an hour."""
        token = make_token()

        def job(connection: Connection) -> None:
            now = server_time.now()
            connection.execute(delete(passages).where(passages.c.until < now))
            connection.execute(
                insert(passages).values(hash=hash_token(token), person=person.id, until=now + DEVICE_TOKEN_SECONDS)
            )

        await self.store.write(job)
        return token

    def find_token_owner(self, token: str) -> str | None:
        """Return the name of the person whom a device token signs in, or None if it is unknown, used or expired."""
        with self.store.read_connection() as connection:
            row = connection.execute(
                select(people.c.name)
                .join(passages)
                .where(passages.c.hash == hash_token(token), passages.c.until > server_time.now())
            ).one_or_none()
        return None if row is None else str(row.name)

    async def redeem_device_token(self, token: str) -> tuple[Person, str]:
        """Use a device token. Return the person and the secret for the cookie of the new device.

        Raise `NotFound` if the token is unknown, used or expired.
        """
        cookie = make_token()
        device = hash_token(cookie)

        def job(connection: Connection) -> tuple[int, str]:
            now = server_time.now()
            row = connection.execute(
                select(people.c.id, people.c.name)
                .join(passages)
                .where(passages.c.hash == hash_token(token), passages.c.until > now)
            ).one_or_none()
            if row is None:
                raise NotFound("This link has already been used or has expired.")
            used = connection.execute(delete(passages).where(passages.c.hash == hash_token(token)))
            if used.rowcount != 1:  # another server has just accepted this token
                raise NotFound("This link has already been used or has expired.")
            connection.execute(insert(devices).values(hash=device, person=row.id, made=now))
            return row.id, row.name

        id, name = await self.store.write(job)
        return self._cache_person(Person(id, name, device)), cookie

    async def add_device(self, id: int) -> tuple[Person, str]:
        """Add a device for a person who has proven their identity. Return the person and the secret for its cookie."""
        cookie = make_token()
        device = hash_token(cookie)

        def job(connection: Connection) -> str:
            name = connection.execute(select(people.c.name).where(people.c.id == id)).scalar_one()
            connection.execute(insert(devices).values(hash=device, person=id, made=server_time.now()))
            return str(name)

        return self._cache_person(Person(id, await self.store.write(job), device)), cookie

    async def record_visit(self, person: Person, called: str) -> None:
        """Store when a device was last seen and the name of its browser, at most once an hour."""
        now = server_time.now()
        if now - person.seen_stored_at < SEEN_INTERVAL:
            return
        person.seen_stored_at = now

        def job(connection: Connection) -> None:
            connection.execute(update(devices).where(devices.c.hash == person.device).values(seen=now, called=called))

        await self.store.write(job)

    def update_cached(self, id: int, now: int, name: str) -> None:
        """Change the person or the name of all cached devices of a person."""
        with self._lock:
            for cached in self._cached.values():
                if cached.id == id:
                    cached.id, cached.name = now, name

    def drop_person(self, id: int) -> None:
        """Remove all devices of a person from the cache."""
        with self._lock:
            for device in [device for device, cached in self._cached.items() if cached.id == id]:
                del self._cached[device]

    async def remove_device(self, person: Person) -> None:
        """Sign a person out on the device of this request, and delete its notification channels."""

        def job(connection: Connection) -> None:
            connection.execute(delete(devices).where(devices.c.hash == person.device))
            connection.execute(delete(ways).where(ways.c.device == person.device, ways.c.device != ""))
            self.store.peers.publish_on_commit(connection, DEVICE_SIGNED_OUT, hash=person.device)

        await self.store.write(job)
        self.drop_device(person.device)

    async def remove_former_channels(self, before: Person | None, now: int) -> None:
        """Delete the notification channels of a browser that was signed in as another person before."""
        if before is not None and before.id != now:
            here = (ways.c.device == before.device, ways.c.device != "")
            await self.store.write(lambda connection: connection.execute(delete(ways).where(*here)))

    def drop_device(self, device: str) -> None:
        with self._lock:
            self._cached.pop(device, None)

    def clear_cache(self) -> None:
        """Empty the cache, because another server has changed a person."""
        with self._lock:
            self._cached.clear()

    def _cache_person(self, person: Person) -> Person:
        with self._lock:
            self._cached[person.device] = person
            while len(self._cached) > MAX_CACHED:
                self._cached.popitem(last=False)
        return person
