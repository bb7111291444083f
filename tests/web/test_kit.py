"""Tests of tables drawn by the board kit: a game without templates, and our games without theirs."""

import random
import re
from collections.abc import Iterator
from html import unescape
from types import SimpleNamespace

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from bench.example import install
from tests.server.api_client import make_client, make_settings
from tests.web.test_page_size import small_page
from tests.web.test_secrets import Visitors, another_world
from triclinium import list_games
from triclinium.boardkit.maps import make_map
from triclinium.boardkit.parts import Button, Card, Pile, build_cost
from triclinium.engine import registry
from triclinium.engine.component_kinds import CardFace, ComponentKind, Layout
from triclinium.engine.core.state import NOBODY
from triclinium.engine.view import to_json
from triclinium.web.app import create_app
from triclinium.web.i18n import Localizer
from triclinium.web.pages import table_page

LAID = {  # parts of the page that the kinds of components of a game produce
    "evangelists": ("#coast", "<h3>Gospel", "k-card m is-empty"),
    "ierusalem": ("k-track", "is-dense", "is-mine"),
    "missionnaires": ("#lm-coast", "is-dense", "data-ways=", "k-piece"),
    "portals": ("k-track", "k-map", "data-at="),
    "testoftime": ("k-tally", "k-card m is-empty"),
}
BUTTON = re.compile(r'<button class="k-do[^>]*form="decision" name="(\w+)" value="([^"]+)"')


@pytest.fixture(scope="module")
def plain_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Yield a server that draws all tables with the kit, with Kuhn poker installed."""
    folder = tmp_path_factory.mktemp("kit")
    install(folder, "kuhn_poker", {"kuhn": "kuhn:GAME"})
    chosen = make_settings(folder)
    chosen.plain_boards = True
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_loaded", {})
        patch.syspath_prepend(str(folder))
        with TestClient(create_app(chosen), follow_redirects=True) as running:
            yield running


@pytest.fixture
def client(plain_client: TestClient) -> TestClient:
    return make_client(plain_client)


@pytest.mark.parametrize("id", list_games())
def test_every_game_is_playable_without_its_templates(client: TestClient, id: str) -> None:
    """In both languages, options that belong to components can be chosen there."""
    company = Visitors(client, id, 3)
    chance = random.Random(3)
    pressed, pages = 0, ""
    for language in ("en", "fr") * 4:
        browser = company.browsers[company.table.who]
        browser.client.cookies.set("language", language)
        page = browser.get(company.path)
        assert '<div class="k-board">' in page
        pages += page
        placed = {unescape(option) for _, option in BUTTON.findall(page)}
        assert {option.split("; ")[0] for option in placed} <= set(browser.options())
        browser.choose(chance.choice(sorted(placed or browser.options())))
        assert browser.status == 200
        pressed += bool(placed)
    assert pressed or id == "testoftime"  # its moves begin with a word
    assert [part for part in LAID[id] if part.lower() not in pages.lower()] == []


def test_a_french_table_is_french(client: TestClient) -> None:
    company = Visitors(client, "portals", 2)
    browser = company.browsers[company.table.who]
    browser.client.cookies.set("language", "fr")
    page = unescape(browser.get(company.path))
    for text in (
        "<h3>Votre main",
        "<h3>capsule temporelle</h3>",
        "actions restantes",
        "Partir d’ici",
        "commence la manche",
    ):
        assert text in page
    assert "Start here" not in page


def test_where_options_are_confirmed_a_button_asks_first(client: TestClient) -> None:
    company = Visitors(client, "portals", 2)
    browser = company.browsers[company.table.who]
    browser.client.cookies.set("confirm", "on")
    found = BUTTON.findall(browser.get(company.path))
    assert {name for name, _ in found} == {"choose"}
    page = browser.get(f"{company.path}?choose={found[0][1]}")
    assert not BUTTON.findall(page)
    assert 'aria-pressed="true"' in page


@pytest.mark.parametrize("id", ["kuhn", "portals", "evangelists", "ierusalem", "missionnaires"])
def test_no_hidden_card_is_in_a_page(client: TestClient, monkeypatch: pytest.MonkeyPatch, id: str) -> None:
    """If hidden information is redealt, the viewer's page is the same byte for byte."""
    monkeypatch.setattr(table_page, "make_form_key", lambda: "mark")
    company = Visitors(client, id, 3 if id == "ierusalem" else 2)
    chance = random.Random(5)
    table, tried = company.table, 0
    for moves in (2, 9):
        for _ in range(moves):
            company.play(chance)
        for viewer in (0, 1, NOBODY):
            truth = company.browsers[viewer].get(company.path)
            view = table.game.view(table.current_match.state, None if viewer == NOBODY else viewer)
            known = str(to_json(view, table.game.ids))
            for card in re.findall(r'<li class="k-card[^>]*data-key="([^"]+)"', truth):
                assert re.search(rf"\b{card}\b", known)
            for seed in range(2):
                before = table.current_match.state.state_key()
                with another_world(table, viewer, table.moves, seed):
                    tried += table.current_match.state.state_key() != before
                    assert company.browsers[viewer].get(company.path) == truth
    assert tried


def test_parts_that_only_a_game_asks_for(client: TestClient) -> None:
    """The kit draws missing resources, a face-up top card, an enlarged card, and a way over a map."""
    assert isinstance(client.app, FastAPI)
    source = (
        "{% import 'kit.jinja' as k with context %}{{ k.cost(price) }}{{ k.pile(deck) }}"
        "{{ k.large(deck.top, 'burns') }}{{ k.route(map, [0, 1]) }}"
    )
    speech = Localizer("fr")
    ace = Card("c1", CardFace("the ace", corner="A"))
    places = ComponentKind(["x", "y"], ["X", "Y"], "place")
    facts = {
        "game": SimpleNamespace(id="kuhn"),
        "reading": SimpleNamespace(confirms_moves=False),
        "price": build_cost([("oil", 3), ("figs", 1)], [1, 4]),
        "deck": Pile("the deck", 7, top=ace, buttons=[Button("draw", "draw one", "Draw")]),
        "map": make_map("place", places, Layout((0, 0, 10, 5), [(1, 1), (9, 4)], [(0, 1)]), {}),
    }
    page = client.app.state.pages.templates.from_string(source).render(_=speech, say=speech.name, **facts)
    assert "<b>3</b> oil <small>(il manque 2)</small>" in page
    assert page.count("the ace") == 2
    assert re.search(r'<template id="l-c1">.*k-card l.*burns</template>', page, re.DOTALL)
    assert 'd="M100.0 100.0L900.0 400.0"' in page
    assert BUTTON.findall(page) == [("option", "draw")]


@pytest.mark.parametrize("id", ["portals", "ierusalem"])
def test_a_page_of_the_kit_is_small(client: TestClient, id: str) -> None:
    assert "k-board" in small_page(client, id)
