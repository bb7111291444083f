"""What is taken when it is on offer, what goes with winning, and what nobody ever takes."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

import polars as pl

from triclinium.engine.core.state import Step
from triclinium.engine.core.text import Message, Name
from triclinium.engine.game import Game
from triclinium.lab.study import statistics
from triclinium.lab.study.folder import Folder, gather
from triclinium.lab.study.statistics import Estimate, wilson
from triclinium.lab.study.tables import in_arm, of_arm

NEVER, ALWAYS = 0.005, 0.95
FEW = 30  # seats on either side, below which nothing is said of winning
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
    wins: Estimate | None  # of takers less those of the others; None: too few of one kind
    p: float = 1.0  # adjusted by Benjamini and Hochberg over all options

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
    each = choices.group_by("match", "seat", "step", "option").agg(pl.col("offered").sum(), pl.col("taken").sum())
    each = each.join(wins, on=["match", "seat"]).with_columns(took=pl.col("taken") > 0)
    took, left = pl.col("took"), ~pl.col("took")
    found = each.group_by("step", "option").agg(
        pl.col("offered").sum(),
        pl.col("taken").sum(),
        seats=pl.len(),
        takers=took.sum(),
        won=pl.col("won").filter(took).sum(),
        square=(pl.col("won") ** 2).filter(took).sum(),
        won_left=pl.col("won").filter(left).sum(),
        square_left=(pl.col("won") ** 2).filter(left).sum(),
    )
    rows = (
        gather(found, folder).sort(["offered", "step", "option"], descending=[True, False, False]).iter_rows(named=True)
    )
    options = [_option(row) for row in rows]
    told = [i for i, one in enumerate(options) if one.wins is not None]
    ps = statistics.benjamini_hochberg([_p(options[i].wins) for i in told])
    adjusted = dict(zip(told, ps, strict=True))
    return [
        Option(one.step, one.option, one.offered, one.taken, one.seats, one.takers, one.wins, adjusted.get(i, 1.0))
        for i, one in enumerate(options)
    ]


def noted(folder: Folder, deals: int) -> list[int]:
    """How many matches of each arm have their choices in the table."""
    found = gather(folder.scan("choices", deals).select(pl.col("match").unique()), folder)
    return [len(of_arm(folder, found, arm)) for arm in range(len(folder.plan.arms))]


def _p(wins: Estimate | None) -> float:
    return statistics.two_sided(wins.value / wins.error, wins.n) if wins is not None and wins.error else 1.0


def _option(row: dict[str, object]) -> Option:
    number = {name: int(str(value)) for name, value in row.items() if name not in ("step", "option")}
    takers, others = number["takers"], number["seats"] - number["takers"]
    wins = None
    if takers >= FEW and others >= FEW:
        a, va = _moments(number["won"], number["square"], takers)
        b, vb = _moments(number["won_left"], number["square_left"], others)
        error = sqrt(va / takers + vb / others)
        reach = statistics.quantile(0.975, takers + others) * error
        wins = Estimate(a - b, a - b - reach, a - b + reach, takers + others, error)
    return Option(
        str(row["step"]), str(row["option"]), number["offered"], number["taken"], number["seats"], takers, wins
    )


def _moments(total: int, square: int, n: int) -> tuple[float, float]:
    """Mean and variance of shares that were counted in sixtieths."""
    mean = total / n / WHOLE_WIN
    return mean, max(0.0, (square - total * total / n) / (n - 1) / WHOLE_WIN**2)


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
