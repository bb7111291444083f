"""Key-value store for the server's own settings and state."""

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from triclinium.server.storage.schema import key_values


def load_value(connection: Connection, name: str) -> str:
    """Return the value stored under a name, or "" if there is none."""
    value = connection.execute(select(key_values.c.value).where(key_values.c.name == name)).scalar_one_or_none()
    return "" if value is None else str(value)


def store_value(connection: Connection, name: str, value: str) -> None:
    """Store a value under a name. An empty value deletes the entry. Two servers can call this at the same time."""
    if not value:
        connection.execute(delete(key_values).where(key_values.c.name == name))
        return
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    statement = insert(key_values).values(name=name, value=value)
    connection.execute(
        statement.on_conflict_do_update(index_elements=[key_values.c.name], set_={"value": statement.excluded.value})
    )
