"""Statistics of a person's matches, style of play and duels, computed from the stored results."""

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
MIN_SHARED_MATCHES = 3  # matches after which two players are compared
MAX_OPENINGS = 3  # openings that are shown


@dataclass(frozen=True, slots=True)
class ResultRow:
    """The result of one seat, or of one of several players who held it."""

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
    substitute: float
    stake: str = "full"  # permitted change of the rating; see `rating.py`

    @property
    def key(self) -> int | str | None:
        """Return the player for whom the result counts: a person, the name of a bot, or None."""
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
        """Return whether the table of the match still exists."""
        return self.shown != REMOVED

    def find_result(self, person: int) -> ResultRow:
        """Return the result of a person who played. If they had several seats, it is that of the first."""
        return next(row for row in self.rows if row.person == person)

    def list_other_results(self, person: int) -> list[ResultRow]:
        """Return the other results, the best first."""
        mine = self.find_result(person)
        return sorted((row for row in self.rows if row is not mine), key=lambda row: (row.rank, row.seat))

    @property
    def people(self) -> set[int]:
        return {row.person for row in self.rows if row.person is not None and row.kind == "person"}

    @property
    def has_several_people(self) -> bool:
        """Return whether several people played, each with a seat, and the match was not abandoned."""
        return len(self.people) > 1 and self.unrated != "abandoned"

    def is_won_by(self, person: int) -> bool:
        mine = self.find_result(person)
        return mine.rank == 1 and mine.how == FINISHED


def list_matches(connection: Connection, person: int, limit: int | None = None) -> list[EndedMatch]:
    """Return the matches of a person, at most ``limit``, the latest first."""
    mine = select(results.c.number).where(results.c.person == person).order_by(results.c.number.desc()).distinct()
    return _load_matches(connection, results.c.number.in_(mine if limit is None else mine.limit(limit)))


def find_match(connection: Connection, table: str) -> EndedMatch | None:
    """Return the match of a table, or None if it has not ended."""
    return next(iter(_load_matches(connection, results.c.table == table)), None)


def list_game_matches(connection: Connection, game_id: str, since: float) -> list[EndedMatch]:
    """Return all matches of a game since a moment, the latest first."""
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
                row.substitute,
                row.stake,
            )
        )
    return list(matches.values())


@dataclass(frozen=True, slots=True)
class RatingStep:
    """The change of a person's rating by one match."""

    table: str
    game_id: str
    before: Rating
    after: Rating

    @property
    def change(self) -> int:
        return self.after.display_value - self.before.display_value


def list_rating_steps(connection: Connection, person: int) -> list[RatingStep]:
    """Return all rating changes of a person, the earliest first."""
    wanted = select(rating_steps).where(rating_steps.c.person == person).order_by(rating_steps.c.number)
    return [_make_step(row) for row in connection.execute(wanted)]


def load_match_steps(connection: Connection, table: str) -> dict[int, RatingStep]:
    """Return the rating changes of one match, by person."""
    rows = connection.execute(select(rating_steps).where(rating_steps.c.table == table))
    return {row.person: _make_step(row) for row in rows}


def _make_step(row: "Row[Any]") -> RatingStep:
    return RatingStep(row.table, row.game, Rating(row.mu_before, row.sigma_before), Rating(row.mu, row.sigma))


@dataclass(frozen=True, slots=True)
class Duel:
    """The record of a person against one opponent: matches finished ahead, behind, and in total."""

    against: int | str
    before: int
    behind: int
    together: int


def count_duels(matches: Iterable[EndedMatch], person: int) -> list[Duel]:
    """Return the duels of a person against frequent opponents, the most frequent first."""
    before: Counter[int | str] = Counter()
    behind: Counter[int | str] = Counter()
    together: Counter[int | str] = Counter()
    for match in matches:
        if match.unrated == "abandoned":
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
    """A label with a count out of a total."""

    label: str
    count: int
    total: int
    table: str = ""  # id of the table of an example, if there is one
    seat: int = 0

    @property
    def percent(self) -> int:
        return round(100 * self.count / self.total)


@dataclass(frozen=True, slots=True)
class PlayStyle:
    """The style of a person in one game, from matches with other people."""

    matches: int
    won: int
    fair_share: float  # expected share of wins if all players were equally strong
    points: float | None  # average points
    best: EndedMatch | None
    best_points: int
    seconds: float | None  # median of the seconds for a decision
    by_seat: list[LabeledShare]
    openings: list[LabeledShare]


def summarize_style(matches: Sequence[EndedMatch], person: int) -> PlayStyle | None:
    """Return a person's style of play, or None without matches with other people."""
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
