"""Recommended bot levels: the weakest for a person's first matches of a game, the next one after two wins in a row."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from triclinium.bots.levels import LEVELS, load_levels
from triclinium.engine.game import Game
from triclinium.server.ratings.stats import FINISHED
from triclinium.server.storage.schema_results import results

WINS_IN_A_ROW = 2  # wins in a row against a level after which the next one is recommended
LATEST_MATCHES = 60  # matches of a person that are read, of all games


@dataclass(frozen=True, slots=True)
class RecommendedLevel:
    """The level that suits a person in a game."""

    level: str
    beaten: str = ""  # the level below, if the person has just beaten it often enough


@dataclass(frozen=True, slots=True)
class BotMatch:
    """A match of one person against bots only."""

    level: str  # the strongest level among the bots
    is_won: bool


def recommend_levels(connection: Connection, person: int | None, games: Iterable[Game]) -> dict[str, RecommendedLevel]:
    """Return the recommended level of each game. People without a match get the weakest one."""
    matches = {} if person is None else _load_bot_matches(connection, person)
    return {game.id: _recommend_level(game, matches.get(game.id, ())) for game in games}


def _recommend_level(game: Game, matches: Sequence[BotMatch]) -> RecommendedLevel:
    """Return the level for the next match, given the earlier ones, the latest first."""
    levels = load_levels(game)
    if not matches:
        return RecommendedLevel(levels.offered[0])
    latest = matches[0].level
    wins = [match for match in matches[:WINS_IN_A_ROW] if match.is_won and match.level == latest]
    following = levels.find_next_level(latest)
    if len(wins) == WINS_IN_A_ROW and following:
        return RecommendedLevel(following, latest)
    return RecommendedLevel(levels.choose_offered_level(latest))


def _load_bot_matches(connection: Connection, person: int) -> dict[str, list[BotMatch]]:
    """Return the latest matches of a person alone against levels of bots, by game, the latest first."""
    mine = select(results.c.number).where(results.c.person == person).distinct()
    latest = mine.order_by(results.c.number.desc()).limit(LATEST_MATCHES)
    columns = (results.c.number, results.c.game, results.c.person, results.c.kind, results.c.bot)
    rows_by_number: dict[int, list[Any]] = defaultdict(list)
    for row in connection.execute(
        select(*columns, results.c.rank, results.c.how, results.c.unrated)
        .where(results.c.number.in_(latest))
        .order_by(results.c.number.desc())
    ):
        rows_by_number[row.number].append(row)
    matches: dict[str, list[BotMatch]] = defaultdict(list)
    for rows in rows_by_number.values():
        own = [row for row in rows if row.person == person]
        bots = [row.bot for row in rows if row.kind == "bot" and row.bot in LEVELS]
        if len(own) == 1 and len(bots) == len(rows) - 1 > 0 and own[0].unrated != "abandoned":
            is_won = own[0].rank == 1 and own[0].how == FINISHED
            matches[own[0].game].append(BotMatch(max(bots, key=LEVELS.index), is_won))
    return matches
