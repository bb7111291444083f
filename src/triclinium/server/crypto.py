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
from triclinium.server.net.client_address import CALLER_SITE
from triclinium.server.storage.database import Database

TOKEN_BYTES = 24  # 192 bits
KEY_BYTES = 32
KEY_VARIABLE = "TRICLINIUM_KEY"
KEY_SECRET, OLD_KEYS_SECRET = "key", "oldkeys"  # of the secrets
MAX_OLD_KEYS = 10  # keys that are kept to know marks by
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # no I, O, 0, 1: read aloud without doubt


def make_token() -> str:
    """A secret for one person, device or seat. Only its hash is stored."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> str:
    """What is stored of a token. It is random and long, so that a plain hash cannot be turned back."""
    return hashlib.sha256(token.encode()).hexdigest()


def make_code(length: int) -> str:
    """Letters that name a table."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(length))


def make_seed() -> int:
    """For bots' own luck and imagined worlds."""
    return secrets.randbelow(SEED_LIMIT)


def make_match_key() -> int:
    """All that a true match is dealt by."""
    return secrets.randbelow(KEY_LIMIT)


class OldKey(NamedTuple):
    """A key that the server had before."""

    key: bytes
    until: float  # when links that it has signed end


class ServerKey:
    """The server's own key: it signs links that are shown again and again, so that none of them is stored."""

    def __init__(self, key: bytes, old_keys: Sequence[OldKey] = ()) -> None:
        self._key = key
        self._old_keys = old_keys

    @staticmethod
    def load(database: Database) -> "ServerKey":
        """The key of a server, made on its first day; raises BadSetup where it is damaged.

        Servers that share a database share it. `TRICLINIUM_KEY` (64 hexadecimal digits) takes its place, where secrets
        are handed in from outside.
        """
        environment_key = os.environ.get(KEY_VARIABLE, "")
        try:
            key_bytes = (
                bytes.fromhex(environment_key)
                if environment_key
                else database.load_or_create_secret(KEY_SECRET, lambda: os.urandom(KEY_BYTES))
            )
        except ValueError:
            key_bytes = b""
        if len(key_bytes) < KEY_BYTES:  # whoever knows a short key could sign links
            where = KEY_VARIABLE if environment_key else f"the key of {database.name}"
            raise BadSetup(f"{where} is damaged: put a backup in its place, or remove it and send new links")
        return ServerKey(key_bytes, [] if environment_key else load_old_keys(database))

    def sign(self, *parts: str | int) -> str:
        """128 bits that only this server can make for these parts."""
        return _compute_signature(self._key, parts)

    def label_caller(self) -> str:
        """Return a label of the site that the current request comes from; the empty text: there is no request.

        The label is stored with tables. It is a keyed hash, so that the database holds no addresses.
        """
        site = CALLER_SITE.get()
        return self.sign("caller", site)[:16] if site else ""

    def sign_with_all_keys(self, *parts: str | int) -> list[str]:
        """What this key, and each one before it, makes of these parts: what was marked once is known for good."""
        return [_compute_signature(key, parts) for key in (self._key, *(old.key for old in self._old_keys))]

    def derive_key(self, name: str) -> bytes:
        """A key of 32 bytes for one purpose, from which nobody can tell this one."""
        return self.derive_all_keys(name)[0]

    def derive_all_keys(self, name: str) -> list[bytes]:
        """The same of this key, and of each one before it."""
        keys = (self._key, *(old.key for old in self._old_keys))
        return [hmac.new(key, f"derived {name}".encode(), hashlib.sha256).digest() for key in keys]

    def is_signature_valid(self, signature: str, *parts: str | int) -> bool:
        """Whether the token was made here for these parts; takes the same time whatever it is."""
        now = server_time.now()
        keys = (self._key, *(old.key for old in self._old_keys if old.until > now))
        return any(hmac.compare_digest(signature.encode(), _compute_signature(key, parts).encode()) for key in keys)


def _compute_signature(key: bytes, parts: tuple[str | int, ...]) -> str:
    text = "\0".join(str(part) for part in parts)
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()[:32]


def load_old_keys(database: Database) -> list[OldKey]:
    """The keys before this one, the last first."""
    entries = json.loads(database.load_secret(OLD_KEYS_SECRET) or b"[]")
    return [OldKey(bytes.fromhex(entry["key"]), float(entry["until"])) for entry in entries]


def rotate_key(database: Database, until: float) -> ServerKey:
    """Sign by a new key from now on; links of the old one lead on until then. Raises BadSetup."""
    if os.environ.get(KEY_VARIABLE):
        raise BadSetup(
            f"the key of this house is given by {KEY_VARIABLE}: change it there, and start every server anew"
        )
    previous_keys = [OldKey(database.load_secret(KEY_SECRET), until), *load_old_keys(database)][:MAX_OLD_KEYS]
    entries = [{"key": old.key.hex(), "until": min(old.until, until)} for old in previous_keys if old.key]
    database.store_secret(
        OLD_KEYS_SECRET, json.dumps(entries).encode()
    )  # first: whatever happens then, nothing marked is lost
    database.store_secret(KEY_SECRET, os.urandom(KEY_BYTES))
    return ServerKey.load(database)
