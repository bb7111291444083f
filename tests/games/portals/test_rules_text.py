"""Tests of the rules page: figures and chronology of the rulebook, and French typography."""

import re
from pathlib import Path

import pytest

from tests.games.portals.table import C
from triclinium.engine.core.text import Message
from triclinium.games.portals.game import GAME
from triclinium.games.portals.rules import components
from triclinium.testing.typography import fix_typography

DATA = Path(components.__file__).parents[1] / "data"
LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])


def rules(language: str) -> str:
    return (DATA / f"rules.{language}.md").read_text(encoding="utf-8")


@LANGUAGES
def test_the_cards_in_figures(language: str) -> None:
    """PP-C5, PP-C6  The rules page has the rulebook's table of symbols and regions by deck, with the right sums."""
    say = GAME.words.reader(language).format_arg
    found = dict(re.findall(r"^\| ([^|]+) \| ([\d |]+) \|$", rules(language), re.MULTILINE))
    wanted = {}
    for table, key in (("symbols", "symbol"), ("regions", "region")):
        for row in C.file.row(table).rows(key):
            counts = row.integers("stats")
            wanted[say(row.name())] = " | ".join(map(str, [*counts, sum(counts)]))
    assert found == wanted


@LANGUAGES
def test_the_chronology(language: str) -> None:
    """PP-2.4, PP-C3, PP-R1  The chronology lists every event under its period, and marks the added ones with a star."""
    say = GAME.words.reader(language).format_arg
    text = " ".join(rules(language).split("\n"))
    rows = C.file.row("events").rows("card")
    for period, name in enumerate(C.space_names):
        events = [number for number in range(C.events) if C.period[number] == period]
        told = ", ".join(say(C.titles[number]) + ("\\*" if rows[number].has("t") else "") for number in events)
        colon = ":" if language == "en" else "\u00a0:"
        assert f"- **{say(name)}{colon}** {told}" in re.sub(" +", " ", text)


def test_punctuation_of_the_french_rules_never_starts_a_line() -> None:
    """French has a space before its punctuation marks, where no line may break."""
    assert fix_typography(rules("fr"), "fr") == rules("fr")


def test_the_french_rules_call_the_actions_as_the_table_does() -> None:
    """PP-3.1, PP-6.1  The French verbs for capsule and pawns differ."""
    say = GAME.words.reader("fr").read
    headings = re.findall(r"^## \d+ (.+)$", rules("fr"), re.MULTILINE)
    assert {say(Message(GAME.words.verbs[verb])) for verb in ("draw", "move", "play")} <= set(headings)
    assert not re.search(r"\bavancer\b", rules("fr"), re.IGNORECASE)
