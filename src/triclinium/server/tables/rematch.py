"""The same table once more: who opens it, who finds a seat kept there, and whether it is still to be found."""

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
    """The id of the rematch; the empty text: there is none, or it was closed before it began, or deleted."""
    if not table.rematch_id:
        return ""
    with store.read_connection() as connection:
        status = connection.execute(select(tables.c.status).where(tables.c.id == table.rematch_id)).scalar_one_or_none()
    return "" if status in (None, "closed", REMOVED) else table.rematch_id


async def open_rematch(services: Services, person: Person, table: Table, seat_token: str = "") -> Table:
    """Open the same table once more, or find the one that is open; the others find their seats kept for them.

    ``seat_token``: the token of a program's seat here; `next_token` tells which one speaks for its seat there.
    """
    async with services.tables.locked(table) as table:
        if table.status != "over":
            raise RequestError("the match is not over yet")
        if not table.list_seats_of(person.id):  # they got up while this waited
            raise NotAllowed("you do not sit at this table")
        existing_id = await services.runtime.run_in_thread(find_rematch, services.store, table)
        if existing_id:
            return await services.tables.get_table(existing_id)
        id = make_table_id()
        token_hash = hash_token(find_next_token(services.key, id, seat_token)) if seat_token else ""
        seat_options = [_make_rematch_seat(occupant, person, token_hash) for occupant in table.occupants]
        game = await services.runtime.run_in_thread(find_edition, table.game_id, table.components_text)
        new = await services.runtime.run_in_thread(
            NewTable, game, seat_options, table.options, name=table.name, components=table.components_text
        )
        notification_kind = (
            "" if await services.runtime.run_in_thread(_was_announced_recently, services.store, table) else "rematch"
        )
        try:
            new_table = await open_table(
                services, person, new, notification_kind=notification_kind, id=id, previous_table=table
            )
        except StaleVersion:  # another server was faster, perhaps with the same
            existing_id = await services.runtime.run_in_thread(find_rematch, services.store, table)
            if not existing_id:
                raise
            return await services.tables.get_table(existing_id)
        broadcast_table(table)
        return new_table


def _was_announced_recently(store: Store, table: Table) -> bool:
    """Whether the others were told of another rematch a short while ago: who opens and closes them nags nobody."""
    with store.read_connection() as connection:
        made = connection.execute(select(tables.c.made).where(tables.c.id == table.rematch_id)).scalar_one_or_none()
    return made is not None and server_time.now() - made < DAY


def _make_rematch_seat(occupant: Occupant, person: Person, token_hash: str) -> SeatOptions:
    """The same seat at the rematch that this person opens."""
    if occupant.kind == "bot" or (occupant.kind == "hot" and not occupant.taken):  # a bot has it for good
        return SeatOptions("bot", occupant.name, occupant.deciding_bot)
    if occupant.kind == "hot" and occupant.person == person.id:
        return SeatOptions("hot", occupant.name)
    if occupant.person == person.id:
        return SeatOptions("me", token=token_hash)
    return SeatOptions("invite", occupant.name, person=occupant.person)


async def take_seat(services: Services, table: Table, person: Person, seat_token: str) -> tuple[Seat, str]:
    """Sit down at the rematch where a seat is kept for this person: the seat, and the token that speaks for it.

    Whoever sits there already is told the same again.
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
            if not table.list_seats_of(person.id):  # else the same post was there a moment before
                raise
    mine = table.list_seats_of(person.id)
    if not mine:
        raise Conflict("no seat is kept for you at the rematch")
    token_hash = table.occupants[mine[0]].token
    tokens = services.key.sign_with_all_keys("again", table.id, seat_token) if seat_token else []
    return mine[0], next((candidate for candidate in tokens if hash_token(candidate) == token_hash), "")


def find_next_token(key: ServerKey, id: str, seat_token: str) -> str:
    """By which whoever holds the token of a seat speaks for theirs at the rematch, however often they ask for it."""
    return key.sign("again", id, seat_token) if seat_token else ""
