"""The words of ``triclinium study``."""

import argparse
from collections.abc import Sequence
from typing import Protocol

from triclinium.i18n.catalog import list_languages

STUDY_COMMANDS = ("run", "plan", "report", "screen", "ban", "ladder", "fair", "record")


class SubParserFactory(Protocol):
    """Something that a parser can be added to."""

    def add_parser(self, name: str, *, help: str) -> argparse.ArgumentParser: ...


def insert_run_command(argv: Sequence[str]) -> list[str]:
    """``study portals`` is short for ``study run portals``."""
    arguments = list(argv)
    if len(arguments) > 1 and arguments[0] == "study" and arguments[1] not in (*STUDY_COMMANDS, "-h", "--help"):
        arguments.insert(1, "run")
    return arguments


def add_study_commands(studies: SubParserFactory) -> None:
    """Every form of the command."""
    for name, help in (
        ("run", "play a study file, or a game as it is or with --set, and write a report"),
        ("plan", "what such a study can see and how long it takes here; plays 20 deals and keeps them"),
        ("screen", "which numbers of a game matter"),
        ("ban", "restricted play: what it costs a seat never to use a verb, a card or a place"),
        ("ladder", "how much better bots win: each against the next"),
        ("fair", "look for numbers that make a game fair"),
    ):
        parser = studies.add_parser(name, help=help)
        _add_study_options(parser)
        if name == "fair":
            _add_balance_options(parser)
    report = studies.add_parser("report", help="write the report of a folder anew, also of an interrupted study")
    report.add_argument("folder", metavar="FOLDER", help="where the study lies")
    _add_output_options(report)
    report.set_defaults(command="study report")
    record = studies.add_parser("record", help="a match of a study as a record that can be replayed")
    record.add_argument("folder", metavar="FOLDER", help="where the study lies")
    record.add_argument("match", metavar="MATCH", help="its number in matches.parquet")
    record.set_defaults(command="study record")


def _add_study_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="FILE|GAME", help="a study.toml, or the id of a game")
    parser.add_argument("--seats", metavar="N", help="how many seats (three, where three can play)")
    parser.add_argument("--bots", metavar="NAMES", help="one for all or one a seat (steady); of a ladder, its rungs")
    parser.add_argument("--also", metavar="NAMES", help="the bots that check it (greedy); '' for none")
    parser.add_argument("--detect", metavar="SHARE", help="the change of a share that matters (3%%)")
    parser.add_argument("--matches", metavar="N", help="of each edition, in place of as many as --detect takes")
    parser.add_argument("--looks", metavar="K", help="planned moments at which it may stop (5); 1: no early stop")
    parser.add_argument("--open-ended", action="store_true", help="look every 200 deals, with wider intervals")
    parser.add_argument(
        "--replays", metavar="N", help="deals that are played again with other chance for the bots (a tenth)"
    )
    parser.add_argument("--every-choice", action="store_true", help="note each decision with all its options")
    parser.add_argument(
        "--all-components", action="store_true", help="note cards and places in every deal, and list all of them"
    )
    parser.add_argument("--refit", action="store_true", help="fit the bots to each edition first, which takes minutes")
    parser.add_argument(
        "--set", metavar="PATH=VALUE", nargs="+", action="extend", default=[], help="a number of another edition"
    )
    parser.add_argument("--components", metavar="FILE", help="another edition as a whole components file")
    parser.add_argument("--name", metavar="TEXT", help="what that edition is called")
    parser.add_argument("--question", metavar="TEXT", help="what you want to know; it stands above the report")
    parser.add_argument("--verbs", metavar="A,B,...", help="that a ban takes away (all that one can do without)")
    parser.add_argument("--cards", metavar="ID,...", help="cards that a ban takes away; 'list' prints their ids")
    parser.add_argument("--places", metavar="ID,...", help="places that a ban takes away; 'list' prints their ids")
    parser.add_argument("--figure", metavar="A,B,...", help="that a screening looks at (winner, first, decisions)")
    parser.add_argument(
        "--only", metavar="PATH*", nargs="+", action="extend", default=[], help="numbers of a screening"
    )
    parser.add_argument("--seed", metavar="S", help="the same seed deals the same matches (1)")
    parser.add_argument(
        "--variant", metavar="NAME=VALUE", nargs="+", action="extend", default=[], help="a choice of the set-up"
    )
    parser.add_argument("--workers", metavar="W", help="processes (as many as cores); the result is the same for any W")
    parser.add_argument("--ray", metavar="ADDRESS", help="play on a Ray cluster: its address, or auto")
    parser.add_argument("--to", metavar="FOLDER", help="where the study goes")
    _add_output_options(parser)
    parser.set_defaults(command="study")


def _add_balance_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--free", metavar="PATH=LOW..HIGH", nargs="+", action="extend", required=True, help="a number that may change"
    )
    parser.add_argument("--goal", metavar="FIGURE=fair|same,...", default="first=fair", help="what is wanted")
    parser.set_defaults(command="study fair")


def _add_output_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--language", choices=list_languages(), default="en", help="the language: %(choices)s")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
