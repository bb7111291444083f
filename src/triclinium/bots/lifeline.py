"""A helping process ends with the one that started it, however that one ends: nobody else would end it."""

import ctypes
import os
import signal
import sys
import threading
import time

SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
LOOK = 0.5  # seconds


def end_with(parent: int) -> None:
    """From now on this process is killed when its parent is gone."""
    if not _promised_by_the_system():
        threading.Thread(target=_watch, args=[parent], daemon=True).start()
    elif os.getppid() != parent:  # it was gone before the promise
        os._exit(1)


def serve_only(parent: int) -> None:
    """As ``end_with``; and what stops the parent is its own affair: a terminal's Ctrl-C is heard by its whole group."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    end_with(parent)


def _promised_by_the_system() -> bool:
    """Linux kills a child for us, however busy it is; a thread would be one that a later fork must not meet."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        return bool(ctypes.CDLL(None).prctl(SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK)
    os._exit(1)
