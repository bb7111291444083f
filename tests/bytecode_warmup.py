"""Bytecode in a fresh clone: one worker compiles all modules, and the others wait and then read the bytecode.

Without this each worker would compile every module and test, which takes 17 seconds of processor time more than the 7
for reading.
"""

import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).parent
FIRST = "gw0"  # name of the first worker
PATIENCE = 120.0  # seconds to wait, in case the first worker fails


def is_new(folder: Path = HERE) -> bool:
    """Return whether some test has no bytecode yet."""
    kept = {path.name.partition(".")[0] for path in folder.rglob("__pycache__/test_*-pytest-*.pyc")}
    return any(path.stem not in kept for path in folder.rglob("test_*.py"))


def get_marker_path(worker: Mapping[str, str]) -> Path:
    """Return the path of the file that exists once the first worker has read all tests."""
    return Path(tempfile.gettempdir(), f"triclinium-{worker['testrunuid']}-translated")


def wait_for_the_first(worker: Mapping[str, str], folder: Path = HERE) -> None:
    if worker["workerid"] == FIRST or sys.dont_write_bytecode or not is_new(folder):
        return
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and not get_marker_path(worker).exists():
        time.sleep(0.1)


def tell_the_others(worker: Mapping[str, str]) -> None:
    if worker["workerid"] == FIRST:
        get_marker_path(worker).touch()


def delete_marker(worker: Mapping[str, str]) -> None:
    if worker["workerid"] == FIRST:
        get_marker_path(worker).unlink(missing_ok=True)
