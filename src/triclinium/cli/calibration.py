"""``triclinium lab calibration``: how often the chances that hints tell come true."""

import argparse
import sys
from pathlib import Path

from triclinium.bots import Budget
from triclinium.cli import arguments
from triclinium.cli.ansi import Bar
from triclinium.cli.streams import INTERRUPTED, complain, print_json, print_text
from triclinium.lab.calibration import Sample, Trial, calibration_toml, report, samples
from triclinium.lab.report import calibration_text


def calibration_command(args: argparse.Namespace) -> int:
    """Play matches, and set what a hint would have said against what came."""
    game = arguments.find_game(args.title, None)
    seats = (
        tuple(arguments.whole("--seats", text) for text in arguments.names(args.seats)) if args.seats else game.seats
    )
    matches, seed = arguments.whole("--matches", args.matches), arguments.seed(args.seed)
    trial = Trial(game.id, seats, matches, Budget.read(args.budget), seed)
    bar = Bar(sys.stderr, "matches")
    heard: list[Sample] = []
    played = 0
    try:
        for noted in samples(trial, arguments.whole("--workers", args.workers), bar.show):
            heard += noted
            played += 1
    except KeyboardInterrupt:
        if not heard:
            raise
    bar.close()
    made = report(trial, args.budget, heard, played, args.fit)
    if args.fit and args.out:
        how = (
            f"By `triclinium lab calibration {game.id} --matches {played} --budget {args.budget} --seed {seed} --fit`."
        )
        Path(args.out).write_text(calibration_toml(made, how), encoding="utf-8")
    if args.json:
        print_json(made)
    else:
        print_text(calibration_text(made))
    return complain(f"interrupted after {played} of {matches} matches", INTERRUPTED) if played < matches else 0
