"""A helping process ends with the one that started it, however that one ends: nobody else would end it."""

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
POLL_SECONDS = 0.5  # seconds


def exit_with_parent(parent: int) -> None:
    """From now on this process is killed when its parent is gone."""
    if not _set_pdeathsig():
        threading.Thread(target=_watch_parent, args=[parent], daemon=True).start()
    elif os.getppid() != parent:  # it was gone before the promise
        os._exit(1)


@contextmanager
def block_signals() -> Iterator[None]:
    """Processes started meanwhile never hear Ctrl-C, which a terminal tells the whole group, nor a polite end.

    What stops their parent is its own affair, and it ends them. From their first moment: one that is still
    reading its modules would die with a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it opens the ears again when it is first started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _set_pdeathsig() -> bool:
    """Linux kills a child for us, however busy it is; a thread would be one that a later fork must not meet."""
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
