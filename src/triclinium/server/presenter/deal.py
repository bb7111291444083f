"""The page of a shared deal: results by seat when it is closed, and the move at which two tables parted."""

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, select

from triclinium.engine.core.state import Seat
from triclinium.server.accounts.recovery import has_phrase
from triclinium.server.accounts.visibility import ReaderVisibility
from triclinium.server.storage.schema import REMOVED, departures, passkeys, seats, tables
from triclinium.server.tables.deals import Deal
from triclinium.server.tables.table import Table


@dataclass(frozen=True, slots=True)
class DealSeat:
    """A person's seat at a table of a deal."""

    table: str
    table_name: str
    seat: Seat
    person: int | None
    name: str  # empty: hidden from the reader
    is_mine: bool
    is_guest: bool  # the account cannot be recovered, so the same person may have several
    has_finished: bool
    value: int  # points, or the rank in a game without points; 0 while the deal is open
    rank: int


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """The results of one seat at all tables."""

    seat: Seat
    results: tuple[DealSeat, ...]  # of people with accounts, ascending
    guests: tuple[DealSeat, ...]
    left: int  # people who left this seat before the end
    median: float
    mine: int | None

    @property
    def lowest(self) -> int:
        return self.results[0].value

    @property
    def highest(self) -> int:
        return self.results[-1].value


@dataclass(frozen=True, slots=True)
class DealOverview:
    """A deal for one reader. While it is open, only the names of those who have finished are in it."""

    deal: Deal
    table_count: int  # tables that have begun
    finished_tables: int
    people: tuple[DealSeat, ...]  # everyone who has finished
    by_seat: tuple[SeatSummary, ...]  # empty while the deal is open
    own_table: str  # the reader's table, or ""


def load_overview(connection: Connection, visibility: ReaderVisibility, deal: Deal) -> DealOverview:
    """Return a deal as a reader may see it."""
    wanted = select(tables).where(tables.c.deal == deal.id, tables.c.status.not_in(("closed", REMOVED)))
    rows = {str(row["id"]): row for row in connection.execute(wanted.order_by(tables.c.made)).mappings()}
    holders = connection.execute(
        select(seats).where(seats.c.table.in_(list(rows)), seats.c.kind != "bot", seats.c.taken)
    ).mappings()
    found: list[DealSeat] = []
    sitting = list(holders)
    known = visibility.load_people(int(row["person"]) for row in sitting if row["person"] is not None)
    for row in sitting:
        table = rows[row["table"]]
        result = [] if deal.is_open or table["ended_early"] else json.loads(table["result"])
        rank, total = result[row["seat"]] if result else (0, None)
        person = row["person"]
        found.append(
            DealSeat(
                table=str(table["id"]),
                table_name=str(table["name"]),
                seat=row["seat"],
                person=person,
                name=known[person].name if person in known else "",
                is_mine=person is not None and person == visibility.reader,
                is_guest=row["kind"] != "person" or not _is_recoverable(connection, person),
                has_finished=table["status"] == "over" and not table["ended_early"],
                value=rank if total is None else total,
                rank=rank,
            )
        )
    begun = [row for row in rows.values() if row["status"] in ("playing", "over")]
    return DealOverview(
        deal,
        len(begun),
        sum(row["status"] == "over" for row in begun),
        tuple(seat for seat in found if seat.has_finished),
        () if deal.is_open else _summarize_seats(connection, deal, found, list(rows)),
        next((seat.table for seat in found if seat.is_mine), ""),
    )


def _is_recoverable(connection: Connection, person: int | None) -> bool:
    """Return whether a person can sign in again, so that they have one account only."""
    if person is None:
        return False
    keys = select(passkeys.c.id).where(passkeys.c.person == person)
    return has_phrase(connection, person) or connection.execute(keys).first() is not None


def _summarize_seats(
    connection: Connection, deal: Deal, found: Sequence[DealSeat], table_ids: Sequence[str]
) -> tuple[SeatSummary, ...]:
    gone = connection.execute(select(departures.c.seat).where(departures.c.table.in_(table_ids))).scalars().all()
    summaries: list[SeatSummary] = []
    for seat in range(deal.seats):
        here = sorted((each for each in found if each.seat == seat and each.rank), key=lambda each: each.value)
        members = tuple(each for each in here if not each.is_guest or each.is_mine)
        if here or seat in gone:
            summaries.append(
                SeatSummary(
                    seat,
                    members,
                    tuple(each for each in here if each not in members),
                    gone.count(seat),
                    statistics.median(each.value for each in members) if members else 0.0,
                    next((each.value for each in here if each.is_mine), None),
                )
            )
    return tuple(summaries)


def build_deal_json(overview: DealOverview) -> dict[str, object]:
    """Return a deal as JSON. Results, key and salt are in it once the deal is closed."""
    deal = overview.deal
    facts: dict[str, object] = {
        "id": deal.id,
        "game": deal.game_id,
        "players": deal.seats,
        "variants": dict(deal.variants),
        "seal": deal.seal,
        "made": deal.made,
        "until": deal.until,
        "day": deal.day,
        "open": deal.is_open,
        "tables": overview.table_count,
        "finished_tables": overview.finished_tables,
        "finished": [each.name for each in overview.people],
        "own_table": overview.own_table,
    }
    if not deal.is_open:
        facts |= {
            "seed": deal.seed,
            "salt": deal.salt,
            "seats": [
                {
                    "seat": summary.seat,
                    "median": summary.median,
                    "left": summary.left,
                    "results": [_build_seat_json(each) for each in (*summary.results, *summary.guests)],
                }
                for summary in overview.by_seat
            ],
        }
    return facts


def _build_seat_json(seat: DealSeat) -> dict[str, object]:
    facts = asdict(seat)
    return {name: facts[name] for name in ("table", "table_name", "name", "is_mine", "is_guest", "value", "rank")}


def find_parting(one: Table, other: Table) -> int | None:
    """Return the number of moves that two tables have in common, or None if all their moves are equal."""
    mine, theirs = one.current_match.record.options, other.current_match.record.options
    for n, (option, other_option) in enumerate(zip(mine, theirs, strict=False)):
        if option != other_option:
            return n
    return None if len(mine) == len(theirs) else min(len(mine), len(theirs))
