"""What a house keeps for itself: a few facts, each under its name."""

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from triclinium.server.storage.schema import house


def load_value(connection: Connection, name: str) -> str:
    """A fact; the empty text: there is none."""
    value = connection.execute(select(house.c.value).where(house.c.name == name)).scalar_one_or_none()
    return "" if value is None else str(value)


def store_value(connection: Connection, name: str, value: str) -> None:
    """Put a fact in the place of the one before; the empty text forgets it. Two servers may do so at once."""
    if not value:
        connection.execute(delete(house).where(house.c.name == name))
        return
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    statement = insert(house).values(name=name, value=value)
    connection.execute(
        statement.on_conflict_do_update(index_elements=[house.c.name], set_={"value": statement.excluded.value})
    )
