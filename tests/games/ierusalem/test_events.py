"""Tests of events: every event has its sentence, its rule and its importance."""

import re
from collections.abc import Iterator

import pytest

from tests.games.ierusalem.table import ANA, BEN, CEM, play, table
from tests.matches import RECORDS
from triclinium.engine.core.errors import Refused
from triclinium.engine.core.event import ANYTIME, BOOKKEEPING, CHOSEN, FORCED, TURNING_POINT, Event, EventType
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.games.ierusalem import GAME
from triclinium.games.ierusalem.rules import events
from triclinium.games.ierusalem.rules.actions.cards import draw_xxxiii
from triclinium.games.ierusalem.rules.state import Ierusalem

WORDS = GAME.words
TYPES = [thing for thing in vars(events).values() if isinstance(thing, EventType)]


@pytest.fixture(scope="module")
def event_log() -> list[Event]:
    """Return the events of the golden matches."""
    return [*_collect_events()]


def _collect_events() -> Iterator[Event]:
    for path in sorted((RECORDS / "ierusalem").rglob("*.rec")):
        match = Match.resume(Record.loads(path.read_text(encoding="utf-8"), path.name))
        for news in match.events:
            yield from news


def list_log_lines(s: Ierusalem, viewer: int, language: str = "en") -> list[str]:
    return WORDS.format_log(s.events or [], viewer, WORDS.reader(language, ("Ana", "Ben", "Cem", "Dia")))


def test_events_have_unique_ids_and_a_sentence() -> None:
    ids = [one.id for one in TYPES]
    assert len(set(ids)) == len(ids)
    for one in TYPES:
        assert one.text, f"{one} says nothing"
        assert BOOKKEEPING <= one.weight <= TURNING_POINT


def test_every_event_of_a_match_is_of_a_known_type_and_names_its_rule(event_log: list[Event]) -> None:
    """The engine's own events only have the option and no line in the log."""
    for event in event_log:
        if event.type in (CHOSEN, FORCED, ANYTIME):
            assert WORDS.event_message(event, event.seat) is None
        else:
            assert event.type in TYPES
            assert event.rule.startswith("IE-")
        if event.type.target_fact >= 0:
            assert event.facts[event.type.target_fact] != event.seat


def test_rare_events_happen_in_constructed_positions(event_log: list[Event]) -> None:
    """IE-2.7, IE-2.14, IE-2.19, IE-R16  Rare events happen here, because no golden match has them.

    These are the twelfth Apostle, the fifteenth Follower, too many Offerings, a taken square and a
    visit without cards.
    """
    happened = {event.kind for event in event_log}
    seated = {f"s{i + 1:02}": name for i, name in enumerate(GAME.components.apostle_ids) if name != "simon_zealot"}
    s = table(columns={ANA: ["r06 r07 r10"]}, seated=seated, hands={ANA: "r03 r04"}, denarii={ANA: 0})
    happened |= follow(s, "All twelve Apostles", "play r03", "column 2", "skip", "visit 1 3")
    home = "tl u1c1 u1c2 u1c3 u1c4 u2c1 u2c2 u2c3 u2c4 u3c1 u3c2 u3c3 u3c4 d1c1"
    s = table(
        hands={ANA: "ad01 r01"}, supper={ANA: home}, at={ANA: (0, 0, 1)}, goods={ANA: (0, 0, 0)}, denarii={ANA: 0}
    )
    happened |= follow(s, "All Followers of Ana", "play ad01", "column 1", "go d2c2", "skip")
    s = table(hands={ANA: "r03 r04"}, at={ANA: (0, 0, 0)}, goods={ANA: (1, 0, 0)}, offerings={ANA: 3}, denarii={ANA: 0})
    happened |= follow(s, "Ana has no room and loses 2 Offerings.", "play r03", "column 1", "skip")
    s = table(
        seats=3,
        hands={ANA: "r10"},
        at={ANA: (0, 1, 1), BEN: (3, 1, 1), CEM: (3, 1, 1)},
        denarii={ANA: 6, BEN: 0, CEM: 0},
    )
    happened |= follow(s, "Ana takes a square from Ben for", "play r10", "column 1", "replace desert 1")
    s = table(hands={ANA: "r04 r02"}, received={ANA: "desert market lake"})
    happened |= follow(
        s, "Ana visits Apostle column I with Favors only", "play r04", "column 2", "skip", "visit favors 1"
    )
    assert {one.id for one in TYPES} <= happened


def follow(s: Ierusalem, line: str, *options: str) -> set[str]:
    """Play, check that a line of the log begins so, and return the kinds of events."""
    s.events = []
    play(s, *options)
    assert any(said.startswith(line) for said in list_log_lines(s, BEN))
    return {event.kind for event in s.events}


def test_a_public_draw_is_named_to_all() -> None:
    """IE-R32  Only the drawer sees which hidden card it is."""
    for hidden, line in ((0, "Ana draws AD01"), (1, "Ana draws a XXXIII A.D. card.")):
        s = table(hands={ANA: "ma04 r03"}, xxxiii="ad01 ad02", empty_decks=True)
        s.events = []
        s.xxxiii_hidden = hidden
        draw_xxxiii(s, ANA)
        assert list_log_lines(s, BEN)[0].startswith(line)
        assert list_log_lines(s, ANA)[0].startswith("Ana draws AD01")


def test_a_refilled_hand_is_counted_for_all_and_named_to_its_owner() -> None:
    """IE-2.17  The log counts the cards of a refilled hand for all, and names them to their owner."""
    s = table(hands={ANA: "r03 r04 r05 r06"}, goods={ANA: (0, 0, 0)}, denarii={ANA: 0})
    s.events = []
    play(s, "play r03", "column 1", "skip")
    assert "Ana draws 2 cards." in list_log_lines(s, BEN)
    mine = next(line for line in list_log_lines(s, ANA) if line.startswith("Ana draws 2 cards: R"))
    assert mine.count(" VP)") == 2
    assert any(line.startswith("Ana pioche 2 cartes\u00a0: R") for line in list_log_lines(s, ANA, "fr"))


def test_a_picked_follower_who_stays_has_no_departure_event() -> None:
    """IE-D14, IE-D15  The player may still decline at the space."""
    s = table(hands={ANA: "ad01 r02"}, at={ANA: (2, 1, 2)})
    s.events = []
    play(s, "play ad01", "column 1", "skip", "leave desert", "skip")
    assert "Ana picks a Follower here: Desert." in list_log_lines(s, BEN)
    assert not any("goes to" in line or "leave" in line for line in list_log_lines(s, BEN))


def test_affected_players_are_named() -> None:
    """IE-3.4, IE-4.5  The log names the player whose square is taken and the receiver of a Favor."""
    s = table(hands={ANA: "r05 r02"}, received={}, denarii={ANA: 5})
    s.events = []
    play(s, "play r05", "column 1", "favor f1", f"to {CEM}")
    favor = next(event for event in s.events if event.type is events.FAVORED)
    assert favor.facts[favor.type.target_fact] == CEM
    assert any(re.match(r"Ana does Cem a Favor: \d", line) for line in list_log_lines(s, BEN))


def test_the_log_names_the_appreciation_of_the_illumination_tile() -> None:
    """IE-2.5  The text is in the reader's language, not in that of the acting player."""
    s = table()
    s.events = []
    play(s, "illuminate", "appreciate silver")
    assert "Ana receives the appreciation of Judas." in list_log_lines(s, BEN)
    assert "Ana reçoit la reconnaissance de Judas." in list_log_lines(s, BEN, "fr")
    s = table()
    s.events = []
    play(s, "illuminate", "appreciate white")
    assert "Ana receives the appreciation of a white Apostle." in list_log_lines(s, BEN)
    assert "Ana reçoit la reconnaissance d’un Apôtre blanc." in list_log_lines(s, BEN, "fr")


def test_the_french_log_words_a_favor_correctly() -> None:
    """IE-4.5  *Rendre une faveur* would mean to return one. A refusal names the missing resource (IE-3.1)."""
    s = table(hands={ANA: "r05 r02"})
    s.events = []
    play(s, "play r05", "column 1", "favor f1", f"to {CEM}")
    assert any(re.match("Ana fait une Faveur à Cem\u00a0: \\d", line) for line in list_log_lines(s, BEN, "fr"))
    s = table(hands={ANA: "r01"}, goods={ANA: (1, 0, 0)}, denarii={ANA: 3})
    play(s, "play r01", "column 1", "trade")
    with pytest.raises(Refused) as refused:
        s.play(GAME.read("sell bread"))
    assert "vous n’avez pas ce bien à vendre\u00a0: Pain" in WORDS.format_refusal(refused.value, WORDS.reader("fr"))
