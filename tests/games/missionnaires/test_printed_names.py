"""Tests of the printed French names: the catalogue has all of them, and pages show them next to translated names."""

from itertools import chain

from tests.games.missionnaires.table import C, space
from triclinium.engine.core.text import Name
from triclinium.games.missionnaires import GAME
from triclinium.games.missionnaires.rules.checks import list_deck_ranges
from triclinium.games.missionnaires.rules.components import Components
from triclinium.games.missionnaires.ui.board_layout import map_spaces_by_id
from triclinium.games.missionnaires.ui.card_faces import VOUCHER_TITLES, build_card_faces
from triclinium.games.missionnaires.ui.translations import PRINTED_LANGUAGE, find_second_name, get_printed_name
from triclinium.i18n.po import make_message_key

CATALOGUE = GAME.words.catalog(PRINTED_LANGUAGE).messages


def test_every_printed_name_exists_in_french() -> None:
    """LM-C16  Spaces, countries, texts of cards, colours and overseers have their printed French names."""
    cards_of_congregations = [row.name() for row in GAME.file.row("cards").rows("congregations")]
    named = chain(
        C.space_names, C.countries, C.card_names, C.card_texts, C.colour_names, C.overseer_names, cards_of_congregations
    )
    assert [name for name in named if not CATALOGUE.get(make_message_key(name.text, name.context), "").strip()] == []


def test_french_card_names_are_unique_in_a_deck() -> None:
    """LM-C16  Each French card title is unique within its deck."""
    for _, span in list_deck_ranges(C):
        names = [get_printed_name(C.card_names[card]) for card in span]
        assert len(set(names)) == len(names)


def test_a_congregation_card_bears_the_french_name_of_its_space() -> None:
    """LM-C3  Each congregation card has the French name of its space."""
    rows = GAME.file.row("cards").rows("congregations")
    for row, at in zip(rows, C.congregation_at, strict=True):
        assert get_printed_name(row.name()) == get_printed_name(C.space_names[at])


def test_the_printed_name_is_next_to_the_readers_name() -> None:
    genoa = map_spaces_by_id(C)["gen"]
    assert genoa.text_in("en").description == "Genoa · Gênes · Italy · congregation, port · B4"
    assert genoa.text_in("fr").description == "Gênes · Genoa · Italie · congrégation, port · B4"
    assert (
        map_spaces_by_id(C)["mil"].text_in("en").description == "Milan · Italy · congregation · B4"
    )  # This name is the same in both languages.
    face = build_card_faces(C)[C.card_ids.index("t31")]
    titles = [GAME.words.reader(language).format_arg(face.title) for language in ("en", "fr")]
    assert titles == ["letter of recommendation", "lettre de recommandation"]
    assert face.facts[-1].value == "BON : lettre de recommandation".replace(" :", "\N{NO-BREAK SPACE}:")


def test_the_title_of_a_voucher_is_its_name_without_the_word() -> None:
    """LM-8.2  In both languages a voucher's title is the rest of its printed name, and its band says "voucher"."""
    vouchers = [card for card, is_voucher in enumerate(C.bon) if is_voucher]
    assert len(vouchers) == len(VOUCHER_TITLES)
    for card in vouchers:
        face = build_card_faces(C)[card]
        for language in ("en", "fr"):
            read = GAME.words.reader(language).format_arg
            assert read(C.card_names[card]).endswith(read(face.title))
            assert read(C.card_names[card]) != read(face.title)
            assert read(face.band).casefold().endswith(("voucher", "bon"))


def test_a_voucher_of_an_edited_file_keeps_its_whole_name() -> None:
    other = Components(GAME.file.with_changes({"cards.territories.t31.name": "Voucher: a note"}))
    assert build_card_faces(other)[other.card_ids.index("t31")].title == other.card_names[other.card_ids.index("t31")]


def test_a_third_language_has_the_printed_name_next_to_its_own() -> None:
    genoa = C.space_names[space("gen")]
    assert find_second_name(genoa, "Genua") == "Gênes"
    assert find_second_name(Name("Genoa"), "Genua") == "Genoa"  # an edited file has no French names
