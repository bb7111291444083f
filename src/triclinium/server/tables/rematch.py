"""Rematches: a new table with the same options, where seats are reserved for the same players."""

from dataclasses import replace

from sqlalchemy import select

from triclinium.engine.core.state import Seat
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.crypto import ServerKey, hash_token
from triclinium.server.errors import Conflict, NotAllowed, RequestError, StaleVersion
from triclinium.server.services import Services
from triclinium.server.storage.schema import REMOVED, tables
from triclinium.server.storage.store import Store
from triclinium.server.tables import seats
from triclinium.server.tables.broadcast import broadcast_table
from triclinium.server.tables.create import NewTable, find_edition, make_table_id, open_table
from triclinium.server.tables.options import SeatOptions
from triclinium.server.tables.table import Occupant, Table
from triclinium.server.tables.time_bank import DAY


def find_rematch(store: Store, table: Table) -> str:
    """Return the id of the rematch. Return "" if there is none, or if it was deleted or closed before its start."""
    if not table.rematch_id:
        return ""
    with store.read_connection() as connection:
        status = connection.execute(select(tables.c.status).where(tables.c.id == table.rematch_id)).scalar_one_or_none()
    return "" if status in (None, "closed", REMOVED) else table.rematch_id


async def open_rematch(services: Services, person: Person, table: Table, seat_token: str = "") -> Table:
    """Create the rematch of a finished match, or return the one that exists. Seats are reserved for the other players.

    ``seat_token`` is the API token of the caller's seat, and `find_next_token` returns its token for the rematch. Raise
    `RequestError` if the match is not over, and `NotAllowed` if the person has no seat.
    """
    async with services.tables.locked(table) as table:
        if table.status != "over":
            raise RequestError("The match is not over yet.")
        if table.options.playtest:
            raise Conflict("A playtest has no rematch. Open another table of the playtest instead.")
        if not table.list_seats_of(person.id):  # the person may have left while waiting for the lock
            raise NotAllowed("You do not have a seat at this table.")
        existing_id = await services.runtime.run_in_thread(find_rematch, services.store, table)
        if existing_id:
            return await services.tables.get_table(existing_id)
        id = make_table_id()
        token_hash = hash_token(find_next_token(services.key, id, seat_token)) if seat_token else ""
        seat_options = [_make_rematch_seat(occupant, person, token_hash) for occupant in table.occupants]
        game = await services.runtime.run_in_thread(find_edition, table.game_id, table.components_text)
        new = await services.runtime.run_in_thread(
            NewTable,
            game,
            seat_options,
            replace(table.options, evening=""),
            name=table.name,
            components=table.components_text,
        )
        notification_kind = (
            "" if await services.runtime.run_in_thread(_was_announced_recently, services.store, table) else "rematch"
        )
        try:
            new_table = await open_table(
                services, person, new, notification_kind=notification_kind, id=id, previous_table=table
            )
        except StaleVersion:  # another server stored a change first, perhaps a rematch
            existing_id = await services.runtime.run_in_thread(find_rematch, services.store, table)
            if not existing_id:
                raise
            return await services.tables.get_table(existing_id)
        broadcast_table(table)
        return new_table


def _was_announced_recently(store: Store, table: Table) -> bool:
    """Return whether another rematch was announced in the last day. The players get no second notification then."""
    with store.read_connection() as connection:
        made = connection.execute(select(tables.c.made).where(tables.c.id == table.rematch_id)).scalar_one_or_none()
    return made is not None and server_time.now() - made < DAY


def _make_rematch_seat(occupant: Occupant, person: Person, token_hash: str) -> SeatOptions:
    """Return the options of a seat in the rematch that this person creates."""
    if occupant.kind == "bot" or (occupant.kind == "hot" and not occupant.taken):  # a bot plays this seat for good
        return SeatOptions("bot", occupant.name, occupant.deciding_bot)
    if occupant.kind == "hot" and occupant.person == person.id:
        return SeatOptions("hot", occupant.name)
    if occupant.person == person.id:
        return SeatOptions("me", token=token_hash)
    return SeatOptions("invite", occupant.name, person=occupant.person)


async def take_seat(services: Services, table: Table, person: Person, seat_token: str) -> tuple[Seat, str]:
    """Take the seat that is reserved for this person in a rematch.

    Return the seat and its API token, or "" without one. A repeated call returns the same values. Raise `Conflict` if
    no seat is reserved.
    """
    reserved_seat = next(
        (candidate for candidate in table.occupants if candidate.is_vacant and candidate.person == person.id), None
    )
    if reserved_seat is not None:
        try:
            await seats.take_seat(
                services, table, reserved_seat, person, token=find_next_token(services.key, table.id, seat_token)
            )
        except Conflict:
            if not table.list_seats_of(person.id):  # a person with a seat has just sent the same request
                raise
    mine = table.list_seats_of(person.id)
    if not mine:
        raise Conflict("No seat is reserved for you at the rematch.")
    token_hash = table.occupants[mine[0]].token
    tokens = services.key.sign_with_all_keys("rematch", table.id, seat_token) if seat_token else []
    return mine[0], next((candidate for candidate in tokens if hash_token(candidate) == token_hash), "")


def find_next_token(key: ServerKey, id: str, seat_token: str) -> str:
    """Return the API token for the rematch that belongs to the token of a seat. It is the same on every call."""
    return key.sign("rematch", id, seat_token) if seat_token else ""
