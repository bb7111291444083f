"""Leaderboards of each game, with people and bots on one scale, and the highlights of the last month."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, case, func, select

from triclinium.server.ratings.rating import PROVISIONAL_MATCHES, Rating, compute_win_probability, load_anchor_ratings
from triclinium.server.ratings.stats import FINISHED, EndedMatch, ResultRow, list_game_matches
from triclinium.server.storage.schema import people
from triclinium.server.storage.schema_results import rating_steps, ratings, results
from triclinium.server.storage.schema_shares import programs

PLAYERS = ("person", "program")
MAX_RECENT_RESULTS = 8  # results that are shown
MONTH_SECONDS = 30 * 86400.0


@dataclass(frozen=True, slots=True)
class RecentResult:
    """One recent result of a player: the rank and the number of seats."""

    rank: int
    seats: int

    @property
    def bar_height(self) -> int:
        """Return the height of the bar in percent: 100 for the first place, less for lower ranks."""
        return 100 if self.rank == 1 else round(10 + 80 * (self.seats - self.rank) / max(1, self.seats - 1))


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A row on the leaderboard of one game."""

    person: int | None
    bot: str
    rating: Rating
    matches: int  # rated matches
    played: int
    won: int
    recent_results: tuple[RecentResult, ...]

    @property
    def provisional(self) -> bool:
        return not self.bot and self.matches < PROVISIONAL_MATCHES


def load_leaderboard(connection: Connection, game_id: str, bots: bool = True) -> list[LeaderboardRow]:
    """Return the rows of the leaderboard, the best first. Provisional ratings are included."""
    rows = _load_rows(connection, game_id, False)
    if bots:
        rows += [
            LeaderboardRow(None, bot, rating, 0, 0, 0, ())
            for (of, bot), rating in load_anchor_ratings().items()
            if of == game_id
        ]
    return sorted(rows, key=lambda line: (-line.rating.lower_bound, line.bot, line.person or 0))


def load_bot_leaderboard(connection: Connection, game_id: str) -> list[LeaderboardRow]:
    """Return the leaderboard of bot accounts, which have one of their own."""
    return sorted(_load_rows(connection, game_id, True), key=lambda line: (-line.rating.lower_bound, line.person or 0))


def _load_rows(connection: Connection, game_id: str, of_programs: bool) -> list[LeaderboardRow]:
    registered = ratings.c.person.in_(select(programs.c.person))
    rows = connection.execute(
        select(ratings)
        .join(people, people.c.id == ratings.c.person)
        .where(ratings.c.game == game_id, people.c.rated, registered if of_programs else ~registered)
    ).all()
    counts = _count_matches(connection, game_id)
    last = _load_recent_results(connection, game_id)
    return [
        LeaderboardRow(
            row.person,
            "",
            Rating(row.mu, row.sigma),
            row.matches,
            *counts.get(row.person, (0, 0)),
            tuple(last.get(row.person, ())),
        )
        for row in rows
    ]


def find_place(lines: Sequence[LeaderboardRow], person: int) -> tuple[int, int] | None:
    """Return a person's place and the number of people with an established rating, or None if theirs is provisional."""
    ranked_people = [line.person for line in lines if line.person is not None and not line.provisional]
    return (ranked_people.index(person) + 1, len(ranked_people)) if person in ranked_people else None


def count_rated_matches(connection: Connection, game_id: str) -> int:
    """Return the number of rated matches of a game."""
    wanted = select(func.count(rating_steps.c.number.distinct())).where(rating_steps.c.game == game_id)
    return int(connection.execute(wanted).scalar_one())


def _count_matches(connection: Connection, game_id: str) -> dict[int, tuple[int, int]]:
    """Return the number of matches and of wins of each person."""
    won = case(((results.c.rank == 1) & (results.c.how == FINISHED), 1), else_=0)
    rows = connection.execute(
        select(results.c.person, func.count(results.c.number.distinct()), func.sum(won))
        .where(results.c.game == game_id, results.c.kind.in_(PLAYERS), results.c.unrated != "abandoned")
        .group_by(results.c.person)
    )
    return {person: (int(played), int(wins)) for person, played, wins in rows if person is not None}


def _load_recent_results(connection: Connection, game_id: str) -> dict[int, list[RecentResult]]:
    """Return the last results of each person, the oldest first."""
    order = func.row_number().over(partition_by=results.c.person, order_by=results.c.number.desc()).label("back")
    numbered = (
        select(results.c.person, results.c.rank, results.c.seats, order)
        .where(results.c.game == game_id, results.c.kind.in_(PLAYERS), results.c.unrated != "abandoned")
        .subquery()
    )
    rows = connection.execute(
        select(numbered).where(numbered.c.back <= MAX_RECENT_RESULTS).order_by(numbered.c.back.desc())
    )
    recent_results: dict[int, list[RecentResult]] = {}
    for row in rows:
        recent_results.setdefault(row.person, []).append(RecentResult(row.rank, row.seats))
    return recent_results


@dataclass(frozen=True, slots=True)
class Upset:
    """A match in which a person finished ahead of a stronger one. ``probability`` is the one expected before."""

    winner: int
    loser: int
    probability: float


@dataclass(frozen=True, slots=True)
class MonthHighlights:
    """The highlights of one game in the last thirty days."""

    most_active: tuple[int, int] | None  # a person, and the number of matches
    highest_score: tuple[int, int] | None
    upset: Upset | None
    longest_match: tuple[str, float] | None  # the name of a table, and its thinking time in seconds


def load_month_highlights(connection: Connection, game_id: str, now: float) -> MonthHighlights:
    """Return the highlights of one game in the month before ``now``. Only matches between people count."""
    played = [
        match for match in list_game_matches(connection, game_id, now - MONTH_SECONDS) if match.has_several_people
    ]
    times: dict[int, int] = {}
    for match in played:
        for person in match.people:
            times[person] = times.get(person, 0) + 1
    most = max(times.items(), key=lambda entry: (entry[1], -entry[0]), default=None)
    high = max(_list_totals(played), key=lambda entry: entry[1], default=None)
    spent = [(match.name, sum(row.seconds for row in match.rows)) for match in played]
    return MonthHighlights(
        most, high, _find_upset(connection, game_id, now), max(spent, key=lambda entry: entry[1], default=None)
    )


def _list_totals(played: Sequence[EndedMatch]) -> list[tuple[int, int]]:
    return [
        (row.person, row.total)
        for match in played
        for row in match.rows
        if row.person is not None and row.total is not None and row.how == FINISHED and row.kind == "person"
    ]


def _find_upset(connection: Connection, game_id: str, now: float) -> Upset | None:
    """Return the least expected order of two people in rated matches, or None."""
    rows = connection.execute(
        select(
            rating_steps.c.table,
            rating_steps.c.person,
            rating_steps.c.mu_before,
            rating_steps.c.sigma_before,
            results.c.rank,
        )
        .join(results, (results.c.table == rating_steps.c.table) & (results.c.person == rating_steps.c.person))
        .where(rating_steps.c.game == game_id, rating_steps.c.at >= now - MONTH_SECONDS, results.c.how != "joined")
    )
    by_table: dict[str, list[tuple[int, int, Rating]]] = {}
    for row in rows:
        by_table.setdefault(row.table, []).append((row.rank, row.person, Rating(row.mu_before, row.sigma_before)))
    upsets = [
        Upset(who, other, compute_win_probability(rating, other_rating))
        for sat in by_table.values()
        for rank, who, rating in sat
        for behind, other, other_rating in sat
        if rank < behind and rating.mu < other_rating.mu
    ]
    return min(upsets, key=lambda upset: upset.probability, default=None)


def list_highest_scores(matches: Sequence[EndedMatch]) -> list[tuple[EndedMatch, ResultRow]]:
    """Return the five highest scores in matches between people, the best first."""
    scores = [
        (match, row)
        for match in matches
        if match.has_several_people
        for row in match.rows
        if row.person is not None and row.total is not None and row.how == FINISHED and row.kind == "person"
    ]
    return sorted(scores, key=lambda entry: (-(entry[1].total or 0), entry[0].number))[:5]
