"""What results add up to: somebody's matches, style, and duels. Everything is counted from result rows."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, select

from triclinium.server.ratings.rating import Rating
from triclinium.server.storage.schema import REMOVED, tables
from triclinium.server.storage.schema_results import rating_steps, results

FINISHED = "finished"
TOGETHER = 3  # matches from which on two are compared
OPENINGS = 3  # that are told


@dataclass(frozen=True, slots=True)
class Seated:
    """One row: who sat there, and how they ended."""

    seat: int
    person: int | None
    kind: str
    name: str
    bot: str
    rank: int
    total: int | None
    how: str
    decisions: int
    seconds: float
    opening: str
    standin: float
    stake: str = "full"  # what the rating may do: see `rating.py`

    @property
    def key(self) -> int | str | None:
        """Whom it counts for: a person, a bot of a level, or nobody."""
        return self.person if self.kind == "person" else self.bot if self.kind == "bot" else None


@dataclass(slots=True)
class EndedMatch:
    """A match that has ended."""

    table: str
    name: str
    number: int
    title: str
    seats: int
    ended: float
    unrated: str
    shown: str
    rows: list[Seated] = field(default_factory=list)

    @property
    def kept(self) -> bool:
        """Whether its table is there still."""
        return self.shown != REMOVED

    def of(self, person: int) -> Seated:
        """The row of one who sat there, the first of their seats."""
        return next(row for row in self.rows if row.person == person)

    def others(self, person: int) -> list[Seated]:
        """The rest, the best first."""
        mine = self.of(person)
        return sorted((row for row in self.rows if row is not mine), key=lambda row: (row.rank, row.seat))

    @property
    def people(self) -> set[int]:
        return {row.person for row in self.rows if row.person is not None and row.kind == "person"}

    @property
    def with_people(self) -> bool:
        """Whether several people with seats of their own met, and the match was one."""
        return len(self.people) > 1 and self.unrated != "broken"

    def won_by(self, person: int) -> bool:
        mine = self.of(person)
        return mine.rank == 1 and mine.how == FINISHED


def matches_of(connection: Connection, person: int, most: int | None = None) -> list[EndedMatch]:
    """All matches of somebody, or so many, the last first."""
    mine = select(results.c.number).where(results.c.person == person).order_by(results.c.number.desc()).distinct()
    return _gathered(connection, results.c.number.in_(mine if most is None else mine.limit(most)))


def match_at(connection: Connection, table: str) -> EndedMatch | None:
    """How the match of a table ended; None: it has not."""
    return next(iter(_gathered(connection, results.c.table == table)), None)


def matches_of_title(connection: Connection, title: str, since: float) -> list[EndedMatch]:
    """All matches of a game since a moment, the last first."""
    return _gathered(connection, (results.c.title == title) & (results.c.ended >= since))


def _gathered(connection: Connection, which: ColumnElement[bool]) -> list[EndedMatch]:
    wanted = (
        select(results, tables.c.name.label("called"), tables.c.shown)
        .join(tables, tables.c.id == results.c.table)
        .where(which)
        .order_by(results.c.number.desc(), results.c.seat, results.c.turn)
    )
    found: dict[int, EndedMatch] = {}
    for row in connection.execute(wanted):
        match = found.get(row.number)
        if match is None:
            told = (row.table, row.called, row.number, row.title, row.seats, row.ended, row.unrated, row.shown)
            match = found[row.number] = EndedMatch(*told)
        match.rows.append(
            Seated(
                row.seat,
                row.person,
                row.kind,
                row.name,
                row.bot,
                row.rank,
                row.total,
                row.how,
                row.decisions,
                row.seconds,
                row.opening,
                row.standin,
                row.stake,
            )
        )
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Step:
    """How a match moved somebody's rating."""

    table: str
    title: str
    before: Rating
    after: Rating

    @property
    def change(self) -> int:
        return self.after.shown - self.before.shown


def steps_of(connection: Connection, person: int) -> list[Step]:
    """All of somebody's, the first first."""
    wanted = select(rating_steps).where(rating_steps.c.person == person).order_by(rating_steps.c.number)
    return [_step(row) for row in connection.execute(wanted)]


def steps_at(connection: Connection, table: str) -> dict[int, Step]:
    """How one match moved everybody, by person."""
    rows = connection.execute(select(rating_steps).where(rating_steps.c.table == table))
    return {row.person: _step(row) for row in rows}


def _step(row: "Row[Any]") -> Step:
    return Step(row.table, row.title, Rating(row.mu_before, row.sigma_before), Rating(row.mu, row.sigma))


@dataclass(frozen=True, slots=True)
class Duel:
    """Two who met again and again: how often the first ended before the second, and behind."""

    against: int | str
    before: int
    behind: int
    together: int


def duels(matches: Iterable[EndedMatch], person: int) -> list[Duel]:
    """Against everybody met often enough, the most frequent first."""
    before: Counter[int | str] = Counter()
    behind: Counter[int | str] = Counter()
    together: Counter[int | str] = Counter()
    for match in matches:
        if match.unrated == "broken":
            continue
        mine = match.of(person)
        best: dict[int | str, int] = {}
        for row in match.rows:
            if row.key is not None and row.key != person:
                best[row.key] = min(row.rank, best.get(row.key, row.rank))
        for key, rank in best.items():
            together[key] += 1
            before[key] += mine.rank < rank
            behind[key] += mine.rank > rank
    often = [key for key, times in together.items() if times >= TOGETHER]
    ordered = sorted(often, key=lambda key: (-together[key], str(key)))
    return [Duel(key, before[key], behind[key], together[key]) for key in ordered]


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, for a label."""

    label: str
    part: int
    whole: int
    table: str = ""  # where an example is
    seat: int = 0

    @property
    def percent(self) -> int:
        return round(100 * self.part / self.whole)


@dataclass(frozen=True, slots=True)
class Style:
    """How somebody plays a game, by the matches with people."""

    matches: int
    won: int
    fair: float  # the share that lots would win
    points: float | None  # on average
    best: EndedMatch | None
    best_points: int
    seconds: float | None  # a decision, in the middle of all matches
    by_seat: list[Share]
    openings: list[Share]


def style(matches: Sequence[EndedMatch], person: int) -> Style | None:
    """None: nothing was played with people."""
    played = [match for match in matches if match.with_people]
    if not played:
        return None
    mine = [(match, match.of(person)) for match in played]
    totals = [(row.total, match) for match, row in mine if row.total is not None and row.how == FINISHED]
    top = max(totals, key=lambda one: (one[0], -one[1].number), default=None)
    paces = [row.seconds / row.decisions for _, row in mine if row.decisions]
    return Style(
        len(played),
        sum(match.won_by(person) for match in played),
        mean(1 / match.seats for match in played),
        mean(total for total, _ in totals) if totals else None,
        None if top is None else top[1],
        0 if top is None else top[0],
        median(paces) if paces else None,
        _by_seat(mine, person),
        _openings(mine),
    )


def _by_seat(mine: Sequence[tuple[EndedMatch, Seated]], person: int) -> list[Share]:
    won: Counter[int] = Counter()
    sat: Counter[int] = Counter()
    for match, row in mine:
        sat[row.seat] += 1
        won[row.seat] += match.won_by(person)
    return [Share(str(seat + 1), won[seat], sat[seat]) for seat in sorted(sat)]


def _openings(mine: Sequence[tuple[EndedMatch, Seated]]) -> list[Share]:
    where: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for match, row in mine:
        if row.opening:
            where[row.opening].append((match.table, row.seat))
    whole = sum(len(found) for found in where.values())
    ordered = sorted(where, key=lambda opening: (-len(where[opening]), opening))
    return [Share(one, len(where[one]), whole, *where[one][0]) for one in ordered[:OPENINGS]]
