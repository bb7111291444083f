"""Tests of the server process: kills, restarts and event streams."""

import threading
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from bench import kill
from bench.server_process import ApiConnection, ApiTable, ServerProcess, read_events
from tests.forked_servers import ForkedServer


@pytest.fixture
def table(server: ServerProcess) -> Iterator[ApiTable]:
    with ApiConnection(server.port) as caller:
        yield ApiTable(caller, seats=2)


def test_no_acknowledged_move_is_lost_when_the_server_is_killed() -> None:
    tables, moves = kill.run_crash_test(rounds=3, players=3, longest=0.4, kind=ForkedServer)
    assert tables >= 3
    assert moves > 0


def test_events_arrive_within_a_second_and_options_only_at_the_asked_seat(
    server: ServerProcess, table: ApiTable
) -> None:
    told: dict[int, list[tuple[float, dict[str, object]]]] = {0: [], 1: []}

    def listen(seat: int) -> None:
        with closing(read_events(server.port, f"{table.url}/events", table.tokens[seat])) as listening:
            for kind, data in listening:
                if kind == "table":
                    told[seat].append((time.monotonic(), data))
                    if data["version"] == 3:
                        return

    threads = [threading.Thread(target=listen, args=(seat,)) for seat in told]
    for thread in threads:
        thread.start()
    while not all(told.values()):
        time.sleep(0.01)
    sent: dict[int, float] = {}
    for n in range(3):
        who = table.find_asked_seat()
        assert who is not None
        version, options = table.options(who)
        assert version == n
        sent[n + 1] = time.monotonic()
        status, _ = table.caller.call(
            "POST", f"{table.url}/move", {"option": options[0], "version": version}, table.tokens[who]
        )
        assert status == 200
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    for seat, several in told.items():
        assert [data["version"] for _, data in several] == [0, 1, 2, 3]
        for at, data in several[1:]:
            version_told = data["version"]
            assert isinstance(version_told, int)
            assert at >= sent[version_told]
        for _, data in several:
            assert ("options" in data) == (data["who"] == seat)


def test_presence_is_broadcast(server: ServerProcess, table: ApiTable) -> None:
    seen: list[dict[str, object]] = []
    with closing(read_events(server.port, f"{table.url}/events", table.tokens[0])) as listening:
        for kind, data in listening:
            if kind == "presence":
                seen.append(data)
                break
    assert seen == [{"present": [0], "spectators": 0}]
    until = time.monotonic() + 100.0
    while time.monotonic() < until:
        _, facts = table.caller.call("GET", table.url, None, table.tokens[1])
        seats = facts["seats"]
        assert isinstance(seats, list)
        if not seats[0]["present"]:
            return
        time.sleep(0.05)
    raise AssertionError("somebody who left is still said to be here")
