"""Print a sample of hints with their reasons, so that a reader can judge them: `python -m bench.hints evangelists`.

Steady bots play matches with every number of players. Each match gives one decision from each fifth of its length. A
hint whose options are all equal needs no reason, so it is counted but not printed. With `--lessons` novices play, and
the sample has the lessons that a review gives about their mistakes.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence

from triclinium.boardkit.text_table import format_game_table
from triclinium.bots import choose_option, create_bot, derive_seed
from triclinium.bots.analysis import Advice, rate_options, to_percent
from triclinium.bots.budget import Budget
from triclinium.bots.explanations import describe_reasons
from triclinium.bots.review import review_choice
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, State
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.registry import list_games, load_game

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eva", "Fay", "Gus", "Hal")
PARTS = 5  # number of decisions from each match, one from each part of its length


def main() -> None:
    parser = argparse.ArgumentParser(description="Print a sample of hints.")
    parser.add_argument("games", nargs="*", default=list_games())
    parser.add_argument("--hints", type=int, default=50, help="number of hints or lessons (default: 50)")
    parser.add_argument("--budget", default="1s", help="budget of a hint (default: 1s, as on a page)")
    parser.add_argument("--language", default="en", help="language of the texts (default: en)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the matches (default: 1)")
    parser.add_argument("--bot", default="", help="bot that plays the matches (default: steady; novice for lessons)")
    parser.add_argument("--lessons", action="store_true", help="print lessons of reviews instead of hints")
    parser.add_argument("--board", action="store_true", help="print the whole position before each hint")
    args = parser.parse_args()
    for game_id in args.games:
        print_sample(load_game(game_id), args)


def print_sample(game: Game, args: argparse.Namespace) -> None:
    found = equal = 0
    for s, o in draw_decisions(game, args.seed, args.bot or ("novice" if args.lessons else "steady")):
        reader = game.words.reader(args.language, NAMES[: s.seats])
        text = format_lesson(game, s, o, reader, args) if args.lessons else format_hint(game, s, reader, args)
        if not text:
            equal += 1
            continue
        found += 1
        if args.board:
            sys.stdout.write(f"\n{format_game_table(game, game.view(s, s.who), reader)}\n")
        sys.stdout.write(f"{game.id} {found}. {format_position(game, s, reader)}\n{text}\n")
        sys.stdout.flush()
        if found == args.hints:
            break
    sys.stdout.write(f"{game.id}: {equal} further decisions only had equal options\n")


def draw_decisions(game: Game, seed: int, bot: str) -> Iterator[tuple[State, Option]]:
    """Yield decisions with at least two sensible options from matches of bots, each with its option, without end."""
    match = 0
    while True:
        seats = game.seats[match % len(game.seats)]
        decisions = play_match(game, seats, derive_seed(seed, match), bot)
        rng = Rng(derive_seed(seed, match, 2))
        for part in range(PARTS):
            first, last = (len(decisions) * n // PARTS for n in (part, part + 1))
            if first < last:
                yield decisions[first + rng.below(last - first)]
        match += 1


def play_match(game: Game, seats: int, seed: int, bot: str) -> list[tuple[State, Option]]:
    """Return all positions of a match of bots in which a seat has a choice, each with the option that it chooses."""
    s, rng, player = game.deal(seats, seed), Rng(derive_seed(seed, 1)), create_bot(bot, game)
    decisions: list[tuple[State, Option]] = []
    while not s.over:
        o = choose_option(player, s, rng)
        if len(game.evaluator.sensible_options(s)) > 1:
            decisions.append((s.clone(), o))
        s.choose(o)
    return decisions


def format_position(game: Game, s: State, reader: Reader) -> str:
    """Return the position in brief, and the question."""
    progress = to_percent(game.evaluator.progress(s))
    totals = ", ".join(f"{NAMES[score.seat]} {score.total}" for score in game.scores(s) if score.total is not None)
    question = f"{NAMES[s.who]}: {reader.read(game.words.question(s))}"
    return f"{s.seats} players, {progress}% of the match{': ' if totals else ''}{totals}\n  {question}"


def format_hint(game: Game, s: State, reader: Reader, args: argparse.Namespace) -> str:
    """Return the best option, and each sentence that a page would show, or "" if all options are equal."""
    best, *others = rate_options(game, s, Budget.read(args.budget), args.seed)
    if all(advice.equal for advice in others):
        return ""
    return "\n".join([f"  {format_option(game, s, reader, best)}", *format_reasons(game, s, reader, others)])


def format_lesson(game: Game, s: State, o: Option, reader: Reader, args: argparse.Namespace) -> str:
    """Return the best option and why it is better than the one chosen, or "" if the choice was no mistake."""
    judged = review_choice(game, s, 0, o, Budget.read(args.budget), args.seed)
    if not judged.is_mistake or judged.played.equal:
        return ""
    best = format_option(game, s, reader, judged.better[0])
    return "\n".join([f"  better {best}", *format_reasons(game, s, reader, [judged.played])])


def format_reasons(game: Game, s: State, reader: Reader, others: Sequence[Advice]) -> Iterator[str]:
    for advice in others:
        reasons = describe_reasons(game, advice.reasons, s.who)
        why = "about as good" if advice.equal else "only the rates differ" if reasons is None else reader.read(reasons)
        yield f"    compared with {format_option(game, s, reader, advice)}: {why}"


def format_option(game: Game, s: State, reader: Reader, advice: Advice) -> str:
    return f"{reader.read(game.words.label(s, game.read(advice.option)))} ({to_percent(advice.chance)}%)"


if __name__ == "__main__":
    main()
