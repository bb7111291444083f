"""The game was printed in French: its catalogue has every printed name, and pages show them beside the reader's own."""

from itertools import chain

from tests.games.missionnaires.table import C, space
from triclinium.engine.core.text import Name
from triclinium.games.missionnaires import GAME
from triclinium.games.missionnaires.rules.checks import decks
from triclinium.games.missionnaires.ui.board_layout import atlas, cards, placed, spaces
from triclinium.games.missionnaires.ui.translations import PRINTED, name_beside, printed
from triclinium.i18n.po import key

CATALOGUE = GAME.words.catalog(PRINTED).messages


def test_everything_printed_is_there_in_french() -> None:
    """LM-C16  Spaces, countries, cards and what they say, colours, overseers."""
    cards_of_congregations = [row.name() for row in GAME.file.row("cards").rows("congregations")]
    named = chain(
        C.space_names, C.countries, C.card_names, C.card_texts, C.colour_names, C.overseer_names, cards_of_congregations
    )
    assert [name for name in named if not CATALOGUE.get(key(name.text, name.context), "").strip()] == []


def test_a_card_is_called_in_french_as_no_other_of_its_deck() -> None:
    """LM-C16"""
    for _, span in decks(C):
        names = [printed(C.card_names[card]) for card in span]
        assert len(set(names)) == len(names)


def test_a_congregation_card_bears_the_french_name_of_its_space() -> None:
    """LM-C3"""
    rows = GAME.file.row("cards").rows("congregations")
    for row, at in zip(rows, C.congregation_at, strict=True):
        assert printed(row.name()) == printed(C.space_names[at])


def test_the_printed_name_stands_beside_the_readers() -> None:
    genoa = spaces(C)["gen"]
    assert genoa.words("en").about == "Genoa · Gênes · Italy · congregation, port · B4"
    assert genoa.words("fr").about == "Gênes · Genoa · Italie · congrégation, port · B4"
    assert spaces(C)["mil"].words("en").about == "Milan · Italy · congregation · B4"  # the same in both
    card = cards(C)["t31"]
    assert (card.bare("en"), card.beside("en")) == ("letter of recommendation", "lettre de recommandation")
    assert (card.bare("fr"), card.beside("fr")) == ("lettre de recommandation", "letter of recommendation")


def test_a_third_language_has_the_printed_name_beside_its_own() -> None:
    genoa = C.space_names[space("gen")]
    assert name_beside(genoa, "Genua") == "Gênes"
    assert name_beside(Name("Genoa"), "Genua") == "Genoa"  # of an edited file nobody has the French


def test_what_the_map_bears_is_its_name() -> None:
    for language in ("en", "fr"):
        for one in atlas(C):
            assert " ".join(one.words(language).label.lines) == one.words(language).short


def test_a_language_that_nobody_laid_out_has_its_names_where_the_english_stand() -> None:
    """In lines of its own, where it says something else."""
    palma = spaces(C)["pal"]
    english = palma.words("en").label
    same = placed("Palma de Mallorca", "Palma de Mallorca", palma.labels, "nl")
    assert same.lines == english.lines
    other = placed("Palma op Mallorca in Spanje", "Palma de Mallorca", palma.labels, "nl")
    assert other.lines == ["Palma op", "Mallorca in", "Spanje"]
    assert (other.x, other.y, other.at) == (same.x, same.y, same.at) == (english.x, english.y, english.at)
