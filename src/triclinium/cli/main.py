"""Entry point of the command ``triclinium``. It converts all errors to messages and exit codes.

Standard output holds the result, and with ``--json`` exactly one JSON object. Errors are one sentence on standard
error. The exit code is 2 for wrong input and 1 for a failure.
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
    """Run one command and return its exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a character that the terminal cannot show must not stop a match
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
        return print_error("a worker crashed before its matches were played; try fewer workers", FAILURE)
    except BrokenPipeError:  # the program that reads the output has ended, so no message is possible
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE
    except OSError as error:
        return print_error(f"{error.filename or 'the system'}: {error.strerror or error}", FAILURE)
