"""Prepared statements for the writes of every move.

Their SQL is compiled once, because compiling it each time costs as much as the write. On SQLite the driver executes
them directly, since SQLAlchemy takes three times as long as the statement itself. On PostgreSQL they run through
SQLAlchemy, which detects lost connections.
"""

import sqlite3
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, Insert, Update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError

SQLITE = "sqlite"
DIALECTS = {
    SQLITE: sqlite.dialect(paramstyle="qmark"),
    "postgresql": postgresql.dialect(paramstyle="format"),  # type: ignore[no-untyped-call]
}


class PreparedStatement:
    """A compiled statement whose parameters are plain numbers and texts."""

    def __init__(self, statement: Insert | Update) -> None:
        self._compiled: dict[str, tuple[str, tuple[str, ...]]] = {}
        for name, dialect in DIALECTS.items():
            compiled = statement.compile(dialect=dialect)
            assert compiled.positiontup is not None
            self._compiled[name] = str(compiled), tuple(compiled.positiontup)

    def run(self, connection: Connection, values: Mapping[str, object]) -> int:
        """Execute the statement and return the number of affected rows."""
        dialect = connection.dialect.name
        sql, names = self._compiled[dialect]
        row = [values[name] for name in names]
        if dialect == SQLITE:
            return execute_sqlite(connection, sql, row)
        return connection.exec_driver_sql(sql, tuple(row)).rowcount


def execute_sqlite(connection: Connection, sql: str, values: Sequence[object] = ()) -> int:
    """Execute SQL in SQLite's open transaction and return the number of affected rows.

    Raise SQLAlchemy's `DBAPIError`.
    """
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    try:
        return driver.execute(sql, values).rowcount
    except sqlite3.Error as error:
        raise DBAPIError.instance(sql, None, error, sqlite3.Error, hide_parameters=True) from error
