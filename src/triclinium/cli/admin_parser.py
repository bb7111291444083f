"""Command-line arguments of ``triclinium admin``."""

import argparse
from typing import TypeAlias

SubParsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
TABLE_STATES = ("waiting", "playing", "over", "closed")


def add_admin_commands(subparsers: SubParsers) -> None:
    """Add the commands for operators of a server."""
    _add_command(subparsers, "backup", "copy the server's data into one file, also while it runs", "FILE")
    _add_command(subparsers, "verify", "verify a backup by its checksum", "FILE")
    restore = _add_command(
        subparsers, "restore", "restore a backup while the server is stopped", "FILE", needs_confirmation=True
    )
    restore.add_argument("--overwrite", action="store_true", help="replace existing data")
    tables = _add_command(subparsers, "tables", "list tables, the longest inactive first")
    tables.add_argument("--game", metavar="GAME", default="", help="tables of this game only")
    tables.add_argument("--state", choices=TABLE_STATES, default="", help="tables in this state only: %(choices)s")
    tables.add_argument("--older", metavar="DAYS", default="", help="tables without activity for this many days")
    tables.add_argument("--json", action="store_true", help="print one JSON object only")
    for command, text in (
        ("close", "close tables; running matches are abandoned and not rated"),
        ("delete", "delete tables permanently; results and ratings are kept"),
    ):
        _add_command(subparsers, command, text, needs_confirmation=True).add_argument(
            "tables", metavar="TABLE", nargs="+", help="id of a table"
        )
    sweep = _add_command(subparsers, "sweep", "delete tables whose match ended long ago", needs_confirmation=True)
    sweep.add_argument("--older", metavar="DAYS", default="", help="minimum number of days since the end")
    people = _add_command(subparsers, "people", "list accounts, the newest first")
    people.add_argument("--name", metavar="TEXT", default="", help="nicknames that contain this text")
    people.add_argument("--json", action="store_true", help="print one JSON object only")
    _add_command(subparsers, "export", "write all data about a person to a file", "PERSON", "FILE")
    _add_command(subparsers, "erase", "delete a person's account now", "PERSON", needs_confirmation=True)
    for command, text in (
        ("mute", "stop a person from writing for some time"),
        ("ban", "ban a person for some time"),
    ):
        restriction = _add_command(subparsers, command, text, "PERSON")
        restriction.add_argument(
            "--for", metavar="TIME", dest="span", required=True, help="duration: 90m, 12h, 3d or 2w"
        )
    _add_command(subparsers, "pardon", "end all mutes and bans of a person", "PERSON")
    rotate = _add_command(
        subparsers,
        "rotate-key",
        "sign links with a new key; links of the old key work for another week",
        needs_confirmation=True,
    )
    rotate.add_argument(
        "--at-once", action="store_true", help="invalidate the old key at once, for example after a leak"
    )
    owner = _add_command(subparsers, "owner-link", "print a link that gives one browser the owner's rights")
    owner.add_argument("--revoke", action="store_true", help="revoke the owner's rights of all other browsers first")


ARGUMENT_HELP = {"FILE": "a file", "PERSON": "a number from `triclinium admin people`"}


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
