"""Analysis of choices: how often options are taken when offered, which go with winning, and which are never taken."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from triclinium.engine.core.state import Step
from triclinium.engine.core.text import Message, Name
from triclinium.engine.game import Game
from triclinium.lab.study import statistics
from triclinium.lab.study.arrays import filter_arm, make_arm_filter
from triclinium.lab.study.clusters import make_deal_aggregations, make_deal_expression, read_deal_sums
from triclinium.lab.study.statistics import Contrast, Estimate, estimate_share
from triclinium.lab.study.store import StudyFolder, collect_rows

NEVER, ALWAYS = 0.005, 0.95
MIN_DEALS = 30  # minimum number of deals with takers, and with others, for a statement about winning
RATE_COLUMNS = ("offered", "taken")
# the wins and the number of takers, then the wins and the number of the other seats
CONTRAST_COLUMNS = ("won", "takers", "won_left", "others")
WHOLE_WIN = 60  # Shares of a win are counted in sixtieths, which is exact for up to six winners.


@dataclass(frozen=True)
class OptionReport:
    """An option of a step over all matches of an arm."""

    step: str
    option: str
    offered: int
    taken: int
    seats: int  # seats that could have taken it
    takers: int  # seats that took it at least once
    taken_share: Estimate  # share of offers that were taken; clustered by deal, as are all intervals here
    wins: Estimate | None  # wins of takers minus wins of the others; None with too few deals of either
    family: Estimate | None = None  # the same difference with an interval that is valid for the list of all options
    # P-value adjusted by Benjamini and Hochberg over all options: below 5% where that interval excludes 0
    p: float = 1.0

    @property
    def rate(self) -> float:
        return self.taken / self.offered if self.offered else 0.0


@dataclass(frozen=True)
class OptionFlag:
    """An option that was offered at least once a match and that all bots never, or always, took."""

    step: str
    option: str
    what: str  # "never" or "always"


def analyze_options(folder: StudyFolder, deals: int, arm: int) -> list[OptionReport]:
    """Return every option of an arm, the most offered first."""
    seats = filter_arm(folder, folder.read_table("seats", deals), arm)
    choices = folder.scan_table("choices", deals).filter(make_arm_filter(folder, arm))
    wins = seats.lazy().select("match", "seat", won=(pl.col("share") * WHOLE_WIN).round().cast(pl.Int64))
    each = choices.group_by("match", "seat", "step", "option").agg(make_wide_sum("offered"), make_wide_sum("taken"))
    each = each.join(wins, on=["match", "seat"]).with_columns(
        took=pl.col("taken") > 0, deal=make_deal_expression(folder)
    )
    took, left = pl.col("took"), ~pl.col("took")
    by_deal = each.group_by("step", "option", "deal").agg(
        pl.col("offered").sum(),
        pl.col("taken").sum(),
        won=pl.col("won").filter(took).sum(),
        takers=took.sum().cast(pl.Int64),
        won_left=pl.col("won").filter(left).sum(),
        others=left.sum().cast(pl.Int64),
    )
    sums = by_deal.group_by("step", "option").agg(
        *make_deal_aggregations(RATE_COLUMNS, CONTRAST_COLUMNS),
        deals_taken=(pl.col("takers") > 0).sum(),
        deals_left=(pl.col("others") > 0).sum(),
    )
    rows = (
        collect_rows(sums, folder)
        .sort(["offered", "step", "option"], descending=[True, False, False])
        .iter_rows(named=True)
    )
    return adjust_options([_make_option(row) for row in rows])


def make_wide_sum(column: str) -> pl.Expr:
    """Return the sum of a column as a 64-bit integer, wide enough for squares."""
    return pl.col(column).cast(pl.Int64).sum()


def adjust_options(pairs: Sequence[tuple[OptionReport, Contrast | None]]) -> list[OptionReport]:
    """Return the options with their intervals and p-values adjusted for the whole list."""
    adjusted = iter(statistics.adjust_contrasts([contrast for _, contrast in pairs if contrast is not None]))
    options: list[OptionReport] = []
    for option, contrast in pairs:
        if contrast is not None:
            result = next(adjusted)
            option = replace(option, wins=result.alone, family=result.family, p=result.p)
        options.append(option)
    return options


def count_noted_matches(folder: StudyFolder, deals: int) -> list[int]:
    """Return the number of matches of each arm whose choices were recorded."""
    match_numbers = collect_rows(folder.scan_table("choices", deals).select(pl.col("match").unique()), folder)
    return [len(filter_arm(folder, match_numbers, arm)) for arm in range(len(folder.plan.arms))]


def _make_option(row: Mapping[str, Any]) -> tuple[OptionReport, Contrast | None]:
    """Return an option, and the wins of takers minus those of the others if both occur in enough deals."""
    rate = read_deal_sums(row, RATE_COLUMNS)
    takers, others = int(row["takers"]), int(row["others"])
    option = OptionReport(
        str(row["step"]),
        str(row["option"]),
        int(row["offered"]),
        int(row["taken"]),
        takers + others,
        takers,
        statistics.estimate_clustered_share(rate, 1, 0, rate.deals),
        None,
    )
    sides = int(row["deals_taken"]), int(row["deals_left"])
    if min(sides) < MIN_DEALS:
        return option, None
    return option, statistics.estimate_ratio_difference(read_deal_sums(row, CONTRAST_COLUMNS), sides, WHOLE_WIN)


def flag_options(
    options: Iterable[OptionReport], check: Iterable[OptionReport] | None, matches: int
) -> list[OptionFlag]:
    """Return the options offered once a match or more that both kinds of bots never or always take."""
    others = None if check is None else {(option.step, option.option): option for option in check}
    flagged: list[OptionFlag] = []
    for option in options:
        if option.offered < matches:
            continue
        other = None if others is None else others.get((option.step, option.option))
        if others is not None and other is None:
            continue
        rates = [option.rate] if other is None else [option.rate, other.rate]
        if max(rates) < NEVER and estimate_share(option.rate, option.offered).high < 2 * NEVER:
            flagged.append(OptionFlag(option.step, option.option, "never"))
        elif min(rates) > ALWAYS:
            flagged.append(OptionFlag(option.step, option.option, "always"))
    return flagged


def list_step_names(game: Game) -> dict[str, Message | Name]:
    """Return the names of the steps of a game: the action of each step, with its stage if there are several."""
    package = type(game).__module__.rpartition(".")[0]
    names: dict[str, Message | Name] = {}
    kinds: list[type] = [Step]
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        id = getattr(kind, "id", None)
        if kind.__module__.startswith(package) and isinstance(id, str):
            names[id] = _format_step_name(kind, id)
    return names


def _format_step_name(kind: type, id: str) -> Message | Name:
    action, stage = getattr(kind, "action", None), getattr(kind, "stage", 1)
    if action is None:
        return Name(_split_words(id))
    name = Message(action.name)
    if len(action.stages) < 2 or not 1 <= stage <= len(action.stages):
        return name
    return Message("{0}: {1}", name, Message(action.stages[stage - 1][0]))


def _split_words(id: str) -> str:
    """Return a class name as words: ``choose action`` for ``ChooseAction``."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in id).strip()
