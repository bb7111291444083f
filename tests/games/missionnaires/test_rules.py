"""Every rule and ruling is written down in both languages, and has a test."""

import ast
import re
from functools import cache
from importlib import resources
from pathlib import Path

import pytest

from triclinium.engine.core.rule import Rule
from triclinium.games.missionnaires.rules import refusals

FOLDER = resources.files("triclinium.games.missionnaires") / "data"
RULES = {name: rule for name, rule in vars(refusals).items() if isinstance(rule, Rule)}
TESTS = sorted(Path(__file__).parent.glob("test_*.py"))
CHAPTERS = {1: 10, 2: 5, 3: 9, 4: 6, 5: 6, 6: 11, 7: 5, 8: 8, 9: 6}
NUMBERS = [f"LM-{chapter}.{rule}" for chapter, last in CHAPTERS.items() for rule in range(1, last + 1)]
RULINGS = [f"LM-R{ruling}" for ruling in range(1, 25)]
EXAMPLES = [f"LM-X{example}" for example in range(1, 15)]
CONSTRAINTS = [f"LM-C{constraint}" for constraint in range(1, 18)]


@cache
def cited() -> set[str]:
    """The numbers in the docstrings of this folder's tests."""
    found: set[str] = set()
    for path in TESTS:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found.update(re.findall(r"LM-[A-Z]?\d+(?:\.\d+)?", ast.get_docstring(node) or ""))
    return found


@pytest.mark.parametrize("page", ["rules.en.md", "rules.fr.md"])
def test_each_rule_stands_in_the_rules(page: str) -> None:
    """Every number once, in order, with an anchor; among them those that refuse."""
    text = (FOLDER / page).read_text("utf-8")
    found = re.findall(r'^<a id="(lm-[r\d.]+)"></a>\*\*(LM-[R\d.]+)\*\* ', text, re.MULTILINE)
    assert [number for _, number in found] == NUMBERS + RULINGS
    assert all(anchor == number.lower() for anchor, number in found)
    assert {rule.number for rule in RULES.values()} <= set(NUMBERS + RULINGS)


@pytest.mark.parametrize("number", NUMBERS + RULINGS + EXAMPLES + CONSTRAINTS)
def test_each_rule_has_a_test(number: str) -> None:
    """Every rule, ruling, worked example and constraint is cited by a test."""
    assert number in cited()
