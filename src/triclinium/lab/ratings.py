"""Results of a tournament: shares of wins with intervals, ratings, scores, times and faults."""

import math
from collections.abc import Sequence
from fractions import Fraction

from triclinium.bots.registry import describe_network
from triclinium.engine.core.score import Score, compute_lead
from triclinium.engine.extras import name_extra
from triclinium.engine.registry import load_game
from triclinium.lab.arena import ArenaMatch, Tournament
from triclinium.lab.results import ArenaReport, BotResult, WinShareHistory

with name_extra("lab", "triclinium.lab.ratings"):
    from openskill.models import PlackettLuce

Z_95 = 1.959964  # standard deviations on either side of a 95% interval


def compute_wilson_interval(share: float, n: int) -> tuple[float, float]:
    """Return Wilson's 95% interval of a share in n matches, which stays within 0 and 1."""
    if n == 0:
        return 0.0, 1.0
    z = Z_95
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half_width = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, middle - half_width), min(1.0, middle + half_width)


def compute_win_share(arena_match: ArenaMatch, name: str) -> Fraction:
    """Return a bot's share of the win. Seats on the first rank split it."""
    best = min(arena_match.ranks)
    return Fraction(
        sum(1 for seat in list_bot_seats(arena_match, name) if arena_match.ranks[seat] == best),
        arena_match.ranks.count(best),
    )


def list_bot_seats(arena_match: ArenaMatch, name: str) -> list[int]:
    return [seat for seat, bot in enumerate(arena_match.bots) if bot == name]


def rank_bots(arena_matches: Sequence[ArenaMatch]) -> list[BotResult]:
    """Return the results of all bots, the highest rating first."""
    ratings = rate_bots(arena_matches)
    names = dict.fromkeys(name for arena_match in arena_matches for name in arena_match.bots)
    results = [
        summarize_bot(name, [arena_match for arena_match in arena_matches if name in arena_match.bots], ratings[name])
        for name in names
    ]
    return sorted(results, key=lambda result: result["rating"], reverse=True)


def summarize_bot(name: str, bot_matches: Sequence[ArenaMatch], rating: tuple[float, float]) -> BotResult:
    """Return the result of one bot in the matches it played."""
    wins = sum((compute_win_share(arena_match, name) for arena_match in bot_matches), Fraction(0))
    share = float(wins / len(bot_matches))
    low, high = compute_wilson_interval(share, len(bot_matches))
    places = [(arena_match, seat) for arena_match in bot_matches for seat in list_bot_seats(arena_match, name)]
    decisions = sum(arena_match.decisions[seat] for arena_match, seat in places)
    seconds = sum(arena_match.seconds[seat] for arena_match, seat in places)
    result: BotResult = {
        "bot": name,
        "matches": len(bot_matches),
        "seats": len(places),
        "wins": round(float(wins), 3),
        "share": round(share, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "rating": round(rating[0], 2),
        "deviation": round(rating[1], 2),
        "margin": round(
            sum(_compute_lead_margin(arena_match, name) for arena_match in bot_matches) / len(bot_matches), 2
        ),
        "decisions": decisions,
        "seconds": round(seconds / decisions, 5) if decisions else 0.0,
        "longest": round(max(arena_match.longest[seat] for arena_match, seat in places), 3),
        "faults": sum(1 for arena_match in bot_matches for fault in arena_match.faults if fault.bot == name),
        "cut": sum(arena_match.cut_answers[seat] for arena_match, seat in places if arena_match.cut_answers),
    }
    totals = [arena_match.totals[seat] for arena_match, seat in places]
    counted = [total for total in totals if total is not None]
    if len(counted) == len(totals):
        result["mean_score"] = round(sum(counted) / len(counted), 2)
    return result


def _compute_lead_margin(arena_match: ArenaMatch, name: str) -> int:
    """Return the lead of a bot's best seat over the best seat of another bot."""
    results = zip(arena_match.ranks, arena_match.totals, strict=True)
    scores = [Score(seat, rank, total, []) for seat, (rank, total) in enumerate(results)]
    return compute_lead(scores, list_bot_seats(arena_match, name))


def rate_bots(arena_matches: Sequence[ArenaMatch]) -> dict[str, tuple[float, float]]:
    """Return Plackett-Luce ratings (mean, deviation) after all matches. Seats of one bot share its rating."""
    model = PlackettLuce()
    ratings = {name: model.rating(name=name) for arena_match in arena_matches for name in arena_match.bots}
    for arena_match in arena_matches:
        # A bot meets the others with its best seat only, because a match against itself is not informative.
        names = list(dict.fromkeys(arena_match.bots))
        ranks = [float(min(arena_match.ranks[seat] for seat in list_bot_seats(arena_match, name))) for name in names]
        for name, (after,) in zip(names, model.rate([[ratings[name]] for name in names], ranks=ranks), strict=True):
            ratings[name] = after
    return {name: (rating.mu, rating.sigma) for name, rating in ratings.items()}


def build_win_share_histories(arena_matches: Sequence[ArenaMatch], names: Sequence[str]) -> list[WinShareHistory]:
    """Return each bot's share of wins after each of its matches."""
    histories: list[WinShareHistory] = []
    for name in names:
        wins = Fraction(0)
        shares: list[float] = []
        for arena_match in arena_matches:
            if name in arena_match.bots:
                wins += compute_win_share(arena_match, name)
                shares.append(round(float(wins / (len(shares) + 1)), 4))
        histories.append({"bot": name, "shares": shares})
    return histories


def build_arena_report(tournament: Tournament, arena_matches: Sequence[ArenaMatch], seconds: float) -> ArenaReport:
    """Return the report of a tournament."""
    table = rank_bots(arena_matches)
    return {
        "game": tournament.game_id,
        "seats": tournament.seats,
        "net": describe_network(tournament.bots, load_game(tournament.game_id, tournament.components)),
        "seed": tournament.seed,
        "asked": tournament.matches,
        "played": len(arena_matches),
        "interrupted": len(arena_matches) < tournament.matches,
        "balanced": len(arena_matches) % len(tournament.list_seatings()) == 0,
        "standings": table,
        "courses": build_win_share_histories(arena_matches, [result["bot"] for result in table]),
        "faults": [
            {"match": f.match, "move": f.move, "bot": f.bot, "kind": f.kind, "detail": f.detail}
            for arena_match in arena_matches
            for f in arena_match.faults
        ],
        "seconds": round(seconds, 3),
    }
