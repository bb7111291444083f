"""Moves that other servers have stored, told whole: whoever has the table as it was before reads nothing for them.

What a move changes beside the history and the clocks (seats, wishes, the end of a match) is not told: then, and
whenever something does not follow from what is in memory, the table is read as it is stored.
"""

import json
from dataclasses import astuple

from triclinium.server.cluster.pubsub import Payload
from triclinium.server.tables.table import CONTINUED_MOVE, MOVE, HistoryRow, Table
from triclinium.server.tables.time_bank import SeatTime, TimeBankClock

MAX_MESSAGE_BYTES = 7000  # bytes; PostgreSQL announces fewer than 8,000


def encode_moves(done: list[HistoryRow], clock: TimeBankClock | None, snapshot_at: int | None) -> Payload:
    """What others need to follow these moves; nothing, if that is too long to be announced."""
    times = None if clock is None else [clock.since, [astuple(item) for item in clock.seats]]
    facts: Payload = {"moves": [astuple(item) for item in done], "clock": times, "kept": snapshot_at}
    return facts if len(json.dumps(facts)) <= MAX_MESSAGE_BYTES else {}


def apply_moves(table: Table, facts: Payload) -> bool:
    """Play what was announced; its lock is held. False: it does not follow, and nothing is known of the table now."""
    done = [HistoryRow(*row) for row in facts.get("moves", ())]
    if not done or not _is_next(table, facts["stamp"], done):
        return False
    try:
        play_moves(table, done)
    except Exception:  # whatever fails: what is stored is read from the beginning
        table.match = None
        return False
    if facts["clock"] is not None and table.clock is not None:
        since, seats = facts["clock"]
        table.clock = TimeBankClock(table.clock.free, tuple(SeatTime(*values) for values in seats), since)
    table.snapshot_at = facts["kept"]
    table.stamp = facts["stamp"]
    return True


def _is_next(table: Table, stamp: int, done: list[HistoryRow]) -> bool:
    """Whether this is the change right after what is in memory, and nothing is there that is not stored."""
    match = table.match
    return (
        table.stamp == stamp - 1
        and match is not None
        and table.status == "playing"
        and len(match.record.options) == len(table.history)
        and are_next_moves(table, done)
    )


def are_next_moves(table: Table, done: list[HistoryRow]) -> bool:
    """Whether these are moves, and the next ones."""
    versions = [row.version for row in done]
    first = table.version + 1
    return versions == list(range(first, first + len(done))) and all(row.kind in (MOVE, CONTINUED_MOVE) for row in done)


def play_moves(table: Table, done: list[HistoryRow]) -> None:
    """Moves that another server has stored, in their order."""
    match = table.current_match
    for row in done:
        match.play(row.option, row.automatic)
        if row.kind == CONTINUED_MOVE:
            match.joined_moves.add(len(match.record.options) - 1)
        table.add_move(row)
