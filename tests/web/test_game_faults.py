"""Tests of an external game whose drawing, template or texts fail: the standard table is drawn, and play continues."""

import importlib
import logging
import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.failing_game import make_failing_game
from tests.server.api_client import make_settings
from tests.toy import SHEET
from tests.web.browser import PlainBrowser, seat_link
from triclinium.engine.core.components import ComponentsFile
from triclinium.web import assets
from triclinium.web.app import create_app

BOARD = '<svg class="fine" data-pile="{{ drawing.pile }}"></svg>'
DRAW = "def draw(c, view):\n    return {'pile': view.pile}\n"
KIT = '<div class="k-board">'
FINE = {"board.svg.jinja": BOARD, "board.py": DRAW}

FAULTS: dict[str, Mapping[str, str]] = {
    "the drawing raises": {**FINE, "board.py": "def draw(c, view):\n    raise RuntimeError('no ink')\n"},
    "the drawing cannot be imported": {**FINE, "board.py": "def draw(c, view:\n"},
    "there is no draw": {**FINE, "board.py": "paint = 3\n"},
    "draw gives nothing": {**FINE, "board.py": "def draw(c, view):\n    pass\n"},
    "draw lacks what the board needs": {**FINE, "board.py": "def draw(c, view):\n    return {}\n"},
    "the board names nothing": {**FINE, "board.svg.jinja": "{{ nothing.at_all }}"},
    "the board is not closed": {**FINE, "board.svg.jinja": "{% if %}"},
    "the own table raises": {**FINE, "table.html.jinja": "{{ 1 // 0 }}"},
    "a seat's card raises": {**FINE, "seat.html.jinja": "{{ view.hands[occupant.seat].none.at_all }}"},
    "an option's face raises": {**FINE, "option.html.jinja": "{{ drawing.faces[offer.option] }}"},
}


def open_table(client: TestClient, language: str = "en") -> tuple[PlainBrowser, PlainBrowser]:
    """Open a table of the game for Anna, who decides, and Ben."""
    anna, ben = PlainBrowser(client), PlainBrowser(client)
    for browser in (anna, ben):
        browser.client.cookies.set("language", language)
    anna.post("/new", game="brittle", seats="2", player="Anna", kind0="me", kind1="invite")
    link = seat_link(anna.page)
    ben.get(link)
    ben.post(link, name="Ben")
    assert ben.status == 200, ben.page
    anna.get(anna.table)
    return anna, ben


def test_a_game_of_another_package_draws_its_board(tmp_path: Path) -> None:
    """The parts that the other tests break work here."""
    with make_failing_game(tmp_path, files=FINE), TestClient(create_app(make_settings(tmp_path))) as client:
        for browser in open_table(client):
            assert '<svg class="fine" data-pile="4">' in browser.page


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.usefixtures("broken_game")
def test_a_failing_board_is_replaced_by_the_default_board(
    tmp_path: Path, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR, "triclinium.games")
    with make_failing_game(tmp_path, files=FAULTS[fault]), TestClient(create_app(make_settings(tmp_path))) as client:
        anna, _ = open_table(client)
        for _ in range(3):
            anna.get(anna.table)
            assert anna.status == 200
            assert KIT in anna.page
            assert "fine" not in anna.page
        assert {"draw", "peek", "stop"} <= set(anna.options())
        anna.choose("draw")
        assert anna.status == 200
        anna.get(f"{anna.table}/positions/0")
        assert anna.status == 200
    told = [line for line in caplog.records if "brittle: its drawing failed" in line.message]
    assert len(told) == 1  # logged once, not for each page


@pytest.mark.usefixtures("broken_game")
def test_a_failing_default_board_is_replaced_by_the_view(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """If the texts of a game fail, the board kit fails too, and the page lists the fields of the view."""
    caplog.set_level(logging.ERROR, "triclinium.games")
    with make_failing_game(tmp_path, ["words.name_of"]), TestClient(create_app(make_settings(tmp_path))) as client:
        anna, _ = open_table(client)
        assert "coins: 3, 3\n" in anna.page
    assert [line for line in caplog.records if "brittle: its default table failed" in line.message]


@pytest.mark.usefixtures("broken_game")
def test_without_a_text_table_the_view_is_listed_line_by_line(tmp_path: Path) -> None:
    files = FAULTS["the drawing raises"]
    with (
        make_failing_game(tmp_path, ["words.table_notes", "words.name_of"], files),
        TestClient(create_app(make_settings(tmp_path))) as client,
    ):
        anna, _ = open_table(client)
        assert "pile: 4\n" in anna.page
        assert "coins: 3, 3\n" in anna.page
        assert "draw" in anna.options()


@pytest.mark.parametrize(
    "fails", ["question", "label", "event_message", "format_rule", "format_refusal", "score_line", "name_of"]
)
@pytest.mark.usefixtures("broken_game")
def test_failing_texts_are_replaced_by_notation(tmp_path: Path, fails: str) -> None:
    """If the texts of a game fail, options, refusals and the log are shown in notation."""
    with (
        make_failing_game(tmp_path, [f"words.{fails}", "no coins"]),
        TestClient(create_app(make_settings(tmp_path))) as client,
    ):
        anna, ben = open_table(client, "fr")
        assert ("Choisissez une option." in anna.page) == (fails == "question")
        assert anna.options() == ["draw", "peek", "stop"]
        hand = re.findall(r"lay c\d", anna.page)
        anna.choose(hand[0])
        assert anna.status == 409
        assert "TOY-2.1" in anna.page
        anna.choose("peek")
        assert anna.status == 200
        ben.get(ben.table)
        assert "Anna\u00a0: peek" in unescape(ben.page)
        assert ben.options() == ["draw", "peek", "stop"]


@pytest.mark.usefixtures("broken_game")
def test_a_failing_view_keeps_the_decision(tmp_path: Path) -> None:
    with make_failing_game(tmp_path, ["view"], FINE), TestClient(create_app(make_settings(tmp_path))) as client:
        anna, _ = open_table(client)
        assert anna.status == 200
        anna.choose("stop")
        assert anna.status == 200


@pytest.mark.usefixtures("broken_game")
def test_a_failing_rule_is_reported_on_the_page(tmp_path: Path) -> None:
    with make_failing_game(tmp_path, ["rule"]), TestClient(create_app(make_settings(tmp_path))) as client:
        anna, ben = open_table(client, "fr")
        before = ben.get(ben.table)
        anna.choose("peek")
        assert anna.status == 500
        assert "Cette option a provoqué une erreur dans les règles de ce jeu." in unescape(anna.page)
        assert "innards" not in anna.page
        assert "peek" in anna.options()
        assert ben.get(ben.table) == before
        anna.choose("draw")
        assert anna.status == 200
        assert ben.get(ben.table) != before


@pytest.mark.usefixtures("broken_game")
def test_a_game_with_broken_files_does_not_break_the_home_page(tmp_path: Path) -> None:
    files = {"about.toml": "sentence = ", "vignette.svg": "no picture", "guide.toml": "opening = 3"}
    with make_failing_game(tmp_path, files=files), TestClient(create_app(make_settings(tmp_path))) as client:
        page = client.get("/")
        assert page.status_code == 200
        assert "Brittle" in page.text
        anna, _ = open_table(client)
        assert anna.options()


def test_a_game_in_one_module_has_no_drawing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The modules next to it belong to other packages, so a board.py among them is not used."""
    (tmp_path / "all_alone.py").write_text("from tests.toy import Figs\nclass Alone(Figs): id = 'alone'\n")
    (tmp_path / "board.py").write_text("raise AssertionError\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    game = importlib.import_module("all_alone").Alone(ComponentsFile(SHEET, "alone.toml"))
    assert assets.find_draw_function(game) is None
    assert assets.draw_view(game, game.view(game.deal(2, 1), None)) == {}
