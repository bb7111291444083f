"""Tests behind a proxy: the recipes of docs/serving.md with a small proxy that sets the same headers."""

import http.client
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import segno

from tests.forked_servers import ForkedServer
from tests.server.http_client import HttpAnswer, HttpClient
from tests.server.reverse_proxy import ReverseProxy

URL = "https://games.example.org"
HOST = "games.example.org"
ROOT = Path(__file__).parents[2]


class Guest(HttpClient):
    """A browser that has opened the server by its public address."""

    def request(self, method: str, path: str, body: str = "", headers: object = None) -> HttpAnswer:
        sent = {"host": HOST, **(headers if isinstance(headers, dict) else {})}
        if method not in ("GET", "HEAD"):
            sent = {"origin": URL, **sent}
        return super().request(method, path, body, sent)


@pytest.fixture(scope="module")
def running_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkedServer]:
    running = ForkedServer(tmp_path_factory.mktemp("public"), 0, None, "--url", URL, "--bot-pause", "0")
    running.limits = []
    running.start()
    yield running
    running.stop()


@pytest.fixture(params=[True, False], ids=["host-passed-on", "host-of-the-house"])
def proxy(running_server: ForkedServer, request: pytest.FixtureRequest) -> Iterator[ReverseProxy]:
    with ReverseProxy(running_server.port, request.param) as standing:
        yield standing


def new_table(visitor: HttpClient) -> str:
    visitor.get("/")
    page = visitor.post("/new", game="evangelists", seats=2, visibility="link", kind0="me", kind1="invite").goes_to
    assert page.startswith("/tables/"), page
    return page


def test_pages_posts_and_links_use_the_public_address(proxy: ReverseProxy) -> None:
    """Cookies are secure, the browser requires HTTPS, and links and posts use the public address."""
    with Guest(proxy.port) as anna:
        answer = anna.get("/")
        assert answer.status == 200
        assert answer.headers["strict-transport-security"]
        page = new_table(anna)
        room = anna.get(page).text
        assert re.search(rf"{URL}/invitations/\w+/1/[0-9a-f]{{32}}", room)
        assert f"127.0.0.1:{proxy.house}" not in room
        assert anna.request("POST", f"{page}/chat", "text=x", {"origin": "https://evil.example"}).status == 403
        assert anna.request("HEAD", "/").status == 200
        assert 'href="/rules"' in anna.request("GET", "/", "", {"x-forwarded-prefix": "/games"}).text  # means nothing
        # A visitor through the proxy does not become the owner.
        assert anna.send("POST", "/api/v1/network", {"open": True}).status == 403


def test_the_qr_code_leads_to_the_public_address(running_server: ForkedServer) -> None:
    """The QR code leads to the public address, is black on white, and is not cached."""
    with ReverseProxy(running_server.port) as proxy, Guest(proxy.port) as anna, Guest(proxy.port) as stranger:
        page = new_table(anna)
        code = re.search(r'class="bigcode"[^>]*>(\w{3}) (\w{3})<', anna.get(page).text)
        assert code is not None
        drawn = anna.get(f"{page}/qr.svg")
        assert drawn.headers["cache-control"] == "no-store"
        wanted = segno.make(f"{URL}/join/{code[1]}{code[2]}", error="m", micro=False, boost_error=False)
        size = wanted.symbol_size(border=4)[0]
        assert f'viewBox="0 0 {size} {size}"' in drawn.text
        assert f'<path fill="#fff" d="M0 0h{size}v{size}h-{size}z"/>' in drawn.text
        dark = {(x, y) for y, row in enumerate(wanted.matrix, 4) for x, module in enumerate(row, 4) if module}
        assert modules(drawn.text) == dark
        stranger.get("/")
        assert stranger.get(f"{page}/qr.svg").status == 404  # the table is hidden from this visitor


def modules(svg: str) -> set[tuple[int, int]]:
    """Return the black squares of a code from its SVG path, row by row."""
    lines = re.search(r'stroke="#000" d="M(\d+) (\d+)\.5([^"]*)"', svg)
    assert lines is not None
    x, y = int(lines[1]), int(lines[2])
    found = set()
    for black, across, down in re.findall(r"h(\d+)|m(-?\d+) (-?\d+)", lines[3]):
        if black:
            found |= {(x + n, y) for n in range(int(black))}
            x += int(black)
        else:
            x, y = x + int(across), y + int(down)
    return found


def test_cookies_are_secure(proxy: ReverseProxy) -> None:
    with Guest(proxy.port) as anna:
        anna.get("/")
        answer = anna.post("/play/evangelists", level="novice")
        assert answer.status == 303
        cookies = [
            value for value in answer.headers.get_all("set-cookie", []) if value.startswith("__Host-triclinium=")
        ]
        assert cookies
        assert all("secure" in value.lower() for value in cookies)


def test_streams_are_not_buffered(proxy: ReverseProxy) -> None:
    """Events pass the proxy while the stream is open."""
    with Guest(proxy.port) as anna:
        page = new_table(anna)
        ear = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=60)
        cookies = "; ".join(f"{name}={value}" for name, value in anna.cookies.items())
        ear.request("GET", f"{page}/events", headers={"host": HOST, "cookie": cookies})
        stream = ear.getresponse()
        assert stream.status == 200
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert stream.headers["x-accel-buffering"] == "no"  # tells nginx not to buffer the response
        assert stream.readline().startswith(b"id: ")
        anna.get(page)
        anna.post(f"{page}/chat", text="salve")
        heard = b""
        while b"event: chat" not in heard:
            heard = stream.readline()
        ear.close()


def test_each_visitor_has_a_limit_of_their_own(running_server: ForkedServer) -> None:
    """The limit uses the address that the proxy saw. An address that a visitor invents does not count."""
    wish = '{"game": "evangelists", "seats": [{"kind": "me"}, {"kind": "invite"}]}'
    json_type = {"content-type": "application/json"}
    with ReverseProxy(running_server.port) as proxy:
        answers: Counter[int] = Counter()
        with Guest(proxy.port, "127.0.0.7") as flood:
            for n in range(40):
                forged = {**json_type, "x-forwarded-for": f"198.51.100.{n}"}
                answers[flood.request("POST", "/api/v1/tables", wish, forged).status] += 1
        assert answers[429] >= 5, answers
        with Guest(proxy.port, "127.0.0.8") as other:
            assert other.request("POST", "/api/v1/tables", wish, json_type).status == 201


def test_the_proxy_recipes_match_the_requirements() -> None:
    """The recipe for nginx forwards the host name and the visitor's address."""
    text = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
    nginx = text.partition("server_name games.example.org")[2].partition("\n\n")[0]
    for line in (
        "proxy_pass http://127.0.0.1:8090;",
        "proxy_http_version 1.1;",
        "proxy_set_header Host $host;",
        "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
        "proxy_set_header X-Forwarded-Proto $scheme;",
        "proxy_buffering off;",
    ):
        assert line in nginx
    assert "reverse_proxy 127.0.0.1:8090" in text
