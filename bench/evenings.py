"""Simulation of evenings: how often the best of 8 to 16 players wins. Bots are seated and scored as on the server.

    python -m bench.evenings --evenings 200 --output evenings.json     # play
    python -m bench.evenings --report evenings.json                    # the tables of docs/studies/evening.md

Several runs with different `--games` and outputs can be reported together.

Player 1 is the bot `greedy`. Each further player chooses at random in a larger share of the decisions, up to 40%.
"""

import argparse
import json
import os
import random
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

from triclinium.bots import Bot, choose_option, create_bot
from triclinium.engine.core.rng import Rng
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.server.evenings.points import GuestResult, RoundPoints, build_ranking, score_table
from triclinium.server.evenings.seating import Guest, seat_guests

GAMES = ("evangelists", "ierusalem", "missionnaires", "portals", "testoftime")
FIELDS = (8, 12, 16)
ROUNDS = 4
BATCH = 10  # evenings after which the simulation is stored; a second run continues it
WORST = 0.4  # share of random decisions of the weakest player


def play_match(game: Game, bots: list[Bot], mistakes: list[float], seed: int) -> list[tuple[int, int | None]]:
    """Return the rank and the points of each seat."""
    chance, rng = random.Random(seed), Rng(seed)
    state = game.deal(len(bots), seed, game.read_variants(game.proposed_variants()))
    while not state.over:
        seat = state.who
        is_mistake = chance.random() < mistakes[seat]
        state.choose(chance.choice(state.legal) if is_mistake else choose_option(bots[seat], state, rng))
    return [(score.rank, score.total if game.has_points else None) for score in game.scores(state)]


def play_evening(game_id: str, people: int, seed: int) -> list[list[int]]:
    """Return the places of all players after each round, the strongest player first."""
    game, bot = load_game(game_id), create_bot("greedy", load_game(game_id))
    mistakes = [WORST * n / (people - 1) for n in range(people)]
    meetings: Counter[tuple[int, int]] = Counter()
    firsts: Counter[int] = Counter()
    rounds: dict[int, list[dict[int, RoundPoints]]] = {}
    starts = dict.fromkeys(range(people), 0)
    places = []
    for n in range(1, ROUNDS + 1):
        points = {ranked.number: ranked.points for ranked in build_ranking(starts, rounds)}
        guests = [Guest(number, points[number], firsts[number]) for number in range(people)]
        seating = seat_guests(guests, meetings, tuple(game.seats), seed * ROUNDS + n)
        assert seating is not None
        rounds[n] = []
        for place, table in enumerate(seating.tables):
            firsts[table[0]] += 1
            meetings.update(combinations(sorted(table), 2))
            order = random.Random(f"{seed} {n} {place}").sample(table, len(table))
            dealt = (seed * ROUNDS + n) * people + place
            result = play_match(game, [bot] * len(order), [mistakes[number] for number in order], dealt)
            rounds[n].append(
                score_table([GuestResult(who, *scored) for who, scored in zip(order, result, strict=True)])
            )
        found = {ranked.number: ranked.place for ranked in build_ranking(starts, rounds)}
        places.append([found[number] for number in range(people)])
    return places


def compute_tau(places: list[int]) -> float:
    """Return Kendall's tau-a between the true order and the places."""
    signs = [(places[a] < places[b]) - (places[a] > places[b]) for a, b in combinations(range(len(places)), 2)]
    return fmean(signs)


def format_report(evenings: dict[str, list[list[list[int]]]]) -> str:
    """Return a table for each game: how often the best player is first, and tau, after each round."""
    lines = []
    for game in [game for game in GAMES if f"{game} {FIELDS[0]}" in evenings]:
        rounds = [f"{n} {'round' if n == 1 else 'rounds'}" for n in range(1, ROUNDS + 1)]
        lines += [f"| {game}, players | evenings | {' | '.join(rounds)} |", "|---|---|" + "---|" * ROUNDS]
        for people in FIELDS:
            played = evenings[f"{game} {people}"]
            cells = [format_cell([places[n] for places in played]) for n in range(ROUNDS)]
            lines.append(f"| {people} | {len(played)} | {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines)


def format_cell(evenings: list[list[int]]) -> str:
    """Return how often the best player is first, with the standard error, and tau. A shared first place is divided."""
    wins = [1 / places.count(1) if places[0] == 1 else 0.0 for places in evenings]
    error = stdev(wins) / sqrt(len(wins))
    return f"{100 * fmean(wins):.0f}% ± {100 * error:.0f} (τ {fmean(map(compute_tau, evenings)):.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--evenings", type=int, default=200, help="evenings for each game and number of players, in tens"
    )
    parser.add_argument("--games", nargs="*", default=GAMES)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--output", type=Path, default=Path("evenings.json"))
    parser.add_argument("--report", type=Path, nargs="+", help="print the tables of stored simulations")
    options = parser.parse_args()
    if options.report:
        stored_evenings = {key: found for path in options.report for key, found in json.loads(path.read_text()).items()}
        sys.stdout.write(format_report(stored_evenings) + "\n")
        return
    stored = json.loads(options.output.read_text()) if options.output.exists() else {}
    with ProcessPoolExecutor(options.jobs) as pool:
        for upto in range(BATCH, options.evenings + 1, BATCH):
            jobs = {
                (game, people): [
                    pool.submit(play_evening, game, people, seed)
                    for seed in range(len(stored.get(f"{game} {people}", [])), upto)
                ]
                for game in options.games
                for people in FIELDS
            }
            for (game, people), played in jobs.items():
                stored.setdefault(f"{game} {people}", []).extend(job.result() for job in played)
            options.output.write_text(json.dumps(stored))
            sys.stderr.write(f"{upto} evenings\n")


if __name__ == "__main__":
    main()
