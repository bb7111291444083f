"""What a game says: in every language it has a catalogue of, to every viewer, with nothing left untranslated."""

import re
from collections.abc import Iterator, Mapping

from triclinium.boardkit.text_table import table_text
from triclinium.engine.core.event import Event
from triclinium.engine.core.state import NOBODY, State
from triclinium.engine.core.text import Message, Name, Reader
from triclinium.engine.game import Game
from triclinium.engine.game_text import Words
from triclinium.engine.variant import Variant
from triclinium.i18n.catalog import ENGINE, ENGLISH, languages
from triclinium.i18n.po import BETWEEN, read_po
from triclinium.testing.sample import Sample

HOLE = re.compile(r"\{(\d+|who|\*)(?::([^}]*))?\}")
NAMES = ("Ann", "Ben", "Cléo", "Dan", "Éva", "Flo")


class Noting(Mapping[str, str]):
    """A catalogue that notes what it was asked for and lacks. (Not a `Reader`: compiled ones have no heirs.)"""

    def __init__(self, known: Mapping[str, str], missing: set[str]) -> None:
        self.known = known
        self.missing = missing

    def __getitem__(self, key: str) -> str:
        if key not in self.known:
            text = key.rpartition(BETWEEN)[2]
            if re.search(r"\w", HOLE.sub("", text)):
                self.missing.add(text)
        return self.known[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)

    def __bool__(self) -> bool:
        return True  # an empty one lacks everything, and is asked all the same


def noting(words: Words, language: str, missing: set[str]) -> Reader:
    """A reader of a language that notes what its catalogue lacks."""
    found = words.catalog(language)
    return Reader(language, Noting(found.messages, missing), NAMES, found.plural, words.name_of)


def spoken(game: Game) -> list[str]:
    """The languages, besides English, that a game has a catalogue of."""
    domain = game.words.domain
    return [] if domain is None else sorted(domain.languages() & set(languages()) - {ENGLISH})


def translations(game: Game, language: str) -> dict[str, str]:
    """What a game's own catalogue says, by the English text."""
    path = None if game.words.domain is None else game.words.domain.file(f"{language}.po")
    messages = {} if path is None else read_po(path).messages
    return {text.rpartition(BETWEEN)[2]: said for text, said in messages.items()}


def readers(sample: Sample) -> list[Reader]:
    """One of each language, English first."""
    if not sample.readers:
        words = sample.game.words
        others = [noting(words, language, sample.tally.missing) for language in spoken(sample.game)]
        sample.readers = [words.reader(ENGLISH, NAMES), *others]
    return sample.readers


def hear(message: Message, sample: Sample) -> str:
    """Read a message in every language and see that it is whole; the English."""
    said = [reader.read(message) for reader in readers(sample)]
    for sentence in said:
        assert sentence, f"{message.text!r} says nothing"
        assert sentence.strip() == sentence, f"{sentence!r} has blanks around it"
        assert "{" not in sentence, f"{sentence!r} has a hole"
        assert "  " not in sentence, f"{sentence!r} has two blanks"
    return said[0]


def the_decision_is_said_in_every_language(game: Game, s: State, sample: Sample) -> None:
    words = game.words
    hear(words.question(s), sample)
    if s.asked.automatic:
        hear(Message(s.asked.automatic), sample)
    labelled: dict[str, str] = {}
    for o in s.candidates():
        said = hear(words.label(s, o), sample)
        kind = re.sub(r"\d+", "", words.notation.say(o))  # copies of one card are told apart by a number only
        assert labelled.setdefault(said, kind) == kind, f"{s.asked} labels two candidates {said!r}"


def refusals_are_said_in_every_language(game: Game, s: State, sample: Sample) -> None:
    """Every rule that refuses a candidate fills its template with the parameters that the step gives."""
    legal = set(s.legal)
    for o in s.candidates():
        rule = None if o in legal else s.asked.forbids(s, o)
        if rule is not None:
            hear(Message(rule.text, *s.asked.rule_parameters(s, o, rule)), sample)


def every_event_is_told_in_every_language_to_every_viewer(game: Game, events: list[Event], sample: Sample) -> None:
    for event in events:
        told: set[tuple[object, ...]] = set()
        for viewer in sample.viewers:
            message = game.words.event(event.for_viewer(viewer), viewer)
            if message is not None and (message.text, repr(message)) not in told:
                told.add((message.text, repr(message)))
                sample.tally.told += 1
                hear(message, sample)


def the_score_sheet_is_said_in_every_language(game: Game, s: State, sample: Sample) -> None:
    for score in sample.scores():
        for line in score.lines:
            hear(game.words.score_line(line.name), sample)
            hear(game.words.score_line(line.group), sample)


def the_table_is_shown_in_every_language_to_every_viewer(game: Game, s: State, sample: Sample) -> None:
    for viewer in sample.viewers:
        view = game.view(s, None if viewer == NOBODY else viewer)
        english, *others = (table_text(game, view, reader) for reader in readers(sample))
        assert english.strip(), f"the table is empty for {viewer}"
        for table in (english, *others):
            assert "{" not in table, f"the table has a hole for {viewer}"
        for table in others:
            assert table != english, f"the table is not translated for {viewer}"


# -- the catalogues --------------------------------------------------------------------------------------------------


def holes(text: str) -> set[tuple[str, str]]:
    """The numbers to be filled in, and as what; the words of a plural are each language's own affair."""
    return {(number, kind) for number, kind in HOLE.findall(text) if "|" not in kind}


def every_translation_has_the_holes_of_its_template(game: Game) -> None:
    for language in spoken(game):
        for english, other in translations(game, language).items():
            assert holes(english) == holes(other), f"{english!r} and {other!r} are not filled in alike"
            numbers = {number for number, _ in HOLE.findall(english)}
            assert {number for number, _ in HOLE.findall(other)} <= numbers, f"{other!r} has a hole of its own"
            for text in (english, other):
                assert "{" not in HOLE.sub("", text), f"{text!r} has a brace that is no hole"


def every_plural_has_the_forms_of_its_language(game: Game) -> None:
    """Two in English and French; as many as the catalogue's Plural-Forms say elsewhere."""
    for language in (ENGLISH, *spoken(game)):
        plural = game.words.catalog(language).plural
        forms = 1 + max(plural(n) for n in range(200))
        said = translations(game, language).values() if language != ENGLISH else _templates(game)
        for text in said:
            for _, kind in HOLE.findall(text):
                assert "|" not in kind or kind.count("|") == forms - 1, f"{text!r}: {forms} forms are wanted"


def _templates(game: Game) -> set[str]:
    return {text for language in spoken(game) for text in translations(game, language)}


def a_translation_is_not_english(game: Game) -> None:
    for language in spoken(game):
        for english, other in translations(game, language).items():
            long = len(re.findall(r"[a-z]+", HOLE.sub("", english))) > 3
            assert english != other or not long, f"{english!r} is not translated into {language}"


def french_has_its_typography(game: Game) -> None:
    """A space stands before : ; ? and !, and dashes are not put together from hyphens."""
    if "fr" not in spoken(game):
        return
    engine = read_po(ENGINE.folder / "fr.po").messages.values()
    for french in [*engine, *translations(game, "fr").values()]:
        if french == game.name.text:
            continue  # a game that keeps its English name keeps its colon
        plain = HOLE.sub("x", french)
        assert not re.search(r"[^\s\u00a0\u202f:;?!\d][:;?!](\s|$)", plain), f"{french!r} lacks a space"
        assert " -- " not in plain, f"{french!r} has a dash of hyphens"


def names_of(variant: Variant) -> list[Name]:
    """What people read of a variant: its label, its sentence, its values; yes and no are everybody's."""
    values = [variant.name_of(value) for value in variant.values if not isinstance(value, bool)]
    named = [value for value in (*values, *variant.named.values()) if isinstance(value, Name)]
    return [variant.label, variant.sentence, *named]


def a_game_and_its_variants_have_names_in_every_language(game: Game) -> None:
    assert game.name.text, "the game has no name"
    for language in spoken(game):
        messages = game.words.catalog(language).messages
        said = [name for variant in game.variants for name in names_of(variant)]
        for name in (game.name, *said):
            known = f"{name.context}{BETWEEN}{name.text}" in messages
            assert known, f"{name.text!r} is not translated into {language}"
    for variant in game.variants:
        assert variant.ruling.startswith(game.prefix), f"the variant {variant.name} cites {variant.ruling}"
