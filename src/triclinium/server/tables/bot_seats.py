"""A host's offer of a bot's seat to people. During a match the bot plays on until a person joins."""

from dataclasses import replace

from sqlalchemy import Connection, func, insert, select

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.server import server_time
from triclinium.server.errors import Conflict, NotAllowed, NotFound
from triclinium.server.services import Services
from triclinium.server.storage.schema import departures
from triclinium.server.tables import seats
from triclinium.server.tables.broadcast import broadcast_seating
from triclinium.server.tables.create import delete_ready_answers
from triclinium.server.tables.rating_eligibility import is_open_to_people, list_noted_reasons
from triclinium.server.tables.results import SEAT_OPENED
from triclinium.server.tables.seat_owners import is_solo
from triclinium.server.tables.table import LockedTable, Occupant, Table

OPENS = msgid("The host opens the seat of {0} to a person.")
OPENS_UNRATED = msgid("The host opens the seat of {0} to a person. The match is no longer rated.")


def can_open_seat(table: Table, is_host: bool, occupant: Occupant) -> bool:
    """Return whether the host can open this seat now."""
    running = table.status in ("waiting", "playing") and table.stranded is None
    shared = any(other.kind == "hot" for other in table.occupants)
    return is_host and running and not shared and _is_bot_seat(table, occupant) and not _would_harm_others(table)


def _is_bot_seat(table: Table, occupant: Occupant) -> bool:
    """Return whether a bot has the seat, or has it again because no person took it before the first decision."""
    return occupant.kind == "bot" or (
        occupant.seat in table.opened_seats and not is_open_to_people(table, occupant.seat)
    )


def _would_harm_others(table: Table) -> bool:
    """Return whether opening a seat now would make a match unrated that other people play."""
    return would_make_unrated(table) and not is_solo(table) and not list_noted_reasons(table)


def would_make_unrated(table: Table) -> bool:
    """Return whether opening a seat now makes the match unrated, because a decision has been made."""
    return table.begun and table.moves > 0


async def open_to_people(services: Services, table: Table, seat: Seat, is_host: bool, unrated: bool) -> None:
    """Offer the seat of a bot to people.

    ``unrated`` means that the host accepts an unrated match. Raise `NotAllowed` if the caller is not the host and
    `NotFound` if no bot has the seat. Raise `Conflict` if the match is over, people share a device, or the host has not
    accepted an unrated match.
    """
    async with services.tables.locked(table) as table:
        if not is_host:
            raise NotAllowed("Only the host can open a bot’s seat.")
        if not 0 <= seat < len(table.occupants) or not _is_bot_seat(table, table.occupants[seat]):
            raise NotFound("No bot plays this seat.")
        if table.status in ("over", "closed"):
            raise Conflict("The match is already over.")
        occupant = table.occupants[seat]
        if _would_harm_others(table):
            raise Conflict(
                "In a rated match with other people, a bot’s seat can be opened only before the first decision."
            )
        if not can_open_seat(table, is_host, occupant):
            raise Conflict("The players at this table share one device. Nobody else can join.")
        late = would_make_unrated(table)
        if late and not unrated:
            raise Conflict(
                "The match has already started. If a person takes this seat now, the match is no longer rated."
            )
        await _open_seat(services, table, occupant, late)


async def _open_seat(services: Services, table: LockedTable, occupant: Occupant, late: bool) -> None:
    """Store that the bot's seat is open to people, and notify everyone at the table."""
    level, before = occupant.bot or occupant.substitute, table.status == "waiting"

    def record_bot_departure(connection: Connection) -> None:
        """Record that a bot had the seat. Its result counts as the bot's unless a person plays the whole match."""
        mine = (departures.c.table == table.id, departures.c.seat == occupant.seat)
        turn = connection.execute(select(func.count()).select_from(departures).where(*mine)).scalar_one()
        row = {"table": table.id, "seat": occupant.seat, "turn": turn, "person": None, "kind": "bot", "name": level}
        connection.execute(insert(departures).values(**row, how=SEAT_OPENED, moves=table.moves, at=server_time.now()))

    seat_values: dict[str, str] = {"name": "…"} if before else {"substitute": level}
    await seats.change_occupant(
        services,
        table,
        occupant,
        (OPENS_UNRATED if late else OPENS, occupant.name),
        "",
        None if before else record_bot_departure,
        kind="person",
        person=None,
        bot="",
        taken=False,
        generation=occupant.generation + 1,
        **seat_values,
    )
    opened_seats = table.opened_seats if before else table.opened_seats | {occupant.seat}
    table.row = replace(table.row, opened_late=table.opened_late or late, opened_seats=opened_seats)
    if before:
        delete_ready_answers(services, table)
    broadcast_seating(services.runtime, table)
