"""What is taken when it is on offer, what goes with winning, and what nobody ever takes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from triclinium.engine.core.state import Step
from triclinium.engine.core.text import Message, Name
from triclinium.engine.game import Game
from triclinium.lab.study import statistics
from triclinium.lab.study.arrays import in_arm, of_arm
from triclinium.lab.study.clusters import deal_of, deal_sums, sums_over_deals
from triclinium.lab.study.statistics import Contrast, Estimate, wilson
from triclinium.lab.study.store import Folder, gather

NEVER, ALWAYS = 0.005, 0.95
FEW = 30  # deals on either side, below which nothing is said of winning
RATE = ("offered", "taken")
CONTRAST = ("won", "takers", "won_left", "others")  # wins and seats that took it, wins and seats that did not
WHOLE_WIN = 60  # shares of a win are counted in sixtieths: exact for up to six winners


@dataclass(frozen=True)
class Option:
    """An option of a step over all matches of an arm."""

    step: str
    option: str
    offered: int
    taken: int
    seats: int  # seats that could have taken it
    takers: int  # seats that took it at least once
    taken_share: Estimate  # when on offer; like all intervals here, by deal
    wins: Estimate | None  # of takers less those of the others; None: too few deals with one kind
    family: Estimate | None = None  # the same with an interval that holds for the list of all options
    p: float = 1.0  # adjusted by Benjamini and Hochberg over all options: below 5 % where that interval excludes 0

    @property
    def rate(self) -> float:
        return self.taken / self.offered if self.offered else 0.0


@dataclass(frozen=True)
class Flag:
    """An option that was on offer at least once a match and never taken, or always: by both kinds of bots."""

    step: str
    option: str
    what: str  # "never" or "always"


def options_of(folder: Folder, deals: int, arm: int) -> list[Option]:
    """Every option of an arm, the most offered first."""
    seats = of_arm(folder, folder.table("seats", deals), arm)
    choices = folder.scan("choices", deals).filter(in_arm(folder, arm))
    wins = seats.lazy().select("match", "seat", won=(pl.col("share") * WHOLE_WIN).round().cast(pl.Int64))
    each = choices.group_by("match", "seat", "step", "option").agg(whole("offered"), whole("taken"))
    each = each.join(wins, on=["match", "seat"]).with_columns(took=pl.col("taken") > 0, deal=deal_of(folder))
    took, left = pl.col("took"), ~pl.col("took")
    by_deal = each.group_by("step", "option", "deal").agg(
        pl.col("offered").sum(),
        pl.col("taken").sum(),
        won=pl.col("won").filter(took).sum(),
        takers=took.sum().cast(pl.Int64),
        won_left=pl.col("won").filter(left).sum(),
        others=left.sum().cast(pl.Int64),
    )
    found = by_deal.group_by("step", "option").agg(
        *sums_over_deals(RATE, CONTRAST),
        deals_taken=(pl.col("takers") > 0).sum(),
        deals_left=(pl.col("others") > 0).sum(),
    )
    rows = (
        gather(found, folder).sort(["offered", "step", "option"], descending=[True, False, False]).iter_rows(named=True)
    )
    return judged([_option(row) for row in rows])


def whole(column: str) -> pl.Expr:
    """Return the sum of a column, wide enough for squares."""
    return pl.col(column).cast(pl.Int64).sum()


def judged(found: Sequence[tuple[Option, Contrast | None]]) -> list[Option]:
    """Return the options with what holds for the list of all that can be judged."""
    listed = iter(statistics.listed([contrast for _, contrast in found if contrast is not None]))
    options: list[Option] = []
    for option, contrast in found:
        if contrast is not None:
            one = next(listed)
            option = replace(option, wins=one.alone, family=one.family, p=one.p)
        options.append(option)
    return options


def noted(folder: Folder, deals: int) -> list[int]:
    """How many matches of each arm have their choices in the table."""
    found = gather(folder.scan("choices", deals).select(pl.col("match").unique()), folder)
    return [len(of_arm(folder, found, arm)) for arm in range(len(folder.plan.arms))]


def _option(row: Mapping[str, Any]) -> tuple[Option, Contrast | None]:
    """Return an option, and wins of takers less those of the others where both are found in enough deals."""
    rate = deal_sums(row, RATE)
    takers, others = int(row["takers"]), int(row["others"])
    option = Option(
        str(row["step"]),
        str(row["option"]),
        int(row["offered"]),
        int(row["taken"]),
        takers + others,
        takers,
        statistics.share_of(rate, 1, 0, rate.deals),
        None,
    )
    sides = int(row["deals_taken"]), int(row["deals_left"])
    if min(sides) < FEW:
        return option, None
    return option, statistics.difference_of_ratios(deal_sums(row, CONTRAST), sides, WHOLE_WIN)


def flags(options: Iterable[Option], check: Iterable[Option] | None, matches: int) -> list[Flag]:
    """What both kinds of bots never take, or always, though it is on offer at least once in each of these matches."""
    others = None if check is None else {(one.step, one.option): one for one in check}
    found: list[Flag] = []
    for one in options:
        if one.offered < matches:
            continue
        other = None if others is None else others.get((one.step, one.option))
        if others is not None and other is None:
            continue
        rates = [one.rate] if other is None else [one.rate, other.rate]
        if max(rates) < NEVER and wilson(one.rate, one.offered).high < 2 * NEVER:
            found.append(Flag(one.step, one.option, "never"))
        elif min(rates) > ALWAYS:
            found.append(Flag(one.step, one.option, "always"))
    return found


def step_names(game: Game) -> dict[str, Message | Name]:
    """What the steps of a game are called: the action that each is a part of, and which part."""
    package = type(game).__module__.rpartition(".")[0]
    found: dict[str, Message | Name] = {}
    kinds: list[type] = [Step]
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        id = getattr(kind, "id", None)
        if kind.__module__.startswith(package) and isinstance(id, str):
            found[id] = _step_name(kind, id)
    return found


def _step_name(kind: type, id: str) -> Message | Name:
    action, stage = getattr(kind, "action", None), getattr(kind, "stage", 1)
    if action is None:
        return Name(_spaced(id))
    name = Message(action.name)
    if len(action.stages) < 2 or not 1 <= stage <= len(action.stages):
        return name
    return Message("{0}: {1}", name, Message(action.stages[stage - 1][0]))


def _spaced(id: str) -> str:
    """``choose action`` for ``ChooseAction``."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in id).strip()
