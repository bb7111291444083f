"""Search in the rules, rulings and components of a game, by words or by number."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.engine.component_kinds import ComponentKind
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.generated_rules import GeneratedRules
from triclinium.engine.registry import find_game_folder
from triclinium.engine.rule_numbers import Mark, fill_numbers
from triclinium.engine.variant import Variant
from triclinium.i18n.catalog import Domain
from triclinium.server import plugin_errors

CACHED_GAMES = 100  # cached combinations of a game and a language
MAX_QUERY_LENGTH = 60  # maximum length in characters
RULE_PATTERN = re.compile(
    r'<a id="([^"]+)"></a>\s*\*\*([A-Z]+-R?[\d.]+)\*\*\s*(.*?)(?=<a id="|^#|\Z)', re.DOTALL | re.MULTILINE
)
MARKUP_PATTERN = re.compile(r"[*`]|<[^>]+>|\[([^\]]+)\]\([^)]*\)")
WORD_PATTERN = re.compile(r"\w+")
RULES, RULINGS = "rules", "rulings"
RULE_PARTS = (RULES, RULINGS)
VARIANT_PATTERN = re.compile(
    r"`([a-z][a-z0-9_]*)(?: = ([a-z0-9_]+))?`(?:\s+`([a-z0-9_]+)`)?"
)  # variants and their values
COMPONENT_NUMBER_PATTERN = re.compile(r"[A-Za-z]+\d+")  # number that is printed on a card and can be cited


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """A search result: its list, number, title, text, link and searchable words."""

    part: str  # rules, rulings, or a kind of component
    number: str  # number of a rule or ruling, or id of a component
    title: str
    text: str
    href: str
    words: frozenset[str]


def normalize_text(text: str) -> str:
    """Return a text in lower case and without accents."""
    split = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in split if not unicodedata.combining(letter))


def split_words(text: str) -> list[str]:
    return WORD_PATTERN.findall(normalize_text(text))


def search_entries(game: Game, language: str, query: str) -> list[SearchEntry]:
    """Return the entries in which every word of the query is the start of a word.

    An entry whose number is the query comes first.
    """
    trimmed = query.strip()[:MAX_QUERY_LENGTH]
    exact_matches = [entry for entry in list_entries(game, language) if entry.number.lower() == trimmed.lower()]
    wanted = split_words(trimmed)
    if not wanted:
        return []
    matches = [entry for entry in list_entries(game, language) if all(_has_prefix(entry, word) for word in wanted)]
    return exact_matches + [entry for entry in matches if entry not in exact_matches]


def _has_prefix(entry: SearchEntry, word: str) -> bool:
    return any(own.startswith(word) for own in entry.words)


@lru_cache(CACHED_GAMES)
def list_entries(game: Game, language: str) -> tuple[SearchEntry, ...]:
    """Return all entries of a game: its rules and rulings in order, then its components."""
    return (*_parse_rules(game, language), *_list_components(game, language))


def load_rules_source(game: Game, language: str, mark: Mark | None = None) -> tuple[str, str]:
    """Return the rules as Markdown and their language. Rules are generated for a game that has no rules text.

    The numbers are those of the game's components. ``mark`` writes those that differ from the printed game.
    """
    source, spoken = load_unfilled_rules(game, language)
    return fill_numbers(source, game, spoken, mark), spoken


def load_unfilled_rules(game: Game, language: str) -> tuple[str, str]:
    """Return the rules with the placeholders of their numbers, and their language."""
    domain = Domain(game.id, find_game_folder(game, "data"))
    path = domain.find_file(f"rules.{language}.md") or domain.find_file("rules.en.md")
    if path is None:
        return _generate_rules(game, language), language
    spoken = path.suffixes[-2][1:]
    return label_variants(path.read_text(encoding="utf-8"), game, spoken), spoken


@lru_cache(CACHED_GAMES)
def _generate_rules(game: Game, language: str) -> str:
    rules = GeneratedRules(game, language)
    if rules.error is not None:
        plugin_errors.log_once(game.id, "generated rules", rules.error)
    return rules.to_markdown()


def label_variants(source: str, game: Game, language: str) -> str:
    """Return the rules with the displayed names of variants instead of their identifiers.

    The source has ``name``, ``name = value``, or only a value of the variant that was named last.
    """
    reader = game.words.reader(language)
    variants_by_name = {variant.name: variant for variant in game.variants}
    last: list[Variant] = []
    colon = "\N{NO-BREAK SPACE}: " if language == "fr" else ": "

    def replace_match(match: re.Match[str]) -> str:
        name, value = match[1], match[2] or match[3]
        if name in variants_by_name:
            last[:] = [variants_by_name[name]]
            label = reader.format_arg(variants_by_name[name].label)
            value = f"{colon}{reader.format_arg(last[0].name_of(last[0].read(value)))}" if value else ""
            return f"*{label}{value}*"
        if last and name in map(last[0].format_value, last[0].values):
            return f"*{reader.format_arg(last[0].name_of(last[0].read(name)))}*"
        return match[0]

    return VARIANT_PATTERN.sub(replace_match, source)


def find_rule(game: Game, language: str, number: str) -> SearchEntry | None:
    """Return the rule or ruling with this number, or None."""
    wanted = number.lower()
    return next(
        (
            entry
            for entry in list_entries(game, language)
            if entry.part in RULE_PARTS and entry.number.lower() == wanted
        ),
        None,
    )


def find_citing_rulings(game: Game, language: str, number: str) -> list[SearchEntry]:
    """Return the rulings that cite a rule."""
    cited = re.compile(rf"(?<![\w.-]){re.escape(number)}(?![\w-]|\.\d)", re.IGNORECASE)
    rulings = [
        entry
        for entry in list_entries(game, language)
        if entry.part == RULINGS and entry.number.lower() != number.lower()
    ]
    return [entry for entry in rulings if cited.search(entry.text)]


def find_component_rules(game: Game, language: str, component: SearchEntry) -> list[SearchEntry]:
    """Return the rules and rulings that mention a component by its full name or its number."""
    pattern = rf"\b{re.escape(normalize_text(component.title))}\b"
    if COMPONENT_NUMBER_PATTERN.fullmatch(component.number):
        pattern += rf"|\b{re.escape(normalize_text(component.number))}\b"
    return [
        entry
        for entry in list_entries(game, language)
        if entry.part in RULE_PARTS and re.search(pattern, normalize_text(entry.text))
    ]


def _parse_rules(game: Game, language: str) -> Iterator[SearchEntry]:
    source, _ = load_rules_source(game, language)
    for anchor, number, marked in RULE_PATTERN.findall(source):
        text = " ".join(MARKUP_PATTERN.sub(lambda match: match[1] or "", marked).split())
        part = RULINGS if number.partition("-")[2].startswith("R") else RULES
        words = frozenset(split_words(f"{number} {text}"))
        yield SearchEntry(part, number, number, text, f"/rules/{game.id}#{anchor}", words)


def _list_components(game: Game, language: str) -> Iterator[SearchEntry]:
    reader = game.words.reader(language)
    kinds = map_kinds_by_name(game)
    for name in game.gallery:
        kind = kinds[name]
        for n, id in enumerate(kind.ids):
            title, text = reader.format_arg(kind.names[n]), _format_card_text(kind, n, reader)
            href = f"/rules/{game.id}/components#{name}-{id}"
            yield SearchEntry(name, str(id), title, text, href, frozenset(split_words(f"{title} {text}")))


def _format_card_text(kind: ComponentKind, n: int, reader: Reader) -> str:
    """Return the text on a card below its title."""
    face = kind.get_face(n) if kind.shape == "card" else None
    card_texts = () if face is None else (*face.texts, face.about)
    return ", ".join(text for text in map(reader.format_arg, card_texts) if text)
