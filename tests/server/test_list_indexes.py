"""Tests that lists use indexes: no page scans all tables of the server."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Connection, event, insert

from bench.servers import fill_database
from tests import postgres
from tests.server.api_client import get_server
from triclinium.server.crypto import hash_token
from triclinium.server.settings import Settings
from triclinium.server.storage.schema import devices
from triclinium.web.app import create_app

WHICH = ("mine", "open", "running")
LISTS = ("/", *(f"/tables?which={which}" for which in WHICH), "/new?game=evangelists", "/players/7")
# tables that grow with the number of matches
GROWING = "tables|seats|history|departures|results|rating_steps|chat|outbox|watchers|votes"
SCAN = re.compile(rf"\bSCAN (?:{GROWING})\b|Seq Scan on (?:{GROWING})\b")
COOKIE = "x" * 32
Run = tuple[str, object]


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TestClient]:
    """Yield a server with ended, waiting and running tables, a few of them with person 7."""
    url = postgres.make_database() if request.param == "PostgreSQL" else f"sqlite:///{tmp_path}/house.db"
    fill_database(url, 1020)
    with TestClient(create_app(Settings(url, limits=False, bot_workers=0)), follow_redirects=True) as client:
        with get_server(client).store.engine.begin() as connection:
            connection.execute(insert(devices), {"hash": hash_token(COOKIE), "person": 7, "made": 1.0})
        yield client


def plan(connection: Connection, statement: str, values: object) -> str:
    """Return the database's query plan as with many rows."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        told = connection.exec_driver_sql(f"EXPLAIN {statement}", values)  # type: ignore[arg-type]
    else:
        told = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)  # type: ignore[arg-type]
    return "\n".join(str(row[-1]) for row in told)


def test_no_list_scans_all_tables(client: TestClient) -> None:
    engine, run = get_server(client).store.engine, list[Run]()

    def note(_: object, __: object, statement: str, values: object, *___: object) -> None:
        run.append((statement, values))

    event.listen(engine, "before_cursor_execute", note)
    for path in LISTS:
        assert client.get(path, headers={"cookie": f"triclinium={COOKIE}"}).status_code == 200
    event.remove(engine, "before_cursor_execute", note)
    asked = [one for one in run if one[0].lstrip().startswith("SELECT")]
    assert len(asked) > 10
    with engine.connect() as connection:
        plans = [(statement, plan(connection, statement, values)) for statement, values in asked]
    assert [one for one in plans if SCAN.search(one[1])] == []
