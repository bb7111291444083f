"""Tests of credits and of notes on reconstructed parts: on every page about a game and on components."""

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from tests.server.server_driver import ServerDriver
from tests.shell import Shell
from tests.toy import Figs
from tests.web.browser import PlainBrowser
from tests.web.test_players import browser_of
from triclinium.engine.credits import read_credits
from triclinium.engine.registry import list_games, load_game

NAMED = {
    "evangelists": "Game Design: Jeff Warrender",
    "ierusalem": "A game by Carmen García Jiménez.",
    "missionnaires": "The rulebook does not name its authors.",
    "portals": "Game Design & Graphic Design by Andrew Harmon",
    "testoftime": "by Tyler Sandersfeld",
}
MARK = 'class="recon"'


def read(client: TestClient, path: str, language: str = "en") -> str:
    browser = PlainBrowser(client)
    browser.client.cookies.set("language", language)
    return unescape(browser.get(path))


@pytest.mark.parametrize("id", list_games())
def test_pages_of_a_game_have_credits_and_reconstructed_parts(client: TestClient, id: str) -> None:
    made = read_credits(load_game(id))
    assert made.reconstructed is not None
    for path in (f"/new?game={id}", f"/rules/{id}", f"/rules/{id}/components"):
        page = read(client, path)
        assert NAMED[id] in page, path
        assert made.reconstructed.text in page, path
        assert f'href="/rules/{id}#reconstructed"' in page, path


@pytest.mark.parametrize("id", list_games())
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_rules_list_reconstructed_parts(client: TestClient, id: str, language: str) -> None:
    page = read(client, f"/rules/{id}", language)
    section = page[page.index('<a id="reconstructed"></a>') :]
    assert {"en": "Reconstructed details", "fr": "Détails reconstitués"}[language] in section
    assert section.count("<li>") >= 2
    assert "are reconstructed" not in page or language == "en"


def test_les_missionnaires_has_french_credits(client: TestClient) -> None:
    page = read(client, "/rules/missionnaires", "fr")
    assert "Le livret de règles ne nomme pas ses auteurs." in page
    assert "Les 143 cases sauf une" in page


@pytest.mark.parametrize(
    ("id", "kind", "count"),
    [
        ("missionnaires", "space", 142),
        ("missionnaires", "card", 72),
        ("evangelists", "place", 16),
        ("testoftime", "kind", 5),
    ],
)
def test_reconstructed_components_are_marked_in_the_gallery(client: TestClient, id: str, kind: str, count: int) -> None:
    page = read(client, f"/rules/{id}/components?kind={kind}")
    things = page[page.index('id="lying"') :]
    assert things.count(MARK) == count + 1  # and the sentence of the shelf


def test_components_from_the_rulebook_are_not_marked(client: TestClient) -> None:
    assert MARK not in read(client, "/rules/missionnaires/components/space/bet")
    assert MARK in read(client, "/rules/missionnaires/components/space/lyo")
    assert MARK not in read(client, "/rules/evangelists/components/place/rome")


def test_credits_are_in_match_file_terminal_and_api(own_client: TestClient, shell: Shell) -> None:
    house = ServerDriver(own_client)
    table = house.play(house.open_table(house.create_person("Anna"), house.create_person("Ben"), game_id="portals"))
    assert NAMED["portals"] in unescape(browser_of(house, "Anna").get(f"/tables/{table.id}/file"))
    told = shell.run("games", "portals").out
    assert f"Credits: {NAMED['portals']}" in told
    assert "Reconstructed: Most of the map" in told
    facts = own_client.get("/api/v1/games/portals").json()
    assert facts["credits"][0] == NAMED["portals"]
    assert facts["thanks"][0].endswith("Matthew Frost, Jeremiah Morrison")
    assert facts["reconstructed"]["fr"].startswith("L’essentiel de la carte")


def test_playtesters_are_thanked_on_the_rules_page(client: TestClient) -> None:
    page = read(client, "/rules/evangelists")
    assert "Playtesters and helpful suggestions: P.D. Magnus" in page
    assert re.search(r"Cole Wehrle, Ben Croft\.", page)


def test_credits_are_optional_for_other_packages(own_client: TestClient, figs: Figs) -> None:
    assert not read_credits(figs).has_credits
    assert "Credits" not in read(own_client, "/rules/figs")
