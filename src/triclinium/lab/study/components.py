"""Analysis of cards and places: how often they are taken, and how often their owners win."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from triclinium.engine.core.text import Arg, Reader
from triclinium.engine.option_components import Component
from triclinium.lab.study import statistics
from triclinium.lab.study.arrays import filter_arm
from triclinium.lab.study.choices import MIN_DEALS, RATE_COLUMNS, WHOLE_WIN, make_wide_sum
from triclinium.lab.study.clusters import make_deal_aggregations, make_deal_expression, read_deal_sums
from triclinium.lab.study.statistics import Contrast, Estimate
from triclinium.lab.study.store import StudyFolder

# Column names for one kind of owner: their wins, their number, and the deals in which they occur.
HOLDER_COLUMNS = ("won_held", "holders", "deals_held")
TAKER_COLUMNS = ("won_taken", "takers", "deals_taken")


@dataclass(frozen=True)
class ComponentOwners:
    """Seats that took a component, or that had it at the end, with their share of wins."""

    seats: int
    won: Estimate  # share of wins
    # Difference from a fair share, with an interval for the whole list; None with too few deals
    above_fair: Estimate | None = None
    p: float = 1.0  # p-value adjusted by Benjamini and Hochberg: below 5% where that interval excludes 0

    @property
    def differ_from_fair(self) -> bool:
        """Return whether they win significantly more or less than a fair share."""
        return self.above_fair is not None and self.above_fair.excludes_zero


@dataclass(frozen=True)
class ComponentReport:
    """A component over all matches of the first arm. Every interval is clustered by deal."""

    table: str
    id: str
    name: Arg
    label: str  # name in English, for tables and JSON
    offered: int
    taken: int
    held: int  # number at the end of matches, over all seats
    taken_share: Estimate  # share of offers that were taken
    takers: ComponentOwners | None  # None if no seat took it
    holders: ComponentOwners | None  # None if no seat had it at the end

    @property
    def address(self) -> str:
        """Unique address of the component: table and id, such as ``card G01``."""
        return f"{self.table} {self.id}"

    @property
    def has_enough_deals(self) -> bool:
        """Return whether there are enough deals to compare the wins of its owners with a fair share."""
        return any(owners is not None and owners.above_fair is not None for owners in (self.takers, self.holders))

    @property
    def differs_from_fair(self) -> bool:
        """Return whether its takers or holders win significantly more or less than a fair share."""
        return any(owners is not None and owners.differ_from_fair for owners in (self.takers, self.holders))

    @property
    def distance_from_fair(self) -> float:
        """Return by how much its takers or holders differ from a fair share, in either direction."""
        compared = [owners.above_fair for owners in (self.takers, self.holders) if owners is not None]
        return max((abs(above.value) for above in compared if above is not None), default=0.0)


def analyze_components(folder: StudyFolder, deals: int) -> list[ComponentReport]:
    """Return the components that options of the first arm referred to, or that a seat had at the end."""
    wins = filter_arm(folder, folder.read_table("seats", deals), 0).select(
        "match", "seat", won=(pl.col("share") * WHOLE_WIN).round().cast(pl.Int64)
    )
    has, took = pl.col("held") > 0, pl.col("taken") > 0
    by_deal = (
        filter_arm(folder, folder.read_table("things", deals), 0)
        .join(wins, on=["match", "seat"])
        .with_columns(deal=make_deal_expression(folder))
        .group_by("thing", "deal")
        .agg(
            make_wide_sum("offered"),
            make_wide_sum("taken"),
            make_wide_sum("held"),
            won_held=pl.col("won").filter(has).sum(),
            holders=has.sum().cast(pl.Int64),
            won_taken=pl.col("won").filter(took).sum(),
            takers=took.sum().cast(pl.Int64),
        )
    )
    rows = by_deal.group_by("thing").agg(
        *make_deal_aggregations(RATE_COLUMNS, HOLDER_COLUMNS[:2], TAKER_COLUMNS[:2]),
        pl.col("held").sum(),
        deals_offered=(pl.col("offered") > 0).sum(),
        deals_held=(pl.col("holders") > 0).sum(),
        deals_taken=(pl.col("takers") > 0).sum(),
    )
    records = list(rows.sort("thing").iter_rows(named=True))
    seats = folder.plan.seats
    owners = _adjust_owners(
        [_make_owners(row, seats, *side) for row in records for side in (TAKER_COLUMNS, HOLDER_COLUMNS)]
    )
    game = folder.plan.load_edition_game(0)
    reader = game.words.reader()
    return [
        _make_component_report(game.all_components[row["thing"]], reader, row, owners[2 * i], owners[2 * i + 1])
        for i, row in enumerate(records)
    ]


def count_component_matches(folder: StudyFolder, deals: int) -> int:
    """Return the number of matches of the first arm whose components were recorded."""
    return filter_arm(folder, folder.read_table("things", deals), 0)["match"].n_unique()


def _make_component_report(
    component: Component,
    reader: Reader,
    row: Mapping[str, Any],
    takers: ComponentOwners | None,
    holders: ComponentOwners | None,
) -> ComponentReport:
    return ComponentReport(
        component.table,
        component.id,
        component.name,
        reader.format_arg(component.name),
        int(row["offered"]),
        int(row["taken"]),
        int(row["held"]),
        statistics.estimate_clustered_share(read_deal_sums(row, RATE_COLUMNS), 1, 0, int(row["deals_offered"])),
        takers,
        holders,
    )


def _make_owners(
    row: Mapping[str, Any], seats: int, won: str, owners: str, deals: str
) -> tuple[ComponentOwners | None, Contrast | None]:
    """Return the owners, and their excess over a fair share of wins if they occur in enough deals."""
    sums, with_owners = read_deal_sums(row, (won, owners)), int(row[deals])
    wins, number = sums.totals
    if not number:
        return None, None
    result = ComponentOwners(number, statistics.estimate_clustered_share(sums, 0, 1, with_owners, WHOLE_WIN))
    if with_owners < MIN_DEALS:
        return result, None
    above = (seats * wins - WHOLE_WIN * number) / (WHOLE_WIN * seats * number)
    error = statistics.estimate_ratio(sums, 0, 1, with_owners, WHOLE_WIN)[1]
    return result, Contrast(above, error, with_owners, with_owners)


def _adjust_owners(pairs: Sequence[tuple[ComponentOwners | None, Contrast | None]]) -> list[ComponentOwners | None]:
    """Return the owners with their intervals and p-values adjusted for the whole list."""
    adjusted = iter(statistics.adjust_contrasts([contrast for _, contrast in pairs if contrast is not None]))
    results: list[ComponentOwners | None] = []
    for owners, contrast in pairs:
        if owners is not None and contrast is not None:
            contrast_result = next(adjusted)
            owners = replace(owners, above_fair=contrast_result.family, p=contrast_result.p)
        results.append(owners)
    return results
