"""Cards and places in figures: how often they are taken, and how often those win who have them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from triclinium.engine.core.text import Arg, Reader
from triclinium.engine.option_components import Component
from triclinium.lab.study import statistics
from triclinium.lab.study.arrays import of_arm
from triclinium.lab.study.choices import FEW, RATE, WHOLE_WIN, whole
from triclinium.lab.study.clusters import deal_of, deal_sums, sums_over_deals
from triclinium.lab.study.statistics import Contrast, Estimate
from triclinium.lab.study.store import Folder

# The columns of one kind of owners: their wins, how many they are, in how many deals.
HELD = ("won_held", "holders", "deals_held")
TAKEN = ("won_taken", "takers", "deals_taken")


@dataclass(frozen=True)
class Owners:
    """The seats that took a component, or that had it at the end, and how often they won."""

    seats: int
    won: Estimate  # their share of the wins
    above_fair: Estimate | None = None  # less a fair share, with an interval for the whole list; None: too few deals
    p: float = 1.0  # adjusted by Benjamini and Hochberg: below 5 % where that interval excludes 0

    @property
    def stand_out(self) -> bool:
        """Whether they win more or less than a fair share beyond doubt."""
        return self.above_fair is not None and self.above_fair.excludes_zero


@dataclass(frozen=True)
class ThingReport:
    """A component over all matches of the first arm; every interval is clustered by deal."""

    table: str
    id: str
    name: Arg
    label: str  # the same in English, for tables and JSON
    offered: int
    taken: int
    held: int  # at the end, by all seats
    taken_share: Estimate  # when on offer
    takers: Owners | None  # None: nobody took it
    holders: Owners | None  # None: nobody had it at the end

    @property
    def address(self) -> str:
        """Return the table and the id, as ``card G01``: no other component has the same."""
        return f"{self.table} {self.id}"

    @property
    def judged(self) -> bool:
        """Whether enough deals say how often its owners win."""
        return any(one is not None and one.above_fair is not None for one in (self.takers, self.holders))

    @property
    def stands_out(self) -> bool:
        """Whether its takers or holders win more or less than a fair share beyond doubt."""
        return any(one is not None and one.stand_out for one in (self.takers, self.holders))


def components_of(folder: Folder, deals: int) -> list[ThingReport]:
    """Return the components that options of the first arm were about, or that some seat had at the end."""
    wins = of_arm(folder, folder.table("seats", deals), 0).select(
        "match", "seat", won=(pl.col("share") * WHOLE_WIN).round().cast(pl.Int64)
    )
    has, took = pl.col("held") > 0, pl.col("taken") > 0
    by_deal = (
        of_arm(folder, folder.table("things", deals), 0)
        .join(wins, on=["match", "seat"])
        .with_columns(deal=deal_of(folder))
        .group_by("thing", "deal")
        .agg(
            whole("offered"),
            whole("taken"),
            whole("held"),
            won_held=pl.col("won").filter(has).sum(),
            holders=has.sum().cast(pl.Int64),
            won_taken=pl.col("won").filter(took).sum(),
            takers=took.sum().cast(pl.Int64),
        )
    )
    rows = by_deal.group_by("thing").agg(
        *sums_over_deals(RATE, HELD[:2], TAKEN[:2]),
        pl.col("held").sum(),
        deals_offered=(pl.col("offered") > 0).sum(),
        deals_held=(pl.col("holders") > 0).sum(),
        deals_taken=(pl.col("takers") > 0).sum(),
    )
    told = list(rows.sort("thing").iter_rows(named=True))
    seats = folder.plan.seats
    owners = _judged([_owners(row, seats, *side) for row in told for side in (TAKEN, HELD)])
    game = folder.plan.game(0)
    reader = game.words.reader()
    return [
        _thing(game.things[row["thing"]], reader, row, owners[2 * i], owners[2 * i + 1]) for i, row in enumerate(told)
    ]


def matches_with_components(folder: Folder, deals: int) -> int:
    """Return how many matches of the first arm have their components in the table."""
    return of_arm(folder, folder.table("things", deals), 0)["match"].n_unique()


def _thing(
    component: Component, reader: Reader, row: Mapping[str, Any], takers: Owners | None, holders: Owners | None
) -> ThingReport:
    return ThingReport(
        component.table,
        component.id,
        component.name,
        reader.say(component.name),
        int(row["offered"]),
        int(row["taken"]),
        int(row["held"]),
        statistics.share_of(deal_sums(row, RATE), 1, 0, int(row["deals_offered"])),
        takers,
        holders,
    )


def _owners(
    row: Mapping[str, Any], seats: int, won: str, owners: str, deals: str
) -> tuple[Owners | None, Contrast | None]:
    """Return the owners, and their share of the wins less a fair one where they are found in enough deals."""
    sums, with_owners = deal_sums(row, (won, owners)), int(row[deals])
    wins, number = sums.totals
    if not number:
        return None, None
    found = Owners(number, statistics.share_of(sums, 0, 1, with_owners, WHOLE_WIN))
    if with_owners < FEW:
        return found, None
    above = (seats * wins - WHOLE_WIN * number) / (WHOLE_WIN * seats * number)
    error = statistics.ratio(sums, 0, 1, with_owners, WHOLE_WIN)[1]
    return found, Contrast(above, error, with_owners, with_owners)


def _judged(found: Sequence[tuple[Owners | None, Contrast | None]]) -> list[Owners | None]:
    """Return the owners with what holds for the list of all that can be judged."""
    listed = iter(statistics.listed([contrast for _, contrast in found if contrast is not None]))
    judged: list[Owners | None] = []
    for owners, contrast in found:
        if owners is not None and contrast is not None:
            one = next(listed)
            owners = replace(owners, above_fair=one.family, p=one.p)
        judged.append(owners)
    return judged
