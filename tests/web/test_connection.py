"""Tests of what pages need after a lost connection: forms that can be sent again, and stable addresses."""

import re

from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from tests.web.browser import PlainBrowser
from triclinium.server.tables.event_stream import HEARTBEAT_SECONDS
from triclinium.web.static_files import WEB_FOLDER


def play(client: TestClient) -> PlainBrowser:
    anna = PlainBrowser(client)
    anna.post("/me", name="Anna")
    seats = {"kind0": "me", "kind1": "bot", "bot1": "novice", "variant-stenographer": "0"}  # Anna has the first turn.
    anna.post("/new", game="evangelists", seats="2", visibility="link", **seats)
    return anna


def test_the_address_of_a_form_leads_back_to_its_table(client: TestClient) -> None:
    anna = play(client)
    assert isinstance(client.app, FastAPI)
    routes = [one for one in client.app.routes if isinstance(one, APIRoute) and one.path.startswith("/tables/{id}/")]
    forms = {one.path for one in routes if "POST" in (one.methods or ())}
    assert {
        "/tables/{id}/move",
        "/tables/{id}/chat",
        "/tables/{id}/undo",
        "/tables/{id}/resign",
        "/tables/{id}/share",
    } <= forms
    anna.client.follow_redirects = False
    for path in forms:
        answer = anna.client.get(path.replace("/tables/{id}", anna.table))
        assert (answer.status_code, answer.headers["location"]) == (303, anna.table), path
    assert anna.client.get(f"{anna.table}/record").status_code == 200
    assert anna.client.get(f"{anna.table}/nothing").status_code == 404


def test_the_page_names_the_last_post_of_its_reader(client: TestClient) -> None:
    """A page that missed the response sees that the server has received its move."""
    anna = play(client)
    assert 'data-sent=""' in anna.page
    key = re.search(r'name="key" value="([\w-]+)"', anna.page)
    option = re.search(r'name="option" value="([^"]+)"', anna.page)
    version = re.search(r'data-version="(\d+)"', anna.page)
    assert key
    assert option
    assert version
    anna.post(f"{anna.table}/move", option=option[1], version=version[1], key=key[1], seat="0")
    assert anna.status == 200
    assert f'data-sent="{key[1]}"' in anna.page
    stranger = PlainBrowser(client)
    assert key[1] not in stranger.get(anna.table)


def test_a_message_of_the_page_appears_once(client: TestClient) -> None:
    anna = play(client)
    for key in ("1", "1", "2", "", ""):
        anna.post(f"{anna.table}/chat", text="Peace be with you", key=key)
        assert anna.status == 200
    assert anna.page.count("Peace be with you") == 4


def test_two_heartbeats_fit_into_the_timeout_of_a_page() -> None:
    script = (WEB_FOLDER / "static" / "connection.js").read_text(encoding="utf-8")
    found = re.search(r"SILENCE = (\d+);", script)
    assert found
    assert 2 * HEARTBEAT_SECONDS < int(found[1]) / 1000 <= 30
