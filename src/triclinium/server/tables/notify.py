"""What the others at a table are told who are not here, in the write that makes it true."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from sqlalchemy import Connection

from triclinium.server.notifications.outbox import tell
from triclinium.server.notifications.triggers import told_person
from triclinium.server.tables.table import Occupant, Table

Job: TypeAlias = Callable[[Connection], None]


def told(table: Table, people: Iterable[int | None], kind: str, key: str, *names: str) -> Job:
    """A job that tells these people once."""
    whom = [person for person in dict.fromkeys(people) if person is not None]

    def job(connection: Connection) -> None:
        for person in whom:
            tell(connection, person, kind, table.id, key, names=names)

    return job


def others(table: Table, occupant: Occupant) -> list[int | None]:
    """The people who sit there besides this one."""
    return [told_person(one) for one in table.occupants if one.person != occupant.person]
