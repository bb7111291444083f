"""Tests of a server that is killed at any moment: no acknowledged move is lost or doubled, and matches continue."""

import random
import sqlite3
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from bench.server_process import ServerProcess
from tests.forked_servers import ForkedServer
from tests.server.crash_clients import CrashClient, wait_for_moves
from tests.slow import slow

PROGRAMS = 4


@pytest.mark.parametrize(("kills", "longest"), [(6, 0.4), slow(200, 1.0)])
def test_a_killed_server_loses_and_doubles_nothing(tmp_path: Path, kills: int, longest: float) -> None:
    """``longest`` is the number of seconds between two kills."""
    chance = random.Random(16)
    server = ForkedServer(tmp_path).start()
    programs = [CrashClient(number) for number in range(PROGRAMS)]
    try:
        for number in range(kills):
            playing = [threading.Thread(target=program.play, args=[server], daemon=True) for program in programs]
            for thread in playing:
                thread.start()
            if number % 2:
                wait_for_moves(programs, PROGRAMS)
            time.sleep(chance.random() * longest)
            server.kill_alone()
            for thread in playing:
                thread.join(30)
                assert not thread.is_alive()
            server.start()
            for program in programs:
                program.check(server)
            check_histories(server)
    finally:
        server.stop()
    moves, again, before = (sum(x) for x in zip(*((p.moves, p.again, p.stored_before) for p in programs), strict=True))
    sys.stdout.write(f"{kills} kills, {moves} moves acknowledged, {again} sent again, {before} of these known before\n")
    assert moves > kills
    assert "Traceback" not in server.log


def check_histories(server: ServerProcess) -> None:
    """Check that the file is intact and that every table's history has no gap and no duplicate."""
    with closing(sqlite3.connect(server.database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        gaps = 'SELECT "table" FROM history GROUP BY "table" HAVING count(*) != max(version) OR min(version) != 1'
        assert connection.execute(gaps).fetchall() == []
