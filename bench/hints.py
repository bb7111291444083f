"""Print a sample of hints with their reasons, so that a reader can judge them: `python -m bench.hints evangelists`.

The positions are spread over matches of casual bots. A hint whose options are all equal needs no reason and is left
out, and so is one with a single option.
"""

import argparse
import sys

from triclinium.bots import choose_option, create_bot, derive_seed
from triclinium.bots.analysis import Advice, rate_options, to_percent
from triclinium.bots.budget import Budget
from triclinium.bots.explanations import describe_reasons
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.registry import list_games, load_game

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eva")


def main() -> None:
    parser = argparse.ArgumentParser(description="Print a sample of hints.")
    parser.add_argument("games", nargs="*", default=list_games())
    parser.add_argument("--hints", type=int, default=50, help="number of hints (default: 50)")
    parser.add_argument("--every", type=int, default=7, help="moves between two hints (default: 7)")
    parser.add_argument("--budget", default="60x", help="budget of a hint (default: 60x)")
    parser.add_argument("--language", default="en")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for game_id in args.games:
        print_sample(load_game(game_id), args)


def print_sample(game: Game, args: argparse.Namespace) -> None:
    found = match = equal = 0
    while found < args.hints:
        seats = game.seats[min(1, len(game.seats) - 1)]
        s, rng = game.deal(seats, derive_seed(args.seed, match)), Rng(derive_seed(args.seed, match, 1))
        reader = game.words.reader(args.language, NAMES[:seats])
        player, move = create_bot("casual", game), 0
        while not s.over and found < args.hints:
            if len(s.legal) > 1 and move % args.every == match % args.every:
                best, *others = rate_options(game, s, Budget.read(args.budget), args.seed)
                worse = [advice for advice in others if not advice.equal]
                equal += not worse
                if worse:
                    found += 1
                    sys.stdout.write(f"{game.id} {found}. {format_hint(game, s, reader, best, worse[0])}\n")
                    sys.stdout.flush()
            s.choose(choose_option(player, s, rng))
            move += 1
        match += 1
    sys.stdout.write(f"{game.id}: {equal} further hints only had equal options\n")


def format_hint(game: Game, s: State, reader: Reader, best: Advice, worse: Advice) -> str:
    """Return the question and the sentence that a page would show."""
    labels = [reader.read(game.words.label(s, game.read(advice.option))) for advice in (best, worse)]
    reasons = describe_reasons(game, worse.reasons, s.who)
    why = f"compared with {labels[1]}, {reader.read(reasons)}" if reasons is not None else "(win rates only)"
    rates = f"{to_percent(best.chance)}% and {to_percent(worse.chance)}%"
    return f"{NAMES[s.who]}: {reader.read(game.words.question(s))}\n    {labels[0]} ({rates}): {why}"


if __name__ == "__main__":
    main()
