"""Shared matches: a public link to a finished match, which its players can create and revoke.

A visitor sees a player's name only if that player allows it, or if spectators could watch the table. All pages and
pictures use a copy of the table without the other names, so that none of them can reveal a name.
"""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, Row, Select, delete, insert, select, update

from triclinium.engine.core.state import Seat
from triclinium.server import server_time
from triclinium.server.errors import Conflict, NotAllowed, NotFound
from triclinium.server.sanitize import replace_names
from triclinium.server.storage.schema_shares import shares
from triclinium.server.storage.store import Store
from triclinium.server.tables.deals import check_deal_closed
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import LockedTable, Occupant, Table

LINK_BYTES = 16


@dataclass(frozen=True, slots=True)
class MatchShare:
    """A public link to a match, and the seats whose names it shows."""

    id: str
    table: str
    named_seats: frozenset[Seat]
    language: str  # language of the picture
    mark: str  # hash of the data that the picture shows; empty: there is no picture

    @property
    def path(self) -> str:
        return f"/matches/{self.id}"


# -- creating and revoking --------------------------------------------------------------------------------------------


async def create_share(
    store: Store, table: Table, at: Viewer, named_seats: Iterable[Seat], language: str
) -> MatchShare:
    """Create the public link of a finished match, or return the existing one.

    Raise `NotAllowed` for viewers without a seat, and `Conflict` if the match is not over.
    """
    _check_seated(table, at)
    if table.status != "over":
        raise Conflict("A match can be shared when it is over.")
    check_deal_closed(table)
    if table.stranded is not None:
        raise table.stranded
    mine = frozenset(at.own_seats)
    row = {"id": secrets.token_urlsafe(LINK_BYTES), "table": table.id, "language": language, "made": server_time.now()}

    def job(connection: Connection) -> MatchShare:
        if find_share(connection, table.id) is None:
            connection.execute(insert(shares).values(**row, named=""))
        return _store_named_seats(connection, table.id, mine, frozenset(named_seats))

    return await store.write(job)


async def set_named_seats(store: Store, table: Table, at: Viewer, named_seats: Iterable[Seat]) -> MatchShare:
    """Choose which of the viewer's own seats the public link names."""
    _check_seated(table, at)
    mine, chosen_seats = frozenset(at.own_seats), frozenset(named_seats)
    return await store.write(lambda connection: _store_named_seats(connection, table.id, mine, chosen_seats))


async def revoke_share(store: Store, table: Table, at: Viewer) -> None:
    """Delete the public link of a match. Each of its players may do this."""
    _check_seated(table, at)
    await store.write(lambda connection: connection.execute(delete(shares).where(shares.c.table == table.id)))


def _check_seated(table: Table, at: Viewer) -> None:
    if not at.own_seats:
        raise NotAllowed("You do not have a seat at this table.")


def _store_named_seats(
    connection: Connection, table: str, mine: frozenset[Seat], named_seats: frozenset[Seat]
) -> MatchShare:
    share = find_share(connection, table)
    if share is None:
        raise NotFound("This match is not shared.")
    seat_numbers = sorted((share.named_seats - mine) | (named_seats & mine))
    connection.execute(update(shares).where(shares.c.id == share.id).values(named=" ".join(map(str, seat_numbers))))
    return MatchShare(share.id, table, frozenset(seat_numbers), share.language, share.mark)


# -- reading ----------------------------------------------------------------------------------------------------------


def find_share(connection: Connection, table: str) -> MatchShare | None:
    """Return the public link of a table, or None."""
    return _parse_row(connection.execute(_select_shares().where(shares.c.table == table)).one_or_none())


def load_share(connection: Connection, id: str) -> MatchShare:
    """Return the shared match of a link. Raise `NotFound` if the link was revoked."""
    share = _parse_row(connection.execute(_select_shares().where(shares.c.id == id)).one_or_none())
    if share is None:
        raise NotFound("There is no match at this link. The link may have been revoked.")
    return share


def _select_shares() -> Select[tuple[str, str, str, str, str]]:
    return select(shares.c.id, shares.c.table, shares.c.named, shares.c.language, shares.c.mark)


def _parse_row(row: Row[tuple[str, str, str, str, str]] | None) -> MatchShare | None:
    if row is None:
        return None
    return MatchShare(row.id, row.table, frozenset(map(int, row.named.split())), row.language, row.mark)


def list_public_names(table: Table, share: MatchShare, placeholders: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the seats for visitors. Players who have not allowed their name get a placeholder."""
    return tuple(
        occupant.name if is_name_public(table, share, occupant) else placeholders[occupant.seat]
        for occupant in table.occupants
    )


def is_name_public(table: Table, share: MatchShare, occupant: Occupant) -> bool:
    return occupant.kind == "bot" or table.options.shown == "watched" or occupant.seat in share.named_seats


def make_public_copy(table: LockedTable, share: MatchShare, language: str, names: tuple[str, ...]) -> Table:
    """Return a copy of the table for visitors with a public link: with these names, and without people.

    The copy shares the match with the table. Read it only while the table is locked.
    """
    cached_copy = table.caches.public_copies.get(language)
    if (
        cached_copy is not None
        and cached_copy.id == share.id
        and cached_copy.names() == names
        and cached_copy.match is table.match
    ):
        return cached_copy
    occupants = tuple(
        replace(occupant, name=name, person=None, token="")
        for occupant, name in zip(table.occupants, names, strict=True)
    )
    public_row = replace(
        table.row,
        id=share.id,
        name=replace_names(table.name, set(table.names()) - set(names)),
        occupants=occupants,
        host=0,
        code="",
        rematch_id="",
    )
    copy = table.make_copy(public_row)
    table.caches.public_copies[language] = copy
    return copy


# -- pictures ---------------------------------------------------------------------------------------------------------


def load_picture(connection: Connection, share: MatchShare, mark: str) -> bytes | None:
    """Return the stored picture of a shared match, or None if its data has changed since."""
    wanted = select(shares.c.picture).where(shares.c.id == share.id, shares.c.mark == mark)
    image = connection.execute(wanted).scalar_one_or_none()
    return None if image is None else bytes(image)


async def store_picture(store: Store, share: MatchShare, mark: str, made: bytes) -> None:
    def job(connection: Connection) -> None:
        connection.execute(update(shares).where(shares.c.id == share.id).values(mark=mark, picture=made))

    await store.write(job)
