"""Tests that the rules pages agree with the components file."""

import re

import pytest

from triclinium.engine.rule_numbers import fill_numbers
from triclinium.games.testoftime import GAME
from triclinium.games.testoftime.game import HERE
from triclinium.testing.typography import fix_typography

C = GAME.components
CHAPTERS = {1: 5, 2: 6, 3: 5, 4: 6, 5: 6, 6: 4, 7: 3, 8: 5, 9: 4, 10: 4, 11: 11, 12: 8, 13: 3, 14: 6}
NUMBERS = [f"TT-{chapter}.{rule}" for chapter, last in CHAPTERS.items() for rule in range(1, last + 1)]
RULINGS = [f"TT-R{ruling}" for ruling in range(1, 28)]


def page(language: str) -> list[str]:
    return (HERE / "data" / f"rules.{language}.md").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_rule_is_in_the_rules_text(language: str) -> None:
    """Every number appears once, in order, with its anchor. TT-11.3a follows TT-11.3."""
    found = re.findall(r'^<a id="(tt-[r\d.]+a?)"></a>\*\*(TT-[R\d.]+a?)\*\* ', "\n".join(page(language)), re.MULTILINE)
    after = NUMBERS.index("TT-11.3") + 1
    assert [number for _, number in found] == [*NUMBERS[:after], "TT-11.3a", *NUMBERS[after:], *RULINGS]
    assert all(anchor == number.lower() for anchor, number in found)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_table_of_figures_is_that_of_the_file(language: str) -> None:
    """TT-4.2, TT-4.4, TT-5.2, TT-R27  Costs, deaths, upkeep, sections and gold dots, kind by kind."""
    lines = [fill_numbers(line, GAME, language) for line in page(language) if line.startswith("| ")]
    rows = [[cell.strip() for cell in line.split("|")[2:-1]] for line in lines]
    names, *figures, _ = rows
    assert names == [GAME.words.reader(language).format_arg(name) for name in C.names]
    dots = [row[-1] for row in C.dots]
    assert figures == [[str(n) for n in row] for row in (C.create, C.deaths, C.preserve, C.size, dots)]


def test_french_punctuation_never_starts_a_line() -> None:
    """Spaces before colons and in guillemets do not break, as in the catalogue."""
    assert [line for line in page("fr") if line != fix_typography(line, "fr")] == []
