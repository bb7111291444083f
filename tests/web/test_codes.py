"""A table's code ends: with the last seat taken, and after a month."""

import re

from fastapi.testclient import TestClient

from tests.server.desk import Desk, house_of
from tests.web.browser import PlainBrowser
from triclinium.server.tables import codes
from triclinium.server.tables.table import Table


def table_of(desk: Desk) -> Table:
    assert desk.client.portal is not None
    found: Table = desk.client.portal.call(house_of(desk.client).table, desk.id)
    return found


def status_of_joining(client: TestClient, code: str) -> int:
    stranger = PlainBrowser(client)
    stranger.post("/join", code=code)
    return stranger.status


def test_a_code_leads_nowhere_once_the_match_has_begun(client: TestClient) -> None:
    desk = Desk(client)
    guest = PlainBrowser(client)
    guest.post("/join", code=desk.code)
    assert guest.status == 200
    desk.fill()
    assert status_of_joining(client, desk.code) == 404
    guest.post("/join", code=desk.code)  # who has been there before finds it again
    assert guest.status == 200
    assert re.search(rf"/t/{desk.id}$", guest.url)


def test_a_code_leads_nowhere_after_a_month(client: TestClient) -> None:
    desk = Desk(client)
    assert status_of_joining(client, desk.code) == 200
    table_of(desk).made -= codes.DAYS * 86400
    assert status_of_joining(client, desk.code) == 404
    by_code = client.post(f"{desk.url}/seats", json={"player": "Eve", "code": desk.code})
    assert by_code.status_code == 404
    by_link = client.post(f"{desk.url}/seats", json={"player": "Ben", **desk.invitations[0]})
    assert by_link.status_code == 201
