"""The command ``triclinium lab calibration``: compare the win probabilities of hints with results."""

import argparse
import sys
from pathlib import Path

from triclinium.bots import Budget
from triclinium.cli import arguments
from triclinium.cli.ansi import ProgressBar
from triclinium.cli.streams import INTERRUPTED, print_error, print_json, print_text
from triclinium.lab.calibration import (
    CalibrationSample,
    CalibrationTrial,
    format_calibration_toml,
    make_report,
    sample_matches,
)
from triclinium.lab.report import format_calibration


def calibration_command(args: argparse.Namespace) -> int:
    """Play matches and compare the win probabilities that hints would have shown with the results."""
    game = arguments.find_game(args.game, None)
    seats = (
        tuple(arguments.parse_integer("--seats", text) for text in arguments.split_names(args.seats))
        if args.seats
        else game.seats
    )
    matches, seed = arguments.parse_integer("--matches", args.matches), arguments.parse_seed(args.seed)
    trial = CalibrationTrial(game.id, seats, matches, Budget.read(args.budget), seed)
    bar = ProgressBar(sys.stderr, "matches")
    collected: list[CalibrationSample] = []
    played = 0
    try:
        for match_samples in sample_matches(trial, arguments.parse_integer("--workers", args.workers), bar.show):
            collected += match_samples
            played += 1
    except KeyboardInterrupt:
        if not collected:
            raise
    bar.close()
    result = make_report(trial, args.budget, collected, played, args.fit)
    if args.fit and args.out:
        how = (
            f"By `triclinium lab calibration {game.id} --matches {played} --budget {args.budget} --seed {seed} --fit`."
        )
        Path(args.out).write_text(format_calibration_toml(result, how), encoding="utf-8")
    if args.json:
        print_json(result)
    else:
        print_text(format_calibration(result))
    return print_error(f"interrupted after {played} of {matches} matches", INTERRUPTED) if played < matches else 0
