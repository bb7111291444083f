"""Commands of the bare installation: games, play, simulate, replay, verify and speed."""

import argparse
import importlib
import sys
from contextlib import suppress

from triclinium.bots import assign_bots
from triclinium.cli import arguments
from triclinium.cli.ansi import ProgressBar
from triclinium.cli.match_output import (
    build_checks_json,
    build_replay_json,
    format_checks,
    format_replay,
    format_seat_range,
    format_variants,
    game_json,
)
from triclinium.cli.streams import FAILURE, INTERRUPTED, print_error, print_json, print_text
from triclinium.cli.terminal import Terminal
from triclinium.engine import registry
from triclinium.engine.commitment import check_seal, summarize_checks
from triclinium.engine.core.errors import BadRecord, BadSetup
from triclinium.engine.core.state import NOBODY
from triclinium.engine.core.text import Reader
from triclinium.engine.match import Match
from triclinium.engine.match_file import check_match_file, is_match_file, read_match_file, summarize_file_checks
from triclinium.engine.record import RECORD_WORDS, Record
from triclinium.lab.report import format_simulation, format_speed
from triclinium.lab.simulation import SimulationPlan, run_simulation
from triclinium.lab.speed import choose_seat_count, measure_speed
from triclinium.lab.text_table import format_table


def games_command(args: argparse.Namespace) -> int:
    """List the games or the variants of one game. Report games that do not load."""
    faults = registry.list_broken_games()
    if args.game and not args.json:
        print_text(format_variants(arguments.find_game(args.game, None), args.language))
        return 0
    games = [registry.load_game(name) for name in ([args.game] if args.game else registry.list_games())]
    if args.json:
        print_json({"games": [game_json(game) for game in games], "failed": faults})
        return 0
    rows = [["id", "name", "seats", "version", "variants"]]
    for game in games:
        variants = ", ".join(variant.name for variant in game.variants) or "-"
        rows.append([game.id, game.name.text, format_seat_range(game.seats), str(game.version), variants])
    print_text(format_table(rows, left_columns=len(rows[0])))
    for fault in faults.values():
        sys.stderr.write(f"triclinium: {fault}\n")
    return 0


def play_command(args: argparse.Namespace) -> int:
    """Play a match against bots in the terminal."""
    game = arguments.find_game(args.game, args.components)
    seats = arguments.parse_integer("--seats", args.seats) if args.seats else choose_seat_count(game)
    variants = game.read_variants(arguments.parse_pairs(args.variant))
    seed = arguments.parse_seed(args.seed)
    match = Match(game, seats, seed, variants)
    with suppress(ImportError):
        importlib.import_module("readline")  # adds history and editing to `input` if available
    opponents = assign_bots(arguments.split_names(args.bots), seats - 1)
    return Terminal(match, opponents, seed, args.language, sys.stdin, sys.stdout).run()


def simulate_command(args: argparse.Namespace) -> int:
    """Play many matches between bots and print statistics."""
    game = arguments.find_game(args.game, args.components)
    seats = arguments.parse_integer("--seats", args.seats) if args.seats else choose_seat_count(game)
    matches = arguments.parse_integer("--matches", args.matches)
    workers = arguments.parse_integer("--workers", args.workers)
    variants = tuple(arguments.parse_pairs(args.variant).items())
    plan = SimulationPlan(
        args.game,
        seats,
        matches,
        arguments.parse_seed(args.seed),
        tuple(arguments.split_names(args.bots)),
        variants,
        args.components,
    )
    bar = ProgressBar(sys.stderr, "matches")
    report = run_simulation(plan, workers, bar.show)
    bar.close()
    if args.json:
        print_json(report)
    else:
        print_text(format_simulation(report))
    if report["interrupted"]:
        return print_error(f"interrupted after {report['played']} of {report['asked']} matches", INTERRUPTED)
    return 0


def replay_command(args: argparse.Namespace) -> int:
    """Replay a record or its first moves, and print the view of one seat or of a spectator."""
    record = Record.loads(arguments.read_text(args.record), args.record)
    try:
        game = record.find_game(arguments.find_game(record.game_id, args.components) if args.components else None)
    except BadRecord as error:
        raise BadRecord(f"{args.record}: {error}") from None
    until = len(record.options)
    if args.until is not None:
        until = arguments.parse_integer("--until", args.until)
        if not 0 <= until <= len(record.options):
            raise BadSetup(f"--until goes from 0 to {len(record.options)} in this record, not {until}")
    seat = NOBODY
    if args.seat is not None:
        seat = arguments.parse_integer("--seat", args.seat)
        if not 0 <= seat < record.seats:
            raise BadSetup(f"--seat goes from 0 to {record.seats - 1} in this record, not {seat}")
    try:
        if until == len(record.options) and not args.components:
            record.replay()  # checks the result in the record
        match = Match.resume(record.truncate(until), game)
    except BadRecord as error:
        raise BadRecord(f"{args.record}: {error}") from None
    if args.json:
        print_json(build_replay_json(match, seat))
    else:
        print_text(format_replay(match, seat))
    return 0


def verify_command(args: argparse.Namespace) -> int:
    """Check a record or a match file and print every step. The exit code is 1 if a check fails."""
    text = arguments.read_text(args.record)
    if is_match_file(text):
        file = read_match_file(text, args.record)
        results = check_match_file(file, file.names, Reader(), args.seal)
        conclusion = summarize_file_checks(results)
    elif not text.startswith(RECORD_WORDS):
        raise BadRecord(f"{args.record} is neither a record nor a match file")
    else:
        results = check_seal(Record.loads(text, args.record), args.seal)
        conclusion = summarize_checks(results)
    if args.json:
        print_json(build_checks_json(results))
    else:
        print_text(format_checks(results, conclusion))
    return 0 if all(check.holds for check in results) else FAILURE


def speed_command(args: argparse.Namespace) -> int:
    """Measure the speed of every game."""
    for name in args.games:
        registry.load_game(name)
    measured = measure_speed(args.games, on_game=_print_speed_start if sys.stderr.isatty() else None)
    if args.json:
        print_json(measured)
    else:
        print_text(format_speed(measured))
    return 0


def _print_speed_start(name: str) -> None:
    sys.stderr.write(f"measuring {name}\n")
