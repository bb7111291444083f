"""A server in a separate process, and HTTP clients for it over loopback."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol


class Process(Protocol):
    """The interface of a server process that the benchmarks need."""

    @property
    def pid(self) -> int: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def send_signal(self, sig: int) -> None: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...


SCHEDULED = 2  # Linux clock with the exact processor time of another process; /proc only has hundredths of a second


def find_free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


class ServerProcess:
    """A ``triclinium serve`` process on a port, with its database in a folder."""

    program = "triclinium"  # the module to run

    def __init__(self, folder: Path, port: int = 0, core: int | None = None, *extra: str) -> None:
        self.folder = folder
        self.port = port or find_free_port()
        self.core = core
        self.extra = extra
        self.process: Process | None = None
        self.limits = ["--no-limits"]  # a benchmark sends many requests from one address

    @property
    def database(self) -> Path:
        return self.folder / "house.db"

    @property
    def url(self) -> str:
        """The URL of the database."""
        return f"sqlite:///{self.database}"

    @property
    def log(self) -> str:
        """The standard error output since the first start."""
        return (self.folder / "house.log").read_text(encoding="utf-8")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, seconds: float = 60.0) -> "ServerProcess":
        words = ["serve", "--no-browser", *self.limits, "--port", str(self.port)]
        self.process = self.start_process([*words, "--database", self.url, *self.extra])
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                with socket.create_connection(("127.0.0.1", self.port), 0.2):
                    return self
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.05)
        raise RuntimeError(f"the server does not start: {self.log[-2000:]}")

    def start_process(self, words: list[str]) -> Process:
        command = [sys.executable, "-m", self.program, *words]
        if self.core is not None:
            command = ["taskset", "-c", str(self.core), *command]
        with (self.folder / "house.log").open("ab") as log:
            return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log, start_new_session=True)

    def kill(self) -> None:
        """Kill the server and its bot processes without warning."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def kill_alone(self) -> None:
        """Kill only the server process, without warning."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def terminate(self, seconds: float = 10.0) -> int:
        """Send SIGTERM, as an operating system does at shutdown, and return the exit code."""
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(seconds)

    def stop(self) -> None:
        """Send SIGINT, as Ctrl-C does, and wait for the end."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()

    def list_child_processes(self) -> list[int]:
        """Return the ids of all child processes and their descendants."""
        assert self.process is not None
        parents = {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):  # the process has just ended
                fields = stat.read_text().rsplit(")", 1)[1].split()
                if fields[0] != "Z":
                    parents[int(stat.parent.name)] = int(fields[1])
        found = [self.process.pid]
        for one in found:
            found += [child for child, parent in parents.items() if parent == one]
        return found[1:]

    def cpu_seconds(self) -> float:
        """Return the processor time of the server process so far, without its bots."""
        assert self.process is not None
        return time.clock_gettime((~self.process.pid << 3) | SCHEDULED)

    def wait_until_idle(self) -> None:
        """Wait until the server has finished its work after the start."""
        spent, until = -1.0, time.monotonic() + 60.0
        while self.cpu_seconds() - spent > 0.03 and time.monotonic() < until:
            spent = self.cpu_seconds()
            time.sleep(0.5)

    def read_resident_kb(self) -> int:
        assert self.process is not None
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


class ApiConnection:
    """A persistent HTTP connection to the API."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def __enter__(self) -> "ApiConnection":
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def text(self, path: str, token: str) -> str:
        """Return the response to a GET request as text."""
        self.connection.request("GET", path, headers={"authorization": f"Bearer {token}"})
        return self.connection.getresponse().read().decode()

    def call(
        self, method: str, path: str, body: Mapping[str, object] | None = None, token: str = ""
    ) -> tuple[int, dict[str, object]]:
        headers = {"content-type": "application/json"}
        if token:
            headers["authorization"] = f"Bearer {token}"
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        text = answer.read()
        found = json.loads(text) if text else {}
        assert isinstance(found, (dict, list))
        return answer.status, found if isinstance(found, dict) else {"list": found}


class ApiTable:
    """A table at which one client holds all seats except those of a bot."""

    def __init__(self, caller: ApiConnection, game_id: str = "evangelists", seats: int = 2, bot: str = "") -> None:
        self.caller = caller
        other = {"kind": "bot", "bot": bot} if bot else {"kind": "invite"}
        chairs: list[dict[str, str]] = [{"kind": "me"}] + [other] * (seats - 1)
        status, opened = caller.call("POST", "/api/v1/tables", {"game": game_id, "seats": chairs, "player": "A"})
        assert status == 201, opened
        table = opened["table"]
        assert isinstance(table, dict)
        self.id = str(table["id"])
        self.tokens = {0: str(opened["token"])}
        invitations = opened["invitations"]
        assert isinstance(invitations, list)
        for invitation in invitations:
            status, sat = caller.call("POST", f"/api/v1/tables/{self.id}/seats", invitation)
            assert status == 201, sat
            self.tokens[int(str(sat["seat"]))] = str(sat["token"])

    @property
    def url(self) -> str:
        return f"/api/v1/tables/{self.id}"

    def options(self, who: int) -> tuple[int, list[str]]:
        """Return the version of the table and the options of this seat."""
        _, asked = self.caller.call("GET", f"{self.url}/options", None, self.tokens[who])
        decision = asked["decision"]
        assert isinstance(decision, dict)
        return int(str(asked["version"])), [str(offer["option"]) for offer in decision["options"]]

    def find_asked_seat(self) -> int | None:
        _, facts = self.caller.call("GET", self.url, None, self.tokens[0])
        who = facts["who"]
        assert who is None or isinstance(who, int)
        return who


def read_events(port: int, path: str, token: str) -> Generator[tuple[str, dict[str, object]], None, None]:
    """Yield the kind and the data of each event of a table."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    kind, answer = "", None
    try:
        connection.request("GET", path, headers={"authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        assert answer.status == 200, answer.status
        for line in answer:
            text = line.decode().rstrip("\n")
            if text.startswith("event: "):
                kind = text.removeprefix("event: ")
            elif text.startswith("data: "):
                yield kind, json.loads(text.removeprefix("data: "))
    finally:
        if answer is not None:
            answer.close()
        connection.close()
