"""Results of a playtest: the main question's difference, the other answers, and figures of the matches.

A table counts once all its players have answered, or after three days, or at the end of the playtest. Answers of
other tables are not shown, so they never change a figure that the owner has seen.
"""

import csv
import io
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from statistics import fmean, stdev
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row, func, select

from triclinium.engine.core.text import msgid
from triclinium.engine.registry import load_game
from triclinium.server import server_time
from triclinium.server.storage.schema import seats, tables
from triclinium.server.storage.schema_results import results
from triclinium.server.storage.schema_workshop import playtest_answers, playtest_tables, studies
from triclinium.server.tables.table import ANSWER_SECONDS
from triclinium.server.workshop.confidence_sequence import DifferenceEstimate, track_difference
from triclinium.server.workshop.playtests import QUESTIONS, STEPS, Playtest, scale_answers
from triclinium.server.workshop.studies import DONE

AnyRow: TypeAlias = Row[Any]
FIGURES = {  # figures of matches, with the same names as in studies with bots
    "minutes": msgid("Minutes per match"),
    "decisions": msgid("Decisions per match"),
    "winner": msgid("The winner’s points"),
    "margin": msgid("The winner’s lead, in points"),
}
MIN_INTERVAL = 4  # least number of matches for an interval of the mean
NORMAL_QUANTILE = 1.959964
SCALE = STEPS - 1  # the largest difference of two answers


@dataclass(frozen=True, slots=True)
class FigureEstimate:
    """A mean with its 95% interval. Without enough matches, the interval is empty."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """The figures of one match, by name. A game without points has fewer."""

    seats: int
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class GivenAnswers:
    """The answers of one player."""

    seat: int
    steps: Mapping[str, int]
    remark: str


@dataclass(frozen=True, slots=True)
class CountedTable:
    """A table that counts: its place in the random assignment, its edition, its match and its answers."""

    place: int
    edition: int
    counted_at: float
    match: PlayedMatch
    answers: Sequence[GivenAnswers]

    @property
    def pair(self) -> int:
        return self.place // 2

    def compute_value(self, question: str) -> float:
        """Return the mean of the players' answers, between 0 and 1."""
        return scale_answers([given.steps[question] for given in self.answers])


@dataclass(frozen=True, slots=True)
class PlaytestResults:
    """The figures of a playtest."""

    playtest: Playtest
    tables: Sequence[CountedTable]
    playing: int  # tables whose match is not over
    waiting: int  # tables whose match is over and whose answers do not count yet
    bots: Sequence[Mapping[str, FigureEstimate]] = field(default_factory=list)  # by edition; empty without a study
    bot_study: str = ""  # id of that study

    @property
    def differences(self) -> tuple[float, ...]:
        """The difference of each pair on the main question, second edition less first, in the order of counting."""
        pairs: dict[int, list[CountedTable]] = defaultdict(list)
        for table in self.tables:
            pairs[table.pair].append(table)
        whole = [pair for pair in pairs.values() if len(pair) == 2]
        whole.sort(key=lambda pair: (max(table.counted_at for table in pair), pair[0].pair))
        question = self.playtest.question
        return tuple(
            sum(table.compute_value(question) * (1 if table.edition else -1) for table in pair) for pair in whole
        )

    @property
    def estimates(self) -> tuple[DifferenceEstimate, ...]:
        return track_difference(self.differences)

    @property
    def clear_since(self) -> int:
        """The number of tables after which the difference became clear, or 0."""
        return next((2 * n for n, estimate in enumerate(self.estimates, start=1) if estimate.is_clear), 0)

    def select_tables(self, edition: int) -> list[CountedTable]:
        return [table for table in self.tables if table.edition == edition]

    def count_answers(self, question: str, edition: int) -> list[int]:
        """Return how many players of an edition gave each answer, from 1 to 5."""
        steps = [given.steps[question] for table in self.select_tables(edition) for given in table.answers]
        return [steps.count(step) for step in range(1, STEPS + 1)]

    def list_remarks(self) -> list[tuple[CountedTable, str]]:
        """Return the remarks with their tables, the newest first."""
        newest = sorted(self.tables, key=lambda table: -table.counted_at)
        return [(table, given.remark) for table in newest for given in table.answers if given.remark]

    def estimate_figures(self, edition: int) -> dict[str, FigureEstimate]:
        """Return the figures of people's matches with an edition."""
        return estimate_figures([table.match for table in self.select_tables(edition)])


# -- figures of matches -----------------------------------------------------------------------------------------------


def estimate_figures(matches: Sequence[PlayedMatch]) -> dict[str, FigureEstimate]:
    """Return the mean of each figure that these matches have."""
    found = {name: [match.values[name] for match in matches if name in match.values] for name in FIGURES}
    return {name: estimate_mean(values) for name, values in found.items() if values}


def estimate_mean(values: Sequence[float]) -> FigureEstimate:
    """Return a mean with its interval, from Student's t distribution."""
    mean = fmean(values)
    if len(values) < MIN_INTERVAL:
        return FigureEstimate(mean, None, None)
    margin = compute_t_quantile(len(values) - 1) * stdev(values) / math.sqrt(len(values))
    return FigureEstimate(mean, mean - margin, mean + margin)


def compute_t_quantile(freedom: int) -> float:
    """Return the 97.5% quantile of Student's t distribution for at least three degrees of freedom.

    This is the expansion of Cornish and Fisher; its error is below 1%.
    """
    z, n = NORMAL_QUANTILE, freedom
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / n + second / n**2 + third / n**3


def load_match_figures(connection: Connection, ids: Iterable[str]) -> dict[str, PlayedMatch]:
    """Return the figures of finished matches by the id of their table."""
    wanted = select(
        results.c.table, results.c.seat, results.c.total, results.c.seconds, results.c.seats, tables.c.moves
    )
    wanted = wanted.join(tables, tables.c.id == results.c.table).where(results.c.table.in_(list(ids)))
    rows: list[AnyRow] = list(connection.execute(wanted.order_by(results.c.table, results.c.seat, results.c.turn)))
    return {str(id): _make_figures(list(found)) for id, found in groupby(rows, key=lambda row: row.table)}


def _make_figures(rows: Sequence[AnyRow]) -> PlayedMatch:
    """Return the figures of a match from its result rows, of which a seat may have several."""
    values = {"minutes": sum(row.seconds for row in rows) / 60, "decisions": float(rows[0].moves)}
    totals = sorted(({row.seat: row.total for row in rows if row.total is not None}).values(), reverse=True)
    if totals:
        values["winner"] = float(totals[0])
    if len(totals) > 1:
        values["margin"] = float(totals[0] - totals[1])
    return PlayedMatch(rows[0].seats, values)


# -- reading ----------------------------------------------------------------------------------------------------------


def load_results(connection: Connection, playtest: Playtest) -> PlaytestResults:
    """Return the results of a playtest as its owner may see them now."""
    columns = (tables.c.status, tables.c.moved, tables.c.ended_early)
    places = select(playtest_tables.c.place, playtest_tables.c.entry, *columns).where(
        playtest_tables.c.playtest == playtest.id
    )
    joined = connection.execute(
        places.outerjoin(tables, tables.c.id == playtest_tables.c.entry).order_by(playtest_tables.c.place)
    ).all()
    answers: dict[str, list[AnyRow]] = defaultdict(list)
    given = select(playtest_answers).where(playtest_answers.c.playtest == playtest.id)
    for row in connection.execute(given.order_by(playtest_answers.c.entry, playtest_answers.c.seat)):
        answers[row.entry].append(row)
    figures = load_match_figures(connection, [row.entry for row in joined])
    asked = _count_asked_seats(connection, [row.entry for row in joined])
    counted: list[CountedTable] = []
    waiting = 0
    for row in joined:
        found = answers.get(row.entry, [])
        counted_at = _find_counting_time(playtest, row, found, asked.get(row.entry, 0))
        if found and counted_at <= server_time.now():
            match = figures.get(row.entry, PlayedMatch(len(found), {}))
            edition, steps = playtest.draw_edition(row.place), [_parse_answers(answer) for answer in found]
            counted.append(CountedTable(row.place, edition, counted_at, match, steps))
        elif row.status == "over" and not row.ended_early:
            waiting += 1
    playing = sum(row.status in ("waiting", "playing") for row in joined)
    study, bots = find_bot_figures(connection, playtest)
    return PlaytestResults(playtest, counted, playing, waiting, bots, study)


def count_places(connection: Connection, playtest: Playtest) -> int:
    """Return how many places of the random assignment have been used."""
    used = select(func.count()).where(playtest_tables.c.playtest == playtest.id)
    return int(connection.execute(used).scalar_one())


def _count_asked_seats(connection: Connection, ids: Sequence[str]) -> dict[str, int]:
    """Return the number of people at each table, who are asked. Bots and programs are not."""
    wanted = select(seats.c.table, func.count()).where(
        seats.c.table.in_(ids), seats.c.kind != "bot", seats.c.taken, seats.c.token == ""
    )
    return {str(id): int(count) for id, count in connection.execute(wanted.group_by(seats.c.table))}


def _find_counting_time(playtest: Playtest, row: AnyRow, found: Sequence[AnyRow], asked: int) -> float:
    """Return the time from which a table counts: the last answer of all, three days later, or the playtest's end."""
    last = max((float(answer.at) for answer in found), default=0.0)
    if row.status != "over" or len(found) >= asked:  # a table without a status has been deleted
        return last
    return min(float(row.moved) + ANSWER_SECONDS, playtest.ended_at or math.inf)


def _parse_answers(row: AnyRow) -> GivenAnswers:
    return GivenAnswers(row.seat, {question: row._mapping[question] for question in QUESTIONS}, row.remark)


def find_bot_figures(connection: Connection, playtest: Playtest) -> tuple[str, list[dict[str, FigureEstimate]]]:
    """Return the id of the owner's newest finished study of these editions, and its figures by edition, or ("", [])."""
    game = load_game(playtest.game_id)
    hashes = [edition.load_game(game).hash for edition in playtest.editions]
    wanted = select(studies.c.id, studies.c.summary).where(
        studies.c.person == playtest.person, studies.c.game == playtest.game_id, studies.c.state == DONE
    )
    for row in connection.execute(wanted.order_by(studies.c.made.desc())):
        summary = json.loads(row.summary)
        by_hash = {edition["hash"]: n for n, edition in enumerate(summary["editions"])}
        if all(hash in by_hash for hash in hashes):
            found = [read_bot_figures(summary, by_hash[hash]) for hash in hashes]
            return str(row.id), found
    return "", []


def read_bot_figures(summary: Mapping[str, Any], edition: int) -> dict[str, FigureEstimate]:
    """Return the figures of the main bots with an edition of a study."""
    arms = [arm for arm in summary["arms"].values() if arm["arm"]["edition"] == edition and not arm["arm"]["check"]]
    figures: Mapping[str, Mapping[str, float]] = arms[0]["figures"] if arms else {}
    return {
        name: FigureEstimate(figures[name]["value"], figures[name]["low"], figures[name]["high"])
        for name in FIGURES
        if name in figures
    }


# -- download ---------------------------------------------------------------------------------------------------------


def build_csv(found: PlaytestResults) -> str:
    """Return the answers and the figures of their matches as CSV, one line for each player."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["table", "pair", "edition", "players", *FIGURES, "seat", *QUESTIONS, "remark"])
    names = [edition.name or "printed" for edition in found.playtest.editions]
    for table in sorted(found.tables, key=lambda table: table.place):
        match = table.match
        values = [f"{match.values[name]:.2f}" if name in match.values else "" for name in FIGURES]
        head = [table.place + 1, table.pair + 1, _quote_formula(names[table.edition]), match.seats, *values]
        for given in table.answers:
            steps = [given.steps[question] for question in QUESTIONS]
            writer.writerow([*head, given.seat + 1, *steps, _quote_formula(given.remark)])
    return text.getvalue()


def _quote_formula(text: str) -> str:
    """Return a text that spreadsheets do not run as a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text
