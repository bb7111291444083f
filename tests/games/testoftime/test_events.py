"""Tests of events and their sentences."""

import random

import pytest

from tests.games.testoftime.table import NO, YES, A, B, Testament, end_round, play, table
from triclinium.engine.core.event import ANYTIME, BOOKKEEPING, CHOSEN, FORCED, EventType
from triclinium.games.testoftime import GAME
from triclinium.games.testoftime.rules import events
from triclinium.games.testoftime.rules.state import TestOfTime

ENGINE = (CHOSEN, FORCED, ANYTIME)
TYPES = [one for one in vars(events).values() if isinstance(one, EventType)]
NAMES = ("Ann", "Ben")


def list_log_lines(s: TestOfTime, language: str = "en") -> list[str]:
    assert s.events is not None
    return GAME.words.format_log(s.events, A, GAME.words.reader(language, NAMES))


def test_every_event_type_has_a_unique_id_and_a_sentence() -> None:
    assert len({one.id for one in TYPES}) == len(TYPES)
    assert [one for one in TYPES if not one.text and one.weight > BOOKKEEPING] == []


def test_every_event_has_a_known_type() -> None:
    chance = random.Random(3)
    s = GAME.deal(3, 3, {"mercy": True})
    s.events = []
    while not s.over:
        s.play(chance.choice(s.legal))
    assert {event.type for event in s.events} <= {*TYPES, *ENGINE}
    for event in s.events:
        assert event.type in ENGINE or event.rule.startswith("TT-")
        if event.type.target_fact >= 0:
            assert 0 <= event.facts[event.type.target_fact] < s.seats


@pytest.mark.parametrize(
    ("moves", "card", "line"),
    [
        (["preserve", "pass"], "art", "Art of Ann on space 1: preserved."),
        (["pass"], "art", "Art of Ann on space 1: decayed, 5 sections left."),
        (["preserve", "attack", "followers 2"], "art", "Art of Ann on space 1: 2 sections lost to Ben, 4 left."),
        (
            ["pass", "attack", "followers 2"],
            "art",
            "Art of Ann on space 1: 2 sections lost to Ben and decayed, 3 left.",
        ),
        (["pass", "attack", "followers 4"], "tools", "Tools of Ann on space 1: 4 sections lost to Ben and buried."),
    ],
)
def test_what_a_round_did_to_a_testament(moves: list[str], card: str, line: str) -> None:
    """TT-12.4  The log says what a round did to a Testament."""
    s = table(testaments={A: [card]})
    s.events = []
    play(s, *moves)
    end_round(s)
    assert line in list_log_lines(s)


def test_a_fight_names_the_space_of_the_testament() -> None:
    """TT-9, TT-10, TT-12.2  The sentence names the space if a player has two Testaments of a kind."""
    s = table(testaments={A: ["art", None, "art"]}, turn=B)
    s.events = []
    play(s, "attack", "at 0 3", "followers 5", "defend", "followers 2")
    end_round(s)
    english, french = list_log_lines(s), list_log_lines(s, "fr")
    assert english[:2] == [
        "Ben attacks Art of Ann on space 3 with 5 followers.",
        "Ann defends Art on space 3 with 2 followers.",
    ]
    assert "Ben loses 2 followers in the fight for Art of Ann on space 3." in english
    assert "Art of Ann on space 1: decayed, 5 sections left." in english
    assert "Art of Ann on space 3: 3 sections lost to Ben and decayed, 2 left." in english
    assert french[:2] == [
        "Ben attaque avec 5 fidèles\u00a0: Art (Ann, emplacement 3).",
        "Ann défend son emplacement 3 (Art) avec 2 fidèles.",
    ]
    assert any("Art (Ann, emplacement 3) perd 3 sections" in line for line in french)


def test_the_log_names_met_followers_and_the_space() -> None:
    """TT-12.2  The sentence names the space where the owner chose the followers that are met."""
    s = table(seats=3, testaments={A: [None, "art"]}, turn=B)
    s.events = []
    play(s, "attack", "followers 3", "attack", "followers 3", "defend", "followers 2")
    while s.asked.id != "Meet":
        play(s, "pass")
    play(s, "followers 2")
    names = ("Ann", "Ben", "Cem")
    english = GAME.words.format_log(s.events, A, GAME.words.reader("en", names))
    assert "Ann has the defenders of Art on space 2 meet 2 followers of Ben." in english


def test_a_reversal_names_the_space_of_the_testament() -> None:
    """TT-11.3  The sentence of a reversal names the space of the Testament."""
    s = table(shamans=(0, 1), testaments={A: ["art", Testament("art", ((YES, 0),))]}, turn=B)
    s.events = []
    play(s, "reverse")
    assert "Ben reverses 1 round of Art of Ann on space 2; 1 shaman dies." in list_log_lines(s)


def test_a_buried_testament_has_no_event() -> None:
    """TT-R18  The log does not mention the invisible decay of a buried Testament."""
    s = table(testaments={A: [Testament("tools", ((NO, 0),) * 4)]})
    s.events = []
    end_round(s)
    assert list_log_lines(s) == ["Ann passes.", "Ben passes.", "Round 11 begins with Ben."]


@pytest.mark.parametrize(
    ("spoil", "past", "line"),
    [
        ("keep", ((YES, 0),), "Back in the present Art of Ann still shows 6 sections."),
        ("spoil", ((YES, 0),), "Back in the present Art of Ann shows 5 sections instead of 6."),
        ("spoil", ((YES, 5),), "Back in the present Art of Ann is buried."),
    ],
)
def test_what_a_reversal_did(spoil: str, past: tuple[tuple[bool, int], ...], line: str) -> None:
    """TT-11.10  The log says what a reversal changed."""
    s = table(shamans=(0, 1), testaments={A: [Testament("art", past)]}, turn=B)
    s.events = []
    play(s, "reverse", spoil)
    assert list_log_lines(s)[-1] == line


def test_pieces_in_words() -> None:
    """Pieces are described as followers, shamans or both, including the dead (TT-12.6)."""
    s = table(shamans=(2, 0))
    s.events = []
    play(s, "sire", "shamans 1", "pass", "sire_shaman", "shamans 0", "pass", "sire_shaman", "shamans 0")
    play(s, "pass")
    assert "Ann sires a follower with 1 follower and 1 shaman." in list_log_lines(s)
    assert "Ann sires a shaman with 2 followers." in list_log_lines(s)
    end_round(s)
    assert "The new shaman of Ann comes home; 2 followers die." in list_log_lines(s)
    assert "Le nouveau chamane de Ann rentre\u202f; 2 fidèles meurent." in list_log_lines(s, "fr")
