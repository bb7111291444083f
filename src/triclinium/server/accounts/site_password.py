"""Optional site password, stored as a scrypt hash. The owner sets it by a file at the start or on a page."""

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

PASSWORD_KEY = "password"  # key under which the hash is stored
MIN_LENGTH, MAX_LENGTH = 8, 200  # minimum and maximum length in characters
# Parameters of scrypt. One hash takes about 50 ms and 16 MB.
SCRYPT_COST, SCRYPT_BLOCK_SIZE, SCRYPT_PARALLELISM = 2**14, 8, 1


class SitePassword:
    """The password that visitors must enter, if there is one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.hash = ""  # "": no password is needed
        self.is_set_by_file = False  # if true, no page can change it

    def read(self) -> None:
        """Load the stored hash."""
        with self._store.read_connection() as connection:
            self.hash = key_value.load_value(connection, PASSWORD_KEY)

    def load(self, file: str) -> None:
        """Load the stored hash, and replace it if the file has another password.

        Raise `BadSetup` if the file is not valid. Call this after the database has been migrated and before the server
        answers requests.
        """
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
        """Return whether a password is correct. Hashing is slow on purpose, so call this in a thread."""
        salt, _, digest = self.hash.partition(":")
        return bool(digest) and hmac.compare_digest(hash_password(text, bytes.fromhex(salt)), self.hash)

    async def set_password(self, text: str) -> None:
        """Set a new password for all devices; "" removes it.

        Raise `Conflict` if a file sets the password, and `RequestError` if its length is not allowed.
        """
        if self.is_set_by_file:
            raise Conflict("The site password is set by a file and cannot be changed here.")
        if text and not MIN_LENGTH <= len(text) <= MAX_LENGTH:
            raise RequestError("A password needs {0} to {1} characters.", MIN_LENGTH, MAX_LENGTH)
        made = await asyncio.to_thread(hash_password, text) if text else ""

        def job(connection: Connection) -> None:
            key_value.store_value(connection, PASSWORD_KEY, made)

        await self._store.write_and_reload_peers(job)
        self.hash = made


def hash_password(text: str, salt: bytes = b"") -> str:
    """Return the salt and the scrypt hash of a password, as they are stored."""
    salt = salt or secrets.token_bytes(16)
    made = hashlib.scrypt(text.encode(), salt=salt, n=SCRYPT_COST, r=SCRYPT_BLOCK_SIZE, p=SCRYPT_PARALLELISM, dklen=32)
    return f"{salt.hex()}:{made.hex()}"


def read_password_file(path: Path) -> str:
    """Return the password in the first line of a file.

    Raise `BadSetup` if it cannot be read or has the wrong length.
    """
    try:
        text = path.read_text(encoding="utf-8").partition("\n")[0].strip()
    except (OSError, UnicodeError):
        raise BadSetup(f"cannot read the password from {path}") from None
    if not MIN_LENGTH <= len(text) <= MAX_LENGTH:
        raise BadSetup(f"A password needs {MIN_LENGTH} to {MAX_LENGTH} characters; the one in {path} has {len(text)}")
    return text
