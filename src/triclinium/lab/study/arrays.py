"""The matches of an arm as arrays, one row a match, in the order of deals and rotations."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from triclinium.lab.study.plan import Arm
from triclinium.lab.study.schema import WHOLE
from triclinium.lab.study.store import Folder

Numbers: TypeAlias = NDArray[np.float64]
Counts: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class Moments:
    """The quiet moments of many matches, one below the other; match i has those from first[i] up to first[i + 1]."""

    first: Counts
    progress: Numbers
    actor: Counts
    chances: Numbers  # one column a seat


@dataclass(frozen=True)
class Played:
    """Everything that was noted of an arm but its choices."""

    arm: Arm
    match: Counts
    deal: Counts
    digest: Counts
    seconds: Numbers
    counts: Mapping[str, Counts]  # decisions, asked, rounds, turns, faults, cuts
    place: Counts  # this and the next five: one column a seat
    bot: Counts
    share: Numbers
    total: Numbers  # not a number in a game without points
    asked: Counts
    width: Counts
    lines: Mapping[str, Numbers]  # by group of the score sheet
    moments: Moments

    @property
    def deals(self) -> int:
        return len(np.unique(self.deal))

    def by_deal(self, values: Numbers) -> list[float]:
        """The mean of each deal's matches: the unit of every interval. A deal that has no value is left out."""
        grouped = values.reshape(-1, self.arm.rotations)
        if self.arm.rotations == 1:
            return [float(value) for value in grouped[:, 0]]
        return [float(value) for value in grouped.mean(axis=1)]


def load(folder: Folder, deals: int) -> list[Played]:
    """Every arm, as far as the first so many deals."""
    tables = {name: folder.table(name, deals).sort("match", maintain_order=True) for name in _NEEDED}
    return [_arm(folder, tables, i) for i in range(len(folder.plan.arms))]


_NEEDED = ("matches", "seats", "lines", "moments")


def of_arm(folder: Folder, table: pl.DataFrame, arm: int) -> pl.DataFrame:
    """The rows of one arm."""
    return table.filter(in_arm(folder, arm))


def in_arm(folder: Folder, arm: int) -> pl.Expr:
    """Whether a row is of an arm: the number of its match says so."""
    plan = folder.plan
    return pl.col("match") // plan.turns % len(plan.arms) == arm


def _arm(folder: Folder, tables: Mapping[str, pl.DataFrame], arm: int) -> Played:
    matches = of_arm(folder, tables["matches"], arm)
    seats = of_arm(folder, tables["seats"], arm)
    number = folder.plan.seats
    match = _counts(matches, "match")
    names = ("decisions", "asked", "rounds", "turns", "faults", "cuts")
    return Played(
        arm=folder.plan.arms[arm],
        match=match,
        deal=_counts(matches, "deal"),
        digest=_counts(matches, "digest"),
        seconds=_numbers(matches, "seconds"),
        counts={name: _counts(matches, name) for name in names},
        place=_counts(seats, "place").reshape(-1, number),
        bot=_counts(seats, "bot").reshape(-1, number),
        share=_numbers(seats, "share").reshape(-1, number),
        total=_numbers(seats, "total").reshape(-1, number),
        asked=_counts(seats, "asked").reshape(-1, number),
        width=_counts(seats, "width").reshape(-1, number),
        lines=_lines(of_arm(folder, tables["lines"], arm), match, number),
        moments=_moments(of_arm(folder, tables["moments"], arm), match, number),
    )


def _lines(lines: pl.DataFrame, match: Counts, seats: int) -> dict[str, Numbers]:
    """The points of each group of lines, in the order of the score sheet."""
    sums = lines.group_by("match", "seat", "group", maintain_order=True).agg(pl.col("points").sum())
    found: dict[str, Numbers] = {}
    for group in sums["group"].unique(maintain_order=True).to_list():
        rows = sums.filter(pl.col("group") == group)
        points = np.zeros((len(match), seats))
        points[np.searchsorted(match, _counts(rows, "match")), _counts(rows, "seat")] = _numbers(rows, "points")
        found[str(group)] = points
    return found


def _moments(moments: pl.DataFrame, match: Counts, seats: int) -> Moments:
    chances = (_numbers(moments, "chance") / WHOLE).reshape(-1, seats)
    owner = _counts(moments, "match")[::seats]
    first = np.append(np.searchsorted(owner, match), len(owner)).astype(np.int64)
    return Moments(first, _numbers(moments, "progress")[::seats], _counts(moments, "actor")[::seats], chances)


def _counts(table: pl.DataFrame, name: str) -> Counts:
    return table[name].cast(pl.Int64).to_numpy()


def _numbers(table: pl.DataFrame, name: str) -> Numbers:
    return table[name].cast(pl.Float64).fill_null(float("nan")).to_numpy()
