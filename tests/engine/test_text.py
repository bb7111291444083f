"""Tests of sentences that are translated for their reader at the end."""

import pytest

from triclinium.engine.core.text import Arg, JoinedList, Message, Name, Reader, SeatName
from triclinium.i18n.catalog import compile_plural_rule

FRENCH = {
    "you need {0} {0:card|cards}": "il vous faut {0} {0:carte|cartes}",
    "{0} gives {1:good} to {2}": "{2} reçoit {1:good} de {0}",
    "seat": "place",
    "and": "et",
    "a fig": "une figue",
    "oil {0}": "huile {0}",
    "{who} lays {*:good}": "{who} pose {*:good}",
    "good\x04oil": "huile",
    "place\x04Ephesus": "Éphèse",
}


def name_of(kind: str, number: int) -> Arg:
    assert kind == "good"
    return Message("oil {0}", number)


EN = Reader(name_of=name_of)
FR = Reader("fr", FRENCH, (), lambda n: int(n > 1), name_of)


@pytest.mark.parametrize(
    ("number", "english", "french"),
    [
        (0, "you need 0 cards", "il vous faut 0 carte"),
        (1, "you need 1 card", "il vous faut 1 carte"),
        (2, "you need 2 cards", "il vous faut 2 cartes"),
        (-1, "you need −1 card", "il vous faut −1 carte"),
        (-3, "you need −3 cards", "il vous faut −3 cartes"),
    ],
)
def test_plurals_fit_the_number(number: int, english: str, french: str) -> None:
    message = Message("you need {0} {0:card|cards}", number)
    assert EN.read(message) == english
    assert FR.read(message) == french


def test_placeholders_may_change_their_order() -> None:
    message = Message("{0} gives {1:good} to {2}", SeatName(0), 3, SeatName(1))
    assert EN.read(message) == "seat 0 gives oil 3 to seat 1"
    assert FR.read(message) == "place 1 reçoit huile 3 de place 0"


def test_seats_have_their_players_names() -> None:
    message = Message("{0} gives {1:good} to {2}", SeatName(0), 3, SeatName(1))
    assert Reader("en", None, ("Ann",), name_of=name_of).read(message) == "Ann gives oil 3 to seat 1"


@pytest.mark.parametrize(
    ("items", "english", "french"),
    [
        ([], "", ""),
        ([4], "4", "4"),
        ([4, 5], "4 and 5", "4 et 5"),
        ([4, Name("oil", "good"), Message("a fig")], "4, oil and a fig", "4, huile et une figue"),
    ],
)
def test_several_components_are_listed(items: list[Arg], english: str, french: str) -> None:
    message = Message("{0}", JoinedList(items))
    assert EN.read(message) == english
    assert FR.read(message) == french


def test_a_template_without_translation_is_read_in_english() -> None:
    assert FR.read(Message("{0} figs", 3)) == "3 figs"


def test_a_name_without_french_is_the_same_in_french() -> None:
    assert FR.format_arg(Name("Rome", "place")) == "Rome"
    assert FR.format_arg(Name("Ephesus", "place")) == "Éphèse"
    assert FR.format_arg(Name("Ephesus", "ship")) == "Ephesus"
    assert EN.format_arg(Name("Ephesus", "place")) == "Ephesus"


def test_a_sentence_contains_actor_and_all_figures() -> None:
    message = Message("{who} lays {*:good}", 1, 2, 3, who=1)
    assert EN.read(message) == "seat 1 lays oil 1, oil 2 and oil 3"
    assert FR.read(message) == "place 1 pose huile 1, huile 2 et huile 3"


def test_a_language_may_have_more_than_two_forms() -> None:
    """Polish has three plural forms: 1 punkt, 2 punkty, 5 punktów."""
    polish = compile_plural_rule("n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2")
    reader = Reader("pl", {"{0} {0:point|points}": "{0} {0:punkt|punkty|punktów}"}, (), polish)
    said = [reader.read(Message("{0} {0:point|points}", n)) for n in (1, 2, 5, 12, 22)]
    assert said == ["1 punkt", "2 punkty", "5 punktów", "12 punktów", "22 punkty"]


def test_braces_in_an_argument_are_not_placeholders() -> None:
    assert EN.read(Message("{0} {1}", Name("{1}"), Name("x"))) == "{1} x"


def test_a_message_prints_in_english() -> None:
    assert repr(Message("a fig")) == "Message('a fig')"


def test_a_template_that_cannot_be_filled_is_a_bug() -> None:
    with pytest.raises(AssertionError, match="needs a number"):
        EN.read(Message("{0:card|cards}", Name("x")))
    with pytest.raises(AssertionError, match="nobody names a good"):
        Reader().read(Message("{0:good}", 1))
    with pytest.raises(IndexError):
        EN.read(Message("{0}"))
