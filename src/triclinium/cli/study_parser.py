"""Command-line arguments of ``triclinium study``."""

import argparse
from collections.abc import Sequence
from typing import Protocol

from triclinium.i18n.catalog import list_languages

STUDY_COMMANDS = ("run", "plan", "report", "screen", "ban", "ladder", "fair", "record")


class SubParserFactory(Protocol):
    """An object that creates sub-parsers, such as the result of `add_subparsers`."""

    def add_parser(self, name: str, *, help: str) -> argparse.ArgumentParser: ...


def insert_run_command(argv: Sequence[str]) -> list[str]:
    """Expand ``study portals`` to ``study run portals``."""
    arguments = list(argv)
    if len(arguments) > 1 and arguments[0] == "study" and arguments[1] not in (*STUDY_COMMANDS, "-h", "--help"):
        arguments.insert(1, "run")
    return arguments


def add_study_commands(studies: SubParserFactory) -> None:
    """Add all study commands."""
    for name, help in (
        ("run", "run a study file, or a study of a game with --set, and write a report"),
        ("plan", "estimate duration and detectable differences of a study with 20 deals, which are kept"),
        ("screen", "sensitivity screening: find the numbers of a game that matter"),
        ("ban", "restricted play: measure the cost of never using a verb, a card or a place"),
        ("ladder", "compare each bot with the next stronger one"),
        ("fair", "balance search: find numbers that make a game fair"),
    ):
        parser = studies.add_parser(name, help=help)
        _add_study_options(parser)
        if name == "fair":
            _add_balance_options(parser)
    report = studies.add_parser("report", help="write the report of a study folder again, also of an interrupted study")
    report.add_argument("folder", metavar="FOLDER", help="folder of the study")
    _add_output_options(report)
    report.set_defaults(command="study report")
    record = studies.add_parser("record", help="print a match of a study as a record")
    record.add_argument("folder", metavar="FOLDER", help="folder of the study")
    record.add_argument("match", metavar="MATCH", help="number of the match in matches.parquet")
    record.set_defaults(command="study record")


def _add_study_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="FILE|GAME", help="study file, or id of a game")
    parser.add_argument("--seats", metavar="N", help="number of seats (default: 3 if allowed)")
    parser.add_argument(
        "--bots",
        metavar="NAMES",
        help="bots, one for all seats or one for each; for a ladder, its bots in order (default: steady)",
    )
    parser.add_argument(
        "--also", metavar="NAMES", help="bots for a second run as a check, '' for none (default: greedy)"
    )
    parser.add_argument("--detect", metavar="SHARE", help="minimum detectable difference of a share (default: 3%%)")
    parser.add_argument("--matches", metavar="N", help="matches for each edition (default: as many as --detect needs)")
    parser.add_argument("--looks", metavar="K", help="number of interim analyses, 1 for no early stop (default: 5)")
    parser.add_argument(
        "--open-ended", action="store_true", help="interim analysis every 200 deals, with wider intervals"
    )
    parser.add_argument(
        "--replays", metavar="N", help="deals repeated with other random choices of the bots (default: a tenth)"
    )
    parser.add_argument("--every-choice", action="store_true", help="record each decision with all its options")
    parser.add_argument(
        "--all-components", action="store_true", help="record cards and places in every deal, and report all of them"
    )
    parser.add_argument("--refit", action="store_true", help="fit the bots to each edition first (takes minutes)")
    parser.add_argument(
        "--set",
        metavar="PATH=VALUE",
        nargs="+",
        action="extend",
        default=[],
        help="changed number of the treatment edition",
    )
    parser.add_argument("--components", metavar="FILE", help="treatment edition as a components file")
    parser.add_argument("--name", metavar="TEXT", help="name of the treatment edition")
    parser.add_argument("--question", metavar="TEXT", help="question of the study, shown above the report")
    parser.add_argument(
        "--main", metavar="FIGURE", help="figure that answers the question, such as decisions (default: first)"
    )
    parser.add_argument("--verbs", metavar="A,B,...", help="verbs that a ban forbids (default: all dispensable ones)")
    parser.add_argument("--cards", metavar="ID,...", help="cards that a ban forbids; 'list' prints their ids")
    parser.add_argument("--places", metavar="ID,...", help="places that a ban forbids; 'list' prints their ids")
    parser.add_argument(
        "--figure", metavar="A,B,...", help="figures of a screening (default: winner, first, decisions)"
    )
    parser.add_argument(
        "--only",
        metavar="PATH*",
        nargs="+",
        action="extend",
        default=[],
        help="paths of the numbers to screen (default: all)",
    )
    parser.add_argument("--seed", metavar="S", help="seed; the same seed deals the same matches (default: 1)")
    parser.add_argument(
        "--variant", metavar="NAME=VALUE", nargs="+", action="extend", default=[], help="value of a variant"
    )
    parser.add_argument(
        "--workers", metavar="W", help="number of processes; it does not affect the result (default: number of cores)"
    )
    parser.add_argument("--ray", metavar="ADDRESS", help="address of a Ray cluster, or auto")
    parser.add_argument("--to", metavar="FOLDER", help="folder for the study")
    parser.add_argument("--csv", metavar="FILE", help="also write the figures of every edition to a CSV file")
    parser.add_argument("--progress", action="store_true", help="print the progress as one JSON object a line")
    parser.add_argument("--idle", action="store_true", help="run at the lowest priority")
    _add_output_options(parser)
    parser.set_defaults(command="study")


def _add_balance_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--free",
        metavar="PATH=LOW..HIGH",
        nargs="+",
        action="extend",
        required=True,
        help="number that may change, with its range",
    )
    parser.add_argument(
        "--goal", metavar="FIGURE=fair|same,...", default="first=fair", help="goal (default: %(default)s)"
    )
    parser.set_defaults(command="study fair")


def _add_output_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--language", choices=list_languages(), default="en", help="language: %(choices)s (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
