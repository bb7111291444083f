"""Account deletion: a person's own data is deleted, and their name is removed from all other data.

Seats and results stay without a name, so that other players keep their matches and ratings. A name is replaced where a
column or an entry of a list holds nothing else, and where a reference identifies its owner:

    people.name                     the person
    seats.name                      by `seats.person`, or by the last player who left; guests of a device by the host
    departures.name, results.name   guests of a device: by the host, else by seat and name
    chat (name, text)               by `chat.person`: the messages are deleted
    chat.name of system messages    by `chat_mentions`
    outbox.names                    a JSON list of names, in notifications about the person's tables
    guests.name                     by `guests.person`; guests without a device: by the host of the evening
    evenings.name                   an evening that the person opened, if its name contains theirs
    tables.name                     a table that the person opened, and its rematches, if its name contains theirs
    shares.picture                  cleared, and drawn again on the next request
    playtest_answers                the person and their remark; the four answers stay without a name

Views, scores, reviews and stored logs contain seat numbers instead of names. Text that other people wrote stays.
"""

import asyncio
import json
import logging
import re
import secrets
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from sqlalchemy import Column, Connection, Table, and_, delete, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from triclinium.engine.core.errors import TricliniumError
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.errors import RequestError
from triclinium.server.sanitize import ANONYMOUS_NAME
from triclinium.server.services import Services
from triclinium.server.storage.schema import (
    chat,
    chat_mentions,
    departures,
    devices,
    joins,
    metadata,
    people,
    seats,
    tables,
)
from triclinium.server.storage.schema_admin import orders
from triclinium.server.storage.schema_evenings import evenings, guests
from triclinium.server.storage.schema_notifications import outbox
from triclinium.server.storage.schema_results import rating_steps, ratings, results
from triclinium.server.storage.schema_shares import programs, shares
from triclinium.server.storage.schema_workshop import playtest_answers
from triclinium.server.storage.store import Store
from triclinium.server.tables import seats as table_seats
from triclinium.server.tables.announcements import NAME_SEPARATOR
from triclinium.server.tables.broadcast import broadcast_seats
from triclinium.server.tables.create import TABLE_NAMES
from triclinium.server.tables.table import LockedTable

log = logging.getLogger("triclinium.deletion")
GRACE_PERIOD = 86400.0  # seconds in which the person can cancel the deletion
CHECK_INTERVAL = 3600.0  # seconds between two checks for due deletions
# These rows are kept without the name, because the matches and ratings of other players need them.
RETAINED_TABLES = (seats, departures, results, ratings, rating_steps, evenings, guests)
STALE_COMMAND_AGE = 3600.0  # seconds after which no admin command waits for its result
SeatNames = dict[str, dict[int, str]]  # names of seats, by table


async def request_deletion(store: Store, person: Person, nickname: str) -> float:
    """Schedule the deletion of an account and return its time.

    Raise `RequestError` unless the person has typed their nickname.
    """
    if nickname.strip() != person.name:
        raise RequestError("Type your nickname exactly as it is shown to confirm.")
    when = server_time.now() + GRACE_PERIOD
    await _set_deletion_time(store, person, when)
    return when


async def cancel_deletion(store: Store, person: Person) -> None:
    """Cancel a scheduled deletion."""
    await _set_deletion_time(store, person, 0.0)


async def _set_deletion_time(store: Store, person: Person, when: float) -> None:
    def job(connection: Connection) -> None:
        connection.execute(update(people).where(people.c.id == person.id).values(erasing=when))

    await store.write(job)


def load_deletion_time(connection: Connection, person: int) -> float:
    """Return the time at which an account will be deleted, or 0 if no deletion is scheduled."""
    return float(connection.execute(select(people.c.erasing).where(people.c.id == person)).scalar_one())


async def delete_due_accounts(services: Services) -> int:
    """Delete all accounts whose grace period has ended, and return their number."""
    due = await services.runtime.run_in_thread(_list_due_people, services.store)
    for person in due:
        await delete_account(services, person)
    return len(due)


def _list_due_people(store: Store) -> list[Person]:
    with store.read_connection() as connection:
        rows = connection.execute(
            select(people.c.id, people.c.name).where(people.c.erasing > 0, people.c.erasing <= server_time.now())
        )
        return [Person(row.id, row.name, "") for row in rows]


async def run_deletion_loop(services: Services) -> None:
    """Run forever and delete accounts that are due, in one server of the cluster. Failed deletions are tried again."""
    while True:
        try:
            if await services.peers.claim("erasing"):
                await delete_due_accounts(services)
        except (TricliniumError, SQLAlchemyError) as error:
            log.warning("an account could not be deleted and will be tried again: %s", error)
        await asyncio.sleep(CHECK_INTERVAL)


async def delete_account(services: Services, person: Person) -> None:
    """Delete an account with its bot accounts. The person first leaves all tables."""
    for program in await services.runtime.run_in_thread(_list_bot_accounts, services.store, person.id):
        await delete_account(services, program)
    for id in await services.runtime.run_in_thread(_list_seated_tables, services.store, person.id):
        table = await services.tables.get_table(id)
        for occupant in table.occupants:
            if occupant.person == person.id and table.status in ("waiting", "playing") and occupant.taken:
                await table_seats.leave_seat(services, table, occupant)
    device_hashes = await services.runtime.run_in_thread(_list_devices, services.store, person.id)
    names, touched = await services.store.write_and_reload_peers(
        lambda connection: erase_personal_data(connection, person.id)
    )
    services.people.drop_person(person.id)
    services.paused_time.vacations.pop(person.id, None)
    services.notifiable_people.discard(person.id)
    for table in services.tables.list_cached_tables():
        for device in device_hashes:
            table.hub.close_device(device)
        if table.id in touched:
            async with services.tables.locked(
                table
            ) as locked:  # a message that is being stored now may contain the name; it is cleaned below
                await services.runtime.run_in_thread(_reload_names, services.store, locked)
            table.hub.reassign_seats()
            broadcast_seats(table)
    await services.store.write_and_reload_peers(
        lambda connection: _clean_messages(connection, person.id, names, touched)
    )
    await services.runtime.run_in_thread(services.store.vacuum)


def _reload_names(store: Store, table: LockedTable) -> None:
    """Reload the name of a table in memory and the names of its seats."""
    with store.read_connection() as connection:
        table_name = connection.execute(select(tables.c.name).where(tables.c.id == table.id)).scalar_one_or_none()
        rows = connection.execute(select(seats.c.seat, seats.c.name).where(seats.c.table == table.id))
        seat_names = {row.seat: row.name for row in rows}
    occupants = tuple(
        replace(occupant, name=seat_names.get(occupant.seat, occupant.name)) for occupant in table.occupants
    )
    table.row = replace(table.row, name=table.name if table_name is None else table_name, occupants=occupants)
    table.caches.logs.clear()
    table.caches.public_copies.clear()


def _list_bot_accounts(store: Store, owner: int) -> list[Person]:
    with store.read_connection() as connection:
        rows = connection.execute(
            select(people.c.id, people.c.name)
            .join(programs, programs.c.person == people.c.id)
            .where(programs.c.owner == owner)
        )
        return [Person(row.id, row.name, "") for row in rows]


def _list_seated_tables(store: Store, person: int) -> list[str]:
    with store.read_connection() as connection:
        return list(connection.execute(select(seats.c.table).where(seats.c.person == person).distinct()).scalars())


def _list_devices(store: Store, person: int) -> list[str]:
    with store.read_connection() as connection:
        return list(connection.execute(select(devices.c.hash).where(devices.c.person == person)).scalars())


def erase_personal_data(connection: Connection, person: int) -> tuple[set[str], set[str]]:
    """Delete and anonymize a person's data. Return the deleted names and the tables that contained them."""
    hosted = set(connection.execute(select(tables.c.id).where(tables.c.host == person)).scalars())
    touched = hosted | _find_related_tables(connection, person)
    links = _find_derived_tables(connection)
    places = _find_seat_names(connection, person, hosted)
    names = _collect_names(connection, person, places)
    _add_inherited_names(connection, places, links)
    touched |= set(places)
    _rename_seats(connection, places, hosted)
    touched |= _rename_tables(connection, hosted, names, links)
    _rename_guests(connection, person, names)
    _clean_messages(connection, person, names, touched)
    own_answers = playtest_answers.c.person == person
    connection.execute(update(playtest_answers).where(own_answers).values(person=None, remark=""))
    connection.execute(delete(joins).where(joins.c.person.in_(_find_merged_people(connection, person))))
    for table in metadata.sorted_tables:
        for column in _list_person_columns(table):
            if table not in RETAINED_TABLES and table.name not in ("people", "tables"):
                connection.execute(delete(table).where(column == person))
    connection.execute(update(seats).where(seats.c.person == person).values(token=""))
    connection.execute(delete(orders).where(orders.c.made < server_time.now() - STALE_COMMAND_AGE))
    connection.execute(
        update(people)
        .where(people.c.id == person)
        .values(
            name="", erasing=0.0, shown="nobody", rated=False, language="", zone="", quiet="", digest=0, studied=False
        )
    )
    return names, touched


def _list_person_columns(table: Table) -> Iterable[Column[int]]:
    """Return the columns of a table that refer to a person."""
    return [column for column in table.columns for key in column.foreign_keys if key.column is people.c.id]


def _find_related_tables(connection: Connection, person: int) -> set[str]:
    """Return the tables where a person played, watched or wrote, or that a system message mentioned."""
    mentioned = select(chat.c.table).join(chat_mentions, chat_mentions.c.chat == chat.c.id)
    table_ids = set(connection.execute(mentioned.where(chat_mentions.c.person == person)).scalars())
    for table in metadata.sorted_tables:
        if "table" in table.columns:
            for column in _list_person_columns(table):
                table_ids |= set(connection.execute(select(table.c.table).where(column == person)).scalars())
    return table_ids


def _find_derived_tables(connection: Connection) -> dict[str, list[str]]:
    """Return for each table the tables that copied its names: its rematch, and tables continued from its positions."""
    derived_tables: dict[str, list[str]] = defaultdict(list)
    linked = tables.c.origin.contains("/") | (tables.c.rematch != "")
    for row in connection.execute(select(tables.c.id, tables.c.origin, tables.c.rematch).where(linked)):
        if "/" in row.origin:
            derived_tables[row.origin.partition("/")[0]].append(row.id)
        if row.rematch:
            derived_tables[row.id].append(row.rematch)
    return derived_tables


def _find_merged_people(connection: Connection, person: int) -> set[int]:
    """Return a person and everyone who was merged into them, directly or indirectly."""
    person_ids = {person}
    more = person_ids
    while more:
        gone = connection.execute(select(joins.c.gone).where(joins.c.person.in_(more))).scalars()
        more = set(gone) - person_ids
        person_ids |= more
    return person_ids


# -- seats and results ------------------------------------------------------------------------------------------------


def _find_seat_names(connection: Connection, person: int, hosted: set[str]) -> SeatNames:
    """Return the seats with the person's name: their own, those they left last, and guests at their device."""
    seat_names: SeatNames = defaultdict(dict)
    for row in connection.execute(select(seats).where(seats.c.person == person)):
        seat_names[row.table][row.seat] = row.name
    left = select(departures.c.table, departures.c.seat).where(departures.c.person == person).distinct()
    for row in connection.execute(left).all():
        _add_vacated_seat(connection, seat_names, row.table, row.seat, person)
    name = connection.execute(select(people.c.name).where(people.c.id == person)).scalar_one()
    own = {name, *(own_name for id in hosted & seat_names.keys() for own_name in seat_names[id].values())}
    for row in connection.execute(select(seats).where(seats.c.table.in_(hosted), seats.c.person.is_(None))).all():
        # A bot that replaced a guest before the deal has the guest's name, which `create` made from the host's name.
        if row.kind == "hot" or (row.kind == "bot" and row.name in {f"{own_name} {row.seat + 1}" for own_name in own}):
            _add_vacated_seat(connection, seat_names, row.table, row.seat, None)
    return seat_names


def _add_vacated_seat(connection: Connection, seat_names: SeatNames, table: str, seat: int, person: int | None) -> None:
    """Add a seat without a person if this person, or a guest if ``person`` is None, was the last to leave it."""
    at = (departures.c.table == table, departures.c.seat == seat)
    last = connection.execute(select(departures.c.person).where(*at).order_by(departures.c.turn.desc())).first()
    free = (seats.c.table == table, seats.c.seat == seat, seats.c.person.is_(None))
    name = connection.execute(select(seats.c.name).where(*free)).scalar_one_or_none()
    if name is not None and (last is None or last.person == person):
        seat_names[table][seat] = name


def _add_inherited_names(connection: Connection, places: SeatNames, links: dict[str, list[str]]) -> None:
    """Add the seats of guests and bots at tables that copied the names from these tables."""
    waiting = list(places)
    while waiting:
        source = waiting.pop()
        for id in links.get(source, ()):
            nobody = seats.c.person.is_(None) | seats.c.kind.in_(("hot", "bot"))
            same = seats.c.name.in_(set(places[source].values()))
            for row in connection.execute(select(seats).where(seats.c.table == id, nobody, same)).all():
                if row.seat not in places[id]:
                    places[id][row.seat] = row.name
                    waiting.append(id)


def _rename_seats(connection: Connection, places: SeatNames, hosted: set[str]) -> None:
    for id, at in places.items():
        for seat, name in at.items():
            here = (seats.c.table == id, seats.c.seat == seat)
            connection.execute(update(seats).where(*here).values(name=ANONYMOUS_NAME))
            for table in (departures, results):
                this = (table.c.table == id, table.c.seat == seat, table.c.name == name)
                connection.execute(update(table).where(*this).values(name=ANONYMOUS_NAME))
    for table in (departures, results):
        guests = (table.c.table.in_(hosted), table.c.kind == "hot")
        connection.execute(update(table).where(*guests).values(name=ANONYMOUS_NAME))


def _collect_names(connection: Connection, person: int, places: SeatNames) -> set[str]:
    """Return the person's current and former names. A seat keeps the name from the time it was taken."""
    names = set(connection.execute(select(people.c.name).where(people.c.id == person)).scalars())
    once = joins.c.person.in_(_find_merged_people(connection, person))
    names |= set(connection.execute(select(joins.c.name).where(once)).scalars())
    names |= {name for at in places.values() for name in at.values()}
    return {name for name in names if name not in ("", "…", ANONYMOUS_NAME)}


def _rename_tables(connection: Connection, hosted: set[str], names: set[str], links: dict[str, list[str]]) -> set[str]:
    """Rename the person's tables that contain their name, and tables that copied it. Return the ids of all these."""
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names) or r"(?!)")
    rows = connection.execute(select(tables.c.id, tables.c.name).where(tables.c.id.in_(hosted))).all()
    waiting = [(str(row.id), str(row.name), secrets.choice(TABLE_NAMES)) for row in rows if pattern.search(row.name)]
    done: set[str] = set()
    while waiting:
        id, before, after = waiting.pop()
        if id not in done:
            this = (tables.c.id == id, tables.c.name == before)
            if connection.execute(update(tables).where(*this).values(name=after)).rowcount:
                done.add(id)
                waiting += [(other, before, after) for other in links.get(id, ())]
    return done


def _rename_guests(connection: Connection, person: int, names: set[str]) -> None:
    """Remove the person's name from evenings, and the names of guests without a device at their own evenings."""
    hosted = connection.execute(select(evenings.c.code, evenings.c.name).where(evenings.c.host == person)).all()
    without_device = and_(guests.c.evening.in_([row.code for row in hosted]), guests.c.person.is_(None))
    own = or_(guests.c.person == person, and_(without_device, guests.c.bot == ""))
    connection.execute(update(guests).where(own).values(name=ANONYMOUS_NAME, status="left"))
    for row in hosted:
        if any(name in row.name for name in names):
            connection.execute(update(evenings).where(evenings.c.code == row.code).values(name=""))


# -- messages ---------------------------------------------------------------------------------------------------------


def _clean_messages(connection: Connection, person: int, names: set[str], touched: set[str]) -> None:
    """Remove the person's name from system messages and notifications, and clear the pictures of their matches."""
    for row in connection.execute(select(chat_mentions).where(chat_mentions.c.person == person)).all():
        message = chat.c.id == row.chat
        mentioned_names = str(connection.execute(select(chat.c.name).where(message)).scalar_one()).split(NAME_SEPARATOR)
        mentioned_names[row.place] = ANONYMOUS_NAME
        connection.execute(update(chat).where(message).values(name=NAME_SEPARATOR.join(mentioned_names)))
    connection.execute(delete(chat_mentions).where(chat_mentions.c.person == person))
    for row in connection.execute(select(outbox.c.id, outbox.c.names).where(outbox.c.table.in_(touched))).all():
        message_names = json.loads(row.names)
        if names & set(message_names):
            cleaned_names = json.dumps([ANONYMOUS_NAME if name in names else name for name in message_names])
            connection.execute(update(outbox).where(outbox.c.id == row.id).values(names=cleaned_names))
    connection.execute(update(shares).where(shares.c.table.in_(touched)).values(mark="", picture=None))
