"""Table of commands. A module is imported when its command runs, so commands do not need each other's dependencies."""

import argparse
import gc
from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from triclinium.engine.core.errors import BadSetup
from triclinium.engine.extras import describe_missing_extra


class CommandEntry(NamedTuple):
    """The function of a command, and the extra that its module needs beyond the bare installation."""

    module: str
    function: str
    purpose: str = ""
    extra: str = ""


COMMANDS = {
    "games": CommandEntry("triclinium.cli.match_commands", "games_command"),
    "bots": CommandEntry("triclinium.cli.bots", "bots_command"),
    "play": CommandEntry("triclinium.cli.match_commands", "play_command"),
    "new-game": CommandEntry("triclinium.cli.new_game", "new_game_command"),
    "numbers": CommandEntry("triclinium.cli.numbers", "numbers_command"),
    "simulate": CommandEntry("triclinium.cli.match_commands", "simulate_command"),
    "rule": CommandEntry("triclinium.cli.rule", "rule_command"),
    "replay": CommandEntry("triclinium.cli.match_commands", "replay_command"),
    "review": CommandEntry("triclinium.cli.review", "review_command"),
    "verify": CommandEntry("triclinium.cli.match_commands", "verify_command"),
    "tables": CommandEntry("triclinium.cli.tables", "tables_command"),
    "speed": CommandEntry("triclinium.cli.match_commands", "speed_command"),
    "arena": CommandEntry("triclinium.cli.arena", "arena_command", "an arena", "lab"),
    "benchmark": CommandEntry("triclinium.cli.benchmark", "benchmark_command"),
    "learn": CommandEntry("triclinium.cli.learn", "learn_command", "learning", "learn"),
    "study": CommandEntry("triclinium.cli.study", "study_command", "a study", "lab"),
    "study report": CommandEntry("triclinium.cli.study", "report_command", "a study", "lab"),
    "study record": CommandEntry("triclinium.cli.study", "record_command", "a study", "lab"),
    "study fair": CommandEntry("triclinium.cli.study", "balance_command", "a study", "lab"),
    "lab calibration": CommandEntry("triclinium.cli.calibration", "calibration_command"),
    "ratings anchor": CommandEntry("triclinium.cli.ratings", "anchor_command", "an arena", "lab"),
    "ratings rebuild": CommandEntry("triclinium.web.ratings_command", "rebuild_command", "ratings", "web"),
    "admin": CommandEntry("triclinium.server.admin.command", "admin_command", "administration", "web"),
    "serve": CommandEntry("triclinium.web.serve_command", "serve_command", "serving", "web"),
}


def load_command(name: str) -> Callable[[argparse.Namespace], int]:
    """Return the function of a command. Raise BadSetup if its extra is not installed."""
    command = COMMANDS[name]
    collecting = gc.isenabled()
    gc.disable()  # imports create no garbage, and collection took a fifth of the time of importing the server
    try:
        module = import_module(command.module)
    except ModuleNotFoundError as missing:
        if not command.extra or (missing.name or "").startswith("triclinium"):
            raise
        raise BadSetup(describe_missing_extra(command.purpose, command.extra)) from None
    finally:
        if collecting:
            gc.enable()
    function: Callable[[argparse.Namespace], int] = getattr(module, command.function)
    return function
