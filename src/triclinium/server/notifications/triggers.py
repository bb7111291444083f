"""The messages that a move causes: it is somebody's turn now, or the match is over."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.match import Match
from triclinium.server.notifications.outbox import cancel, tell
from triclinium.server.notifications.schedule import is_live, turn_messages
from triclinium.server.tables.table import HistoryRow, Occupant, Table

TURN_KINDS = ("turn", "again")


def told_person(occupant: Occupant) -> int | None:
    """Who is told of a seat: its person, unless a program holds it, or people who sit round one device."""
    return occupant.person if occupant.kind == "person" and occupant.taken and not occupant.token else None


def people_at(table: Table) -> dict[int, Seat]:
    """Everybody who is told of this table, with their seat."""
    found = {told_person(one): one.seat for one in table.occupants}
    return {person: seat for person, seat in found.items() if person is not None}


def store_of(table: Table, seat: Seat) -> float:
    """How many seconds a seat has when it is asked, before somebody else decides for it; 0: there is no clock."""
    return deadline_of(table) if table.clock is None else table.clock.rest(seat) / 1000


def deadline_of(table: Table) -> float:
    """The same where it is the same for every decision; 0: the table has none, or store clocks, which remind later."""
    return float(table.options.takeover)


def plays_live(table: Table) -> bool:
    """Whether people sit at this table together, rather than a move a day."""
    return is_live(deadline_of(table)) if table.clock is None else not table.options.slow


class Moved:
    """Rows of a history, to be told of in the commit that stores them. Only those who can be told are looked at."""

    def __init__(self, table: Table, match: Match, done: Iterable[HistoryRow], reachable: set[int]) -> None:
        self.table = table
        self.over = match.state.over
        rows = list(done)
        self.version, self.at = rows[-1].version, rows[-1].at
        own = [row.seat for row in rows if not row.bot and not row.automatic]
        self.acted = {told_person(table.occupants[seat]) for seat in own} & reachable
        self.people = people_at(table).keys() & reachable if self.over else set()
        self.asked = asked_person(table.occupants, match, reachable)
        self.store = deadline_of(table)

    def write(self, connection: Connection) -> None:
        for person in self.acted:
            if person is not None:
                cancel(connection, person, self.table.id)
        if self.asked is not None:
            queue_turn(connection, self.asked, self.table.id, self.version, self.at, self.store)
        for person in self.people:
            cancel(connection, person, self.table.id, *TURN_KINDS)
            tell(connection, person, "over", self.table.id)


class Dealt:
    """The beginning of a match, to be told of in the commit that stores it. Seats may have changed their numbers."""

    def __init__(self, table: Table, match: Match, seated: Sequence[Occupant], reachable: set[int], now: float) -> None:
        self.table, self.now = table, now
        self.people = people_at(table).keys() & reachable
        self.asked = asked_person(seated, match, reachable)
        self.store = deadline_of(table)

    def write(self, connection: Connection) -> None:
        for person in self.people:
            tell(connection, person, "begun", self.table.id)
        if self.asked is not None:
            queue_turn(connection, self.asked, self.table.id, self.table.version, self.now, self.store)


def asked_person(occupants: Sequence[Occupant], match: Match, reachable: set[int]) -> int | None:
    """Who is asked now and can be told; None: a bot decides, or somebody who has no way to be told by."""
    who = match.state.who
    if who == NOBODY or match.state.over or occupants[who].plays_by_itself:
        return None
    person = told_person(occupants[who])
    return person if person in reachable else None


def queue_turn(connection: Connection, person: int, table: str, version: int, now: float, store: float) -> None:
    """At most two messages for one decision; what was queued for the one before is not told any more."""
    cancel(connection, person, table, *TURN_KINDS)
    for kind, due in turn_messages(now, store):
        tell(connection, person, kind, table, str(version), due=due)
