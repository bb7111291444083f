"""Removing an absent player by vote, and giving a vacated seat to a new player by consent of all."""

from sqlalchemy import Connection, select

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.server.accounts.visibility import Eyes
from triclinium.server.errors import Conflict, NotFound, RequestError
from triclinium.server.ratings.rating import owners_of
from triclinium.server.ratings.results import REMOVED
from triclinium.server.server import Server
from triclinium.server.storage.schema import people, watchers
from triclinium.server.tables import seats
from triclinium.server.tables.absence import is_absent, may_be_removed_in, span
from triclinium.server.tables.consent import REASSIGN, REMOVE, agreed_by_all, asked_for, note, voting
from triclinium.server.tables.seat_owners import owners
from triclinium.server.tables.table import Occupant, Table


def others(server: Server, table: Table, occupant: Occupant) -> set[int | None]:
    """Return the people who vote on removing a player: the other owners who are not absent for as long themselves."""
    after, voted = table.options.remove_after, agreed(server, table, occupant.seat)
    there = [one for one in table.occupants if one.owned and may_be_removed_in(server, table, one) != 0]
    present = {one.person for one in there if one.seat in voted or not is_absent(table, one, after)}
    return present - {occupant.person}


def needed(server: Server, table: Table, occupant: Occupant) -> int:
    """Return how many of the others must agree: more than half."""
    return len(others(server, table, occupant)) // 2 + 1


async def vote_out(server: Server, table: Table, seat: Seat, mine: tuple[Seat, ...]) -> bool:
    """Vote to remove an absent player; return whether enough of the others agree, so that a bot plays the seat now.

    Raise Conflict unless the player's clock has run out, or they have been absent for a day where there is none.
    """
    async with voting(server, table, mine):
        if not 0 <= seat < len(table.occupants) or seat in mine:
            raise RequestError("vote for somebody else's seat")
        occupant = table.occupants[seat]
        if not occupant.owned or occupant.kind != "person":
            raise Conflict("nobody holds this seat who could be removed")
        wait = may_be_removed_in(server, table, occupant)
        if wait is None:
            raise Conflict("{0} is not absent, and cannot be removed", occupant.name)
        if wait > 0:
            raise Conflict("{0} can be removed by vote in {1}", occupant.name, span(wait))
        agreed = await note(server, table, mine, f"{REMOVE}{seat}")
        voters = {table.occupants[one].person for one in agreed} & others(server, table, occupant)
        if len(voters) < needed(server, table, occupant):
            server.tell_seats(table)
            return False
        await seats.get_up(server, table, occupant, REMOVED, msgid("{0} was removed by vote of the other players"))
        return True


def agreed(server: Server, table: Table, seat: Seat) -> set[Seat]:
    """Who has voted to remove this seat's player, since the last move."""
    return asked_for(server, table).get(f"{REMOVE}{seat}", set())


async def offer(server: Server, table: Table, seat: Seat, person: int, mine: tuple[Seat, ...]) -> bool:
    """Agree to give a vacated seat to a new player; return whether all agree, so that the seat is kept for them.

    The seat holds a hand. So nobody decides that alone, and the new player is nobody who knows another hand.
    """
    async with voting(server, table, mine):
        if not 0 <= seat < len(table.occupants) or not table.occupants[seat].offered:
            raise NotFound("this seat is not free")
        if len(owners(table)) < 2:
            raise Conflict("at least two players must agree to give a seat to a new player")
        known = (seat, person) in proposals(server, table)
        await server.in_thread(_check_new, server, table, person, person if known else table.occupants[mine[0]].person)
        if not await agreed_by_all(server, table, mine, f"{REASSIGN}{seat} {person}"):
            return False
        await seats.keep_for(server, table, table.occupants[seat], person)
        table.asked_for = None
        return True


def may_offer(table: Table, mine: tuple[Seat, ...]) -> bool:
    """Return whether these seats can ask to give a vacated seat to a new player."""
    vacated = any(one.offered for one in table.occupants)
    return table.status == "playing" and bool(mine) and vacated and len(owners(table)) > 1


def proposals(server: Server, table: Table) -> dict[tuple[Seat, int], set[Seat]]:
    """Return which people are proposed for which vacated seats since the last move, and the seats that agree."""
    found = {}
    for subject, voters in asked_for(server, table).items():
        if subject.startswith(REASSIGN):
            seat, person = subject.removeprefix(REASSIGN).split()
            found[int(seat), int(person)] = voters
    return found


def _check_new(server: Server, table: Table, person: int, asker: int | None) -> None:
    """Raise NotFound for a person who neither watches nor is shown to the asker, and Conflict for one who has played.

    A person who was proposed already asks for themselves. A program and its owner are the same player.
    """
    here = {one for one in owners(table) if one is not None} | table.departed.keys()
    with server.store.reading() as connection:
        seen = Eyes(connection, server.settings, asker).known([person]).get(person)
        if (seen is None or not seen.name) and person not in {one for one, _ in spectators(connection, table)}:
            raise NotFound("there is nobody like that here")
        related = _related(connection, here, person)
    if person in here or related:
        raise Conflict("this person plays or has played in this match: choose someone else")


def spectators(connection: Connection, table: Table) -> list[tuple[int, str]]:
    """Return the people who came by the spectators' link or the code, with their names."""
    wanted = select(people.c.id, people.c.name).join(watchers, watchers.c.person == people.c.id)
    rows = connection.execute(wanted.where(watchers.c.table == table.id).order_by(people.c.name))
    return [(row.id, row.name) for row in rows]


def _related(connection: Connection, here: set[int], person: int) -> bool:
    """Return whether a person and one of these are a program and its owner, or programs of one owner."""
    owned_by = owners_of(connection, [*here, person])
    return owned_by.get(person, person) in {owned_by.get(one, one) for one in here}
