"""Tests that every rule and ruling is on the rules page in both languages."""

import re
from importlib import resources

import pytest

from triclinium.engine.core.rule import Rule
from triclinium.games.missionnaires.rules import refusals

FOLDER = resources.files("triclinium.games.missionnaires") / "data"
RULES = {name: rule for name, rule in vars(refusals).items() if isinstance(rule, Rule)}
CHAPTERS = {1: 10, 2: 5, 3: 9, 4: 6, 5: 6, 6: 11, 7: 5, 8: 8, 9: 6}
NUMBERS = [f"LM-{chapter}.{rule}" for chapter, last in CHAPTERS.items() for rule in range(1, last + 1)]
RULINGS = [f"LM-R{ruling}" for ruling in range(1, 25)]


@pytest.mark.parametrize("page", ["rules.en.md", "rules.fr.md"])
def test_each_rule_is_in_the_rules_text(page: str) -> None:
    """Every number appears once, in order, with an anchor. This includes the rules that refuse."""
    text = (FOLDER / page).read_text("utf-8")
    found = re.findall(r'^<a id="(lm-[r\d.]+)"></a>\*\*(LM-[R\d.]+)\*\* ', text, re.MULTILINE)
    assert [number for _, number in found] == NUMBERS + RULINGS
    assert all(anchor == number.lower() for anchor, number in found)
    assert {rule.number for rule in RULES.values()} <= set(NUMBERS + RULINGS)
