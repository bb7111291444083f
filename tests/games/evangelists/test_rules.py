"""Tests that every rule and ruling is on the rules page in both languages."""

import re
from importlib import resources

import pytest

from triclinium.engine.core.rule import Rule
from triclinium.games.evangelists import GAME
from triclinium.games.evangelists.rules import refusals

FOLDER = resources.files("triclinium.games.evangelists") / "data"
RULES = {name: rule for name, rule in vars(refusals).items() if isinstance(rule, Rule)}
CHAPTERS = {1: 14, 2: 7, 3: 6, 4: 3, 5: 4, 6: 8, 7: 8, 8: 5, 9: 8, 10: 3, 11: 7, 12: 1}
NUMBERS = [f"AE-{chapter}.{rule}" for chapter, last in CHAPTERS.items() for rule in range(1, last + 1)]
RULINGS = [f"AE-R{ruling}" for ruling in range(1, 43)]


def anchors(page: str) -> list[str]:
    """Return the numbers that a page of rules explains, in order."""
    return re.findall(
        r'^<a id="ae-[r\d.]+"></a>\*\*(AE-[R\d.]+)\*\* ', (FOLDER / page).read_text("utf-8"), re.MULTILINE
    )


@pytest.mark.parametrize("page", ["rules.en.md", "rules.fr.md"])
def test_each_rule_is_in_the_rules_text(page: str) -> None:
    """Every number appears once, in order, with an anchor. This includes the rules that refuse."""
    assert anchors(page) == NUMBERS + RULINGS
    assert {rule.number for rule in RULES.values()} <= set(NUMBERS + RULINGS)
    for anchor in re.findall(r"\]\(#(ae-[r\d.]+)\)", (FOLDER / page).read_text("utf-8")):
        assert anchor.upper() in NUMBERS + RULINGS


def test_each_variant_is_explained() -> None:
    """The rulings that give a table option name it: the English page by its identifier, the French one by its label."""
    for language in ("en", "fr"):
        reader = GAME.words.reader(language)
        text = (FOLDER / f"rules.{language}.md").read_text("utf-8")
        for variant in GAME.variants:
            ruling = text[text.index(f"**{variant.ruling}**") :].split("\n\n")[0]
            named = f"`{variant.name}`" if language == "en" else f"« {reader.format_arg(variant.label)} »"
            assert named in " ".join(ruling.split())
