"""Clients that play on a server which is killed repeatedly, and that remember every response."""

import http.client
import random
import threading
import time
from collections.abc import Sequence
from contextlib import closing

from bench.server_process import ApiConnection, ApiTable, ServerProcess, read_events

GAME_IDS = ("evangelists", "portals")
GONE = (OSError, http.client.HTTPException, ValueError)  # the server died, perhaps in the middle of a response
VIEWS = 12  # number of views that a client remembers


class PostedMove:
    """A move that was posted without a response so far."""

    def __init__(self, who: int, option: str, version: int, key: str) -> None:
        self.who = who
        self.move = {"option": option, "version": version, "key": key}
        self.option = option


class CrashClient:
    """A client that holds all seats of a table, listens to it, and starts another table when the match is over."""

    def __init__(self, number: int) -> None:
        self.game_id = GAME_IDS[number % len(GAME_IDS)]
        self.chance = random.Random(number)
        self.table: ApiTable | None = None
        self.told: list[str] = []  # the moves that the server has acknowledged
        self.sent: PostedMove | None = None
        self.views: list[tuple[int, int, str]] = []  # number of moves before it, seat, and text
        self.heard = 0  # the newest version received by the stream
        self.moves = 0  # acknowledged moves at all tables
        self.again = 0  # moves that were sent a second time
        self.stored_before = 0  # those that were stored already

    # -- while the server runs -----------------------------------------------------------------------------------------

    def play(self, server: ServerProcess) -> None:
        """Play until the server is gone."""
        try:
            with ApiConnection(server.port) as caller:
                while True:
                    self.sit_down(caller)
                    assert self.table is not None
                    listening = threading.Thread(target=self.listen, args=[server.port, self.table], daemon=True)
                    listening.start()
                    while self.decide():
                        pass
                    self.table = None
        except GONE:
            return

    def sit_down(self, caller: ApiConnection) -> None:
        if self.table is None:
            found = ApiTable(caller, self.game_id)  # an interrupted opening was never acknowledged
            self.told, self.views, self.sent, self.heard = [], [], None, 0
            self.table = found
        self.table.caller = caller

    def listen(self, port: int, table: ApiTable) -> None:
        try:
            with closing(read_events(port, f"{table.url}/events", table.tokens[0])) as listening:
                for kind, data in listening:
                    if kind == "table" and self.table is table:
                        self.heard = int(str(data["version"]))
        except GONE:
            return

    def decide(self) -> bool:
        """Make one move, and sometimes read a position. Return False if the match is over."""
        assert self.table is not None
        who = self.table.find_asked_seat()
        if who is None:
            return False
        version, options = self.table.options(who)
        self.sent = PostedMove(who, self.chance.choice(options), version, f"{self.chance.getrandbits(60):x}")
        self.post(self.sent)
        if self.chance.random() < 0.3:
            seat = self.chance.randrange(2)
            self.views = [*self.views[-VIEWS:], (len(self.told), seat, self.view(len(self.told), seat))]
        return True

    def post(self, sent: PostedMove) -> None:
        table = self.table
        assert table is not None
        status, answer = table.caller.call("POST", f"{table.url}/move", sent.move, table.tokens[sent.who])
        assert status == 200, answer
        self.told.append(sent.option)
        self.moves += 1
        self.sent = None

    def view(self, n: int, seat: int) -> str:
        assert self.table is not None
        return self.table.caller.text(f"{self.table.url}/view?move={n}", self.table.tokens[seat])

    # -- after the connection is back ---------------------------------------------------------------------------------

    def check(self, server: ServerProcess) -> None:
        """Check that the server has everything it acknowledged, and nothing else."""
        if self.table is None:
            return
        with ApiConnection(server.port) as caller:
            self.table.caller = caller
            stored = self.load_stored_moves()
            assert stored[: len(self.told)] == self.told
            assert len(stored) - len(self.told) in ((0, 1) if self.sent else (0,))
            assert self.heard <= len(stored), "a stream told what was not stored"
            self.check_streams_resume(server, len(stored))
            if self.sent is not None:
                self.again += 1
                self.stored_before += len(stored) > len(self.told)
                self.post(self.sent)
                assert self.load_stored_moves() == self.told, "a move that was sent twice is not there once"
            for n, seat, text in self.views:
                assert self.view(n, seat) == text

    def check_streams_resume(self, server: ServerProcess, version: int) -> None:
        """Check that each seat's stream begins with the current table."""
        assert self.table is not None
        for token in self.table.tokens.values():
            with closing(read_events(server.port, f"{self.table.url}/events", token)) as listening:
                kind, data = next(listening)
                assert (kind, data["version"]) == ("table", version)

    def load_stored_moves(self) -> list[str]:
        assert self.table is not None
        record = self.table.caller.text(f"{self.table.url}/record", self.table.tokens[0])
        moves = record.split("\n\n", 1)[1].splitlines()
        return [line.split(" ", 1)[1] for line in moves if line[:1].isdigit()]


def wait_for_moves(programs: Sequence[CrashClient], more: int) -> None:
    """Wait until this many more moves are acknowledged, because a busy machine may be slow."""
    before, until = sum(program.moves for program in programs), time.monotonic() + 60.0
    while sum(program.moves for program in programs) < before + more and time.monotonic() < until:
        time.sleep(0.01)
