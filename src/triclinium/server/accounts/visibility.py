"""Visibility of people.

Strangers see no names; each person chooses to be visible to members, people they met, or no one.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, delete, exists, insert, select, update

from triclinium.server.accounts.users import Person
from triclinium.server.errors import RequestError
from triclinium.server.runtime import Runtime
from triclinium.server.settings import Settings
from triclinium.server.storage.schema import hidden, people, seats, tables
from triclinium.server.storage.schema_results import results

SERVER_MEMBERS, MET_PEOPLE, NOBODY = "server", "met", "nobody"
VISIBILITY_CHOICES = (SERVER_MEMBERS, MET_PEOPLE, NOBODY)


@dataclass(frozen=True, slots=True)
class PersonSummary:
    """A person, as lists show them to a reader."""

    id: int
    name: str  # empty: deleted or hidden from the reader
    created_at: float
    shown_to: str
    rated: bool


def get_default_visibility(settings: Settings) -> str:
    """Return the visibility of people who have not chosen one. It is stricter on a public HTTPS server."""
    return MET_PEOPLE if settings.url.startswith("https:") else SERVER_MEMBERS


class ReaderVisibility:
    """Rules for what one reader may see of other people."""

    def __init__(self, connection: Connection, settings: Settings, reader: int | None) -> None:
        self.connection = connection
        self.reader = reader
        self.default_visibility = get_default_visibility(settings)
        self._is_member = reader is not None and _has_played(connection, reader)
        self._met: set[int] | None = None
        self._hidden = set() if reader is None else _load_hidden(connection, reader)

    def load_people(self, ids: Iterable[int]) -> dict[int, PersonSummary]:
        """Return people by number. Those who are hidden from this reader have empty names."""
        wanted = sorted(set(ids))
        people_by_id: dict[int, PersonSummary] = {}
        for start in range(0, len(wanted), 500):
            rows = self.connection.execute(select(people).where(people.c.id.in_(wanted[start : start + 500])))
            people_by_id |= {
                row.id: PersonSummary(row.id, row.name, row.made, row.shown or self.default_visibility, row.rated)
                for row in rows
            }
        return {
            id: person
            if self.can_see(person)
            else PersonSummary(id, "", person.created_at, person.shown_to, person.rated)
            for id, person in people_by_id.items()
        }

    def can_see(self, other: PersonSummary) -> bool:
        """Return whether this reader may see the name of a person."""
        if self.reader is None or not other.name:
            return False
        if self.reader == other.id:
            return True
        if other.id in self._hidden:
            return False
        if other.shown_to == SERVER_MEMBERS:
            return self._is_member
        return other.shown_to == MET_PEOPLE and other.id in self.met_people

    @property
    def met_people(self) -> set[int]:
        """Return everyone with whom the reader has shared a table."""
        if self._met is None:
            self._met = set() if self.reader is None else find_tablemates(self.connection, self.reader)
        return self._met


def _has_played(connection: Connection, person: int) -> bool:
    """Return whether a person is a member: someone with a seat at a match that has started."""
    sat = exists().where(
        seats.c.person == person, seats.c.table == tables.c.id, tables.c.status.in_(("playing", "over"))
    )
    return bool(connection.execute(select(sat | exists().where(results.c.person == person))).scalar())


def find_tablemates(connection: Connection, person: int) -> set[int]:
    """Return the people with whom a person shares or has shared a table."""
    other, mine = seats.alias(), seats
    now = select(other.c.person).join(mine, mine.c.table == other.c.table).where(mine.c.person == person)
    other_results, own = results.alias(), results
    then = select(other_results.c.person).join(own, own.c.table == other_results.c.table).where(own.c.person == person)
    person_ids: Collection[int | None] = connection.execute(now.union(then)).scalars().all()
    return {id for id in person_ids if id is not None and id != person}


def _load_hidden(connection: Connection, person: int) -> set[int]:
    """Return the people who are hidden from a person. Hiding works in both directions."""
    here = select(hidden.c.other).where(hidden.c.person == person)
    there = select(hidden.c.person).where(hidden.c.other == person)
    return set(connection.execute(here.union(there)).scalars())


def set_hidden(connection: Connection, person: int, other: int, is_hidden: bool) -> None:
    """Hide two people from each other, or show them to each other again. Raise `RequestError` if both are the same."""
    if person == other:
        raise RequestError("You cannot hide your profile from yourself.")
    connection.execute(delete(hidden).where(hidden.c.person == person, hidden.c.other == other))
    if is_hidden:
        connection.execute(insert(hidden).values(person=person, other=other))


def find_visible_person(runtime: Runtime, reader: Person | None, other: int) -> PersonSummary | None:
    """Return another person if the reader may see them, or None."""
    if reader is None or other <= 0 or other == reader.id:
        return None
    with runtime.store.read_connection() as connection:
        person = ReaderVisibility(connection, runtime.settings, reader.id).load_people([other]).get(other)
    return person if person is not None and person.name else None


@dataclass(frozen=True, slots=True)
class HiddenPerson:
    """A person from whom someone chose to be hidden."""

    id: int
    name: str


def list_hidden_people(connection: Connection, person: int) -> list[HiddenPerson]:
    """Return the people from whom a person chose to be hidden.

    Their names are shown, because the person knew them then.
    """
    wanted = select(people.c.id, people.c.name).join(hidden, hidden.c.other == people.c.id)
    rows = connection.execute(wanted.where(hidden.c.person == person).order_by(people.c.name))
    return [HiddenPerson(row.id, row.name) for row in rows]


def set_visibility(connection: Connection, person: int, shown_to: str, rated: bool) -> None:
    """Store who can see a person, and whether the person appears on the leaderboard."""
    if shown_to not in VISIBILITY_CHOICES:
        raise RequestError("Choose who can see you: everyone on this server, people you have played with, or nobody.")
    connection.execute(update(people).where(people.c.id == person).values(shown=shown_to, rated=rated))


def get_visibility(settings: Settings, connection: Connection, person: Person | None) -> ReaderVisibility:
    """Return the rules for what a caller may see of other people."""
    return ReaderVisibility(connection, settings, None if person is None else person.id)
