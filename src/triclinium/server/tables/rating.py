"""What a match counts for: where it comes from, and why it is not rated."""

from sqlalchemy import Connection, update

from triclinium.engine.core.text import Message
from triclinium.server.server import Server
from triclinium.server.storage.schema import tables
from triclinium.server.tables.changing import change
from triclinium.server.tables.table import Table

RECORD = "record"  # the origin of a table that was made from an uploaded record


def unrated(table: Table) -> list[str]:
    """Every reason why this match is not rated; none: it is."""
    reasons = {
        "origin": bool(table.origin),
        "practice": table.practice,
        "taken_back": table.taken_back_past,
        "stands": table.stands,
        "removed": table.expelled,
        "hot_seat": any(occupant.kind == "hot" for occupant in table.occupants),
        "hints": table.hinted,
        "guided": table.guided,
        "components": bool(table.file),
        "variants": not _same_kind_of_match(table),
    }
    return [reason for reason, holds in reasons.items() if holds]


def _same_kind_of_match(table: Table) -> bool:
    """Whether the variants leave the match what it is; some make another kind of it."""
    if table.game_or_none is None:
        return True
    chosen = table.game.chosen(table.options.variants)
    return all(value == variant.default or variant.rated for variant, value in chosen)


async def note_help(server: Server, table: Table, *, hinted: bool = False, guided: bool = False) -> None:
    """Somebody was helped to decide: the match does not count any more."""
    marks = {"hinted": hinted and not table.hinted, "guided": guided and not table.guided}
    new = {name: True for name, holds in marks.items() if holds}
    if new:

        def job(connection: Connection) -> None:
            connection.execute(update(tables).where(tables.c.id == table.id).values(**new))

        await change(server, table, job)
        table.hinted, table.guided = table.hinted or hinted, table.guided or guided


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
    if table.origin == RECORD and table.shared:
        return Message("This match begins from a record: its cards may be known, and it is not rated.")
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
