"""Statements that every move runs. Their SQL is kept: asking SQLAlchemy for it each time costs as much as the write.

SQLite's are handed to the driver itself: what SQLAlchemy does about a statement of text costs three times its run.
PostgreSQL's are not, since it is SQLAlchemy that knows a lost connection.
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
    """A statement whose values are plain numbers and texts, as drivers take them."""

    def __init__(self, statement: Insert | Update) -> None:
        self._compiled: dict[str, tuple[str, tuple[str, ...]]] = {}
        for name, dialect in DIALECTS.items():
            compiled = statement.compile(dialect=dialect)
            assert compiled.positiontup is not None
            self._compiled[name] = str(compiled), tuple(compiled.positiontup)

    def run(self, connection: Connection, values: Mapping[str, object]) -> int:
        """How many rows it has met."""
        dialect = connection.dialect.name
        sql, names = self._compiled[dialect]
        row = [values[name] for name in names]
        if dialect == SQLITE:
            return execute_sqlite(connection, sql, row)
        return connection.exec_driver_sql(sql, tuple(row)).rowcount


def execute_sqlite(connection: Connection, sql: str, values: Sequence[object] = ()) -> int:
    """Run a statement of SQLite in the transaction that has begun; how many rows it has met. Raises as SQLAlchemy."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    try:
        return driver.execute(sql, values).rowcount
    except sqlite3.Error as error:
        raise DBAPIError.instance(sql, None, error, sqlite3.Error, hide_parameters=True) from error
