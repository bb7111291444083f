"""What a game says: in English and in French, to every viewer, with nothing left untranslated."""

import re

from triclinium.engine.core.event import Event
from triclinium.engine.core.state import NOBODY, State
from triclinium.engine.core.text import Message, Reader
from triclinium.engine.game import Game
from triclinium.engine.words import HOUSE_FRENCH, Words
from triclinium.testing.moment import Sample

HOLE = re.compile(r"\{(\d+)(?::([^}]*))?\}")
NAMES = ("Ann", "Ben", "Cléo", "Dan", "Éva", "Flo")


class Noting(Reader):
    """A French reader that notes what the catalogue lacks."""

    def __init__(self, words: Words, missing: set[str]) -> None:
        super().__init__("fr", words.french, NAMES)
        self.missing = missing

    def translate(self, text: str) -> str:
        if text not in self.catalogue and re.search(r"\w", HOLE.sub("", text)):
            self.missing.add(text)
        return super().translate(text)


def readers(sample: Sample) -> tuple[Reader, Reader]:
    return Reader("en", None, NAMES), Noting(sample.game.words, sample.tally.missing)


def hear(message: Message, sample: Sample) -> str:
    """Read a message in both languages and see that it is whole; the English."""
    said = [reader.read(message, sample.game.words.figure) for reader in readers(sample)]
    for sentence in said:
        assert sentence, f"{message.text!r} says nothing"
        assert sentence.strip() == sentence, f"{sentence!r} has blanks around it"
        assert "{" not in sentence, f"{sentence!r} has a hole"
        assert "  " not in sentence, f"{sentence!r} has two blanks"
    return said[0]


def the_decision_is_said_in_both_languages(game: Game, s: State, sample: Sample) -> None:
    words = game.words
    hear(words.question(s), sample)
    labelled: dict[str, str] = {}
    for o in s.candidates():
        said = hear(words.label(s, o), sample)
        kind = re.sub(r"\d+", "", words.notation.say(o))  # copies of one card are told apart by a number only
        assert labelled.setdefault(said, kind) == kind, f"{s.asked} labels two candidates {said!r}"


def refusals_are_said_in_both_languages(game: Game, s: State, sample: Sample) -> None:
    """Every rule that refuses a candidate fills its template with the parameters that the step gives."""
    legal = set(s.legal)
    for o in s.candidates():
        rule = None if o in legal else s.asked.forbids(s, o)
        if rule is not None:
            hear(Message(rule.text, *s.asked.rule_parameters(s, o, rule)), sample)


def every_event_is_told_in_both_languages_to_every_viewer(game: Game, events: list[Event], sample: Sample) -> None:
    for event in events:
        told: set[tuple[object, ...]] = set()
        for viewer in sample.viewers:
            message = game.words.event(event.for_viewer(viewer), viewer)
            if message is not None and (message.text, repr(message)) not in told:
                told.add((message.text, repr(message)))
                sample.tally.told += 1
                hear(message, sample)


def the_score_sheet_is_said_in_both_languages(game: Game, s: State, sample: Sample) -> None:
    for score in sample.scores():
        for line in score.lines:
            hear(game.words.score_line(line.name), sample)


def the_table_is_shown_in_both_languages_to_every_viewer(game: Game, s: State, sample: Sample) -> None:
    for viewer in sample.viewers:
        view = game.view(s, None if viewer == NOBODY else viewer)
        english, french = (game.words.table(view, reader) for reader in readers(sample))
        assert english.strip(), f"the table is empty for {viewer}"
        assert "{" not in english + french, f"the table has a hole for {viewer}"
        assert french != english, f"the table is not translated for {viewer}"


# -- the catalogue ---------------------------------------------------------------------------------------------------


def holes(text: str) -> set[tuple[str, str]]:
    """The numbers to be filled in, and as what; the words of a plural are each language's own affair."""
    return {(number, kind) for number, kind in HOLE.findall(text) if "|" not in kind}


def every_translation_has_the_holes_of_its_template(game: Game) -> None:
    for english, french in game.words.french.items():
        assert holes(english) == holes(french), f"{english!r} and {french!r} are not filled in alike"
        numbers = {number for number, _ in HOLE.findall(english)}
        assert {number for number, _ in HOLE.findall(french)} <= numbers, f"{french!r} has a hole of its own"
        for text in (english, french):
            for _, kind in HOLE.findall(text):
                assert kind.count("|") <= 1, f"{text!r}: a plural has two forms"
            assert "{" not in HOLE.sub("", text), f"{text!r} has a brace that is no hole"


def french_is_not_english(game: Game) -> None:
    for english, french in game.words.french.items():
        long = len(re.findall(r"[a-z]+", HOLE.sub("", english))) > 2
        assert english != french or not long, f"{english!r} is not translated"


def french_has_its_typography(game: Game) -> None:
    """A space stands before : ; ? and !, and dashes are not put together from hyphens."""
    for french in [*HOUSE_FRENCH.values(), *game.words.french.values()]:
        plain = HOLE.sub("x", french)
        assert not re.search(r"[^\s\u00a0\u202f:;?!][:;?!](\s|$)", plain), f"{french!r} lacks a space"
        assert " -- " not in plain, f"{french!r} has a dash of hyphens"


def a_game_and_its_variants_have_names_in_both_languages(game: Game) -> None:
    assert game.name.en, "the game has no English name"
    assert game.name.fr, "the game has no French name"
    for variant in game.variants:
        assert variant.sentence.fr != variant.sentence.en, f"the variant {variant.name} is not translated"
        assert variant.ruling.startswith(game.prefix), f"the variant {variant.name} cites {variant.ruling}"
