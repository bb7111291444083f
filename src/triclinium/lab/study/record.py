"""What is noted of a match while it is played, from the contract of games alone: no title writes a line for it.

    matches   one row a match
    seats     one row a seat: place in the order of turns, rank, share of the win, points, how often asked, how widely
    lines     one row a seat and line of the score sheet
    choices   one row a seat, step, option and tenth of the match: how often offered, how often taken
    things    one row a seat and component: how often an option would have taken it, how often one did, how many of it
              the seat has at the end (some deals)
    moments   one row a seat and quiet moment: its chance by the judge on the true state, its points as they stand
    decisions one row a decision with all its options, for those who ask for it: every other table sums up

A moment is one at which no action is half done, and another seat is asked or 1/64 of the match has gone by.
"""

import io
import zipfile
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from triclinium.bots import Answer
from triclinium.bots.core.value import ValueModel, result_shares
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.game import Game
from triclinium.lab.study.held import held, known_as
from triclinium.lab.study.plan import Cell

Counts: TypeAlias = NDArray[np.int64]

APART: Final = 1 / 64  # of a match, between two moments of one seat
TENTHS: Final = 10
THINGS_EVERY: Final = 4  # deals: to know what options are about takes time
DIGITS: Final = 4  # of progress: what is beyond differs between machines
FINE: Final = 2048  # parts of a chance: what is beyond differs too, and tells nothing but takes half of the file

SCHEMAS: Final[Mapping[str, dict[str, pl.DataType | type[pl.DataType]]]] = {
    "matches": {
        "match": pl.Int32,
        "arm": pl.Int16,
        "deal": pl.Int32,
        "rotation": pl.Int8,
        "first": pl.Int8,
        "decisions": pl.Int32,
        "asked": pl.Int32,
        "rounds": pl.Int32,
        "turns": pl.Int32,
        "faults": pl.Int32,
        "cuts": pl.Int32,
        "seconds": pl.Float32,
        "digest": pl.Int64,
    },
    "seats": {
        "match": pl.Int32,
        "seat": pl.Int8,
        "place": pl.Int8,
        "bot": pl.Int8,
        "rank": pl.Int8,
        "share": pl.Float64,
        "total": pl.Int32,
        "asked": pl.Int32,
        "width": pl.Int32,
    },
    "lines": {"match": pl.Int32, "seat": pl.Int8, "line": pl.String, "group": pl.String, "points": pl.Int32},
    "choices": {
        "match": pl.Int32,
        "seat": pl.Int8,
        "step": pl.String,
        "option": pl.String,
        "tenth": pl.Int8,
        "offered": pl.Int32,
        "taken": pl.Int32,
    },
    "things": {
        "match": pl.Int32,
        "seat": pl.Int8,
        "thing": pl.Int32,
        "offered": pl.Int32,
        "taken": pl.Int32,
        "held": pl.Int32,
    },
    "moments": {
        "match": pl.Int32,
        "moment": pl.Int16,
        "seat": pl.Int8,
        "n": pl.Int32,
        "progress": pl.Float32,
        "actor": pl.Int8,
        "chance": pl.Float32,
        "total": pl.Int32,
    },
    "decisions": {
        "match": pl.Int32,
        "n": pl.Int32,
        "seat": pl.Int8,
        "step": pl.String,
        "progress": pl.Float32,
        "options": pl.List(pl.String),
        "taken": pl.String,
    },
}
DECISIONS: Final = "decisions"


def tables_of(every_choice: bool) -> tuple[str, ...]:
    """The tables that a study writes."""
    return tuple(name for name in SCHEMAS if every_choice or name != DECISIONS)


class Notes:
    """The rows of many matches, column by column. Choices are kept as whole numbers until they are packed."""

    def __init__(self, every_choice: bool = False) -> None:
        self.every_choice = every_choice
        self.columns: dict[str, list[list[object]]] = {name: [[] for _ in schema] for name, schema in SCHEMAS.items()}
        self.steps: dict[str, int] = {}
        self.choices: list[Choices] = []

    def add(self, table: str, *row: object) -> None:
        for column, value in zip(self.columns[table], row, strict=True):
            column.append(value)

    def frame(self, table: str) -> pl.DataFrame:
        schema = SCHEMAS[table]
        if table == "choices":
            games = {id(one.game): one.game for one in self.choices}
            frames = [self._choices(game) for game in games.values()]
            return pl.concat(frames or [pl.DataFrame(schema=schema)])
        return pl.DataFrame(dict(zip(schema, self.columns[table], strict=True)), schema=schema)

    def _choices(self, game: Game) -> pl.DataFrame:
        """The choices of all matches of an edition; what an option is called is asked once."""
        own = [one for one in self.choices if one.game is game]
        rest, options = np.divmod(np.concatenate([one.keys for one in own]), game.notation.size)
        rest, tenths = np.divmod(rest, TENTHS)
        steps, seats = np.divmod(rest, own[0].seats)
        known, which = np.unique(options, return_inverse=True)
        data = {
            "match": np.repeat([one.match for one in own], [len(one.keys) for one in own]),
            "seat": seats,
            "step": pl.Series(list(self.steps), dtype=pl.String).gather(steps),
            "option": pl.Series([game.say(o) for o in known.tolist()], dtype=pl.String).gather(which),
            "tenth": tenths,
            "offered": np.concatenate([one.offered for one in own]),
            "taken": np.concatenate([one.taken for one in own]),
        }
        return pl.DataFrame(data, schema=SCHEMAS["choices"])

    def packed(self) -> bytes:
        """All tables as Parquet, in one piece."""
        whole = io.BytesIO()
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as box:
            for table in tables_of(self.every_choice):
                file = io.BytesIO()
                self.frame(table).write_parquet(file, compression="zstd", statistics=False)
                box.writestr(zipfile.ZipInfo(f"{table}.parquet"), file.getvalue())
        return whole.getvalue()


class Choices(NamedTuple):
    """The choices of one match: a key holds step, seat, tenth and option."""

    game: Game
    match: int
    seats: int
    keys: Counts
    offered: Counts
    taken: Counts

    def by_seat(self, times: Counts) -> list[int]:
        """The sum of a column for each seat."""
        owner = self.keys // self.game.notation.size // TENTHS % self.seats
        return [int(times[owner == seat].sum()) for seat in range(self.seats)]


class Watch:
    """Notes on one match: told of every decision before it is made, and of the end."""

    def __init__(self, game: Game, s: State, model: ValueModel, notes: Notes, things: bool) -> None:
        self.game = game
        self.with_things = things
        self.ai = game.evaluator
        plain = type(game).progress is Game.progress
        self.progress_of: Callable[[State], float] = game.evaluator.progress if plain else game.progress
        self.model = model
        self.seats = s.seats
        self.order = list(game.order(s))
        self.steps = notes.steps
        self.asked: list[tuple[int, list[Option], Option]] = []  # step, seat and tenth; options; the one taken
        self.things_offered: dict[tuple[Seat, int], int] = {}
        self.things_taken: dict[tuple[Seat, int], int] = {}
        self.moments: list[tuple[int, float, Seat, list[float], list[int | None]]] = []
        self.every: list[tuple[int, Seat, str, float, list[str], str]] | None = [] if notes.every_choice else None
        self.actor: Seat = NOBODY
        self.progress = -1.0
        self.decisions = 0
        self.faults = 0
        self.cuts = 0

    def note(self, s: State, answer: Answer) -> None:
        """A decision, before it is played. Of all that a study adds to play this is asked most: it is kept short."""
        progress = self.progress_of(s)
        who = s.who
        if (who != self.actor or progress - self.progress >= APART) and (not self.moments or self.ai.is_stable(s)):
            self.actor = who
            self.progress = progress
            self.moments.append((self.decisions, progress, who, self.model.shares(s), self.totals(s)))
        if answer.fault:
            self.faults += 1
        if answer.cut:
            self.cuts += 1
        legal = s.legal
        if len(legal) > 1:  # a seat that had no choice is not counted
            tenth = int(progress * TENTHS)
            key = self.step_of(s.stack[-1].id) * self.seats + who
            self.asked.append((key * TENTHS + (tenth if tenth < TENTHS else TENTHS - 1), legal, answer.option))
            if self.with_things:
                self._note_things(s, legal, answer.option)
        if self.every is not None:
            options = [self.game.say(o) for o in legal]
            row = (self.decisions, who, s.stack[-1].id, round(progress, DIGITS), options)
            self.every.append((*row, self.game.say(answer.option)))
        self.decisions += 1

    def step_of(self, id: str) -> int:
        """The number of a step in the tables."""
        found = self.steps.get(id)
        if found is None:
            found = self.steps[id] = len(self.steps)
        return found

    def totals(self, s: State) -> list[int | None]:
        """The points of every seat as they stand."""
        return [score.total for score in self.ai.scores(s)]

    def _note_things(self, s: State, legal: list[Option], chosen: Option) -> None:
        offered, taken, who = self.things_offered, self.things_taken, s.who
        for thing in {thing for o in legal for thing in self.game.subjects(s, o)}:
            offered[who, thing] = offered.get((who, thing), 0) + 1
        for thing in self.game.subjects(s, chosen):
            taken[who, thing] = taken.get((who, thing), 0) + 1

    def close(self, notes: Notes, cell: Cell, s: State, bots: list[int], seconds: float) -> None:
        """Write everything down; the match is over."""
        shares = result_shares(self.ai, s)
        self.moments.append((self.decisions, 1.0, NOBODY, shares, self.totals(s)))
        counts = (self.decisions, len(self.asked), self.game.round(s), self.game.turn(s), self.faults, self.cuts)
        match = cell.number
        where = (match, cell.arm, cell.deal, cell.rotation, self.order[0])
        choices = self._choices(match)
        asked, width = choices.by_seat(choices.taken), choices.by_seat(choices.offered)
        notes.choices.append(choices)
        notes.add("matches", *where, *counts, seconds, s.digest())
        for score in self.game.scores(s):
            seat = score.seat
            place = self.order.index(seat)
            row = (match, seat, place, bots[seat], score.rank, shares[seat], score.total)
            notes.add("seats", *row, asked[seat], width[seat])
            for line in score.lines:
                notes.add("lines", match, seat, line.name, line.group, line.points)
        self._close_things(notes, match, s)
        self._close_moments(notes, match)
        for decision in self.every or ():
            notes.add(DECISIONS, match, *decision)

    def _choices(self, match: int) -> Choices:
        """How often each option was offered and taken."""
        bases = np.array([key for key, _, _ in self.asked], dtype=np.int64) * self.game.notation.size
        widths = [len(legal) for _, legal, _ in self.asked]
        options = np.fromiter(chain.from_iterable(legal for _, legal, _ in self.asked), np.int64, sum(widths))
        keys, offered = np.unique(np.repeat(bases, widths) + options, return_counts=True)
        chosen = bases + np.array([o for _, _, o in self.asked], dtype=np.int64)
        taken = np.bincount(np.searchsorted(keys, chosen), minlength=len(keys))
        return Choices(self.game, match, self.seats, keys, offered, taken)

    def _close_moments(self, notes: Notes, match: int) -> None:
        columns = notes.columns["moments"]
        seats = list(range(self.seats))
        for moment, (n, progress, actor, chances, totals) in enumerate(self.moments):
            same = (match, moment, None, n, round(progress, DIGITS), actor)
            for column, value in zip(columns, same, strict=False):
                column.extend(seats if value is None else [value] * self.seats)
            columns[-2].extend([round(chance * FINE) / FINE for chance in chances])
            columns[-1].extend(totals)

    def _close_things(self, notes: Notes, match: int, s: State) -> None:
        """What options were about, and what each seat has now."""
        if not self.with_things:
            return
        things_held: dict[tuple[Seat, int], int] = {}
        for seat in range(self.seats):
            for thing in held(self.game.view(s, seat), seat):
                key = (seat, self.game.thing(*known_as(self.game.ids, thing)))
                things_held[key] = things_held.get(key, 0) + 1
        for key in dict.fromkeys((*self.things_offered, *things_held)):
            counts = (self.things_offered.get(key, 0), self.things_taken.get(key, 0), things_held.get(key, 0))
            notes.add("things", match, *key, *counts)
