"""What a contest adds up to: shares of the wins with their uncertainty, ratings, scores, times and faults."""

import math
from collections.abc import Sequence
from fractions import Fraction

from openskill.models import PlackettLuce

from triclinium.engine.core.score import Score, lead
from triclinium.lab.arena import Bout, Contest
from triclinium.lab.results import ArenaReport, Course, Standing

CERTAINTY = 1.959964  # standard deviations on either side of a 95 % interval


def interval(share: float, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share in n matches; it stays within 0 and 1."""
    if n == 0:
        return 0.0, 1.0
    z = CERTAINTY
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def won(bout: Bout, name: str) -> Fraction:
    """A bot's part of the win: seats that share the first rank split it."""
    best = min(bout.ranks)
    return Fraction(sum(1 for seat in seats_of(bout, name) if bout.ranks[seat] == best), bout.ranks.count(best))


def seats_of(bout: Bout, name: str) -> list[int]:
    return [seat for seat, bot in enumerate(bout.bots) if bot == name]


def standings(bouts: Sequence[Bout]) -> list[Standing]:
    """All bots, the one that wins most of its matches first."""
    ratings = rate(bouts)
    names = dict.fromkeys(name for bout in bouts for name in bout.bots)
    found = [standing(name, [bout for bout in bouts if name in bout.bots], ratings[name]) for name in names]
    return sorted(found, key=lambda one: one["rating"], reverse=True)


def standing(name: str, played: Sequence[Bout], rating: tuple[float, float]) -> Standing:
    """One bot in the matches it played in."""
    wins = sum((won(bout, name) for bout in played), Fraction(0))
    share = float(wins / len(played))
    low, high = interval(share, len(played))
    places = [(bout, seat) for bout in played for seat in seats_of(bout, name)]
    decisions = sum(bout.decisions[seat] for bout, seat in places)
    seconds = sum(bout.seconds[seat] for bout, seat in places)
    return {
        "bot": name,
        "matches": len(played),
        "seats": len(places),
        "wins": round(float(wins), 3),
        "share": round(share, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "rating": round(rating[0], 2),
        "deviation": round(rating[1], 2),
        "mean_score": _mean_score([bout.totals[seat] for bout, seat in places]),
        "margin": round(sum(_margin(bout, name) for bout in played) / len(played), 2),
        "decisions": decisions,
        "seconds": round(seconds / decisions, 5) if decisions else 0.0,
        "longest": round(max(bout.longest[seat] for bout, seat in places), 3),
        "faults": sum(1 for bout in played for fault in bout.faults if fault.bot == name),
        "cut": sum(bout.cuts[seat] for bout, seat in places if bout.cuts),
    }


def _mean_score(totals: Sequence[int | None]) -> float | None:
    counted = [total for total in totals if total is not None]
    return round(sum(counted) / len(counted), 2) if len(counted) == len(totals) else None


def _margin(bout: Bout, name: str) -> int:
    """How far a bot's best seat is ahead of the best other bot's."""
    results = zip(bout.ranks, bout.totals, strict=True)
    scores = [Score(seat, rank, total, []) for seat, (rank, total) in enumerate(results)]
    return lead(scores, seats_of(bout, name))


def rate(bouts: Sequence[Bout]) -> dict[str, tuple[float, float]]:
    """Plackett-Luce ratings (mean, deviation) after all matches; seats of one bot share its rating."""
    model = PlackettLuce()
    ratings = {name: model.rating(name=name) for bout in bouts for name in bout.bots}
    for bout in bouts:
        # A bot meets the others with its best seat: against itself there is nothing to learn.
        names = list(dict.fromkeys(bout.bots))
        ranks = [float(min(bout.ranks[seat] for seat in seats_of(bout, name))) for name in names]
        for name, (after,) in zip(names, model.rate([[ratings[name]] for name in names], ranks=ranks), strict=True):
            ratings[name] = after
    return {name: (rating.mu, rating.sigma) for name, rating in ratings.items()}


def courses(bouts: Sequence[Bout], names: Sequence[str]) -> list[Course]:
    """How each share settled, match by match."""
    found: list[Course] = []
    for name in names:
        wins = Fraction(0)
        shares: list[float] = []
        for bout in bouts:
            if name in bout.bots:
                wins += won(bout, name)
                shares.append(round(float(wins / (len(shares) + 1)), 4))
        found.append({"bot": name, "shares": shares})
    return found


def arena_report(contest: Contest, bouts: Sequence[Bout], seconds: float) -> ArenaReport:
    """Everything that a contest showed."""
    table = standings(bouts)
    return {
        "title": contest.title,
        "seats": contest.seats,
        "seed": contest.seed,
        "asked": contest.matches,
        "played": len(bouts),
        "interrupted": len(bouts) < contest.matches,
        "balanced": len(bouts) % len(contest.seatings()) == 0,
        "standings": table,
        "courses": courses(bouts, [one["bot"] for one in table]),
        "faults": [
            {"match": f.match, "move": f.move, "bot": f.bot, "kind": f.kind, "detail": f.detail}
            for bout in bouts
            for f in bout.faults
        ],
        "seconds": round(seconds, 3),
    }
