"""Child processes that always end with their parent, even if the parent crashes."""

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

SET_DEATH_SIGNAL = 1  # the value of PR_SET_PDEATHSIG on Linux
POLL_SECONDS = 0.5  # interval of checks for the parent


def exit_with_parent(parent: int) -> None:
    """Kill this process as soon as its parent has ended."""
    if not _set_pdeathsig():
        threading.Thread(target=_watch_parent, args=[parent], daemon=True).start()
    elif os.getppid() != parent:  # the parent ended before the death signal was set
        os._exit(1)


@contextmanager
def block_signals() -> Iterator[None]:
    """Block SIGINT and SIGTERM in processes that are started inside the block.

    The parent handles Ctrl-C, which a terminal sends to the whole process group, and ends its children itself. The
    block is active from the first moment, because a child that still imports its modules would print a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # start it now, because its first start unblocks the signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _set_pdeathsig() -> bool:
    """Ask Linux to kill this process with its parent, and return whether that works.

    A watching thread is only the fallback, because a later fork of a process with threads is unsafe.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        return bool(ctypes.CDLL(None).prctl(SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False


def _watch_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(POLL_SECONDS)
    os._exit(1)
