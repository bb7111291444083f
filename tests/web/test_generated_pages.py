"""Tests of a game without a rules text and art: its rules page and its cover are generated."""

import re
from html import unescape
from xml.etree import ElementTree

import pytest
from fastapi.testclient import TestClient

from tests.server.server_driver import ServerDriver
from tests.toy import TOY, Figs
from tests.web.browser import PlainBrowser
from tests.web.test_players import browser_of
from triclinium.server.rule_search import search_entries
from triclinium.web import assets, svg_colours

COVER = 'font-weight="700" stroke="none" fill="#fff6df">F</text>'


def test_links_from_the_log_and_refusals_lead_to_a_generated_rule(own_client: TestClient, figs: Figs) -> None:
    house = ServerDriver(own_client)
    table = house.play(house.open_table(house.create_person("Anna"), house.create_person("Ben"), game_id="figs"))
    page = browser_of(house, "Anna")
    log = page.get(f"/tables/{table.id}?log=all")
    cited = {*re.findall(r'href="/rules/figs#([^"]+)"', log)} | {"toy-2.1", "toy-3.1", "k-1"}
    assert "toy-4" in cited
    rules = page.get("/rules/figs")
    assert cited <= {*re.findall(r'<a id="([^"]+)">', rules)}
    assert "Refused: joining costs a coin." in unescape(rules)
    assert "the pile is empty" in page.get("/rules/figs/rule/TOY-2.3?part=on")
    assert search_entries(TOY, "fr", "TOY-3.1")[0].number == "TOY-3.1"


def test_the_page_is_in_the_language_of_its_reader(own_client: TestClient, figs: Figs) -> None:
    page = PlainBrowser(own_client)
    page.client.cookies.set("language", "fr")
    rules = unescape(page.get("/rules/figs"))
    assert "participer coûte une pièce" in rules
    assert "This page is generated" not in rules


@pytest.mark.parametrize("path", ["/", "/new?game=figs", "/leaderboard?game=figs"])
def test_missing_covers_are_generated(own_client: TestClient, figs: Figs, path: str) -> None:
    page = PlainBrowser(own_client).get(path)
    own = page[page.index('id="vg-figs"') :].partition("</g>")[0]
    assert COVER in own
    assert own.count("<circle") == 3  # seats, the third of which is a ring
    assert own.count('fill="none"/>') == 1


def test_the_home_page_describes_a_game_without_texts(own_client: TestClient, figs: Figs) -> None:
    page = PlainBrowser(own_client)
    assert "A game for 2 to 3 players, installed from another package." in page.get("/")
    assert "A game for 2 to 3 players" in page.get("/rules")


def test_the_picture_of_a_shared_match_has_the_cover() -> None:
    drawn = svg_colours.resolve_vignette(TOY)
    assert COVER in drawn
    ElementTree.fromstring(f"<svg>{drawn}</svg>")
    assert assets.load_vignette(TOY) == drawn  # its colours need no style sheet
