"""The command ``triclinium``: every way in, and the one place where errors become sentences and exit codes.

Standard output holds the result, and with ``--json`` one JSON object and nothing else. Errors go to standard error in
one sentence: exit code 2 for wrong input, 1 for failure.
"""

import argparse
import importlib
import io
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from triclinium.bots import bots, seating
from triclinium.cli import arguments
from triclinium.cli.output import replay_json, replay_text, seal_json, seal_text, span, title_json
from triclinium.cli.terminal import Terminal
from triclinium.cli.tty import Bar
from triclinium.engine import registry
from triclinium.engine.commitment import checks
from triclinium.engine.core.errors import BadRecord, BadSetup, TricliniumError
from triclinium.engine.core.state import NOBODY
from triclinium.engine.core.text import LANGUAGES
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.lab.arena import Bout, Contest, bouts
from triclinium.lab.bench import bench, customary_seats
from triclinium.lab.columns import columns
from triclinium.lab.plot import arena_svg
from triclinium.lab.report import arena_text, bench_text, simulation_text, tuning_text
from triclinium.lab.simulate import Plan, simulate
from triclinium.lab.standings import arena_report
from triclinium.lab.tune import Search, tune, weights_toml

WRONG_INPUT = 2
FAILURE = 1
INTERRUPTED = 130  # as shells count a process ended by Ctrl-C


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a letter that the terminal lacks must not end a match
    parser = build_parser()
    args = parser.parse_args(words)
    command: Callable[[argparse.Namespace], int] = args.command
    try:
        code = command(args)
        sys.stdout.flush()
        return code
    except TricliniumError as error:
        return _complain(str(error), WRONG_INPUT)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    except BrokenProcessPool:
        return _complain("a worker died before its matches were played; try fewer workers", FAILURE)
    except BrokenPipeError:  # the reader of our output has left; nobody is left to tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE
    except OSError as error:
        return _complain(f"{error.filename or 'the system'}: {error.strerror or error}", FAILURE)


# -- the commands -----------------------------------------------------------------------------------------------------


def titles_command(args: argparse.Namespace) -> int:
    """List the titles and their variants; name those that do not load."""
    faults = registry.broken()
    found = [registry.title(name) for name in registry.titles()]
    if args.json:
        _print_json({"titles": [title_json(title) for title in found], "broken": faults})
        return 0
    rows = [["id", "name", "seats", "version", "variants"]]
    for title in found:
        variants = ", ".join(variant.name for variant in title.variants) or "-"
        rows.append([title.id, title.name.en, span(title.seats), str(title.version), variants])
    _print(columns(rows, left=len(rows[0])))
    for fault in faults.values():
        sys.stderr.write(f"triclinium: {fault}\n")
    return 0


def play_command(args: argparse.Namespace) -> int:
    """A match against bots in the terminal."""
    title = arguments.find_title(args.title, args.components)
    seats = arguments.whole("--seats", args.seats) if args.seats else customary_seats(title)
    variants = title.read_variants(arguments.pairs(args.variant))
    seed = arguments.seed(args.seed)
    match = Match(title, seats, seed, variants)
    with suppress(ImportError):
        importlib.import_module("readline")  # gives `input` its history and editing, where it is at hand
    opponents = seating(arguments.names(args.bots), seats - 1)
    return Terminal(match, opponents, seed, args.language, sys.stdin, sys.stdout).run()


def simulate_command(args: argparse.Namespace) -> int:
    """Many matches between bots, summed up."""
    title = arguments.find_title(args.title, args.components)
    seats = arguments.whole("--seats", args.seats) if args.seats else customary_seats(title)
    matches = arguments.whole("--matches", args.matches)
    workers = arguments.whole("--workers", args.workers)
    variants = tuple(arguments.pairs(args.variant).items())
    plan = Plan(
        args.title,
        seats,
        matches,
        arguments.seed(args.seed),
        tuple(arguments.names(args.bots)),
        variants,
        args.components,
    )
    bar = Bar(sys.stderr, "matches")
    report = simulate(plan, workers, bar.show)
    bar.close()
    if args.json:
        _print_json(report)
    else:
        _print(simulation_text(report))
    if report["interrupted"]:
        return _complain(f"interrupted after {report['played']} of {report['asked']} matches", INTERRUPTED)
    return 0


def replay_command(args: argparse.Namespace) -> int:
    """Replay a record, wholly or in part, as one seat or a spectator sees it."""
    record = Record.loads(arguments.read_text(args.record), args.record)
    try:
        title = record.title_for(arguments.find_title(record.title, args.components) if args.components else None)
    except BadRecord as error:
        raise BadRecord(f"{args.record}: {error}") from None
    until = len(record.options)
    if args.until is not None:
        until = arguments.whole("--until", args.until)
        if not 0 <= until <= len(record.options):
            raise BadSetup(f"--until goes from 0 to {len(record.options)} in this record, not {until}")
    seat = NOBODY
    if args.seat is not None:
        seat = arguments.whole("--seat", args.seat)
        if not 0 <= seat < record.seats:
            raise BadSetup(f"--seat goes from 0 to {record.seats - 1} in this record, not {seat}")
    try:
        if until == len(record.options) and not args.components:
            record.replay()  # checks the result that it tells
        match = Match.resume(record.until(until), title)
    except BadRecord as error:
        raise BadRecord(f"{args.record}: {error}") from None
    if args.json:
        _print_json(replay_json(match, seat))
    else:
        _print(replay_text(match, seat))
    return 0


def verify_command(args: argparse.Namespace) -> int:
    """Check the seal of a record, step by step; 1 if it does not hold."""
    record = Record.loads(arguments.read_text(args.record), args.record)
    made = checks(record, args.seal)
    if args.json:
        _print_json(seal_json(made))
    else:
        _print(seal_text(made))
    return 0 if all(check.holds for check in made) else FAILURE


def arena_command(args: argparse.Namespace) -> int:
    """Bots against each other, with a drawing and all records in a folder."""
    title = arguments.find_title(args.title, None)
    seats = arguments.whole("--seats", args.seats) if args.seats else title.seats[0]
    variants = tuple(arguments.pairs(args.variant).items())
    seed = arguments.seed(args.seed)
    contest = Contest(
        args.title, tuple(arguments.names(args.bots)), arguments.whole("--matches", args.matches), seats, seed, variants
    )
    folder = Path(args.out or f"arena-{title.id}-{seed}")
    bar = Bar(sys.stderr, "matches")
    began = time.monotonic()
    played: list[Bout] = []
    try:
        for bout in bouts(contest, arguments.whole("--workers", args.workers), bar.show):
            played.append(bout)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{bout.number:05d}.txt").write_text(bout.record, encoding="utf-8")
    except KeyboardInterrupt:
        if not played:
            raise
    bar.close()
    report = arena_report(contest, played, time.monotonic() - began)
    (folder / "arena.json").write_text(json.dumps(report, ensure_ascii=False, indent=1), encoding="utf-8")
    (folder / "arena.svg").write_text(arena_svg(report), encoding="utf-8")
    if args.json:
        _print_json({**report, "folder": str(folder)})
    else:
        _print(arena_text(report))
        _print(f"\nrecords, arena.json and arena.svg are in {folder}")
    if report["interrupted"]:
        return _complain(f"interrupted after {len(played)} of {contest.matches} matches", INTERRUPTED)
    return 0


def tune_command(args: argparse.Namespace) -> int:
    """Look for better weights of a title's features by self-play."""
    title = arguments.find_title(args.title, None)
    seats = arguments.whole("--seats", args.seats) if args.seats else title.seats[0]
    search = Search(
        title.id,
        seats,
        args.bots,
        float(arguments.whole("--seconds", args.seconds)),
        arguments.whole("--proposals", args.proposals),
        arguments.whole("--deals", args.deals),
        arguments.whole("--trials", args.trials),
        arguments.whole("--lessons", args.lessons),
        arguments.seed(args.seed),
    )
    report = tune(search, _tell_generation if sys.stderr.isatty() else None)
    if args.out:
        how = f"Tuned by {report['matches']} matches of {report['bot']} against itself with {report['seats']} seats."
        Path(args.out).write_text(weights_toml(report, how), encoding="utf-8")
    if args.json:
        _print_json(report)
    else:
        _print(tuning_text(report))
    return 0


def bench_command(args: argparse.Namespace) -> int:
    """Measure the speed of every title."""
    for name in args.titles:
        registry.title(name)
    measured = bench(args.titles, tell=_tell_measured if sys.stderr.isatty() else None)
    if args.json:
        _print_json(measured)
    else:
        _print(bench_text(measured))
    return 0


# -- their arguments --------------------------------------------------------------------------------------------------


class Parser(argparse.ArgumentParser):
    """Complains in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise SystemExit(_complain(f"{message}; see {self.prog} --help", WRONG_INPUT))


def serve_command(args: argparse.Namespace) -> int:
    """Open the house; what it needs is loaded only now."""
    from triclinium.web.command import serve

    return serve(args)


def build_parser() -> Parser:
    """The command line."""
    parser = Parser(prog="triclinium", description="One table for board games of the ancient world.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)

    titles = commands.add_parser("titles", help="list the titles and their variants")
    _add_json(titles)
    titles.set_defaults(command=titles_command)

    play = commands.add_parser("play", help="play against bots in the terminal")
    _add_match(play)
    play.add_argument("--language", choices=LANGUAGES, default="en", help="en or fr")
    play.set_defaults(command=play_command, bots="greedy")

    simulate_ = commands.add_parser("simulate", help="play many matches between bots and sum them up")
    _add_match(simulate_)
    simulate_.add_argument("--matches", metavar="K", required=True, help="how many")
    simulate_.add_argument("--workers", metavar="W", default="1", help="processes; the result is the same for any W")
    _add_json(simulate_)
    simulate_.set_defaults(command=simulate_command, bots="random")

    arena = commands.add_parser("arena", help="let bots meet in balanced seatings and rate them")
    arena.add_argument("title", metavar="TITLE", help="its id; `triclinium titles` lists them")
    budgets = "a budget may follow: strong@300ms, strong@500x"
    arena.add_argument("--bots", metavar="A,B,...", required=True, help=f"{', '.join(bots())}; {budgets}")
    arena.add_argument("--matches", metavar="N", required=True, help="how many")
    arena.add_argument("--seats", metavar="K", help="how many seats; without it, the fewest")
    arena.add_argument("--workers", metavar="W", default="1", help="processes")
    arena.add_argument("--seed", metavar="S", help="the same seed deals the same matches")
    arena.add_argument("--out", metavar="DIR", help="where records, arena.json and arena.svg go")
    arena.add_argument(
        "--variant", metavar="NAME=VALUE", nargs="+", action="extend", default=[], help="a choice of the set-up"
    )
    _add_json(arena)
    arena.set_defaults(command=arena_command)

    tuning = commands.add_parser("tune", help="look for better weights of a title's evaluation by self-play")
    tuning.add_argument("title", metavar="TITLE", help="its id; `triclinium titles` lists them")
    tuning.add_argument("--seats", metavar="N", help="how many seats; without it, the fewest")
    tuning.add_argument("--bots", metavar="NAME", default="steady", help="who plays against itself")
    tuning.add_argument("--seconds", metavar="T", default="300", help="how long to look")
    tuning.add_argument("--proposals", metavar="P", default="48", help="weights tried in a generation")
    tuning.add_argument("--deals", metavar="D", default="1", help="deals that each proposal plays from every seat")
    tuning.add_argument("--trials", metavar="N", default="200", help="closing matches of new weights against old")
    tuning.add_argument("--lessons", metavar="N", default="400", help="matches that the judge learns from")
    tuning.add_argument("--seed", metavar="S", help="the same seed deals the same matches")
    tuning.add_argument("--out", metavar="FILE", help="where a weights.toml goes")
    _add_json(tuning)
    tuning.set_defaults(command=tune_command)

    replay = commands.add_parser("replay", help="replay a record")
    replay.add_argument("record", metavar="RECORD", help="a file, or - for standard input")
    replay.add_argument("--until", metavar="N", help="stop after N moves")
    replay.add_argument("--seat", metavar="S", help="what this seat sees; without it, what a spectator sees")
    replay.add_argument("--components", metavar="FILE", help="an edited components file")
    _add_json(replay)
    replay.set_defaults(command=replay_command)

    verify = commands.add_parser("verify", help="check the seal of a record: that nobody changed the shuffle")
    verify.add_argument("record", metavar="RECORD", help="a file, or - for standard input")
    verify.add_argument(
        "--seal",
        metavar="SEAL",
        default="",
        help="the seal that you noted before the end, or its first 8 digits or more",
    )
    _add_json(verify)
    verify.set_defaults(command=verify_command)

    measure = commands.add_parser("bench", help="measure the speed of every title")
    measure.add_argument("--titles", metavar="TITLE", nargs="+", default=[], help="only these")
    _add_json(measure)
    measure.set_defaults(command=bench_command)

    serve = commands.add_parser("serve", help="open the house: tables to play at in the browser")
    serve.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this machine only)")
    serve.add_argument("--port", default="8090", help="the port (default 8090)")
    serve.add_argument("--database", metavar="URL", default="", help="sqlite:///FILE (default: in your data folder)")
    serve.add_argument("--no-browser", action="store_true", help="do not open a browser")
    serve.add_argument("--no-limits", action="store_true", help="do not count requests: for benchmarks")
    serve.add_argument("--https", action="store_true", help="a proxy in front speaks HTTPS")
    serve.add_argument("--url", default="", help="how others reach the house: https://games.example.org")
    serve.add_argument(
        "--proxy",
        metavar="ADDRESS",
        default="",
        help="a proxy there is believed about who calls (with --https: here)",
    )
    serve.add_argument("--workers", metavar="N", default="1", help="processes for the bots (default 1)")
    serve.add_argument(
        "--bot-pause", metavar="SECONDS", default="0.5", help="how long a bot's move waits to be followed"
    )
    serve.add_argument(
        "--hint-budget", metavar="BUDGET", default="1s", help="how long a hint is thought about: 300ms, 2s or 500x"
    )
    serve.set_defaults(command=serve_command)
    return parser


def _add_match(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("title", metavar="TITLE", help="its id; `triclinium titles` lists them")
    parser.add_argument("--seats", metavar="N", help="how many seats")
    parser.add_argument("--bots", metavar="NAMES", help=f"one for all or one a seat: {', '.join(bots())}")
    parser.add_argument("--seed", metavar="S", help="the same seed deals the same match")
    parser.add_argument(
        "--variant", metavar="NAME=VALUE", nargs="+", action="extend", default=[], help="a choice of the set-up"
    )
    parser.add_argument("--components", metavar="FILE", help="an edited components file")


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")


# -- their results ----------------------------------------------------------------------------------------------------


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _print_json(thing: object) -> None:
    sys.stdout.write(json.dumps(thing, ensure_ascii=False) + "\n")


def _tell_measured(name: str) -> None:
    sys.stderr.write(f"measuring {name}\n")


def _tell_generation(generation: int, best: float) -> None:
    sys.stderr.write(f"generation {generation}: {best:+.3f}\n")


def _complain(sentence: str, code: int) -> int:
    sys.stderr.write(f"triclinium: {sentence}\n")
    return code
