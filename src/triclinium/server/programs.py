"""Programs that their owners have registered: each is somebody of its own, with a name and a key, and is rated so.

A program that nobody has registered plays as before and is not rated. The key is the cookie of the program: with it the
program opens tables and takes seats.
"""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select

from triclinium.server import clock
from triclinium.server.errors import Conflict, NotFound
from triclinium.server.people import Person
from triclinium.server.rating import owners_of
from triclinium.server.server import Server
from triclinium.server.storage.schema import devices, people
from triclinium.server.storage.schema_given import programs

MOST = 5  # of one person


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
    row = {"person": made.id, "owner": owner.id, "made": clock.now()}
    await server.store.write(lambda connection: connection.execute(insert(programs).values(**row)))
    return made, key


async def retire(server: Server, owner: Person, program: int) -> None:
    """Its key works no more; raises NotFound for somebody else's."""

    def job(connection: Connection) -> None:
        if owners_of(connection, [program]).get(program) != owner.id:
            raise NotFound("you have no such program")
        connection.execute(delete(devices).where(devices.c.person == program))

    await server.store.write_for_all(job)
    server.people.unknown(program)


def _of(server: Server, owner: int) -> list[Program]:
    with server.store.reading() as connection:
        return of(connection, owner)


def of(connection: Connection, owner: int) -> list[Program]:
    """Somebody's programs, the oldest first."""
    keys = select(func.count()).where(devices.c.person == programs.c.person).scalar_subquery()
    wanted = select(programs.c.person, people.c.name, keys.label("keys")).join(people, people.c.id == programs.c.person)
    rows = connection.execute(wanted.where(programs.c.owner == owner).order_by(programs.c.person))
    return [Program(row.person, row.name, bool(row.keys)) for row in rows]
