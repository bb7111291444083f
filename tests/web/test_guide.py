"""Tests of the newcomers' guide: real decisions, both languages, each note once, and it can be skipped."""

import importlib
import pkgutil
import random
import re

import pytest
from fastapi.testclient import TestClient

from tests.web.browser import PlainBrowser
from tests.web.test_pages import new_hot_table
from triclinium import list_games
from triclinium.engine.core.state import Step
from triclinium.engine.registry import load_game
from triclinium.engine.rule_numbers import fill_numbers
from triclinium.web.game_guide import load_guide

NOTE = re.compile(r'<details class="guide" data-key="(\w+)"')


def steps(id: str) -> set[str]:
    """Return the names of all step classes of a game."""
    package = importlib.import_module(f"triclinium.games.{id}")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    found: set[str] = set()
    waiting: list[type] = [Step]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith(package.__name__):
            found.add(kind.__name__)
    return found


@pytest.mark.parametrize("id", list_games())
def test_every_hint_explains_a_real_decision(id: str) -> None:
    kinds = [kind for hint in load_guide(load_game(id)).hints for kind in hint.kinds]
    assert kinds
    assert len(kinds) == len(set(kinds))
    assert set(kinds) <= steps(id)


@pytest.mark.parametrize("id", list_games())
def test_every_decision_of_a_match_is_explained(id: str) -> None:
    game = load_game(id)
    explained = {kind for hint in load_guide(game).hints for kind in hint.kinds}
    chance = random.Random(7)
    for seed in range(3):
        s = game.deal(game.seats[-1], seed)
        while not s.over:
            assert type(s.asked).__name__ in explained
            s.play(chance.choice(s.options()))


@pytest.mark.parametrize("id", list_games())
def test_a_guide_speaks_both_languages_and_is_short(id: str) -> None:
    found = load_guide(load_game(id))
    assert 3 <= len(found.opening) <= 5
    game = load_game(id)
    english, french = (game.words.reader(language) for language in ("en", "fr"))
    for hint in found.all_hints():
        for name in (hint.heading, hint.text):
            assert english.format_arg(name) != french.format_arg(name) or len(name.text) < 12
        for reader in (english, french):
            assert reader.format_arg(hint.text).endswith(".")
            assert len(fill_numbers(reader.format_arg(hint.heading), game, reader.language)) <= 48
            assert len(fill_numbers(reader.format_arg(hint.text), game, reader.language)) <= 400


def press(browser: PlainBrowser, what: str) -> str:
    """Press a button of the note."""
    key = NOTE.findall(browser.page)
    return browser.post(f"{browser.table}/guide", guide=what, seen=key[0] if key else "")


def read_opening(browser: PlainBrowser, id: str) -> None:
    for step in load_guide(load_game(id)).opening:
        assert NOTE.findall(browser.page) == [step.key]
        press(browser, "seen")


def test_a_first_match_has_a_guide_that_shows_each_hint_once(client: TestClient) -> None:
    browser = PlainBrowser(client)
    new_hot_table(browser, "testoftime", 2)
    read_opening(browser, "testoftime")
    assert NOTE.findall(browser.page) == ["Move"]
    assert "Your move" in browser.page
    browser.client.cookies.set("language", "fr")
    assert "Votre coup" in browser.get(browser.table)
    press(browser, "seen")
    assert NOTE.findall(browser.page) == []
    assert NOTE.findall(browser.get(browser.table)) == []


def test_a_decision_marks_the_hint_as_read(client: TestClient) -> None:
    browser = PlainBrowser(client)
    new_hot_table(browser, "testoftime", 2)
    read_opening(browser, "testoftime")
    assert NOTE.findall(browser.page) == ["Move"]
    browser.choose("pass")
    assert browser.status == 200
    assert browser.options()
    assert NOTE.findall(browser.page) == []


def test_the_guide_can_be_skipped_and_restarted(client: TestClient) -> None:
    browser = PlainBrowser(client)
    new_hot_table(browser, "testoftime", 2)
    press(browser, "skip")
    assert NOTE.findall(browser.page) == []
    assert browser.options()
    new_hot_table(browser, "testoftime", 2)
    assert NOTE.findall(browser.page) == []
    press(browser, "restart")
    assert NOTE.findall(browser.page) == ["step1"]
    press(browser, "skip")
    new_hot_table(browser, "testoftime", 2, guide_offered="1", guide="on")
    assert NOTE.findall(browser.page) == ["step1"]
    new_hot_table(browser, "testoftime", 2, guide_offered="1")
    assert NOTE.findall(browser.page) == []
    browser.get("/")
    browser.post("/play/testoftime", guide="on")
    assert NOTE.findall(browser.page) == ["step1"]


def test_a_second_match_has_no_guide(client: TestClient) -> None:
    browser = PlainBrowser(client)
    new_hot_table(browser, "testoftime", 2)
    assert NOTE.findall(browser.page) == ["step1"]
    new_hot_table(browser, "testoftime", 2)
    assert NOTE.findall(browser.page) == []


@pytest.mark.parametrize("id", list_games())
def test_the_whole_guide_is_a_page(client: TestClient, id: str) -> None:
    browser = PlainBrowser(client)
    page = browser.get(f"/guide/{id}")
    assert browser.status == 200
    assert page.count("<h3>") == len(load_guide(load_game(id)).all_hints())
    browser.get("/guide/nothing")
    assert browser.status == 404
