"""SHA-256 checksum of a backup, in the last line of its file, so that every copy of the file has it.

SQLite and `pg_restore` ignore data after their own, so a backup can still be opened with their tools.
"""

import hashlib
import os
import re
from pathlib import Path

from triclinium.engine.core.errors import BadSetup

_TRAILER = "\ntriclinium backup 1 {size:020d} sha256 {digest}\n"
_LENGTH = len(_TRAILER.format(size=0, digest="0" * 64))
_PATTERN = re.compile(rb"\ntriclinium backup 1 (\d{20}) sha256 ([0-9a-f]{64})\n")
_CHUNK_BYTES = 1 << 20  # bytes that are read at once

MISSING = "{0} has no checksum at its end: it was cut off, or it is not a backup of this release"
DAMAGED = "{0} is damaged: its checksum does not match its content; use another backup"


def append_checksum(path: Path) -> None:
    """Append the checksum of a file to it, and write both to disk."""
    size = path.stat().st_size
    with path.open("ab") as file:
        file.write(_TRAILER.format(size=size, digest=_compute_digest(path, size)).encode("ascii"))
        file.flush()
        os.fsync(file.fileno())


def verify_checksum(path: Path) -> None:
    """Raise `BadSetup` if a file cannot be read or does not match the checksum that `append_checksum` added."""
    try:
        size = path.stat().st_size - _LENGTH
        with path.open("rb") as file:
            file.seek(max(size, 0))
            trailer = _PATTERN.fullmatch(file.read())
        if trailer is None:
            raise BadSetup(MISSING.format(path))
        if int(trailer[1]) != size or trailer[2].decode("ascii") != _compute_digest(path, size):
            raise BadSetup(DAMAGED.format(path))
    except OSError as error:
        raise BadSetup(f"{path} cannot be read: {error.strerror}") from None


def _compute_digest(path: Path, size: int) -> str:
    """Return the SHA-256 of the first ``size`` bytes of a file."""
    digest, left = hashlib.sha256(), size
    with path.open("rb") as file:
        while left and (piece := file.read(min(_CHUNK_BYTES, left))):
            digest.update(piece)
            left -= len(piece)
    return digest.hexdigest()
