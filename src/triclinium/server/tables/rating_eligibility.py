"""Rating eligibility of matches: their origin, and the reasons why they are not rated."""

from dataclasses import replace

from sqlalchemy import Connection, update

from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Message
from triclinium.engine.match_origin import FROM_RECORD, PRACTICE, build_continued_message
from triclinium.server.accounts.users import PeopleDirectory
from triclinium.server.ratings.rating import UNMEASURED_BOTS, load_anchor_ratings
from triclinium.server.storage.schema import seats, tables
from triclinium.server.tables.repository import TableRepository
from triclinium.server.tables.seat_owners import is_solo
from triclinium.server.tables.table import LockedTable, Table
from triclinium.server.tables.versioned_write import write_table

RECORD = "record"  # origin of a table that was made from an uploaded record


def list_unrated_reasons(table: Table) -> list[str]:
    """Return all reasons known at the table why this match is not rated. Other reasons may be found at its end."""
    return list_noted_reasons(table) + ([UNMEASURED_BOTS] if _has_only_unmeasured_bots(table) else [])


def _has_only_unmeasured_bots(table: Table) -> bool:
    """Return whether the only opponents of a single player are bots without a rating."""
    people = [occupant for occupant in table.occupants if occupant.kind != "bot"]
    bots = [occupant for occupant in table.occupants if occupant.kind == "bot"]
    return (
        len(people) <= 1
        and bool(bots)
        and not any((table.game_id, occupant.bot) in load_anchor_ratings() for occupant in bots)
    )


def list_noted_reasons(table: Table) -> list[str]:
    """Return the reasons stored with the table, from the actions of its players and from its options."""
    reasons = {
        "origin": bool(table.origin),
        "deal": bool(table.deal),
        "playtest": bool(table.options.playtest),
        "practice": table.practice,
        "undo": table.undone_by_consent,
        "ended_early": table.ended_early,
        "reassigned": table.reassigned,
        "seat_opened": table.opened_late,
        "hot_seat": any(occupant.kind == "hot" for occupant in table.occupants),
        "hints": table.hinted and is_solo(table),
        "components": bool(table.file) and not table.options.playtest,  # this would reveal the edition of a playtest
        "variants": not _is_same_kind_of_match(table),
    }
    return [reason for reason, holds in reasons.items() if holds]


def is_open_to_people(table: Table, seat: Seat) -> bool:
    """Return whether a person can now take the seat of a bot, which the host has opened.

    In a rated match this ends with the first decision, because the bot's decisions would count for the person.
    """
    return seat in table.opened_seats and (table.moves == 0 or bool(list_noted_reasons(table)))


def _is_same_kind_of_match(table: Table) -> bool:
    """Return whether all variants keep the match rated. Some variants change the game too much."""
    if table.game_or_none is None:
        return True
    chosen = table.game.recorded_variants(table.options.variants)
    return all(value == variant.default or variant.rated for variant, value in chosen)


async def record_hint(repository: TableRepository, table: LockedTable, seat: Seat) -> None:
    """Store that a seat has used a hint.

    A match against bots alone becomes unrated. A match among people stays rated, but the helped player cannot gain
    rating.
    """
    occupant = table.occupants[seat]
    if table.hinted and occupant.helped:
        return

    def job(connection: Connection) -> None:
        connection.execute(update(tables).where(tables.c.id == table.id).values(hinted=True))
        this = (seats.c.table == table.id, seats.c.seat == seat)
        connection.execute(update(seats).where(*this).values(helped=True))

    await write_table(repository, table, job)
    helped_row = table.row.with_occupant(replace(occupant, helped=True))
    table.row = replace(helped_row, hinted=True)


def build_origin_json(people: PeopleDirectory, table: Table) -> dict[str, object] | None:
    """Return the origin of a match that did not begin with its own shuffle as JSON, or None."""
    if not table.origin:
        return None
    if table.origin == RECORD:
        return {"from": "record", "by": people.load_name(table.host)}
    return {"from": "match", "move": _find_origin_move(table)}


def build_origin_message(people: PeopleDirectory, table: Table) -> Message | None:
    """Return the origin of a match as a message for people, or None.

    It warns new players that others may know the hidden cards.
    """
    if not table.origin:
        return None
    if table.origin == RECORD and table.shared:
        return FROM_RECORD
    if table.origin == RECORD:
        return Message(
            "Not rated: this match starts from a record that {0} uploaded, so its cards may be known.",
            people.load_name(table.host),
        )
    return build_continued_message(_find_origin_move(table))


def build_opening_messages(table: Table) -> list[Message]:
    """Return the messages of the log before the first move: the origin of the match, and whether it is practice."""
    origin = (
        []
        if not table.origin
        else [FROM_RECORD if table.origin == RECORD else build_continued_message(_find_origin_move(table))]
    )
    return origin + ([PRACTICE] if table.practice else [])


def _find_origin_move(table: Table) -> int:
    return int(table.origin.rpartition("/")[2])
