"""The house password, kept as a scrypt hash. Optional: set by a file at the start, or in a page by whoever runs it."""

import asyncio
import hashlib
import hmac
import secrets
from pathlib import Path

from sqlalchemy import Connection

from triclinium.engine.core.errors import BadSetup
from triclinium.server.errors import Conflict, RequestError
from triclinium.server.storage import key_value
from triclinium.server.storage.store import Store

PASSWORD_KEY = "password"  # under which the house keeps the hash
MIN_LENGTH, MAX_LENGTH = 8, 200  # letters
SCRYPT_COST, SCRYPT_BLOCK_SIZE, SCRYPT_PARALLELISM = 2**14, 8, 1  # of scrypt: a twentieth of a second, and 16 MB


class SitePassword:
    """What is asked at the door, if anything is."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.hash = ""  # none: everybody may come in
        self.is_set_by_file = False  # then no page changes it

    def read(self) -> None:
        """Read what is kept."""
        with self._store.read_connection() as connection:
            self.hash = key_value.load_value(connection, PASSWORD_KEY)

    def load(self, file: str) -> None:
        """Read what is kept, or what the file says now; raises BadSetup. The database is up to date, and quiet yet."""
        self.read()
        if not file:
            return
        self.is_set_by_file = True
        text = read_password_file(Path(file))
        if not self.is_correct(text):
            self.hash = hash_password(text)
            with self._store.engine.begin() as connection:
                key_value.store_value(connection, PASSWORD_KEY, self.hash)

    @property
    def is_set(self) -> bool:
        return bool(self.hash)

    def is_correct(self, text: str) -> bool:
        """Whether this is it. It takes its time, so that nobody tries many: it belongs in a thread."""
        salt, _, digest = self.hash.partition(":")
        return bool(digest) and hmac.compare_digest(hash_password(text, bytes.fromhex(salt)), self.hash)

    async def set_password(self, text: str) -> None:
        """Ask for another one from now on, on every device; the empty text: for none."""
        if self.is_set_by_file:
            raise Conflict("the password of this house is set by a file")
        if text and not MIN_LENGTH <= len(text) <= MAX_LENGTH:
            raise RequestError("a password has {0} letters at least, and {1} at most", MIN_LENGTH, MAX_LENGTH)
        made = await asyncio.to_thread(hash_password, text) if text else ""

        def job(connection: Connection) -> None:
            key_value.store_value(connection, PASSWORD_KEY, made)

        await self._store.write_and_reload_peers(job)
        self.hash = made


def hash_password(text: str, salt: bytes = b"") -> str:
    """What is stored of a password: the salt, and what scrypt makes of both."""
    salt = salt or secrets.token_bytes(16)
    made = hashlib.scrypt(text.encode(), salt=salt, n=SCRYPT_COST, r=SCRYPT_BLOCK_SIZE, p=SCRYPT_PARALLELISM, dklen=32)
    return f"{salt.hex()}:{made.hex()}"


def read_password_file(path: Path) -> str:
    """The first line of a file; raises BadSetup."""
    try:
        text = path.read_text(encoding="utf-8").partition("\n")[0].strip()
    except (OSError, UnicodeError):
        raise BadSetup(f"the password cannot be read from {path}") from None
    if not MIN_LENGTH <= len(text) <= MAX_LENGTH:
        raise BadSetup(
            f"a password has {MIN_LENGTH} letters at least, and {MAX_LENGTH} at most; the one in {path} has {len(text)}"
        )
    return text
