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

FACT = "password"  # under which the house keeps the hash
LEAST, MOST = 8, 200  # letters
COST, BLOCK, LANES = 2**14, 8, 1  # of scrypt: a twentieth of a second, and 16 MB


class HousePassword:
    """What is asked at the door, if anything is."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.hash = ""  # none: everybody may come in
        self.by_file = False  # then no page changes it

    def read(self) -> None:
        """Read what is kept."""
        with self._store.reading() as connection:
            self.hash = key_value.kept(connection, FACT)

    def load(self, file: str) -> None:
        """Read what is kept, or what the file says now; raises BadSetup. The database is up to date, and quiet yet."""
        self.read()
        if not file:
            return
        self.by_file = True
        text = read_password(Path(file))
        if not self.fits(text):
            self.hash = scrambled(text)
            with self._store.engine.begin() as connection:
                key_value.keep(connection, FACT, self.hash)

    @property
    def is_set(self) -> bool:
        return bool(self.hash)

    def fits(self, text: str) -> bool:
        """Whether this is it. It takes its time, so that nobody tries many: it belongs in a thread."""
        salt, _, known = self.hash.partition(":")
        return bool(known) and hmac.compare_digest(scrambled(text, bytes.fromhex(salt)), self.hash)

    async def change(self, text: str) -> None:
        """Ask for another one from now on, on every device; the empty text: for none."""
        if self.by_file:
            raise Conflict("the password of this house is set by a file")
        if text and not LEAST <= len(text) <= MOST:
            raise RequestError("a password has {0} letters at least, and {1} at most", LEAST, MOST)
        made = await asyncio.to_thread(scrambled, text) if text else ""

        def job(connection: Connection) -> None:
            key_value.keep(connection, FACT, made)

        await self._store.write_for_all(job)
        self.hash = made


def scrambled(text: str, salt: bytes = b"") -> str:
    """What is stored of a password: the salt, and what scrypt makes of both."""
    salt = salt or secrets.token_bytes(16)
    made = hashlib.scrypt(text.encode(), salt=salt, n=COST, r=BLOCK, p=LANES, dklen=32)
    return f"{salt.hex()}:{made.hex()}"


def read_password(path: Path) -> str:
    """The first line of a file; raises BadSetup."""
    try:
        text = path.read_text(encoding="utf-8").partition("\n")[0].strip()
    except (OSError, UnicodeError):
        raise BadSetup(f"the password cannot be read from {path}") from None
    if not LEAST <= len(text) <= MOST:
        raise BadSetup(
            f"a password has {LEAST} letters at least, and {MOST} at most; the one in {path} has {len(text)}"
        )
    return text
