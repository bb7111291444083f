"""Several server processes behind one port. A parent opens the port, forks the processes and replaces crashed ones."""

import logging
import os
import signal
import time
from collections.abc import Callable
from types import FrameType

from triclinium.engine.core.errors import BadSetup

log = logging.getLogger("triclinium")
MAX_PROCESSES = 64
RESTART_DELAY = 1.0  # seconds before a crashed process is replaced
SHUTDOWN_TIMEOUT = 5.0  # seconds that the processes get to close


class ServerProcesses:
    """The server processes of one parent."""

    def __init__(self, count: int, serve: Callable[[int], int]) -> None:
        """Prepare the processes. Each runs ``serve`` with its number until it is asked to stop."""
        self.count, self.serve = count, serve
        self.running: dict[int, int] = {}  # the number of each process, by its process id
        self.stopping = False

    def run(self) -> int:
        """Run until a signal asks to stop, and return the exit code."""
        if not hasattr(os, "fork"):
            raise BadSetup("several processes need a system that can fork; run one, or use a proxy and several servers")
        before = {number: signal.signal(number, self._request_shutdown) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            for number in range(self.count):
                self._start(number)
            while self.running:
                self._wait()
        finally:
            # all processes have closed, so the timer must not kill an interpreter that exits slowly
            signal.setitimer(signal.ITIMER_REAL, 0)
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
                code = self.serve(which)
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
        if not self.stopping:
            exit_code = os.waitstatus_to_exitcode(status)
            log.warning("one of %d server processes has ended (%d); a new one is started", self.count, exit_code)
            time.sleep(RESTART_DELAY)
            if not self.stopping:
                self._start(which)

    def _request_shutdown(self, number: int, frame: FrameType | None) -> None:
        """Ask all processes to close; kill those that take too long."""
        if not self.stopping:
            self.stopping = True
            signal.signal(signal.SIGALRM, self._kill)
            signal.setitimer(signal.ITIMER_REAL, SHUTDOWN_TIMEOUT)
        self._send_signal(signal.SIGTERM)

    def _kill(self, number: int, frame: FrameType | None) -> None:
        self._send_signal(signal.SIGKILL)

    def _send_signal(self, number: int) -> None:
        for pid in self.running:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue
