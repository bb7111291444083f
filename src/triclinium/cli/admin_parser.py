"""The words of ``triclinium admin``."""

import argparse
from typing import TypeAlias

SubParsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
TABLE_STATES = ("waiting", "playing", "over", "closed")


def add_admin_commands(subparsers: SubParsers) -> None:
    """For whoever runs a house, open or closed."""
    _add_command(subparsers, "backup", "copy the house into one file, while it is open or closed", "FILE")
    _add_command(subparsers, "verify", "check that such a copy is whole, by its checksum", "FILE")
    restore = _add_command(
        subparsers, "restore", "put such a copy in the place of a house that is closed", "FILE", needs_confirmation=True
    )
    restore.add_argument("--overwrite", action="store_true", help="even if there is a house already")
    tables = _add_command(subparsers, "tables", "list tables, the longest untouched first")
    tables.add_argument("--game", metavar="GAME", default="", help="of this game only")
    tables.add_argument("--state", choices=TABLE_STATES, default="", help="in this state only: %(choices)s")
    tables.add_argument("--older", metavar="DAYS", default="", help="where nothing has happened for so many days")
    tables.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    for command, text in (
        ("close", "close tables: running matches are abandoned and count for nothing"),
        ("delete", "delete tables for good; results and ratings stay"),
    ):
        _add_command(subparsers, command, text, needs_confirmation=True).add_argument(
            "tables", metavar="TABLE", nargs="+", help="its id"
        )
    sweep = _add_command(subparsers, "sweep", "delete tables that have been over for long", needs_confirmation=True)
    sweep.add_argument("--older", metavar="DAYS", default="", help="for more than so many days")
    people = _add_command(subparsers, "people", "list people, the newest first")
    people.add_argument("--name", metavar="TEXT", default="", help="whose nickname holds this")
    people.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    _add_command(subparsers, "export", "write all that the house knows of somebody into a file", "PERSON", "FILE")
    _add_command(subparsers, "erase", "erase somebody now, as they could themselves", "PERSON", needs_confirmation=True)
    for command, text in (
        ("mute", "let somebody not write for a while"),
        ("ban", "let somebody not come in for a while"),
    ):
        restriction = _add_command(subparsers, command, text, "PERSON")
        restriction.add_argument("--for", metavar="TIME", dest="span", required=True, help="90m, 12h, 3d or 2w")
    _add_command(subparsers, "pardon", "end muting and banning of somebody", "PERSON")
    rotate = _add_command(
        subparsers,
        "rotate-key",
        "sign links by a new key; those of the old one lead on for a week",
        needs_confirmation=True,
    )
    rotate.add_argument("--at-once", action="store_true", help="not for a week: somebody else may have the old one")
    owner = _add_command(subparsers, "owner-link", "print a link that makes one browser the owner's")
    owner.add_argument("--revoke", action="store_true", help="take the owner's rights from all other browsers first")


ARGUMENT_HELP = {"FILE": "a file", "PERSON": "a number of `triclinium admin people`"}


def _add_command(
    subparsers: SubParsers, command: str, text: str, *names: str, needs_confirmation: bool = False
) -> argparse.ArgumentParser:
    parser = subparsers.add_parser(command, help=text, description=f"{text[0].upper()}{text[1:]}.")
    for name in names:
        parser.add_argument(name.lower(), metavar=name, help=ARGUMENT_HELP[name])
    parser.add_argument(
        "--database", metavar="URL", default="", help="sqlite:///FILE (default: in your data folder) or postgresql://…"
    )
    if needs_confirmation:
        parser.add_argument("--yes", action="store_true", help="do not ask")
    return parser
