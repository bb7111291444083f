"""Tests of server operation: shutdown, log and file permissions."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from http.client import HTTPException
from pathlib import Path

import pytest

from bench.server_process import ApiConnection, ApiTable, ServerProcess, read_events
from tests import postgres
from tests.server.api_client import make_settings
from tests.server.http_client import HttpClient
from triclinium.bots.parallel import count_cores
from triclinium.server.services import Services

MATCH = Path(__file__).parents[1] / "records" / "evangelists" / "2-stenographer-1.rec"

pytestmark = pytest.mark.skipif(postgres.WANTED, reason="about the file of a server")


# -- shutdown ---------------------------------------------------------------------------------------------------------


def get_asked_seat(table: ApiTable) -> tuple[int, int, str]:
    """Return the asked seat, the version and an option."""
    who = table.find_asked_seat()
    assert who is not None
    version, options = table.options(who)
    return who, version, options[0]


def open_table_with_thinking_bot(server: ServerProcess, caller: ApiConnection) -> ApiTable:
    """Open a table at which a master thinks on all cores."""
    table = ApiTable(caller, "testoftime", bot="master")
    until = time.monotonic() + 60
    while len(server.list_child_processes()) < 2 + (
        count_cores() > 1
    ):  # the bot process, its resource tracker and, on several cores, its helper process
        who = table.find_asked_seat()
        if who == 0:
            version, options = table.options(0)
            caller.call("POST", f"{table.url}/move", {"option": options[0], "version": version}, table.tokens[0])
        assert time.monotonic() < until
        time.sleep(0.05)
    return table


def have_ended(processes: list[int], seconds: float = 2.0) -> bool:
    """Return whether all of these processes end in time."""
    until = time.monotonic() + seconds * 20
    while list_living_processes(processes) and time.monotonic() < until:
        time.sleep(0.05)
    return not list_living_processes(processes)


def list_living_processes(processes: list[int]) -> list[int]:
    found = []
    for process in processes:
        with suppress(OSError):
            if Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z":
                found.append(process)
    return found


def test_bot_processes_end_with_a_killed_server(server: ServerProcess) -> None:
    with ApiConnection(server.port) as caller:
        open_table_with_thinking_bot(server, caller)
        helpers = server.list_child_processes()
        server.kill_alone()
        assert have_ended(helpers)


WATCHED = """
import os, time
from triclinium.bots import child_process
{changed}
parent = os.getpid()
if os.fork() == 0:
    child_process.exit_with_parent(parent)
    print(os.getpid(), flush=True)
    time.sleep(60)
time.sleep(60)
"""


@pytest.mark.parametrize("promised", [True, False])
def test_a_child_process_ends_with_its_parent_on_every_system(promised: bool) -> None:
    changed = "" if promised else "child_process._set_pdeathsig = lambda: False"
    command = [sys.executable, "-c", WATCHED.format(changed=changed)]
    parent = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert list_living_processes([child]) == [child]
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert have_ended([child])


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_server_stops_at_once_without_a_traceback(server: ServerProcess, how: signal.Signals) -> None:
    with ApiConnection(server.port) as caller:
        table = ApiTable(caller)
        streams = [threading.Thread(target=read_stream, args=[server.port, table], daemon=True) for _ in range(20)]
        for stream in streams:
            stream.start()
        open_table_with_thinking_bot(server, caller)
        ask_for_review(server.port)
        who, version, option = get_asked_seat(table)
        move = {"option": option, "version": version, "key": "last"}
        status, _ = caller.call("POST", f"{table.url}/move", move, table.tokens[who])
        assert status == 200
        helpers = server.list_child_processes()
        assert server.process is not None
        os.killpg(server.process.pid, how)  # like a terminal or a service manager, which signal all processes
        assert server.process.wait(60) == 0
    for stream in streams:
        stream.join(60)
        assert not stream.is_alive()
    assert have_ended(helpers)
    assert server.log == ""
    server.start()
    with ApiConnection(server.port) as caller:
        _, facts = caller.call("GET", table.url, None, table.tokens[0])
        assert facts["version"] == version + 1


def read_stream(port: int, table: ApiTable) -> None:
    with suppress(OSError, HTTPException):
        for _ in read_events(port, f"{table.url}/events", table.tokens[0]):
            pass


def ask_for_review(port: int) -> None:
    """Upload a finished match and ask for its review."""
    with HttpClient(port) as somebody:
        uploaded = somebody.request("POST", "/api/v1/records", MATCH.read_text(encoding="utf-8")).facts
        table = uploaded["table"]
        assert isinstance(table, dict)
        somebody.cookies["triclinium"] = str(uploaded["token"])
        assert somebody.get(f"/api/v1/tables/{table['id']}/review").status == 202


def test_a_server_stops_in_time_while_its_database_is_locked(server: ServerProcess) -> None:
    with ApiConnection(server.port) as caller, closing(sqlite3.connect(server.database, isolation_level=None)) as other:
        table = ApiTable(caller)
        who, version, option = get_asked_seat(table)
        other.execute("BEGIN IMMEDIATE")
        move = {"option": option, "version": version}
        waiting = threading.Thread(
            target=send_without_reading, args=[server.port, f"{table.url}/move", move, table.tokens[who]]
        )
        waiting.start()
        time.sleep(0.5)
        assert server.terminate(60.0) == 0
        waiting.join()
    assert "Traceback" not in server.log


def send_without_reading(port: int, path: str, body: dict[str, object], token: str) -> None:
    """Send a post whose response is never read."""
    with ApiConnection(port) as caller, suppress(OSError, HTTPException):
        status, _ = caller.call("POST", path, body, token)
        assert status >= 500


# -- log and file permissions -----------------------------------------------------------------------------------------

LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (?:INFO|WARNING|ERROR) [\w.]+: ")
FAILING = ("tables", "seats", "history", "people", "devices", "passages", "chat")


def test_the_log_has_times_and_levels_and_no_secrets(server: ServerProcess) -> None:
    with ApiConnection(server.port) as caller:
        table = ApiTable(caller)
        who, version, option = get_asked_seat(table)
        with closing(sqlite3.connect(server.database, isolation_level=None)) as connection:
            for name in FAILING:
                fail = f"CREATE TRIGGER fail_{name} BEFORE INSERT ON {name} BEGIN SELECT RAISE(ABORT, 'no room'); END"
                connection.execute(fail)
        move = {"option": option, "version": version, "key": "a-key-of-mine"}
        assert caller.call("POST", f"{table.url}/move", move, table.tokens[who])[0] == 503
        chairs = [{"kind": "me"}, {"kind": "invite"}]
        opening = {"game": "portals", "seats": chairs, "player": "Theophilus"}
        assert caller.call("POST", "/api/v1/tables", opening)[0] == 503  # the new person cannot be stored
        with closing(sqlite3.connect(server.database, isolation_level=None)) as connection:
            connection.execute("DROP TRIGGER fail_people")
            connection.execute("DROP TRIGGER fail_devices")
        assert caller.call("POST", "/api/v1/tables", opening)[0] == 503  # the table with its seed cannot be stored
        with closing(sqlite3.connect(server.database)) as connection:
            secrets = [str(part) for row in connection.execute("SELECT seed, salt, code FROM tables") for part in row]
            secrets += [str(row[0]) for row in connection.execute("SELECT hash FROM devices")]
            secrets += [str(row[0]) for row in connection.execute("SELECT token FROM seats")]
    secrets += [*table.tokens.values(), (server.folder / "house.key").read_bytes().hex(), "a-key-of-mine", "Theophilus"]
    log = server.log
    assert log.count("a write failed") == 3
    assert "no room" in log
    assert all(LINE.match(line) for line in log.splitlines())
    assert [secret for secret in secrets if secret and secret in log] == []
    assert re.findall(r"[0-9a-f]{24,}|\d{12,}", log) == []  # nor the secrets of the table that was never stored


def test_the_files_of_a_server_are_private(server: ServerProcess) -> None:
    with ApiConnection(server.port) as caller:
        ApiTable(caller)
    names = {path.name for path in server.folder.glob("house.*")} - {"house.log"}
    assert {"house.db", "house.db-wal", "house.db-shm", "house.key"} <= names
    assert [name for name in names if (server.folder / name).stat().st_mode & 0o077] == []


def test_readable_files_are_made_private_and_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    made = Services(make_settings(tmp_path))
    made.open_database()
    made.store.close()
    for name in ("house.db", "house.key"):
        (tmp_path / name).chmod(0o644)
    for _ in range(2):
        again = Services(make_settings(tmp_path))
        again.open_database()
        again.store.close()
    for name in ("house.db", "house.key"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
        assert caplog.text.count(f"{name} (mode 644); its mode is now 600") == 1
