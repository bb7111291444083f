"""Secrets: random tokens kept as hashes, links signed by the server's key, and the keys that matches are dealt by."""

import hashlib
import hmac
import os
import secrets

from triclinium.engine.core.chance import KEY_LIMIT
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import SEED_LIMIT
from triclinium.server.storage.database import Database

TOKEN_BYTES = 24  # 192 bits
KEY_BYTES = 32
VARIABLE = "TRICLINIUM_KEY"
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


class Key:
    """The server's own key: it signs links that are shown again and again, so that none of them is stored."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    @staticmethod
    def of(database: Database) -> "Key":
        """The key of a server, made on its first day; raises BadSetup where it is damaged.

        Servers that share a database share it. `TRICLINIUM_KEY` (64 hexadecimal digits) takes its place, where secrets
        are handed in from outside.
        """
        given = os.environ.get(VARIABLE, "")
        try:
            found = bytes.fromhex(given) if given else database.secret("key", lambda: os.urandom(KEY_BYTES))
        except ValueError:
            found = b""
        if len(found) < KEY_BYTES:  # whoever knows a short key could sign links
            where = VARIABLE if given else f"the key of {database.name}"
            raise BadSetup(f"{where} is damaged: put a backup in its place, or remove it and send new links")
        return Key(found)

    def sign(self, *parts: str | int) -> str:
        """128 bits that only this server can make for these parts."""
        text = "\0".join(str(part) for part in parts)
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()[:32]

    def derived(self, name: str) -> bytes:
        """A key of 32 bytes for one purpose, from which nobody can tell this one."""
        return hmac.new(self._key, f"derived {name}".encode(), hashlib.sha256).digest()

    def signed(self, token: str, *parts: str | int) -> bool:
        """Whether the token was made here for these parts; takes the same time whatever it is."""
        return hmac.compare_digest(token.encode(), self.sign(*parts).encode())
