"""Somebody goes for good: everything that is theirs alone is deleted, and their name is nowhere any more.

Seats and results stay as somebody's, so that the others keep their matches and their ratings.
"""

import asyncio
import logging
from collections.abc import Iterable

from sqlalchemy import Column, Connection, Table, delete, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import TricliniumError
from triclinium.server import clock
from triclinium.server.errors import RequestError
from triclinium.server.people import Person
from triclinium.server.sanitize import SOMEBODY, without_names
from triclinium.server.server import Server
from triclinium.server.storage.schema import (
    chat,
    departures,
    devices,
    joins,
    metadata,
    people,
    reviews,
    seats,
    snapshot_logs,
    snapshots,
    tables,
)
from triclinium.server.storage.schema_given import programs, shares
from triclinium.server.storage.schema_notifications import outbox
from triclinium.server.storage.schema_results import rating_steps, ratings, results
from triclinium.server.tables import seating
from triclinium.server.tables.table import Table as PlayedTable

log = logging.getLogger("triclinium.erasing")
LATER = 86400.0  # seconds in which it can be taken back
ROUND = 3600.0  # seconds between two looks for whose day has come
STAY = (seats, departures, results, ratings, rating_steps)  # others count on them
TEXTS = (
    (tables, tables.c.id, "name"),
    (snapshots, snapshots.c.table, "text"),
    (reviews, reviews.c.table, "text"),
    (outbox, outbox.c.table, "names"),
    (results, results.c.table, "name"),  # of guests at somebody's device: they may be called after their host
    (departures, departures.c.table, "name"),
)


async def ask(server: Server, person: Person, nickname: str) -> float:
    """Somebody asks to be erased, and types their nickname; when it will be done."""
    if nickname.strip() != person.name:
        raise RequestError("type your nickname exactly as it is, so that this is no slip")
    when = clock.now() + LATER
    await _set(server, person, when)
    return when


async def take_back(server: Server, person: Person) -> None:
    """They stay after all."""
    await _set(server, person, 0.0)


async def _set(server: Server, person: Person, when: float) -> None:
    def job(connection: Connection) -> None:
        connection.execute(update(people).where(people.c.id == person.id).values(erasing=when))

    await server.store.write(job)


def asked(connection: Connection, person: int) -> float:
    """When somebody will be erased; 0: never."""
    return float(connection.execute(select(people.c.erasing).where(people.c.id == person)).scalar_one())


async def erase_due(server: Server) -> int:
    """Erase everybody whose time has come; how many."""
    due = await server.in_thread(_due, server)
    for person in due:
        await erase(server, person)
    return len(due)


def _due(server: Server) -> list[Person]:
    with server.store.reading() as connection:
        rows = connection.execute(
            select(people.c.id, people.c.name).where(people.c.erasing > 0, people.c.erasing <= clock.now())
        )
        return [Person(row.id, row.name, "") for row in rows]


async def rounds(server: Server) -> None:
    """For ever, at one of the servers: erase whoever asked for it a day ago. What fails is tried again."""
    while True:
        try:
            if await server.peers.claim("erasing"):
                await erase_due(server)
        except (TricliniumError, SQLAlchemyError) as error:
            log.warning("somebody who wishes to be erased has to wait: %s", error)
        await asyncio.sleep(ROUND)


async def erase(server: Server, person: Person) -> None:
    """Get up everywhere, then forget; programs of theirs go before them."""
    for program in await server.in_thread(_programs, server, person.id):
        await erase(server, program)
    for id in await server.in_thread(_sitting, server, person.id):
        table = await server.table(id)
        for occupant in table.occupants:
            if occupant.person == person.id and table.status in ("waiting", "playing") and occupant.taken:
                await seating.leave(server, table, occupant)
    held = await server.in_thread(_devices, server, person.id)
    names, touched = await server.store.write_for_all(lambda connection: forget(connection, person.id))
    server.people.unknown(person.id)
    server.rests.away.pop(person.id, None)
    server.reachable.discard(person.id)
    for table in server.in_memory():
        for device in held:
            table.hub.forget(device)
        if table.id in touched:
            async with table.lock:  # a move that is just being stored may name them: that is cleaned once more
                _forget_at(table, person.id, names)
            table.hub.reseat()
            server.tell_seats(table)
    await server.store.write_for_all(lambda connection: _clean_all(connection, touched, person.id, names))
    await server.in_thread(server.store.sweep)


def _forget_at(table: PlayedTable, person: int, names: set[str]) -> None:
    """A table in memory knows them no more; its lock is held."""
    table.name = without_names(table.name, names)
    table.logs.clear()
    table.copies.clear()
    for occupant in table.occupants:
        if occupant.person == person or occupant.name in names:
            occupant.name = SOMEBODY


def _clean_all(connection: Connection, touched: set[str], person: int, names: set[str]) -> None:
    for id in touched:
        _clean(connection, id, person, names)


def _programs(server: Server, owner: int) -> list[Person]:
    with server.store.reading() as connection:
        rows = connection.execute(
            select(people.c.id, people.c.name)
            .join(programs, programs.c.person == people.c.id)
            .where(programs.c.owner == owner)
        )
        return [Person(row.id, row.name, "") for row in rows]


def _sitting(server: Server, person: int) -> list[str]:
    with server.store.reading() as connection:
        return list(connection.execute(select(seats.c.table).where(seats.c.person == person).distinct()).scalars())


def _devices(server: Server, person: int) -> list[str]:
    with server.store.reading() as connection:
        return list(connection.execute(select(devices.c.hash).where(devices.c.person == person)).scalars())


def forget(connection: Connection, person: int) -> tuple[set[str], set[str]]:
    """Delete and rename; the names that are gone, and the tables that knew them."""
    touched = _touched(connection, person)
    names = _names(connection, person, touched)
    connection.execute(delete(joins).where(joins.c.person.in_(_joined(connection, person))))
    for table in metadata.sorted_tables:
        for column in _of_people(table):
            if table not in STAY and table.name not in ("people", "tables"):
                connection.execute(delete(table).where(column == person))
    connection.execute(update(seats).where(seats.c.person == person).values(name=SOMEBODY, token=""))
    connection.execute(
        update(people)
        .where(people.c.id == person)
        .values(name="", erasing=0.0, shown="nobody", rated=False, language="", zone="", quiet="", digest=0)
    )
    _clean_all(connection, touched, person, names)
    return names, touched


def _of_people(table: Table) -> Iterable[Column[int]]:
    """The columns of a table that name a person."""
    return [column for column in table.columns for key in column.foreign_keys if key.column is people.c.id]


def _touched(connection: Connection, person: int) -> set[str]:
    """Every table that somebody opened, sat at, left or watched."""
    found: set[str] = set(connection.execute(select(tables.c.id).where(tables.c.host == person)).scalars())
    for table in metadata.sorted_tables:
        if "table" in table.columns:
            for column in _of_people(table):
                found |= set(connection.execute(select(table.c.table).where(column == person)).scalars())
    return found | _played_on(connection, found)


def _played_on(connection: Connection, from_these: set[str]) -> set[str]:
    """Every table that was played on from a position of one of these: it took over the names."""
    rows = connection.execute(select(tables.c.id, tables.c.origin).where(tables.c.origin.contains("/"))).all()
    found: set[str] = set()
    known = from_these
    while known:
        known = {row.id for row in rows if row.origin.partition("/")[0] in known} - from_these - found
        found |= known
    return found


def _joined(connection: Connection, person: int) -> set[int]:
    """Everybody who has become one with them, and who had with those before."""
    found = {person}
    more = found
    while more:
        gone = connection.execute(select(joins.c.gone).where(joins.c.person.in_(more))).scalars()
        more = set(gone) - found
        found |= more
    return found


def _names(connection: Connection, person: int, touched: set[str]) -> set[str]:
    """What they are and were called: at a seat they are called as when they sat down."""
    found = set(connection.execute(select(people.c.name).where(people.c.id == person)).scalars())
    found |= set(connection.execute(select(seats.c.name).where(seats.c.person == person)).scalars())
    once = joins.c.person.in_(_joined(connection, person))
    found |= set(connection.execute(select(joins.c.name).where(once)).scalars())
    left = select(seats.c.name).join(
        departures, (departures.c.table == seats.c.table) & (departures.c.seat == seats.c.seat)
    )
    found |= set(connection.execute(left.where(departures.c.person == person, seats.c.person.is_(None))).scalars())
    return {name for name in found if name and name != SOMEBODY}


def _clean(connection: Connection, id: str, person: int, names: set[str]) -> None:
    """One table without them: their talk goes, and wherever they are named somebody is."""
    own = select(seats.c.seat).where(seats.c.table == id, seats.c.person == person)
    connection.execute(
        delete(chat).where(chat.c.table == id, chat.c.seat >= -1, or_(chat.c.name.in_(names), chat.c.seat.in_(own)))
    )
    connection.execute(update(seats).where(seats.c.table == id, seats.c.name.in_(names)).values(name=SOMEBODY))
    for table, key, name in (*TEXTS, (chat, chat.c.table, "name"), (chat, chat.c.table, "text")):
        _rename(connection, table, key == id, name, names)
    _rename(connection, snapshot_logs, snapshot_logs.c.table == id, "text", names)
    connection.execute(update(shares).where(shares.c.table == id).values(mark="", picture=None))


def _rename(connection: Connection, table: Table, which: object, column: str, names: set[str]) -> None:
    keys = list(table.primary_key)
    rows = connection.execute(select(*keys, table.c[column].label("said")).where(which)).mappings()  # type: ignore[arg-type]
    for row in rows.all():
        told = without_names(str(row["said"]), names)
        if told != row["said"]:
            this = [key == row[key.name] for key in keys]
            connection.execute(update(table).where(*this).values({column: told}))
