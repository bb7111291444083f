"""Tests of the locked handle of a table: only this object changes a table, and a move takes it once."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from mypy import api as mypy

from tests.server.api_client import ApiClient, get_server
from tests.server.locked_tables import note_acquisitions
from triclinium.server.tables.table import HandleReleased, LockedTable

PROJECT = Path(__file__).parent.parent.parent
HEAD = """
from dataclasses import replace
from triclinium.server.services import Services
from triclinium.server.tables import moves, seats, undo
from triclinium.server.tables.broadcast import broadcast_table
from triclinium.server.tables.versioned_write import write_table
from triclinium.server.tables.table import LockedTable, Table
"""
FORBIDDEN = {
    "assign a stored fact": "table.row.status = 'over'",
    "assign a stored fact of a seat": "table.occupants[0].name = 'Eve'",
    "replace an occupant": "table.occupants[0] = table.occupants[1]",
    "replace the row": "table.row = replace(table.row, status='over')",
    "replace the progress": "table.progress = replace(table.progress, version=3)",
    "assign the match": "table.match = None",
    "append to the history": "table.history.append(table.history[0])",
    "use the lock": "await table.lock.acquire()",
    "use a method of the handle": "table.add_moves([])",
    "move without the lock": "await moves.make_move(services, table, 0, 'pass', 1)",
    "vacate a seat without the lock": "await seats.vacate_seat(services, table, table.occupants[0])",
    "store without the lock": "await write_table(services.tables, table, lambda connection: None)",
    "send what may not be stored": "broadcast_table(table)",
    "load the match without the lock": "await services.tables.load_match(table)",
}
ALLOWED = """
async def allowed(services: Services, table: Table) -> str:
    async with services.tables.locked(table) as locked:
        locked.row = replace(locked.row, status="over")
        locked.progress = replace(locked.progress, moved=0.0)
        locked.update_occupant(replace(locked.occupants[0], name="Eve"))
        await moves.make_move(services, locked, 0, "pass", 1)
        await write_table(services.tables, locked, lambda connection: None)
        broadcast_table(locked)
    async with services.tables.locked("abcdefgh") as table:
        await seats.vacate_seat(services, table, table.occupants[0])
    return table.status
"""


def test_mypy_rejects_changes_without_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One run of mypy over one file: each forbidden line is an error, and the right form is none."""
    lines = [*HEAD.splitlines(), "async def forbidden(services: Services, table: Table) -> None:"]
    number_by_use = {}
    for use, line in FORBIDDEN.items():
        lines.append(f"    {line}")
        number_by_use[use] = len(lines)
    source = tmp_path / "uses.py"
    source.write_text("\n".join([*lines, *ALLOWED.splitlines(), ""]))
    monkeypatch.chdir(PROJECT)
    cache = str(PROJECT / ".mypy_cache")
    report, problems, _ = mypy.run(["--strict", "--no-pretty", "--cache-dir", cache, str(source)])
    assert problems == ""
    rejected = {int(line.split(":")[1]) for line in report.splitlines() if ": error:" in line}
    assert {use for use, number in number_by_use.items() if number not in rejected} == set()
    assert rejected <= set(number_by_use.values()), report


def test_a_handle_is_useless_after_its_block(client: TestClient) -> None:
    api = ApiClient(client).fill()
    server = get_server(client)

    async def keep_handle() -> LockedTable:
        async with server.tables.locked(api.id) as table:
            assert table.status == "playing"
        return table

    assert client.portal is not None
    handle = client.portal.call(keep_handle)
    with pytest.raises(HandleReleased, match="after the block"):
        handle.status  # noqa: B018
    with pytest.raises(HandleReleased, match="after the block"):
        handle.set_status("over")
    with pytest.raises(HandleReleased, match="after the block"):
        handle.release()
    table = handle.unlocked
    assert (table.status, table.is_locked) == ("playing", False)


def test_a_move_by_the_api_takes_the_lock_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    acquisitions = note_acquisitions(monkeypatch)
    api = ApiClient(client).fill()
    who, option, version = api.who, api.options()[0], api.version
    assert who is not None
    acquisitions.clear()
    answer = client.post(f"{api.url}/move", json={"option": option, "version": version}, headers=api.auth(who))
    assert answer.status_code == 200
    assert acquisitions == [api.id]
