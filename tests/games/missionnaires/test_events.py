"""Tests of events: every event has its sentence and importance, and names affected players."""

from functools import cache

import pytest

from tests.games.missionnaires.table import play, table
from tests.matches import RECORDS
from triclinium.engine.core.event import ANYTIME, BOOKKEEPING, CHOSEN, FORCED, TURNING_POINT, Event, EventType
from triclinium.engine.match import Match
from triclinium.engine.record import Record
from triclinium.games.missionnaires import GAME
from triclinium.games.missionnaires.rules import events
from triclinium.games.missionnaires.rules.state import Missionnaires

TYPES = {name: one for name, one in vars(events).items() if isinstance(one, EventType)}
OF_ENGINE = (CHOSEN, FORCED, ANYTIME)
NAMES = ("Ann", "Ben", "Cléo")
ANN, BEN, SPECTATOR = 0, 1, -1


@cache
def collect_events() -> list[Event]:
    """Return the events of the golden matches."""
    paths = sorted((RECORDS / "missionnaires").rglob("*.rec"))
    matches = [Match.resume(Record.loads(path.read_text(encoding="utf-8"), path.name)) for path in paths]
    return [event for match in matches for news in match.events for event in news]


def list_events_after(s: Missionnaires, *moves: str) -> list[Event]:
    """Return the events after these options."""
    s.events = []
    play(s, *moves)
    return s.events


def list_log_lines(found: list[Event], viewer: int, language: str = "en") -> list[str]:
    return GAME.words.format_log(found, viewer, GAME.words.reader(language, NAMES))


def list_affected_seats(found: list[Event], kind: EventType) -> tuple[int, int]:
    """Return the acting and the affected seats."""
    event = next(event for event in found if event.type is kind)
    return event.seat, event.facts[kind.target_fact]


def test_every_event_type_has_a_unique_id_and_a_sentence() -> None:
    assert len({one.id for one in TYPES.values()}) == len(TYPES)
    for name, one in TYPES.items():
        assert one.id == name.lower()
        assert one.text, f"{one} says nothing"
        assert BOOKKEEPING <= one.weight <= TURNING_POINT


def test_every_event_of_a_match_is_of_a_known_type() -> None:
    """An affected seat is not the acting one. The engine's own events have no line."""
    for event in collect_events():
        if event.type in OF_ENGINE:
            assert GAME.words.event_message(event, event.seat) is None
            continue
        assert event.type in TYPES.values()
        if event.type.target_fact >= 0:
            assert event.facts[event.type.target_fact] not in (event.seat, SPECTATOR)


def test_every_type_happens() -> None:
    """Events in no golden match are caused here: the last round, leaving, and card changes with open hands."""
    happened = {event.type for event in collect_events()}
    last = table(seats=2, at=["lyo", "rom"], turn=1, round_=100, variants={"round_limit": 100})
    found = list_events_after(last, "pass")
    assert list_log_lines(found, BEN)[-1] == "Round 100 was the last one."
    happened |= {event.type for event in found}
    found = list_events_after(table(), "resign red")
    assert "Ann quitte la partie\u00a0: place 3." in list_log_lines(found, SPECTATOR, "fr")
    happened |= {event.type for event in found}
    happened |= {event.type for event in swap_cards(open_hands=True)}
    picks = GAME.deal(2, 1, {"pick_colour": True})
    assert isinstance(picks, Missionnaires)
    happened |= {event.type for event in list_events_after(picks, "take orange")}
    home = table(at=["bou", "rom", "ath"], hands={0: []}, bons={0: ["m29"]})
    happened |= {event.type for event in list_events_after(home, "go bet", "stop", "play m29", "no")}
    vote = table(at=["bou", "rom", "ath"], hands={0: []}, variants={"play_on": "vote"})
    happened |= {event.type for event in list_events_after(vote, "go bet", "stop", "no")}
    moved = table(at=["lyo", "rom"], territory=["t37"])
    happened |= {event.type for event in list_events_after(moved, "go gre", "stop", "to nap")}
    assert set(TYPES.values()) <= happened


def swap_cards(open_hands: bool) -> list[Event]:
    """LM-8.1  Return a match where a card puts Madrid under the reserve and takes Rome from its top."""
    s = table(
        at=["lyo"],
        territory=["t28"],
        hands={0: ["mad", "lyo"]},
        reserve=["rom"],
        variants={"open_congregations": open_hands},
    )
    return list_events_after(s, "go gre", "stop", "swap 1")


@pytest.mark.parametrize("viewer", [ANN, BEN, SPECTATOR])
def test_a_congregation_card_is_named_to_those_who_know_it(viewer: int) -> None:
    """LM-R17  The owner sees it, and all players if hands are open."""
    named = [
        "Ann puts a congregation card under the reserve: Madrid (C2).",
        "Ann takes a congregation card from the reserve: Rome (C4).",
    ]
    unnamed = [
        "Ann puts a congregation card under the reserve.",
        "Ann takes a congregation card from the reserve.",
    ]
    for open_hands in (False, True):
        lines = [
            line
            for line in list_log_lines(swap_cards(open_hands), viewer)
            if "the reserve" in line and "draws" not in line
        ]
        assert lines == (named if open_hands or viewer == ANN else unnamed)


def test_losing_an_overseer_affects_the_player() -> None:
    """LM-7.4, LM-R6  A player from whom a card calls the overseer is affected.

    A player who loses their own overseer is not.
    """
    s = table(at=["lyo", "rom"], overseers={"c": BEN}, territory=["t18"])
    found = list_events_after(s, "go gre", "stop")
    assert list_affected_seats(found, events.CALLED_AWAY) == (ANN, BEN)
    assert "The circuit overseer leaves Ben and joins Ann." in list_log_lines(found, BEN)
    s = table(at=["lyo", "rom"], overseers={"c": BEN}, territory=["t16"])
    found = list_events_after(s, "go gre", "stop")
    assert list_affected_seats(found, events.SENT_AWAY) == (ANN, BEN)
    assert "The circuit overseer leaves Ben: he is now in Lyon, on his own." in list_log_lines(found, BEN)
    s = table(at=["lyo", "rom"], overseers={"c": ANN}, territory=["t16"])
    assert events.SENT_AWAY not in [event.type for event in list_events_after(s, "go gre", "stop")]


def test_being_cast_ashore_affects_the_player() -> None:
    """LM-R11  A player whom a storm puts ashore is affected by the choice of the next player."""
    found = list_events_after(table(at=["s13", "rom", "ath"], sea=["m22"]), "go reg", "to nap")
    assert list_affected_seats(found, events.CAST_ASHORE) == (BEN, ANN)
    assert "Ben puts Ann ashore: from Off Ustica to Naples." in list_log_lines(found, ANN)
    assert "Ben fait débarquer Ann (Large d’Ustica → Naples)." in list_log_lines(found, ANN, "fr")
