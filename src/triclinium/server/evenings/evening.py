"""A stored evening: the guests, the tables of all rounds, and data derived from them."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, groupby
from typing import Any

from sqlalchemy import Connection, Row, and_, func, or_, select

from triclinium.engine.game import Game
from triclinium.server import server_time
from triclinium.server.errors import NotFound
from triclinium.server.evenings.points import (
    GuestResult,
    RankedGuest,
    RoundPoints,
    build_ranking,
    compute_late_start,
    score_table,
)
from triclinium.server.evenings.seating import (
    Guest,
    Seating,
    SeatingRefusal,
    arrange_seating,
    explain_refusal,
    seat_guests,
)
from triclinium.server.storage.schema import people, tables
from triclinium.server.storage.schema_evenings import evenings, guests, round_seats
from triclinium.server.storage.schema_results import results
from triclinium.server.storage.store import Store
from triclinium.server.tables.results import ABANDONED, LEFT, REMOVED, RESIGNED

HERE, PAUSED, GONE = "here", "paused", "left"
CODE_SECONDS = 2 * 86400.0  # time in which a code lets new guests join
MAX_LISTED = 20
Meetings = Mapping[tuple[int, int], int]


@dataclass(frozen=True, slots=True)
class EveningGuest:
    """A guest of an evening: a person with or without a device, or a bot."""

    number: int
    person: int | None  # None: no device, or a bot
    name: str
    bot: str
    status: str  # here, paused, left
    arrived: float
    start: int | None  # points at the start of the first round; None: not seated yet

    @property
    def has_no_device(self) -> bool:
        return self.person is None and not self.bot


@dataclass(frozen=True, slots=True)
class TableSeat:
    """A seat of an evening's table, with the guest who had it at the start."""

    guest: int
    first: bool
    total: int | None
    rank: int | None  # None: the match is not over


@dataclass(frozen=True, slots=True)
class EveningTable:
    """A table of a round."""

    id: str
    round: int
    place: int
    game: str
    status: str
    moves: int
    seats: tuple[TableSeat, ...]
    points: Mapping[int, RoundPoints]  # points by guest; empty if the match is not over, was abandoned or is secret
    is_secret: bool  # whether its deal is open, so that its result is not shown yet

    @property
    def is_running(self) -> bool:
        return self.status in ("waiting", "playing")

    def has_guest(self, number: int) -> bool:
        return any(seat.guest == number for seat in self.seats)


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening with its guests and tables."""

    code: str
    name: str
    host: int
    host_name: str
    game: str  # id of the game of the last round, or of the first one
    round: int  # number of rounds that have started
    made: float
    ended: float
    guests: tuple[EveningGuest, ...]
    tables: tuple[EveningTable, ...]

    @property
    def is_over(self) -> bool:
        return self.ended > 0

    @property
    def is_open_to_newcomers(self) -> bool:
        return not self.is_over and server_time.now() < self.made + CODE_SECONDS

    def find_guest(self, person: int) -> EveningGuest | None:
        return next((guest for guest in self.guests if guest.person == person), None)

    def get_guest(self, number: int) -> EveningGuest:
        """Return a guest by their number. Raise `NotFound` if there is none."""
        found = next((guest for guest in self.guests if guest.number == number), None)
        if found is None:
            raise NotFound("This evening has no such guest.")
        return found

    def find_table_of(self, number: int) -> EveningTable | None:
        """Return the running table of a guest, or None."""
        return next((table for table in self.tables if table.is_running and table.has_guest(number)), None)

    def list_ready_guests(self) -> list[EveningGuest]:
        """Return the guests who can be seated in the next round: they are here, and their last match is over."""
        playing = {seat.guest for table in self.tables if table.is_running for seat in table.seats}
        return [guest for guest in self.guests if guest.status == HERE and guest.number not in playing]

    def build_ranking(self) -> list[RankedGuest]:
        """Return the ranking of all people who have been seated. Bots are not listed."""
        starts = {guest.number: guest.start for guest in self.guests if guest.start is not None and not guest.bot}
        rounds = {n: [each.points for each in of] for n, of in groupby(self.tables, key=lambda table: table.round)}
        return build_ranking(starts, rounds)

    def compute_late_start(self) -> int:
        """Return the points with which a guest begins who is seated for the first time now."""
        return compute_late_start(ranked.points for ranked in self.build_ranking()) if self.round else 0


def plan_seating(evening: Evening, game: Game, again: int = 0) -> Seating | SeatingRefusal:
    """Return the seating for the next round, or the reason for which there is none.

    ``again`` is a number that the host changes to get another one.
    """
    listed, meetings = _collect_facts(evening)
    sizes = tuple(game.seats)
    seed = hashlib.sha256(f"{evening.code}/{evening.round}/{again}".encode()).digest()[:4]
    found = _plan_seating(listed, tuple(sorted(meetings.items())), sizes, int.from_bytes(seed, "big"))
    if found is not None:
        return found
    refusal = explain_refusal(len(listed), sizes)
    assert refusal is not None
    return refusal


def arrange_by_hand(evening: Evening, chosen: Sequence[Sequence[int]]) -> Seating:
    """Return a seating that the host has chosen, with the first turns in fair order."""
    return arrange_seating(chosen, *_collect_facts(evening))


@lru_cache(maxsize=256)
def _plan_seating(
    listed: tuple[Guest, ...], meetings: tuple[tuple[tuple[int, int], int], ...], sizes: tuple[int, ...], seed: int
) -> Seating | None:
    return seat_guests(listed, dict(meetings), sizes, seed)


def _collect_facts(evening: Evening) -> tuple[tuple[Guest, ...], Meetings]:
    """Return the guests to be seated, and how often all pairs have met."""
    meetings: Counter[tuple[int, int]] = Counter()
    firsts: Counter[int] = Counter()
    for table in evening.tables:
        numbers = sorted(seat.guest for seat in table.seats)
        meetings.update(combinations(numbers, 2))
        firsts.update(seat.guest for seat in table.seats if seat.first)
    points = {ranked.number: ranked.points for ranked in evening.build_ranking()}
    late = evening.compute_late_start()
    listed = tuple(
        Guest(one.number, points.get(one.number, late), firsts[one.number], bool(one.bot))
        for one in evening.list_ready_guests()
    )
    return listed, meetings


# -- reading ----------------------------------------------------------------------------------------------------------


def load_evening(connection: Connection, code: str) -> Evening:
    """Return an evening by its code. Raise `NotFound` if there is none."""
    wanted = select(evenings, people.c.name.label("host_name")).join(people, people.c.id == evenings.c.host)
    row = connection.execute(wanted.where(evenings.c.code == code)).one_or_none()
    if row is None:
        raise NotFound("No evening has this code. Check it and try again.")
    who = connection.execute(select(guests).where(guests.c.evening == code).order_by(guests.c.number))
    return Evening(
        row.code,
        row.name,
        row.host,
        row.host_name,
        row.game,
        row.round,
        row.made,
        row.ended,
        tuple(EveningGuest(*[getattr(one, name) for name in EveningGuest.__slots__]) for one in who),
        _load_tables(connection, code),
    )


def has_evening(store: Store, code: str) -> bool:
    """Return whether a join code is that of an evening."""
    with store.read_connection() as connection:
        return connection.execute(select(evenings.c.code).where(evenings.c.code == code)).first() is not None


def _load_tables(connection: Connection, code: str) -> tuple[EveningTable, ...]:
    """Return the tables of all rounds in order. A seat's result is that of the guest who had it at the start."""
    own = and_(results.c.table == round_seats.c.table, results.c.seat == round_seats.c.seat, results.c.turn == 0)
    wanted = (
        select(
            round_seats,
            *(tables.c.game, tables.c.status, tables.c.moves, tables.c.deal_until),
            *(results.c.rank, results.c.total, results.c.how, results.c.unrated),
        )
        .join(tables, tables.c.id == round_seats.c.table)
        .outerjoin(results, own)
        .where(round_seats.c.evening == code)
        .order_by(round_seats.c.round, round_seats.c.place, round_seats.c.seat)
    )
    rows_by_table = defaultdict(list)
    for row in connection.execute(wanted):
        rows_by_table[row.table].append(row)
    return tuple(_make_table(id, rows) for id, rows in rows_by_table.items())


def _make_table(id: str, rows: "Sequence[Row[Any]]") -> EveningTable:
    """Return a table. While its deal is open, nobody learns how its match has ended."""
    first, is_secret = rows[0], rows[0].deal_until > server_time.now()
    seats = tuple(
        TableSeat(row.guest, row.first, None, None)
        if is_secret
        else TableSeat(row.guest, row.first, row.total, row.rank)
        for row in rows
    )
    counts = not is_secret and all(row.rank is not None and row.unrated != ABANDONED for row in rows)
    found = [GuestResult(row.guest, row.rank, row.total, row.how in (LEFT, RESIGNED, REMOVED)) for row in rows]
    points = score_table(found) if counts else {}
    return EveningTable(
        *(id, first.round, first.place, first.game, first.status, first.moves, seats, points, is_secret),
    )


@dataclass(frozen=True, slots=True)
class EveningSummary:
    """An evening in a list."""

    code: str
    name: str
    game: str
    round: int
    made: float
    ended: float


def list_evenings(connection: Connection, person: int) -> list[EveningSummary]:
    """Return the evenings of a person, as host or guest, the latest first."""
    invited = select(guests.c.evening).where(guests.c.person == person)
    wanted = (
        select(*[evenings.c[name] for name in EveningSummary.__slots__])
        .where(or_(evenings.c.host == person, evenings.c.code.in_(invited)))
        .order_by(evenings.c.made.desc())
        .limit(MAX_LISTED)
    )
    return [EveningSummary(*row) for row in connection.execute(wanted)]


@dataclass(frozen=True, slots=True)
class ChangeMark:
    """A mark of what the page of an evening shows. ``moves`` counts the moves of all its matches."""

    state: tuple[object, ...]
    moves: int


def load_change_mark(connection: Connection, code: str) -> ChangeMark:
    evening = connection.execute(select(evenings.c.round, evenings.c.ended).where(evenings.c.code == code)).one()
    who = connection.execute(select(guests.c.number, guests.c.status, guests.c.name).where(guests.c.evening == code))
    own = select(round_seats.c.table).where(round_seats.c.evening == code)
    matches = connection.execute(
        select(tables.c.status, func.count(), func.sum(tables.c.moves), func.max(tables.c.deal_until))
        .where(tables.c.id.in_(own))
        .group_by(tables.c.status)
        .order_by(tables.c.status)
    ).all()
    state = (tuple(evening), *map(tuple, who), *((row[0], row[1], row[3]) for row in matches))
    return ChangeMark(state, sum(int(row[2]) for row in matches))
