"""Matches of an arm as arrays, one row for each match, in the order of deals and rotations."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from triclinium.lab.study.plan import StudyArm
from triclinium.lab.study.schema import CHANCE_SCALE
from triclinium.lab.study.store import StudyFolder

Numbers: TypeAlias = NDArray[np.float64]
Counts: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class MatchMoments:
    """Stable moments of many matches, concatenated. Match i has those from first[i] up to first[i + 1]."""

    first: Counts
    progress: Numbers
    actor: Counts
    chances: Numbers  # one column for each seat


@dataclass(frozen=True)
class ArmMatches:
    """Everything recorded of an arm except its choices."""

    arm: StudyArm
    match: Counts
    deal: Counts
    digest: Counts
    seconds: Numbers
    counts: Mapping[str, Counts]  # decisions, asked, rounds, turns, faults, cuts
    place: Counts  # This field and the next five have one column for each place in the turn order.
    bot: Counts
    share: Numbers
    total: Numbers  # NaN in a game without points
    asked: Counts
    width: Counts
    lines: Mapping[str, Numbers]  # points by group of the score sheet
    moments: MatchMoments

    @property
    def deals(self) -> int:
        return len(np.unique(self.deal))

    def compute_deal_means(self, values: Numbers) -> list[float]:
        """Return the mean over the matches of each deal, the unit of every interval.

        A missing value makes the mean NaN.
        """
        grouped = values.reshape(-1, self.arm.rotations)
        if self.arm.rotations == 1:
            return [float(value) for value in grouped[:, 0]]
        return [float(value) for value in grouped.mean(axis=1)]


def load_arms(folder: StudyFolder, deals: int) -> list[ArmMatches]:
    """Load every arm for the first ``deals`` deals."""
    tables = {name: folder.read_table(name, deals).sort("match", maintain_order=True) for name in _TABLE_NAMES}
    return [_load_arm(folder, tables, i) for i in range(len(folder.plan.arms))]


_TABLE_NAMES = ("matches", "seats", "lines", "moments")


def filter_arm(folder: StudyFolder, table: pl.DataFrame, arm: int) -> pl.DataFrame:
    """Return the rows of one arm."""
    return table.filter(make_arm_filter(folder, arm))


def make_arm_filter(folder: StudyFolder, arm: int) -> pl.Expr:
    """Return a filter for the rows of one arm, which follows from their match numbers."""
    plan = folder.plan
    return pl.col("match") // plan.max_rotations % len(plan.arms) == arm


def _load_arm(folder: StudyFolder, tables: Mapping[str, pl.DataFrame], arm: int) -> ArmMatches:
    matches = filter_arm(folder, tables["matches"], arm)
    seats = filter_arm(folder, tables["seats"], arm)
    number = folder.plan.seats
    match = _read_int_column(matches, "match")
    names = ("decisions", "asked", "rounds", "turns", "faults", "cuts")
    return ArmMatches(
        arm=folder.plan.arms[arm],
        match=match,
        deal=_read_int_column(matches, "deal"),
        digest=_read_int_column(matches, "digest"),
        seconds=_read_float_column(matches, "seconds"),
        counts={name: _read_int_column(matches, name) for name in names},
        place=_read_int_column(seats, "place").reshape(-1, number),
        bot=_read_int_column(seats, "bot").reshape(-1, number),
        share=_read_float_column(seats, "share").reshape(-1, number),
        total=_read_float_column(seats, "total").reshape(-1, number),
        asked=_read_int_column(seats, "asked").reshape(-1, number),
        width=_read_int_column(seats, "width").reshape(-1, number),
        lines=_sum_line_points(filter_arm(folder, tables["lines"], arm), match, number),
        moments=_load_moments(filter_arm(folder, tables["moments"], arm), match, number),
    )


def _sum_line_points(lines: pl.DataFrame, match: Counts, seats: int) -> dict[str, Numbers]:
    """Return the points of each group of score lines, in the order of the score sheet."""
    sums = lines.group_by("match", "seat", "group", maintain_order=True).agg(pl.col("points").sum())
    points_by_group: dict[str, Numbers] = {}
    for group in sums["group"].unique(maintain_order=True).to_list():
        rows = sums.filter(pl.col("group") == group)
        points = np.zeros((len(match), seats))
        points[np.searchsorted(match, _read_int_column(rows, "match")), _read_int_column(rows, "seat")] = (
            _read_float_column(rows, "points")
        )
        points_by_group[str(group)] = points
    return points_by_group


def _load_moments(moments: pl.DataFrame, match: Counts, seats: int) -> MatchMoments:
    chances = (_read_float_column(moments, "chance") / CHANCE_SCALE).reshape(-1, seats)
    owner = _read_int_column(moments, "match")[::seats]
    first = np.append(np.searchsorted(owner, match), len(owner)).astype(np.int64)
    return MatchMoments(
        first, _read_float_column(moments, "progress")[::seats], _read_int_column(moments, "actor")[::seats], chances
    )


def _read_int_column(table: pl.DataFrame, name: str) -> Counts:
    return table[name].cast(pl.Int64).to_numpy()


def _read_float_column(table: pl.DataFrame, name: str) -> Numbers:
    return table[name].cast(pl.Float64).fill_null(float("nan")).to_numpy()
