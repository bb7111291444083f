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

from triclinium.bots.networks import wished
from triclinium.cli.commands import load
from triclinium.cli.parser import build_parser
from triclinium.cli.streams import FAILURE, INTERRUPTED, WRONG_INPUT, complain
from triclinium.cli.study_parser import with_run
from triclinium.engine.core.errors import TricliniumError


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a letter that the terminal lacks must not end a match
    args = build_parser().parse_args(with_run(sys.argv[1:] if words is None else words))
    try:
        with wished(args.net) if getattr(args, "net", None) else nullcontext():
            code = load(args.command)(args)
        sys.stdout.flush()
        return code
    except TricliniumError as error:
        return complain(str(error), WRONG_INPUT)
    except KeyboardInterrupt:
        return complain("interrupted", INTERRUPTED)
    except BrokenProcessPool:
        return complain("a worker died before its matches were played; try fewer workers", FAILURE)
    except BrokenPipeError:  # the reader of our output has left; nobody is left to tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE
    except OSError as error:
        return complain(f"{error.filename or 'the system'}: {error.strerror or error}", FAILURE)
