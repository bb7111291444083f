"""Totals over the matches of a simulation."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NotRequired, TypedDict

from triclinium.bots.registry import describe_network
from triclinium.engine.game import Game


class SeatReport(TypedDict):
    """The result of one seat over all matches."""

    seat: int
    bot: str
    mean_score: NotRequired[float]  # missing in a game without points
    deviation: NotRequired[float]  # standard deviation of the score between matches
    wins: float  # number of wins; a shared first rank splits a win
    win_share: float
    lines: dict[str, float]  # mean points of each line of the score sheet


class BotReport(TypedDict):
    """The result of one bot over all its seats."""

    bot: str
    seats: int
    mean_score: NotRequired[float]
    wins: float


class CountSpread(TypedDict):
    """The mean and range of a count over all matches."""

    mean: float
    least: int
    most: int


class TimeReport(TypedDict):
    """The times of a run, the only part that differs between two runs of one plan."""

    workers: int
    seconds: float
    matches_per_second: float


class SimulationReport(TypedDict):
    """The result of a simulation, ready for JSON."""

    game: str
    version: int
    components: str
    variants: dict[str, str]
    net: str  # name of the network of its bots; empty if none
    seed: int
    asked: int
    played: int
    interrupted: bool
    seats: list[SeatReport]
    bots: list[BotReport]
    decisions: CountSpread
    rounds: CountSpread | None
    # Number of bot failures by kind, such as "greedy: illegal"; a legal option replaced each answer
    faults: dict[str, int]
    cut: dict[str, int]  # answers that the clock cut short because the machine was too busy, by bot
    time: TimeReport


class SimulationTotals:
    """Running totals as whole numbers and fractions, free of rounding errors."""

    def __init__(self, game: Game, bots: list[str], variants: dict[str, str], planned_matches: int, seed: int) -> None:
        self.game = game
        self.bots = bots
        self.variants = variants
        self.planned_matches = planned_matches
        self.seed = seed
        self.played = 0
        self.interrupted = False
        self.totals = [0 for _ in bots]
        self.squares = [0 for _ in bots]
        self.wins = [Fraction(0) for _ in bots]
        self.lines: list[dict[str, int]] = [{} for _ in bots]
        self.decisions = _RunningCount()
        self.rounds = _RunningCount()
        self.faults: dict[str, int] = {}
        self.cut_answers: dict[str, int] = {}

    def add_match(
        self,
        ranks: list[int],
        totals: Sequence[int | None],
        lines: list[list[tuple[str, int]]],
        decisions: int,
        rounds: int | None,
        faults: Sequence[str] = (),
    ) -> None:
        """Add one match."""
        for fault in faults:
            self.faults[fault] = self.faults.get(fault, 0) + 1
        self.played += 1
        best = min(ranks)
        for seat, total in enumerate(totals):
            self.totals[seat] += total or 0
            self.squares[seat] += (total or 0) ** 2
            if ranks[seat] == best:
                self.wins[seat] += Fraction(1, ranks.count(best))
            sums = self.lines[seat]
            for name, points in lines[seat]:
                sums[name] = sums.get(name, 0) + points
        self.decisions.add(decisions)
        if rounds is not None:
            self.rounds.add(rounds)

    def add_cut_answers(self, bots: Sequence[str]) -> None:
        """Add the answers of one match that the clock cut short."""
        for bot in bots:
            self.cut_answers[bot] = self.cut_answers.get(bot, 0) + 1

    def report(self, workers: int, seconds: float) -> SimulationReport:
        """Return the report of all matches added so far."""
        return {
            "game": self.game.id,
            "version": self.game.version,
            "components": self.game.hash,
            "variants": self.variants,
            "net": describe_network(self.bots, self.game),
            "seed": self.seed,
            "asked": self.planned_matches,
            "played": self.played,
            "interrupted": self.interrupted,
            "seats": [self._build_seat_report(seat) for seat in range(len(self.bots))],
            "bots": [self._build_bot_report(name) for name in dict.fromkeys(self.bots)],
            "decisions": self.decisions.summarize(),
            "rounds": self.rounds.summarize() if self.rounds.count else None,
            "faults": self.faults,
            "cut": self.cut_answers,
            "time": {
                "workers": workers,
                "seconds": round(seconds, 3),
                "matches_per_second": round(self.played / seconds, 1) if seconds else 0.0,
            },
        }

    def _build_seat_report(self, seat: int) -> SeatReport:
        n = self.played
        total = self.totals[seat]
        spread = Fraction(self.squares[seat] * n - total * total, n * max(1, n - 1)) if n else Fraction(0)
        report: SeatReport = {
            "seat": seat,
            "bot": self.bots[seat],
            "wins": round(float(self.wins[seat]), 3),
            "win_share": _compute_mean(self.wins[seat], n),
            "lines": {name: _compute_mean(points, n) for name, points in self.lines[seat].items()},
        }
        if self.game.has_points:
            report["mean_score"] = _compute_mean(total, n)
            report["deviation"] = round(math.sqrt(spread), 3)
        return report

    def _build_bot_report(self, name: str) -> BotReport:
        seats = [seat for seat, bot in enumerate(self.bots) if bot == name]
        report: BotReport = {
            "bot": name,
            "seats": len(seats),
            "wins": round(float(sum((self.wins[seat] for seat in seats), Fraction(0))), 3),
        }
        if self.game.has_points:
            report["mean_score"] = _compute_mean(sum(self.totals[seat] for seat in seats), self.played * len(seats))
        return report


@dataclass(slots=True)
class _RunningCount:
    """The running mean and range of one number."""

    count: int = 0
    sum: int = 0
    least: int = 0
    most: int = 0

    def add(self, number: int) -> None:
        self.least = min(self.least, number) if self.count else number
        self.most = max(self.most, number)
        self.sum += number
        self.count += 1

    def summarize(self) -> CountSpread:
        return {"mean": _compute_mean(self.sum, self.count), "least": self.least, "most": self.most}


def _compute_mean(total: int | Fraction, n: int) -> float:
    return round(float(Fraction(total) / n), 3) if n else 0.0
