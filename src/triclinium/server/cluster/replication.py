"""Moves that other servers have stored, told whole: whoever has the table as it was before reads nothing for them.

What a move changes beside the history and the clocks (seats, wishes, the end of a match) is not told: then, and
whenever something does not follow from what is in memory, the table is read as it is stored.
"""

import json
from dataclasses import astuple

from triclinium.server.cluster.pubsub import Facts
from triclinium.server.tables.table import MORE, MOVE, HistoryRow, Table
from triclinium.server.tables.time_bank import SeatTime, StoreClock

LONGEST = 7000  # bytes; PostgreSQL announces fewer than 8,000


def told(done: list[HistoryRow], clock: StoreClock | None, kept_at: int | None) -> Facts:
    """What others need to follow these moves; nothing, if that is too long to be announced."""
    times = None if clock is None else [clock.since, [astuple(one) for one in clock.seats]]
    facts: Facts = {"moves": [astuple(one) for one in done], "clock": times, "kept": kept_at}
    return facts if len(json.dumps(facts)) <= LONGEST else {}


def follow(table: Table, facts: Facts) -> bool:
    """Play what was announced; its lock is held. False: it does not follow, and nothing is known of the table now."""
    done = [HistoryRow(*row) for row in facts.get("moves", ())]
    if not done or not _is_next(table, facts["stamp"], done):
        return False
    try:
        play(table, done)
    except Exception:  # whatever fails: what is stored is read from the beginning
        table.match = None
        return False
    if facts["clock"] is not None and table.clock is not None:
        since, seats = facts["clock"]
        table.clock = StoreClock(table.clock.free, tuple(SeatTime(*one) for one in seats), since)
    table.kept_at = facts["kept"]
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
        and follows(table, done)
    )


def follows(table: Table, done: list[HistoryRow]) -> bool:
    """Whether these are moves, and the next ones."""
    versions = [one.version for one in done]
    first = table.version + 1
    return versions == list(range(first, first + len(done))) and all(one.kind in (MOVE, MORE) for one in done)


def play(table: Table, done: list[HistoryRow]) -> None:
    """Moves that another server has stored, in their order."""
    match = table.playing
    for one in done:
        match.play(one.option, one.automatic)
        if one.kind == MORE:
            match.joined.add(len(match.record.options) - 1)
        table.note(one)
