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
MIN_SHARED_MATCHES = 3  # matches from which on two are compared
MAX_OPENINGS = 3  # that are told


@dataclass(frozen=True, slots=True)
class ResultRow:
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
    game_id: str
    seats: int
    ended: float
    unrated: str
    shown: str
    rows: list[ResultRow] = field(default_factory=list)

    @property
    def has_table(self) -> bool:
        """Whether its table is there still."""
        return self.shown != REMOVED

    def find_result(self, person: int) -> ResultRow:
        """The row of one who sat there, the first of their seats."""
        return next(row for row in self.rows if row.person == person)

    def list_other_results(self, person: int) -> list[ResultRow]:
        """The rest, the best first."""
        mine = self.find_result(person)
        return sorted((row for row in self.rows if row is not mine), key=lambda row: (row.rank, row.seat))

    @property
    def people(self) -> set[int]:
        return {row.person for row in self.rows if row.person is not None and row.kind == "person"}

    @property
    def has_several_people(self) -> bool:
        """Whether several people with seats of their own met, and the match was one."""
        return len(self.people) > 1 and self.unrated != "broken"

    def is_won_by(self, person: int) -> bool:
        mine = self.find_result(person)
        return mine.rank == 1 and mine.how == FINISHED


def list_matches(connection: Connection, person: int, limit: int | None = None) -> list[EndedMatch]:
    """All matches of somebody, or so many, the last first."""
    mine = select(results.c.number).where(results.c.person == person).order_by(results.c.number.desc()).distinct()
    return _load_matches(connection, results.c.number.in_(mine if limit is None else mine.limit(limit)))


def find_match(connection: Connection, table: str) -> EndedMatch | None:
    """How the match of a table ended; None: it has not."""
    return next(iter(_load_matches(connection, results.c.table == table)), None)


def list_game_matches(connection: Connection, game_id: str, since: float) -> list[EndedMatch]:
    """All matches of a game since a moment, the last first."""
    return _load_matches(connection, (results.c.game == game_id) & (results.c.ended >= since))


def _load_matches(connection: Connection, condition: ColumnElement[bool]) -> list[EndedMatch]:
    wanted = (
        select(results, tables.c.name.label("called"), tables.c.shown)
        .join(tables, tables.c.id == results.c.table)
        .where(condition)
        .order_by(results.c.number.desc(), results.c.seat, results.c.turn)
    )
    matches: dict[int, EndedMatch] = {}
    for row in connection.execute(wanted):
        match = matches.get(row.number)
        if match is None:
            columns = (row.table, row.called, row.number, row.game, row.seats, row.ended, row.unrated, row.shown)
            match = matches[row.number] = EndedMatch(*columns)
        match.rows.append(
            ResultRow(
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
    return list(matches.values())


@dataclass(frozen=True, slots=True)
class RatingStep:
    """How a match moved somebody's rating."""

    table: str
    game_id: str
    before: Rating
    after: Rating

    @property
    def change(self) -> int:
        return self.after.display_value - self.before.display_value


def list_rating_steps(connection: Connection, person: int) -> list[RatingStep]:
    """All of somebody's, the first first."""
    wanted = select(rating_steps).where(rating_steps.c.person == person).order_by(rating_steps.c.number)
    return [_make_step(row) for row in connection.execute(wanted)]


def load_match_steps(connection: Connection, table: str) -> dict[int, RatingStep]:
    """How one match moved everybody, by person."""
    rows = connection.execute(select(rating_steps).where(rating_steps.c.table == table))
    return {row.person: _make_step(row) for row in rows}


def _make_step(row: "Row[Any]") -> RatingStep:
    return RatingStep(row.table, row.game, Rating(row.mu_before, row.sigma_before), Rating(row.mu, row.sigma))


@dataclass(frozen=True, slots=True)
class Duel:
    """Two who met again and again: how often the first ended before the second, and behind."""

    against: int | str
    before: int
    behind: int
    together: int


def count_duels(matches: Iterable[EndedMatch], person: int) -> list[Duel]:
    """Against everybody met often enough, the most frequent first."""
    before: Counter[int | str] = Counter()
    behind: Counter[int | str] = Counter()
    together: Counter[int | str] = Counter()
    for match in matches:
        if match.unrated == "broken":
            continue
        mine = match.find_result(person)
        best: dict[int | str, int] = {}
        for row in match.rows:
            if row.key is not None and row.key != person:
                best[row.key] = min(row.rank, best.get(row.key, row.rank))
        for key, rank in best.items():
            together[key] += 1
            before[key] += mine.rank < rank
            behind[key] += mine.rank > rank
    often = [key for key, times in together.items() if times >= MIN_SHARED_MATCHES]
    ordered = sorted(often, key=lambda key: (-together[key], str(key)))
    return [Duel(key, before[key], behind[key], together[key]) for key in ordered]


@dataclass(frozen=True, slots=True)
class LabeledShare:
    """So many of so many, for a label."""

    label: str
    count: int
    total: int
    table: str = ""  # where an example is
    seat: int = 0

    @property
    def percent(self) -> int:
        return round(100 * self.count / self.total)


@dataclass(frozen=True, slots=True)
class PlayStyle:
    """How somebody plays a game, by the matches with people."""

    matches: int
    won: int
    fair_share: float  # the share that lots would win
    points: float | None  # on average
    best: EndedMatch | None
    best_points: int
    seconds: float | None  # a decision, in the middle of all matches
    by_seat: list[LabeledShare]
    openings: list[LabeledShare]


def summarize_style(matches: Sequence[EndedMatch], person: int) -> PlayStyle | None:
    """None: nothing was played with people."""
    played = [match for match in matches if match.has_several_people]
    if not played:
        return None
    mine = [(match, match.find_result(person)) for match in played]
    totals = [(row.total, match) for match, row in mine if row.total is not None and row.how == FINISHED]
    top = max(totals, key=lambda entry: (entry[0], -entry[1].number), default=None)
    paces = [row.seconds / row.decisions for _, row in mine if row.decisions]
    return PlayStyle(
        len(played),
        sum(match.is_won_by(person) for match in played),
        mean(1 / match.seats for match in played),
        mean(total for total, _ in totals) if totals else None,
        None if top is None else top[1],
        0 if top is None else top[0],
        median(paces) if paces else None,
        _count_wins_by_seat(mine, person),
        _count_openings(mine),
    )


def _count_wins_by_seat(mine: Sequence[tuple[EndedMatch, ResultRow]], person: int) -> list[LabeledShare]:
    won: Counter[int] = Counter()
    sat: Counter[int] = Counter()
    for match, row in mine:
        sat[row.seat] += 1
        won[row.seat] += match.is_won_by(person)
    return [LabeledShare(str(seat + 1), won[seat], sat[seat]) for seat in sorted(sat)]


def _count_openings(mine: Sequence[tuple[EndedMatch, ResultRow]]) -> list[LabeledShare]:
    where: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for match, row in mine:
        if row.opening:
            where[row.opening].append((match.table, row.seat))
    whole = sum(len(seats) for seats in where.values())
    ordered = sorted(where, key=lambda opening: (-len(where[opening]), opening))
    return [
        LabeledShare(notation, len(where[notation]), whole, *where[notation][0]) for notation in ordered[:MAX_OPENINGS]
    ]
