"""Statements that every move runs. Their SQL is kept: asking SQLAlchemy for it each time costs as much as the write."""

from collections.abc import Mapping

from sqlalchemy import Connection, Insert, Update
from sqlalchemy.dialects import postgresql, sqlite

DIALECTS = {
    "sqlite": sqlite.dialect(paramstyle="qmark"),
    "postgresql": postgresql.dialect(paramstyle="format"),  # type: ignore[no-untyped-call]
}


class Prepared:
    """A statement whose values are plain numbers and texts, as drivers take them."""

    def __init__(self, statement: Insert | Update) -> None:
        self._made: dict[str, tuple[str, tuple[str, ...]]] = {}
        for name, dialect in DIALECTS.items():
            compiled = statement.compile(dialect=dialect)
            assert compiled.positiontup is not None
            self._made[name] = str(compiled), tuple(compiled.positiontup)

    def run(self, connection: Connection, values: Mapping[str, object]) -> int:
        """How many rows it has met."""
        sql, names = self._made[connection.dialect.name]
        return connection.exec_driver_sql(sql, tuple(values[name] for name in names)).rowcount
