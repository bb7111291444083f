"""Crash test: kill the server repeatedly while clients play, and check that no acknowledged move is lost.

Run ``python -m bench.kill --rounds 50``.
"""

import argparse
import random
import sqlite3
import sys
import tempfile
import threading
import time
from contextlib import closing
from http.client import HTTPException
from pathlib import Path

from bench.server_process import ApiConnection, ApiTable, ServerProcess


class Player:
    """A client that plays table after table and remembers every acknowledged move."""

    def __init__(self, port: int, seed: int) -> None:
        self.port = port
        self.chance = random.Random(seed)
        self.acknowledged: dict[str, list[str]] = {}
        self.tokens: dict[str, str] = {}
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self) -> None:
        try:
            with ApiConnection(self.port) as caller:
                while True:
                    self.play(ApiTable(caller))
        except (OSError, HTTPException, AssertionError, ValueError, KeyError):
            return  # the server was killed, perhaps in the middle of a response

    def play(self, table: ApiTable) -> None:
        moves: list[str] = []
        self.tokens[table.id] = table.tokens[0]
        self.acknowledged[table.id] = moves
        who = table.find_asked_seat()
        while who is not None:
            version, options = table.options(who)
            option = self.chance.choice(options)
            move = {"option": option, "version": version}
            status, answer = table.caller.call("POST", f"{table.url}/move", move, table.tokens[who])
            assert status == 200, answer
            moves.append(option)
            next_one = answer["who"]
            assert next_one is None or isinstance(next_one, int)
            who = next_one


def check_tables(server: ServerProcess, players: list[Player]) -> tuple[int, int]:
    """Check that every table opens with all acknowledged moves. Return the numbers of tables and moves."""
    tables = moves = 0
    with ApiConnection(server.port) as caller:
        for player in players:
            for id, acknowledged in player.acknowledged.items():
                check_table(caller, id, player.tokens[id], acknowledged)
                tables += 1
                moves += len(acknowledged)
    with closing(sqlite3.connect(server.database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return tables, moves


def check_table(caller: ApiConnection, id: str, token: str, acknowledged: list[str]) -> None:
    """Check that a table keeps the acknowledged moves, and at most one more whose response was lost."""
    status, facts = caller.call("GET", f"/api/v1/tables/{id}", None, token)
    assert status == 200, f"table {id} does not open: {facts}"
    if facts["status"] == "waiting":
        assert not acknowledged
        return
    record = caller.text(f"/api/v1/tables/{id}/record", token)
    stored = [line.split(" ", 1)[1] for line in record.split("\n\n", 1)[1].splitlines()[:-1]]
    kept = stored[: len(acknowledged)]
    assert kept == acknowledged, f"table {id}: {len(acknowledged)} moves acknowledged, kept {kept[-3:]}"
    assert len(stored) <= len(acknowledged) + 1, f"table {id}: more than one move nobody was told"


def wait_for_a_move(players: list[Player], seconds: float = 60.0) -> None:
    """Wait until each player has made a move, because a busy machine may be slow."""
    until = time.monotonic() + seconds
    while not all(any(player.acknowledged.copy().values()) for player in players) and time.monotonic() < until:
        time.sleep(0.01)


def run_crash_test(
    rounds: int, players: int = 4, longest: float = 1.5, seed: int = 1, kind: type[ServerProcess] = ServerProcess
) -> tuple[int, int]:
    """Kill and restart the server in a loop. Return the numbers of tables and moves found afterwards."""
    chance = random.Random(seed)
    all_tables = all_moves = 0
    with tempfile.TemporaryDirectory() as folder:
        server = kind(Path(folder))
        server.start()
        try:
            for round in range(rounds):
                at_work = [Player(server.port, seed * 1000 + round * 10 + i) for i in range(players)]
                for player in at_work:
                    player.thread.start()
                wait_for_a_move(at_work)
                time.sleep(chance.random() * longest)
                server.kill()
                for player in at_work:
                    player.thread.join(30)
                server.start()
                tables, moves = check_tables(server, at_work)
                all_tables += tables
                all_moves += moves
        finally:
            server.stop()
    return all_tables, all_moves


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    args = parser.parse_args()
    tables, moves = run_crash_test(args.rounds)
    sys.stdout.write(f"{args.rounds} kills: {tables} tables opened, {moves} acknowledged moves, 0 lost\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
