"""The words of ``triclinium admin``."""

import argparse
from typing import TypeAlias

Words: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
STATES = ("waiting", "playing", "over", "closed")


def add_admin(words: Words) -> None:
    """For whoever runs a house, open or closed."""
    _one(words, "backup", "copy the house into one file, while it is open or closed", "FILE")
    _one(words, "verify", "check that such a copy is whole, by its checksum", "FILE")
    restore = _one(words, "restore", "put such a copy in the place of a house that is closed", "FILE", asks=True)
    restore.add_argument("--overwrite", action="store_true", help="even if there is a house already")
    tables = _one(words, "tables", "list tables, the longest untouched first")
    tables.add_argument("--game", metavar="TITLE", default="", help="of this title only")
    tables.add_argument("--state", choices=STATES, default="", help="in this state only: %(choices)s")
    tables.add_argument("--older", metavar="DAYS", default="", help="where nothing has happened for so many days")
    tables.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    for word, text in (
        ("close", "close tables: running matches are abandoned and count for nothing"),
        ("delete", "delete tables for good; results and ratings stay"),
    ):
        _one(words, word, text, asks=True).add_argument("tables", metavar="TABLE", nargs="+", help="its id")
    sweep = _one(words, "sweep", "delete tables that have been over for long", asks=True)
    sweep.add_argument("--older", metavar="DAYS", default="", help="for more than so many days")
    people = _one(words, "people", "list people, the newest first")
    people.add_argument("--name", metavar="TEXT", default="", help="whose nickname holds this")
    people.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    _one(words, "export", "write all that the house knows of somebody into a file", "PERSON", "FILE")
    _one(words, "erase", "erase somebody now, as they could themselves", "PERSON", asks=True)
    for word, text in (("mute", "let somebody not write for a while"), ("ban", "let somebody not come in for a while")):
        held = _one(words, word, text, "PERSON")
        held.add_argument("--for", metavar="TIME", dest="span", required=True, help="90m, 12h, 3d or 2w")
    _one(words, "pardon", "end muting and banning of somebody", "PERSON")
    rotate = _one(words, "rotate-key", "sign links by a new key; those of the old one lead on for a week", asks=True)
    rotate.add_argument("--at-once", action="store_true", help="not for a week: somebody else may have the old one")
    owner = _one(words, "owner-link", "print a link that makes one browser the owner's")
    owner.add_argument("--revoke", action="store_true", help="take the owner's rights from all other browsers first")


HELP = {"FILE": "a file", "PERSON": "a number of `triclinium admin people`"}


def _one(words: Words, word: str, text: str, *names: str, asks: bool = False) -> argparse.ArgumentParser:
    parser = words.add_parser(word, help=text, description=f"{text[0].upper()}{text[1:]}.")
    for name in names:
        parser.add_argument(name.lower(), metavar=name, help=HELP[name])
    parser.add_argument(
        "--database", metavar="URL", default="", help="sqlite:///FILE (default: in your data folder) or postgresql://…"
    )
    if asks:
        parser.add_argument("--yes", action="store_true", help="do not ask")
    return parser
