"""Tests that a third language needs only catalogues: every page and the terminal use it."""

import random
import re
import tomllib
from collections.abc import Iterator, Set

import pytest
from fastapi.testclient import TestClient

from tests.i18n.pseudo import PSEUDO, find_english_on_page, find_english_texts, install_pseudo_language
from tests.server.api_client import make_settings
from tests.shell import Shell
from tests.slow import slow
from tests.web.browser import PlainBrowser, play_on
from tests.web.test_pages import new_hot_table, take_over
from triclinium import list_games
from triclinium.bots import Budget
from triclinium.bots.search import Strong
from triclinium.engine.credits import read_credits
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.games.missionnaires import GAME as MISSIONNAIRES
from triclinium.server.tables.create import TABLE_NAMES
from triclinium.testing.extract import extract_file
from triclinium.testing.messages import PACKAGE, list_package_parts
from triclinium.web.app import create_app

# Names of people, of tables, of the product and of languages.
NAMES = {"Triclinium", "Anna", "Person", "English", "Français", "Esperanto", "Random", *TABLE_NAMES}
# commands that a user types
COMMANDS = {"help", "table", "log", "scores", "standing", "why", "review", "undo", "hint", "save", "quit"}
COMMANDS |= {"auto", "turn", "round", "match", "attacked", "off"}
LEFT_OUT = {"rules-text", "chapter", "notation"}  # the text of the rules is a file for each language


def list_untranslated_words(game: Game) -> set[str]:
    """Return the words that are equal in every language: notation, ids and sources in the components file."""
    data = (PACKAGE / "games" / game.id / "data" / "components.toml").read_text(encoding="utf-8")
    translated = {text.text for text in extract_file(PACKAGE / "games" / game.id / "data" / "components.toml")}
    found = {word for o in game.notation.all_options() for word in game.format_option(o).split()}
    pending: list[object] = [tomllib.loads(data)]
    while pending:
        value = pending.pop()
        if isinstance(value, str) and value not in translated:
            found |= set(re.findall(r"[A-Za-z]+", value))
        pending += value if isinstance(value, list) else value.values() if isinstance(value, dict) else []
        if isinstance(value, dict):
            found |= {word for key in value for word in key.split("_")}
            # a name may have the same spelling as its id
            found |= set(re.findall(r"[A-Za-z]+", str(value.get("id", ""))))
    return found


def list_credit_words(id: str) -> set[str]:
    """Return the words of a game's credits, which are quoted from its rulebook in every language."""
    found = read_credits(load_game(id))
    return {word for line in (*found.lines, *found.thanks) for word in re.findall(r"[A-Za-z]+", line)}


def list_printed_words(id: str) -> set[str]:
    """Return the words of the rulebook's credits, and the French that Les Missionnaires prints next to every name."""
    if id != "missionnaires":
        return list_credit_words(id)
    c, french = MISSIONNAIRES.components, MISSIONNAIRES.words.reader("fr")
    names = [*c.space_names, *c.card_names, MISSIONNAIRES.name]
    return list_credit_words(id) | {
        word for name in names for word in re.findall(r"[A-Za-z]+", french.format_arg(name))
    }


@pytest.fixture(scope="module", autouse=True)
def pseudo_language(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with (
        pytest.MonkeyPatch.context() as monkeypatch,
        install_pseudo_language(list_package_parts(), tmp_path_factory.mktemp("locales"), monkeypatch),
    ):
        yield


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    app = create_app(make_settings(tmp_path_factory.mktemp("house")))
    with TestClient(app, follow_redirects=True) as running:
        yield running


def reader(client: TestClient) -> PlainBrowser:
    browser = PlainBrowser(client)
    browser.client.cookies.set("language", PSEUDO)
    return browser


def find_untranslated(browser: PlainBrowser, allowed: Set[str] = frozenset()) -> list[str]:
    assert f'lang="{PSEUDO}"' in browser.page
    return find_english_on_page(browser.page, NAMES | allowed, LEFT_OUT)


def test_the_pages_are_in_the_language(client: TestClient) -> None:
    browser = reader(client)
    found: dict[str, list[str]] = {}
    for path in (
        "/",
        "/tables",
        "/tables?which=open",
        "/me",
        "/rules",
        "/nowhere",
        *(f"/new?game={id}" for id in list_games()),
    ):
        browser.get(path)
        game = path.partition("?game=")[2]
        found[path] = find_untranslated(browser, list_credit_words(game) if game else frozenset())
    assert {path: texts for path, texts in found.items() if texts} == {}


@pytest.mark.parametrize("id", list_games())
def test_rules_and_guide_of_a_game_are_in_the_language(client: TestClient, id: str) -> None:
    browser = reader(client)
    browser.get(f"/rules/{id}")
    rules = find_untranslated(browser, list_untranslated_words(load_game(id)) | list_printed_words(id))
    browser.get(f"/guide/{id}")
    assert rules + find_untranslated(browser) == []


@pytest.mark.parametrize("moves", [12, slow(240)])
@pytest.mark.parametrize("id", list_games())
def test_the_table_of_a_game_is_in_the_language(client: TestClient, id: str, moves: int) -> None:
    """The table, earlier positions, a hint and the record's pages use the language in a random match."""
    browser = reader(client)
    game = load_game(id)
    new_hot_table(browser, id, game.seats[0])
    allowed = list_printed_words(id)
    found = set(find_untranslated(browser, allowed))
    chance = random.Random(7)
    for _ in range(0, moves, 5):
        play_on(client, browser, chance, 5)
        take_over(browser)
        found |= set(find_untranslated(browser, allowed))
    table = browser.table
    for path in (f"{table}?log=all", f"{table}/positions/3", f"{table}/shuffle", f"{table}/file"):
        browser.get(path)
        found |= set(find_untranslated(browser, allowed)) if browser.status == 200 else set()
    assert sorted(found) == []


@pytest.mark.parametrize("id", list_games())
def test_the_terminal_is_in_the_language(shell: Shell, monkeypatch: pytest.MonkeyPatch, id: str) -> None:
    monkeypatch.setattr(Strong, "budget", Budget(60, 40))
    sheet = "scores" if load_game(id).has_points else "standing"
    typed = "help\n" + f"1\n2\nlog\n{sheet}\nwhy 1\n1\nundo\ntable\n" * 3 + "hint\nquit\n"
    shell.run("play", id, "--seed", "3", "--bots", "random", "--language", PSEUDO, typed=typed)
    assert shell.error == ""
    assert (
        find_english_texts(
            shell.out.splitlines(), NAMES | COMMANDS | list_untranslated_words(load_game(id)) | list_credit_words(id)
        )
        == []
    )
