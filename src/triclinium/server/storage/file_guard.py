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
PRIVATE_MODE = 0o600
FileIdentity = tuple[int, int]  # of a file: its device and its number there


class DatabaseInUse(BadSetup):
    """Another server has the file open."""


class DatabaseFile:
    """One database file and what lies beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()  # another way to the same file leads to the same lock
        # Looked at so often that they are kept as the system wants them.
        self._path_text = str(self.path)
        self._folder_text = str(self.path.parent)
        self._wal_text = f"{self.path}-wal"
        self._lock: int | None = None
        self._identity: FileIdentity | None = None
        self._wal_identity: FileIdentity | None = None

    def claim_file(self) -> None:
        """Hold the file for this server, make it if there is none, and close it to other readers; raises BadSetup."""
        if self._lock is not None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = _lock_file(self.path.with_name(self.path.name + ".lock"))
            # SQLite gives its other files the mode of this one.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, PRIVATE_MODE))
        except BlockingIOError:
            raise DatabaseInUse(
                f"the database {self.path} is open in another house: close that one first, or give another --database"
            ) from None
        except OSError as error:
            self.release_file()
            raise BadSetup(f"the database {self.path} does not open: {error.strerror}") from None
        file_status = self.path.stat()
        if file_status.st_nlink > 1:
            self.release_file()
            raise BadSetup(f"the database {self.path} has a second name (a hard link): a house needs a file of its own")
        self._identity = (file_status.st_dev, file_status.st_ino)
        self._wal_identity = None
        for name in ("", "-wal", "-shm"):
            restrict_to_owner(self.path.with_name(self.path.name + name))

    def release_file(self) -> None:
        """Let another server have it. A process that dies lets go by itself."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def connect(self, lock_timeout: float) -> sqlite3.Connection:
        """A connection to the file that is there; none is made in its place."""
        address = f"file:{quote(str(self.path))}?mode=rw"
        return sqlite3.connect(address, uri=True, check_same_thread=False, timeout=lock_timeout)

    # -- is it still there? -------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Raise NotStored if what is read and written is not what lies at the path any more."""
        if self._identity is not None and _get_identity(_try_stat(self._path_text)) != self._identity:
            raise _build_missing_error()

    def check_writable(self) -> None:
        """Raise NotStored if the next write would not be kept."""
        file, folder = _try_stat(self._path_text), _try_stat(self._folder_text)
        if file is None or folder is None or _get_identity(file) != self._identity:
            raise _build_missing_error()
        # Who has the file open, or may do everything, could write all the same: whoever took the right away meant it.
        if not file.st_mode & 0o222 or not folder.st_mode & 0o222:
            raise NotStored("the file of the house is read-only: nothing can be kept until it is writable again")

    def check_persisted(self) -> None:
        """Raise NotStored if what was just written went into a file that nobody will find again."""
        self.check()
        wal_identity = _get_identity(_try_stat(self._wal_text))
        if self._wal_identity is None:
            self._wal_identity = (
                wal_identity  # SQLite makes it with the first write, and leaves it while anybody is connected
            )
        elif wal_identity != self._wal_identity:
            raise _build_missing_error()


def restrict_to_owner(path: Path) -> None:
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


def _build_missing_error() -> NotStored:
    return NotStored("the file of the house is gone: whoever runs the house must stop it and put the file back")


def _try_stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


def _get_identity(file_status: os.stat_result | None) -> FileIdentity | None:
    return None if file_status is None else (file_status.st_dev, file_status.st_ino)


def _lock_file(path: Path) -> int:
    """Lock a file until it is closed or this process ends; raises BlockingIOError."""
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
    """Make a private file that is whole or not there, whenever the process is killed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial_file = path.with_name(path.name + ".new")
    partial_file.unlink(missing_ok=True)
    handle = os.open(partial_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_MODE)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    partial_file.replace(path)
