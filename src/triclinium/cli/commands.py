"""Which command lives where. A command is loaded when it is called, so that none needs what only another one uses."""

import argparse
import gc
import shlex
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from triclinium.engine.core.errors import BadSetup


class Command(NamedTuple):
    """A function of a module, and the extra that the module needs beyond the bare install."""

    module: str
    function: str
    doing: str = ""
    extra: str = ""


COMMANDS = {
    "titles": Command("triclinium.cli.match_commands", "titles_command"),
    "bots": Command("triclinium.cli.bots", "bots_command"),
    "play": Command("triclinium.cli.match_commands", "play_command"),
    "numbers": Command("triclinium.cli.numbers", "numbers_command"),
    "simulate": Command("triclinium.cli.match_commands", "simulate_command"),
    "replay": Command("triclinium.cli.match_commands", "replay_command"),
    "review": Command("triclinium.cli.review", "review_command"),
    "verify": Command("triclinium.cli.match_commands", "verify_command"),
    "tables": Command("triclinium.cli.tables", "tables_command"),
    "bench": Command("triclinium.cli.match_commands", "bench_command"),
    "arena": Command("triclinium.cli.arena", "arena_command", "an arena", "lab"),
    "learn": Command("triclinium.cli.learn", "learn_command", "learning", "learn"),
    "study": Command("triclinium.cli.study", "study_command", "a study", "lab"),
    "study report": Command("triclinium.cli.study", "report_command", "a study", "lab"),
    "study record": Command("triclinium.cli.study", "record_command", "a study", "lab"),
    "study fair": Command("triclinium.cli.study", "fair_command", "a study", "lab"),
    "lab calibration": Command("triclinium.cli.calibration", "calibration_command"),
    "ratings anchor": Command("triclinium.cli.ratings", "anchor_command", "an arena", "lab"),
    "ratings rebuild": Command("triclinium.web.ratings_command", "rebuild_command", "ratings", "web"),
    "admin": Command("triclinium.server.admin.command", "admin_command", "looking after a house", "web"),
    "serve": Command("triclinium.web.serve_command", "serve", "serving", "web"),
}


def needs(doing: str, extra: str) -> str:
    """That something needs an extra, and a command that installs it here: from the sources, if these are sources."""
    sources = Path(__file__).parents[3]
    package = f"triclinium[{extra}]"
    from_here = f"{sources}[{extra}]" if (sources / "pyproject.toml").is_file() else package
    return f"{doing} needs {package}; install it with {shlex.join([sys.executable, '-m', 'pip', 'install', from_here])}"


def load(name: str) -> Callable[[argparse.Namespace], int]:
    """The function of a command; raises BadSetup where its extra is not installed."""
    command = COMMANDS[name]
    collecting = gc.isenabled()
    gc.disable()  # nothing of a module is garbage: to look for some took a fifth of the time for a server's
    try:
        module = import_module(command.module)
    except ModuleNotFoundError as missing:
        if not command.extra or (missing.name or "").startswith("triclinium"):
            raise
        raise BadSetup(needs(command.doing, command.extra)) from None
    finally:
        if collecting:
            gc.enable()
    function: Callable[[argparse.Namespace], int] = getattr(module, command.function)
    return function
