"""What happens is told: every event of the rules has its sentence, and no more is told than a seat may know."""

import pytest

from tests.games.evangelists.table import dealt, play, table
from triclinium.engine.core.event import ANYTIME, BOOKKEEPING, CHOSEN, FORCED, NO_FIGURE, Event, EventType
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY
from triclinium.games.evangelists import GAME
from triclinium.games.evangelists.rules import events

TYPES = [thing for thing in vars(events).values() if isinstance(thing, EventType)]
ENGINES = {CHOSEN, FORCED, ANYTIME}
NAMES = ("Ann", "Ben")


def happened(seats: int, **variants: object) -> list[Event]:
    """All that happens in some matches at random."""
    found: list[Event] = []
    for seed in range(4):
        rng = Rng(seed)
        s = dealt(seats=seats, seed=seed, variants=variants)
        s.events = found
        while not s.over:
            s.play(rng.pick(s.options()))
    return found


def test_events_have_ids_of_their_own_and_a_sentence() -> None:
    assert len({type.id for type in TYPES}) == len(TYPES)
    assert all(type.text or type.weight == BOOKKEEPING for type in TYPES)


def test_every_event_happens_and_no_other() -> None:
    found = happened(4, pick_pawn_colour=True)
    assert {event.type for event in found} - ENGINES == set(TYPES)
    for event in found:
        if event.type.hits != NO_FIGURE:
            assert event.facts[event.type.hits] in set(range(4)) - {event.seat}


@pytest.mark.parametrize(
    ("language", "all_hear", "looker_hears"),
    [
        ("en", "Ann looks at 2 cards in Corinth.", "Ann looks at 2 cards in Corinth: 7 Call of the fishermen and 8 "),
        ("fr", "Ann regarde 2 cartes à Corinthe.", "Ann regarde 2 cartes à Corinthe\u00a0: 7 L'appel des pêcheurs "),
    ],
)
def test_only_who_looks_is_told_the_cards(language: str, all_hear: str, looker_hears: str) -> None:
    """AE-6.1  All hear how many cards were looked at; which they were, the looker alone."""
    s = table(seats=2, pawns=["corinth", "antioch"], boxes={"corinth": [7, 8]})
    s.events = []
    play(s, "tradition")
    reader = GAME.words.reader(language, NAMES)
    for viewer in (1, NOBODY):
        assert GAME.words.log(s.events, viewer, reader) == [all_hear]
    (heard,) = GAME.words.log(s.events, 0, reader)
    assert heard.startswith(looker_hears)


def test_slots_and_leaves_are_told_from_one() -> None:
    """AE-6.4, AE-8.1  As the gospel and the notation count them."""
    s = table(seats=2, pawns=["corinth", "antioch"], tokens=[0, 0], gospels={0: [7, 8, 9, 0, 0, 0]})
    reader = GAME.words.reader("en", NAMES)
    s.events = []
    play(s, "rearrange strong", "leaf 1", "position 2", "leaf 1", "flip", "done")
    assert GAME.words.log(s.events, 0, reader)[:2] == ["Ann moves leaf 1 to position 2.", "Ann flips leaf 1."]
