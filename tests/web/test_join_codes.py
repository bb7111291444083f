"""Tests that a table's code ends when the last seat is taken, and after a month."""

import re

from fastapi.testclient import TestClient

from tests.server.api_client import ApiClient, get_server
from tests.server.locked_tables import rewrite_row
from tests.web.browser import PlainBrowser
from triclinium.server.tables import join_codes
from triclinium.server.tables.table import Table


def table_of(api: ApiClient) -> Table:
    assert api.client.portal is not None
    found: Table = api.client.portal.call(get_server(api.client).tables.get_table, api.id)
    return found


def status_of_joining(client: TestClient, code: str) -> int:
    stranger = PlainBrowser(client)
    stranger.post("/join", code=code)
    return stranger.status


def test_a_code_ends_when_the_match_begins(client: TestClient) -> None:
    api = ApiClient(client)
    guest = PlainBrowser(client)
    guest.post("/join", code=f" {api.code[:3].lower()} {api.code[3:]}")  # with spaces and in lower case
    assert guest.status == 200
    guest.post(f"/join/{api.code}/watch")
    api.fill()
    assert status_of_joining(client, api.code) == 409  # No seat is free.
    guest.post("/join", code=api.code)  # a player who has been there finds the table again
    assert guest.status == 200
    assert re.search(rf"/tables/{api.id}$", guest.url)


def test_a_code_ends_after_a_month(client: TestClient) -> None:
    api = ApiClient(client)
    assert status_of_joining(client, api.code) == 200
    rewrite_row(table_of(api), made=table_of(api).made - join_codes.VALID_DAYS * 86400)
    assert status_of_joining(client, api.code) == 404
    by_code = client.post(f"{api.url}/seats", json={"player": "Eve", "code": api.code})
    assert by_code.status_code == 404
    by_link = client.post(f"{api.url}/seats", json={"player": "Ben", **api.invitations[0]})
    assert by_link.status_code == 201
