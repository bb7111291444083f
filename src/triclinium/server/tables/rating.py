"""What a match counts for: where it comes from, and why it is not rated."""

from triclinium.engine.core.text import Message
from triclinium.server.server import Server
from triclinium.server.tables.table import Table

RECORD = "record"  # the origin of a table that was made from an uploaded record


def unrated(table: Table) -> list[str]:
    """Every reason why this match is not rated; none: it is."""
    reasons = {
        "old_generator": table.format == 1,
        "origin": bool(table.origin),
        "practice": table.practice,
        "taken_back": table.taken_back_past,
        "stands": table.stands,
        "hot_seat": any(occupant.kind == "hot" for occupant in table.occupants),
    }
    return [reason for reason, holds in reasons.items() if holds]


def origin_facts(server: Server, table: Table) -> dict[str, object] | None:
    """Where a match that did not begin with its own shuffle comes from, for a program."""
    if not table.origin:
        return None
    if table.origin == RECORD:
        return {"from": "record", "by": server.people.name_of(table.host)}
    return {"from": "match", "move": _move(table)}


def origin_said(server: Server, table: Table) -> Message | None:
    """The same, for a person: whoever sits down is told that others may know what is to come."""
    if not table.origin:
        return None
    if table.origin == RECORD:
        return Message(
            "This match begins from a record that {0} uploaded: its cards may be known, and it is not rated.",
            server.people.name_of(table.host),
        )
    return Message(
        "This match is played on from move {0} of another one: its cards may be known, and it is not rated.",
        _move(table),
    )


def _move(table: Table) -> int:
    return int(table.origin.rpartition("/")[2])
