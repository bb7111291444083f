"""Every rule that can refuse is refused by a test and stands in the rules, in both languages."""

import ast
import importlib
import re
from functools import cache
from pathlib import Path

import pytest

from tests.matches import our_titles
from triclinium.engine.core.rule import Rule
from triclinium.engine.game import Game

every_title = pytest.mark.parametrize("title", our_titles(), ids=lambda title: title.id)

HERE = Path(__file__).parent


def folder_of(title: Game) -> Path:
    """Where the title's own files lie."""
    found = importlib.import_module(f"triclinium.games.{title.id}").__file__
    assert found is not None
    return Path(found).parent


def rules_of(title: Game) -> dict[str, Rule]:
    """The constants of refusals.py that can refuse."""
    module = importlib.import_module(f"triclinium.games.{title.id}.rules.refusals")
    return {name: value for name, value in vars(module).items() if isinstance(value, Rule)}


@cache
def anchors(title: Game, page: str) -> set[str]:
    """The numbers of the rules and rulings that a page explains."""
    text = (folder_of(title) / "data" / page).read_text(encoding="utf-8")
    found = re.findall(r'<a id="([^"]+)">', text) + re.findall(rf"^#+ .*?({title.prefix}-\S+)", text, re.MULTILINE)
    return {number.upper() for number in found if number.upper().startswith(f"{title.prefix}-")}


def refused_in_tests(title: Game) -> set[str]:
    """The names of rules that some test of the title hands to ``refused``."""
    names: set[str] = set()
    for path in sorted((HERE / "games" / title.id).glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and called(node).startswith("refused"):
                given = [*node.args, *(keyword.value for keyword in node.keywords)]
                names |= {arg.id for arg in given if isinstance(arg, ast.Name)}
                names |= {arg.attr for arg in given if isinstance(arg, ast.Attribute)}
    return names


def called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


@every_title
def test_every_rule_is_refused_by_some_test(title: Game) -> None:
    rules = rules_of(title)
    assert rules
    untested = sorted(set(rules) - refused_in_tests(title))
    assert not untested, f"no test of {title.id} is refused by {', '.join(untested)}"


@every_title
def test_every_rule_stands_in_the_rules(title: Game) -> None:
    for page in ("rules.en.md", "rules.fr.md"):
        explained = anchors(title, page)
        for name, rule in rules_of(title).items():
            assert rule.number.upper() in explained, f"{page} does not explain {name} ({rule.number})"
        for variant in title.variants:
            assert variant.ruling.upper() in explained, f"{page} does not explain the variant {variant.name}"


@every_title
def test_both_languages_explain_the_same_rules(title: Game) -> None:
    english, french = anchors(title, "rules.en.md"), anchors(title, "rules.fr.md")
    assert english
    assert english == french, f"only one language has {sorted(english ^ french)}"


@every_title
def test_rules_have_a_number_of_their_title_and_french(title: Game) -> None:
    for name, rule in rules_of(title).items():
        assert rule.number.startswith(f"{title.prefix}-"), name
        assert rule.text in title.words.catalog("fr").messages, f"{name} has no French"
