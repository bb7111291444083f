"""Tests of the search for rules, rulings and components by number and by words of their names."""

import re

import pytest

from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.engine.core.text import Arg
from triclinium.engine.registry import list_games, load_game
from triclinium.server.rule_search import (
    RULES,
    RULINGS,
    find_rule,
    list_entries,
    load_rules_source,
    normalize_text,
    search_entries,
    split_words,
)

OURS = ("evangelists", "ierusalem", "missionnaires", "portals", "testoftime")
EQUAL = {  # words with the same spelling in both languages
    "evangelists": {"Explosion", "Motif", "Traditions"},
    "ierusalem": {"Action", "Temple"},
    "missionnaires": {"Vote", "gendarmeries"},
    "portals": {"Miracle", "Ashdod", "Cana", "Gaza", "Nazareth", "Peniel", "Ur"},
    "testoftime": {"Testaments"},
}


@pytest.mark.parametrize("game_id", OURS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_rule_is_found_by_its_number(game_id: str, language: str) -> None:
    """Each rule and ruling of the rules page is the first result for its number."""
    game = load_game(game_id)
    numbers = [entry.number for entry in list_entries(game, language) if entry.part in (RULES, RULINGS)]
    assert len(numbers) >= 90
    assert [search_entries(game, language, number.lower())[0].number for number in numbers] == numbers


@pytest.mark.parametrize("game_id", OURS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_card_is_found_by_any_word_of_its_name(game_id: str, language: str) -> None:
    """A word of the name, or its beginning, is enough, without accents."""
    game = load_game(game_id)
    assert set(game.gallery) <= set(map_kinds_by_name(game))
    for entry in list_entries(game, language):
        if entry.part in game.gallery:
            assert entry.title
            assert all(normalize_text(word) in entry.words for word in split_words(entry.title))
    first = next(entry for entry in list_entries(game, language) if entry.part in game.gallery)
    for word in split_words(first.title):
        assert first in search_entries(game, language, word.upper())
        assert first in search_entries(game, language, word[:-1] or word)


@pytest.mark.parametrize("game_id", OURS)
def test_every_label_in_french_differs_or_is_listed_as_equal(game_id: str) -> None:
    """Labels are the choices of a table, the kinds of components, and the groups by which they are sorted."""
    game = load_game(game_id)
    english, french = game.words.reader("en"), game.words.reader("fr")
    labels: list[Arg] = [*game.gallery.values(), *(variant.label for variant in game.variants)]
    labels += [name for variant in game.variants for name in variant.value_names.values()]
    for kind in game.gallery:
        for facet in map_kinds_by_name(game)[kind].facets:
            labels += [facet.label, *(name for _, name in facet.values)]
    assert {
        english.format_arg(label) for label in labels if english.format_arg(label) == french.format_arg(label)
    } == EQUAL[game_id]


@pytest.mark.parametrize("game_id", OURS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_rules_use_the_offered_names_of_variants(game_id: str, language: str) -> None:
    """No rule or ruling contains an identifier, in either language."""
    game = load_game(game_id)
    text = load_rules_source(game, language)[0]
    names = {variant.name for variant in game.variants}
    assert not names & set(re.findall(r"`(\w+)", text))
    assert not re.search(r"[a-z]_[a-z]|`[\w ]+ = \w+`", text)
    for variant in game.variants:
        said = find_rule(game, language, variant.ruling)
        assert said is not None, variant.ruling


def test_a_ruling_names_the_value_in_words() -> None:
    found = {number: find_rule(load_game("portals"), "en", number) for number in ("PP-R14", "PP-R7")}
    assert found["PP-R14"] is not None
    assert "How far fuel reaches: Centuries: no;" in found["PP-R14"].text
    assert found["PP-R7"] is not None
    assert "(First player chooses)" in found["PP-R7"].text


def test_a_search_for_several_words_requires_all() -> None:
    """Accents and capitals do not matter. A query without words finds nothing."""
    game = load_game("portals")
    assert {one.title for one in search_entries(game, "en", "JOSIAH king")} >= {"Josiah Becomes King"}
    assert search_entries(game, "fr", "regions") == search_entries(game, "fr", "régions") != []
    assert search_entries(game, "en", " ?! ") == []
    assert search_entries(game, "en", "zzz") == []


def test_a_game_without_components_has_searchable_rules() -> None:
    """An external game may have no gallery and no rules."""
    others = [load_game(game_id) for game_id in list_games() if game_id not in OURS]
    assert all(isinstance(search_entries(game, "en", "card"), list) for game in others)
