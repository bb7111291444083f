"""Secrets: random tokens kept as hashes, links signed by the server's key, and the keys that matches are dealt by."""

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Sequence
from typing import NamedTuple

from triclinium.engine.core.chance import KEY_LIMIT
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import SEED_LIMIT
from triclinium.server import server_time
from triclinium.server.net.client_address import CALLER
from triclinium.server.storage.database import Database

TOKEN_BYTES = 24  # 192 bits
KEY_BYTES = 32
VARIABLE = "TRICLINIUM_KEY"
NAME, OLD = "key", "oldkeys"  # of the secrets
MOST_OLD = 10  # keys that are kept to know marks by
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # no I, O, 0, 1: read aloud without doubt


def new_token() -> str:
    """A secret for one person, device or seat. Only its hash is stored."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hashed(token: str) -> str:
    """What is stored of a token. It is random and long, so that a plain hash cannot be turned back."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_code(length: int) -> str:
    """Letters that name a table."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(length))


def new_seed() -> int:
    """For bots' own luck and imagined worlds."""
    return secrets.randbelow(SEED_LIMIT)


def new_match_key() -> int:
    """All that a true match is dealt by."""
    return secrets.randbelow(KEY_LIMIT)


class OldKey(NamedTuple):
    """A key that the server had before."""

    key: bytes
    until: float  # when links that it has signed end


class Key:
    """The server's own key: it signs links that are shown again and again, so that none of them is stored."""

    def __init__(self, key: bytes, old: Sequence[OldKey] = ()) -> None:
        self._key = key
        self._old = old

    @staticmethod
    def of(database: Database) -> "Key":
        """The key of a server, made on its first day; raises BadSetup where it is damaged.

        Servers that share a database share it. `TRICLINIUM_KEY` (64 hexadecimal digits) takes its place, where secrets
        are handed in from outside.
        """
        given = os.environ.get(VARIABLE, "")
        try:
            found = bytes.fromhex(given) if given else database.secret(NAME, lambda: os.urandom(KEY_BYTES))
        except ValueError:
            found = b""
        if len(found) < KEY_BYTES:  # whoever knows a short key could sign links
            where = VARIABLE if given else f"the key of {database.name}"
            raise BadSetup(f"{where} is damaged: put a backup in its place, or remove it and send new links")
        return Key(found, [] if given else old_keys(database))

    def sign(self, *parts: str | int) -> str:
        """128 bits that only this server can make for these parts."""
        return _sign(self._key, parts)

    def caller(self) -> str:
        """Return a label of the site that the current request comes from; the empty text: there is no request.

        The label is stored with tables. It is a keyed hash, so that the database holds no addresses.
        """
        found = CALLER.get()
        return self.sign("caller", found)[:16] if found else ""

    def marks(self, *parts: str | int) -> list[str]:
        """What this key, and each one before it, makes of these parts: what was marked once is known for good."""
        return [_sign(key, parts) for key in (self._key, *(old.key for old in self._old))]

    def derived(self, name: str) -> bytes:
        """A key of 32 bytes for one purpose, from which nobody can tell this one."""
        return self.all_derived(name)[0]

    def all_derived(self, name: str) -> list[bytes]:
        """The same of this key, and of each one before it."""
        keys = (self._key, *(old.key for old in self._old))
        return [hmac.new(key, f"derived {name}".encode(), hashlib.sha256).digest() for key in keys]

    def signed(self, token: str, *parts: str | int) -> bool:
        """Whether the token was made here for these parts; takes the same time whatever it is."""
        now = server_time.now()
        keys = (self._key, *(old.key for old in self._old if old.until > now))
        return any(hmac.compare_digest(token.encode(), _sign(key, parts).encode()) for key in keys)


def _sign(key: bytes, parts: tuple[str | int, ...]) -> str:
    text = "\0".join(str(part) for part in parts)
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()[:32]


def old_keys(database: Database) -> list[OldKey]:
    """The keys before this one, the last first."""
    kept = json.loads(database.kept_secret(OLD) or b"[]")
    return [OldKey(bytes.fromhex(one["key"]), float(one["until"])) for one in kept]


def rotate(database: Database, until: float) -> Key:
    """Sign by a new key from now on; links of the old one lead on until then. Raises BadSetup."""
    if os.environ.get(VARIABLE):
        raise BadSetup(f"the key of this house is given by {VARIABLE}: change it there, and start every server anew")
    before = [OldKey(database.kept_secret(NAME), until), *old_keys(database)][:MOST_OLD]
    told = [{"key": old.key.hex(), "until": min(old.until, until)} for old in before if old.key]
    database.put_secret(OLD, json.dumps(told).encode())  # first: whatever happens then, nothing marked is lost
    database.put_secret(NAME, os.urandom(KEY_BYTES))
    return Key.of(database)
