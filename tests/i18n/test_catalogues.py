"""Tests of catalogues: complete, consistent with the code, with the same placeholders."""

import re
from pathlib import Path

import pytest
from markupsafe import Markup

from tests.matches import list_our_games
from triclinium.engine.rule_numbers import fill_numbers
from triclinium.i18n.catalog import ENGINE, Domain, list_languages, load_catalog
from triclinium.i18n.po import BadCatalogue, read_po, unwrap_text
from triclinium.testing.extract import extract_template
from triclinium.testing.messages import (
    CatalogPart,
    find_problems,
    list_package_parts,
    main,
    make_game_part,
    update_catalogue,
)
from triclinium.testing.text_checks import PLACEHOLDER, find_placeholders
from triclinium.testing.typography import APOSTROPHE
from triclinium.web.i18n import Localizer

SOURCES = Path(__file__).parents[2] / "src" / "triclinium"
KUHN = Path(__file__).parents[2] / "examples" / "kuhn" / "kuhn"
PARTS = [*list_package_parts(), make_game_part(KUHN)]
GAMES = {game.id: game for game in list_our_games()}
FILES = [(part, path) for part in PARTS for path in sorted(part.locale.glob("*.po"))]
every_file = pytest.mark.parametrize(("part", "path"), FILES, ids=lambda one: getattr(one, "name", ""))


@every_file
def test_a_catalogue_translates_every_sentence_and_no_other(part: CatalogPart, path: Path) -> None:
    assert not find_problems(part, path)


@every_file
def test_a_translation_keeps_placeholders(part: CatalogPart, path: Path) -> None:
    """The numbers of a game are filled in first, as on its pages."""
    game = GAMES.get(part.name)
    for key, translation in read_po(path).messages.items():
        english, other = key.rpartition("\x04")[2], translation
        if game is not None:
            english, other = fill_numbers(english, game, "en"), fill_numbers(other, game, path.stem)
        assert find_placeholders(english) == find_placeholders(other), english
        assert "{" not in PLACEHOLDER.sub("", other), other


@every_file
def test_french_has_its_typography(part: CatalogPart, path: Path) -> None:
    for other in read_po(path).messages.values():
        plain = PLACEHOLDER.sub("x", other)
        assert not re.search(r"[^\s\u00a0\u202f:;?!\d«][;?!](\s|$)", plain), f"{other!r} lacks a space"


@every_file
def test_apostrophes_are_curly_in_both_languages(part: CatalogPart, path: Path) -> None:
    """The frame and the games are read side by side on one page. Straight signs only quote code, such as 'shows'."""
    for key, other in read_po(path).messages.items():
        for text in (key.rpartition("\x04")[2], other):
            assert not APOSTROPHE.search(text), text


@pytest.mark.parametrize("path", sorted(SOURCES.glob("games/*/data/rules.*.md")), ids=lambda path: f"{path.parts[-3:]}")
def test_apostrophes_are_curly_in_rules(path: Path) -> None:
    assert not APOSTROPHE.search(re.sub(r"`[^`]*`", "", path.read_text(encoding="utf-8")))


def test_every_part_speaks_every_language() -> None:
    for part in PARTS:
        assert {path.stem for path in part.locale.glob("*.po")} == set(list_languages()) - {"en"}, part.name


PO = """msgid ""
msgstr ""
"Language: pl\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"

# a remark
#: somewhere.py:3
msgid "fig"
msgstr "figa"

msgctxt "tree"
msgid "fig"
msgstr ""
"figow"
"iec"

#, fuzzy
msgid "unsure"
msgstr "niepewny"

msgid "a \\"quoted\\"\\nline"
msgstr "„cytat”\\nwiersz"

msgid "untranslated"
msgstr ""

#~ msgid "gone"
#~ msgstr "dawny"
"""


def test_a_template_may_wrap_a_message() -> None:
    """The catalogue and the reader have it on one line."""
    source = """{{ _("One {0},
        another.", x) }}{{ plural_text("{1} {0:deal|deals}", 3) }}{{ other("nothing") }}"""
    assert [text.text for text in extract_template(source)] == ["One {0}, another.", "{1} {0:deal|deals}"]
    assert unwrap_text("One {0},\n    another.") == "One {0}, another."


def test_new_catalogues_are_read(tmp_path: Path) -> None:
    (tmp_path / "pl.po").write_text(PO, encoding="utf-8")
    found = read_po(tmp_path / "pl.po")
    assert found.headers["Language"] == "pl"
    assert found.messages == {"fig": "figa", "tree\x04fig": "figowiec", 'a "quoted"\nline': "„cytat”\nwiersz"}


def test_a_broken_catalogue_is_reported(tmp_path: Path) -> None:
    (tmp_path / "pl.po").write_text('msgid "fig"\nmsgstr "figa\n', encoding="utf-8")
    with pytest.raises(BadCatalogue, match=r"pl\.po: cannot read '\"figa'"):
        read_po(tmp_path / "pl.po")


def test_a_language_is_there_when_the_engine_speaks_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "pl.po").write_text(PO, encoding="utf-8")
    monkeypatch.setenv("TRICLINIUM_LOCALES", str(tmp_path))
    list_languages.cache_clear()
    load_catalog.cache_clear()
    try:
        assert list_languages() == ("en", "fr", "pl")
        found = load_catalog("pl", Domain("nowhere", tmp_path / "nowhere"))
        assert found.messages["fig"] == "figa"
        assert [found.plural(n) for n in (1, 2, 5)] == [0, 1, 2]
        assert ENGINE.find_file("fr.po") == ENGINE.folder / "fr.po"
    finally:
        list_languages.cache_clear()
        load_catalog.cache_clear()


def test_messages_begins_a_catalogue_and_brings_it_up_to_date(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.py").write_text('LABEL = msgid("Draw")\n', encoding="utf-8")
    assert main([str(tmp_path), "--language", "fr"]) == 0
    path = tmp_path / "data" / "locale" / "fr.po"
    assert main([str(tmp_path), "--check"]) == 1
    assert "has no translation of 'Draw'" in capsys.readouterr().out
    path.write_text(
        path.read_text(encoding="utf-8").replace('msgid "Draw"\nmsgstr ""', 'msgid "Draw"\nmsgstr "Piocher"')
    )
    assert main([str(tmp_path), "--check"]) == 0
    (tmp_path / "game.py").write_text('LABEL = msgid("Draw!")\n', encoding="utf-8")
    assert "which no source file has" in "".join(find_problems(make_game_part(tmp_path), path))
    update_catalogue(make_game_part(tmp_path), path)
    assert main([str(tmp_path), "--check"]) == 1
    assert "is not sure of 'Draw!'" in capsys.readouterr().out


def test_french_punctuation_never_starts_a_line(tmp_path: Path) -> None:
    """Translators type normal spaces. `--check` names the sentence, and `make messages` corrects it."""
    (tmp_path / "game.py").write_text("LABEL = msgid(\"Draw: {0}; '{1}'?\")\n", encoding="utf-8")
    path = tmp_path / "data" / "locale" / "fr.po"
    assert main([str(tmp_path), "--language", "fr"]) == 0
    typed = path.read_text(encoding="utf-8").replace('?"\nmsgstr ""', '?"\nmsgstr "Pioche : {0} ; « {1} » ?"')
    path.write_text(typed, encoding="utf-8")
    assert [one.partition(": ")[2] for one in find_problems(make_game_part(tmp_path), path)] == [
        "fr.po has wrong spaces or apostrophes in the translation of \"Draw: {0}; '{1}'?\""
    ]
    update_catalogue(make_game_part(tmp_path), path)
    assert not find_problems(make_game_part(tmp_path), path)
    assert list(read_po(path).messages.values()) == ["Pioche\u00a0: {0}\u202f; «\u00a0{1}\u00a0»\u202f?"]


def test_the_output_of_a_macro_is_escaped_once() -> None:
    assert Localizer("fr")("{0}: {1}", Markup("l&#39;arche"), "a<b") == "l'arche\u00a0: a<b"
