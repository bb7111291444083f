"""Removing somebody after the deal: the absent by more than half of the others, who is present only by all of them."""

from sqlalchemy import Connection, update

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.server.errors import Conflict, NotAllowed, NotFound, RequestError
from triclinium.server.results import REMOVED
from triclinium.server.server import Server
from triclinium.server.storage.schema import tables
from triclinium.server.tables import seating
from triclinium.server.tables.agreeing import REMOVE, asked_for, note, voting
from triclinium.server.tables.changing import change
from triclinium.server.tables.moves import check_running
from triclinium.server.tables.presence import may_be_voted_in
from triclinium.server.tables.table import Occupant, Table


def is_absent(server: Server, table: Table, occupant: Occupant) -> bool:
    """Whether the others need not wait for this player any more; a bot may sit in already."""
    return bool(occupant.standin) or may_be_voted_in(server, table, occupant) == 0


def others(table: Table, occupant: Occupant) -> set[int | None]:
    """The people who decide about somebody: those who are there themselves."""
    there = {one.person for one in table.occupants if one.owned and not one.standin}
    return there - {occupant.person}


def needed(server: Server, table: Table, occupant: Occupant) -> int:
    """How many of the others must agree."""
    count = len(others(table, occupant))
    return count // 2 + 1 if is_absent(server, table, occupant) else count


async def vote_out(server: Server, table: Table, seat: Seat, mine: tuple[Seat, ...]) -> bool:
    """The others take somebody's seat away; True: enough of them agree, and a bot keeps it for whoever comes."""
    async with voting(server, table, mine):
        if not 0 <= seat < len(table.occupants) or seat in mine:
            raise RequestError("vote for somebody else's seat")
        occupant = table.occupants[seat]
        if not occupant.owned or occupant.kind != "person":
            raise Conflict("nobody holds this seat who could be removed")
        absent = is_absent(server, table, occupant)
        _check_two(table, occupant, mine, absent)
        agreed = await note(server, table, mine, f"{REMOVE}{seat}")
        people = {table.occupants[one].person for one in agreed} & others(table, occupant)
        if len(people) < needed(server, table, occupant):
            server.tell_seats(table)
            return False
        await _remove(server, table, occupant, absent)
        return True


def may_ask(server: Server, table: Table, occupant: Occupant, mine: tuple[Seat, ...]) -> bool:
    """Whether these seats may ask for it at all."""
    try:
        _check_two(table, occupant, mine, is_absent(server, table, occupant))
    except (Conflict, NotAllowed):
        return False
    return occupant.seat not in mine


def _check_two(table: Table, occupant: Occupant, mine: tuple[Seat, ...], absent: bool) -> None:
    """With one other person there is nobody to vote with: the host decides alone, and about the absent only."""
    if len(others(table, occupant)) > 1:
        return
    if not absent:
        raise Conflict("this player is at the table")
    if all(table.occupants[seat].person != table.host for seat in mine):
        raise NotAllowed("with two people only the host removes somebody; you may let a bot sit in")


def agreed(server: Server, table: Table, seat: Seat) -> set[Seat]:
    """Who has voted to remove this seat's player, since the last move."""
    return asked_for(server, table).get(f"{REMOVE}{seat}", set())


async def _remove(server: Server, table: Table, occupant: Occupant, absent: bool) -> None:
    """Take the seat; a match that somebody present was sent away from is not rated. The table's lock is held."""
    if not absent:

        def job(connection: Connection) -> None:
            connection.execute(update(tables).where(tables.c.id == table.id).values(expelled=True))

        await change(server, table, job)
        table.expelled = True
    await seating.get_up(server, table, occupant, REMOVED, msgid("{0} was removed by the others' vote"))


async def offer(server: Server, table: Table, seat: Seat, is_host: bool, person: int) -> None:
    """The host keeps a seat that a bot holds for somebody they name: they find it among their tables."""
    async with table.lock:
        await server.load_match(table)
        check_running(table)
        if not is_host:
            raise NotAllowed("only the host may hand a seat on")
        if not 0 <= seat < len(table.occupants) or not table.occupants[seat].offered:
            raise NotFound("this seat is not free")
        if table.seats_of(person):
            raise Conflict("they sit at this table already")
        await seating.keep_for(server, table, table.occupants[seat], person)
