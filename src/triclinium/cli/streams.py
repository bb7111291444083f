"""What a command writes: its result on standard output, one sentence about a failure on standard error."""

import json
import sys

WRONG_INPUT = 2
FAILURE = 1
INTERRUPTED = 130  # as shells count a process ended by Ctrl-C


def print_text(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def print_json(value: object) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def print_error(sentence: str, code: int) -> int:
    """Say what went wrong; the exit code."""
    sys.stderr.write(f"triclinium: {sentence}\n")
    return code
