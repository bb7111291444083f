"""Write jobs that queue notifications in the same commit as the event that they are about."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from sqlalchemy import Connection

from triclinium.server.outbox.queue import queue_notification
from triclinium.server.tables.notification_triggers import get_notified_person
from triclinium.server.tables.table import Occupant, Table

WriteJob: TypeAlias = Callable[[Connection], None]


def make_notify_job(table: Table, people: Iterable[int | None], kind: str, key: str, *names: str) -> WriteJob:
    """Return a job that queues a notification for each of these people."""
    whom = [person for person in dict.fromkeys(people) if person is not None]

    def job(connection: Connection) -> None:
        for person in whom:
            queue_notification(connection, person, kind, table.id, key, names=names)

    return job


def list_other_people(table: Table, occupant: Occupant) -> list[int | None]:
    """Return the people at the other seats of the table."""
    return [get_notified_person(other) for other in table.occupants if other.person != occupant.person]
