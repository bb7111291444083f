"""A match that is over, shared: a link by which anybody reads it, made and revoked by those who sat there.

Strangers are told who played only where that player has allowed it, or where anybody might watch the table. All that
is shown by the link is made from a copy of the table that does not know the other names, so that no page, log line or
picture can tell them.
"""

import copy
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Row, Select, delete, insert, select, update

from triclinium.engine.core.state import Seat
from triclinium.server import server_time
from triclinium.server.errors import Conflict, NotAllowed, NotFound
from triclinium.server.sanitize import without_names
from triclinium.server.server import Server
from triclinium.server.storage.schema_shares import shares
from triclinium.server.tables.event_stream import Hub
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import Occupant, Table

LINK_BYTES = 16


@dataclass(frozen=True, slots=True)
class Share:
    """A link to a match, and which seats are named there."""

    id: str
    table: str
    named: frozenset[Seat]
    language: str  # of the picture
    mark: str  # of what the picture was made of; empty: there is none

    @property
    def path(self) -> str:
        return f"/m/{self.id}"


# -- making and revoking ----------------------------------------------------------------------------------------------


async def make(server: Server, table: Table, at: Viewer, named: Iterable[Seat], language: str) -> Share:
    """The link of a match that is over; there is one, and who shares again gets the same."""
    _check(table, at)
    if table.status != "over":
        raise Conflict("a match is shared when it is over")
    if table.stranded is not None:
        raise table.stranded
    mine = frozenset(at.mine)
    row = {"id": secrets.token_urlsafe(LINK_BYTES), "table": table.id, "language": language, "made": server_time.now()}

    def job(connection: Connection) -> Share:
        if of_table(connection, table.id) is None:
            connection.execute(insert(shares).values(**row, named=""))
        return _name(connection, table.id, mine, frozenset(named))

    return await server.store.write(job)


async def name(server: Server, table: Table, at: Viewer, named: Iterable[Seat]) -> Share:
    """Which of one's own seats are named to strangers from now on."""
    _check(table, at)
    mine, wished = frozenset(at.mine), frozenset(named)
    return await server.store.write(lambda connection: _name(connection, table.id, mine, wished))


async def revoke(server: Server, table: Table, at: Viewer) -> None:
    """The link leads nowhere any more; anybody who sat there may wish it."""
    _check(table, at)
    await server.store.write(lambda connection: connection.execute(delete(shares).where(shares.c.table == table.id)))


def _check(table: Table, at: Viewer) -> None:
    if not at.mine:
        raise NotAllowed("you do not sit at this table")


def _name(connection: Connection, table: str, mine: frozenset[Seat], named: frozenset[Seat]) -> Share:
    found = of_table(connection, table)
    if found is None:
        raise NotFound("this match is not shared")
    told = sorted((found.named - mine) | (named & mine))
    connection.execute(update(shares).where(shares.c.id == found.id).values(named=" ".join(map(str, told))))
    return Share(found.id, table, frozenset(told), found.language, found.mark)


# -- reading ----------------------------------------------------------------------------------------------------------


def of_table(connection: Connection, table: str) -> Share | None:
    """The link of a table, if it has one."""
    return _read(connection.execute(_wanted().where(shares.c.table == table)).one_or_none())


def by_link(connection: Connection, id: str) -> Share:
    """What a link leads to; raises NotFound."""
    found = _read(connection.execute(_wanted().where(shares.c.id == id)).one_or_none())
    if found is None:
        raise NotFound("this link leads to no match: perhaps it was revoked")
    return found


def _wanted() -> Select[tuple[str, str, str, str, str]]:
    return select(shares.c.id, shares.c.table, shares.c.named, shares.c.language, shares.c.mark)


def _read(row: Row[tuple[str, str, str, str, str]] | None) -> Share | None:
    if row is None:
        return None
    return Share(row.id, row.table, frozenset(map(int, row.named.split())), row.language, row.mark)


def told_names(table: Table, share: Share, somebody: Sequence[str]) -> tuple[str, ...]:
    """What strangers call the seats: bots and whoever allows it by their names, the others as ``somebody`` says."""
    return tuple(
        occupant.name if is_named(table, share, occupant) else somebody[occupant.seat] for occupant in table.occupants
    )


def is_named(table: Table, share: Share, occupant: Occupant) -> bool:
    return occupant.kind == "bot" or table.options.shown == "watched" or occupant.seat in share.named


def opened(table: Table, share: Share, language: str, names: tuple[str, ...]) -> Table:
    """The table as anybody may read it: nobody sits there, nobody is here, and only these names are known.

    It shares the match with the table, whose lock is held while it is read.
    """
    known = table.copies.get(language)
    if known is not None and known.id == share.id and known.names() == names and known.match is table.match:
        return known
    made = copy.copy(table)
    made.id, made.original = share.id, table
    made.name = without_names(table.name, set(table.names()) - set(names))
    made.occupants = [_unknown(occupant, name) for occupant, name in zip(table.occupants, names, strict=True)]
    made.host, made.code, made.again = 0, "", ""
    made.hub = Hub(made.speaks_for)
    made.logs, made.copies, made.given = {}, {}, {}
    table.copies[language] = made
    return made


def _unknown(occupant: Occupant, name: str) -> Occupant:
    made = copy.copy(occupant)
    made.name, made.person, made.token = name, None, ""
    return made


# -- the picture ------------------------------------------------------------------------------------------------------


def picture(connection: Connection, share: Share, mark: str) -> bytes | None:
    """The picture that was made of this before."""
    wanted = select(shares.c.picture).where(shares.c.id == share.id, shares.c.mark == mark)
    found = connection.execute(wanted).scalar_one_or_none()
    return None if found is None else bytes(found)


async def keep_picture(server: Server, share: Share, mark: str, made: bytes) -> None:
    def job(connection: Connection) -> None:
        connection.execute(update(shares).where(shares.c.id == share.id).values(mark=mark, picture=made))

    await server.store.write(job)
