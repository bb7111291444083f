"""What can be looked up of a game: its rules, rulings and components, found by any word or by their number."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from triclinium.boardkit.kind_lookup import kinds_of
from triclinium.engine.component_kinds import Kind
from triclinium.engine.core.text import Reader
from triclinium.engine.game import Game
from triclinium.engine.generated_rules import GeneratedRules
from triclinium.engine.registry import folder
from triclinium.engine.variant import Variant
from triclinium.i18n.catalog import Domain
from triclinium.server import plugin_errors

KEPT = 100  # games in a language
MOST = 60  # letters of a question
RULE = re.compile(
    r'<a id="([^"]+)"></a>\s*\*\*([A-Z]+-R?[\d.]+)\*\*\s*(.*?)(?=<a id="|^#|\Z)', re.DOTALL | re.MULTILINE
)
MARKS = re.compile(r"[*`]|<[^>]+>|\[([^\]]+)\]\([^)]*\)")
WORD = re.compile(r"\w+")
RULES, RULINGS = "rules", "rulings"
TEXTS = (RULES, RULINGS)
WRITTEN = re.compile(r"`([a-z][a-z0-9_]*)(?: = ([a-z0-9_]+))?`(?:\s+`([a-z0-9_]+)`)?")  # variants and their values
NUMBERED = re.compile(r"[A-Za-z]+\d+")  # what is printed on a card and can be cited


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that can be found: in which list it stands, what it is called, what it says, and where it is read."""

    part: str  # rules, rulings, or a kind of component
    number: str  # of a rule or ruling; the id of a component
    title: str
    text: str
    href: str
    words: frozenset[str]


def plain(text: str) -> str:
    """Without accents and capitals."""
    split = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in split if not unicodedata.combining(letter))


def words_of(text: str) -> list[str]:
    return WORD.findall(plain(text))


def search(game: Game, language: str, asked: str) -> list[Entry]:
    """Every entry that has each word of the question as the beginning of one of its own; a rule by its number first."""
    said = asked.strip()[:MOST]
    known = [entry for entry in entries(game, language) if entry.number.lower() == said.lower()]
    wanted = words_of(said)
    if not wanted:
        return []
    found = [entry for entry in entries(game, language) if all(_has(entry, word) for word in wanted)]
    return known + [entry for entry in found if entry not in known]


def _has(entry: Entry, word: str) -> bool:
    return any(own.startswith(word) for own in entry.words)


@lru_cache(KEPT)
def entries(game: Game, language: str) -> tuple[Entry, ...]:
    """All of a game, in the order of its rules and its box."""
    return (*_rules(game, language), *_components(game, language))


def rules_source(game: Game, language: str) -> tuple[str, str]:
    """Return the rules as they are written, and their language; those of a game without a text are generated."""
    domain = Domain(game.id, folder(game, "data"))
    path = domain.file(f"rules.{language}.md") or domain.file("rules.en.md")
    if path is None:
        return _generated(game, language), language
    spoken = path.suffixes[-2][1:]
    return in_words(path.read_text(encoding="utf-8"), game, spoken), spoken


@lru_cache(KEPT)
def _generated(game: Game, language: str) -> str:
    found = GeneratedRules(game, language)
    if found.error is not None:
        plugin_errors.note(game.id, "generated rules", found.error)
    return found.markdown()


def in_words(source: str, game: Game, language: str) -> str:
    """Rules whose variants are called as people are offered them, not by their names in files and in the API.

    Written are ``name``, ``name = value``, or a value alone of the variant that was named before.
    """
    reader = game.words.reader(language)
    known = {variant.name: variant for variant in game.variants}
    last: list[Variant] = []
    colon = "\N{NO-BREAK SPACE}: " if language == "fr" else ": "

    def said(found: re.Match[str]) -> str:
        name, value = found[1], found[2] or found[3]
        if name in known:
            last[:] = [known[name]]
            label = reader.say(known[name].label)
            value = f"{colon}{reader.say(last[0].name_of(last[0].read(value)))}" if value else ""
            return f"*{label}{value}*"
        if last and name in map(last[0].said, last[0].values):
            return f"*{reader.say(last[0].name_of(last[0].read(name)))}*"
        return found[0]

    return WRITTEN.sub(said, source)


def rule(game: Game, language: str, number: str) -> Entry | None:
    """A rule or ruling by its number."""
    wanted = number.lower()
    return next((one for one in entries(game, language) if one.part in TEXTS and one.number.lower() == wanted), None)


def citing(game: Game, language: str, number: str) -> list[Entry]:
    """The rulings that speak of a rule."""
    cited = re.compile(rf"(?<![\w.-]){re.escape(number)}(?![\w-]|\.\d)", re.IGNORECASE)
    found = [one for one in entries(game, language) if one.part == RULINGS and one.number.lower() != number.lower()]
    return [one for one in found if cited.search(one.text)]


def naming(game: Game, language: str, thing: Entry) -> list[Entry]:
    """The rules and rulings that name a component: by its whole name, or by its number."""
    named = rf"\b{re.escape(plain(thing.title))}\b"
    if NUMBERED.fullmatch(thing.number):
        named += rf"|\b{re.escape(plain(thing.number))}\b"
    return [one for one in entries(game, language) if one.part in TEXTS and re.search(named, plain(one.text))]


def _rules(game: Game, language: str) -> Iterator[Entry]:
    source, _ = rules_source(game, language)
    for anchor, number, marked in RULE.findall(source):
        text = " ".join(MARKS.sub(lambda found: found[1] or "", marked).split())
        part = RULINGS if number.partition("-")[2].startswith("R") else RULES
        words = frozenset(words_of(f"{number} {text}"))
        yield Entry(part, number, number, text, f"/rules/{game.id}#{anchor}", words)


def _components(game: Game, language: str) -> Iterator[Entry]:
    reader = game.words.reader(language)
    kinds = kinds_of(game)
    for name in game.gallery:
        kind = kinds[name]
        for n, id in enumerate(kind.ids):
            title, text = reader.say(kind.names[n]), _told(kind, n, reader)
            href = f"/rules/{game.id}/box#{name}-{id}"
            yield Entry(name, str(id), title, text, href, frozenset(words_of(f"{title} {text}")))


def _told(kind: Kind, n: int, reader: Reader) -> str:
    """What stands on a card beside its title."""
    face = kind.face_of(n) if kind.shape == "card" else None
    said = () if face is None else (*face.lines, face.about)
    return ", ".join(text for text in map(reader.say, said) if text)
