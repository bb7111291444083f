"""Tests of rate limits by address, weighted by the cost of a request. No visitor can lock out another one."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from bench.server_process import ApiConnection, ApiTable
from tests.forked_servers import ForkedServer
from tests.server.api_client import ApiClient, get_server, make_settings
from tests.server.http_client import HttpClient
from triclinium.engine.core.errors import BadSetup
from triclinium.server.errors import LimitExceeded
from triclinium.server.net import middleware
from triclinium.server.net.client_address import SITE_FACTOR, NetworkCounter, get_network
from triclinium.server.net.rate_limit import (
    OTHER_COST,
    SERVER_COSTS,
    TABLE_COSTS,
    THREAD_TIME,
    TOTAL_LIMITS,
    NetworkBuckets,
    RateLimits,
    get_request_cost,
)
from triclinium.server.proxies import parse_proxies
from triclinium.web.app import create_app

# Each test has separate addresses, because limits are used up.
ANNA, BEN, EVE = "127.0.1.2", "127.0.1.3", "127.0.1.66"  # addresses of the flood of posts
PLAYER, GUESSER, FORGER = "127.0.2.2", "127.0.2.3", "127.0.2.66"  # addresses of invented tokens and cookies
FLOODER = "127.0.3.66"
FAMILY = "127.0.4.2"
SEEN = 12  # number of moves and answers before a flood ends


class Counted(ForkedServer):
    """A server with the usual rate limits."""

    def __init__(self, folder: Path, *extra: str) -> None:
        super().__init__(folder, 0, None, *extra)
        self.limits = []


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Counted]:
    running = Counted(tmp_path_factory.mktemp("counted"))
    running.start()
    yield running
    running.stop()


@pytest.mark.parametrize(
    ("host", "counted_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_all_addresses_of_an_ipv6_network_share_a_limit(host: str, counted_as: str) -> None:
    assert get_network(host) == counted_as


def test_a_site_of_ipv6_has_a_limit_of_its_own() -> None:
    """A /48 has 65,536 networks but only eight times the limit of one of them."""
    limits = RateLimits(is_enabled=True)
    networks = [get_network(f"2001:db8:1:{n:x}::1") for n in range(1, 100)]
    assert guesses(limits, "door", [one for one in networks for _ in range(5)]) == 5 * SITE_FACTOR
    limits.count_action("door", get_network("2001:db8:2:1::1"))  # other visitors are not delayed
    buckets = NetworkBuckets(1.0, 2.0)
    for one in networks[:SITE_FACTOR]:
        buckets.take_tokens(one, 2.0, 0.0)
    assert buckets.compute_wait(networks[SITE_FACTOR], 1.0, 0.0) > 0.0
    held = NetworkCounter(3)
    for one in networks[: SITE_FACTOR * 3]:
        assert held.has_room(one)
        held.add(one)
    assert not held.has_room(networks[-1])
    held.remove(networks[0])
    assert held.has_room(networks[-1])


@pytest.mark.parametrize("what", TOTAL_LIMITS)
def test_all_addresses_share_a_limit_of_guesses(what: str) -> None:
    everywhere = [f"10.0.{n // 250}.{n % 250}" for n in range(3000)]
    assert TOTAL_LIMITS[what][1] <= guesses(RateLimits(is_enabled=True), what, everywhere) < TOTAL_LIMITS[what][1] * 1.1


def guesses(limits: RateLimits, what: str, networks: list[str]) -> int:
    """Return how many guesses pass before one is refused, alternating between these networks."""
    for n, one in enumerate(networks):
        try:
            limits.count_action(what, one)
        except LimitExceeded:
            return n
    return len(networks)


@pytest.mark.parametrize(
    ("method", "path", "price"),
    [
        ("GET", "/", SERVER_COSTS[""]),
        ("GET", "/static/base.css", SERVER_COSTS["static"]),
        ("GET", "/tables", SERVER_COSTS["tables"]),
        ("POST", "/api/v1/tables", SERVER_COSTS["play"]),
        ("POST", "/api/v1/records", SERVER_COSTS["records"]),
        ("POST", "/records", SERVER_COSTS["records"]),
        ("GET", "/tables/abcdefghij", TABLE_COSTS[""]),
        ("GET", "/tables/abcdefghij/record", OTHER_COST),
        ("GET", "/tables/abcdefghij/positions/40", TABLE_COSTS["positions"]),
        ("POST", "/api/v1/tables/abcdefghij/move", TABLE_COSTS["move"]),
        ("GET", "nothing", SERVER_COSTS[""]),
        ("GET", "/who/knows", OTHER_COST),
    ],
)
def test_a_request_costs_what_its_route_costs(method: str, path: str, price: float) -> None:
    assert get_request_cost({"type": "http", "method": method, "path": path}) == price


def test_a_flood_of_anonymous_posts_locks_nobody_out(server: Counted) -> None:
    """A newcomer without a cookie, from another address, takes a seat during the flood."""
    with HttpClient(server.port, ANNA) as host:
        host.get("/")
        page = host.post("/new", game="evangelists", seats=2, kind0="me", kind1="invite", visibility="listed").goes_to
    answers: Counter[int] = Counter()
    over = threading.Event()

    def post_for_ever() -> None:
        with HttpClient(server.port, EVE) as nobody:
            nobody.get("/")
            while not over.is_set():
                answers[nobody.post(f"{page}/join", seat=9).status] += 1

    floods = [threading.Thread(target=post_for_ever) for _ in range(4)]
    for each in floods:
        each.start()
    try:
        until = time.monotonic() + 60.0
        while answers[429] < 20:
            assert time.monotonic() < until, answers
            time.sleep(0.05)
        with HttpClient(server.port, BEN) as guest:
            guest.get(page)
            for _ in range(6):
                assert guest.post(f"{page}/join", seat=8).status == 404
                time.sleep(0.05)
            sat = guest.post(f"{page}/join", seat=1, name="Ben")
            assert (sat.status, sat.goes_to) == (303, page)
    finally:
        over.set()
        for each in floods:
            each.join()


def test_unknown_tokens_and_cookies_share_one_limit(server: Counted) -> None:
    with ApiConnection(server.port) as caller:
        table = ApiTable(caller)
    with HttpClient(server.port, GUESSER) as guesser:
        answers: Counter[int] = Counter()
        for n in range(120):
            guesser.token = f"invented-token-number-{n:04}"
            answers[guesser.send("POST", f"{table.url}/move", {"option": "end", "version": 0}).status] += 1
        assert answers[403] <= 100, answers
        assert answers[429] >= 20, answers
        assert set(answers) == {403, 429}
    with HttpClient(server.port, FORGER) as guesser:
        answers = Counter()
        guesser.get("/")
        for n in range(120):
            guesser.cookies["triclinium"] = f"invented-cookie-number-{n:04}"
            answers[guesser.post("/join", code="WRONG").status] += 1
        assert answers[404] <= 100, answers
        assert answers[429] >= 20, answers
    with HttpClient(server.port, PLAYER, table.tokens[0]) as player:
        assert player.get(table.url).status == 200


def test_a_forged_forwarded_address_does_not_help(tmp_path: Path) -> None:
    """A forged header helps neither directly nor through a proxy that appends the real address."""
    for extra, forged in (((), "198.51.100.{0}"), (("--proxy", "127.0.0.1"), "198.51.100.{0}, 203.0.113.9")):
        server = Counted(tmp_path, *extra)
        server.start()
        try:
            with HttpClient(server.port) as flood:
                answers: Counter[int] = Counter()
                for n in range(40):
                    wish = '{"game": "evangelists", "seats": [{"kind": "me"}, {"kind": "invite"}]}'
                    headers = {"content-type": "application/json", "x-forwarded-for": forged.format(n)}
                    answer = flood.request("POST", "/api/v1/tables", wish, headers)
                    answers[answer.status] += 1
            assert answers[429] >= 5, answers
            assert int(answer.headers["retry-after"]) >= 1
            if extra:
                with HttpClient(server.port) as other:
                    answer = other.request(
                        "POST", "/api/v1/tables", wish, {**headers, "x-forwarded-for": "203.0.113.10"}
                    )
                    assert answer.status == 201, answer.text
        finally:
            server.stop()


def test_a_proxy_is_an_address_or_a_network() -> None:
    assert [str(each) for each in parse_proxies("127.0.0.1, 10.0.0.0/8")] == ["127.0.0.1/32", "10.0.0.0/8"]
    with pytest.raises(BadSetup, match="a proxy must be an address"):
        parse_proxies("everybody")


def has_enough_answers(answers: Counter[int]) -> bool:
    """Return whether the flood got enough answers and refusals."""
    return min(answers[200], answers[429]) > SEEN


async def flood(port: int, over: threading.Event, answers: Counter[int]) -> None:
    """Send requests on sixteen connections of one address without a pause.

    They ask for the home page and for pages that cost ten times as much, so that they exceed the limit on a slow
    machine too.
    """

    paths = cycle(("/", "/tables/nowhere123/continue"))

    async def one() -> None:
        while not over.is_set():
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(FLOODER, 0))
            try:
                while not over.is_set():
                    path = next(paths)
                    writer.write(f"GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())
                    head = await reader.readuntil(b"\r\n\r\n")
                    answers[int(head[9:12])] += 1
                    assert head[9:12] in (b"200", b"303", b"405") or b"retry-after: " in head
                    found = head.lower().partition(b"content-length: ")[2]
                    await reader.readexactly(int(found.split(b"\r\n")[0])) if found else await chunks(reader)
            except (OSError, asyncio.IncompleteReadError):
                pass
            finally:
                writer.close()

    await asyncio.gather(*(one() for _ in range(16)))


async def chunks(reader: asyncio.StreamReader) -> None:
    while (size := int(await reader.readline(), 16)) or await reader.readline() != b"\r\n":
        await reader.readexactly(size + 2)


def test_a_flood_of_one_address_does_not_slow_down_a_player(server: Counted) -> None:
    with ApiConnection(server.port) as caller:
        table = ApiTable(caller)
        answers: Counter[int] = Counter()
        least = 0.0
        began_at = time.monotonic()
        over = threading.Event()
        flooder = threading.Thread(target=asyncio.run, args=(flood(server.port, over, answers),))
        flooder.start()
        took: list[float] = []
        who = table.find_asked_seat()
        version, options = table.options(who or 0)
        while who is not None:
            lasted = time.monotonic() - began_at
            if lasted > 60.0 or (lasted > least and len(took) > SEEN and has_enough_answers(answers)):
                break
            began = time.monotonic()
            status, facts = caller.call(
                "POST", f"{table.url}/move", {"option": options[0], "version": version}, table.tokens[who]
            )
            took.append(time.monotonic() - began)
            assert status == 200, facts
            found = facts["who"]
            who = found if isinstance(found, int) else None
            if who is not None:
                version, options = table.options(who)
            time.sleep(0.02)
        over.set()
        flooder.join()
    assert len(took) > SEEN
    assert has_enough_answers(answers), answers


def test_the_real_cost_of_a_request_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions of a long match are replayed from the deal, so they cost more than the route's base price."""
    monkeypatch.setattr(middleware, "RATE", 1.0)  # on a slow machine too
    monkeypatch.setattr(middleware, "DEPTH", 330.0)
    found = make_settings(tmp_path, limits=True)
    with TestClient(create_app(found)) as client:
        door = client.app
        assert isinstance(door, FastAPI)
        before = THREAD_TIME.get()
        api = ApiClient(client).fill()

        async def long() -> None:
            bill = THREAD_TIME.get()
            assert bill is not None
            await get_server(client).runtime.run_in_thread(use_processor, 0.05)
            assert bill.milliseconds > 40

        door.add_api_route("/long", long)
        served = 0
        while client.get("/long").status_code == 200:
            served += 1
        assert 4 <= served <= 7  # requests in 330 ms; at the base price of 4 ms each there would be 82
        assert THREAD_TIME.get() is before
        assert client.get(api.url, headers=api.auth(0)).status_code == 429


def use_processor(seconds: float) -> None:
    began = time.thread_time()
    while time.thread_time() - began < seconds:
        pass


def test_a_family_of_eight_with_five_tabs_each_is_not_held_up(server: Counted) -> None:
    """Forty tabs are opened at once behind one address, and each follows a table for a while."""
    with ApiConnection(server.port) as caller:
        table = ApiTable(caller)
    page = f"/tables/{table.id}"
    answers: Counter[int] = Counter()

    def five_tabs(n: int) -> None:
        with HttpClient(server.port, FAMILY, table.tokens[n % 2]) as visitor:
            for path in 5 * (
                "/",
                page,
                "/static/base.css",
                "/static/page.js",
                "/static/sprite.svg",
                "/static/table.css",
            ):
                answers[visitor.get(path).status] += 1

    people = [threading.Thread(target=five_tabs, args=(n,)) for n in range(8)]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert answers == {200: 240}
