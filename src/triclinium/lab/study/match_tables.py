"""Recorder of a match: the rows of its tables, taken from the contract of games, so that no game needs code for it."""

import io
import zipfile
from collections.abc import Callable
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from triclinium.bots import BotAnswer
from triclinium.bots.core.value import ValueModel, compute_result_shares
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.game import Game
from triclinium.lab.study.final_holdings import find_canonical_component, find_holdings
from triclinium.lab.study.plan import PlannedMatch
from triclinium.lab.study.schema import CHANCE_SCALE, DECISIONS_TABLE, SCHEMAS, list_table_names

Counts: TypeAlias = NDArray[np.int64]

MIN_PROGRESS_STEP: Final = 1 / 64  # minimum progress between two moments of one seat, as a fraction of the match
TENTHS: Final = 10
SLOTS: Final = TENTHS + 1  # number of slots: one for each tenth of a match, and one for choices without a tenth
MAX_CHOICES: Final = 1000  # number of different choices in a match above which tenths are merged
PROGRESS_DIGITS: Final = 4  # digits of progress; later digits differ between machines
CHANCE_STEPS: Final = (
    250  # resolution of win probabilities; no value model is more precise, and more digits would double the file
)


class TableBuilder:
    """The rows of many matches, column by column. Choices are kept as integers until they are packed."""

    def __init__(self, every_choice: bool = False) -> None:
        self.every_choice = every_choice
        self.columns: dict[str, list[list[object]]] = {name: [[] for _ in schema] for name, schema in SCHEMAS.items()}
        self.steps: dict[str, int] = {}
        self.choices: list[MatchChoices] = []

    def add_row(self, table: str, *row: object) -> None:
        for column, value in zip(self.columns[table], row, strict=True):
            column.append(value)

    def make_frame(self, table: str) -> pl.DataFrame:
        schema = SCHEMAS[table]
        if table == "choices":
            games = {id(match_choices.game): match_choices.game for match_choices in self.choices}
            frames = [self._make_choices_frame(game) for game in games.values()]
            return pl.concat(frames or [pl.DataFrame(schema=schema)])
        return pl.DataFrame(dict(zip(schema, self.columns[table], strict=True)), schema=schema)

    def _make_choices_frame(self, game: Game) -> pl.DataFrame:
        """Return the choices of all matches of an edition, with each option formatted only once."""
        own = [match_choices for match_choices in self.choices if match_choices.game is game]
        rest, options = np.divmod(np.concatenate([match_choices.keys for match_choices in own]), game.notation.size)
        rest, tenths = np.divmod(rest, SLOTS)
        steps, seats = np.divmod(rest, own[0].seats)
        used_options, which = np.unique(options, return_inverse=True)
        data = {
            "match": np.repeat(
                [match_choices.match for match_choices in own], [len(match_choices.keys) for match_choices in own]
            ),
            "seat": seats,
            "step": pl.Series(list(self.steps), dtype=pl.String).gather(steps),
            "option": pl.Series([game.format_option(o) for o in used_options.tolist()], dtype=pl.String).gather(which),
            "tenth": tenths,
            "offered": np.concatenate([match_choices.offered for match_choices in own]),
            "taken": np.concatenate([match_choices.taken for match_choices in own]),
        }
        frame = pl.DataFrame(data, schema=SCHEMAS["choices"])
        return frame.with_columns(tenth=pl.when(pl.col("tenth") < TENTHS).then(pl.col("tenth")))

    def pack_tables(self) -> bytes:
        """Return all tables as Parquet files in one zip archive."""
        whole = io.BytesIO()
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as box:
            for table in list_table_names(self.every_choice):
                file = io.BytesIO()
                self.make_frame(table).write_parquet(file, compression="zstd", statistics=False)
                box.writestr(zipfile.ZipInfo(f"{table}.parquet"), file.getvalue())
        return whole.getvalue()


class MatchChoices(NamedTuple):
    """The choices of one match. Each key encodes step, seat, tenth and option."""

    game: Game
    match: int
    seats: int
    keys: Counts
    offered: Counts
    taken: Counts


class MatchRecorder:
    """A recorder of one match, called with every decision before it is played and once at the end."""

    def __init__(
        self, game: Game, s: State, model: ValueModel, tables: TableBuilder, choices: bool, things: bool
    ) -> None:
        self.game = game
        self.counts_choices = choices
        self.counts_components = things
        self.evaluator = game.evaluator
        plain = type(game).progress is Game.progress
        self.measure_progress: Callable[[State], float] = game.evaluator.progress if plain else game.progress
        self.model = model
        self.seats = s.seats
        self.order = list(game.order(s))
        self.steps = tables.steps
        # key of step, seat and tenth; the legal options; the option that was chosen
        self.choices_made: list[tuple[int, list[Option], Option]] = []
        self.components_offered: dict[tuple[Seat, int], int] = {}
        self.components_taken: dict[tuple[Seat, int], int] = {}
        self.moments: list[tuple[int, float, Seat, list[float], list[int | None]]] = []
        self.all_decisions: list[tuple[int, Seat, str, float, list[str], str]] | None = (
            [] if tables.every_choice else None
        )
        self.actor: Seat = NOBODY
        self.progress = -1.0
        self.decisions = 0
        self.faults = 0
        self.cut_answers = 0

    def add_decision(self, s: State, answer: BotAnswer) -> None:
        """Record a decision before it is played. This method is called most often, so it is kept short."""
        progress = self.measure_progress(s)
        who = s.who
        if (who != self.actor or progress - self.progress >= MIN_PROGRESS_STEP) and (
            not self.moments or self.evaluator.is_stable(s)
        ):
            self.actor = who
            self.progress = progress
            self.moments.append(
                (self.decisions, progress, who, self.model.predict_win_shares(s), self.compute_totals(s))
            )
        if answer.fault:
            self.faults += 1
        if answer.cut_short:
            self.cut_answers += 1
        legal = s.legal
        if len(legal) > 1:  # Decisions with a single option are not counted.
            tenth = int(progress * TENTHS)
            key = self.number_step(s.stack[-1].id) * self.seats + who
            self.choices_made.append((key * SLOTS + (tenth if tenth < TENTHS else TENTHS - 1), legal, answer.option))
            if self.counts_components:
                self._count_components(s, legal, answer.option)
        if self.all_decisions is not None:
            options = [self.game.format_option(o) for o in legal]
            row = (self.decisions, who, s.stack[-1].id, round(progress, PROGRESS_DIGITS), options)
            self.all_decisions.append((*row, self.game.format_option(answer.option)))
        self.decisions += 1

    def number_step(self, id: str) -> int:
        """Return the number of a step in the tables."""
        number = self.steps.get(id)
        if number is None:
            number = self.steps[id] = len(self.steps)
        return number

    def compute_totals(self, s: State) -> list[int | None]:
        """Return the current points of every seat."""
        return [score.total for score in self.evaluator.scores(s)]

    def _count_components(self, s: State, legal: list[Option], chosen: Option) -> None:
        offered, taken, who = self.components_offered, self.components_taken, s.who
        for thing in {thing for o in legal for thing in self.game.option_components(s, o)}:
            offered[who, thing] = offered.get((who, thing), 0) + 1
        for thing in self.game.option_components(s, chosen):
            taken[who, thing] = taken.get((who, thing), 0) + 1

    def write_tables(
        self, tables: TableBuilder, planned: PlannedMatch, s: State, bots: list[int], seconds: float
    ) -> None:
        """Write the rows of the finished match."""
        shares = compute_result_shares(self.evaluator, s)
        self.moments.append((self.decisions, 1.0, NOBODY, shares, self.compute_totals(s)))
        counts = (
            self.decisions,
            len(self.choices_made),
            self.game.round(s),
            self.game.turn(s),
            self.faults,
            self.cut_answers,
        )
        match = planned.number
        where = (match, planned.arm, planned.deal, planned.rotation, self.order[0])
        asked, width = self._count_choices_by_seat()
        if self.counts_choices:
            tables.choices.append(self._count_choices(match))
        tables.add_row("matches", *where, *counts, seconds, s.digest())
        for score in self.game.scores(s):
            seat = score.seat
            place = self.order.index(seat)
            row = (match, seat, place, bots[seat], score.rank, shares[seat], score.total)
            tables.add_row("seats", *row, asked[seat], width[seat])
            for line in score.lines:
                tables.add_row("lines", match, seat, line.name, line.group, line.points)
        self._write_components(tables, match, s)
        self._write_moments(tables, match)
        for decision in self.all_decisions or ():
            tables.add_row(DECISIONS_TABLE, match, *decision)

    def _count_choices_by_seat(self) -> tuple[list[int], list[int]]:
        """Return how often each seat had a choice, and the total number of options at these choices."""
        asked, width = [0] * self.seats, [0] * self.seats
        for key, legal, _ in self.choices_made:
            seat = key // SLOTS % self.seats
            asked[seat] += 1
            width[seat] += len(legal)
        return asked, width

    def _count_choices(self, match: int) -> MatchChoices:
        """Return how often each option was offered and taken."""
        asked = np.array([key for key, _, _ in self.choices_made], dtype=np.int64)
        widths = [len(legal) for _, legal, _ in self.choices_made]
        options = np.fromiter(chain.from_iterable(legal for _, legal, _ in self.choices_made), np.int64, sum(widths))
        size = self.game.notation.size
        keys, offered = np.unique(np.repeat(asked, widths) * size + options, return_counts=True)
        if len(keys) > MAX_CHOICES:
            asked += TENTHS - asked % SLOTS
            keys, offered = np.unique(np.repeat(asked, widths) * size + options, return_counts=True)
        chosen = asked * size + np.array([o for _, _, o in self.choices_made], dtype=np.int64)
        taken = np.bincount(np.searchsorted(keys, chosen), minlength=len(keys))
        return MatchChoices(self.game, match, self.seats, keys, offered, taken)

    def _write_moments(self, tables: TableBuilder, match: int) -> None:
        columns = tables.columns["moments"]
        seats = list(range(self.seats))
        for moment, (n, progress, actor, chances, totals) in enumerate(self.moments):
            same = (match, moment, None, n, round(progress, PROGRESS_DIGITS), actor)
            for column, value in zip(columns, same, strict=False):
                column.extend(seats if value is None else [value] * self.seats)
            columns[-2].extend([round(chance * CHANCE_STEPS) * CHANCE_SCALE // CHANCE_STEPS for chance in chances])
            columns[-1].extend(totals)

    def _write_components(self, tables: TableBuilder, match: int, s: State) -> None:
        """Write the rows of components that options referred to or that seats have at the end."""
        if not self.counts_components:
            return
        things_held: dict[tuple[Seat, int], int] = {}
        for seat in range(self.seats):
            for thing in find_holdings(self.game.view(s, seat), seat):
                key = (seat, self.game.component_index(*find_canonical_component(self.game.ids, thing)))
                things_held[key] = things_held.get(key, 0) + 1
        for key in dict.fromkeys((*self.components_offered, *things_held)):
            counts = (self.components_offered.get(key, 0), self.components_taken.get(key, 0), things_held.get(key, 0))
            tables.add_row("things", match, *key, *counts)
