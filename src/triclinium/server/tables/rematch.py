"""The same table once more: who opens it, who finds a seat kept there, and whether it is still to be found."""

from sqlalchemy import select

from triclinium.engine.core.state import Seat
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.crypto import hashed
from triclinium.server.errors import Conflict, NotAllowed, RequestError, Stale
from triclinium.server.server import Server
from triclinium.server.storage.schema import REMOVED, tables
from triclinium.server.tables import seats
from triclinium.server.tables.create import NewTable, new_id, open_table, title_on
from triclinium.server.tables.options import SeatOptions
from triclinium.server.tables.table import Occupant, Table
from triclinium.server.tables.time_bank import DAY


def rematch_of(server: Server, table: Table) -> str:
    """The id of the rematch; the empty text: there is none, or it was closed before it began, or deleted."""
    if not table.again:
        return ""
    with server.store.reading() as connection:
        status = connection.execute(select(tables.c.status).where(tables.c.id == table.again)).scalar_one_or_none()
    return "" if status in (None, "closed", REMOVED) else table.again


async def rematch(server: Server, person: Person, table: Table, held: str = "") -> Table:
    """Open the same table once more, or find the one that is open; the others find their seats kept for them.

    ``held``: the token of a program's seat here; `next_token` tells which one speaks for its seat there.
    """
    async with table.lock:
        if table.status != "over":
            raise RequestError("the match is not over yet")
        if not table.seats_of(person.id):  # they got up while this waited
            raise NotAllowed("you do not sit at this table")
        known = await server.in_thread(rematch_of, server, table)
        if known:
            return await server.table(known)
        id = new_id()
        mark = hashed(next_token(server, id, held)) if held else ""
        seats = [_kept_for(occupant, person, mark) for occupant in table.occupants]
        game = await server.in_thread(title_on, table.title_id, table.components_text)
        new = await server.in_thread(
            NewTable, game, seats, table.options, name=table.name, components=table.components_text
        )
        kept = "" if await server.in_thread(_told_today, server, table) else "rematch"
        try:
            fresh = await open_table(server, person, new, kept=kept, id=id, follows=table)
        except Stale:  # another server was faster, perhaps with the same
            known = await server.in_thread(rematch_of, server, table)
            if not known:
                raise
            return await server.table(known)
        server.tell(table)
        return fresh


def _told_today(server: Server, table: Table) -> bool:
    """Whether the others were told of another rematch a short while ago: who opens and closes them nags nobody."""
    with server.store.reading() as connection:
        made = connection.execute(select(tables.c.made).where(tables.c.id == table.again)).scalar_one_or_none()
    return made is not None and server_time.now() - made < DAY


def _kept_for(occupant: Occupant, person: Person, mark: str) -> SeatOptions:
    """The same seat at the rematch that this person opens."""
    if occupant.kind == "bot" or (occupant.kind == "hot" and not occupant.taken):  # a bot has it for good
        return SeatOptions("bot", occupant.name, occupant.plays_by_itself)
    if occupant.kind == "hot" and occupant.person == person.id:
        return SeatOptions("hot", occupant.name)
    if occupant.person == person.id:
        return SeatOptions("me", token=mark)
    return SeatOptions("invite", occupant.name, person=occupant.person)


async def take_seat(server: Server, table: Table, person: Person, held: str) -> tuple[Seat, str]:
    """Sit down at the rematch where a seat is kept for this person: the seat, and the token that speaks for it.

    Whoever sits there already is told the same again.
    """
    kept = next((one for one in table.occupants if one.offered and one.person == person.id), None)
    if kept is not None:
        try:
            await seats.sit(server, table, kept, person, token=next_token(server, table.id, held))
        except Conflict:
            if not table.seats_of(person.id):  # else the same post was there a moment before
                raise
    mine = table.seats_of(person.id)
    if not mine:
        raise Conflict("no seat is kept for you at the rematch")
    speaks = table.occupants[mine[0]].token
    tokens = server.key.marks("again", table.id, held) if held else []
    return mine[0], next((one for one in tokens if hashed(one) == speaks), "")


def next_token(server: Server, id: str, held: str) -> str:
    """By which whoever holds the token of a seat speaks for theirs at the rematch, however often they ask for it."""
    return server.key.sign("again", id, held) if held else ""
