"""Rules, rulings and components are found by their number and by any word of their name."""

import pytest

from triclinium.boardkit.kinds import kinds_of
from triclinium.engine.registry import find_game, titles
from triclinium.server.library import RULES, RULINGS, entries, plain, search, words_of

OURS = ("evangelists", "ierusalem", "missionnaires", "portals", "testoftime")


@pytest.mark.parametrize("title", OURS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_rule_is_found_by_its_number(title: str, language: str) -> None:
    """Every rule and ruling of the rules page, and it comes first."""
    game = find_game(title)
    numbers = [entry.number for entry in entries(game, language) if entry.part in (RULES, RULINGS)]
    assert len(numbers) >= 90
    assert [search(game, language, number.lower())[0].number for number in numbers] == numbers


@pytest.mark.parametrize("title", OURS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_card_is_found_by_any_word_of_its_name(title: str, language: str) -> None:
    """A word of the name, or its beginning, without accents."""
    game = find_game(title)
    assert set(game.gallery) <= set(kinds_of(game))
    for entry in entries(game, language):
        if entry.part in game.gallery:
            assert entry.title
            assert all(plain(word) in entry.words for word in words_of(entry.title))
    first = next(entry for entry in entries(game, language) if entry.part in game.gallery)
    for word in words_of(first.title):
        assert first in search(game, language, word.upper())
        assert first in search(game, language, word[:-1] or word)


def test_a_question_of_several_words_wants_all_of_them() -> None:
    """Accents and capitals do not matter; a question of no word finds nothing."""
    game = find_game("portals")
    assert {one.title for one in search(game, "en", "JOSIAH king")} >= {"Josiah Becomes King"}
    assert search(game, "fr", "regions") == search(game, "fr", "régions") != []
    assert search(game, "en", " ?! ") == []
    assert search(game, "en", "zzz") == []


def test_a_game_that_shows_nothing_has_rules_to_search_all_the_same() -> None:
    """A game of somebody else may name no gallery, and no rules."""
    others = [find_game(title) for title in titles() if title not in OURS]
    assert all(isinstance(search(game, "en", "card"), list) for game in others)
