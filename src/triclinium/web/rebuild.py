"""``triclinium ratings rebuild``: all ratings of a house, made anew from its results."""

import argparse
import json
import sys

from triclinium.server.rating import rebuild
from triclinium.server.settings import default_database
from triclinium.server.storage.db import Store


def rebuild_command(args: argparse.Namespace) -> int:
    """The house must be closed: its database is taken as a server takes it."""
    store = Store(args.database or default_database())
    store.migrate()
    try:
        with store.engine.begin() as connection:
            matches = rebuild(connection)
    finally:
        store.close()
    told = json.dumps({"matches": matches}) if args.json else f"ratings were made anew from {matches} matches"
    sys.stdout.write(told + "\n")
    return 0
