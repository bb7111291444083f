"""Scores of the benchmark: the share of rivals that finish behind the bot.

Intervals treat the matches of one deal as a cluster.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from triclinium.lab.benchmark.ladder import LadderGame, load_ladder
from triclinium.lab.benchmark.results import MatchLine, Results
from triclinium.lab.study.statistics import compute_exact_mean, compute_standard_deviation, estimate_share

EVEN = 0.5  # the score of a bot against itself


class BenchmarkScore(NamedTuple):
    """A score between 0 and 1 with its 95% interval."""

    value: float
    low: float
    high: float
    variance: float
    matches: int

    def __str__(self) -> str:
        low, high = (f"{round(100 * bound)}" for bound in (self.low, self.high))
        return f"{self.value:.0%} ({low}-{high}%, n = {self.matches})"


class BotScores(NamedTuple):
    """All scores of a results file."""

    rivals: dict[tuple[str, str], BenchmarkScore]  # by game and rival
    games: dict[str, BenchmarkScore]  # means over the ladder of each game whose rivals are all measured
    total: BenchmarkScore | None  # mean over all games, if all are measured
    seconds: float  # processor time for one decision
    faults: int


def compute_match_score(line: MatchLine) -> float:
    """Return the share of the rivals that finished behind the bot. A tie counts half."""
    ranks = [rank for rank, _ in line["result"]]
    own = ranks[line["seat"]]
    beaten = sum(1.0 if own < rank else EVEN if own == rank else 0.0 for rank in ranks) - EVEN
    return beaten / (len(ranks) - 1)


def estimate_score(deals: Sequence[Sequence[float]]) -> BenchmarkScore:
    """Return the mean over matches that are grouped by deal, with Wilson's interval of an effective number of matches.

    Matches of one deal are not independent, so the variance is that of the deals' means. It is at least that of
    independent matches, because a few deals may have equal means by chance.
    """
    every = [value for deal in deals for value in deal]
    value = compute_exact_mean(every)
    variance = max(compute_cluster_variance(deals), value * (1 - value) / count_observations(deals))
    return make_score(value, variance, len(every))


def compute_cluster_variance(deals: Sequence[Sequence[float]]) -> float:
    """Return the variance of the mean if deals are independent, but not the matches of a deal."""
    return compute_standard_deviation([compute_exact_mean(deal) for deal in deals]) ** 2 / len(deals)


def count_observations(deals: Sequence[Sequence[float]]) -> int:
    """Return the number of matches. A single deal counts as one observation, because its variance is unknown."""
    return sum(len(deal) for deal in deals) if len(deals) > 1 else 1


def make_score(value: float, variance: float, matches: int) -> BenchmarkScore:
    spread = value * (1 - value)
    effective = max(1, int(spread / variance)) if variance > 0 and spread > 0 else matches
    wilson = estimate_share(min(1.0, max(0.0, value)), effective)
    return BenchmarkScore(value, wilson.low, wilson.high, variance, matches)


def combine_scores(scores: Sequence[BenchmarkScore]) -> BenchmarkScore:
    """Return the mean of independent scores."""
    variance = sum(score.variance for score in scores) / len(scores) ** 2
    return make_score(compute_exact_mean([score.value for score in scores]), variance, sum(s.matches for s in scores))


def compute_scores(results: Results) -> BotScores:
    """Return the scores of all complete deals. A bot scores 50% against itself."""
    deals = group_by_deal(results.lines)
    rivals: dict[tuple[str, str], BenchmarkScore] = {}
    games: dict[str, BenchmarkScore] = {}
    for game in load_ladder().games:
        for rival in (*game.ladder, *game.more):
            if (game.id, rival) in deals:
                rivals[game.id, rival] = estimate_score(list(deals[game.id, rival].values()))
        score = score_game(game, deals, results.header["bot"])
        if score is not None:
            games[game.id] = score
    total = combine_scores(list(games.values())) if len(games) == len(load_ladder().games) else None
    asked = sum(line["asked"] for line in results.lines)
    seconds = sum(line["seconds"] for line in results.lines) / max(1, asked)
    return BotScores(rivals, games, total, seconds, sum(line["faults"] for line in results.lines))


Deals = Mapping[tuple[str, str], Mapping[int, list[float]]]  # the scores of matches, by game and rival, then by deal


def group_by_deal(lines: Sequence[MatchLine]) -> Deals:
    """Return the scores of all matches whose deal has been played from every seat."""
    found: defaultdict[tuple[str, str], defaultdict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for line in lines:
        found[line["game"], line["rival"]][line["deal"]].append(compute_match_score(line))
    complete = {
        (game, rival): {deal: scores for deal, scores in deals.items() if len(scores) == count_seats(game)}
        for (game, rival), deals in found.items()
    }
    return {where: scores for where, scores in complete.items() if scores}


def count_seats(game: str) -> int:
    return load_ladder().find_game(game).seats


def score_game(game: LadderGame, deals: Deals, bot: str) -> BenchmarkScore | None:
    """Return the mean over the ladder of a game, on the deals that all rivals have played, or None without any.

    The variance is that of the deals' means. It is at least the sum of the rivals' own variances, to which one
    win and one loss are added, because a few matches without a loss prove little.
    """
    rivals = [rival for rival in game.ladder if rival != bot]
    if not all((game.id, rival) in deals for rival in rivals):
        return None
    common = sorted(set.intersection(*(set(deals[game.id, rival]) for rival in rivals)))
    if not common:
        return None
    even = [EVEN] * game.seats * (len(game.ladder) - len(rivals))
    by_rival = [[deals[game.id, rival][deal] for deal in common] for rival in rivals]
    by_deal = [[*even, *(value for each in by_rival for value in each[n])] for n in range(len(common))]
    value = compute_exact_mean([value for deal in by_deal for value in deal])
    independent = 0.0
    for each in by_rival:
        n = count_observations(each)
        share = (n * compute_exact_mean([value for deal in each for value in deal]) + 1) / (n + 2)
        independent += share * (1 - share) / n / len(game.ladder) ** 2
    matches = game.seats * len(common) * len(rivals)
    return make_score(value, max(compute_cluster_variance(by_deal), independent), matches)
