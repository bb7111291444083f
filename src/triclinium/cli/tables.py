"""The command ``triclinium tables``: count the tables in a server's database.

An SQLite file is opened read-only with Python's own library. The server may be running, and it need not be installed.
For PostgreSQL, the command uses the server's modules.
"""

import argparse
import importlib
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

from triclinium.cli.streams import print_json, print_text
from triclinium.engine import registry
from triclinium.engine.core.errors import BadSetup, TricliniumError
from triclinium.engine.extras import describe_missing_extra
from triclinium.lab.text_table import format_table

SQLITE_PREFIX = "sqlite:///"
CountRow: TypeAlias = tuple[str, int, str, int]
COUNT_QUERY = (
    """SELECT game, rules, status, count(*) FROM tables WHERE status != 'removed' GROUP BY 1, 2, 3 ORDER BY 1, 2"""
)
RUNNING_STATES = ("waiting", "playing")


class VersionCount:
    """The number of tables for one game and one version of its rules."""

    def __init__(self, game_id: str, version: int) -> None:
        self.game_id = game_id
        self.version = version
        self.running = 0  # tables that still need this version
        self.ended = 0

    @property
    def is_playable(self) -> bool:
        """True if the installed rules can play this version."""
        try:
            return self.version in registry.load_game(self.game_id).versions
        except TricliniumError:
            return False

    def to_json(self) -> dict[str, object]:
        return {
            "game": self.game_id,
            "version": self.version,
            "running": self.running,
            "ended": self.ended,
            "known": self.is_playable,
        }


def count_versions(database: str) -> list[VersionCount]:
    """Return the tables of a database by game and version. Raise BadSetup if it cannot be read."""
    counts: dict[tuple[str, int], VersionCount] = {}
    for game_id, version, status, number in _count_rows(database):
        count = counts.setdefault((game_id, version), VersionCount(game_id, version))
        if status in RUNNING_STATES:
            count.running += number
        else:
            count.ended += number
    return list(counts.values())


def _count_rows(database: str) -> list[CountRow]:
    """Return the number of tables for each game, version and status."""
    if database.startswith("postgres"):
        try:
            table_counts = importlib.import_module("triclinium.server.admin.table_counts")
        except ImportError:
            raise BadSetup(describe_missing_extra("a PostgreSQL database", "web,postgres")) from None
        return list(table_counts.count_tables(database))
    path = Path(database.removeprefix(SQLITE_PREFIX))
    if not database.startswith(SQLITE_PREFIX) or not path.is_file():
        raise BadSetup(f"there is no database {database!r}; name it by a URL such as sqlite:///triclinium.db")
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            return connection.execute(COUNT_QUERY).fetchall()
    except sqlite3.Error as error:
        raise BadSetup(f"the database {path} cannot be read: {error}") from None


def tables_command(args: argparse.Namespace) -> int:
    """Print the number of tables for each version of the rules. A version without running tables can be dropped."""
    counts = count_versions(args.database or _get_default_database())
    if args.json:
        print_json({"tables": [count.to_json() for count in counts]})
        return 0
    rows = [["game", "version", "running", "ended", "rules here"]]
    for count in counts:
        playable = "yes" if count.is_playable else "no"
        rows.append([count.game_id, str(count.version), str(count.running), str(count.ended), playable])
    print_text(format_table(rows))
    return 0


def _get_default_database() -> str:
    """Return the default database of the server. Raise BadSetup if the server is not installed."""
    try:
        settings = importlib.import_module("triclinium.server.settings")
    except ImportError:
        raise BadSetup("name the database: --database sqlite:///FILE") from None
    return str(settings.default_database())
