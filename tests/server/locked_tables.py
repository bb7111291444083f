"""Changes to a table for tests: each takes the lock by itself. Some rewrite stored facts in memory alone."""

from dataclasses import replace
from typing import Any

import pytest

from triclinium.engine.core.state import Seat
from triclinium.server.services import Services
from triclinium.server.tables import moves, rating_eligibility, seats
from triclinium.server.tables.table import LockedTable, Table


async def make_move(
    services: Services, table: Table, seat: Seat, option: str, version: int, key: str = "", *, bot: str = ""
) -> bool:
    """Choose an option as `moves.make_move` does."""
    async with services.tables.locked(table) as locked:
        return await moves.make_move(services, locked, seat, option, version, key, bot=bot)


async def set_auto_reply(services: Services, table: Table, seat: Seat, until: str, version: int) -> bool:
    """Set an auto-reply as `moves.set_auto_reply` does."""
    async with services.tables.locked(table) as locked:
        return await moves.set_auto_reply(services, locked, seat, until, version)


async def end_substitution(services: Services, table: Table, seat: Seat) -> None:
    """Let the owner of a seat return as `seats.end_substitution` does."""
    async with services.tables.locked(table) as locked:
        await seats.end_substitution(services, locked, seat)


async def start_substitution(services: Services, table: Table, seat: Seat, why: str) -> None:
    """Let a substitute bot play as `seats.start_substitution` does."""
    async with services.tables.locked(table) as locked:
        await seats.start_substitution(services, locked, locked.occupants[seat], why)


async def record_hint(services: Services, table: Table, seat: Seat) -> None:
    """Store a hint as `rating_eligibility.record_hint` does."""
    async with services.tables.locked(table) as locked:
        await rating_eligibility.record_hint(services.tables, locked, seat)


def rewrite_row(table: Table, **facts: Any) -> None:
    """Change stored facts of a table in memory."""
    table.replace_row_at_once(lambda row: replace(row, **facts))


def rewrite_occupant(table: Table, seat: Seat, **facts: Any) -> None:
    """Change stored facts of one seat in memory."""
    table.replace_row_at_once(lambda row: row.with_occupant(replace(row.occupants[seat], **facts)))


def rewrite_progress(table: Table, **facts: Any) -> None:
    """Change in memory what every move changes."""
    table._runtime.progress = replace(table.progress, **facts)


def note_acquisitions(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows by the id of a table each time that its lock is taken."""
    ids: list[str] = []
    acquire = Table.acquire

    async def acquire_and_note(table: Table) -> LockedTable:
        ids.append(table.id)
        return await acquire(table)

    monkeypatch.setattr(Table, "acquire", acquire_and_note)
    return ids
