"""Tests of the frame around the boards: table names, lists of tables, spectators, and the signs of the home page."""

import re

import pytest
from fastapi.testclient import TestClient

from tests.server.api_client import get_server
from tests.web.browser import PlainBrowser
from tests.web.test_secrets import Visitors
from triclinium.engine.core.state import NOBODY
from triclinium.engine.registry import load_game
from triclinium.server.tables.create import TABLE_NAMES
from triclinium.server.tables.table import Table
from triclinium.web import page_context
from triclinium.web.page_context import load_all_games


def test_no_two_open_tables_of_a_person_share_a_name(client: TestClient) -> None:
    """When all names are in use, they get a number."""
    browser = PlainBrowser(client)
    browser.get("/")
    assert client.portal is not None
    names: list[str] = []
    for _ in range(len(TABLE_NAMES) + 1):
        browser.get("/")
        browser.post("/play/portals", level="greedy")
        table: Table = client.portal.call(get_server(client).tables.get_table, browser.table.removeprefix("/tables/"))
        names.append(table.name)
    assert len(names) == len(set(names)) == len(TABLE_NAMES) + 1
    assert {name for name in names if not name.endswith(" 2")} == set(TABLE_NAMES)


def test_the_not_found_page_lists_the_readers_tables(client: TestClient) -> None:
    browser = PlainBrowser(client)
    browser.get("/")
    browser.post("/play/portals", level="greedy")
    table = browser.table
    page = browser.get("/nothing")
    assert browser.status == 404
    assert "Your tables" in page
    assert f'href="{table}"' in page
    assert "Your tables" not in PlainBrowser(client).get("/nothing")


def test_spectators_are_labelled_counted_and_see_the_log(client: TestClient) -> None:
    company = Visitors(client, "portals", 2)
    watching = company.browsers[NOBODY].get(company.path)
    assert "You are watching." in watching
    assert "You are watching." not in company.browsers[0].get(company.path)
    assert 'class="options while-waiting"' in watching
    assert 'data-spectators="1"' in watching


def test_our_games_come_first_and_symbols_have_labels(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_context, "list_games", lambda: ["testoftime", "portals"])
    assert [game.id for game in load_all_games()] == ["testoftime", "portals"]
    stranger = type("Stranger", (), {"id": "abc"})()
    loaded = {"abc": stranger, "portals": load_game("portals")}
    monkeypatch.setattr(page_context, "list_games", lambda: list(loaded))
    monkeypatch.setattr(page_context, "load_game", loaded.__getitem__)
    assert [game.id for game in load_all_games()] == ["portals", "abc"]
    monkeypatch.undo()
    page = PlainBrowser(client).get("/")
    signs = re.findall(r'class="ibtn"[^>]*>.*?<small>(\w+)</small>', page, re.DOTALL)
    assert set(signs) == {"Guide", "Rules"}
