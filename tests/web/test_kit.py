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
from tests.slow import mark_slow_except
from tests.web.test_page_size import render_small_page
from tests.web.test_secrets import Visitors, another_world
from triclinium import list_games, load_game
from triclinium.boardkit.maps import make_map
from triclinium.boardkit.parts import Button, Card, Hand, Pile, Space, TokenStack, Track, build_cost
from triclinium.engine import registry
from triclinium.engine.component_kinds import CardFace, ComponentKind, Layout, Sign
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


@pytest.mark.parametrize("id", mark_slow_except(list_games(), "portals", "testoftime"))
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


def test_confirmation_precedes_a_move_if_enabled(client: TestClient) -> None:
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


def test_optional_parts_are_drawn_on_request(client: TestClient) -> None:
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


PARTS = "{% import 'page_parts.html.jinja' as p with context %}{% import 'kit.jinja' as k with context %}"


def render(client: TestClient, source: str, id: str = "ierusalem", **variables: object) -> str:
    """Return a template that uses the kit, as a spectator of a game sees it."""
    assert isinstance(client.app, FastAPI)
    game = load_game(id)
    speech = Localizer("en", game.words)
    reader = game.words.reader("en")
    page = client.app.state.pages.templates.from_string(PARTS + source)
    facts: dict[str, object] = {
        "game": game,
        "names": ("Ana", "Ben", "Cleo"),
        "offers": {},
        "reading": SimpleNamespace(confirms_moves=False, language="en"),
        "say": reader.format_arg,
    }
    return str(page.render(_=speech, **facts | variables))


def test_a_track_draws_spaces_and_their_pieces(client: TestClient) -> None:
    """Name, signs with numbers, seats and small pieces; the marker, the lit space, and the option of a space."""
    track = Track(
        "rounds",
        [
            Space("", "I", lit=True, signs=(Sign("pent", number="-3"),), text="the first"),
            Space("", "II", at=True, seats=[1], pieces=("judea", "samaria"), style="leaf"),
            Space("", "", signs=(Sign("coin", number="12"),), option="favor f1", text="the third"),
        ],
        note="3 to go",
        style="own",
    )
    page = render(client, "{{ k.track(track) }}", track=track)
    assert "<h3>rounds <small>3 to go</small></h3>" in page
    first, second, third = re.findall(r"<li.*?</li>", page, re.DOTALL)
    assert 'class=" is-lit"' in first
    assert 'aria-label="the first"' in first
    assert "<span>I</span>" in first
    assert "n-pent" in first
    assert ">\N{MINUS SIGN}3</text>" in first
    assert 'class="leaf is-at" aria-current="true"' in second
    assert re.findall(r'class="seat s(\d)', second) == ["1"]
    assert '<i class="judea"></i><i class="samaria"></i>' in second
    assert "n-coin" in third
    assert 'class="choose ' in third
    assert "aria-label" not in page[: page.index("<li")]
    line = render(client, "{% call k.line(track) %}<li class='piece'></li>{% endcall %}", track=track)
    assert '<ol class="k-track own" aria-label="rounds">' in line
    assert line.rstrip().endswith("<li class='piece'></li>\n</ol>")


def test_only_tracks_of_the_default_board_are_laid_out_by_the_kit(client: TestClient) -> None:
    names = [Space("", str(n)) for n in range(12)]
    assert 'class="k-track  is-long is-tight"' in render(client, "{{ k.track(part) }}", part=Track("t", names))
    assert 'class="k-track own"' in render(client, "{{ k.track(part) }}", part=Track("t", names, style="own"))


def test_a_printed_track_has_spaces_of_its_size_and_no_tips(client: TestClient) -> None:
    track = Track("rounds", [Space("", "I", text="the first")], millimetres=(14.0, 20.0))
    page = render(client, "{{ k.track(track, true) }}", track=track)
    assert 'data-w="14" data-h="20"' in page
    assert "tabindex" not in page


def test_a_stack_shows_its_pieces_or_their_number(client: TestClient) -> None:
    """A row shows which pieces are missing; a pile shows one piece and the number, faint if there is none."""
    row = render(client, "{{ k.tokens(part) }}", part=TokenStack("2 of 3", 2, 3, label="NT"))
    assert row.count('class="is-on"') == 2
    assert row.count("<i") == 3
    assert 'aria-label="2 of 3"' in row
    signs = render(client, "{{ k.tokens(part) }}", part=TokenStack("", 1, 2, "denarius"))
    assert signs.count("#denarius") == 2
    assert signs.count("is-gone") == 1
    assert "tabindex" not in signs
    pile = render(client, "{{ k.tokens(part) }}", part=TokenStack("7 coins", 7, sign="denarius", is_pile=True))
    assert pile.count("#denarius") == 1
    assert "<b>7</b>" in pile
    assert "is-none" not in pile
    assert "is-none" in render(client, "{{ k.tokens(part) }}", part=TokenStack("none", 0, is_pile=True))


def test_all_drawings_of_a_card_share_one_face(client: TestClient) -> None:
    """The card in a hand, in a column, in a line, in a sentence, in a list, enlarged and printed."""
    kind = load_game("ierusalem").kinds()["card"]
    n = next(n for n in range(len(kind.ids)) if len(kind.get_face(n).signs[0].signs) == 3)  # type: ignore[union-attr]
    face = kind.get_face(n)
    assert face is not None
    card = Card(str(kind.ids[n]), face)
    drawings = {
        "hand": "{{ k.hand(hand) }}",
        "column": "{{ k.pressed(card, 's') }}",
        "line": "{{ k.card_line(card.face) }}",
        "sentence": "{{ k.mention(card, 'a card') }}",
        "list": "{{ k.entries([card.face]) }}",
        "enlarged": "{{ k.enlarged_card(card) }}",
        "printed": "{{ k.face(card, 'l') }}",
    }
    for name, source in drawings.items():
        page = render(client, source, card=card, hand=Hand("hand", [card]))
        assert f'<text x="12" y="12">{face.corner}</text>' in page, name
        for one in face.signs[0].signs:
            assert f"#{one.id}" in page, name
        assert (f"#{face.title_sign}" in page) == (name != "list"), name
    rules = re.findall(r'href="/rules/ierusalem#ie-([\d.]+)"', render(client, drawings["enlarged"], card=card))
    assert {one.rule.removeprefix("IE-") for one in face.signs[0].signs} <= set(rules)
    assert "/rules/" not in render(client, drawings["printed"], card=card)  # paper has no links


def test_a_hand_has_cards_to_press_and_backs(client: TestClient) -> None:
    kind = load_game("ierusalem").kinds()["card"]
    hand = Hand(
        "hand", [Card("r01", kind.get_face(0), option="play r01"), Card(back="a hidden card", state_sign="hand")]
    )
    offer = SimpleNamespace(
        option="play r01", label="Play R01", verb="play", allowed=True, rule="", why="", rank_reason=""
    )
    page = render(client, "{{ k.hand(hand) }}", hand=hand, offers={"play r01": offer})
    assert re.search(r'<li><button class="choose can k-card m l-\w+ [^>]*value="play r01"', page, re.DOTALL)
    assert re.search(r'class="k-card m is-back [^>]*aria-label="a hidden card"', page)


@pytest.mark.parametrize("id", ["portals", "ierusalem"])
def test_a_page_of_the_kit_is_small(client: TestClient, id: str) -> None:
    assert "k-board" in render_small_page(client, id)
