"""Several servers behind one port: a parent that opens it, forks them, and starts another where one has died."""

import logging
import os
import signal
import time
from collections.abc import Callable
from types import FrameType

from triclinium.engine.core.errors import BadSetup

log = logging.getLogger("triclinium")
MOST = 64
PAUSE = 1.0  # seconds before a server is started in the place of one that has died
PATIENCE = 5.0  # seconds that the servers may take to close


class Processes:
    """The servers of one parent."""

    def __init__(self, count: int, work: Callable[[int], int]) -> None:
        """``work`` is what each of them does, by its number, until it is asked to end."""
        self.count, self.work = count, work
        self.running: dict[int, int] = {}  # the number of each, by its process
        self.ending = False

    def run(self) -> int:
        """Until somebody asks for the end; the exit code."""
        if not hasattr(os, "fork"):
            raise BadSetup("several processes need a system that can fork; run one, or several behind a proxy")
        before = {number: signal.signal(number, self._end) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            for number in range(self.count):
                self._start(number)
            while self.running:
                self._wait()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)  # all have closed: it would kill an interpreter that ends slowly
            for number, handler in before.items():
                signal.signal(number, handler)
        return 0

    def _start(self, which: int) -> None:
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                for number in (signal.SIGINT, signal.SIGTERM):
                    signal.signal(number, signal.SIG_DFL)
                code = self.work(which)
            except Exception:
                log.exception("a server has failed")
            finally:
                logging.shutdown()
                os._exit(code)
        self.running[pid] = which

    def _wait(self) -> None:
        try:
            pid, status = os.waitpid(-1, 0)
        except ChildProcessError:
            self.running.clear()
            return
        if pid not in self.running:
            return
        which = self.running.pop(pid)
        if not self.ending:
            how = os.waitstatus_to_exitcode(status)
            log.warning("one of %d servers has ended (%d): another takes its place", self.count, how)
            time.sleep(PAUSE)
            if not self.ending:
                self._start(which)

    def _end(self, number: int, frame: FrameType | None) -> None:
        """Everybody is asked to close; who does not in time is ended."""
        if not self.ending:
            self.ending = True
            signal.signal(signal.SIGALRM, self._kill)
            signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        self._send(signal.SIGTERM)

    def _kill(self, number: int, frame: FrameType | None) -> None:
        self._send(signal.SIGKILL)

    def _send(self, number: int) -> None:
        for pid in self.running:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue
