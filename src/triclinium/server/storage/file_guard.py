"""The file of a server: held by one server at a time, private to its owner, and looked for before and after each write.

SQLite goes on writing into a file that was deleted, moved or replaced under it, and tells nobody. So the file at the
path is compared with the one that was opened, whenever something is about to be acknowledged.
"""

import logging
import os
import sqlite3
import stat
import sys
from pathlib import Path
from urllib.parse import quote

from triclinium.engine.core.errors import BadSetup
from triclinium.server.errors import NotStored

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

log = logging.getLogger("triclinium.store")
PRIVATE = 0o600
Identity = tuple[int, int]  # of a file: its device and its number there


class Held(BadSetup):
    """Another server has the file open."""


class DataFile:
    """One database file and what lies beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()  # another way to the same file leads to the same lock
        # Looked at so often that they are kept as the system wants them.
        self._file = str(self.path)
        self._folder = str(self.path.parent)
        self._log = f"{self.path}-wal"
        self._lock: int | None = None
        self._is: Identity | None = None
        self._log_is: Identity | None = None

    def claim(self) -> None:
        """Hold the file for this server, make it if there is none, and close it to other readers; raises BadSetup."""
        if self._lock is not None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(self.path.with_name(self.path.name + ".lock"))
            # SQLite gives its other files the mode of this one.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, PRIVATE))
        except BlockingIOError:
            raise Held(
                f"the database {self.path} is open in another house: close that one first, or give another --database"
            ) from None
        except OSError as error:
            self.release()
            raise BadSetup(f"the database {self.path} does not open: {error.strerror}") from None
        found = self.path.stat()
        if found.st_nlink > 1:
            self.release()
            raise BadSetup(f"the database {self.path} has a second name (a hard link): a house needs a file of its own")
        self._is = (found.st_dev, found.st_ino)
        self._log_is = None
        for name in ("", "-wal", "-shm"):
            keep_private(self.path.with_name(self.path.name + name))

    def release(self) -> None:
        """Let another server have it. A process that dies lets go by itself."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def connect(self, busy: float) -> sqlite3.Connection:
        """A connection to the file that is there; none is made in its place."""
        address = f"file:{quote(str(self.path))}?mode=rw"
        return sqlite3.connect(address, uri=True, check_same_thread=False, timeout=busy)

    # -- is it still there? -------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Raise NotStored if what is read and written is not what lies at the path any more."""
        if self._is is not None and _identity(_found(self._file)) != self._is:
            raise _gone()

    def check_writable(self) -> None:
        """Raise NotStored if the next write would not be kept."""
        file, folder = _found(self._file), _found(self._folder)
        if file is None or folder is None or _identity(file) != self._is:
            raise _gone()
        # Who has the file open, or may do everything, could write all the same: whoever took the right away meant it.
        if not file.st_mode & 0o222 or not folder.st_mode & 0o222:
            raise NotStored("the file of the house is read-only: nothing can be kept until it is writable again")

    def check_kept(self) -> None:
        """Raise NotStored if what was just written went into a file that nobody will find again."""
        self.check()
        found = _identity(_found(self._log))
        if self._log_is is None:
            self._log_is = found  # SQLite makes it with the first write, and leaves it while anybody is connected
        elif found != self._log_is:
            raise _gone()


def keep_private(path: Path) -> None:
    """Only the owner may read and write it."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            path.chmod(mode & ~0o077)
            log.warning("others could read or write %s (mode %o): its mode is %o now", path, mode, mode & ~0o077)
    except FileNotFoundError:
        pass
    except OSError as error:
        log.warning("others may read or write %s, and that cannot be changed: %s", path, error.strerror)


def _gone() -> NotStored:
    return NotStored("the file of the house is gone: whoever runs the house must stop it and put the file back")


def _found(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


def _identity(found: os.stat_result | None) -> Identity | None:
    return None if found is None else (found.st_dev, found.st_ino)


def _locked(path: Path) -> int:
    """Lock a file until it is closed or this process ends; raises BlockingIOError."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE)
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise
    return handle


def put_private(path: Path, content: bytes) -> None:
    """Make a private file that is whole or not there, whenever the process is killed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(path.name + ".new")
    half.unlink(missing_ok=True)
    handle = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    half.replace(path)
