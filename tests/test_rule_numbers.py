"""Tests that the texts of a game follow its numbers, in every language."""

import re

import pytest

from tests.edited_components import get_schema
from tests.matches import list_our_games
from tests.test_game_rules import folder_of
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadComponents
from triclinium.engine.game import Game
from triclinium.engine.numbers import list_numbers
from triclinium.engine.registry import load_game
from triclinium.engine.rule_numbers import (
    PLACEHOLDER,
    fill_numbers,
    format_number,
    list_placeholder_paths,
    read_placeholder,
)
from triclinium.i18n.catalog import list_languages
from triclinium.server.rule_search import find_rule, load_rules_source

every_game = pytest.mark.parametrize("game", list_our_games(), ids=lambda game: game.id)
every_language = pytest.mark.parametrize("language", list_languages())

# Numbers that no sentence of the rules mentions, by game: those of single cards, pieces and spaces.
NOT_IN_RULES: dict[str, set[str]] = {
    "evangelists": set(),
    "portals": {"events.card.*.points", "events.card.*.fuel"},
    "missionnaires": {"cards.territories|sea.*.n"},
    "ierusalem": {
        "cards.red|yellow|green|blue|mahane|xxxiii.*.apostle_vp",
        "locations.list.*.squares.*",
        "locations.tiles_each",
        "favors.track_vp.*",
    },
    "testoftime": {
        "testament.*.sections.*",
    },
}


class Edited:
    """A game on a file with other numbers, without a check of its constraints: texts read only the numbers."""

    def __init__(self, game: Game, file: ComponentsFile) -> None:
        self.file = file
        self.components_schema = game.components_schema


def read_source(game: Game, language: str) -> str:
    return (folder_of(game) / "data" / f"rules.{language}.md").read_text(encoding="utf-8")


def read_guide(game: Game, language: str) -> str:
    """Return the guide of a game in one language, with its placeholders."""
    guide = (folder_of(game) / "data" / "guide.toml").read_text(encoding="utf-8")
    if language == "en":
        return guide
    return (folder_of(game) / "data" / "locale" / f"{language}.po").read_text(encoding="utf-8")


def fill(source: str, game: Game, language: str, changes: dict[str, object] | None = None) -> str:
    edited = Edited(game, get_schema(game).printed.with_changes(changes or {}))
    return fill_numbers(source, edited, language)


@every_game
@every_language
def test_every_number_that_the_rules_mention_is_read_from_the_edition(game: Game, language: str) -> None:
    """Each number is changed alone, and each of its placeholders that shows a number then shows the new one."""
    source = read_source(game, language)
    shown = {number.path: number for number in list_numbers(game)}
    paths = list_placeholder_paths(source)
    assert paths
    for path in sorted(paths):
        number = shown[path]
        value = number.high if number.high != number.value else number.low
        assert value != number.value, f"{path} has one value"
        edited = Edited(game, get_schema(game).printed.with_changes({path: value}))
        texts = []
        for match in PLACEHOLDER.finditer(source):
            if path in match[0]:
                found = read_placeholder(match, edited, language)
                texts.append(found)
        assert any(found.text != found.printed for found in texts), path
        assert fill(source, game, language, {path: value}) != fill(source, game, language), path


@every_game
def test_all_languages_mention_the_same_numbers(game: Game) -> None:
    for read in (read_source, read_guide):
        english, *others = [list_placeholder_paths(read(game, language)) for language in list_languages()]
        for paths in others:
            assert paths == english, paths ^ english


@every_game
def test_the_rules_mention_every_number_or_it_is_listed_here(game: Game) -> None:
    mentioned = list_placeholder_paths(read_source(game, "en"))
    missing = set()
    for span in get_schema(game).ranges:
        pattern = re.compile(
            r"\.".join("[^.]+" if step == "*" else f"(?:{step})" for step in span.path.split(".")) + r"\Z"
        )
        if not span.hidden and not any(pattern.match(path) for path in mentioned):
            missing.add(span.path)
    assert missing == NOT_IN_RULES[game.id]


@every_game
@every_language
def test_no_placeholder_is_left_in_any_text(game: Game, language: str) -> None:
    text, spoken = load_rules_source(game, language)
    assert spoken == language
    assert not re.search(r"[{}]", text)
    guide = fill(read_guide(game, language), game, language)
    assert not PLACEHOLDER.search(guide)


def test_the_rules_of_an_edition_say_its_numbers_in_words() -> None:
    """AE-2.3, AE-2.1  Four octagons and seven rounds, with the right plural, gender and mark."""
    printed = load_game("evangelists")
    game = printed.with_components(
        printed.file.with_changes({"game.octagons_per_turn": 4, "game.rounds.3": 7, "game.cost_strong": 1})
    )
    rule = find_rule(game, "en", "AE-2.3")
    assert rule is not None
    assert rule.text == (
        "You have four octagons for your turn. A weak action costs one octagon, a strong action costs one."
    )
    rule = find_rule(game, "fr", "AE-2.1")
    assert rule is not None
    assert rule.text == "La partie dure six manches à deux joueurs, sept à trois, six à quatre et cinq à cinq."
    marked, _ = load_rules_source(game, "en", lambda text, printed: f"<{text}/{printed}>")
    assert "You have <four/three> octagons for your turn" in " ".join(marked.split())
    unmarked, _ = load_rules_source(printed, "en", lambda text, printed: f"<{text}/{printed}>")
    assert "/" not in "".join(re.findall(r"<[^>/]+/[^>]+>", unmarked))


@pytest.mark.parametrize(
    ("number", "form", "language", "text"),
    [
        (3, "", "en", "3"),
        (-5, "", "en", "\N{MINUS SIGN}5"),
        (0, "word", "en", "no"),
        (1, "word-f", "fr", "une"),
        (1, "word", "fr", "un"),
        (21, "word", "fr", "21"),
        (2, "Word-f", "fr", "Deux"),
        (1, "ordinal-f", "fr", "première"),
        (3, "ordinal", "en", "third"),
        (21, "ordinal", "en", "21st"),
        (112, "ordinal", "en", "112th"),
        (13, "ordinal", "fr", "13e"),
        (1, "card|cards", "en", "card"),
        (0, "card|cards", "en", "cards"),
        (0, "carte|cartes", "fr", "carte"),
        (4, "one space|one to # spaces", "en", "one to four spaces"),
    ],
)
def test_a_number_is_written_as_its_language_does(number: int, form: str, language: str, text: str) -> None:
    assert format_number(number, form, language) == text


def test_numbers_can_be_joined() -> None:
    game = load_game("evangelists")
    source = "{game.leaves_start*game.slots_per_leaf+1:word} {game.cost_strong-game.cost_weak}"
    assert fill_numbers(source, game, "en") == "seven 1"


def test_a_wrong_placeholder_is_reported() -> None:
    game = load_game("evangelists")
    with pytest.raises(BadComponents, match="there is no 'octagon'"):
        fill_numbers("{game.octagon}", game, "en")
    with pytest.raises(BadComponents, match="no such form"):
        fill_numbers("{game.cost_weak:words}", game, "en")
