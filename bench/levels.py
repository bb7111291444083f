"""Measure how often each level of the bots beats the level below, and try temperatures for Casual and Novice.

    python -m bench.levels evangelists --matches 300
    python -m bench.levels evangelists --pairs steady-casual,casual-novice --matches 200
    python -m bench.levels portals --pairs strong@260x-steady,greedy-steady
    python -m bench.levels evangelists --temperatures 0.05:0.15,0.1:0.15 --matches 100
    TRICLINIUM_BOTS=bench.beginners:Beginner python -m bench.levels --pairs beginner-novice --matches 100

A match has as few seats as the game allows, and every deal is played once from every seat. With more than two seats
the first bot plays against copies of the second one, and the rate is converted to a match of two: a bot that wins
three times as often as each of its opponents has 75%.
"""

import argparse
import sys
from itertools import pairwise
from unittest.mock import patch

from triclinium.bots import greedy, steady
from triclinium.bots.levels import GameLevels, load_levels
from triclinium.engine.registry import list_games, load_game
from triclinium.lab.arena import Tournament, play_tournament


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the levels of the bots.")
    parser.add_argument("games", nargs="*", default=list_games())
    parser.add_argument(
        "--pairs", default="", help="pairs of bots, such as steady-casual (default: all offered levels)"
    )
    parser.add_argument("--temperatures", default="", help="measure with these temperatures, CASUAL:NOVICE,...")
    parser.add_argument("--matches", type=int, default=200, help="matches of each pair (default: 200)")
    parser.add_argument("--seats", type=int, default=0, help="number of seats (default: the fewest)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="number of processes (default: 1)")
    args = parser.parse_args()
    for game_id in args.games:
        levels = load_levels(load_game(game_id))
        pairs = args.pairs.split(",") if args.pairs else [f"{one}-{other}" for other, one in pairwise(levels.offered)]
        if args.temperatures:
            for temperatures in args.temperatures.split(","):
                measure_temperatures(game_id, temperatures, args)
        else:
            for pair in pairs:
                report_pair(game_id, pair, args)


def measure_temperatures(game_id: str, temperatures: str, args: argparse.Namespace) -> None:
    """Measure Casual and Novice with other temperatures than those of the game's file."""
    casual, novice = (float(number) for number in temperatures.split(":"))
    levels = GameLevels(casual_temperature=casual, novice_temperature=novice)
    with patch.object(steady, "load_levels", lambda _: levels), patch.object(greedy, "load_levels", lambda _: levels):
        for pair in args.pairs.split(",") if args.pairs else ("steady-casual", "casual-novice"):
            report_pair(game_id, pair, args, f"  casual {casual}, novice {novice}")


def report_pair(game_id: str, pair: str, args: argparse.Namespace, note: str = "") -> None:
    rate, error, count = measure_pair(game_id, pair, args.matches, args.seats, args.seed, args.workers)
    sys.stdout.write(f"{game_id:14} {pair:28} {rate:6.1%} ± {error:.1%} of {count}{note}\n")
    sys.stdout.flush()


def measure_pair(
    game_id: str, pair: str, matches: int, seats: int = 0, seed: int = 1, workers: int = 1
) -> tuple[float, float, int]:
    """Return the win rate of the first bot of a pair in a match of two, its standard error, and the matches played."""
    stronger, weaker = pair.split("-")
    places = seats or load_game(game_id).seats[0]
    count = -(-matches // places) * places
    tournament = Tournament(game_id, (stronger, *[weaker] * (places - 1)), count, places, seed)
    shares = []
    for match in play_tournament(tournament, workers):
        if any(match.faults):
            raise SystemExit(f"a bot failed: {match.faults[0]}")
        winners = [bot for bot, rank in zip(match.bots, match.ranks, strict=True) if rank == 1]
        shares.append(winners.count(stronger) / len(winners))
    mean = sum(shares) / count
    error = (sum((share - mean) ** 2 for share in shares) / max(1, count - 1) / count) ** 0.5
    return convert_to_two(mean, places - 1), error, count


def convert_to_two(share: float, rivals: int) -> float:
    """Return the win rate against one opponent that corresponds to a share of the wins against several."""
    return rivals * share / (1 - share + rivals * share)


if __name__ == "__main__":
    main()
