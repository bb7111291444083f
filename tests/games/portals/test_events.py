"""Tests of events and their sentences."""

import random

from tests.games.portals.table import C, play, table
from triclinium.engine.core.event import ANYTIME, BOOKKEEPING, CHOSEN, FORCED, IMPORTANT, Event, EventType
from triclinium.engine.core.state import NOBODY
from triclinium.games.portals import GAME
from triclinium.games.portals.rules import events

ENGINE = (CHOSEN, FORCED, ANYTIME)
TYPES = [one for one in vars(events).values() if isinstance(one, EventType)]


def collect_events(seats: int, seed: int, **variants: object) -> list[Event]:
    """Return all events of a random match."""
    chance = random.Random(seed)
    s = GAME.deal(seats, seed, GAME.read_variants({name: str(value) for name, value in variants.items()}))
    s.events = []
    while not s.over:
        s.play(chance.choice(s.legal))
    return s.events


def test_every_event_type_has_a_unique_id_and_a_sentence() -> None:
    assert len({one.id for one in TYPES}) == len(TYPES)
    assert [one for one in TYPES if not one.text and one.weight > BOOKKEEPING] == []


def test_every_event_has_a_known_type() -> None:
    told = collect_events(3, 1, portals="starter", discards="hidden") + collect_events(4, 2, discards="open", team="on")
    assert {event.type for event in told} <= {*TYPES, *ENGINE}
    for event in told:
        assert event.type in ENGINE or event.rule.startswith("PP-")


def test_removing_a_card_affects_its_owner() -> None:
    """PP-5.2  The left neighbour acts."""
    s = table(who=2)
    s.hands[0] = tuple(range(C.hand_limit + 1))
    s.events = []
    play(s, "end")
    removed = next(event for event in s.events if event.type is events.REMOVED)
    assert (removed.seat, removed.facts[removed.type.target_fact]) == (1, 0)
    assert removed.type.weight == IMPORTANT
    told = [
        GAME.words.format_log([removed], 2, GAME.words.reader(language, ("Ann", "Ben"))) for language in ("en", "fr")
    ]
    assert told == [
        ["Ben removes a card from the hand of Ann (Genesis)."],
        ["Ben retire une carte de la main de Ann (Genèse)."],
    ]


def test_events_without_an_actor_name_no_player() -> None:
    """PP-1.10, PP-2.3, PP-10.4, PP-R36  The row, the capsule and the end have no acting player."""
    told = collect_events(2, 3, sweep_row="on", round_limit=13)
    table_events = {events.LAID, events.CAPSULE_MOVED, events.ROUND_BEGUN, events.SWEPT, *events.OVER.values()}
    found = [event for event in told if event.type in table_events]
    assert {events.LAID, events.CAPSULE_MOVED} < {event.type for event in found}
    assert {event.seat for event in found} == {NOBODY}
