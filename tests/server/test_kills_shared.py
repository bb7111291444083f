"""Tests of two servers on one PostgreSQL, where a server, a bot process or the database is killed at any moment.

No acknowledged move is lost or doubled, streams resume on either server, and bots continue.
"""

import asyncio
import itertools
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy import Connection, event, text

from bench.server_process import ApiConnection, ApiTable, ServerProcess
from tests import postgres
from tests.forked_servers import ForkedServer
from tests.server.crash_clients import GONE, CrashClient, PostedMove, wait_for_moves
from tests.slow import slow
from triclinium.server.accounts.owner import OwnerBrowsers
from triclinium.server.storage import store as store_code
from triclinium.server.storage.store import Store

VICTIMS = ("0", "1", "bot", "database")  # servers are given by their number
# The victims of each stretch of play, in an order in which some client is still playing when the last one is killed.
STRETCHES = (("bot", "0", "1"), ("bot", "database"), ("1", "bot", "0"), ("0", "database"))
SOON = 120.0  # seconds that a busy machine may need for what usually takes one
REFUSED = (AssertionError, KeyError)  # errors of a client that gets a 503 response
GAPS = 'SELECT "table" FROM history GROUP BY "table" HAVING count(*) != max(version) OR min(version) != 1'


class ClusterServer(ForkedServer):
    """One of several servers."""

    shared = ""

    @property
    def url(self) -> str:
        return self.shared


class GuestClient(CrashClient):
    """A client that plays on one of the servers until it is stopped, and tolerates database errors."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.stopping = False
        self.unanswered = ""

    def play(self, server: ServerProcess) -> None:
        self.stopping, self.unanswered = False, ""
        try:
            super().play(server)
        except REFUSED as refused:  # a later check decides whether this error was justified
            self.unanswered = repr(refused)

    def listen(self, port: int, table: ApiTable) -> None:
        with suppress(*REFUSED):
            super().listen(port, table)

    def post(self, sent: PostedMove) -> None:
        """Post a move. A server that does not know the last move on the other server answers with the current table."""
        try:
            super().post(sent)
        except AssertionError as refused:
            answer = refused.args[0]
            moved_on = isinstance(answer, dict) and answer.get("error") == "stale_version"
            if not moved_on or not sent.move["version"] < answer["table"]["version"] == len(self.told):
                raise
            self.sent = None

    def view(self, n: int, seat: int) -> str:
        told = super().view(n, seat)
        assert not told.startswith('{"error"'), told
        return told

    def decide(self) -> bool:
        if self.stopping:
            raise OSError("asked to stop")
        return super().decide()


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON
    while True:
        with suppress(*GONE):
            if holds():
                return
        assert time.monotonic() < end
        time.sleep(0.02)


def is_ready(server: ServerProcess) -> bool:
    """Return whether the server can read and write. The first write after a database failure may still be refused."""
    with ApiConnection(server.port) as caller:
        wish = {"game": "portals", "seats": [{"kind": "me"}, {"kind": "invite"}], "player": "A"}
        return caller.call("GET", "/readyz")[0] == 200 and caller.call("POST", "/api/v1/tables", wish)[0] == 201


@contextmanager
def two_servers(folder: Path) -> Iterator[list[ServerProcess]]:
    url, servers = postgres.make_database(), list[ServerProcess]()
    try:
        for number in range(2):
            (folder / str(number)).mkdir()
            made = ClusterServer(folder / str(number), 0, None, "--bot-pause", "0")
            made.shared = url
            servers.append(made.start())
        yield servers
    finally:
        for server in servers:
            server.stop()


def kill(what: str, servers: list[ServerProcess]) -> None:
    if what == "database":
        postgres.get_cluster().kill()
        postgres.get_cluster().start()
    elif what == "bot":
        for pid in [pid for server in servers for pid in server.list_child_processes()]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    else:
        server = servers[int(what)]
        server.kill_alone()
        server.start()


def check_bot_continues(table: ApiTable, servers: list[ServerProcess]) -> None:
    """Decide on one server, and check that the other server reports the bot's next decision."""

    def asked(server: ServerProcess) -> bool:
        with ApiConnection(server.port) as caller:
            table.caller = caller
            return table.find_asked_seat() in (0, None)

    wait_until(lambda: asked(servers[1]))
    with ApiConnection(servers[0].port) as caller:
        table.caller = caller
        if table.find_asked_seat() is None:
            return
        version, options = table.options(0)
        move = {"option": options[0], "version": version}
        assert caller.call("POST", f"{table.url}/move", move, table.tokens[0])[0] == 200
    wait_until(lambda: asked(servers[1]))


def iterate_victims(chance: random.Random, kills: int) -> Iterator[tuple[str, ...]]:
    """Yield the victims of each stretch of play until this many have been killed."""
    left = kills
    for stretch in itertools.chain(STRETCHES, iter(lambda: tuple(chance.sample(VICTIMS, chance.randint(1, 3))), ())):
        if not left:
            return
        yield stretch[:left]
        left -= len(stretch[:left])


def play_and_kill(
    programs: list[GuestClient],
    servers: list[ServerProcess],
    stretch: tuple[str, ...],
    chance: random.Random,
    longest: float,
) -> None:
    """Let all clients play while the victims are killed in turn. Errors are only allowed from victims."""
    playing = [threading.Thread(target=one.play, args=[servers[n % 2]], daemon=True) for n, one in enumerate(programs)]
    for thread in playing:
        thread.start()
    wait_for_moves(programs, len(programs))  # otherwise a busy machine might make no move before the first kill
    for victim in stretch:
        time.sleep(chance.random() * longest)
        kill(victim, servers)
    for n, (one, thread) in enumerate(zip(programs, playing, strict=True)):
        one.stopping = True
        thread.join(SOON)
        assert not thread.is_alive()
        assert not one.unanswered or {"database", str(n % 2)} & set(stretch), (stretch, one.unanswered)
    wait_until(lambda: all(is_ready(server) for server in servers))


@pytest.mark.parametrize(
    ("kills", "players", "longest", "seed"), [(10, 2, 0.15, 26), *(slow(100, 4, 0.8, seed) for seed in range(10))]
)
def test_whatever_is_killed_nothing_is_lost_or_doubled(
    tmp_path: Path, kills: int, players: int, longest: float, seed: int
) -> None:
    """``longest`` is the number of seconds until the next kill. The slow tests make a thousand kills together."""
    chance, programs = random.Random(seed), [GuestClient(number) for number in range(players)]
    with two_servers(tmp_path) as servers:
        with ApiConnection(servers[0].port) as caller:
            bot_table = ApiTable(caller, bot="greedy")
        for number, stretch in enumerate(iterate_victims(chance, kills)):
            play_and_kill(programs, servers, stretch, chance, longest)
            for program in programs:
                program.check(chance.choice(servers))
            if number % 5 == 3:
                check_bot_continues(bot_table, servers)
        check_histories(servers[0].url)
        told = "".join(server.log for server in servers)
    moves, again = sum(one.moves for one in programs), sum(one.again for one in programs)
    sys.stdout.write(f"{kills} kills, {moves} moves acknowledged, {again} sent again\n")
    assert moves > kills / 4
    # Log lines begin with their time. Other lines come from killed Python processes.
    failed = [n for n, line in enumerate(told.splitlines()) if "Traceback" in line and line.startswith("20")]
    assert not failed, "\n".join(told.splitlines()[failed[0] - 2 : failed[0] + 60])


def test_a_server_starts_despite_a_database_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(postgres.make_database())
    store.migrate()
    store.open()
    begun = threading.Event()

    def opened(connection: Connection) -> int:
        begun.set()
        return int(connection.execute(text("SELECT count(*) FROM tables")).scalar_one())

    async def begin() -> int:
        return await store.write_with_retry(opened)

    with database_gone_until(begun, monkeypatch):
        try:
            assert asyncio.run(begin()) == 0
        finally:
            store.close()


def test_a_server_makes_its_first_link_despite_a_database_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = Store(postgres.make_database())
    store.migrate()
    begun = threading.Event()

    def fail(*_: object) -> None:
        begun.set()

    event.listen(store.engine, "handle_error", fail)
    with database_gone_until(begun, monkeypatch):
        link = OwnerBrowsers(store).make_link("http://localhost:8090")
    assert link.startswith("http://localhost:8090/")
    with store.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM owner_keys")).scalar_one() == 1
    store.close()


@contextmanager
def database_gone_until(begun: threading.Event, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Kill the database, and start it again after the event."""
    monkeypatch.setattr(store_code, "RETRY_SECONDS", 0.05)
    cluster = postgres.get_cluster()
    cluster.kill()
    back = threading.Thread(target=lambda: begun.wait(SOON) and cluster.start())
    back.start()
    try:
        yield
    finally:
        begun.set()
        back.join()


def check_histories(url: str) -> None:
    """Check that every table's history has no gap and no duplicate, and that nobody has two seats."""
    store = Store(url)
    with store.engine.connect() as connection:
        assert connection.execute(text(GAPS)).all() == []
        tokens = "SELECT token FROM seats WHERE token != '' GROUP BY token HAVING count(*) > 1"
        assert connection.execute(text(tokens)).all() == []
    store.engine.dispose()
