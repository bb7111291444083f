"""Tests of a full disk: moves that cannot be stored are not acknowledged, and the server continues later."""

import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.server_process import ApiConnection, ApiTable, ServerProcess
from tests.forked_servers import ForkedServer


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    running = ForkedServer(tmp_path).start()
    yield running
    running.stop()


def limit_files(server: ServerProcess, size: int) -> None:
    """Limit the size of the server's files, which has the effect of a full disk on one process only."""
    assert server.process is not None
    _, most = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, most))


def play(table: ApiTable, moves: int) -> list[int]:
    """Try this many moves and return the status of each."""
    answers = []
    for _ in range(moves):
        who = table.find_asked_seat()
        assert who is not None
        version, options = table.options(who)
        move = {"option": options[0], "version": version}
        answers.append(table.caller.call("POST", f"{table.url}/move", move, table.tokens[who])[0])
    return answers


def count_moves(table: ApiTable) -> int:
    status, facts = table.caller.call("GET", table.url, None, table.tokens[0])
    assert status == 200
    return int(str(facts["version"]))


def test_a_full_disk_loses_nothing_and_the_server_recovers(server: ServerProcess) -> None:
    log = server.database.with_name("house.db-wal")
    with ApiConnection(server.port) as caller:
        table = ApiTable(caller, "portals")
        limit_files(server, log.stat().st_size + 40_000)
        answers = play(table, 25)
        assert set(answers) == {200, 503}
        done = answers.count(200)
        assert count_moves(table) == done  # The page shows exactly the acknowledged moves.
        limit_files(server, resource.RLIM_INFINITY)
        assert play(table, 3) == [200, 200, 200]
    server.kill_alone()
    server.start()
    with ApiConnection(server.port) as caller:
        table.caller = caller
        assert count_moves(table) == done + 3
