"""Invitation links: one for each free seat and one for spectators. Each can be revoked."""

from dataclasses import replace

from sqlalchemy import Connection, delete, insert, select, update

from triclinium.engine.core.state import Seat
from triclinium.server.accounts.users import Person
from triclinium.server.crypto import ServerKey
from triclinium.server.errors import NotAllowed, NotFound
from triclinium.server.services import Services
from triclinium.server.storage.schema import tables, watchers
from triclinium.server.tables.broadcast import schedule_presence_broadcast
from triclinium.server.tables.create import choose_free_code
from triclinium.server.tables.rating_eligibility import is_open_to_people
from triclinium.server.tables.repository import TableRepository
from triclinium.server.tables.table import Occupant, Table
from triclinium.server.tables.versioned_write import write_table


def make_seat_token(key: ServerKey, table: Table, occupant: Occupant) -> str:
    """Return the secret of a seat's link. It is valid for one person, and changes when the seat becomes free."""
    return key.sign("seat", table.id, occupant.seat, occupant.generation)


def list_free_seats(table: Table, seated: bool, host: bool) -> list[Occupant]:
    """Return the free seats whose links this viewer may see.

    Before the match, all players may invite others. Later only the host may, for a bot's seat that is open to people. A
    vacated seat has a hand and no link: all players must agree on a new player.
    """
    if table.status == "waiting":
        return [occupant for occupant in table.occupants if (host or seated) and occupant.is_vacant]
    open_seats = [candidate for candidate in table.occupants if host and is_open_to_people(table, candidate.seat)]
    return open_seats if table.status == "playing" else []


def find_invited_seat(key: ServerKey, table: Table, seat: Seat, token: str) -> Occupant:
    """Return the seat to which a link leads. Raise `NotFound` if the link was revoked or the seat is taken."""
    if not 0 <= seat < len(table.occupants) or (table.begun and not is_open_to_people(table, seat)):
        raise NotFound("This link is no longer valid.")
    occupant = table.occupants[seat]
    if not key.is_signature_valid(token, "seat", table.id, seat, occupant.generation) or occupant.kind != "person":
        raise NotFound("This link is no longer valid.")
    return occupant


def make_watch_token(key: ServerKey, table: Table) -> str:
    return key.sign("watch", table.id, table.watch_generation)


def check_watch_token(key: ServerKey, table: Table, token: str) -> None:
    if not key.is_signature_valid(token, "watch", table.id, table.watch_generation):
        raise NotFound("This link is no longer valid.")


async def add_spectator(services: Services, table: Table, person: Person, token: str) -> None:
    """Add a person who has the spectators' link. Raise `NotFound` if the link was revoked."""

    def job(connection: Connection) -> None:
        existing = connection.execute(
            select(watchers.c.person).where(watchers.c.table == table.id, watchers.c.person == person.id)
        ).one_or_none()
        if existing is None:
            connection.execute(insert(watchers).values(table=table.id, person=person.id))

    async with services.tables.locked(table) as table:  # the lock prevents joining during a revocation
        check_watch_token(services.key, table, token)
        await write_table(services.tables, table, job)


async def revoke_watch_link(repository: TableRepository, table: Table, is_host: bool) -> None:
    """Revoke the spectators' link and the join code, replace both, and remove all spectators.

    Only the host may do this.
    """
    if not is_host:
        raise NotAllowed("Only the host can revoke the spectators’ link.")
    async with repository.locked(table) as table:
        generation, code = table.watch_generation + 1, choose_free_code(repository.runtime.store)

        def job(connection: Connection) -> None:
            connection.execute(
                update(tables).where(tables.c.id == table.id).values(watch_generation=generation, code=code)
            )
            connection.execute(delete(watchers).where(watchers.c.table == table.id))

        await write_table(repository, table, job)
        table.row = replace(table.row, watch_generation=generation, code=code)
        table.hub.reassign_seats()
        schedule_presence_broadcast(repository.runtime, table)
