"""Tests of the database: migrations, and writes in batches that fail individually."""

import asyncio
import time
from collections.abc import Iterable
from pathlib import Path

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Engine, insert, inspect, select, update
from sqlalchemy.exc import IntegrityError, OperationalError

from tests import postgres
from tests.event_loop import run_coroutine
from triclinium.engine.core.errors import BadSetup
from triclinium.server.storage.schema import devices, metadata, people
from triclinium.server.storage.store import Store, create_database

BACKENDS = ("sqlite", "postgresql")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(f"sqlite:///{tmp_path / 'deep' / 'house.db'}")
    made.migrate()
    return made


def empty_database(backend: str, folder: Path) -> str:
    """Return the URL of a database without tables."""
    return postgres.get_cluster().new() if backend == "postgresql" else f"sqlite:///{folder / 'empty.db'}"


def describe_schema(engine: Engine) -> dict[str, list[list[str]]]:
    """Return the complete schema of each table with column types, nullability and defaults."""
    found = inspect(engine)

    def facts(name: str) -> list[list[str]]:
        several: list[Iterable[object]] = [
            found.get_columns(name),
            found.get_indexes(name),
            found.get_foreign_keys(name),
            found.get_unique_constraints(name),
            found.get_check_constraints(name),
        ]
        return [sorted(map(str, one)) for one in several] + [[str(found.get_pk_constraint(name))]]

    return {name: facts(name) for name in found.get_table_names() if name != "alembic_version"}


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_migrations_create_the_schema_of_the_code(backend: str, tmp_path: Path) -> None:
    """Tables, columns, types, nullability, defaults, indexes and keys are those of the metadata."""
    store = Store(empty_database(backend, tmp_path))
    store.migrate()
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    migrated = describe_schema(store.engine)
    store.migrate()  # a second migration changes nothing
    assert describe_schema(store.engine) == migrated
    store.close()
    directly = create_database(empty_database(backend, tmp_path / "directly"), 10.0)
    directly.claim_database()
    metadata.create_all(directly.engine)
    assert describe_schema(directly.engine) == migrated
    assert sorted(migrated) == sorted(metadata.tables)
    directly.engine.dispose()
    directly.release_database()


def test_a_database_is_durable_and_checks_its_references(store: Store) -> None:
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # 2 means FULL.
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    store.close()


def test_a_failing_write_does_not_affect_others(store: Store) -> None:
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

    answers = run_coroutine(all_at_once())
    assert answers[:39] == list(range(1, 40))
    assert isinstance(answers[39], IntegrityError)
    assert isinstance(answers[40], IntegrityError)
    with store.read_connection() as connection:
        assert [row.id for row in connection.execute(select(people.c.id).order_by(people.c.id))] == list(range(1, 40))
    store.close()


def test_writes_wait_for_a_locked_row_together() -> None:
    """In PostgreSQL, waiting writers do not add up, and writers of other rows are not blocked."""
    busy, url = 1.0, postgres.make_database()
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
        answers, took = run_coroutine(all_at_once())
    assert [isinstance(answer, OperationalError) for answer in answers] == [True, False] * 6
    assert took < busy * 3, "they waited one after the other"
    store.close()


def _rename(connection: Connection, person: int, name: str) -> None:
    connection.execute(update(people).where(people.c.id == person).values(name=name))


def test_a_path_is_no_database() -> None:
    """The error explains in one sentence how to name a database."""
    with pytest.raises(BadSetup, match=r"sqlite:///triclinium\.db, not '/some/where'"):
        Store("/some/where")
