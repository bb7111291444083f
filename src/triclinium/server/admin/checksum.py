"""SHA-256 of a backup, in the last line of the backup itself: whoever copies the file copies its checksum.

SQLite and `pg_restore` ignore what follows their own data, so that a backup can still be opened by hand.
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

MISSING = "{0} has no checksum at its end: it was cut off, or it is no backup of this release"
DAMAGED = "{0} is damaged: its checksum does not match its content; use another backup"


def append_checksum(path: Path) -> None:
    """Append the checksum of a file to it, and write both to disk."""
    size = path.stat().st_size
    with path.open("ab") as file:
        file.write(_TRAILER.format(size=size, digest=_compute_digest(path, size)).encode("ascii"))
        file.flush()
        os.fsync(file.fileno())


def verify_checksum(path: Path) -> None:
    """Raise BadSetup unless a file can be read and is byte for byte what `append_checksum` left."""
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
