"""What a house keeps for itself: a few facts, each under its name."""

from sqlalchemy import Connection, delete, insert, select

from triclinium.server.storage.schema import house


def kept(connection: Connection, name: str) -> str:
    """A fact; the empty text: there is none."""
    found = connection.execute(select(house.c.value).where(house.c.name == name)).scalar_one_or_none()
    return "" if found is None else str(found)


def keep(connection: Connection, name: str, value: str) -> None:
    """Put a fact in the place of the one before; the empty text forgets it."""
    connection.execute(delete(house).where(house.c.name == name))
    if value:
        connection.execute(insert(house).values(name=name, value=value))
