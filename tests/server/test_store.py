"""The database: brought up to date by its migrations, written in batches that fail one by one."""

import asyncio
import json
import time
from pathlib import Path

import psycopg
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, insert, select, text, update
from sqlalchemy.exc import IntegrityError, OperationalError

from tests import postgres
from tests.loop import alone
from triclinium.engine.core.errors import BadSetup
from triclinium.server.storage.db import Store, migrations
from triclinium.server.storage.schema import chat, chat_mentions, devices, metadata, people, snapshot_logs
from triclinium.server.tables.snapshots import with_names


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(f"sqlite:///{tmp_path / 'deep' / 'house.db'}")
    made.migrate()
    return made


def test_the_migrations_make_the_schema(store: Store) -> None:
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    store.migrate()  # a second time changes nothing
    store.close()


def test_names_of_an_earlier_release_become_references(tmp_path: Path) -> None:
    """Messages are given their speakers, the server's messages the people they speak of, and log lines seats."""
    store = Store(f"sqlite:///{tmp_path / 'house.db'}")
    store.database.claim()
    config = migrations()
    with store.engine.connect() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0016")
        rows = {
            "people": [{"id": 1, "name": "Anna", "made": 0}, {"id": 2, "name": "Ben", "made": 0}],
            "tables": [_old_table("t")],
            "seats": [
                _old_seat(0, "Anna", person=1),
                _old_seat(1, "Ben", person=None),  # he has left
            ],
            "departures": [
                {"table": "t", "seat": 1, "turn": 0, "person": 2, "kind": "person", "name": "", "how": "left"}
                | {"moves": 1, "at": 0}
            ],
            "chat": [
                {"id": 1, "table": "t", "seat": 0, "name": "Anna", "text": "hello", "at": 0},
                {
                    "id": 2,
                    "table": "t",
                    "seat": -2,
                    "name": "Cleo\x1fBen",
                    "text": "{0} takes the seat of {1}",
                    "at": 0,
                },
            ],
            "snapshot_logs": [{"table": "t", "moves": 1, "text": json.dumps({"en": [[1, 0, "Anna asks Ben", "A-1"]]})}],
        }
        for table, values in rows.items():
            columns = ", ".join(f'"{name}"' for name in values[0])
            marks = ", ".join(f":{name}" for name in values[0])
            connection.execute(text(f"INSERT INTO {table} ({columns}) VALUES ({marks})"), values)
        connection.commit()
    store.migrate()
    with store.engine.connect() as connection:
        assert connection.execute(select(chat.c.id, chat.c.person).order_by(chat.c.id)).all() == [(1, 1), (2, None)]
        assert connection.execute(select(chat_mentions)).all() == [(2, 1, 2)]
        lines = json.loads(connection.execute(select(snapshot_logs.c.text)).scalar_one())
    assert lines == {"en": [[1, 0, ["", 0, " asks ", 1, ""], "A-1"]]}
    assert with_names(lines["en"][0][2], ("Anna", "Somebody")) == "Anna asks Somebody"
    store.close()


def _old_table(id: str) -> dict[str, object]:
    texts = ("code", "components", "name", "variants", "shown", "salt", "seal", "result", "again", "origin")
    numbers = ("rules", "undo", "hints", "shuffle", "remind", "takeover", "version", "moves", "who", "made", "moved")
    known = {"id": id, "title": "evangelists", "host": 1, "status": "playing"}
    return {**dict.fromkeys(texts, ""), **dict.fromkeys(numbers, 0), **known}


def _old_seat(seat: int, name: str, person: int | None) -> dict[str, object]:
    rest = {"kind": "person", "bot": "", "taken": 1, "standin": "", "generation": 0, "token": ""}
    return {"table": "t", "seat": seat, "name": name, "person": person, **rest}


def test_a_database_is_durable_and_checks_its_references(store: Store) -> None:
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    store.close()


def test_a_write_that_fails_takes_no_other_with_it(store: Store) -> None:
    async def named(number: int) -> int:
        def job(connection: Connection) -> int:
            connection.execute(insert(people).values(id=number, name=str(number), made=0.0))
            return number

        return await store.write(job)

    async def orphan() -> int:
        def job(connection: Connection) -> int:
            connection.execute(insert(devices).values(hash="x", person=999, made=0.0))
            return 0

        return await store.write(job)

    async def all_at_once() -> list[int | BaseException]:
        store.open()
        return await asyncio.gather(*map(named, range(1, 40)), orphan(), named(1), return_exceptions=True)

    answers = alone(all_at_once())
    assert answers[:39] == list(range(1, 40))
    assert isinstance(answers[39], IntegrityError)
    assert isinstance(answers[40], IntegrityError)
    with store.reading() as connection:
        assert [row.id for row in connection.execute(select(people.c.id).order_by(people.c.id))] == list(range(1, 40))
    store.close()


def test_writes_wait_for_a_locked_row_together() -> None:
    """In PostgreSQL, too, nobody waits longer because others wait for the same; who wants another row is served."""
    busy, url = 1.0, postgres.new_house()
    store = Store(url, busy)

    async def write(name: str, person: int) -> float:
        began = time.monotonic()
        await store.write(lambda connection: _rename(connection, person, name))
        return time.monotonic() - began

    async def all_at_once() -> tuple[list[float | BaseException], float]:
        store.open()
        began = time.monotonic()
        answers = await asyncio.gather(*(write(f"name {n}", 1 + n % 2) for n in range(12)), return_exceptions=True)
        return answers, time.monotonic() - began

    with store.engine.begin() as connection:
        connection.execute(insert(people), [{"id": id, "name": "", "made": 0.0} for id in (1, 2)])
    with psycopg.connect(url) as other:
        other.execute("SELECT * FROM people WHERE id = 1 FOR UPDATE")
        answers, took = alone(all_at_once())
    assert [isinstance(answer, OperationalError) for answer in answers] == [True, False] * 6
    assert took < busy * 3, "they waited one after the other"
    store.close()


def _rename(connection: Connection, person: int, name: str) -> None:
    connection.execute(update(people).where(people.c.id == person).values(name=name))


def test_a_path_is_no_database() -> None:
    """Whoever writes a file's path learns in one sentence how a database is named."""
    with pytest.raises(BadSetup, match=r"sqlite:///triclinium\.db, not '/some/where'"):
        Store("/some/where")
