"""Better weights by self-play: an evolution strategy proposes, matches against the present weights decide.

Every proposal of a generation plays the same deals from every seat, so that luck weighs little. What is maximised is
the margin in units of the title's scale, which tells more than the bare win. At the end the new weights meet the old
ones in fresh deals, and the scale is fitted to how often a lead was turned into a win.
"""

import copy
import math
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypedDict

from triclinium.bots import Bot, bot, choice, derive, play_out
from triclinium.bots.judge import odds, result_shares, value
from triclinium.kernel.errors import BadSetup
from triclinium.kernel.registry import title as find_title
from triclinium.kernel.rng import Rng
from triclinium.kernel.state import State
from triclinium.kernel.title import Title
from triclinium.lab.standings import interval

STEP = 0.3  # the first proposals differ by so much of a weight
FLOOR = 0.1  # of the mean weight: how far a weight of nought may stray
TRIALS, FITS = 1_000_000, 2_000_000  # where the seeds of the closing matches lie


class Strategy(Protocol):
    """What is used of cma's CMAEvolutionStrategy."""

    def ask(self) -> list[list[float]]: ...
    def tell(self, solutions: list[list[float]], values: list[float]) -> None: ...
    @property
    def mean(self) -> list[float]: ...


@dataclass(frozen=True)
class Search:
    """How to look for better weights."""

    title: str
    seats: int
    bot: str = "steady"
    seconds: float = 300.0
    deals: int = 4  # each proposal plays, from every seat
    trials: int = 200  # matches of the new weights against the old ones
    seed: int = 1


class TuningReport(TypedDict):
    """The result of a tuning, JSON-ready."""

    title: str
    bot: str
    seats: int
    generations: int
    matches: int
    seconds: float
    before: dict[str, float]
    weights: dict[str, float]
    scale_before: float
    scale: float
    trials: int
    share: float  # of the wins against the old weights
    low: float
    high: float


def tune(search: Search, tell: Callable[[int, float], None] | None = None) -> TuningReport:
    """Look for better weights until the time is up; ``tell`` hears of each generation and its best margin."""
    title = find_title(search.title)
    base = title.weights
    units = _units(base)
    strategy = _strategy(len(base), search.seed)
    began = time.monotonic()
    generations = matches = 0
    while time.monotonic() - began < search.seconds:
        proposals = strategy.ask()
        deals = range(generations * search.deals, (generations + 1) * search.deals)
        margins = [margin(search, title, _moved(base, units, proposal), deals) for proposal in proposals]
        strategy.tell(proposals, [-one for one in margins])
        generations += 1
        matches += len(proposals) * search.deals * search.seats
        if tell is not None:
            tell(generations, max(margins))
    weights = _moved(base, units, list(strategy.mean)) if generations else base[:]
    share = trial(search, title, weights)
    low, high = interval(share, search.trials)
    return {
        "title": title.id,
        "bot": search.bot,
        "seats": search.seats,
        "generations": generations,
        "matches": matches,
        "seconds": round(time.monotonic() - began, 1),
        "before": dict(zip(title.features, base, strict=True)),
        "weights": {name: round(weight, 4) for name, weight in zip(title.features, weights, strict=True)},
        "scale_before": title.scale,
        "scale": fit_scale(search, with_weights(title, weights)),
        "trials": search.trials,
        "share": round(share, 4),
        "low": round(low, 4),
        "high": round(high, 4),
    }


def with_weights(title: Title, weights: list[float]) -> Title:
    """The same title, judged by other weights."""
    other = copy.copy(title)
    other.weights = weights
    return other


def margin(search: Search, title: Title, weights: list[float], deals: range) -> float:
    """The mean margin of new weights over the title's own, in units of its scale, one seat against the others."""
    total = 0.0
    for deal in deals:
        for seat in range(search.seats):
            s = _match(search, title, weights, deal, seat)
            totals = [score.total for score in s.scores()]
            ahead = totals[seat] - max(one for other, one in enumerate(totals) if other != seat)
            total += math.tanh(ahead / (3.0 * title.scale)) + 2.0 * result_shares(s)[seat]
    return total / (len(deals) * search.seats)


def trial(search: Search, title: Title, weights: list[float]) -> float:
    """The share of the wins of one seat with new weights, against the title's own, in fresh deals."""
    won = 0.0
    for match in range(search.trials):
        deal, seat = divmod(match, search.seats)
        won += result_shares(_match(search, title, weights, TRIALS + deal, seat))[seat]
    return won / search.trials if search.trials else 0.0


def _match(search: Search, title: Title, weights: list[float], deal: int, seat: int) -> State:
    s = title.deal(search.seats, derive(search.seed, deal))
    old = bot(search.bot, title)
    players: list[Bot] = [old for _ in range(search.seats)]
    players[seat] = bot(search.bot, with_weights(title, weights))
    play_out(s, players, [Rng(derive(search.seed, deal, place)) for place in range(search.seats)])
    return s


def fit_scale(search: Search, title: Title, matches: int = 20) -> float:
    """The scale under which the evaluation of quiet positions foretold the winners best."""
    seen: list[tuple[list[float], list[float]]] = []
    for match in range(matches):
        s = title.deal(search.seats, derive(search.seed, FITS + match))
        player = bot(search.bot, title)
        rng = Rng(derive(search.seed, FITS + match, 0))
        judged: list[list[float]] = []
        while not s.over:
            if s.quiet():
                judged.append([value(s, seat, title.weights) for seat in range(s.seats)])
            s.choose(choice(player, s, rng))
        result = result_shares(s)
        seen += [(worth, result) for worth in judged]
    tried: list[float] = [title.scale * 2.0 ** (k / 4) for k in range(-12, 13)]
    surprises = [_surprise(seen, scale) for scale in tried]
    return round(tried[surprises.index(min(surprises))], 2)


def _surprise(seen: list[tuple[list[float], list[float]]], scale: float) -> float:
    """How badly the odds at this scale foretold what came: the cross entropy."""
    total = 0.0
    for worth, result in seen:
        for share, chance in zip(result, odds(worth, scale), strict=True):
            if share:
                total -= share * math.log(max(chance, 1e-9))
    return total


def weights_toml(report: TuningReport, how: str) -> str:
    """A weights.toml with the new weights."""
    lines = [
        f"# {how}",
        f"scale = {report['scale']} # points ahead that make a win 2.7 times as likely",
        "",
        "[weights]",
    ]
    lines += [f"{name} = {weight}" for name, weight in report["weights"].items()]
    return "\n".join(lines) + "\n"


def _units(base: list[float]) -> list[float]:
    """How far one step of the strategy moves each weight."""
    mean = sum(abs(weight) for weight in base) / len(base)
    return [max(abs(weight), FLOOR * mean) for weight in base]


def _moved(base: list[float], units: list[float], steps: list[float]) -> list[float]:
    return [weight + unit * float(step) for weight, unit, step in zip(base, units, steps, strict=True)]


def _strategy(size: int, seed: int) -> Strategy:
    try:
        with warnings.catch_warnings(action="ignore"):  # it misses matplotlib, and we do not
            import cma
    except ImportError:
        raise BadSetup("tuning needs cma: pip install 'triclinium[lab]'") from None
    options = {"seed": seed % (1 << 31) + 1, "verbose": -9, "verb_log": 0, "verb_disp": 0}
    found: Strategy = cma.CMAEvolutionStrategy([0.0] * size, STEP, options)
    return found
