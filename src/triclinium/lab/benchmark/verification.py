"""Verification of results: replay all matches, repeat some, and play fresh deals with a key of the verifier."""

import math
from typing import Final, NamedTuple

from triclinium.bots import derive_seed
from triclinium.lab.benchmark.ladder import load_ladder
from triclinium.lab.benchmark.matches import BenchmarkMatch, BenchmarkRun, play_benchmark_match
from triclinium.lab.benchmark.results import MatchLine, Results
from triclinium.lab.benchmark.scores import BenchmarkScore, BotScores

LIMIT: Final = 1.96  # in standard deviations; chance exceeds it in 5% of cases


class Comparison(NamedTuple):
    """A score of the file and the same score on fresh deals."""

    what: str
    reported: BenchmarkScore
    rerun: BenchmarkScore

    @property
    def differs(self) -> bool:
        """Return whether the difference is larger than chance explains (5%)."""
        deviation = math.sqrt(self.reported.variance + self.rerun.variance)
        return abs(self.reported.value - self.rerun.value) > LIMIT * deviation


def plan_rerun(results: Results, matches: int, key: int) -> BenchmarkRun:
    """Return a run on fresh deals against the same rivals."""
    rivals: dict[str, dict[str, None]] = {}
    for line in results.lines:
        rivals.setdefault(line["game"], {})[line["rival"]] = None
    return BenchmarkRun(
        results.header["bot"], matches, tuple((name, tuple(each)) for name, each in rivals.items()), key
    )


def repeat_matches(results: Results, count: int, key: int) -> list[tuple[MatchLine, bool]]:
    """Play matches of the file again, drawn with the key. Return each with whether the bots chose the same options.

    Bots whose budget is a time choose differently on another machine.
    """
    drawn = sorted(range(len(results.lines)), key=lambda n: derive_seed(key, n, count))[:count]
    found = []
    for line in (results.lines[n] for n in drawn):
        planned = BenchmarkMatch(line["game"], line["rival"], line["deal"], line["seat"])
        seed = load_ladder().find_seed(planned.deal, results.key)
        again, _ = play_benchmark_match(results.header["bot"], planned, seed)
        found.append((line, again["options"] == line["options"]))
    return found


def compare_scores(reported: BotScores, rerun: BotScores) -> list[Comparison]:
    """Return a comparison of the totals if both have one, otherwise of the common games, otherwise of the rivals."""
    if reported.total is not None and rerun.total is not None:
        return [Comparison("all games", reported.total, rerun.total)]
    games = [
        Comparison(name, score, rerun.games[name]) for name, score in reported.games.items() if name in rerun.games
    ]
    return games or [
        Comparison(" against ".join(where), score, rerun.rivals[where])
        for where, score in reported.rivals.items()
        if where in rerun.rivals
    ]
