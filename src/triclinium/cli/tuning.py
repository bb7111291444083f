"""``triclinium tune``: look for better weights of a game's features."""

import argparse
import sys
from pathlib import Path

from triclinium.cli import arguments
from triclinium.cli.printing import print_json, print_text
from triclinium.engine.core.errors import BadSetup
from triclinium.lab.report import tuning_text
from triclinium.lab.tune import Search, tune, weights_toml


def tune_command(args: argparse.Namespace) -> int:
    """Look for better weights of a game's features by self-play."""
    game = arguments.find_game(args.title, None)
    seats = arguments.whole("--seats", args.seats) if args.seats else game.seats[0]
    lessons = arguments.whole("--lessons", args.lessons)
    if lessons < 2:
        raise BadSetup(f"--lessons is two matches at least, from which a judge is made, not {lessons}")
    if args.points and not game.has_points:
        raise BadSetup(f"--points needs a title with points; {game.id} has none")
    search = Search(
        game.id,
        seats,
        args.bots,
        seconds=float(arguments.whole("--seconds", args.seconds)),
        proposals=arguments.whole("--proposals", args.proposals),
        deals=arguments.whole("--deals", args.deals),
        trials=arguments.whole("--trials", args.trials),
        dataset=lessons,
        seed=arguments.seed(args.seed),
        points=args.points,
    )
    report = tune(search, _tell_generation if sys.stderr.isatty() else None)
    if args.out:
        how = f"Tuned by {report['matches']} matches of {report['bot']} against itself with {report['seats']} seats."
        Path(args.out).write_text(weights_toml(report, how, game.weights), encoding="utf-8")
    if args.json:
        print_json(report)
    else:
        print_text(tuning_text(report))
    return 0


def _tell_generation(generation: int, best: float) -> None:
    sys.stderr.write(f"generation {generation}: {best:+.3f}\n")
