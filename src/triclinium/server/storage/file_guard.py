"""Guard of a server's database file: one server at a time may open it, and only its owner may read it.

SQLite keeps writing to a file that was deleted, moved or replaced, without an error. The guard therefore compares the
file at the path with the one that was opened, before and after each write.
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
PRIVATE_MODE = 0o600
FileIdentity = tuple[int, int]  # the device and the inode number of a file


class DatabaseInUse(BadSetup):
    """Raised if another server has the database file open."""


class DatabaseFile:
    """One database file, with its lock file and SQLite's journal files."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()  # links are resolved so that every path to the file uses the same lock
        # These paths are checked before every write, so they are converted to text once.
        self._path_text = str(self.path)
        self._folder_text = str(self.path.parent)
        self._wal_text = f"{self.path}-wal"
        self._lock: int | None = None
        self._identity: FileIdentity | None = None
        self._wal_identity: FileIdentity | None = None

    def claim_file(self) -> None:
        """Lock the file for this server, create it if necessary, and restrict it to its owner.

        Raise `DatabaseInUse` if another server has locked it, and `BadSetup` if it cannot be opened.
        """
        if self._lock is not None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = _lock_file(self.path.with_name(self.path.name + ".lock"))
            # SQLite gives its journal files the same mode as this file.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, PRIVATE_MODE))
        except BlockingIOError:
            raise DatabaseInUse(
                f"the database {self.path} is in use by another server; "
                "stop that server first, or give another --database"
            ) from None
        except OSError as error:
            self.release_file()
            raise BadSetup(f"cannot open the database {self.path}: {error.strerror}") from None
        file_status = self.path.stat()
        if file_status.st_nlink > 1:
            self.release_file()
            raise BadSetup(
                f"the database {self.path} has a second name (a hard link); a server needs a file of its own"
            )
        self._identity = (file_status.st_dev, file_status.st_ino)
        self._wal_identity = None
        for name in ("", "-wal", "-shm"):
            restrict_to_owner(self.path.with_name(self.path.name + name))

    def release_file(self) -> None:
        """Release the lock of the file. The operating system does this too when a process is killed."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def connect(self, lock_timeout: float) -> sqlite3.Connection:
        """Return a connection to the existing file. SQLite never creates a new one here."""
        address = f"file:{quote(str(self.path))}?mode=rw"
        return sqlite3.connect(address, uri=True, check_same_thread=False, timeout=lock_timeout)

    # -- checks before and after each write ---------------------------------------------------------------------------

    def check(self) -> None:
        """Raise `NotStored` if the file at the path is no longer the one that was opened."""
        if self._identity is not None and _get_identity(_try_stat(self._path_text)) != self._identity:
            raise _build_missing_error()

    def check_writable(self) -> None:
        """Raise `NotStored` if the next write would be lost."""
        file, folder = _try_stat(self._path_text), _try_stat(self._folder_text)
        if file is None or folder is None or _get_identity(file) != self._identity:
            raise _build_missing_error()
        # SQLite could still write, because it has the file open. An operator who removes the write permission wants no
        # writes.
        if not file.st_mode & 0o222 or not folder.st_mode & 0o222:
            raise NotStored("The server’s database file is read-only. Nothing can be saved until it is writable again.")

    def check_persisted(self) -> None:
        """Raise `NotStored` if the last write went to a file that has been deleted, moved or replaced."""
        self.check()
        wal_identity = _get_identity(_try_stat(self._wal_text))
        if self._wal_identity is None:
            self._wal_identity = (
                wal_identity  # SQLite creates this file with the first write and keeps it while connections are open
            )
        elif wal_identity != self._wal_identity:
            raise _build_missing_error()


def restrict_to_owner(path: Path) -> None:
    """Remove the permissions of other users from a file, and log a warning if it had any."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            path.chmod(mode & ~0o077)
            log.warning("other users could read or write %s (mode %o); its mode is now %o", path, mode, mode & ~0o077)
    except FileNotFoundError:
        pass
    except OSError as error:
        log.warning("other users can read or write %s, and its mode cannot be changed: %s", path, error.strerror)


def _build_missing_error() -> NotStored:
    return NotStored("The server’s database file is missing. Its operator must stop the server and put the file back.")


def _try_stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


def _get_identity(file_status: os.stat_result | None) -> FileIdentity | None:
    return None if file_status is None else (file_status.st_dev, file_status.st_ino)


def _lock_file(path: Path) -> int:
    """Lock a file until its handle is closed or the process ends, and return the handle.

    Raise `BlockingIOError` if another process has locked it.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_MODE)
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise
    return handle


def write_private_file(path: Path, content: bytes) -> None:
    """Write a file that only its owner can read.

    The write is atomic: after a crash the file is complete or unchanged.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial_file = path.with_name(path.name + ".new")
    partial_file.unlink(missing_ok=True)
    handle = os.open(partial_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_MODE)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    partial_file.replace(path)
