"""Print a sample of hints with their reasons, so that a reader can judge them: `python -m bench.hints evangelists`.

Steady bots play matches with every number of players. Each match gives one decision from each fifth of its length. A
hint whose options are all equal needs no reason, so it is counted but not printed.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence

from triclinium.boardkit.text_table import format_game_table
from triclinium.bots import choose_option, create_bot, derive_seed
from triclinium.bots.analysis import Advice, rate_options, to_percent
from triclinium.bots.budget import Budget
from triclinium.bots.explanations import describe_reasons
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.registry import list_games, load_game

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eva", "Fay", "Gus", "Hal")
PARTS = 5  # number of decisions from each match, one from each part of its length


def main() -> None:
    parser = argparse.ArgumentParser(description="Print a sample of hints.")
    parser.add_argument("games", nargs="*", default=list_games())
    parser.add_argument("--hints", type=int, default=50, help="number of hints (default: 50)")
    parser.add_argument("--budget", default="1s", help="budget of a hint (default: 1s, as on a page)")
    parser.add_argument("--language", default="en", help="language of the texts (default: en)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the matches (default: 1)")
    parser.add_argument("--board", action="store_true", help="print the whole position before each hint")
    args = parser.parse_args()
    for game_id in args.games:
        print_sample(load_game(game_id), args)


def print_sample(game: Game, args: argparse.Namespace) -> None:
    found = equal = 0
    for s in draw_positions(game, args.seed):
        advices = rate_options(game, s, Budget.read(args.budget), args.seed)
        if all(advice.equal for advice in advices[1:]):
            equal += 1
            continue
        found += 1
        reader = game.words.reader(args.language, NAMES[: s.seats])
        if args.board:
            sys.stdout.write(f"\n{format_game_table(game, game.view(s, s.who), reader)}\n")
        sys.stdout.write(f"{game.id} {found}. {format_hint(game, s, reader, advices)}\n")
        sys.stdout.flush()
        if found == args.hints:
            break
    sys.stdout.write(f"{game.id}: {equal} further hints only had equal options\n")


def draw_positions(game: Game, seed: int) -> Iterator[State]:
    """Yield decisions with at least two sensible options from matches of steady bots, without end."""
    match = 0
    while True:
        seats = game.seats[match % len(game.seats)]
        decisions = play_match(game, seats, derive_seed(seed, match))
        rng = Rng(derive_seed(seed, match, 2))
        for part in range(PARTS):
            first, last = (len(decisions) * n // PARTS for n in (part, part + 1))
            if first < last:
                yield decisions[first + rng.below(last - first)]
        match += 1


def play_match(game: Game, seats: int, seed: int) -> list[State]:
    """Return all positions of a match of steady bots in which a seat has a choice."""
    s, rng, player = game.deal(seats, seed), Rng(derive_seed(seed, 1)), create_bot("steady", game)
    decisions: list[State] = []
    while not s.over:
        if len(game.evaluator.sensible_options(s)) > 1:
            decisions.append(s.clone())
        s.choose(choose_option(player, s, rng))
    return decisions


def format_hint(game: Game, s: State, reader: Reader, advices: Sequence[Advice]) -> str:
    """Return the position in brief, the question, the best option, and each sentence that a page would show."""
    best, *others = advices
    progress = to_percent(game.evaluator.progress(s))
    totals = ", ".join(f"{NAMES[score.seat]} {score.total}" for score in game.scores(s) if score.total is not None)
    lines = [
        f"{s.seats} players, {progress}% of the match{': ' if totals else ''}{totals}",
        f"  {NAMES[s.who]}: {reader.read(game.words.question(s))}",
        f"  {format_option(game, s, reader, best)}",
    ]
    for advice in others:
        reasons = describe_reasons(game, advice.reasons, s.who)
        why = "about as good" if advice.equal else "only the rates differ" if reasons is None else reader.read(reasons)
        lines.append(f"    compared with {format_option(game, s, reader, advice)}: {why}")
    return "\n".join(lines)


def format_option(game: Game, s: State, reader: Reader, advice: Advice) -> str:
    return f"{reader.read(game.words.label(s, game.read(advice.option)))} ({to_percent(advice.chance)}%)"


if __name__ == "__main__":
    main()
