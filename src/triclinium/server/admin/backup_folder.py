"""Backups that the owner of a server makes on its page: files in one folder, named by the time of the backup."""

import asyncio
import datetime
import logging
import re
from dataclasses import dataclass
from pathlib import Path

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.text import msgid
from triclinium.server import server_time
from triclinium.server.admin import backup
from triclinium.server.errors import Conflict, NotFound, RequestError
from triclinium.server.services import Services
from triclinium.server.settings import Settings, find_backup_folder

log = logging.getLogger("triclinium.admin")
NAME_FORMAT = "%Y-%m-%dT%H%M%S"
NAME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{4}([0-9]{2})?")  # UTC, with seconds or without
MAX_BACKUPS = 30  # maximum number of backups in the folder
WAIT_SECONDS = 20.0  # seconds that a request waits for a backup
PRIVATE_FOLDER_MODE = 0o700
UNCHECKED, WHOLE, DAMAGED = "unchecked", "whole", "damaged"

NO_BACKUP = msgid("There is no backup of this name.")
ALREADY_RUNNING = msgid("A backup is already being made. Please wait until it is done.")
TOO_MANY = msgid("The folder already has {0} backups. Please delete one first.")
NOT_MADE = msgid("The backup could not be created: {0}.")


@dataclass(frozen=True, slots=True)
class BackupFile:
    """A backup file. ``state`` is the result of its last check since the server started."""

    name: str
    size: int  # bytes
    made: float
    state: str

    @property
    def is_damaged(self) -> bool:
        return self.state == DAMAGED


class BackupFolder:
    """The backup folder, and the backup in progress. Methods that block the event loop say so."""

    def __init__(self, settings: Settings) -> None:
        self.path = find_backup_folder(settings)
        self._url = settings.database
        self._states: dict[str, str] = {}  # states of the backups, by file name
        self._task: asyncio.Task[None] | None = None
        self._failure = ""  # reason why the last backup failed; "": it did not fail

    @property
    def is_running(self) -> bool:
        """Return whether a backup is in progress."""
        return self._task is not None and not self._task.done()

    def list_backups(self) -> list[BackupFile]:
        """Return the backups, the newest first. Call this in a thread, because it reads the folder."""
        if not self.path.is_dir():
            return []
        found = [path for path in self.path.iterdir() if NAME.fullmatch(path.name) and path.is_file()]
        return [
            BackupFile(path.name, path.stat().st_size, _parse_name(path.name), self._states.get(path.name, UNCHECKED))
            for path in sorted(found, key=lambda path: path.name, reverse=True)
        ]

    def find_backup(self, name: str) -> Path:
        """Return the file of a backup, or raise NotFound. Call this in a thread, because it reads the folder."""
        path = self.path / name
        if not NAME.fullmatch(name) or not path.is_file():
            raise NotFound(NO_BACKUP)
        return path

    async def make_backup(self, services: Services) -> bool:
        """Make a backup and check it. Return False if it takes long and continues in the background.

        Raise Conflict if another backup is in progress or the folder is full, and RequestError if the backup fails.
        """
        if self.is_running:
            raise Conflict(ALREADY_RUNNING)
        if len(await asyncio.to_thread(self.list_backups)) >= MAX_BACKUPS:
            raise Conflict(TOO_MANY, MAX_BACKUPS)
        self._failure = ""
        self._task = task = services.runtime.start_task(self._make_backup(), "making a backup")
        await asyncio.wait([task], timeout=WAIT_SECONDS)
        if self._failure:
            raise RequestError(NOT_MADE, self._failure)
        if task.done() and not task.cancelled():
            task.result()
        return task.done()

    async def _make_backup(self) -> None:
        name = datetime.datetime.fromtimestamp(server_time.now(), datetime.UTC).strftime(NAME_FORMAT)
        try:
            await asyncio.to_thread(self._write_backup, name)
        except (BadSetup, OSError) as error:
            log.warning("a backup failed: %s", error)
            self._failure = str(error)
            return
        await self.verify_backup(name)

    def _write_backup(self, name: str) -> None:
        self.path.mkdir(PRIVATE_FOLDER_MODE, parents=True, exist_ok=True)
        size = backup.create_backup(self._url, self.path / name)
        log.info("created the backup %s (%d bytes)", name, size)

    async def verify_backup(self, name: str) -> bool:
        """Check a backup, and return whether it is undamaged. Raise NotFound if there is none of this name."""
        path = await asyncio.to_thread(self.find_backup, name)
        try:
            await asyncio.to_thread(backup.verify_backup, path)
        except BadSetup as error:
            log.warning("the backup %s is damaged: %s", name, error)
            self._states[name] = DAMAGED
            return False
        self._states[name] = WHOLE
        return True

    async def delete_backup(self, name: str) -> None:
        """Delete a backup. Raise NotFound if there is none of this name."""
        path = await asyncio.to_thread(self.find_backup, name)
        await asyncio.to_thread(path.unlink, missing_ok=True)
        self._states.pop(name, None)


def _parse_name(name: str) -> float:
    """Return when a backup was made, or 0 if its name is not a time."""
    try:
        moment = datetime.datetime.strptime(name.ljust(len("2026-01-01T000000"), "0"), NAME_FORMAT)
    except ValueError:
        return 0.0
    return moment.replace(tzinfo=datetime.UTC).timestamp()
