"""Tests of the print-out of a finished match."""

import random
import re

from fastapi.testclient import TestClient

from tests.server.api_client import get_server
from tests.web.browser import PlainBrowser, play_out
from tests.web.test_pages import new_hot_table
from triclinium.server.tables.table import Table


def moves_of(client: TestClient, path: str) -> list[str]:
    assert client.portal is not None
    table: Table = client.portal.call(get_server(client).tables.get_table, path.removeprefix("/tables/"))
    return table.current_match.record.options


def test_a_finished_match_prints_its_sheet_and_its_log(client: TestClient) -> None:
    browser = PlainBrowser(client)
    new_hot_table(browser, "portals", 2)
    table = browser.table
    browser.get(f"{table}/print")
    assert browser.status == 409  # A running match cannot be printed.
    browser.get(table)
    play_out(client, browser, random.Random(3))
    assert f'href="{table}/print' in browser.page
    totals = re.findall(r'<span class="big num">(\d+)</span>', browser.page)
    browser.client.cookies.set("theme", "dark")
    english = browser.get(f"{table}/print")
    assert browser.status == 200
    assert 'data-theme="light"' in english  # paper is light, whatever the screen's theme is
    assert "<nav" not in english
    assert "<form" not in english
    sheet = re.search(r'<tr class="sum">(.*?)</tr>', english, re.DOTALL)
    assert sheet is not None
    assert sorted(re.findall(r"<td>(\d+)</td>", sheet[1])) == sorted(totals)
    whole = browser.get(f"{table}?log=all")
    pane = re.search(r'data-live="log".*?</ol>', whole, re.DOTALL)
    assert pane is not None
    assert english.count('<li><span class="n num">') == pane[0].count("<li") > 50
    assert f'href="{table}/print?record=on"' in english
    written = re.search(r'<ol class="written">(.*?)</ol>', browser.get(f"{table}/print?record=on"), re.DOTALL)
    assert written is not None
    assert re.findall(r"<li>(.*?)</li>", written[1])[:2] == moves_of(client, table)[:2]
    assert written[1].count("<li>") == len(moves_of(client, table))
    browser.client.cookies.set("language", "fr")
    french = browser.get(f"{table}/print")
    assert "Feuille de score" in french
    assert "Score sheet" not in french
    stranger = PlainBrowser(client)
    stranger.get(f"{table}/print")
    assert stranger.status == 404
