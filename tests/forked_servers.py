"""Servers for tests, forked from one process that has read all modules: reading them takes longer than most tests."""

import atexit
import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.server_process import Process, ServerProcess
from tests.databases import put_database
from triclinium.cli.commands import load_command
from triclinium.cli.main import main
from triclinium.cli.parser import build_parser
from triclinium.server.settings import Settings
from triclinium.web.app import create_app

WRITTEN = os.O_WRONLY | os.O_APPEND | os.O_CREAT
ROOT = Path(__file__).parents[1]
# No module of its own, that the processes of bots would read again; and nothing of what it reads is garbage.
BEGIN = "import gc; gc.disable(); from tests.forked_servers import run_fork_server; run_fork_server()"


class ForkedServer(ServerProcess):
    """``triclinium serve``, forked."""

    def start_process(self, words: list[str]) -> Process:
        if self.url.startswith("sqlite:"):
            put_database(self.folder)
        return ForkedProcess(get_fork_server(), words, self.folder / "house.log")


class ForkServer:
    """The process that forks, as its owner sees it: one question and one answer, a line each."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", BEGIN],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        atexit.register(self.close)

    def close(self) -> None:
        """It ends when nobody can ask it any more."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        self.process.wait()

    def ask(self, **question: object) -> int | None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer: int | None = json.loads(self.process.stdout.readline())
        return answer


@cache
def get_fork_server() -> ForkServer:
    """One for each process of pytest, and as long as that."""
    return ForkServer()


class ForkedProcess:
    """A forked server, spoken to as `subprocess` speaks to a process."""

    def __init__(self, parent: ForkServer, words: list[str], log: Path, said: str = os.devnull) -> None:
        """``said``: where its standard output goes."""
        self.parent = parent
        self.code: int | None = None
        pid = parent.ask(words=words, log=str(log), said=said, environment=dict(os.environ))
        assert pid is not None
        self.pid = pid

    def poll(self) -> int | None:
        if self.code is None:
            self.code = self.parent.ask(ended=self.pid)
        return self.code

    def wait(self, timeout: float | None = None) -> int:
        until = time.monotonic() + (600.0 if timeout is None else timeout)
        while (code := self.poll()) is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired("triclinium serve", until)
            time.sleep(0.01)
        return code

    def send_signal(self, sig: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, sig)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def run_fork_server() -> None:
    """What the process does that forks: a server for each line with words, and how one has ended for the others."""
    load_command("serve")  # with all that it needs
    build_parser()  # which looks for bots of others
    with TemporaryDirectory() as folder:  # what a server makes once is made before it is forked
        practice = create_app(Settings(f"sqlite:///{folder}/house.db", warm_up=True))
        practice.state.server.open_database()
        for job in practice.state.ready:
            job()
        practice.state.server.store.close()
    gc.freeze()
    gc.enable()
    for line in sys.stdin.buffer:
        question = json.loads(line)
        answer = fork_server_process(**question) if "words" in question else poll_child(question["ended"])
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def poll_child(pid: int) -> int | None:
    found, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if found else None


def fork_server_process(words: list[str], log: str, said: str, environment: dict[str, str]) -> int:
    pid = os.fork()
    if pid:
        return pid
    os.setsid()
    for here, mode, there in ((os.devnull, os.O_RDONLY, 0), (said, WRITTEN, 1), (log, WRITTEN, 2)):
        os.dup2(os.open(here, mode, 0o644), there)
    os.environ.clear()
    os.environ.update(environment)
    beside = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.path[:0] = [path for path in beside if path not in sys.path]  # as if it had begun with them
    code = main(words)
    # As an interpreter ends, but that nothing is taken apart: that would first copy what it has of the other's memory.
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stderr.flush()
    os._exit(code)
