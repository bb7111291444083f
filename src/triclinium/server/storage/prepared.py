"""Statements that every move runs. Their SQL is kept: asking SQLAlchemy for it each time costs as much as the write."""

from collections.abc import Mapping

from sqlalchemy import Connection, Insert, Update
from sqlalchemy.dialects import sqlite


class Prepared:
    """A statement whose values are plain numbers and texts, as SQLite takes them."""

    def __init__(self, statement: Insert | Update) -> None:
        compiled = statement.compile(dialect=sqlite.dialect())
        assert compiled.positiontup is not None
        self._sql = str(compiled)
        self._names = tuple(compiled.positiontup)

    def run(self, connection: Connection, values: Mapping[str, object]) -> None:
        connection.exec_driver_sql(self._sql, tuple(values[name] for name in self._names))
