"""Output streams of commands: results on standard output, and one sentence for a failure on standard error."""

import json
import sys

WRONG_INPUT = 2
FAILURE = 1
INTERRUPTED = 130  # the exit code of shells for a process that Ctrl-C ended


def print_text(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def print_json(value: object) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def print_error(sentence: str, code: int) -> int:
    """Print an error message and return the exit code."""
    sys.stderr.write(f"triclinium: {sentence}\n")
    return code
