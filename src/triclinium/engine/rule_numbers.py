"""Numbers in the texts of a game, filled in from its components: the rules and the guide of an edition.

A text names a number by its path: ``{game.octagons_per_turn}``. Paths and whole numbers can be joined by ``*``, ``+``
and ``-``, as in ``{game.leaves_start*game.slots_per_leaf}``. After a colon the text says how the number is written:

    {path}                 3
    {path:word}            three; in French ``word-f`` is the feminine form
    {path:Word}            Three
    {path:ordinal}         third; in French ``ordinal-f`` is the feminine form
    {path:card|cards}      the word that fits the number, without the number; ``#`` is the number in words
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, Protocol, TypeAlias

from triclinium.engine.components_schema import ComponentsSchema
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadComponents
from triclinium.engine.core.text import MINUS

_PATH: Final = r"[a-z_][\w.]*|\d+"
PLACEHOLDER: Final = re.compile(rf"\{{((?:[a-z_]\w*\.[\w.]+)(?:[*+-](?:{_PATH}))*)(?::([^{{}}]*))?\}}")
_TERM: Final = re.compile(rf"([*+-]?)({_PATH})")

# fmt: off
ENGLISH_WORDS: Final = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)
FRENCH_WORDS: Final = (
    "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize",
    "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf", "vingt",
)
ENGLISH_ORDINALS: Final = (
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)
FRENCH_ORDINALS: Final = (
    "zéroième", "premier", "deuxième", "troisième", "quatrième", "cinquième", "sixième", "septième", "huitième",
    "neuvième", "dixième",
)
# fmt: on

Mark: TypeAlias = Callable[[str, str], str]  # returns the text for a number that differs from the printed one


class NumberSource(Protocol):
    """A game, or a draft of an edition that breaks constraints and cannot be built."""

    @property
    def components_schema(self) -> ComponentsSchema | None: ...

    @property
    def file(self) -> ComponentsFile: ...


class NumberText(NamedTuple):
    """A placeholder of a text: the paths that it reads, and its text for an edition and for the printed game."""

    paths: tuple[str, ...]
    text: str
    printed: str


def fill_numbers(source: str, game: NumberSource, language: str, mark: Mark | None = None) -> str:
    """Return the text with the numbers of the game. ``mark`` writes those that differ from the printed game.

    Raise BadComponents if the text names a path that does not exist.
    """

    def replace(match: re.Match[str]) -> str:
        number = read_placeholder(match, game, language)
        shows_number = "|" not in (match[2] or "") or "#" in match[2]
        is_changed = shows_number and number.text != number.printed
        return mark(number.text, number.printed) if mark is not None and is_changed else number.text

    return source if game.components_schema is None else PLACEHOLDER.sub(replace, source)


def read_placeholder(match: re.Match[str], game: NumberSource, language: str) -> NumberText:
    """Return the text of one placeholder."""
    schema = game.components_schema
    assert schema is not None
    terms = _TERM.findall(match[1])
    texts = [format_number(_compute(terms, file), match[2] or "", language) for file in (game.file, schema.printed)]
    return NumberText(tuple(path for _, path in terms if not path.isdigit()), texts[0], texts[1])


def list_placeholder_paths(source: str) -> set[str]:
    """Return every path that the text names."""
    return {path for match in PLACEHOLDER.finditer(source) for _, path in _TERM.findall(match[1]) if not path.isdigit()}


def _compute(terms: Sequence[tuple[str, str]], file: ComponentsFile) -> int:
    """Return the value of an expression; a product binds its two neighbours only."""
    total = 0
    last = 0
    for sign, path in terms:
        value = int(path) if path.isdigit() else file.value_at(path)
        if isinstance(value, bool) or not isinstance(value, int):
            raise BadComponents(f"{path}: must be a whole number, not {value!r}")
        if sign == "*":
            total += last * value - last
            last *= value
        else:
            last = -value if sign == "-" else value
            total += last
    return total


@lru_cache(4096)
def format_number(number: int, form: str, language: str) -> str:
    """Return a number in digits, in words, as an ordinal, or one of the words separated by ``|`` that fits it."""
    if "|" in form:
        forms = form.split("|")
        chosen = forms[0] if number == 1 or (language == "fr" and number == 0) else forms[-1]
        return chosen.replace("#", _format_word(number, language, False))
    kind, _, gender = form.partition("-")
    if kind.lower() == "word":
        text = _format_word(number, language, gender == "f")
    elif kind.lower() == "ordinal":
        text = _format_ordinal(number, language, gender == "f")
    elif form:
        raise BadComponents(f"{form}: a number has no such form")
    else:
        return str(number).replace("-", MINUS)
    return text[0].upper() + text[1:] if kind[0].isupper() else text


def _format_word(number: int, language: str, is_feminine: bool) -> str:
    words = FRENCH_WORDS if language == "fr" else ENGLISH_WORDS
    if not 0 <= number < len(words):
        return str(number).replace("-", MINUS)
    return "une" if is_feminine and number == 1 and language == "fr" else words[number]


def _format_ordinal(number: int, language: str, is_feminine: bool) -> str:
    ordinals = FRENCH_ORDINALS if language == "fr" else ENGLISH_ORDINALS
    if language == "fr" and number == 1 and is_feminine:
        return "première"
    if 0 < number < len(ordinals):
        return ordinals[number]
    if language == "fr":
        return f"{number}e"
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
