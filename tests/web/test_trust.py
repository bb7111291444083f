"""Tests of what pages say about seats, absence, undo and the origin of a match, without scripts."""

import re
import time

import pytest
from fastapi.testclient import TestClient

from tests.server.api_client import get_server
from tests.server.test_absence import ClockShift
from tests.web.browser import PlainBrowser
from tests.web.test_pages import new_hot_table
from triclinium.server.tables import invitations
from triclinium.server.tables.table import Table

SEAT = re.compile(r"/invitations/\w+/(\d)/[0-9a-f]{32}")


def open_full_table(client: TestClient, *names: str, **wish: str) -> list[PlainBrowser]:
    """Return the people at a full table of Evangelists. The first is the host and begins."""
    browsers = [PlainBrowser(client) for _ in names]
    kinds = {f"kind{i}": "invite" for i in range(1, len(names))}
    host = browsers[0]
    host.get("/")
    fields = {"game": "evangelists", "seats": str(len(names)), "player": names[0], "kind0": "me", "undo": "on"}
    host.post("/new", **{**fields, **kinds, "variant-stenographer": "0", **wish})
    invitations = {int(found[1]): found[0] for found in SEAT.finditer(host.page)}
    for seat, (guest, name) in enumerate(zip(browsers[1:], names[1:], strict=True), start=1):
        guest.get(invitations[seat])
        guest.post(invitations[seat], name=name)
        assert guest.status == 200
    return browsers


def table_at(client: TestClient, browser: PlainBrowser) -> Table:
    assert client.portal is not None
    found: Table = client.portal.call(get_server(client).tables.get_table, browser.table.removeprefix("/tables/"))
    return found


def test_a_vacated_seat_has_no_link(client: TestClient) -> None:
    host, ben, eve = open_full_table(client, "Anna", "Ben", "Eve")
    ben.post(f"{host.table}/resign", seat="1", confirmed="on", version="0")
    for one in (host, eve):
        one.get(host.table)
        assert SEAT.search(one.page) is None
    eve.post(f"{host.table}/join", seat="1", name="Eve")  # the seat's number does not help either
    assert eve.status == 409
    table, server = table_at(client, host), get_server(client)
    link = f"/invitations/{table.id}/1/{invitations.make_seat_token(server.key, table, table.occupants[1])}"
    window = PlainBrowser(client)
    window.get(link)
    assert window.status == 404
    window.post(link, name="Anna’s private window")
    assert (window.status, table.occupants[1].taken) == (404, False)


def test_the_time_of_the_next_vote_is_shown(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = open_full_table(client, "Anna", "Ben")
    anna.get(anna.table)
    anna.choose("start rome")
    assert "Ben can be replaced by vote in 10:00" in anna.page
    assert "Vote for a substitute bot" not in anna.page
    anna.post(f"{anna.table}/vote-substitute", seat="1")
    assert anna.status == 409
    assert "Ben can be replaced by vote in 10:00" in anna.page
    ClockShift(monkeypatch).ahead = 601.0
    anna.get(anna.table)
    assert "Vote for a substitute bot" in anna.page
    anna.post(f"{anna.table}/vote-substitute", seat="1")
    assert anna.status == 200
    assert table_at(client, anna).occupants[1].substitute
    ben.client.get(anna.table, headers={"x-page-hidden": "1"})  # the script of a hidden page
    assert table_at(client, anna).occupants[1].substitute
    ben.get(anna.table)
    assert not table_at(client, anna).occupants[1].substitute
    assert "Ben is back and plays again." in ben.page


def test_a_practice_undo_is_confirmed_and_marked(client: TestClient) -> None:
    browser = PlainBrowser(client)
    browser.get("/")
    fields = {"game": "evangelists", "seats": "2", "player": "Anna", "undo": "on", "variant-stenographer": "0"}
    browser.post("/new", **fields, kind0="me", kind1="bot", bot1="random")
    browser.choose("start rome")
    until = time.monotonic() + 60
    while not browser.options() and time.monotonic() < until:
        time.sleep(0.05)
        browser.get(browser.table)
    assert "Undo my last move (practice)" not in browser.page  # undo does this, because nothing was revealed
    assert f'action="{browser.table}/undo"' in browser.page
    browser.choose("tradition")
    assert "becomes a practice match for everyone" in browser.page
    back = f"{browser.table}/request-undo"
    fields = browser.hidden(back)
    browser.post(back, version=fields["version"])
    assert browser.status == 409  # The confirmation is missing.
    assert "this becomes a practice match and is not rated" in browser.page
    browser.post(back, **browser.hidden(back))
    assert browser.status == 200
    assert "What do you do?" in browser.page
    assert "Not rated: this is a practice match, because a player undid a move" in browser.page
    assert table_at(client, browser).practice


def test_a_match_from_a_record_has_no_seal(client: TestClient) -> None:
    browser = PlainBrowser(client)
    browser.get("/")
    new_hot_table(browser, "testoftime", 2)
    table = table_at(client, browser)
    browser.get(browser.table)
    assert "Shuffle seal:" in browser.page
    text = table.current_match.record.dumps()
    other = PlainBrowser(client)
    other.post("/me", name="Eve")
    other.get("/tables")
    csrf = re.search(r'name="csrf" value="([^"]+)"', other.page)
    assert csrf is not None
    answer = other.client.post("/records", data={"csrf": csrf[1]}, files={"record": ("match.txt", text)})
    other.url, other.page = str(answer.url), answer.text
    for seat in (1, 0):
        other.get(other.table)
        assert "Not rated: this match starts from a record that Eve uploaded" in other.page
        assert "Shuffle seal:" not in other.page
        other.post(f"{other.table}/resign", seat=str(seat), confirmed="on", version="0")
        assert SEAT.search(other.page) is None


def test_a_shared_device_is_a_separate_kind_of_table(client: TestClient) -> None:
    browser = PlainBrowser(client)
    browser.get("/new?game=evangelists")
    assert "Nobody can be invited" in browser.page
    fields = {"game": "evangelists", "seats": "3", "player": "Anna", "kind0": "me"}
    browser.post("/new", **fields, kind1="invite", kind2="hot")
    assert browser.status == 400
    assert "In a hot-seat match everyone plays on this device, so" in browser.page
    browser.post("/new", **fields, kind1="invite", name1="Ben", kind2="bot", device="one")
    assert browser.status == 200
    assert [occupant.kind for occupant in table_at(client, browser).occupants] == ["person", "hot", "bot"]


def test_the_host_revokes_the_spectators_link_by_a_button(client: TestClient) -> None:
    host, ben = open_full_table(client, "Anna", "Ben")
    host.get(host.table)
    ben.get(host.table)
    assert f'action="{host.table}/revoke-spectator-link"' in host.page
    assert f'action="{host.table}/revoke-spectator-link"' not in ben.page
    old = re.search(r"/watch/\w+/[0-9a-f]{32}", host.page)
    assert old is not None
    host.post(f"{host.table}/revoke-spectator-link", **host.hidden(f"{host.table}/revoke-spectator-link"))
    assert host.status == 200
    assert old[0] not in host.page
    eve = PlainBrowser(client)
    eve.get(old[0])
    assert eve.status == 404
