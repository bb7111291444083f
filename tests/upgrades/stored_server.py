"""The server of the upgrade fixture, restored into SQLite or PostgreSQL."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from alembic import command
from sqlalchemy import Boolean, Connection, Integer, MetaData, insert, select, text

from tests import postgres
from tests.upgrades.make_fixture import FOLDER
from triclinium.server.storage.file_guard import write_private_file
from triclinium.server.storage.revisions import build_alembic_config
from triclinium.server.storage.store import create_database

BACKENDS = ("sqlite", "postgresql")
FACTS: dict[str, Any] = json.loads((FOLDER / "server.json").read_text(encoding="utf-8"))
KEY = bytes.fromhex(FACTS["key"])


def restore(backend: str, folder: Path) -> str:
    """Restore the server as it was, and return the URL of its database."""
    path = folder / "house.db"
    with closing(sqlite3.connect(path)) as source:
        source.execute("PRAGMA journal_mode=WAL")
        source.executescript((FOLDER / "server.sql").read_text(encoding="utf-8"))
        write_private_file(path.with_suffix(".key"), KEY)
        if backend == "sqlite":
            return f"sqlite:///{path}"
        url = postgres.get_cluster().new()
        _copy(source, url)
        return url


def _copy(source: sqlite3.Connection, url: str) -> None:
    """Copy all rows into an empty PostgreSQL, which is migrated to the revision of the fixture."""
    database, config = create_database(url, 10.0), build_alembic_config()
    with database.engine.connect() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, source.execute("SELECT version_num FROM alembic_version").fetchone()[0])
        known = MetaData()
        known.reflect(connection)
        for table in known.sorted_tables:
            if table.name == "alembic_version":
                continue
            names = [column.name for column in table.columns]
            quoted = ", ".join(f'"{name}"' for name in names)
            stored = source.execute(f'SELECT {quoted} FROM "{table.name}"')
            rows = [dict(zip(names, row, strict=True)) for row in stored]
            for name in (column.name for column in table.columns if isinstance(column.type, Boolean)):
                rows = [{**row, name: bool(row[name])} for row in rows]
            if rows:
                connection.execute(insert(table), rows)
                if isinstance(table.columns[names[0]].type, Integer) and names[0] == "id":
                    _count_on(connection, table.name)
        connection.commit()
    database.store_secret("key", KEY)
    database.engine.dispose()


def _count_on(connection: Connection, table: str) -> None:
    """Make the sequence of a table continue after the copied rows."""
    connection.execute(text(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"))


def content(url: str) -> dict[str, list[str]]:
    """Return every row of every table."""
    database = create_database(url, 10.0)
    with database.engine.connect() as connection:
        known = MetaData()
        known.reflect(connection)
        found = {
            name: sorted(str(tuple(row)) for row in connection.execute(select(table)))
            for name, table in known.tables.items()
        }
    database.engine.dispose()
    return found
