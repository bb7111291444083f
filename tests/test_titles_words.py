"""What every title says: in English and in French, to every viewer, with nothing left untranslated."""

import re

import pytest

from tests.matches import CASES, TITLES, Case, viewers
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import NOBODY, State
from triclinium.engine.core.text import Message, Reader
from triclinium.engine.game import Title
from triclinium.engine.words import HOUSE_FRENCH, Words

every_case = pytest.mark.parametrize("case", CASES, ids=repr)
every_title = pytest.mark.parametrize("title", TITLES, ids=lambda title: title.id)

HOLE = re.compile(r"\{(\d+)(?::([^}]*))?\}")
NAMES = ("Ann", "Ben", "Cléo", "Dan", "Éva", "Flo")


class Noting(Reader):
    """A reader that notes what the catalogue lacks."""

    def __init__(self, words: Words) -> None:
        super().__init__("fr", words.french, NAMES)
        self.missing: set[str] = set()

    def translate(self, text: str) -> str:
        if text not in self.catalogue and re.search(r"\w", HOLE.sub("", text)):
            self.missing.add(text)
        return super().translate(text)


class Ears:
    """Reads every message in both languages, and checks that it is whole."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.english = Reader("en", None, NAMES)
        self.french = Noting(words)

    def hear(self, message: Message) -> None:
        for reader in (self.english, self.french):
            said = reader.read(message, self.words.figure)
            assert said.strip() == said, f"{said!r} has blanks around it"
            assert said, message.text
            assert "{" not in said, said
            assert "  " not in said, said

    def done(self) -> None:
        missing = "\n".join(sorted(self.french.missing))
        assert not missing, f"without French:\n{missing}"


@every_case
def test_questions_and_labels_are_said_in_both_languages(case: Case) -> None:
    ears = Ears(case.title.words)
    for seed in case.walks():
        stride = max(1, case.length(seed) // (4 * case.looks))
        for n, s in enumerate(case.walk(seed)):
            if n % stride == 0 and not s.over:
                hear_decision(ears, s)
    ears.done()


def hear_decision(ears: Ears, s: State) -> None:
    ears.hear(ears.words.question(s))
    labelled: dict[str, str] = {}
    for o in s.candidates():
        label = ears.words.label(s, o)
        ears.hear(label)
        said = ears.english.read(label, ears.words.figure)
        kind = re.sub(r"\d+", "", ears.words.notation.say(o))  # copies of one card are told apart by a number only
        assert labelled.setdefault(said, kind) == kind, f"{s.asked} labels two candidates {said!r}"


@every_case
def test_every_event_is_told_in_both_languages_to_every_viewer(case: Case) -> None:
    words = case.title.words
    ears = Ears(words)
    told = 0
    for seed in case.walks():
        for s in case.walk(seed, listen=True):
            assert s.news is not None
            for event in s.news:
                for viewer in viewers(s):
                    message = words.event(event.for_viewer(viewer), viewer)
                    if message is not None:
                        told += 1
                        ears.hear(message)
            s.news = []
    ears.done()
    assert told


@every_case
def test_the_score_sheet_is_said_in_both_languages(case: Case) -> None:
    ears = Ears(case.title.words)
    for s in case.glance(3):
        for score in case.title.scores(s):
            for line in score.lines:
                ears.hear(case.title.words.score_line(line.name))
    ears.done()


@every_case
def test_the_table_is_shown_in_both_languages_to_every_viewer(case: Case) -> None:
    words = case.title.words
    ears = Ears(words)
    for s in case.glance(4):
        for viewer in viewers(s):
            view = case.title.view(s, None if viewer == NOBODY else viewer)
            english = words.table(view, ears.english)
            french = words.table(view, ears.french)
            assert "{" not in english + french
            assert english.strip()
            assert french != english
    for seed in case.walks():
        for s in case.walk(seed):
            if s.over:
                assert words.table(case.title.view(s, 0), ears.french).strip()
    ears.done()


@every_case
def test_refusals_are_said_in_both_languages(case: Case) -> None:
    """Every rule that refuses a candidate fills its template with the figures that the step gives."""
    ears = Ears(case.title.words)
    heard: set[Rule] = set()
    for s in case.glance(4 * case.looks):
        for o in s.candidates():
            rule = s.refusal(o)
            if rule is not None:
                heard.add(rule)
                ears.hear(Message(rule.text, *s.asked.figures(s, o, rule)))
    ears.done()
    assert heard


# -- the catalogue ---------------------------------------------------------------------------------------------------


def holes(text: str) -> set[tuple[str, str]]:
    """The numbers to be filled in, and as what; the words of a plural are each language's own affair."""
    return {(number, kind) for number, kind in HOLE.findall(text) if "|" not in kind}


@every_title
def test_every_translation_has_the_holes_of_its_template(title: Title) -> None:
    for english, french in title.words.french.items():
        assert holes(english) == holes(french), f"{english!r} and {french!r} are not filled in alike"
        numbers = {number for number, _ in HOLE.findall(english)}
        assert {number for number, _ in HOLE.findall(french)} <= numbers, french
        for text in (english, french):
            for _, kind in HOLE.findall(text):
                assert kind.count("|") <= 1, f"{text!r}: a plural has two forms"
            assert "{" not in HOLE.sub("", text), f"{text!r} has a brace that is no hole"


@every_title
def test_french_is_not_english(title: Title) -> None:
    same = [
        english
        for english, french in title.words.french.items()
        if english == french and len(re.findall(r"[a-z]+", HOLE.sub("", english))) > 2
    ]
    assert not same


@every_title
def test_french_has_its_typography(title: Title) -> None:
    """A space stands before : ; ? and !, and dashes are not put together from hyphens."""
    for french in [*HOUSE_FRENCH.values(), *title.words.french.values()]:
        plain = HOLE.sub("x", french)
        assert not re.search(r"[^\s\u00a0\u202f:;?!][:;?!](\s|$)", plain), french
        assert " -- " not in plain, french


@every_title
def test_a_title_and_its_variants_have_names_in_both_languages(title: Title) -> None:
    assert title.name.en
    assert title.name.fr
    for variant in title.variants:
        assert variant.sentence.fr != variant.sentence.en, variant.name
        assert variant.ruling.startswith(title.prefix), variant.name
