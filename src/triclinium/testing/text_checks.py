"""Checks of a game's texts: every message in every language of its catalogues, for every viewer."""

import re
from collections.abc import Iterator, Mapping

from triclinium.boardkit.text_table import format_game_table
from triclinium.engine.core.event import Event
from triclinium.engine.core.state import NOBODY, State
from triclinium.engine.core.text import Message, Name, Reader
from triclinium.engine.game import Game
from triclinium.engine.game_text import GameText
from triclinium.engine.rule_numbers import fill_numbers
from triclinium.engine.variant import Variant
from triclinium.i18n.catalog import ENGINE, ENGLISH, list_languages
from triclinium.i18n.po import CONTEXT_SEPARATOR, read_po
from triclinium.testing.sample import MatchSample

PLACEHOLDER = re.compile(r"\{(\d+|who|\*)(?::([^}]*))?\}")
PLAYER_NAMES = ("Ann", "Ben", "Cléo", "Dan", "Éva", "Flo")


class RecordingCatalog(Mapping[str, str]):
    """A catalogue that notes missing messages.

    It is no subclass of `Reader`, because compiled classes cannot be extended.
    """

    def __init__(self, known: Mapping[str, str], missing: set[str]) -> None:
        self.known = known
        self.missing = missing

    def __getitem__(self, key: str) -> str:
        if key not in self.known:
            text = key.rpartition(CONTEXT_SEPARATOR)[2]
            if re.search(r"\w", PLACEHOLDER.sub("", text)):
                self.missing.add(text)
        return self.known[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)

    def __bool__(self) -> bool:
        return True  # an empty catalogue must still be used, because all its messages are missing


def make_recording_reader(words: GameText, language: str, missing: set[str]) -> Reader:
    """Return a reader for a language that notes missing messages."""
    catalog = words.catalog(language)
    return Reader(language, RecordingCatalog(catalog.messages, missing), PLAYER_NAMES, catalog.plural, words.name_of)


def list_translated_languages(game: Game) -> list[str]:
    """Return the languages other than English for which a game has a catalogue."""
    domain = game.words.domain
    return [] if domain is None else sorted(domain.list_languages() & set(list_languages()) - {ENGLISH})


def read_translations(game: Game, language: str) -> dict[str, str]:
    """Return the translations in a game's own catalogue by English text."""
    path = None if game.words.domain is None else game.words.domain.find_file(f"{language}.po")
    messages = {} if path is None else read_po(path).messages
    return {text.rpartition(CONTEXT_SEPARATOR)[2]: translation for text, translation in messages.items()}


def get_readers(sample: MatchSample) -> list[Reader]:
    """Return one reader for each language, English first."""
    if not sample.readers:
        words = sample.game.words
        others = [
            make_recording_reader(words, language, sample.totals.missing_texts)
            for language in list_translated_languages(sample.game)
        ]
        sample.readers = [words.reader(ENGLISH, PLAYER_NAMES), *others]
    return sample.readers


def check_message(message: Message, sample: MatchSample) -> str:
    """Check a message in every language and return the English text."""
    sentences = [reader.read(message) for reader in get_readers(sample)]
    for sentence in sentences:
        assert sentence, f"{message.text!r} says nothing"
        assert sentence.strip() == sentence, f"{sentence!r} has blanks around it"
        assert "{" not in sentence, f"{sentence!r} has a hole"
        assert "  " not in sentence, f"{sentence!r} has two blanks"
    return sentences[0]


def decisions_are_translated(game: Game, s: State, sample: MatchSample) -> None:
    words = game.words
    check_message(words.question(s), sample)
    if s.asked.auto_reply_text:
        check_message(Message(s.asked.auto_reply_text), sample)
    for text in (s.asked.completed_text, *s.asked.plan_texts.values()):
        if text:
            check_message(Message(text), sample)
    labelled: dict[str, str] = {}
    for o in s.candidates():
        label = check_message(words.label(s, o), sample)
        kind = re.sub(r"\d+", "", words.notation.format_option(o))  # only a number distinguishes copies of one card
        assert labelled.setdefault(label, kind) == kind, f"{s.asked} labels two candidates {label!r}"


def refusals_are_translated(game: Game, s: State, sample: MatchSample) -> None:
    """Check the message of every rule that refuses a candidate, with the parameters of the step."""
    legal = set(s.legal)
    for o in s.candidates():
        rule = None if o in legal else s.asked.forbids(s, o)
        if rule is not None:
            check_message(Message(rule.text, *s.asked.rule_parameters(s, o, rule)), sample)


def events_are_translated_for_every_viewer(game: Game, events: list[Event], sample: MatchSample) -> None:
    for event in events:
        checked: set[tuple[object, ...]] = set()
        for viewer in sample.viewers:
            message = game.words.event_message(event.for_viewer(viewer), viewer)
            if message is not None and (message.text, repr(message)) not in checked:
                checked.add((message.text, repr(message)))
                sample.totals.event_count += 1
                check_message(message, sample)


def score_sheets_are_translated(game: Game, s: State, sample: MatchSample) -> None:
    for score in sample.scores():
        for line in score.lines:
            check_message(game.words.score_line(line.name), sample)
            check_message(game.words.score_line(line.group), sample)


def tables_are_translated_for_every_viewer(game: Game, s: State, sample: MatchSample) -> None:
    for viewer in sample.viewers:
        view = game.view(s, None if viewer == NOBODY else viewer)
        english, *others = (format_game_table(game, view, reader) for reader in get_readers(sample))
        assert english.strip(), f"the table is empty for {viewer}"
        for table in (english, *others):
            assert "{" not in table, f"the table has a hole for {viewer}"
        for table in others:
            assert table != english, f"the table is not translated for {viewer}"


# -- the catalogues ----------------------------------------------------------------------------------------------


def find_placeholders(text: str) -> set[tuple[str, str]]:
    """Return the placeholders of a text as number and kind.

    Plural forms are left out, because they differ by language.
    """
    return {(number, kind) for number, kind in PLACEHOLDER.findall(text) if "|" not in kind}


def translations_keep_their_placeholders(game: Game) -> None:
    """Require the same placeholders in both texts, after the numbers of the edition are filled in."""
    for language in list_translated_languages(game):
        for source, translation in read_translations(game, language).items():
            english, other = fill_numbers(source, game, ENGLISH), fill_numbers(translation, game, language)
            assert find_placeholders(english) == find_placeholders(other), (
                f"{english!r} and {other!r} are not filled in alike"
            )
            numbers = {number for number, _ in PLACEHOLDER.findall(english)}
            assert {number for number, _ in PLACEHOLDER.findall(other)} <= numbers, f"{other!r} has a hole of its own"
            for text in (english, other):
                assert "{" not in PLACEHOLDER.sub("", text), f"{text!r} has a brace that is no hole"


def plurals_have_the_forms_of_their_language(game: Game) -> None:
    """Require two plural forms in English and French, and elsewhere as many as Plural-Forms of the catalogue gives."""
    for language in (ENGLISH, *list_translated_languages(game)):
        plural = game.words.catalog(language).plural
        forms = 1 + max(plural(n) for n in range(200))
        texts = read_translations(game, language).values() if language != ENGLISH else _list_templates(game)
        for text in texts:
            for _, kind in PLACEHOLDER.findall(text):
                assert "|" not in kind or kind.count("|") == forms - 1, f"{text!r}: {forms} forms are wanted"


def _list_templates(game: Game) -> set[str]:
    return {text for language in list_translated_languages(game) for text in read_translations(game, language)}


def a_translation_is_not_english(game: Game) -> None:
    for language in list_translated_languages(game):
        for english, other in read_translations(game, language).items():
            long = len(re.findall(r"[a-z]+", PLACEHOLDER.sub("", english))) > 3
            assert english != other or not long, f"{english!r} is not translated into {language}"


def french_has_its_typography(game: Game) -> None:
    """Require French typography: a space before : ; ? and !, and no dashes made of hyphens."""
    if "fr" not in list_translated_languages(game):
        return
    engine = read_po(ENGINE.folder / "fr.po").messages.values()
    for french in [*engine, *read_translations(game, "fr").values()]:
        if french == game.name.text:
            continue  # an untranslated name keeps its colon
        plain = PLACEHOLDER.sub("x", french)
        assert not re.search(r"[^\s\u00a0\u202f:;?!\d][:;?!](\s|$)", plain), f"{french!r} lacks a space"
        assert " -- " not in plain, f"{french!r} has a dash of hyphens"


def list_variant_names(variant: Variant) -> list[Name]:
    """Return the texts of a variant: label, sentence and names of values. "Yes" and "no" are left out."""
    values = [variant.name_of(value) for value in variant.values if not isinstance(value, bool)]
    names = [value for value in (*values, *variant.value_names.values()) if isinstance(value, Name)]
    return [variant.label, variant.sentence, *names]


def a_game_and_its_variants_have_names_in_every_language(game: Game) -> None:
    assert game.name.text, "the game has no name"
    for language in list_translated_languages(game):
        messages = game.words.catalog(language).messages
        names = [name for variant in game.variants for name in list_variant_names(variant)]
        for name in (game.name, *names):
            known = f"{name.context}{CONTEXT_SEPARATOR}{name.text}" in messages
            assert known, f"{name.text!r} is not translated into {language}"
    for variant in game.variants:
        assert variant.ruling.startswith(game.prefix), f"the variant {variant.name} cites {variant.ruling}"
