"""Replication of moves: a message between servers contains the moves, so that a table in memory needs no reload.

Messages contain only the history and the clocks. After all other changes, such as new seat owners, auto-replies or the
end of a match, the other servers load the table again. They do the same if moves do not follow their state.
"""

import json
from dataclasses import astuple, replace

from triclinium.server.storage.pubsub import Payload
from triclinium.server.tables.table import CONTINUED_MOVE, MOVE, HistoryRow, LockedTable, Table
from triclinium.server.tables.time_bank import SeatTime, TimeBankClock

MAX_MESSAGE_BYTES = 7000  # PostgreSQL's limit for a notification is 8,000 bytes


def encode_moves(done: list[HistoryRow], clock: TimeBankClock | None, snapshot_at: int | None) -> Payload:
    """Return the message with these moves, or an empty one if it would be too long."""
    times = None if clock is None else [clock.since, [astuple(item) for item in clock.seats]]
    facts: Payload = {"moves": [astuple(item) for item in done], "clock": times, "kept": snapshot_at}
    return facts if len(json.dumps(facts)) <= MAX_MESSAGE_BYTES else {}


def apply_moves(table: LockedTable, facts: Payload) -> bool:
    """Play moves that another server announced. Return False if they do not follow the moves known here."""
    done = [HistoryRow(*row) for row in facts.get("moves", ())]
    if not done or not _is_next(table, facts["stamp"], done):
        return False
    try:
        play_moves(table, done)
    except Exception:  # after any error the caller loads the table again
        table.invalidate_match()
        return False
    clock = table.clock
    if facts["clock"] is not None and clock is not None:
        since, seats = facts["clock"]
        clock = TimeBankClock(clock.free, tuple(SeatTime(*values) for values in seats), since)
    table.progress = replace(table.progress, clock=clock, snapshot_at=facts["kept"], stamp=facts["stamp"])
    return True


def _is_next(table: Table, stamp: int, done: list[HistoryRow]) -> bool:
    """Return whether these moves directly follow the state in memory, and that state is stored."""
    match = table.match
    return (
        table.stamp == stamp - 1
        and match is not None
        and table.status == "playing"
        and len(match.record.options) == len(table.history)
        and are_next_moves(table, done)
    )


def are_next_moves(table: Table, done: list[HistoryRow]) -> bool:
    """Return whether the rows are moves and directly follow the table's version."""
    versions = [row.version for row in done]
    first = table.version + 1
    return versions == list(range(first, first + len(done))) and all(row.kind in (MOVE, CONTINUED_MOVE) for row in done)


def play_moves(table: LockedTable, done: list[HistoryRow]) -> None:
    """Play moves that another server has stored."""
    match = table.current_match
    for row in done:
        match.play(row.option, row.automatic)
        if row.kind == CONTINUED_MOVE:
            match.joined_moves.add(len(match.record.options) - 1)
        table.add_move(row)
