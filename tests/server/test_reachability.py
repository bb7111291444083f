"""Tests of network access: addresses in links, accepted host names, and who may open the server."""

import json
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bench.server_process import ServerProcess
from tests.event_loop import run_coroutine
from tests.forked_servers import ForkedServer
from tests.server.owner_browsers import create_owner_cookie
from triclinium.engine.core.text import Reader
from triclinium.server import server_time
from triclinium.server.errors import Conflict, NotFound
from triclinium.server.net.interfaces import NetworkAddress, get_adapter_kind, list_own_addresses
from triclinium.server.net.reachability import (
    MACHINE_NAME,
    RETEST_SECONDS,
    Reachability,
    find_url_problem,
    make_firewall_command,
)

WIFI, TUNNEL = NetworkAddress("192.168.1.20", "wlan0", "wifi"), NetworkAddress("10.8.0.3", "tun0", "tunnel")


class FakeListener:
    """A listener that records its calls."""

    def __init__(self) -> None:
        self.hosts: list[str] = []

    @property
    def is_open(self) -> bool:
        return bool(self.hosts)

    async def open(self, hosts: list[str], port: int) -> None:
        self.hosts = hosts

    async def close(self) -> None:
        self.hosts = []


def make_reachability(listens: str, *found: NetworkAddress, url: str = "") -> Reachability:
    reach = Reachability(url, lambda: list(found))
    reach.set_listening(listens, 8090, FakeListener())
    return reach


def make_request(host: str, client: str, **headers: str) -> dict[str, object]:
    """Return a request as the server sees it."""
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {
        "type": "http",
        "client": (client, 5000),
        "server": ("192.168.1.20", 8090),
        "headers": [(b"host", host.encode()), *named],
    }


# -- addresses ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("adapter", "kind"),
    [
        ("wlp3s0", "wifi"),
        ("Intel(R) Wi-Fi 6 AX201", "wifi"),
        ("eth0", "cable"),
        ("enp0s31f6", "cable"),
        ("wg0", "tunnel"),
    ]
    + [("docker0", "container"), ("br-5f2a", "container"), ("veth91", "container"), ("tailscale0", "tunnel")],
)
def test_network_adapters_are_recognized(adapter: str, kind: str) -> None:
    """Wi-Fi and Ethernet come before tunnels and containers."""
    assert get_adapter_kind(adapter) == kind


def test_the_machine_has_a_network_address() -> None:
    for each in list_own_addresses():
        assert not each.host.startswith("127.")


# -- addresses in links ---------------------------------------------------------------------------------------------


def test_links_use_a_reachable_address() -> None:
    """The order is --url, the chosen address, the address of the page, and the first address of an open server."""
    near = make_reachability("0.0.0.0", WIFI, TUNNEL)
    assert near.get_link_origin("http", "localhost:8090") == "http://192.168.1.20:8090"
    assert near.get_link_origin("http", "10.8.0.3:8090") == "http://10.8.0.3:8090"
    near.choose_link_host("10.8.0.3")
    assert near.get_link_origin("http", "localhost:8090") == "http://10.8.0.3:8090"
    with pytest.raises(NotFound):
        near.choose_link_host("evil.example")
    public = make_reachability("127.0.0.1", WIFI, url="https://games.example.org")
    assert public.get_link_origin("http", "localhost:8090") == "https://games.example.org"


def test_a_local_server_claims_no_reachability() -> None:
    """Pages show no useless links until the owner opens the server to the network."""
    run_coroutine(opened_and_closed(make_reachability("127.0.0.1", WIFI)))


async def opened_and_closed(alone: Reachability) -> None:
    assert alone.status == "alone"
    origin = alone.get_link_origin("http", "localhost:8090")
    assert origin == "http://localhost:8090"
    assert alone.is_loopback_origin(origin)
    await alone.open_to_network()
    assert alone.status == "open"
    assert alone.get_link_origin("http", "localhost:8090") == "http://192.168.1.20:8090"
    await alone.close_to_network()
    assert alone.status == "alone"
    nowhere = make_reachability("127.0.0.1")
    assert nowhere.status == "nowhere"
    with pytest.raises(Conflict):
        await nowhere.open_to_network()
    with pytest.raises(Conflict):  # this server is open from the start, and a page cannot close it
        await make_reachability("0.0.0.0", WIFI).close_to_network()


def test_the_server_knows_its_host_names() -> None:
    reach = make_reachability("0.0.0.0", WIFI)
    for name in ("localhost", "127.0.0.1", "[::1]", MACHINE_NAME, f"{MACHINE_NAME}.local", "192.168.1.20"):
        assert reach.is_own_name(name)
    for name in ("evil.example", "192.168.1.21", "localhost.evil.example"):
        assert not reach.is_own_name(name)


# -- proof that an address works ------------------------------------------------------------------------------------


def test_a_visit_from_another_machine_proves_the_address() -> None:
    """The address is confirmed by any request from another machine, with the visitor's name once it is known."""
    reach = make_reachability("0.0.0.0", WIFI)
    for own in ("127.0.0.1", "192.168.1.20", "testclient"):
        reach.record_visit(make_request("192.168.1.20:8090", own), None)
    assert reach.status == "open"
    reach.record_visit(make_request("192.168.1.20:8090", "192.168.1.77"), None)
    assert reach.status == "proven"
    reach.record_visit(make_request("192.168.1.20:8090", "192.168.1.77"), 7)
    reach.record_visit(make_request("192.168.1.20:8090", "192.168.1.78"), None)  # an unknown visitor, and no event
    assert reach.last_visit is not None
    assert (reach.last_visit.host, reach.last_visit.person) == ("192.168.1.20", 7)


class Answering(BaseHTTPRequestHandler):
    """A proxy that does or does not reach the server."""

    status, said = 200, {"status": "ok", "server": "ours"}

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(json.dumps(self.said).encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def proxy() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


def test_the_server_checks_its_public_address(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server requests its own /health under --url and reports a failure."""
    reach = make_reachability("127.0.0.1", url=proxy)
    assert reach.needs_public_test()
    run_coroutine(reach.test_public_url("ours"))
    assert (reach.public_problem, reach.needs_public_test()) == (None, False)
    run_coroutine(reach.test_public_url("another"))
    assert reach.public_problem is not None
    assert not reach.needs_public_test()
    later = server_time.now() + RETEST_SECONDS + 1
    monkeypatch.setattr(server_time, "now", lambda: later)
    assert reach.needs_public_test()
    monkeypatch.setattr(Answering, "status", 502)
    said = find_url_problem(proxy, "ours")
    assert said is not None
    assert Reader().read(said) == f"{proxy} answered with 502. The proxy cannot reach this server."
    silent = find_url_problem("http://127.0.0.1:9", "ours")
    assert silent is not None
    assert Reader().read(silent).startswith("No answer from http://127.0.0.1:9: ")


def test_visits_prove_nothing_for_a_public_address() -> None:
    reach = make_reachability("127.0.0.1", WIFI, url="https://games.example.org")
    reach.record_visit(make_request("games.example.org", "203.0.113.9"), None)
    assert reach.last_visit is None
    assert reach.status == "public"


def test_a_command_for_the_firewall_names_the_port() -> None:
    assert "8090" in make_firewall_command(8090) or make_firewall_command(8090) == ""


# -- real sockets ---------------------------------------------------------------------------------------------------


@pytest.fixture
def running_server(tmp_path: Path) -> Iterator[ServerProcess]:
    running = ForkedServer(tmp_path).start()
    yield running
    running.stop()


def send_http_request(
    address: str, port: int, method: str, path: str, body: object = None, **headers: str
) -> tuple[int, dict[str, object]]:
    connection = HTTPConnection(address, port, timeout=30)
    try:
        sent = {"content-type": "application/json", **headers}
        connection.request(method, path, None if body is None else json.dumps(body), sent)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def test_network_access_opens_and_closes_without_a_restart(running_server: ServerProcess) -> None:
    """A second listener uses the machine's network address without a restart. Only the owner can open and close it."""
    port = running_server.port
    near = [each.host for each in list_own_addresses()]
    reach, open_it, close_it = "/api/v1/network", {"open": True}, {"open": False}
    if not near:  # a machine without a network can only show a message
        assert (
            send_http_request("127.0.0.1", port, "POST", reach, open_it, cookie=create_owner_cookie(running_server))[0]
            == 409
        )
        assert send_http_request("127.0.0.1", port, "GET", reach)[1]["status"] == "nowhere"
        return
    assert send_http_request("127.0.0.1", port, "GET", reach)[1]["status"] == "alone"
    with pytest.raises(ConnectionRefusedError):
        send_http_request(near[0], port, "GET", reach)
    # no address and no host name makes a visitor the owner
    for host in (f"localhost:{port}", f"{MACHINE_NAME}:{port}"):
        assert send_http_request("127.0.0.1", port, "POST", reach, open_it, host=host)[0] == 403
    cookie = create_owner_cookie(running_server)
    for _ in range(2):  # two clicks have the effect of one
        status, facts = send_http_request("127.0.0.1", port, "POST", reach, open_it, cookie=cookie)
        assert (status, facts["status"]) == (200, "open")
    assert facts["origin"] == f"http://{near[0]}:{port}"
    assert (
        send_http_request(near[0], port, "GET", "/health")[1]
        == send_http_request("127.0.0.1", port, "GET", "/health")[1]
    )
    outside = send_http_request(near[0], port, "GET", reach)[1]
    assert (outside["origin"], outside["addresses"]) == (f"http://{near[0]}:{port}", [])
    assert send_http_request(near[0], port, "POST", reach, close_it)[0] == 403
    assert send_http_request(near[0], port, "POST", reach, close_it, host=f"localhost:{port}")[0] == 403
    assert send_http_request("127.0.0.1", port, "POST", reach, close_it, cookie=cookie)[1]["status"] == "alone"
    with pytest.raises(ConnectionRefusedError):
        send_http_request(near[0], port, "GET", reach)
    send_http_request(
        "127.0.0.1", port, "POST", reach, open_it, cookie=cookie
    )  # so that the test ends with the listener open
    assert running_server.terminate() == 0
    assert "ERROR" not in running_server.log
