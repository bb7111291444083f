"""The command ``triclinium ratings rebuild``: compute all ratings of a server again from its results."""

import argparse
import json
import sys

from triclinium.server.admin.command_queue import run_action
from triclinium.server.settings import resolve_database


def rebuild_command(args: argparse.Namespace) -> int:
    """Rebuild the ratings. A running server rebuilds them itself."""
    matches = run_action(resolve_database(args.database), "rate", {})["matches"]
    text = json.dumps({"matches": matches}) if args.json else f"computed all ratings again from {matches} matches"
    sys.stdout.write(text + "\n")
    return 0
