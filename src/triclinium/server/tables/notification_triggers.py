"""The messages that a move causes: it is somebody's turn now, or the match is over."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.match import Match
from triclinium.server.outbox.queue import cancel_messages, queue_notification
from triclinium.server.outbox.schedule import is_live_limit, schedule_turn_messages
from triclinium.server.tables.table import HistoryRow, Occupant, Table

TURN_KINDS = ("turn", "again")


def get_notified_person(occupant: Occupant) -> int | None:
    """Who is told of a seat: its person, unless a program holds it, or people who sit round one device."""
    return occupant.person if occupant.kind == "person" and occupant.taken and not occupant.token else None


def list_notified_people(table: Table) -> dict[int, Seat]:
    """Everybody who is told of this table, with their seat."""
    seats_by_person = {get_notified_person(occupant): occupant.seat for occupant in table.occupants}
    return {person: seat for person, seat in seats_by_person.items() if person is not None}


def get_time_limit(table: Table, seat: Seat) -> float:
    """How many seconds a seat has when it is asked, before somebody else decides for it; 0: there is no clock."""
    return get_takeover_limit(table) if table.clock is None else table.clock.get_time_left(seat) / 1000


def get_takeover_limit(table: Table) -> float:
    """The same where it is the same for every decision; 0: the table has none, or store clocks, which remind later."""
    return float(table.options.takeover)


def is_live_table(table: Table) -> bool:
    """Whether people sit at this table together, rather than a move a day."""
    return is_live_limit(get_takeover_limit(table)) if table.clock is None else not table.options.slow


class MoveNotifications:
    """Rows of a history, to be told of in the commit that stores them. Only those who can be told are looked at."""

    def __init__(self, table: Table, match: Match, done: Iterable[HistoryRow], reachable: set[int]) -> None:
        self.table = table
        self.is_over = match.state.over
        rows = list(done)
        self.version, self.moved_at = rows[-1].version, rows[-1].at
        own = [row.seat for row in rows if not row.bot and not row.automatic]
        self.movers = {get_notified_person(table.occupants[seat]) for seat in own} & reachable
        self.people = list_notified_people(table).keys() & reachable if self.is_over else set()
        self.person_to_move = find_person_to_move(table.occupants, match, reachable)
        self.time_limit = get_takeover_limit(table)

    def write(self, connection: Connection) -> None:
        for person in self.movers:
            if person is not None:
                cancel_messages(connection, person, self.table.id)
        if self.person_to_move is not None:
            queue_turn_messages(
                connection, self.person_to_move, self.table.id, self.version, self.moved_at, self.time_limit
            )
        for person in self.people:
            cancel_messages(connection, person, self.table.id, *TURN_KINDS)
            queue_notification(connection, person, "over", self.table.id)


class DealNotifications:
    """The beginning of a match, to be told of in the commit that stores it. Seats may have changed their numbers."""

    def __init__(self, table: Table, match: Match, seated: Sequence[Occupant], reachable: set[int], now: float) -> None:
        self.table, self.now = table, now
        self.people = list_notified_people(table).keys() & reachable
        self.person_to_move = find_person_to_move(seated, match, reachable)
        self.time_limit = get_takeover_limit(table)

    def write(self, connection: Connection) -> None:
        for person in self.people:
            queue_notification(connection, person, "begun", self.table.id)
        if self.person_to_move is not None:
            queue_turn_messages(
                connection, self.person_to_move, self.table.id, self.table.version, self.now, self.time_limit
            )


def find_person_to_move(occupants: Sequence[Occupant], match: Match, reachable: set[int]) -> int | None:
    """Who is asked now and can be told; None: a bot decides, or somebody who has no way to be told by."""
    who = match.state.who
    if who == NOBODY or match.state.over or occupants[who].deciding_bot:
        return None
    person = get_notified_person(occupants[who])
    return person if person in reachable else None


def queue_turn_messages(
    connection: Connection, person: int, table: str, version: int, now: float, time_limit: float
) -> None:
    """At most two messages for one decision; what was queued for the one before is not told any more."""
    cancel_messages(connection, person, table, *TURN_KINDS)
    for kind, due in schedule_turn_messages(now, time_limit):
        queue_notification(connection, person, kind, table, str(version), due=due)
