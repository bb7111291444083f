"""Tests of connections and streams: slow requests are cut off, and one address cannot use all connections."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPException
from pathlib import Path

import pytest
import uvicorn

from bench.server_process import ApiConnection, ApiTable, ServerProcess, find_free_port
from tests.forked_servers import ForkedServer
from tests.server.api_client import make_settings
from tests.server.http_client import HttpClient
from triclinium.server.net.http_protocol import MAX_HEAD_BYTES, make_protocol
from triclinium.server.settings import Settings
from triclinium.web.app import create_app

EVE, BEN = "127.0.0.66", "127.0.0.2"
HEAD = 1.5  # seconds in which the header of a request must arrive
HALF = b"GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: "


class LocalServer:
    """A server in a thread of this process, with settings that the command does not offer."""

    def __init__(self, wanted: Settings) -> None:
        self.port = find_free_port()
        config = uvicorn.Config(create_app(wanted), port=self.port, log_level="warning", http=make_protocol(wanted))
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run)

    def __enter__(self) -> "LocalServer":
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive()
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join()


@pytest.fixture
def wire_settings(tmp_path: Path) -> Settings:
    found = make_settings(tmp_path, limits=True)
    found.header_timeout = HEAD
    return found


@pytest.fixture
def server(wire_settings: Settings) -> Iterator[LocalServer]:
    with LocalServer(wire_settings) as here:
        yield here


def dial(port: int, address: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), 10, source_address=(address, 0))


def answered(line: socket.socket) -> bool:
    """Read the next response to its end and return whether it is a page."""
    heard = b""
    while b"\r\n\r\n" not in heard:
        heard += received(line)
    head, _, body = heard.partition(b"\r\n\r\n")
    length = next(int(field[15:]) for field in head.lower().split(b"\r\n") if field.startswith(b"content-length:"))
    while len(body) < length:
        body += received(line)
    assert len(body) == length
    return head.startswith(b"HTTP/1.1 200")


def received(line: socket.socket) -> bytes:
    found = line.recv(100_000)
    assert found, "the server has hung up"
    return found


def is_closed(line: socket.socket) -> bool:
    """Return whether the server has closed the connection without a response."""
    line.settimeout(0.001)
    try:
        return line.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def is_welcome(port: int, address: str) -> bool:
    try:
        with HttpClient(port, address) as visitor:
            return visitor.get("/robots.txt").status == 200
    except (OSError, HTTPException):
        return False


def test_half_heads_of_one_address_keep_nobody_out(server: LocalServer, caplog: pytest.LogCaptureFixture) -> None:
    with ExitStack() as held:
        lines = []
        began = time.monotonic()
        for _ in range(1200):
            line = held.enter_context(dial(server.port, EVE))
            lines.append(line)
            try:
                line.sendall(HALF)
            except ConnectionError:
                continue  # The server has refused this connection already.
        with HttpClient(server.port, BEN) as visitor:
            assert visitor.get("/").status == 200
        while not all(is_closed(line) for line in lines):
            assert time.monotonic() - began < 600.0, "the connections stay open"
        assert caplog.text.count("too many open connections") <= 1
        assert len(caplog.records) <= 2


def test_the_rest_of_a_head_is_waited_for_so_long(wire_settings: Settings, server: LocalServer) -> None:
    for before in (b"", b"GET /robots.txt HTTP/1.1\r\nhost: localhost\r\n\r\n"):  # at once, and after a response
        with dial(server.port, EVE) as line:
            line.settimeout(10)
            if before:
                line.sendall(before)
                assert answered(line)
            began = time.monotonic()
            line.sendall(HALF)
            for _ in range(40):  # sending a byte now and then does not help
                time.sleep(HEAD / 10)
                try:
                    line.sendall(b"x")
                except ConnectionError:
                    break
            took = time.monotonic() - began
            assert took > HEAD * 0.9
            assert is_closed(line)


def test_a_head_that_comes_in_time_is_answered(server: LocalServer) -> None:
    with dial(server.port, EVE) as line:
        line.settimeout(10)
        for part in (b"GET /robots.txt HT", b"TP/1.1\r\nhost", b": localhost\r\n", b"\r\n"):
            time.sleep(HEAD / 8)
            line.sendall(part)
        assert answered(line)
        time.sleep(HEAD * 1.5)  # an open connection may be idle between two requests
        line.sendall(b"GET /robots.txt HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert answered(line)


def test_a_head_without_end_is_cut_off(server: LocalServer) -> None:
    with dial(server.port, EVE) as line:
        line.sendall(HALF)
        sent = 0
        while not is_closed(line):
            line.settimeout(10)
            try:
                sent += line.send(b"x" * 1000)
            except ConnectionError:
                break
        assert MAX_HEAD_BYTES < sent < MAX_HEAD_BYTES * 50


@pytest.mark.parametrize("length", [40_000, 600_000])
def test_a_long_head_in_one_piece_is_refused(server: LocalServer, length: int) -> None:
    with dial(server.port, EVE) as line:
        line.sendall(b"GET /robots.txt HTTP/1.1\r\nhost: localhost\r\nx-long: " + b"x" * length + b"\r\n\r\n")
        try:
            heard = line.recv(100)
        except ConnectionError:
            heard = b""  # the server closed it while sending the rest
        assert heard == b"" or heard.startswith(b"HTTP/1.1 431 ")
    with dial(server.port, EVE) as line:
        line.sendall(b"GET /robots.txt HTTP/1.1\r\nhost: localhost\r\nx-long: " + b"x" * 30_000 + b"\r\n\r\n")
        assert answered(line)


def test_two_hosts_are_a_bad_request(server: LocalServer) -> None:
    with dial(server.port, EVE) as line:
        line.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n\r\n")
        assert received(line).startswith(b"HTTP/1.1 400 ")


def test_an_address_holds_so_many_connections(wire_settings: Settings, server: LocalServer) -> None:
    with ExitStack() as held:
        lines = [held.enter_context(dial(server.port, EVE)) for _ in range(wire_settings.max_connections + 5)]
        until = time.monotonic() + 20.0
        closed: set[int] = set()
        while len(closed) < 5:  # each connection is checked only once, because a closed one may answer only once
            assert time.monotonic() < until
            closed |= {number for number, line in enumerate(lines) if number not in closed and is_closed(line)}
        assert len(closed) == 5
        with HttpClient(server.port, BEN) as other:
            assert other.get("/robots.txt").status == 200
    until = time.monotonic() + 20.0
    while not is_welcome(server.port, EVE):  # closing a connection makes room for another
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_proxy_holds_as_many_as_it_likes(wire_settings: Settings, tmp_path: Path) -> None:
    proxied = make_settings(tmp_path, limits=True)
    proxied.proxies = Settings("sqlite://", proxy="127.0.0.0/26").proxies
    with LocalServer(proxied) as server, ExitStack() as held:
        lines = [held.enter_context(dial(server.port, "127.0.0.1")) for _ in range(wire_settings.max_connections + 20)]
        time.sleep(0.3)
        assert not any(is_closed(line) for line in lines[-3:])


def test_an_address_holds_so_many_streams(wire_settings: Settings, server: LocalServer) -> None:
    with ApiConnection(server.port) as caller:
        table = ApiTable(caller)
    with ExitStack() as held:

        def listen(address: str) -> HttpClient:
            visitor = held.enter_context(HttpClient(server.port, address))
            headers = {"authorization": f"Bearer {table.tokens[0]}", "accept-language": "fr"}
            visitor.connection.request("GET", f"/tables/{table.id}/events", headers=headers)
            return visitor

        tabs = [listen(EVE) for _ in range(wire_settings.max_streams)]
        assert {visitor.connection.getresponse().status for visitor in tabs} == {200}
        refused = listen(EVE).connection.getresponse()
        assert refused.status == 429
        assert refused.headers["retry-after"] == "10"
        assert refused.read().decode().startswith("Trop de tables")
        assert listen(BEN).connection.getresponse().status == 200
        for visitor in tabs:
            visitor.connection.close()
        until = time.monotonic() + 10.0
        while listen(EVE).connection.getresponse().status != 200:
            assert time.monotonic() < until
            time.sleep(0.1)


# -- many streams at one table ---------------------------------------------------------------------------------------


FEW, MANY = 100, 500


def cost_of_opening(server: ServerProcess, streams: int) -> float:
    """Return the processor seconds until this many streams of a table are open and have all received each other's
    presence."""
    with ApiConnection(server.port) as caller:
        table = ApiTable(caller)
    spent = server.cpu_seconds()
    head = f"host: localhost\r\nauthorization: Bearer {table.tokens[0]}"
    request = f"GET {table.url}/events HTTP/1.1\r\n{head}\r\n\r\n".encode()
    with ExitStack() as held:
        lines = []
        for _ in range(streams):
            line = held.enter_context(dial(server.port, BEN))
            line.sendall(request)
            lines.append(line)
        for line in lines:
            heard = b""
            while b"event: presence" not in heard:
                heard += line.recv(100_000)
        spent = server.cpu_seconds() - spent
        with ApiConnection(server.port) as caller:
            _, facts = caller.call("GET", table.url, None, table.tokens[0])
        seats = facts["seats"]
        assert isinstance(seats, list)
        assert [seat["present"] for seat in seats] == [True, False]
    return spent


def test_opening_many_streams_costs_as_much_for_each(tmp_path: Path) -> None:
    """The minimum of several alternating measurements counts, because other programs can only add to a cost."""
    server = ForkedServer(tmp_path).start()
    try:
        cost_of_opening(server, 50)
        server.wait_until_idle()
        times = range(3)
        costs = [(cost_of_opening(server, FEW) / FEW, cost_of_opening(server, MANY) / MANY) for _ in times]
    finally:
        server.stop()
    few, many = (min(each) for each in zip(*costs, strict=True))
    assert many < few * 2, f"{few * 1000:.2f} ms for each of {FEW} streams, {many * 1000:.2f} for each of {MANY}"
