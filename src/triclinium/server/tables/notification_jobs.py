"""What the others at a table are told who are not here, in the write that makes it true."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from sqlalchemy import Connection

from triclinium.server.outbox.queue import queue_notification
from triclinium.server.tables.notification_triggers import get_notified_person
from triclinium.server.tables.table import Occupant, Table

WriteJob: TypeAlias = Callable[[Connection], None]


def make_notify_job(table: Table, people: Iterable[int | None], kind: str, key: str, *names: str) -> WriteJob:
    """A job that tells these people once."""
    whom = [person for person in dict.fromkeys(people) if person is not None]

    def job(connection: Connection) -> None:
        for person in whom:
            queue_notification(connection, person, kind, table.id, key, names=names)

    return job


def list_other_people(table: Table, occupant: Occupant) -> list[int | None]:
    """The people who sit there besides this one."""
    return [get_notified_person(other) for other in table.occupants if other.person != occupant.person]
