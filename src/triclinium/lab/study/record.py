"""What is noted of a match while it is played, from the contract of games alone: no title writes a line for it.

    matches   one row a match
    seats     one row a seat: place in the order of turns, rank, share of the win, points, how often asked, how widely
    lines     one row a seat and line of the score sheet
    choices   one row a seat, step, option and tenth of the match: how often offered, how often taken
    things    one row a seat and component: how often an option would have taken it, how often one did (some deals)
    moments   one row a seat and quiet moment: its chance by the judge on the true state

A moment is one at which no action is half done, and another seat is asked or 1/64 of the match has gone by.
"""

import io
import zipfile
from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
import polars as pl

from triclinium.bots import Answer
from triclinium.bots.core.value import ValueModel, result_shares
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.engine.game import Game
from triclinium.lab.study.plan import Cell

APART: Final = 1 / 64  # of a match, between two moments of one seat
TENTHS: Final = 10
THINGS_EVERY: Final = 4  # deals: to know what options are about takes time
DIGITS: Final = 4  # of chances: what is beyond differs between machines

SCHEMAS: Final[Mapping[str, dict[str, type[pl.DataType]]]] = {
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
    "things": {"match": pl.Int32, "seat": pl.Int8, "thing": pl.Int32, "offered": pl.Int32, "taken": pl.Int32},
    "moments": {
        "match": pl.Int32,
        "moment": pl.Int16,
        "seat": pl.Int8,
        "n": pl.Int32,
        "progress": pl.Float32,
        "actor": pl.Int8,
        "chance": pl.Float32,
    },
}
TABLES: Final = tuple(SCHEMAS)


class Notes:
    """The rows of many matches, column by column. Choices are kept as whole numbers until they are packed."""

    def __init__(self) -> None:
        self.columns: dict[str, list[list[object]]] = {name: [[] for _ in schema] for name, schema in SCHEMAS.items()}
        self.steps: dict[str, int] = {}
        self.choices: list[Choices] = []

    def add(self, table: str, *row: object) -> None:
        for column, value in zip(self.columns[table], row, strict=True):
            column.append(value)

    def frame(self, table: str) -> pl.DataFrame:
        schema = SCHEMAS[table]
        if table == "choices":
            names = list(self.steps)
            return pl.concat([one.frame(names) for one in self.choices] or [pl.DataFrame(schema=schema)])
        return pl.DataFrame(dict(zip(schema, self.columns[table], strict=True)), schema=schema)

    def packed(self) -> bytes:
        """All tables as Parquet, in one piece."""
        whole = io.BytesIO()
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as box:
            for table in TABLES:
                file = io.BytesIO()
                self.frame(table).write_parquet(file, compression="zstd", statistics=False)
                box.writestr(zipfile.ZipInfo(f"{table}.parquet"), file.getvalue())
        return whole.getvalue()


class Choices(NamedTuple):
    """The choices of one match: a key holds step, seat, tenth and option."""

    game: Game
    match: int
    seats: int
    keys: list[int]
    offered: list[int]
    taken: list[int]

    def frame(self, steps: list[str]) -> pl.DataFrame:
        rest, options = np.divmod(np.array(self.keys, dtype=np.int64), self.game.notation.size)
        rest, tenths = np.divmod(rest, TENTHS)
        places, seats = np.divmod(rest, self.seats)
        data = {
            "match": [self.match] * len(self.keys),
            "seat": seats,
            "step": [steps[i] for i in places.tolist()],
            "option": [self.game.say(o) for o in options.tolist()],
            "tenth": tenths,
            "offered": self.offered,
            "taken": self.taken,
        }
        return pl.DataFrame(data, schema=SCHEMAS["choices"])


class Watch:
    """Notes on one match: told of every decision before it is made, and of the end."""

    def __init__(self, game: Game, s: State, model: ValueModel, notes: Notes, things: bool) -> None:
        self.game = game
        self.with_things = things
        self.ai = game.evaluator
        self.model = model
        self.seats = s.seats
        self.size = game.notation.size
        self.order = list(game.order(s))
        self.steps = notes.steps
        self.offered: dict[int, int] = {}
        self.taken: dict[int, int] = {}
        self.things_offered: dict[tuple[Seat, int], int] = {}
        self.things_taken: dict[tuple[Seat, int], int] = {}
        self.moments: list[tuple[int, float, Seat, list[float]]] = []
        self.asked = [0] * s.seats
        self.width = [0] * s.seats
        self.actor: Seat = NOBODY
        self.progress = -1.0
        self.decisions = 0
        self.faults = 0
        self.cuts = 0

    def before(self, s: State) -> int:
        """Look at the question; what `chosen` must be told again."""
        progress = self.ai.progress(s)
        who = s.who
        if (who != self.actor or progress - self.progress >= APART) and (not self.moments or self.ai.is_stable(s)):
            self.actor = who
            self.progress = progress
            self.moments.append((self.decisions, progress, who, self.model.shares(s)))
        self.decisions += 1
        legal = s.legal
        if len(legal) < 2:
            return -1
        self.asked[who] += 1
        self.width[who] += len(legal)
        step = self.steps.setdefault(s.stack[-1].id, len(self.steps))
        tenth = min(TENTHS - 1, max(0, int(progress * TENTHS)))
        base = ((step * self.seats + who) * TENTHS + tenth) * self.size
        offered = self.offered
        for o in legal:
            offered[base + o] = offered.get(base + o, 0) + 1
        if self.with_things:
            for thing in {thing for o in legal for thing in self.game.subjects(s, o)}:
                self.things_offered[who, thing] = self.things_offered.get((who, thing), 0) + 1
        return base

    def chosen(self, s: State, base: int, answer: Answer) -> None:
        """What is answered, before it is played; a seat that had no choice is not counted."""
        if answer.fault:
            self.faults += 1
        self.cuts += answer.cut
        if base >= 0:
            key = base + answer.option
            self.taken[key] = self.taken.get(key, 0) + 1
            for thing in self.game.subjects(s, answer.option) if self.with_things else ():
                self.things_taken[s.who, thing] = self.things_taken.get((s.who, thing), 0) + 1

    def close(self, notes: Notes, cell: Cell, s: State, bots: list[int], seconds: float) -> None:
        """Write everything down; the match is over."""
        shares = result_shares(self.ai, s)
        self.moments.append((self.decisions, 1.0, NOBODY, shares))
        counts = (self.decisions, sum(self.asked), self.game.round(s), self.game.turn(s), self.faults, self.cuts)
        match = cell.number
        where = (match, cell.arm, cell.deal, cell.rotation, self.order[0])
        notes.add("matches", *where, *counts, seconds, s.digest())
        for score in self.game.scores(s):
            seat = score.seat
            place = self.order.index(seat)
            row = (match, seat, place, bots[seat], score.rank, shares[seat], score.total)
            notes.add("seats", *row, self.asked[seat], self.width[seat])
            for line in score.lines:
                notes.add("lines", match, seat, line.name, line.group, line.points)
        taken = [self.taken.get(key, 0) for key in self.offered]
        offered = list(self.offered.values())
        notes.choices.append(Choices(self.game, match, self.seats, list(self.offered), offered, taken))
        for (seat, thing), times in self.things_offered.items():
            notes.add("things", match, seat, thing, times, self.things_taken.get((seat, thing), 0))
        for moment, (n, progress, actor, chances) in enumerate(self.moments):
            for seat, chance in enumerate(chances):
                notes.add("moments", match, moment, seat, n, round(progress, DIGITS), actor, round(chance, DIGITS))
