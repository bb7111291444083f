"""Tests that a test covers every rule that can refuse an option, and that the rules page has it in both languages."""

import ast
import importlib
import re
from functools import cache
from pathlib import Path

import pytest

from tests.matches import list_our_games
from triclinium.engine.core.rule import Rule
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game

every_game = pytest.mark.parametrize("game", list_our_games(), ids=lambda game: game.id)

HERE = Path(__file__).parent


def folder_of(game: Game) -> Path:
    """Return the folder of a game's own files."""
    found = importlib.import_module(f"triclinium.games.{game.id}").__file__
    assert found is not None
    return Path(found).parent


def rules_of(game: Game) -> dict[str, Rule]:
    """Return the constants of refusals.py that can refuse an option."""
    module = importlib.import_module(f"triclinium.games.{game.id}.rules.refusals")
    return {name: value for name, value in vars(module).items() if isinstance(value, Rule)}


@cache
def anchors(game: Game, page: str) -> set[str]:
    """Return the numbers of the rules and rulings that a page explains."""
    text = (folder_of(game) / "data" / page).read_text(encoding="utf-8")
    found = re.findall(r'<a id="([^"]+)">', text) + re.findall(rf"^#+ .*?({game.prefix}-\S+)", text, re.MULTILINE)
    return {number.upper() for number in found if number.upper().startswith(f"{game.prefix}-")}


def refused_in_tests(game: Game) -> set[str]:
    """Return the names of rules that a test of the game passes to ``refused`` or ``check_step_refusal``."""
    names: set[str] = set()
    for path in sorted((HERE / "games" / game.id).glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and name_called_function(node).startswith(("refused", "check_step_refusal")):
                given = [*node.args, *(keyword.value for keyword in node.keywords)]
                names |= {arg.id for arg in given if isinstance(arg, ast.Name)}
                names |= {arg.attr for arg in given if isinstance(arg, ast.Attribute)}
    return names


def name_called_function(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


@every_game
def test_every_rule_is_refused_by_some_test(game: Game) -> None:
    rules = rules_of(game)
    assert rules
    untested = sorted(set(rules) - refused_in_tests(game))
    assert not untested, f"no test of {game.id} is refused by {', '.join(untested)}"


@every_game
def test_every_rule_is_in_the_rules_text(game: Game) -> None:
    for page in ("rules.en.md", "rules.fr.md"):
        explained = anchors(game, page)
        for name, rule in rules_of(game).items():
            assert rule.number.upper() in explained, f"{page} does not explain {name} ({rule.number})"
        for variant in game.variants:
            assert variant.ruling.upper() in explained, f"{page} does not explain the variant {variant.name}"


@every_game
def test_both_languages_explain_the_same_rules(game: Game) -> None:
    english, french = anchors(game, "rules.en.md"), anchors(game, "rules.fr.md")
    assert english
    assert english == french, f"only one language has {sorted(english ^ french)}"


@every_game
def test_rules_have_a_number_of_their_game_and_french(game: Game) -> None:
    for name, rule in rules_of(game).items():
        assert rule.number.startswith(f"{game.prefix}-"), name
        assert rule.text in game.words.catalog("fr").messages, f"{name} has no French"


TOLD: dict[str, dict[str, tuple[str, ...]]] = {
    "portals": {"en": ("2200", "Alpha and Omega"), "fr": ("2200", "Alpha et Oméga")},
    "evangelists": {
        "en": ("papyrus", "eyewitness", "learn by heart", "freedom with the order"),
        "fr": ("papyrus", "témoin oculaire", "par cœur", "liberté avec l’ordre"),
    },
    "testoftime": {"en": ("*priest* for shaman", "*Artwork* for Art"), "fr": ("*priest*", "*Artwork*")},
}


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("id", TOLD)
def test_the_rules_text_uses_the_words_of_the_rulebook(id: str, language: str) -> None:
    """The page has the year 2200, the use of the evangelists' devices (AE-8.4, AE-9), and two words of a list."""
    page = (folder_of(load_game(id)) / "data" / f"rules.{language}.md").read_text(encoding="utf-8").replace("\n", " ")
    assert [words for words in TOLD[id][language] if words not in page] == []
