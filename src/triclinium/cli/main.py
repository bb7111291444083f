"""The command ``triclinium``: every way in, and the one place where errors become sentences and exit codes.

Standard output holds the result, and with ``--json`` one JSON object and nothing else. Errors go to standard error in
one sentence: exit code 2 for wrong input, 1 for failure.
"""

import io
import os
import sys
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext

from triclinium.bots.networks import override_network
from triclinium.cli.commands import load_command
from triclinium.cli.parser import build_parser
from triclinium.cli.streams import FAILURE, INTERRUPTED, WRONG_INPUT, print_error
from triclinium.cli.study_parser import insert_run_command
from triclinium.engine.core.errors import TricliniumError


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a letter that the terminal lacks must not end a match
    args = build_parser().parse_args(insert_run_command(sys.argv[1:] if argv is None else argv))
    try:
        with override_network(args.net) if getattr(args, "net", None) else nullcontext():
            code = load_command(args.command)(args)
        sys.stdout.flush()
        return code
    except TricliniumError as error:
        return print_error(str(error), WRONG_INPUT)
    except KeyboardInterrupt:
        return print_error("interrupted", INTERRUPTED)
    except BrokenProcessPool:
        return print_error("a worker died before its matches were played; try fewer workers", FAILURE)
    except BrokenPipeError:  # the reader of our output has left; nobody is left to tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE
    except OSError as error:
        return print_error(f"{error.filename or 'the system'}: {error.strerror or error}", FAILURE)
