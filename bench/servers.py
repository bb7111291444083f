"""Benchmarks of PostgreSQL against SQLite, and of two servers on one database.

    python -m bench.servers durable     moves per CPU-second of the server, on both databases alternately
    python -m bench.servers two         moves per second and per CPU-second of one server and of two on one PostgreSQL
    python -m bench.servers across      latency from a move on one server to an event on the other, 50 moves/s
    python -m bench.servers stored      start and lists with 1,000 and with 100,000 stored tables, on both databases

It starts its own PostgreSQL with fsync and synchronous commit.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sqlalchemy import Connection, insert

from bench.load import Counts, play_matches
from bench.server_process import ApiConnection, ServerProcess
from tests.postgres import PostgresCluster
from triclinium.server.storage.schema import history, people, seats, tables
from triclinium.server.storage.store import Store
from triclinium.server.tables.options import DEFAULTS

GAME_ID = "evangelists"
HOSTS = 100  # number of hosts of the stored tables
WARM = 6.0  # seconds until all matches have started
BATCH = 5000  # number of tables in one insert


class SharedDatabaseServer(ServerProcess):
    """A server on a database that other servers may share."""

    def __init__(self, folder: Path, url: str) -> None:
        super().__init__(folder)
        self._url = url

    @property
    def url(self) -> str:
        return self._url


@contextmanager
def run_servers(url: str = "", servers: int = 1) -> Iterator[list[ServerProcess]]:
    """Start servers on one database, or a single server on its own file without a URL."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
        found = []
        for number in range(servers):
            place = Path(folder) / str(number)
            place.mkdir()
            server = SharedDatabaseServer(place, url) if url else ServerProcess(place)
            server.start()
            opened.callback(server.stop)
            found.append(server)
        for server in found:
            server.wait_until_idle()
        yield found


async def play_on_all_servers(
    servers: list[ServerProcess], matches: int, seconds: float, rate: float, across: bool
) -> str:
    """Play matches on all servers and return the report. The measurement begins when all players are seated.

    With ``across``, each match listens on the next server.
    """
    counts, until = Counts(), time.monotonic() + WARM + seconds
    pace = matches / rate if rate else 0.0
    slots = []
    for n in range(matches):
        here, there = servers[n % len(servers)], servers[(n + 1) % len(servers)]
        slots.append(play_matches(here.port, GAME_ID, counts, pace, n, until, there.port if across else 0))
    playing = asyncio.gather(*slots)
    await asyncio.sleep(WARM)
    counts.mover.clear()
    counts.other.clear()
    began, cpu = time.monotonic(), [server.cpu_seconds() for server in servers]
    await playing
    used = sum(server.cpu_seconds() - before for server, before in zip(servers, cpu, strict=True))
    return counts.report(time.monotonic() - began, used)


def measure_load(
    servers: list[ServerProcess], matches: int, seconds: float, rate: float = 0.0, across: bool = False
) -> str:
    return asyncio.run(play_on_all_servers(servers, matches, seconds, rate, across))


def compare_databases(cluster: PostgresCluster, seconds: float) -> None:
    for _ in range(2):
        for name, url in (("SQLite", ""), ("PostgreSQL", cluster.new())):
            with run_servers(url) as servers:
                say(f"{name}: {measure_load(servers, 10, seconds)}")


def compare_server_counts(cluster: PostgresCluster, seconds: float) -> None:
    for _ in range(2):
        for count in (1, 2):
            with run_servers(cluster.new(), count) as servers:
                say(f"{count} on PostgreSQL: {measure_load(servers, 10, seconds)}")


def measure_latency_across(cluster: PostgresCluster, seconds: float) -> None:
    with run_servers(cluster.new(), 2) as servers:
        say(f"across: {measure_load(servers, 25, seconds, rate=50.0, across=True)}")


# -- stored tables ----------------------------------------------------------------------------------------------------


def measure_stored_tables(cluster: PostgresCluster, seconds: float) -> None:
    for name in ("SQLite", "PostgreSQL"):
        for count in (1_000, 100_000):
            with tempfile.TemporaryDirectory() as folder:
                server = SharedDatabaseServer(
                    Path(folder), cluster.new() if name == "PostgreSQL" else f"sqlite:///{folder}/house.db"
                )
                fill_database(server.url, count)
                began = time.monotonic()
                server.start()
                wait_until_ready(server)
                opened = time.monotonic() - began
                server.wait_until_idle()
                lists = "; ".join(f"{path} {time_requests(server, path):.1f} ms" for path in LISTS)
                server.stop()
            say(f"{name}, {count} stored tables: open after {opened:.1f} s; {lists}")


LISTS = ("/tables?which=open", "/tables?which=running", "/tables?which=mine", "/")


def wait_until_ready(server: ServerProcess) -> None:
    while True:
        with ApiConnection(server.port) as caller:
            if caller.call("GET", "/readyz")[0] == 200:
                return
        time.sleep(0.05)


def time_requests(server: ServerProcess, path: str) -> float:
    """Return the median time of fifteen requests in milliseconds."""
    took = []
    with ApiConnection(server.port) as caller:
        for _ in range(15):
            began = time.perf_counter()
            caller.text(path, "")
            took.append(1000 * (time.perf_counter() - began))
    return statistics.median(took)


def fill_database(url: str, count: int) -> None:
    """Fill a database with tables as years of use would.

    Of the last thousand, some wait and some run. The others are over.
    """
    store = Store(url)
    store.migrate()
    with store.engine.begin() as connection:
        connection.execute(insert(people), [{"id": n, "name": f"Person {n}", "made": 1.0} for n in range(1, HOSTS + 1)])
    for start in range(0, count, BATCH):
        with store.engine.begin() as connection:
            _insert_tables(connection, range(start, min(count, start + BATCH)), count - 1000)
    store.vacuum()
    store.close()


def _insert_tables(connection: Connection, numbers: range, old: int) -> None:
    flags = {**DEFAULTS.columns(), "version": 1, "moves": 1}
    texts = {**dict.fromkeys(("components", "salt", "seal", "rematch", "origin", "opener"), ""), "seed": "0"}
    rows, chairs, moves = [], [], []
    for n in numbers:
        id, when = f"t{n:09d}", 1.7e9 + 10.0 * n
        status = ("waiting", "playing")[n // 20 % 2] if n % 20 == 0 and n >= old else "over"
        made = {"made": when, "moved": when, "status": status, "shown": ("listed", "watched", "link")[n % 3]}
        told = {"id": id, "code": f"{n:06d}", "game": GAME_ID, "name": f"Table {n}", "host": 1 + n % HOSTS, "rules": 1}
        rows.append({**told, **flags, **made, **texts, "who": -1, "result": json.dumps([[1, 90], [2, 80]])})
        for seat in range(2):
            person = 1 + (n + seat) % HOSTS
            named = {"name": f"Person {person}", "bot": "", "substitute": "", "token": ""}
            taken = {"kind": "person", "person": person, "taken": True, "generation": 0}
            chairs.append({"table": id, "seat": seat, **named, **taken})
        moves.append(
            {"table": id, "version": 1, "kind": "move", "seat": 0, "option": "x", "key": "", "bot": "", "at": when}
        )
    for table, values in ((tables, rows), (seats, chairs), (history, moves)):
        connection.execute(insert(table), values)


def say(text: str) -> None:
    sys.stdout.write(f"{text}; load average {os.getloadavg()[0]:.1f}\n")
    sys.stdout.flush()


WORDS = {
    "durable": compare_databases,
    "two": compare_server_counts,
    "across": measure_latency_across,
    "stored": measure_stored_tables,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=WORDS)
    parser.add_argument("--seconds", type=float, default=8.0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cluster = PostgresCluster(Path(folder), durable=True)
        try:
            WORDS[args.what](cluster, args.seconds)
        finally:
            cluster.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
