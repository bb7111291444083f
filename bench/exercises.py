"""Prepare six exercises for each game from matches between novices, and write them to its `data/exercises.toml`.

    python -m bench.exercises             all games, one after the other
    python -m bench.exercises portals     one game

Run it after every change of rules, data or chance. Searches have a number of iterations, so the result depends only on
the code. A first estimate chooses the decisions that are searched, at most two of each kind.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import triclinium
from triclinium.bots import choose_option, create_bot
from triclinium.bots.budget import Budget
from triclinium.bots.exercises import FILE, RankedDecision, is_costly, name_kind, rank_decision
from triclinium.bots.review import review_decision
from triclinium.bots.timeline import estimate_cost
from triclinium.engine.core.rng import Rng
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.engine.registry import find_game_folder
from triclinium.engine.rule_positions import format_match_start
from triclinium.lab.speed import choose_seat_count

COUNT = 6
OF_A_KIND = 2
MATCHES = 24  # at most
SEARCHED = 8  # decisions of a match that are searched
BUDGET = Budget(600.0, 60)  # Budget of a review; the search of an exercise has ten times as many iterations
SEED = 900
BOT = "novice"
FIRST_SHARE, LAST_SHARE = 0.1, 0.85  # positions from this part of a match: neither empty nor decided


def play_match(game: Game, seed: int) -> Record:
    """Return the record of a match between novices."""
    match, novice, rng = Match(game, choose_seat_count(game), seed), create_bot(BOT, game), Rng(seed)
    while not match.state.over:
        match.play(game.format_option(choose_option(novice, match.state, rng)))
    return match.record


def list_candidates(game: Game, record: Record) -> list[tuple[int, str]]:
    """Return the decisions of a match that seem costliest, with their kinds."""
    s = record.deal(game)
    costs: list[tuple[float, int, str]] = []
    for n, text in enumerate(record.options):
        o = game.read(text)
        if len(s.legal) > 2 and FIRST_SHARE < n / len(record.options) < LAST_SHARE:
            costs.append((-estimate_cost(game, s, o), n, name_kind(game, s, o)))
        s.play(o)
    return [(n, kind) for _, n, kind in sorted(costs)]


def find_exercises(game: Game) -> Iterator[tuple[Record, int, RankedDecision]]:
    """Yield decisions of several matches that clearly cost win probability."""
    kinds: Counter[str] = Counter()
    for seed in range(SEED, SEED + MATCHES):
        record = play_match(game, seed)
        searched = 0
        for n, kind in list_candidates(game, record):
            if kinds[kind] == OF_A_KIND or searched == SEARCHED:
                continue
            searched += 1
            first = review_decision(record, n, BUDGET, seed, game)
            if not is_costly(first.better[0], first.played):
                continue
            ranked = rank_decision(record, n, BUDGET, seed, game)
            if ranked.is_exercise:
                kinds[kind] += 1
                yield record, n, ranked


def write_exercises(game: Game) -> None:
    """Find the exercises of a game and write its file."""
    lines = ["# Prepared exercises. `python -m bench.exercises` writes this file.", f'components = "{game.hash}"', ""]
    for record, n, ranked in islice(find_exercises(game), COUNT):
        text = json.dumps(ranked.dumps(), separators=(",", ":"))
        lines += ["[[exercises]]", *format_match_start(record, n), f"decision = '''{text}'''", ""]
        sys.stdout.write(f"{game.id}: {ranked.kind}, {ranked.cost:.2f} of a win\n")
        sys.stdout.flush()
    (find_game_folder(game, "data") / FILE).write_text("\n".join(lines), encoding="utf-8")


def main(names: list[str]) -> None:
    """Prepare the exercises of the given games, or of all games."""
    for name in names or triclinium.list_games():
        write_exercises(triclinium.load_game(name))


if __name__ == "__main__":
    main(sys.argv[1:])
