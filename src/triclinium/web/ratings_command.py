"""``triclinium ratings rebuild``: all ratings of a house, made anew from its results."""

import argparse
import json
import sys

from triclinium.server.admin.command_queue import give
from triclinium.server.settings import named_database


def rebuild_command(args: argparse.Namespace) -> int:
    """The house may be open: then it does so itself."""
    matches = give(named_database(args.database), "rate", {})["matches"]
    told = json.dumps({"matches": matches}) if args.json else f"ratings were made anew from {matches} matches"
    sys.stdout.write(told + "\n")
    return 0
