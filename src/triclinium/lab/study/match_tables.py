"""What is noted of a match while it is played: the rows of its tables. No game writes a line for it."""

import io
import zipfile
from collections.abc import Callable
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from triclinium.bots import Answer
from triclinium.bots.core.value import ValueModel, result_shares
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.game import Game
from triclinium.lab.study.final_holdings import held, known_as
from triclinium.lab.study.plan import Cell
from triclinium.lab.study.schema import DECISIONS, SCHEMAS, WHOLE, tables_of

Counts: TypeAlias = NDArray[np.int64]

APART: Final = 1 / 64  # of a match, between two moments of one seat
TENTHS: Final = 10
SLOTS: Final = TENTHS + 1  # a tenth, or none
MANY: Final = 1000  # choices of a match, above which tenths are not told apart
DIGITS: Final = 4  # of progress: what is beyond differs between machines
FINE: Final = 250  # parts of a chance: no value model is more exact, and what is beyond would be half of the file


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
        rest, tenths = np.divmod(rest, SLOTS)
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
        found = pl.DataFrame(data, schema=SCHEMAS["choices"])
        return found.with_columns(tenth=pl.when(pl.col("tenth") < TENTHS).then(pl.col("tenth")))

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


class Watch:
    """Notes on one match: told of every decision before it is made, and of the end."""

    def __init__(self, game: Game, s: State, model: ValueModel, notes: Notes, choices: bool, things: bool) -> None:
        self.game = game
        self.with_choices = choices
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
            self.asked.append((key * SLOTS + (tenth if tenth < TENTHS else TENTHS - 1), legal, answer.option))
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
        asked, width = self._by_seat()
        if self.with_choices:
            notes.choices.append(self._choices(match))
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

    def _by_seat(self) -> tuple[list[int], list[int]]:
        """How often each seat had a choice, and the options of all of them together."""
        asked, width = [0] * self.seats, [0] * self.seats
        for key, legal, _ in self.asked:
            seat = key // SLOTS % self.seats
            asked[seat] += 1
            width[seat] += len(legal)
        return asked, width

    def _choices(self, match: int) -> Choices:
        """How often each option was offered and taken."""
        asked = np.array([key for key, _, _ in self.asked], dtype=np.int64)
        widths = [len(legal) for _, legal, _ in self.asked]
        options = np.fromiter(chain.from_iterable(legal for _, legal, _ in self.asked), np.int64, sum(widths))
        size = self.game.notation.size
        keys, offered = np.unique(np.repeat(asked, widths) * size + options, return_counts=True)
        if len(keys) > MANY:
            asked += TENTHS - asked % SLOTS
            keys, offered = np.unique(np.repeat(asked, widths) * size + options, return_counts=True)
        chosen = asked * size + np.array([o for _, _, o in self.asked], dtype=np.int64)
        taken = np.bincount(np.searchsorted(keys, chosen), minlength=len(keys))
        return Choices(self.game, match, self.seats, keys, offered, taken)

    def _close_moments(self, notes: Notes, match: int) -> None:
        columns = notes.columns["moments"]
        seats = list(range(self.seats))
        for moment, (n, progress, actor, chances, totals) in enumerate(self.moments):
            same = (match, moment, None, n, round(progress, DIGITS), actor)
            for column, value in zip(columns, same, strict=False):
                column.extend(seats if value is None else [value] * self.seats)
            columns[-2].extend([round(chance * FINE) * WHOLE // FINE for chance in chances])
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
