"""Merging of two accounts of one person. A merge can be undone for a week."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Column, Connection, Table, delete, insert, select, update

from triclinium.server import server_time
from triclinium.server.errors import Conflict, NotFound
from triclinium.server.ratings.rating import load_bot_owners, rebuild_ratings
from triclinium.server.services import Services
from triclinium.server.storage.schema import (
    chat,
    chat_mentions,
    chat_reads,
    departures,
    devices,
    joins,
    passkeys,
    people,
    phrases,
    seats,
    tables,
    watchers,
)
from triclinium.server.storage.schema_evenings import evenings, guests
from triclinium.server.storage.schema_notifications import outbox, ways
from triclinium.server.storage.schema_practice import exercises, losses
from triclinium.server.storage.schema_results import results
from triclinium.server.storage.schema_shares import programs
from triclinium.server.storage.schema_workshop import editions, playtest_answers, playtests, studies
from triclinium.server.tables.table import Table as PlayedTable
from triclinium.server.tables.table import TableRow

UNDO_SECONDS = 7 * 86400.0
# The columns that name the owner of a row. A merge changes them; ratings are computed again instead.
MOVED_COLUMNS: Sequence[tuple[Table, "Column[int]"]] = (
    (seats, seats.c.person),
    (results, results.c.person),
    (departures, departures.c.person),
    (tables, tables.c.host),
    (devices, devices.c.person),
    (passkeys, passkeys.c.person),
    (programs, programs.c.owner),
    (ways, ways.c.person),
    (outbox, outbox.c.person),
    (chat, chat.c.person),
    (chat_mentions, chat_mentions.c.person),
    (evenings, evenings.c.host),
    (guests, guests.c.person),
    (editions, editions.c.person),
    (studies, studies.c.person),
    (playtests, playtests.c.person),
    (playtest_answers, playtest_answers.c.person),
    (exercises, exercises.c.person),
    (losses, losses.c.person),
)


async def merge_accounts(services: Services, person: int, gone: int) -> None:
    """Give everything of ``gone`` to ``person``: seats, results, devices and notification channels.

    Raise `Conflict` if the accounts cannot be merged.
    """
    name = await services.store.write_and_reload_peers(lambda connection: _store_merge(connection, person, gone))
    _merge_in_memory(services, gone, person, name)


async def undo_merge(services: Services, person: int, gone: int) -> None:
    """Undo a merge. Raise `NotFound` if there was none in the last week."""
    undone = await services.store.write_and_reload_peers(lambda connection: _store_undo(connection, person, gone))
    services.notifiable_people.add(gone)
    for device in undone.devices:
        cached = services.people.find_cached(device)
        if cached is not None:
            cached.id, cached.name = gone, undone.name
    services.tables.update_rows(lambda row: _undo_merge_in_row(row, person, gone, undone))
    for table in services.tables.list_cached_tables():
        _undo_merge_in_memory(table, person, gone, undone)


def _undo_merge_in_row(row: TableRow, person: int, gone: int, undone: "UndoneMerge") -> TableRow:
    """Return a table's row in memory with the seats that belonged to the other person before the merge."""
    occupants = tuple(
        replace(occupant, person=gone)
        if (row.id, occupant.seat) in undone.seats and occupant.person == person
        else occupant
        for occupant in row.occupants
    )
    departed = _rename_key(row.departed, person, gone) if row.id in undone.left_tables else row.departed
    host = gone if row.id in undone.hosted_tables and row.host == person else row.host
    return replace(row, host=host, occupants=occupants, departed=departed)


def _merge_in_row(row: TableRow, gone: int, person: int) -> TableRow:
    """Return a table's row in memory in which everything of ``gone`` belongs to ``person``."""
    occupants = tuple(
        replace(occupant, person=person) if occupant.person == gone else occupant for occupant in row.occupants
    )
    host = person if row.host == gone else row.host
    return replace(row, host=host, occupants=occupants, departed=_rename_key(row.departed, gone, person))


def _rename_key(departed: Mapping[int, str], before: int, after: int) -> Mapping[int, str]:
    if before not in departed:
        return departed
    return {**{key: how for key, how in departed.items() if key != before}, after: departed[before]}


def _undo_merge_in_memory(table: PlayedTable, person: int, gone: int, undone: "UndoneMerge") -> None:
    """Give the event streams at a table in memory back to the other person after a merge was undone."""
    for listener in table.hub.listeners:
        if listener.device in undone.devices:
            listener.person = gone
    table.hub.reassign_seats()


def _merge_in_memory(services: Services, gone: int, person: int, name: str) -> None:
    """Apply a merge to everything in memory."""
    services.people.update_cached(gone, person, name)
    services.notifiable_people.add(person)
    services.tables.update_rows(lambda row: _merge_in_row(row, gone, person))
    for table in services.tables.list_cached_tables():
        for listener in table.hub.listeners:
            if listener.person == gone:
                listener.person = person
        table.hub.reassign_seats()


def list_merges(connection: Connection, person: int) -> list[tuple[int, str, float]]:
    """Return the people merged into a person within the last week: number, name and time."""
    rows = connection.execute(
        select(joins).where(joins.c.person == person, joins.c.at > server_time.now() - UNDO_SECONDS)
    )
    return [(row.gone, row.name, row.at) for row in rows]


def _store_merge(connection: Connection, person: int, gone: int) -> str:
    _check_mergeable(connection, person, gone)
    moved: dict[str, list[dict[str, object]]] = {}
    same = select(ways.c.mark).where(ways.c.person == person)
    connection.execute(delete(ways).where(ways.c.person == gone, ways.c.mark.in_(same)))
    for table, column in MOVED_COLUMNS:
        keys = list(table.primary_key)
        rows = connection.execute(select(*keys).where(column == gone)).mappings()
        moved[table.name] = [{key.name: row[key.name] for key in keys} for row in rows]
        connection.execute(update(table).where(column == gone).values({column.name: person}))
    watched = connection.execute(select(watchers.c.table).where(watchers.c.person == person)).scalars().all()
    connection.execute(delete(watchers).where(watchers.c.person == gone, watchers.c.table.in_(watched)))
    connection.execute(update(watchers).where(watchers.c.person == gone).values(person=person))
    for table in (phrases, chat_reads):
        connection.execute(delete(table).where(table.c.person == gone))
    name = str(connection.execute(select(people.c.name).where(people.c.id == gone)).scalar_one())
    connection.execute(update(people).where(people.c.id == gone).values(name=""))
    text = json.dumps(moved)
    connection.execute(insert(joins).values(gone=gone, person=person, name=name, text=text, at=server_time.now()))
    _rebuild_ratings(connection, (person, gone))
    return str(connection.execute(select(people.c.name).where(people.c.id == person)).scalar_one())


def _check_mergeable(connection: Connection, person: int, gone: int) -> None:
    already_merged = select(joins.c.gone).where(joins.c.gone == gone)
    if person == gone or connection.execute(already_merged).first() is not None:
        raise Conflict("These two accounts are already merged.")
    if load_bot_owners(connection, (person, gone)):
        raise Conflict("A bot account has its own results and cannot be merged with a player.")
    same_evenings = select(guests.c.evening).where(guests.c.person == person)
    if connection.execute(select(guests).where(guests.c.person == gone, guests.c.evening.in_(same_evenings))).first():
        raise Conflict("These accounts were guests of the same evening, so they cannot be merged.")
    for table in (seats, results):
        mine = select(table.c.table).where(table.c.person == person)
        both = select(table.c.table).where(table.c.person == gone, table.c.table.in_(mine))
        if connection.execute(both).first() is not None:
            raise Conflict("These accounts have played at the same table, so they cannot be merged.")
        for owner, other in ((person, gone), (gone, person)):
            own = select(programs.c.person).where(programs.c.owner == owner)
            met = select(table.c.table).where(table.c.person.in_(own))
            if connection.execute(select(table.c.table).where(table.c.person == other, table.c.table.in_(met))).first():
                raise Conflict("One account has played against a bot account of the other, so they cannot be merged.")


@dataclass(frozen=True, slots=True)
class UndoneMerge:
    """The rows that went back to the other person when a merge was undone."""

    name: str
    devices: set[str]  # hashes of the devices' cookies
    seats: set[tuple[str, int]]  # table and seat of each
    hosted_tables: set[str]  # ids of tables
    left_tables: set[str]  # ids of tables that the person left


def _store_undo(connection: Connection, person: int, gone: int) -> UndoneMerge:
    row = connection.execute(
        select(joins).where(
            joins.c.gone == gone, joins.c.person == person, joins.c.at > server_time.now() - UNDO_SECONDS
        )
    ).one_or_none()
    if row is None:
        raise NotFound("It is too late to undo this merge.")
    moved = json.loads(row.text)
    for table, column in MOVED_COLUMNS:
        for key in moved.get(table.name, ()):  # the merge may be older than the table in the schema
            this = [table.c[name] == value for name, value in key.items()]
            connection.execute(update(table).where(*this, column == person).values({column.name: gone}))
    connection.execute(update(people).where(people.c.id == gone).values(name=row.name))
    connection.execute(delete(joins).where(joins.c.gone == gone))
    _rebuild_ratings(connection, (person, gone))
    return UndoneMerge(
        row.name,
        {str(key["hash"]) for key in moved["devices"]},
        {(str(key["table"]), int(key["seat"])) for key in moved["seats"]},
        {str(key["id"]) for key in moved.get("tables", ())},
        {str(key["table"]) for key in moved.get("departures", ())},
    )


def _rebuild_ratings(connection: Connection, person_ids: tuple[int, int]) -> None:
    """Compute the ratings again for every game that either person has played."""
    game_ids = (
        connection.execute(select(results.c.game).where(results.c.person.in_(person_ids)).distinct()).scalars().all()
    )
    for game_id in game_ids:
        rebuild_ratings(connection, game_id)
