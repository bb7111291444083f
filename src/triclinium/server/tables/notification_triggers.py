"""Notifications that a move causes: it is a player's turn, or the match is over."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.match import Match
from triclinium.server.outbox.queue import cancel_messages, queue_notification
from triclinium.server.outbox.schedule import is_live_limit, schedule_turn_messages
from triclinium.server.tables.table import HistoryRow, Occupant, Table

TURN_KINDS = ("turn", "reminder")


def get_notified_person(occupant: Occupant) -> int | None:
    """Return the person who gets a seat's notifications, or None.

    Seats that are played with an API token or at a shared device send none.
    """
    return occupant.person if occupant.kind == "person" and occupant.taken and not occupant.token else None


def list_notified_people(table: Table) -> dict[int, Seat]:
    """Return all people who get notifications of this table, each with their seat."""
    seats_by_person = {get_notified_person(occupant): occupant.seat for occupant in table.occupants}
    return {person: seat for person, seat in seats_by_person.items() if person is not None}


def get_time_limit(table: Table, seat: Seat) -> float:
    """Return the seconds that a seat has for its next decision, or 0 if there is no limit."""
    return get_takeover_limit(table) if table.clock is None else table.clock.get_time_left(seat) / 1000


def get_takeover_limit(table: Table) -> float:
    """Return the seconds for each decision at a table without a clock, or 0 if there is no limit."""
    return float(table.options.takeover)


def is_live_table(table: Table) -> bool:
    """Return whether players are at the table at the same time. Otherwise they play about one move a day."""
    return is_live_limit(get_takeover_limit(table)) if table.clock is None else not table.options.slow


class MoveNotifications:
    """Notifications about new moves, to be queued in the commit that stores them.

    People without a channel are left out.
    """

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
    """Notifications about the start of a match, to be queued in its commit. The start may renumber the seats."""

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
    """Return the person who has to decide, or None if it is a bot or a person without a channel."""
    who = match.state.who
    if who == NOBODY or match.state.over or occupants[who].deciding_bot:
        return None
    person = get_notified_person(occupants[who])
    return person if person in reachable else None


def queue_turn_messages(
    connection: Connection, person: int, table: str, version: int, now: float, time_limit: float
) -> None:
    """Queue at most two notifications for one decision, and cancel those for the decision before it."""
    cancel_messages(connection, person, table, *TURN_KINDS)
    for kind, due in schedule_turn_messages(now, time_limit):
        queue_notification(connection, person, kind, table, str(version), due=due)
