"""Who plays how well, game by game: people and bots on one scale; and what was remarkable lately."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, case, func, select

from triclinium.server.ratings.rating import PROVISIONAL, Rating, anchors, expected
from triclinium.server.ratings.stats import FINISHED, EndedMatch, Seated, matches_of_title
from triclinium.server.storage.schema import people
from triclinium.server.storage.schema_results import rating_steps, ratings, results
from triclinium.server.storage.schema_shares import programs

PLAYERS = ("person", "program")
LAST = 8  # results that are shown
MONTH = 30 * 86400.0


@dataclass(frozen=True, slots=True)
class Last:
    """One of the last results: the place among so many."""

    rank: int
    seats: int

    @property
    def height(self) -> int:
        """Of 100: the first is high, the last is low."""
        return 100 if self.rank == 1 else round(10 + 80 * (self.seats - self.rank) / max(1, self.seats - 1))


@dataclass(frozen=True, slots=True)
class Line:
    """Somebody in the standings of one game."""

    person: int | None
    bot: str
    rating: Rating
    matches: int  # rated ones
    played: int
    won: int
    last: tuple[Last, ...]

    @property
    def provisional(self) -> bool:
        return not self.bot and self.matches < PROVISIONAL


def standings(connection: Connection, title: str, bots: bool = True) -> list[Line]:
    """Everybody with a rating who stands here, the best first; the provisional ones are among them."""
    found = _lines(connection, title, False)
    if bots:
        found += [Line(None, bot, one, 0, 0, 0, ()) for (of, bot), one in anchors().items() if of == title]
    return sorted(found, key=lambda line: (-line.rating.safe, line.bot, line.person or 0))


def program_standings(connection: Connection, title: str) -> list[Line]:
    """The same of registered programs, which do not stand among people."""
    return sorted(_lines(connection, title, True), key=lambda line: (-line.rating.safe, line.person or 0))


def _lines(connection: Connection, title: str, of_programs: bool) -> list[Line]:
    registered = ratings.c.person.in_(select(programs.c.person))
    rows = connection.execute(
        select(ratings)
        .join(people, people.c.id == ratings.c.person)
        .where(ratings.c.title == title, people.c.rated, registered if of_programs else ~registered)
    ).all()
    counts = _counts(connection, title)
    last = _last(connection, title)
    return [
        Line(
            row.person,
            "",
            Rating(row.mu, row.sigma),
            row.matches,
            *counts.get(row.person, (0, 0)),
            tuple(last.get(row.person, ())),
        )
        for row in rows
    ]


def place_of(lines: Sequence[Line], person: int) -> tuple[int, int] | None:
    """The place of somebody among the people whose rating stands; None: it does not yet."""
    standing = [line.person for line in lines if line.person is not None and not line.provisional]
    return (standing.index(person) + 1, len(standing)) if person in standing else None


def rated_matches(connection: Connection, title: str) -> int:
    """How many matches have counted."""
    wanted = select(func.count(rating_steps.c.number.distinct())).where(rating_steps.c.title == title)
    return int(connection.execute(wanted).scalar_one())


def _counts(connection: Connection, title: str) -> dict[int, tuple[int, int]]:
    """Matches and wins of each person."""
    won = case(((results.c.rank == 1) & (results.c.how == FINISHED), 1), else_=0)
    rows = connection.execute(
        select(results.c.person, func.count(results.c.number.distinct()), func.sum(won))
        .where(results.c.title == title, results.c.kind.in_(PLAYERS), results.c.unrated != "broken")
        .group_by(results.c.person)
    )
    return {person: (int(played), int(wins)) for person, played, wins in rows if person is not None}


def _last(connection: Connection, title: str) -> dict[int, list[Last]]:
    """The last results of each person, the oldest first."""
    order = func.row_number().over(partition_by=results.c.person, order_by=results.c.number.desc()).label("back")
    numbered = (
        select(results.c.person, results.c.rank, results.c.seats, order)
        .where(results.c.title == title, results.c.kind.in_(PLAYERS), results.c.unrated != "broken")
        .subquery()
    )
    rows = connection.execute(select(numbered).where(numbered.c.back <= LAST).order_by(numbered.c.back.desc()))
    found: dict[int, list[Last]] = {}
    for row in rows:
        found.setdefault(row.person, []).append(Last(row.rank, row.seats))
    return found


@dataclass(frozen=True, slots=True)
class Upset:
    """Somebody ended before one who was expected to."""

    winner: int
    loser: int
    chance: float


@dataclass(frozen=True, slots=True)
class Month:
    """What was remarkable in the last thirty days; the number of a person, and of what."""

    most: tuple[int, int] | None  # who played most, and how often
    highest: tuple[int, int] | None
    upset: Upset | None
    longest: tuple[str, float] | None  # a table, and its seconds of thought


def month(connection: Connection, title: str, now: float) -> Month:
    """Of one game, by the matches with people."""
    played = [match for match in matches_of_title(connection, title, now - MONTH) if match.with_people]
    times: dict[int, int] = {}
    for match in played:
        for person in match.people:
            times[person] = times.get(person, 0) + 1
    most = max(times.items(), key=lambda one: (one[1], -one[0]), default=None)
    high = max(_own_totals(played), key=lambda one: one[1], default=None)
    spent = [(match.name, sum(row.seconds for row in match.rows)) for match in played]
    return Month(most, high, _upset(connection, title, now), max(spent, key=lambda one: one[1], default=None))


def _own_totals(played: Sequence[EndedMatch]) -> list[tuple[int, int]]:
    return [
        (row.person, row.total)
        for match in played
        for row in match.rows
        if row.person is not None and row.total is not None and row.how == FINISHED and row.kind == "person"
    ]


def _upset(connection: Connection, title: str, now: float) -> Upset | None:
    """The least expected order of two people in rated matches."""
    rows = connection.execute(
        select(
            rating_steps.c.table,
            rating_steps.c.person,
            rating_steps.c.mu_before,
            rating_steps.c.sigma_before,
            results.c.rank,
        )
        .join(results, (results.c.table == rating_steps.c.table) & (results.c.person == rating_steps.c.person))
        .where(rating_steps.c.title == title, rating_steps.c.at >= now - MONTH, results.c.how != "joined")
    )
    by_table: dict[str, list[tuple[int, int, Rating]]] = {}
    for row in rows:
        by_table.setdefault(row.table, []).append((row.rank, row.person, Rating(row.mu_before, row.sigma_before)))
    found = [
        Upset(who, other, expected(one, two))
        for sat in by_table.values()
        for rank, who, one in sat
        for behind, other, two in sat
        if rank < behind and one.mu < two.mu
    ]
    return min(found, key=lambda upset: upset.chance, default=None)


def records(matches: Sequence[EndedMatch]) -> list[tuple[EndedMatch, Seated]]:
    """The highest totals of the house with people, the best first."""
    found = [
        (match, row)
        for match in matches
        if match.with_people
        for row in match.rows
        if row.person is not None and row.total is not None and row.how == FINISHED and row.kind == "person"
    ]
    return sorted(found, key=lambda one: (-(one[1].total or 0), one[0].number))[:5]
