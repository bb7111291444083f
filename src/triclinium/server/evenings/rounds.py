"""Rounds of an evening: the host starts one, and its tables begin at once.

All tables of a round, its seats and its number are stored in one commit. If the server stops before the matches have
begun, they begin when the evening is next opened.
"""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, insert, update

from triclinium.engine.core.text import Message, msgid
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.server.accounts.users import Person
from triclinium.server.errors import Conflict, StaleVersion
from triclinium.server.evenings.evening import (
    Evening,
    EveningGuest,
    arrange_by_hand,
    load_evening,
    plan_seating,
)
from triclinium.server.evenings.guests import check_host, lock_evening
from triclinium.server.evenings.seating import Seating, SeatingRefusal
from triclinium.server.services import Services
from triclinium.server.storage.schema_evenings import evenings, guests, round_seats
from triclinium.server.tables.create import (
    TABLE_NAMES,
    NewTable,
    NewTableRows,
    begin_stored_table,
    make_new_record,
    prepare_table,
)
from triclinium.server.tables.deals import MIN_TABLES, Deal, create_deal
from triclinium.server.tables.options import SeatOptions, TableOptions


@dataclass(frozen=True, slots=True)
class PendingTable:
    """A table of a new round before it is stored."""

    rows: NewTableRows
    order: tuple[int, ...]  # guests by seat
    first: int  # the seat that has the first turn

    def write(self, connection: Connection, code: str, round_number: int, place: int) -> None:
        self.rows.write(connection)
        facts = {"table": self.rows.id, "evening": code, "round": round_number, "place": place}
        seated = [
            {**facts, "seat": seat, "guest": guest, "first": seat == self.first}
            for seat, guest in enumerate(self.order)
        ]
        connection.execute(insert(round_seats), seated)


def describe_refusal(refusal: SeatingRefusal) -> Message:
    """Return the sentence that says why people cannot be seated, and what would help."""
    few, many = min(refusal.sizes), max(refusal.sizes)
    if not refusal.people:
        return Message("Nobody can be seated now, because everyone is playing, has paused or has left.")
    if not refusal.pauses:
        return Message(
            "{0} {0:person|people} cannot sit at tables of {1} to {2}. Wait for others, or add {3} {3:bot|bots}.",
            *(refusal.people, few, many, refusal.bots),
        )
    return Message(
        "{0} {0:person|people} cannot sit at tables of {1} to {2}. Add {3} {3:bot|bots}, or let {4} "
        "{4:person|people} pause.",
        *(refusal.people, few, many, refusal.bots, refusal.pauses),
    )


async def start_round(
    services: Services,
    evening: Evening,
    host: Person,
    number: int,
    game: Game,
    chosen: Sequence[Sequence[int]] | None = None,
    again: int = 0,
    same_deal: bool = False,
) -> Evening:
    """Start a round with this number: store its tables and begin their matches.

    ``chosen`` has the guests of each table if the host seats them by hand, else they are seated automatically. With
    ``same_deal``, all tables get the same cards; the points do not change. Raise
    `Conflict` if the round has started already or the seating is not possible. Only the host may do this.
    """
    check_host(evening, host)
    _check_number(evening, number)
    seating = await services.runtime.run_in_thread(_find_seating, evening, game, chosen, again)
    deal = await _create_deal(services, game, seating) if same_deal else None
    pending = [
        await _prepare_round_table(services, evening, game, table, host, len(evening.tables) + n, deal)
        for n, table in enumerate(seating.tables)
    ]
    seated = {guest for table in seating.tables for guest in table}

    def job(connection: Connection) -> None:
        current = lock_evening(connection, evening.code)
        _check_number(current, number)
        if not seated <= {guest.number for guest in current.list_ready_guests()}:
            raise StaleVersion("The guests have changed in the meantime. Please check the seating and start again.")
        this = evenings.c.code == evening.code
        connection.execute(update(evenings).where(this).values(round=number, game=game.id))
        new = update(guests).where(guests.c.evening == evening.code, guests.c.start.is_(None))
        if number > 1:  # guests who were present for the first round begin with 0, even if they did not play it
            new = new.where(guests.c.number.in_(seated))
        connection.execute(new.values(start=current.compute_late_start()))
        for place, table in enumerate(pending, start=1):
            table.write(connection, evening.code, number, place)

    await services.store.write(job, evening.code)
    for table in pending:
        await begin_stored_table(services, table.rows.id)
    return await services.runtime.run_in_thread(read_evening, services, evening.code)


def _check_number(evening: Evening, number: int) -> None:
    if evening.is_over:
        raise Conflict("This evening has ended.")
    if number <= evening.round:
        raise Conflict("Round {0} has already started.", number)
    if number != evening.round + 1:
        raise Conflict("The next round is round {0}.", evening.round + 1)


def _find_seating(evening: Evening, game: Game, chosen: Sequence[Sequence[int]] | None, again: int) -> Seating:
    if chosen is None:
        planned = plan_seating(evening, game, again)
        if isinstance(planned, SeatingRefusal):
            refusal = describe_refusal(planned)
            raise Conflict(refusal.text, *refusal.args)
        return planned
    seated = [number for table in chosen for number in table]
    ready = {guest.number: guest for guest in evening.list_ready_guests()}
    if not set(seated) <= ready.keys():
        raise StaleVersion("The guests have changed in the meantime. Please check the seating and start again.")
    if not seated or len(set(seated)) < len(seated):
        raise Conflict("Seat each person at one table.")
    for place, table in enumerate(chosen, start=1):
        if len(table) not in game.seats:
            sizes = (min(game.seats), max(game.seats))
            raise Conflict(
                "Table {0} has {1} {1:person|people}, but this game needs {2} to {3}.", place, len(table), *sizes
            )
        if all(ready[number].bot for number in table):
            raise Conflict("At table {0} there are only bots.", place)
    return arrange_by_hand(evening, chosen)


def find_deal_refusal(game: Game, tables: Sequence[Sequence[int]]) -> str:
    """Return why these tables cannot have the same deal, or "" if they can."""
    if not game.has_secrets:
        return msgid("This game has no cards to share. Every match of it starts the same way.")
    if len(tables) < MIN_TABLES or len({len(table) for table in tables}) > 1:
        return msgid("The same deal needs several tables of one size.")
    return ""


async def _create_deal(services: Services, game: Game, seating: Seating) -> Deal:
    """Store a deal for all tables of a round. Raise `Conflict` if they cannot have the same one."""
    refusal = find_deal_refusal(game, seating.tables)
    if refusal:
        raise Conflict(refusal)
    return await create_deal(services, game, len(seating.tables[0]), game.proposed_variants())


async def _prepare_round_table(
    services: Services, evening: Evening, game: Game, table: Sequence[int], host: Person, count: int, deal: Deal | None
) -> PendingTable:
    """Return a table of a new round. The first guest gets the seat that the shuffle lets begin."""

    def shuffle() -> tuple[NewTable, Record, int]:
        company = [evening.get_guest(number) for number in table]
        options = TableOptions(game.proposed_variants(), evening=evening.code)
        seats = [_make_seat(guest, company, evening) for guest in company]
        new = NewTable(game, seats, options, name=TABLE_NAMES[count % len(TABLE_NAMES)], deal=deal)
        record = make_new_record(new)
        return new, record, max(0, Match.resume(record, game).state.who)

    new, record, starter = await services.runtime.run_in_thread(shuffle)
    places = [(seat - starter) % len(table) for seat in range(len(table))]  # places in the list of guests, by seat
    new = replace(new, seats=[new.seats[place] for place in places])
    rows = await prepare_table(services, host, new, record)
    return PendingTable(rows, tuple(table[place] for place in places), starter)


def _make_seat(guest: EveningGuest, company: Sequence[EveningGuest], evening: Evening) -> SeatOptions:
    """Return the options of a guest's seat.

    A guest without a device plays at that of the host, if the host sits at the table, else at another player's.
    """
    if guest.bot:
        return SeatOptions("bot", guest.name, guest.bot)
    if guest.person is not None:
        return SeatOptions("invite", guest.name, person=guest.person, seated=True)
    devices = [other.person for other in company if other.person is not None]
    owner = next((person for person in devices if person != evening.host), evening.host)
    return SeatOptions("hot", guest.name, person=evening.host if evening.host in devices else owner, seated=True)


# -- opening an evening -----------------------------------------------------------------------------------------------


def read_evening(services: Services, code: str) -> Evening:
    """Return an evening by its code. Raise `NotFound` if there is none. Call this in a thread."""
    with services.store.read_connection() as connection:
        return load_evening(connection, code)


async def begin_waiting_tables(services: Services, evening: Evening) -> Evening:
    """Begin the matches that a stopped server has stored but not begun. Return the new state of the evening."""
    waiting = [table for table in evening.tables if table.status == "waiting"]
    for table in waiting:
        with contextlib.suppress(StaleVersion):  # another server has begun it
            await begin_stored_table(services, table.id)
    return await services.runtime.run_in_thread(read_evening, services, evening.code) if waiting else evening
