"""The state of a server in figures, for its owner."""

import shutil
import time
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from sqlalchemy import func, select, text
from sqlalchemy.exc import SQLAlchemyError

from triclinium.server import server_time
from triclinium.server.errors import NotStored
from triclinium.server.services import Services
from triclinium.server.storage.schema import REMOVED, people, tables
from triclinium.server.storage.schema_shares import programs
from triclinium.server.storage.sqlite import SqliteDatabase

LOAD_SECONDS = 300.0  # seconds over which the load of the bots is measured
LOW_DISK_SHARE = 0.1  # share of the disk: less free space than this is a problem
LOW_DISK_BYTES = 500_000_000  # bytes: less free space than this is a problem
BUSY_SHARE = 0.9  # share of the bots' time: more than this is a problem
MAX_WAITING_WRITES = 100  # a larger number is a problem
SQLITE_SUFFIXES = ("", "-wal", "-shm")


@dataclass(frozen=True, slots=True)
class ServerHealth:
    """Figures about one server at one moment."""

    version: str
    opened_at: float
    database_kind: str
    database_readable: bool
    database_bytes: int
    backup_bytes: int
    disk_free: int  # free bytes on the disk of the backups
    disk_total: int
    people: int
    bot_accounts: int
    tables: dict[str, int]  # number of tables by state
    loaded_tables: int
    streams: int
    writes_waiting: int
    bot_processes: int
    bots_waiting: int  # decisions that wait for a process
    bot_load: float  # share of the processes' time that was used in the last minutes

    @property
    def is_disk_low(self) -> bool:
        return self.disk_free < max(LOW_DISK_BYTES, LOW_DISK_SHARE * self.disk_total)

    @property
    def are_bots_busy(self) -> bool:
        return self.bot_load > BUSY_SHARE

    @property
    def is_well(self) -> bool:
        return self.database_readable and self.writes_waiting <= MAX_WAITING_WRITES


def measure_health(services: Services, backups: Path) -> ServerHealth:
    """Return the figures of a server. Call this in a thread, because it reads the database and the disk."""
    try:
        counts = _count_rows(services)
    except (SQLAlchemyError, NotStored):
        counts = None
    disk = shutil.disk_usage(_find_existing(backups))
    cached_tables = services.tables.list_cached_tables()
    return ServerHealth(
        version=version("triclinium"),
        opened_at=services.runtime.opened_at,
        database_kind="SQLite" if isinstance(services.store.database, SqliteDatabase) else "PostgreSQL",
        database_readable=counts is not None,
        database_bytes=_measure_database(services) if counts is not None else 0,
        backup_bytes=_measure_folder(backups),
        disk_free=disk.free,
        disk_total=disk.total,
        people=counts[0] if counts else 0,
        bot_accounts=counts[1] if counts else 0,
        tables=counts[2] if counts else {},
        loaded_tables=len(cached_tables),
        streams=sum(len(table.hub.listeners) for table in cached_tables),
        writes_waiting=services.store.pending_writes,
        bot_processes=services.bot_pool.workers,
        bots_waiting=services.bot_pool.waiting_count,
        bot_load=measure_bot_load(services),
    )


def measure_bot_load(services: Services) -> float:
    """Return the share of their time that the bot processes worked in the last minutes."""
    uptime = max(1.0, server_time.now() - services.runtime.opened_at)
    seconds = min(LOAD_SECONDS, uptime)
    since = time.monotonic() - seconds
    used = sum(max(0.0, each.ended - max(each.began, since)) for each in services.bot_pool.slice_log)
    return min(1.0, used / (seconds * max(1, services.bot_pool.workers)))


def _count_rows(services: Services) -> tuple[int, int, dict[str, int]]:
    with services.store.read_connection() as connection:
        bot_accounts = int(connection.execute(select(func.count()).select_from(programs)).scalar_one())
        named = select(func.count()).select_from(people).where(people.c.name != "")
        by_state = select(tables.c.status, func.count()).where(tables.c.status != REMOVED).group_by(tables.c.status)
        states = {str(state): int(count) for state, count in connection.execute(by_state)}
        return int(connection.execute(named).scalar_one()) - bot_accounts, bot_accounts, states


def _measure_database(services: Services) -> int:
    """Return the size of the database in bytes."""
    database = services.store.database
    if isinstance(database, SqliteDatabase):
        files = [database.path.with_name(database.path.name + suffix) for suffix in SQLITE_SUFFIXES]
        return sum(path.stat().st_size for path in files if path.exists())
    with services.store.read_connection() as connection:
        return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())


def _measure_folder(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir() if path.is_file()) if folder.is_dir() else 0


def _find_existing(path: Path) -> Path:
    """Return a folder, or the nearest one above it that exists."""
    return path if path.exists() or path == path.parent else _find_existing(path.parent)
