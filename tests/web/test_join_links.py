"""Tests of joining without scripts: by code, by QR code, under a chosen name, and when the table is full."""

import re

import segno
from fastapi.testclient import TestClient

from tests.server.api_client import get_server
from tests.web.browser import PlainBrowser
from triclinium.server import server_time
from triclinium.server.net.reachability import RemoteVisit


def code_on(browser: PlainBrowser) -> str:
    """Return the stored form of the code in the waiting room."""
    code = re.search(r'class="bigcode"[^>]*>(\w{3}) (\w{3})<', browser.page)
    assert code is not None
    return code[1] + code[2]


def test_the_qr_code_is_shown_to_people_who_can_invite(client: TestClient) -> None:
    """The code has error level M and a margin of four modules, black on white, with the link to the table."""
    host, stranger = PlainBrowser(client), PlainBrowser(client)
    host.get("/")
    host.post("/new", game="evangelists", seats="2", player="Anna", kind0="me", kind1="invite")
    code, path = code_on(host), f"{host.table}/qr.svg"
    got = host.client.get(path)
    assert (got.headers["content-type"], got.headers["cache-control"]) == ("image/svg+xml", "no-store")
    meant = segno.make(f"http://testserver/join/{code}", error="m", micro=False, boost_error=False)
    assert matrix_of(got.text) == [[bool(one) for one in row] for row in meant.matrix_iter(border=4)]
    assert stranger.client.get(path).status_code == 404
    stranger.get(f"/join/{code}")
    stranger.post(f"/join/{code}/watch")
    assert stranger.client.get(path).status_code == 403
    assert f"{code[:3]} {code[3:]}" in host.client.get(f"{host.table}/invitation").text


def matrix_of(svg: str) -> list[list[bool]]:
    """Return the dark modules of a code from the relative moves of its SVG path."""
    size = re.search(r'viewBox="0 0 (\d+) \d+"', svg)
    line = re.search(r'class="qrline"[^>]* d="([^"]+)"', svg)
    assert size is not None
    assert line is not None
    found = [[False] * int(size[1]) for _ in range(int(size[1]))]
    x, y = 0.0, 0.0
    for what, numbers in re.findall(r"([Mmh])([-\d. ]+)", line[1]):
        steps = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        if what == "h":
            for module in range(int(x), int(x + steps[0])):
                found[int(y)][module] = True
            x += steps[0]
        else:
            x, y = (steps[0], steps[1]) if what == "M" else (x + steps[0], y + steps[1])
    return found


def test_join_by_code(client: TestClient) -> None:
    host, guest = PlainBrowser(client), PlainBrowser(client)
    host.get("/")
    host.post("/new", game="evangelists", seats="2", player="Anna", kind0="me", kind1="invite")
    code = code_on(host)
    assert (
        "No QR code yet: other devices cannot open a localhost" not in host.page
    )  # it was opened by a name that others know
    guest.get("/")
    guest.post("/join", code=f"{code[:3].lower()} {code[3:]}")
    assert "Anna invites you to" in guest.page
    assert "Take the blue seat" in guest.page
    guest.post(f"/join/{code}", name="anna")
    assert guest.status == 409
    assert "The name anna is already taken. Do you want to be anna 2?" in guest.page
    guest.post(f"/join/{code}", name="Ben")
    assert "Decision" in guest.page
    late = PlainBrowser(client)
    late.get(f"/join/{code}")
    assert late.status == 409
    assert "The table is full. Ask Anna for another table." in late.page
    guest.post("/join", code="ZZZZZZ")
    assert guest.status == 404
    guest.post("/join", code=" ")
    assert guest.status == 404


def test_programs_can_join_by_code(client: TestClient) -> None:
    """The API offers everything that the page offers."""
    host = PlainBrowser(client)
    host.get("/")
    host.post("/new", game="evangelists", seats="3", player="Anna", kind0="me", kind1="invite", kind2="invite")
    code = code_on(host)
    found = client.get(f"/api/v1/join-codes/{code.lower()}").json()
    assert found["free_seats"] == [1, 2]
    sat = client.post(f"/api/v1/tables/{found['table']['id']}/seats", json={"player": "Ben", "code": code})
    assert sat.json()["seat"] == 1
    assert client.get("/api/v1/join-codes/ZZZZZZ").status_code == 404


def test_visitors_from_other_machines_are_named_only_at_their_table(client: TestClient) -> None:
    """The page names the player and the address to people at the same table. Strangers are not named."""
    host, ben = PlainBrowser(client), PlainBrowser(client)
    host.get("/")
    host.post("/new", game="evangelists", seats="3", player="Anna", kind0="me", kind1="invite", kind2="invite")
    ben.post(f"/join/{code_on(host)}", name="Ben")
    reach = get_server(client).reachability
    person = next(iter(ben.client.cookies.jar)).value
    assert person is not None
    known = get_server(client).people.find_by_cookie(person)
    assert known is not None
    assert "Friends on your network" in host.get(host.table)
    for seen, said in ((known.id, "Ben connected on"), (None, "Someone connected on")):
        reach.last_visit = RemoteVisit("192.168.1.20", seen, server_time.now())
        assert f"{said} 192.168.1.20" in host.get(host.table)
    reach.last_visit = None


def test_the_waiting_room_asks_all_players(client: TestClient) -> None:
    """The host's switch, the question and the deal all work by forms."""
    host, ben = PlainBrowser(client), PlainBrowser(client)
    host.get("/")
    host.post("/new", game="evangelists", seats="2", player="Anna", kind0="me", kind1="invite")
    host.post(f"{host.table}/ready-check", ready="on")
    assert "The match starts when everyone is here and ready. Nobody" in host.page
    ben.post(f"/join/{code_on(host)}", name="Ben")
    assert "Everyone is here. Are you ready?" in ben.page
    assert "(Ready?)" in ben.page
    ben.post(f"{host.table}/ready")
    assert "Everyone is here. Some players are not ready yet." in ben.page
    host.get(host.table)
    assert "Everyone is here. Are you ready?" in host.page  # The chat contains the question.
    host.post(f"{host.table}/ready")
    assert "Decision" in host.page
