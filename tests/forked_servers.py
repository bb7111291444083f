"""Servers for tests, forked from one process that has imported all modules, because importing takes long."""

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
from tests.fixed_chance import fix_chance
from triclinium.cli.commands import load_command
from triclinium.cli.main import main
from triclinium.cli.parser import build_parser
from triclinium.server.settings import Settings
from triclinium.web.app import create_app

WRITTEN = os.O_WRONLY | os.O_APPEND | os.O_CREAT
ROOT = Path(__file__).parents[1]
# This is an import statement and not a module, because bot processes would import the main module again. Garbage
# collection is off, because no imported object is garbage.
BEGIN = "import gc; gc.disable(); from tests.forked_servers import run_fork_server; run_fork_server()"


class ForkedServer(ServerProcess):
    """A ``triclinium serve`` process that is forked."""

    def start_process(self, words: list[str]) -> Process:
        if self.url.startswith("sqlite:"):
            put_database(self.folder)
        return ForkedProcess(get_fork_server(), words, self.folder / "house.log")


class ForkServer:
    """The forking process as seen by the tests. Each request and each answer is one line."""

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
        """Close the pipes, which ends the process."""
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
    """Return the forking process of this pytest process."""
    return ForkServer()


class ForkedProcess:
    """A forked server with the interface of a `subprocess.Popen`."""

    def __init__(self, parent: ForkServer, words: list[str], log: Path, said: str = os.devnull) -> None:
        """Fork a server. ``said`` is the file for its standard output."""
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
    """Fork a server for each request with arguments, and answer other requests with exit codes."""
    fix_chance(constant=True)
    load_command("serve")  # imports all modules that the command needs
    build_parser()  # Building the parser loads the installed bots.
    with TemporaryDirectory() as folder:  # creates everything that a server creates once, before the fork
        practice = create_app(Settings(f"sqlite:///{folder}/house.db", warm_up=True))
        practice.state.services.open_database()
        for job in practice.state.ready:
            job()
        practice.state.services.store.close()
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
    # the process then seems to have started with these paths
    sys.path[:0] = [path for path in beside if path not in sys.path]
    code = main(words)
    # Flush like an exiting interpreter, but skip the cleanup, because it would copy the memory shared with the parent.
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stderr.flush()
    os._exit(code)
