"""Tests of the rules page that is generated from the code of a game without a rules text."""

import re

from kuhn.game import GAME
from tests.toy import TOY, Figs
from triclinium.engine.core.state import Option, State
from triclinium.engine.core.text import Message
from triclinium.engine.generated_rules import GeneratedRules, parse_numbered_sentences

ANCHOR = re.compile(r'<a id="([^"]+)"></a>\*\*([A-Z]+-R?[\d.]+)\*\* (.+)')


def anchors(markdown: str) -> dict[str, str]:
    """Return the numbers of a page with the sentence after each."""
    found = ANCHOR.findall(markdown)
    assert all(anchor == number.lower() for anchor, number, _ in found)
    return {number: text for _, number, text in found}


def test_a_docstring_states_numbered_rules() -> None:
    said = "Rules.\n\nAB-1  One\n      sentence (AB-1.1).\nAB-R2  Another.\n\nNot AB-3  a rule.\n"
    assert parse_numbered_sentences(said) == [("AB-1", "One sentence (AB-1.1)."), ("AB-R2", "Another.")]


def test_every_number_that_a_game_cites_has_an_anchor_and_a_sentence() -> None:
    figs = anchors(GeneratedRules(TOY, "en").to_markdown())
    assert {"TOY-1", "TOY-1.1", "TOY-2.1", "TOY-2.2", "TOY-2.3", "TOY-3.1", "TOY-R1", "K-1", "K-2"} <= {*figs}
    assert all(figs.values())
    assert figs["TOY-2.2"] == "Refused: you have seen the top card."
    # a sentence from a real position
    assert re.fullmatch(r"Refused: fig \d costs \d coins?, you have \d\.", figs["TOY-2.1"])
    kuhn = anchors(GeneratedRules(GAME, "en").to_markdown())
    assert [number for number in kuhn if number.startswith("KP")] == sorted(kuhn)[2:]
    assert len(kuhn) == 12 + 2
    assert kuhn["KP-2.1"].startswith("For a deal each seat antes one chip")


def test_the_page_is_in_the_readers_language() -> None:
    page = GeneratedRules(GAME, "fr").to_markdown()
    assert anchors(page)["KP-3.2"] == "Une donne n’a qu’une mise au plus."
    assert "Refusé\N{NO-BREAK SPACE}: il y a déjà une mise" in page
    assert "Question\N{NO-BREAK SPACE}: Parole ou mise" in page
    assert "Refused" not in page


def test_decisions_and_scores_are_listed() -> None:
    page = GeneratedRules(GAME, "en").to_markdown()
    decisions = page[page.index("## Decisions") : page.index("## Scoring")]
    assert [line for line in decisions.splitlines() if line.startswith("- ")] == [
        "- Check",
        "- Bet",
        "- Call",
        "- Fold",
    ]
    assert "- Won by showdowns" in page[page.index("## Scoring") :]


def test_a_game_whose_texts_fail_still_has_its_rules() -> None:
    class Mute(Figs):
        """Figs without labels."""

    game = Mute(TOY.file)

    def fails(s: State, o: Option) -> Message:
        raise RuntimeError("no words")

    game.words.label = fails  # type: ignore[method-assign]
    found = GeneratedRules(game, "en")
    assert str(found.error) == "no words"
    assert "TOY-2.1" in anchors(found.to_markdown())
