"""Secrets: random tokens, which are stored as hashes, keys for dealing matches, and keys for signed links."""

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

TOKEN_BYTES = 24  # bytes of a token, which are 192 bits
KEY_BYTES = 32
KEY_VARIABLE = "TRICLINIUM_KEY"
KEY_SECRET, OLD_KEYS_SECRET = "key", "oldkeys"  # names of the stored secrets
MAX_OLD_KEYS = 10  # old keys that are kept, so that values signed with them can still be recognized
RECORD_KEY = "records"  # name of the derived key that signs the records of finished matches
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # no I, O, 0 or 1, which are easily confused when read aloud


def make_token() -> str:
    """Return a random token for one person, device or seat. Only its hash is stored."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> str:
    """Return the hash under which a token is stored. Tokens are long and random, so an unsalted hash is safe."""
    return hashlib.sha256(token.encode()).hexdigest()


def make_code(length: int) -> str:
    """Return a random code of letters and digits, such as the id of a table."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(length))


def make_seed() -> int:
    """Return a random seed for the random choices and determinizations of bots."""
    return secrets.randbelow(SEED_LIMIT)


def make_match_key() -> int:
    """Return a random key from which all random events of a match are derived."""
    return secrets.randbelow(KEY_LIMIT)


def choose_seat_order(count: int) -> list[int]:
    """Return the seats of a table in random order."""
    order = list(range(count))
    secrets.SystemRandom().shuffle(order)
    return order


def make_salt() -> str:
    """Return a random salt for a shuffle commitment."""
    return secrets.token_hex(16)


class OldKey(NamedTuple):
    """A key that the server used before the current one."""

    key: bytes
    until: float  # time until which links that it signed are valid


class ServerKey:
    """The server's secret key. Permanent links are signed with it, so that the server need not store them."""

    def __init__(self, key: bytes, old_keys: Sequence[OldKey] = ()) -> None:
        self._key = key
        self._old_keys = old_keys

    @staticmethod
    def load(database: Database) -> "ServerKey":
        """Return the key of a server, and create it if there is none. Raise `BadSetup` if it is damaged.

        Servers that share a database share the key. The environment variable `TRICLINIUM_KEY` (64 hexadecimal digits)
        replaces it, for operators who keep secrets outside the database.
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
        if len(key_bytes) < KEY_BYTES:  # anyone who guessed a short key could sign links
            where = KEY_VARIABLE if environment_key else f"the key of {database.name}"
            raise BadSetup(f"{where} is damaged; restore it from a backup, or remove it and send new links")
        return ServerKey(key_bytes, [] if environment_key else load_old_keys(database))

    def sign(self, *parts: str | int) -> str:
        """Return a signature of 128 bits that only this server can make for these parts."""
        return _compute_signature(self._key, parts)

    def sign_record(self, text: str) -> str:
        """Return the signature of a record, which this server recognizes even after its key has changed."""
        return _sign_record(self.derive_key(RECORD_KEY), text)

    def is_own_record(self, signature: str, text: str) -> bool:
        """Return whether this server, or one with the same database, has signed exactly this record."""
        candidates = [_sign_record(key, text) for key in self.derive_all_keys(RECORD_KEY)]
        return any(hmac.compare_digest(signature.encode(), candidate.encode()) for candidate in candidates)

    def label_caller(self) -> str:
        """Return a label for the site of the current request, or "" outside a request.

        The label is stored with tables. It is a keyed hash, so that the database holds no addresses.
        """
        site = CALLER_SITE.get()
        return self.sign("caller", site)[:16] if site else ""

    def sign_with_all_keys(self, *parts: str | int) -> list[str]:
        """Return the signatures of these parts under the current key and every old key, to look up stored values."""
        return [_compute_signature(key, parts) for key in (self._key, *(old.key for old in self._old_keys))]

    def derive_key(self, name: str) -> bytes:
        """Return a key of 32 bytes for one purpose. The server's key cannot be computed from it."""
        return self.derive_all_keys(name)[0]

    def derive_all_keys(self, name: str) -> list[bytes]:
        """Return the keys for one purpose that derive from the current key and from every old key."""
        keys = (self._key, *(old.key for old in self._old_keys))
        return [hmac.new(key, f"derived {name}".encode(), hashlib.sha256).digest() for key in keys]

    def is_signature_valid(self, signature: str, *parts: str | int) -> bool:
        """Return whether this server signed these parts. The comparison takes constant time."""
        now = server_time.now()
        keys = (self._key, *(old.key for old in self._old_keys if old.until > now))
        return any(hmac.compare_digest(signature.encode(), _compute_signature(key, parts).encode()) for key in keys)


def _sign_record(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def _compute_signature(key: bytes, parts: tuple[str | int, ...]) -> str:
    text = "\0".join(str(part) for part in parts)
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()[:32]


def load_old_keys(database: Database) -> list[OldKey]:
    """Return the old keys, the most recent first."""
    entries = json.loads(database.load_secret(OLD_KEYS_SECRET) or b"[]")
    return [OldKey(bytes.fromhex(entry["key"]), float(entry["until"])) for entry in entries]


def rotate_key(database: Database, until: float) -> ServerKey:
    """Replace the signing key and return the new one. Links signed with the old key stay valid until ``until``.

    Raise `BadSetup` if an environment variable sets the key.
    """
    if os.environ.get(KEY_VARIABLE):
        raise BadSetup(f"{KEY_VARIABLE} sets the key of this server; change it there, and restart every server")
    previous_keys = [OldKey(database.load_secret(KEY_SECRET), until), *load_old_keys(database)][:MAX_OLD_KEYS]
    entries = [{"key": old.key.hex(), "until": min(old.until, until)} for old in previous_keys if old.key]
    database.store_secret(
        OLD_KEYS_SECRET, json.dumps(entries).encode()
    )  # first, so that a crash before the next line loses no key
    database.store_secret(KEY_SECRET, os.urandom(KEY_BYTES))
    return ServerKey.load(database)
