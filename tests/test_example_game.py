"""Tests of examples/kuhn on the server: found by its entry point, played by bots, and played at a table.

The tests that belong to the example are in its own folder and run too.
"""

import random
import re
import time
import tomllib
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from bench.example import install
from kuhn.game import GAME, KuhnGame
from kuhn.rules import Kuhn
from tests.server.api_client import make_settings
from tests.web.browser import PlainBrowser
from tests.web.test_pages import choose_any_option, new_hot_table, take_over
from triclinium import Match, Record, Rng, load_game
from triclinium.bots import choose_option, create_bot
from triclinium.engine import registry
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadComponents
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.testing import check_game
from triclinium.web.app import create_app

redeal = Kuhn.redeal
FOLDER = Path(__file__).parents[1] / "examples" / "kuhn"
RULES = (FOLDER / "kuhn" / "rules.py").read_text(encoding="utf-8")
ABOVE = (FOLDER / "kuhn" / "game.py").read_text(encoding="utf-8")
TABLES = {
    "en": (
        "deal\n<b>1 of 2</b>",
        "chips\n<b>3</b>",
        "in the pot</small>",
        "<h3>Your hand</h3>",
        "Check or bet?",
    ),
    "fr": (
        "donne\n<b>1 sur 2</b>",
        "jetons\n<b>3</b>",
        "dans le pot</small>",
        "<h3>Votre main</h3>",
        "Parole ou mise",
    ),
}
REFUSED = {
    "en": "there is no bet to answer",
    "fr": "il n’y a pas de mise à laquelle répondre",
}


@pytest.fixture
def installed_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KuhnGame:
    """Return Kuhn poker as installed from its pyproject.toml."""
    points = tomllib.loads((FOLDER / "pyproject.toml").read_text())["project"]["entry-points"]
    monkeypatch.setattr(registry, "_loaded", {})
    install(tmp_path, "kuhn_poker", points["triclinium.games"])
    monkeypatch.syspath_prepend(str(tmp_path))
    assert load_game("kuhn") is GAME
    return GAME


def test_every_file_of_its_data_is_in_the_package() -> None:
    """The wheel includes the components and the French translation."""
    settings = tomllib.loads((FOLDER / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    package = FOLDER / "kuhn"
    named = {path for pattern in settings["package-data"]["kuhn"] for path in package.glob(pattern)}
    assert named == {path for path in (package / "data").rglob("*") if path.is_file()}


@pytest.fixture
def client(installed_game: KuhnGame, tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(make_settings(tmp_path)), follow_redirects=True) as running:
        yield running


def test_every_stated_rule_is_cited_in_code_and_tested() -> None:
    """The code and the tests cite every rule of the page, and no other rule."""
    head, _, code = RULES.partition('"""\n\nfrom ')
    code += ABOVE
    stated = re.findall(r"^(KP-\d\.\d)  ", head, re.MULTILINE)
    assert len(stated) == 12
    tests = (FOLDER / "test_kuhn.py").read_text(encoding="utf-8")
    assert {*re.findall(r"KP-\d\.\d", code + tests)} | {"KP-1.1"} == {*stated}  # the engine itself cites KP-1.1


@pytest.mark.parametrize("name", ["random", "greedy", "steady", "strong@50x"])
def test_a_bot_plays_it(name: str) -> None:
    match, player, rng = Match(GAME, 2, 5), create_bot(name, GAME), Rng(6)
    while not match.state.over:
        match.play(GAME.format_option(choose_option(player, match.state, rng)))
    assert match.record.result is not None


def test_a_greedy_bot_beats_chance() -> None:
    """The two features of its evaluator are useful."""
    greedy, chance, rng = create_bot("greedy", GAME), create_bot("random", GAME), Rng(1)
    won = 0
    for seed in range(60):
        s = GAME.deal(2, seed)
        while not s.over:
            s.choose(choose_option(greedy if s.who == seed % 2 else chance, s, rng))
        won += GAME.scores(s)[seed % 2].points - GAME.scores(s)[1 - seed % 2].points
    assert won > 60


def test_an_edited_file_is_another_game_and_a_wrong_one_is_refused() -> None:
    dear = GAME.with_components(GAME.file.with_changes({"chips.bet": 3}))
    assert dear.hash != GAME.hash
    assert dear.scores(dear.deal(2, 1, {"deals": 1}))[0].total == 4
    with pytest.raises(BadComponents, match=r"^KP-1\.3: chips: "):
        GAME.with_components(GAME.file.with_changes({"chips.bet": 0}))
    with pytest.raises(BadComponents, match=r"^KP-2\.1: card: "):
        GAME.with_components(ComponentsFile("card = []\n[chips]\nante = 1\nbet = 1", "few.toml"))


def redeals_nothing(self: Kuhn, seat: Seat, rng: Rng) -> None:
    pass


def redeals_nothing_to_spectators(self: Kuhn, seat: Seat, rng: Rng) -> None:
    if seat != NOBODY:
        redeal(self, seat, rng)


@pytest.mark.parametrize("lazy", [redeals_nothing, redeals_nothing_to_spectators])
def test_the_contract_notices_a_lazy_redeal(lazy: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """With three cards a random world is the true one half of the time. A world that is always true is an error."""
    monkeypatch.setattr(Kuhn, "redeal", lazy)
    with pytest.raises(AssertionError, match="worlds are the true one"):
        check_game(GAME)


# -- at a table ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_whole_match_at_a_table(client: TestClient, language: str) -> None:
    """The game has no template, so the page shows the standard table with buttons, and refusals give a reason."""
    browser = PlainBrowser(client)
    browser.client.cookies.set("language", language)
    new_hot_table(browser, "kuhn", 2, **{"variant-deals": "2"})
    take_over(browser)
    page = unescape(browser.page)
    assert browser.options() == ["check", "bet"]
    for sentence in (*TABLES[language], REFUSED[language]):
        assert sentence in page
    chance = random.Random(4)
    while choose_any_option(browser, chance):
        pass
    record = Record.loads(browser.get(f"{browser.table}/record"))
    assert record.game_id == "kuhn"
    assert record.replay().over


def test_one_click_plays_against_a_bot(client: TestClient) -> None:
    """The separate processes of the bots find the game too."""
    browser = PlainBrowser(client)
    assert "Kuhn poker" in browser.get("/")
    browser.post("/play/kuhn")
    until = time.monotonic() + 30
    while not browser.options() and time.monotonic() < until:
        time.sleep(0.05)
        browser.get(browser.table)
    assert browser.options()
