"""The queue of studies: one child process at the lowest priority plays them, first come, first served.

Several servers on one database share a lease of 60 seconds, so that only one of them plays. The child process runs the
command `triclinium study`; this package does not import the lab. It pauses while a bot at a table thinks.
"""

import asyncio
import json
import logging
import os
import secrets
import shutil
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from triclinium.engine.core.errors import TricliniumError
from triclinium.server import server_time
from triclinium.server.runtime import Runtime
from triclinium.server.settings import Settings, find_study_folder
from triclinium.server.storage.schema import key_values
from triclinium.server.storage.schema_workshop import studies
from triclinium.server.workshop.access import OFF
from triclinium.server.workshop.studies import DONE, FAILED, RUNNING, STUDY_FILE, WAITING, QueuedStudyProgress, has_lab

log = logging.getLogger("triclinium.studies")
LEASE_SECONDS = 60.0
LEASE_KEY = "study lease"
RESULT_FOLDER = "result"
IDLE_SECONDS = 1.0  # between two looks for a waiting study
TICK_SECONDS = 0.1  # between two looks at the bots, while a study is played
STORE_SECONDS = 2.0  # between two writes of the progress
STOP_SECONDS = 10.0  # until a child process that was asked to end is killed
CAN_PAUSE = hasattr(signal, "SIGSTOP")


class StudyQueue:
    """The studies that this server plays."""

    def __init__(self, settings: Settings, runtime: Runtime, is_bot_thinking: Callable[[], bool]) -> None:
        self._settings = settings
        self._runtime = runtime
        self._store = runtime.store
        self._is_bot_thinking = is_bot_thinking
        self._name = secrets.token_hex(8)  # this server in the lease
        self.paused = False
        self.command: list[str] = [sys.executable, "-m", "triclinium"]

    async def run_loop(self) -> None:
        """Play waiting studies forever."""
        if self._settings.workshop == OFF or not has_lab():
            return
        while True:
            try:
                study = await self._claim_study()
                if study is not None:
                    await self._play(study)
                    continue
            except (TricliniumError, SQLAlchemyError, OSError) as error:
                log.warning("a study could not be played and will be tried again: %s", error)
            await asyncio.sleep(IDLE_SECONDS)

    # -- the lease ------------------------------------------------------------------------------------------------

    async def _claim_study(self) -> tuple[str, Mapping[str, str]] | None:
        """Take the lease, and return the oldest open study with its files, or None if there is nothing to do."""
        if not await self._runtime.run_in_thread(self._has_open_study):
            return None

        def job(connection: Connection) -> tuple[str, Mapping[str, str]] | None:
            if not self._take_lease(connection):
                return None
            waiting = select(studies.c.id, studies.c.plan).where(studies.c.state.in_((RUNNING, WAITING)))
            row = connection.execute(waiting.order_by(studies.c.made).limit(1)).one_or_none()
            if row is None:
                return None
            values = {"state": RUNNING, "worker": self._name, "leased": server_time.now() + LEASE_SECONDS}
            connection.execute(update(studies).where(studies.c.id == row.id).values(**values))
            return str(row.id), json.loads(row.plan)

        return await self._store.write(job)

    def _has_open_study(self) -> bool:
        with self._store.read_connection() as connection:
            row = select(studies.c.id).where(studies.c.state.in_((RUNNING, WAITING))).limit(1)
            return connection.execute(row).one_or_none() is not None

    def _take_lease(self, connection: Connection) -> bool:
        """Take or renew the lease. Return False if another server has it."""
        now = server_time.now()
        mine = f"{self._name} {now + LEASE_SECONDS:.1f}"
        wanted = select(key_values.c.value).where(key_values.c.name == LEASE_KEY)
        stored = connection.execute(wanted).scalar_one_or_none()
        if stored is None:
            try:
                with connection.begin_nested():
                    connection.execute(insert(key_values).values(name=LEASE_KEY, value=mine))
            except IntegrityError:
                return False
            return True
        holder, _, until = stored.partition(" ")
        if holder != self._name and float(until) > now:
            return False
        same = (key_values.c.name == LEASE_KEY) & (key_values.c.value == stored)
        return connection.execute(update(key_values).where(same).values(value=mine)).rowcount == 1

    async def release_lease(self) -> None:
        """Give the lease back, so that another server can go on at once."""

        def job(connection: Connection) -> None:
            mine = (key_values.c.name == LEASE_KEY) & key_values.c.value.startswith(f"{self._name} ")
            connection.execute(update(key_values).where(mine).values(value=f"{self._name} 0"))

        with suppress(TricliniumError, SQLAlchemyError):
            await self._store.write(job)

    # -- the child process ----------------------------------------------------------------------------------------

    async def _play(self, study: tuple[str, Mapping[str, str]]) -> None:
        """Play a study to its end, or until it is stopped. Finished parts stay if the server ends."""
        id, files = study
        folder = find_study_folder(self._settings) / id
        await self._runtime.run_in_thread(_write_files, folder, files)
        options = ["study", STUDY_FILE, "--to", RESULT_FOLDER, "--workers", "1", "--progress", "--idle"]
        child = await asyncio.create_subprocess_exec(
            *self.command, *options, cwd=folder, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, start_new_session=True
        )
        progress = [QueuedStudyProgress()]
        errors: list[str] = []
        readers = [
            asyncio.create_task(_read_progress(child, progress)),
            asyncio.create_task(_read_errors(child, errors)),
        ]
        try:
            is_wanted = await self._watch(child, id, progress)
            if is_wanted:
                await asyncio.gather(*readers)
                await self._store_end(id, folder, child.returncode or 0, progress[0], errors)
            else:
                await self._runtime.run_in_thread(shutil.rmtree, folder, True)
        finally:
            self.paused = False
            await _end_process(child)
            for reader in readers:
                reader.cancel()
            await self.release_lease()

    async def _watch(self, child: Process, id: str, progress: list[QueuedStudyProgress]) -> bool:
        """Wait for the end of the child, pause it while bots think, and store its progress.

        Return False if the study was stopped or deleted, or if another server has taken it over.
        """
        ended = asyncio.create_task(child.wait())
        try:
            next_store = 0.0
            while not ended.done():
                self._pause(child, self._is_bot_thinking())
                now = server_time.now()
                if now >= next_store:
                    next_store = now + STORE_SECONDS
                    if not await self._store_progress(id, progress[0]):
                        return False
                await asyncio.wait([ended], timeout=TICK_SECONDS)
        finally:
            self._pause(child, False)
            ended.cancel()
        return True

    def _pause(self, child: Process, pause: bool) -> None:
        if CAN_PAUSE and pause != self.paused and child.returncode is None:
            self.paused = pause
            with suppress(ProcessLookupError):
                child.send_signal(signal.SIGSTOP if pause else signal.SIGCONT)

    async def _store_progress(self, id: str, progress: QueuedStudyProgress) -> bool:
        """Store the progress and renew the lease. Return False if this server shall not play the study any more."""

        def job(connection: Connection) -> bool:
            if not self._take_lease(connection):
                return False
            mine = (studies.c.id == id) & (studies.c.state == RUNNING) & (studies.c.worker == self._name)
            values = {"leased": server_time.now() + LEASE_SECONDS}
            if progress.planned:
                values |= {"progress": json.dumps(asdict(progress))}  # type: ignore[dict-item]
            return connection.execute(update(studies).where(mine).values(**values)).rowcount == 1

        try:
            return await self._store.write(job)
        except (TricliniumError, SQLAlchemyError) as error:  # a full disk: the child goes on, and this is tried again
            log.warning("the progress of a study could not be stored: %s", error)
            return True

    async def _store_end(
        self, id: str, folder: Path, code: int, progress: QueuedStudyProgress, errors: list[str]
    ) -> None:
        """Store the report of a study that has ended, or the reason why it failed."""
        summary, report = await self._runtime.run_in_thread(_read_results, folder)
        is_done = code == 0 and bool(summary) and bool(report)
        problem = "" if is_done else (errors[-1] if errors else f"the process ended with code {code}")
        values: dict[str, object] = {
            "state": DONE if is_done else FAILED,
            "problem": problem.removeprefix("triclinium: "),
            "progress": json.dumps(asdict(progress)),
            "leased": 0.0,
        }
        if is_done:
            values |= {"summary": summary, "report": report}

        def job(connection: Connection) -> None:
            connection.execute(update(studies).where(studies.c.id == id, studies.c.state == RUNNING).values(**values))

        await self._store.write(job)
        if is_done:
            await self._runtime.run_in_thread(shutil.rmtree, folder, True)


def _write_files(folder: Path, files: Mapping[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def _read_results(folder: Path) -> tuple[str, str]:
    texts = []
    for name in ("summary.json", "report.html"):
        path = folder / RESULT_FOLDER / name
        texts.append(path.read_text(encoding="utf-8") if path.is_file() else "")
    return texts[0], texts[1]


async def _read_progress(child: Process, progress: list[QueuedStudyProgress]) -> None:
    """Keep the last progress that the child prints, one JSON object a line."""
    assert child.stdout is not None
    async for line in child.stdout:
        with suppress(ValueError, TypeError):
            progress[0] = QueuedStudyProgress(**json.loads(line))


async def _read_errors(child: Process, errors: list[str]) -> None:
    """Collect the last lines of the child's standard error."""
    assert child.stderr is not None
    async for line in child.stderr:
        text = line.decode("utf-8", "replace").strip()
        if text:
            errors.append(text)
            del errors[:-5]


async def _end_process(child: Process) -> None:
    """End the child and its workers: ask them first, and kill those that do not answer."""
    if child.returncode is not None:
        return
    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(child.pid, number)
            else:
                child.send_signal(number)
        with suppress(TimeoutError):
            await asyncio.wait_for(child.wait(), STOP_SECONDS)
            return
