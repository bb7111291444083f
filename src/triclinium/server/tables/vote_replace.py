"""Votes to remove an absent player, and to give a vacated seat to a new player."""

from sqlalchemy import Connection, select

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import msgid
from triclinium.server.accounts.visibility import ReaderVisibility
from triclinium.server.errors import Conflict, NotFound, RequestError
from triclinium.server.ratings.rating import load_bot_owners
from triclinium.server.runtime import Runtime
from triclinium.server.services import Services
from triclinium.server.storage.schema import people, watchers
from triclinium.server.tables import seats
from triclinium.server.tables.absence import count_seconds_until_removal, format_clock_time, is_absent
from triclinium.server.tables.broadcast import broadcast_seats
from triclinium.server.tables.consent import (
    REASSIGN,
    REMOVE,
    load_pending_votes,
    lock_for_vote,
    record_consent,
    record_votes,
)
from triclinium.server.tables.results import REMOVED
from triclinium.server.tables.seat_owners import list_owners
from triclinium.server.tables.table import Occupant, Table


def list_eligible_voters(services: Services, table: Table, occupant: Occupant) -> set[int | None]:
    """Return the people who can vote to remove a player: the other owners who are not absent as long themselves."""
    after, voted = table.options.remove_after, list_removal_votes(services, table, occupant.seat)
    there = [
        other
        for other in table.occupants
        if other.is_owned and count_seconds_until_removal(services, table, other) != 0
    ]
    present = {other.person for other in there if other.seat in voted or not is_absent(table, other, after)}
    return present - {occupant.person}


def count_votes_needed(services: Services, table: Table, occupant: Occupant) -> int:
    """Return the number of votes that are needed: more than half of the voters."""
    return len(list_eligible_voters(services, table, occupant)) // 2 + 1


async def vote_to_remove(services: Services, table: Table, seat: Seat, own_seats: tuple[Seat, ...]) -> bool:
    """Vote to remove an absent player. Return True once enough players agree and a bot plays the seat.

    Raise `Conflict` unless the player's clock has run out or, without a clock, they have been absent for a day.
    """
    async with lock_for_vote(services, table, own_seats) as table:
        if not 0 <= seat < len(table.occupants) or seat in own_seats:
            raise RequestError("You can vote only about another player’s seat.")
        occupant = table.occupants[seat]
        if not occupant.is_owned or occupant.kind != "person":
            raise Conflict("No player holds this seat, so nobody can be removed from it.")
        wait = count_seconds_until_removal(services, table, occupant)
        if wait is None:
            raise Conflict("{0} is not absent and cannot be removed.", occupant.name)
        if wait > 0:
            raise Conflict("{0} can be removed by vote in {1}", occupant.name, format_clock_time(wait))
        agreed = await record_votes(services.tables, table, own_seats, f"{REMOVE}{seat}")
        voters = {table.occupants[voter_seat].person for voter_seat in agreed} & list_eligible_voters(
            services, table, occupant
        )
        if len(voters) < count_votes_needed(services, table, occupant):
            broadcast_seats(table)
            return False
        await seats.vacate_seat(services, table, occupant, REMOVED, msgid("The other players voted to remove {0}."))
        return True


def list_removal_votes(services: Services, table: Table, seat: Seat) -> set[Seat]:
    """Return the seats that have voted to remove this seat's player since the last move."""
    return load_pending_votes(services.store, table).get(f"{REMOVE}{seat}", set())


async def vote_to_reassign(
    services: Services, table: Table, seat: Seat, person: int, own_seats: tuple[Seat, ...]
) -> bool:
    """Propose a new player for a vacated seat or agree to one. Return True once all agree and the seat is reserved.

    The seat has a hand, so all must agree, and the new player may not know another hand. Raise `NotFound` or `Conflict`
    if the seat or the person is not eligible.
    """
    async with lock_for_vote(services, table, own_seats) as table:
        if not 0 <= seat < len(table.occupants) or not table.occupants[seat].is_vacant:
            raise NotFound("This seat is not free.")
        if len(list_owners(table)) < 2:
            raise Conflict("At least two players must agree to give a seat to a new player.")
        is_proposed = (seat, person) in load_proposals(services, table)
        await services.runtime.run_in_thread(
            _check_candidate,
            services.runtime,
            table,
            person,
            person if is_proposed else table.occupants[own_seats[0]].person,
        )
        if not await record_consent(services, table, own_seats, f"{REASSIGN}{seat} {person}"):
            return False
        await seats.reserve_seat(services, table, table.occupants[seat], person)
        table.caches.pending_votes = None
        return True


def can_reassign_seat(table: Table, own_seats: tuple[Seat, ...]) -> bool:
    """Return whether the owners of these seats can propose a new player for a vacated seat."""
    vacated = any(occupant.is_vacant for occupant in table.occupants)
    return table.status == "playing" and bool(own_seats) and vacated and len(list_owners(table)) > 1


def load_proposals(services: Services, table: Table) -> dict[tuple[Seat, int], set[Seat]]:
    """Return the proposed people for vacated seats, with the seats that agree to each."""
    seats_by_proposal = {}
    for subject, voters in load_pending_votes(services.store, table).items():
        if subject.startswith(REASSIGN):
            seat, person = subject.removeprefix(REASSIGN).split()
            seats_by_proposal[int(seat), int(person)] = voters
    return seats_by_proposal


def _check_candidate(runtime: Runtime, table: Table, person: int, asker: int | None) -> None:
    """Check that a person can take a vacated seat.

    Raise `NotFound` if they are not a spectator and the proposer may not see them. Raise `Conflict` if they have played
    in this match. A bot account and its owner count as one player.
    """
    here = {person_id for person_id in list_owners(table) if person_id is not None} | table.departed.keys()
    with runtime.store.read_connection() as connection:
        seen = ReaderVisibility(connection, runtime.settings, asker).load_people([person]).get(person)
        if (seen is None or not seen.name) and person not in {
            person_id for person_id, _ in list_spectators(connection, table)
        }:
            raise NotFound("There is no such player.")
        related = _is_related(connection, here, person)
    if person in here or related:
        raise Conflict("This person plays or has played in this match. Choose someone else.")


def list_spectators(connection: Connection, table: Table) -> list[tuple[int, str]]:
    """Return the people who joined by the spectators' link or the join code, with their names."""
    wanted = select(people.c.id, people.c.name).join(watchers, watchers.c.person == people.c.id)
    rows = connection.execute(wanted.where(watchers.c.table == table.id).order_by(people.c.name))
    return [(row.id, row.name) for row in rows]


def _is_related(connection: Connection, here: set[int], person: int) -> bool:
    """Return whether a person and another one in the list are bot account and owner, or bot accounts of one owner."""
    owned_by = load_bot_owners(connection, [*here, person])
    return owned_by.get(person, person) in {owned_by.get(other, other) for other in here}
