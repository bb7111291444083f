"""Tests that callers cannot influence the host name in links for others."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from httpx2 import Client

from bench.server_process import ServerProcess
from tests.forked_servers import ForkedServer
from triclinium.engine.core.errors import BadSetup
from triclinium.server.net.reachability import MACHINE_NAME
from triclinium.server.settings import normalize_url

EVIL = "evil.example"
KNOWN = "https://games.example.org"


@pytest.fixture
def named_server(tmp_path: Path) -> Iterator[ServerProcess]:
    running = ForkedServer(tmp_path, 0, None, "--url", KNOWN).start()
    yield running
    running.stop()


def links(client: Client, origin: str = "") -> set[str]:
    """Return the targets of all links to send on: to a device, a seat and a spectator page."""
    headers = {"origin": origin} if origin else {}
    page = client.get("/me").text
    csrf = re.search(r'name="csrf" value="([^"]+)"', page)
    assert csrf is not None
    fields = {"csrf": csrf[1], "game": "evangelists", "seats": "2", "player": "Anna", "kind0": "me", "kind1": "invite"}
    opened = client.post("/new", data=fields, headers=headers)
    assert opened.status_code == 303, opened.text
    path = opened.headers["location"]
    assert path.startswith("/tables/")
    seats = client.get(path).text
    csrf = re.search(r'name="csrf" value="([^"]+)"', seats)
    assert csrf is not None
    device = client.post("/me/sign-in-link", data={"csrf": csrf[1]}, headers=headers).text
    found: set[str] = set()
    for text, kind in ((device, "/me/sign-in/"), (seats, "/invitations/"), (seats, "/watch/")):
        led = re.findall(rf'value="(\w+://[^/"]+){kind}', text)
        assert led, kind
        found |= set(led)
    assert EVIL not in device + seats
    return found


def test_an_unknown_host_name_is_refused(server: ServerProcess) -> None:
    """Unknown names get status 421, so that no foreign page reaches the server by a name of its own."""
    for forged in (
        EVIL,
        f"{EVIL}:{server.port}",
        f"localhost.{EVIL}",
        f"127.0.0.1:{server.port}@{EVIL}",
        '"><b>',
        "[::1",
        "203.0.113.9",
    ):
        with Client(base_url=server.address, headers={"host": forged}) as client:
            for path in ("/", "/tables/", "/api/v1/games", "/health"):
                refused = client.get(path)
                assert refused.status_code == 421
                assert "This server does not accept this address. Its operator can add" in refused.text
                assert EVIL not in refused.text + str(refused.headers)


def test_the_names_of_the_machine_are_accepted(server: ServerProcess) -> None:
    for own in (f"localhost:{server.port}", f"127.0.0.1:{server.port}", f"{MACHINE_NAME}:{server.port}"):
        with Client(base_url=server.address, headers={"host": own}) as client:
            assert links(client, f"http://{own}") == {f"http://{own}"}


def test_a_configured_address_is_used_in_all_links(named_server: ServerProcess) -> None:
    """Behind any proxy, the browser's origin is the configured address."""
    with Client(base_url=named_server.address, headers={"host": EVIL}) as client:
        assert client.get("/").status_code == 421
    for passed in ("games.example.org", f"127.0.0.1:{named_server.port}"):
        # The cookie is for HTTPS only, and the test acts as the proxy that forwards it.
        with Client(base_url=named_server.address, headers={"host": passed}) as client:
            first = client.get("/me")
            csrf = re.search(r'name="csrf" value="([^"]+)"', first.text)
            assert csrf is not None
            named = client.post("/me", data={"csrf": csrf[1], "name": "Anna"}, headers={"origin": KNOWN})
            assert "; Secure" in named.headers["set-cookie"]
            client.headers["cookie"] = named.headers["set-cookie"].partition(";")[0]
            assert links(client, KNOWN) == {KNOWN}
            for other in ("http://games.example.org", f"https://{EVIL}", "null"):
                refused = client.post("/me", data={"csrf": csrf[1], "name": "Eve"}, headers={"origin": other})
                assert refused.status_code == 403


def test_the_public_address_is_validated() -> None:
    assert normalize_url("https://Games.example.org:443/") == "https://games.example.org"
    assert normalize_url("http://10.0.0.5:8090") == "http://10.0.0.5:8090"
    for wrong in (
        "games.example.org",
        "ftp://games.example.org",
        "https://",
        "https://a/b",
        "http://a:b@c",
        "http://[x",
    ):
        with pytest.raises(BadSetup, match="the public URL must be"):
            normalize_url(wrong)
