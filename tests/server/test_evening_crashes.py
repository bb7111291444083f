"""A whole evening of 13 people, on two servers with one PostgreSQL and on one server with SQLite.

One guest comes late and one leaves, the host presses on two devices at once, and servers are killed between rounds and
while a round starts.
"""

import http.client
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from bench.server_process import ServerProcess
from tests import postgres
from tests.forked_servers import ForkedServer
from triclinium.server.evenings.points import compute_late_start

PEOPLE = 13
LATE, LEAVING = 13, 5  # numbers of guests
SOON = 120.0  # seconds that a busy machine may need for what usually takes one
GONE = (OSError, http.client.HTTPException, ValueError)  # the server died, perhaps in the middle of a response


class SharingServer(ForkedServer):
    """One of several servers on the same database."""

    shared = ""

    @property
    def url(self) -> str:
        return self.shared


@contextmanager
def run_servers(folder: Path, kind: str) -> Iterator[list[ServerProcess]]:
    """Yield two servers that share a PostgreSQL database, or one with SQLite."""
    servers: list[ServerProcess] = []
    shared = postgres.make_database() if kind == "postgresql" else ""
    try:
        for number in range(2 if shared else 1):
            (folder / str(number)).mkdir()
            made = (SharingServer if shared else ForkedServer)(folder / str(number), 0, None, "--bot-pause", "0")
            if isinstance(made, SharingServer):
                made.shared = shared
            servers.append(made.start())
        yield servers
    finally:
        for server in servers:
            server.stop()


class Night:
    """The people of an evening, each with a cookie. Their requests go to any of the servers."""

    def __init__(self, servers: list[ServerProcess]) -> None:
        self.servers, self.chance = servers, random.Random(13)
        self.cookies: dict[int, str] = {}
        status, opened = self.send(0, "POST", "/evenings", {"game": "evangelists", "player": "Guest 1"})
        assert status == 201, opened
        self.code, self.cookies[1] = opened["code"], opened["cookie"]

    def send(
        self, guest: int, method: str, path: str, body: object = None, server: ServerProcess | None = None
    ) -> tuple[int, Any]:
        to = server or self.chance.choice(self.servers)
        headers = {"content-type": "application/json", "cookie": f"triclinium={self.cookies.get(guest, '')}"}
        with closing(http.client.HTTPConnection("127.0.0.1", to.port, timeout=60)) as connection:
            connection.request(method, f"/api/v1{path}", None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read()
        return answer.status, json.loads(text) if text else {}

    def join(self, guest: int) -> None:
        status, joined = self.send(guest, "POST", f"/evenings/{self.code}/guests", {"player": f"Guest {guest}"})
        assert status == 201, joined
        assert joined["guests"][-1]["number"] == guest
        self.cookies[guest] = joined["cookie"]

    def get(self, guest: int = 1) -> Any:
        status, evening = self.send(guest, "GET", f"/evenings/{self.code}")
        assert status == 200, evening
        return evening

    def press(self, number: int, server: ServerProcess) -> int:
        return self.send(1, "POST", f"/evenings/{self.code}/rounds", {"round": number}, server)[0]

    def press_twice_at_once(self, number: int) -> None:
        statuses: list[int] = []
        threads = [
            threading.Thread(target=lambda server=server: statuses.append(self.press(number, server)))
            for server in (self.servers[0], self.servers[-1])
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(statuses) == [201, 409]

    def press_and_kill(self, number: int, seconds: float) -> None:
        """Start a round on a server that is killed meanwhile. The host presses again until the round has started."""
        victim = self.servers[0]

        def press() -> None:
            with suppress(*GONE):
                self.press(number, victim)

        thread = threading.Thread(target=press)
        thread.start()
        time.sleep(seconds)
        self.kill(victim)
        thread.join()
        assert self.press(number, self.servers[-1]) in (201, 409)

    def kill(self, server: ServerProcess) -> None:
        server.kill_alone()
        server.start()

    def play_round(self, number: int) -> None:
        """Play all matches of a round with random moves, one thread for each table."""
        errors: list[BaseException] = []

        def play(table: Any) -> None:
            try:
                self.play_table(table, random.Random(f"{number} {table['place']}"))
            except BaseException as error:
                errors.append(error)

        threads = [
            threading.Thread(target=play, args=[table]) for table in self.get()["tables"] if table["round"] == number
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not errors

    def play_table(self, table: Any, chance: random.Random) -> None:
        guests = [seat["guest"] for seat in table["seats"]]
        while True:
            status, seen = self.send(guests[0], "GET", f"/tables/{table['id']}")
            assert status == 200, seen
            if seen["status"] == "over":
                return
            guest = guests[seen["who"]]
            _, asked = self.send(guest, "GET", f"/tables/{table['id']}/options")
            if asked.get("decision"):
                option = chance.choice(asked["decision"]["options"])["option"]
                move = {"option": option, "version": asked["version"]}
                status, answer = self.send(guest, "POST", f"/tables/{table['id']}/move", move)
                assert status in (200, 409), answer


def list_round(evening: Any, number: int) -> list[list[int]]:
    return [[seat["guest"] for seat in each["seats"]] for each in evening["tables"] if each["round"] == number]


def check_round(evening: Any, number: int, present: set[int]) -> None:
    """Check that everyone present has one seat, and that the sizes of the tables are equal."""
    tables = list_round(evening, number)
    assert sorted(guest for table in tables for guest in table) == sorted(present)
    assert {len(table) for table in tables} <= {4, 5}
    assert [each["place"] for each in evening["tables"] if each["round"] == number] == list(range(1, len(tables) + 1))


def compute_points(evening: Any) -> dict[int, int]:
    """Compute the points of everyone again from the results of the tables."""
    points = {guest["number"]: guest["start"] or 0 for guest in evening["guests"]}
    for table in evening["tables"]:
        totals = [seat["total"] for seat in table["seats"]]
        assert table["status"] == "over"
        for seat in table["seats"]:
            points[seat["guest"]] += round(seat["total"] - fmean(totals))
    return points


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_an_evening_of_thirteen_survives_kills_and_two_hosts(tmp_path: Path, kind: str) -> None:
    with run_servers(tmp_path, kind) as servers:
        night = Night(servers)
        for guest in range(2, PEOPLE):
            night.join(guest)
        everyone = set(range(1, PEOPLE))

        night.press_twice_at_once(1)
        check_round(night.get(), 1, everyone)
        night.play_round(1)
        after_one = night.get()
        for server in servers:
            night.kill(server)
        assert night.get(7) == after_one

        assert night.send(LEAVING, "PUT", f"/evenings/{night.code}/guests/{LEAVING}", {"status": "left"})[0] == 200
        night.join(LATE)
        everyone = everyone - {LEAVING} | {LATE}
        night.press_and_kill(2, 0.03)
        evening = night.get()
        assert evening["round"] == 2
        assert all(table["status"] != "waiting" for table in evening["tables"])
        check_round(evening, 2, everyone)
        before = {line["number"]: line["points"] for line in after_one["ranking"]}
        starts = {guest["number"]: guest["start"] for guest in evening["guests"]}
        assert starts == dict.fromkeys(range(1, PEOPLE), 0) | {LATE: compute_late_start(before.values())}
        night.play_round(2)

        night.kill(servers[0])
        night.press_twice_at_once(3)
        check_round(night.get(), 3, everyone)
        night.play_round(3)
        assert night.send(1, "DELETE", f"/evenings/{night.code}")[0] == 200

        evening = night.get(LATE)
        shown = {line["number"]: line["points"] for line in evening["ranking"]}
        assert shown == compute_points(evening)
        assert shown[LEAVING] == before[LEAVING]
        firsts = Counter(seat["guest"] for table in evening["tables"] for seat in table["seats"] if seat["first"])
        assert max(firsts.values()) == 1
        pairs = Counter(
            pair for n in (1, 2) for table in list_round(evening, n) for pair in combinations(sorted(table), 2)
        )
        assert sum(times > 1 for times in pairs.values()) <= 4
        assert all(night.get(guest) == evening for guest in (1, LEAVING, LATE))
