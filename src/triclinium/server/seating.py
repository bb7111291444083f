"""Sitting down, getting up, being replaced, and who may see a table."""

from sqlalchemy import Connection, insert, select, update

from triclinium.kernel.state import Seat
from triclinium.server.errors import Conflict, NotAllowed, NotFound
from triclinium.server.house import House
from triclinium.server.opening import begin_if_full
from triclinium.server.people import Person
from triclinium.server.play import wake
from triclinium.server.schema import seats, tables, watchers
from triclinium.server.secret import hashed, new_token
from triclinium.server.table import Sitter, Table
from triclinium.server.thinking import USUAL, known_bots


class Viewer:
    """Somebody at a table: a person with a cookie, or a program with the token of one seat."""

    def __init__(self, person: Person | None, mine: tuple[Seat, ...], program: bool = False) -> None:
        self.person = person
        self.mine = mine  # the seats it speaks for; none: a spectator
        self.program = program


def viewer(house: House, table: Table, person: Person | None, token: str = "") -> Viewer:
    """Who is this at the table; raises NotFound where the table is not shown to it."""
    if token:
        mark = hashed(token)
        mine = tuple(sitter.seat for sitter in table.sitters if sitter.token and sitter.token == mark)
        if not mine:
            raise NotAllowed("this token belongs to no seat of this table")
        return Viewer(person, mine, program=True)
    mine = () if person is None else tuple(table.seats_of(person.id))
    if mine or table.shown == "watched" or _knows(house, table, person):
        return Viewer(person, mine)
    raise NotFound("there is no such table, or it is shown to those with its link only")


def _knows(house: House, table: Table, person: Person | None) -> bool:
    if person is None:
        return False
    if person.id == table.host or any(sitter.person == person.id for sitter in table.sitters):
        return True
    with house.store.reading() as connection:
        row = connection.execute(
            select(watchers.c.person).where(watchers.c.table == table.id, watchers.c.person == person.id)
        ).one_or_none()
    return row is not None


# -- links ------------------------------------------------------------------------------------------------------


def seat_token(house: House, table: Table, sitter: Sitter) -> str:
    """The secret of a seat's link: it seats one person, and changes when the seat is given up."""
    return house.key.sign("seat", table.id, sitter.seat, sitter.generation)


def watch_token(house: House, table: Table) -> str:
    return house.key.sign("watch", table.id)


def invited(house: House, table: Table, seat: Seat, token: str) -> Sitter:
    """The seat that a link leads to; raises NotFound if it is revoked or taken."""
    if not 0 <= seat < len(table.sitters):
        raise NotFound("this link is not valid any more")
    sitter = table.sitters[seat]
    if not house.key.signed(token, "seat", table.id, seat, sitter.generation) or sitter.kind == "bot":
        raise NotFound("this link is not valid any more")
    return sitter


async def watch(house: House, table: Table, person: Person, token: str) -> None:
    """Let somebody with the spectators' link look on."""
    if not house.key.signed(token, "watch", table.id):
        raise NotFound("this link is not valid any more")

    def job(connection: Connection) -> None:
        known = connection.execute(
            select(watchers.c.person).where(watchers.c.table == table.id, watchers.c.person == person.id)
        ).one_or_none()
        if known is None:
            connection.execute(insert(watchers).values(table=table.id, person=person.id))

    await house.store.write(job)


# -- sitting down and getting up --------------------------------------------------------------------------------


async def sit(house: House, table: Table, sitter: Sitter, person: Person, program: bool = False) -> str:
    """Take a free seat. A program gets the token that speaks for the seat; a person has its cookie."""
    token = new_token() if program else ""
    async with table.lock:
        await house.bring(table)
        if table.status == "closed":
            raise Conflict("this table was closed before it began")
        if sitter.taken or sitter.kind == "bot":
            raise Conflict("somebody sits there already")
        if sitter.person is not None and sitter.person != person.id:
            raise Conflict("this seat is kept for somebody else")
        if not program and table.seats_of(person.id):
            raise Conflict("you sit at this table already")
        await _change(
            house,
            table,
            sitter,
            "{0} sits down",
            person=person.id,
            name=person.name,
            taken=True,
            standin="",
            generation=sitter.generation + 1,
            token=hashed(token) if token else "",
        )
        await begin_if_full(house, table)
        house.tell(table)
    return token


async def leave(house: House, table: Table, sitter: Sitter) -> None:
    """Get up. Before the deal the seat is free again; after it a bot sits in, and a new link may fill the seat."""
    async with table.lock:
        if table.status not in ("waiting", "playing"):
            raise Conflict("the match is over")
        if sitter.kind == "bot":
            raise Conflict("a bot does not leave")
        running = table.status == "playing"
        await _change(
            house,
            table,
            sitter,
            "{0} leaves the table",
            kind="person",
            person=None,
            taken=False,
            name=sitter.name if running else "…",
            standin=USUAL if running else "",
            generation=sitter.generation + 1,
            token="",
        )
        house.tell(table)
        wake(house, table)


async def stand_in(house: House, table: Table, sitter: Sitter, why: str) -> None:
    """A bot decides for somebody absent, visibly, until the owner is back. The table's lock is held."""
    if not sitter.standin and sitter.is_human:
        await _change(house, table, sitter, why, standin=USUAL)
        house.tell(table)
        wake(house, table)


async def hand_back(house: House, table: Table, sitter: Sitter) -> None:
    """The owner is back and decides again."""
    async with table.lock:
        if sitter.standin and sitter.taken:
            await _change(house, table, sitter, "{0} is back and decides again", standin="")
            house.tell(table)


async def close(house: House, table: Table, person: Person) -> None:
    """The host gives up a table that has not begun."""
    async with table.lock:
        if table.host != person.id:
            raise NotAllowed("only the host may close the table")
        if table.status != "waiting":
            raise Conflict("the match has begun: it cannot be closed")

        def job(connection: Connection) -> None:
            connection.execute(update(tables).where(tables.c.id == table.id).values(status="closed"))

        await house.store.write(job)
        table.status = "closed"
        house.tell(table)


async def fill(house: House, table: Table, sitter: Sitter, person: Person, level: str) -> None:
    """The host gives a free seat to a bot."""
    async with table.lock:
        if table.host != person.id:
            raise NotAllowed("only the host may give a seat to a bot")
        if table.status != "waiting" or sitter.taken:
            raise Conflict("somebody sits there already")
        if level not in known_bots():
            raise NotFound("there is no such bot")
        await _change(
            house,
            table,
            sitter,
            "{0} sits down",
            kind="bot",
            person=None,
            bot=level,
            name=f"Bot {sitter.seat + 1}",
            taken=True,
            generation=sitter.generation + 1,
        )
        await begin_if_full(house, table)
        house.tell(table)


async def _change(house: House, table: Table, sitter: Sitter, said: str, **values: str | int | bool | None) -> None:
    called = str(values.get("name", sitter.name))
    if called == "…":
        called = sitter.name

    def job(connection: Connection) -> None:
        connection.execute(update(seats).where(seats.c.table == table.id, seats.c.seat == sitter.seat).values(**values))
        house.announce(connection, table, said, called)

    await house.store.write(job)
    for name, value in values.items():
        setattr(sitter, name, value)
    table.logs.clear()
