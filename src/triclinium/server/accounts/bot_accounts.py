"""Programs that their owners have registered: each is somebody of its own, with a name and a key, and is rated so.

A program that nobody has registered plays as before and is not rated. The key is the cookie of the program: with it the
program opens tables and takes seats.
"""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select, update

from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.cluster.versioned_write import change
from triclinium.server.errors import Conflict, NotFound, Stale
from triclinium.server.ratings.rating import owners_of
from triclinium.server.server import Server
from triclinium.server.storage.schema import devices, people, seats
from triclinium.server.storage.schema_shares import programs

MOST = 5  # of one person
TRIES = 5  # to change a table that other servers change at the same time


@dataclass(frozen=True, slots=True)
class Program:
    """A program of somebody's; without a key it has been retired, and keeps its results."""

    person: int
    name: str
    active: bool


async def register(server: Server, owner: Person, name: str) -> tuple[Person, str]:
    """A program with a rating of its own; its key is told once."""
    if len([one for one in await server.in_thread(_of, server, owner.id) if one.active]) >= MOST:
        raise Conflict("five programs are enough: retire one first")
    made, key = await server.people.welcome(name or f"{owner.name} (program)")
    row = {"person": made.id, "owner": owner.id, "made": server_time.now()}
    await server.store.write(lambda connection: connection.execute(insert(programs).values(**row)))
    return made, key


async def retire(server: Server, owner: Person, program: int) -> None:
    """Its key works no more, nor do the tokens of its seats; raises NotFound for somebody else's."""

    def job(connection: Connection) -> list[str]:
        if owners_of(connection, [program]).get(program) != owner.id:
            raise NotFound("you have no such program")
        connection.execute(delete(devices).where(devices.c.person == program))
        held = select(seats.c.table).where(seats.c.person == program, seats.c.token != "")
        return list(connection.execute(held.distinct()).scalars())

    held = await server.store.write_for_all(job)
    server.people.unknown(program)
    for id in held:
        await _void_tokens(server, id, program)


async def _void_tokens(server: Server, id: str, program: int) -> None:
    """Void the tokens of a program's seats at a table, and let its streams be asked again for whom they speak."""

    def void(connection: Connection) -> None:
        this = (seats.c.table == id) & (seats.c.person == program)
        connection.execute(update(seats).where(this).values(token=""))

    try:
        table = await server.table(id)
    except NotFound:
        return  # it was deleted in the meantime
    async with table.lock:
        for _ in range(TRIES):
            try:
                await change(server, table, void)
                break
            except Stale:
                continue  # another server has changed the table, which is read again
        for occupant in table.occupants:
            if occupant.person == program:
                occupant.token = ""
        table.hub.reseat()


def _of(server: Server, owner: int) -> list[Program]:
    with server.store.reading() as connection:
        return of(connection, owner)


def of(connection: Connection, owner: int) -> list[Program]:
    """Somebody's programs, the oldest first."""
    keys = select(func.count()).where(devices.c.person == programs.c.person).scalar_subquery()
    wanted = select(programs.c.person, people.c.name, keys.label("keys")).join(people, people.c.id == programs.c.person)
    rows = connection.execute(wanted.where(programs.c.owner == owner).order_by(programs.c.person))
    return [Program(row.person, row.name, bool(row.keys)) for row in rows]


def is_registered(server: Server, person: Person) -> bool:
    """Return whether a person is a registered bot account."""
    with server.store.reading() as connection:
        return connection.execute(select(programs.c.owner).where(programs.c.person == person.id)).first() is not None
