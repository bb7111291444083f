"""Key-value store for the server's own settings and state."""

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from triclinium.server.storage.schema import house


def load_value(connection: Connection, name: str) -> str:
    """Return the value stored under a name, or "" if there is none."""
    value = connection.execute(select(house.c.value).where(house.c.name == name)).scalar_one_or_none()
    return "" if value is None else str(value)


def store_value(connection: Connection, name: str, value: str) -> None:
    """Store a value under a name. An empty value deletes the entry. Two servers can call this at the same time."""
    if not value:
        connection.execute(delete(house).where(house.c.name == name))
        return
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    statement = insert(house).values(name=name, value=value)
    connection.execute(
        statement.on_conflict_do_update(index_elements=[house.c.name], set_={"value": statement.excluded.value})
    )
