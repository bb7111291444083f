"""Who is shown to whom. Strangers are told no names; people choose: the house, whom they met, or nobody."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, delete, exists, insert, select, update

from triclinium.server.accounts.users import Person
from triclinium.server.errors import RequestError
from triclinium.server.server import Server
from triclinium.server.settings import Settings
from triclinium.server.storage.schema import hidden, people, seats, tables
from triclinium.server.storage.schema_results import results

HOUSE, MET, NOBODY = "house", "met", "nobody"
CHOICES = (HOUSE, MET, NOBODY)


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody as the house knows them."""

    id: int
    name: str  # empty: erased
    made: float
    shown: str
    rated: bool


def usual(settings: Settings) -> str:
    """To whom people are shown who have said nothing: the stricter where strangers may come."""
    return MET if settings.url.startswith("https:") else HOUSE


class Eyes:
    """What one reader may see of others."""

    def __init__(self, connection: Connection, settings: Settings, reader: int | None) -> None:
        self.connection = connection
        self.reader = reader
        self.usual = usual(settings)
        self._at_home = reader is not None and _has_played(connection, reader)
        self._met: set[int] | None = None
        self._hidden = set() if reader is None else _hidden(connection, reader)

    def known(self, ids: Iterable[int]) -> dict[int, Known]:
        """People by their numbers, with empty names where this reader is not told them."""
        wanted = sorted(set(ids))
        found: dict[int, Known] = {}
        for start in range(0, len(wanted), 500):
            rows = self.connection.execute(select(people).where(people.c.id.in_(wanted[start : start + 500])))
            found |= {row.id: Known(row.id, row.name, row.made, row.shown or self.usual, row.rated) for row in rows}
        return {
            id: one if self.sees(one) else Known(id, "", one.made, one.shown, one.rated) for id, one in found.items()
        }

    def sees(self, other: Known) -> bool:
        """Whether this reader is told who that is."""
        if self.reader is None or not other.name:
            return False
        if self.reader == other.id:
            return True
        if other.id in self._hidden:
            return False
        if other.shown == HOUSE:
            return self._at_home
        return other.shown == MET and other.id in self.met

    @property
    def met(self) -> set[int]:
        """Everybody with whom the reader has sat at a table."""
        if self._met is None:
            self._met = set() if self.reader is None else company(self.connection, self.reader)
        return self._met


def _has_played(connection: Connection, person: int) -> bool:
    """Whether somebody is of the house: with a seat at a match that has begun."""
    sat = exists().where(
        seats.c.person == person, seats.c.table == tables.c.id, tables.c.status.in_(("playing", "over"))
    )
    return bool(connection.execute(select(sat | exists().where(results.c.person == person))).scalar())


def company(connection: Connection, person: int) -> set[int]:
    """With whom somebody sits or has sat at a table."""
    other, mine = seats.alias(), seats
    now = select(other.c.person).join(mine, mine.c.table == other.c.table).where(mine.c.person == person)
    beside, own = results.alias(), results
    then = select(beside.c.person).join(own, own.c.table == beside.c.table).where(own.c.person == person)
    found: Collection[int | None] = connection.execute(now.union(then)).scalars().all()
    return {id for id in found if id is not None and id != person}


def _hidden(connection: Connection, person: int) -> set[int]:
    """Everybody whom somebody does not see, or who does not see them: at the wish of either it holds for both."""
    here = select(hidden.c.other).where(hidden.c.person == person)
    there = select(hidden.c.person).where(hidden.c.other == person)
    return set(connection.execute(here.union(there)).scalars())


def hide(connection: Connection, person: int, other: int, away: bool) -> None:
    """Somebody is not shown to another, and does not see them either; or is again."""
    if person == other:
        raise RequestError("nobody is hidden from themselves")
    connection.execute(delete(hidden).where(hidden.c.person == person, hidden.c.other == other))
    if away:
        connection.execute(insert(hidden).values(person=person, other=other))


def seen_by(server: Server, reader: Person | None, other: int) -> Known | None:
    """Somebody as one reader is told of them; None: nobody, or not to this reader."""
    if reader is None or other <= 0 or other == reader.id:
        return None
    with server.store.reading() as connection:
        found = Eyes(connection, server.settings, reader.id).known([other]).get(other)
    return found if found is not None and found.name else None


@dataclass(frozen=True, slots=True)
class Hidden:
    """Somebody from whom a person wishes to be hidden."""

    id: int
    name: str


def hidden_names(connection: Connection, person: int) -> list[Hidden]:
    """From whom somebody wishes to be hidden: they knew the names when they wished it."""
    wanted = select(people.c.id, people.c.name).join(hidden, hidden.c.other == people.c.id)
    rows = connection.execute(wanted.where(hidden.c.person == person).order_by(people.c.name))
    return [Hidden(row.id, row.name) for row in rows]


def choose(connection: Connection, person: int, shown: str, rated: bool) -> None:
    """Somebody decides who sees them, and whether they stand in the standings."""
    if shown not in CHOICES:
        raise RequestError("a person is shown to the house, to whom they met, or to nobody")
    connection.execute(update(people).where(people.c.id == person).values(shown=shown, rated=rated))
