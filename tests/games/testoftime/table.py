"""Tables in the middle of a match, built from named parts.

By default cards have few sections, as in the worked examples (test_examples.py uses the printed numbers). Tests of
rules hold for any cards.
"""

from collections.abc import Mapping, Sequence

from tests.harness import Harness
from triclinium.engine.core.state import Step
from triclinium.engine.game import Game
from triclinium.games.testoftime import GAME
from triclinium.games.testoftime.rules.components import KINDS
from triclinium.games.testoftime.rules.state import TestOfTime, count_visible
from triclinium.games.testoftime.rules.turn import Move

SECTIONS: Mapping[str, object] = {
    "testament.tools.sections": [1, 0, 1, 0],
    "testament.art.sections": [2, 1, 1, 1, 1, 1],
    "testament.burial.sections": [2, 2, 1, 1, 1, 1, 1, 1],
    "testament.temple.sections": [3, 2, 2, 2, 2, 2, 2, 1, 1, 1],
    "testament.monument.sections": [3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2],
}
SHORT_CARDS = GAME.with_components(GAME.file.with_changes(SECTIONS))
C = SHORT_CARDS.components
HARNESS = Harness(SHORT_CARDS)
play = HARNESS.play
refused = HARNESS.refused
options = HARNESS.options

A, B = 0, 1  # seats, with the names of the worked examples
CC = 2

Past = Sequence[tuple[bool, int]]  # preserved or not, and strips by attack; oldest first
NO, YES = False, True


class Testament:
    """Return a Testament for the builder: a kind with its past or its number of visible sections."""

    __test__ = False

    def __init__(self, kind: str, past: Past = (), seen: int | None = None) -> None:
        self.kind = KINDS.index(kind)
        size = C.size[self.kind]
        # One round of attacks gives the number of visible sections, so that TT-12.4 holds.
        past = ((YES, size - seen),) if seen is not None and seen < size else past
        self.records = tuple((strips << 1) + int(preserved) for preserved, strips in past)


def table(
    seats: int = 2,
    followers: Sequence[int] = (20, 20, 20, 20, 20),
    shamans: Sequence[int] = (0, 0, 0, 0, 0),
    testaments: Mapping[int, Sequence[Testament | str | None]] | None = None,  # by seat, space by space
    turn: int = 0,
    round_: int = 10,
    variants: Mapping[str, object] | None = None,
    game: Game = SHORT_CARDS,
) -> TestOfTime:
    """Return a table where nothing is placed yet this round and seat ``turn`` starts. Other parts are as dealt."""
    s = game.deal(seats, 1, variants)
    assert isinstance(s, TestOfTime)
    s.followers = list(followers[:seats])
    s.waiting = list(followers[:seats])
    s.shamans = list(shamans[:seats])
    s.waiting_shamans = list(shamans[:seats])
    s.round = round_
    s.starter = turn
    s.passes = 0
    for seat, cards in (testaments or {}).items():
        for space, card in enumerate(cards):
            if card is not None:
                put(s, seat * C.spaces + space, Testament(card) if isinstance(card, str) else card)
        s.recount_standing()
    s.stack = [Move(turn)]
    s.advance()
    return s


def put(s: TestOfTime, slot: int, card: Testament) -> None:
    s.kind[slot] = card.kind
    s.past[slot] = card.records
    s.since[slot] = s.round - 1 - len(card.records)
    assert s.since[slot] >= 0, "the Testament is older than the match"
    s.visible[slot] = count_visible(s.c.size[card.kind], card.records)


def end_round(s: TestOfTime) -> None:
    """Pass for all players until the round is over."""
    before = s.round
    while not s.over and s.round == before:
        play(s, "pass")


def get_asked_step(s: TestOfTime) -> Step[TestOfTime]:
    """Return the step that waits for an answer."""
    return s.asked


def past(s: TestOfTime, seat: int, space: int) -> list[tuple[bool, int]]:
    """Return the records of a Testament, oldest first."""
    return [(bool(record & 1), (record >> 1) & 127) for record in s.past[seat * C.spaces + space - 1]]


def count_visible_sections(s: TestOfTime, seat: int, space: int) -> int:
    """Return the number of visible sections of a Testament."""
    return s.visible[seat * C.spaces + space - 1]


def dots(s: TestOfTime, seat: int, space: int) -> int:
    """Return the visible gold dots of a Testament."""
    slot = seat * C.spaces + space - 1
    return s.c.dots[s.kind[slot]][s.visible[slot]]


def kind(s: TestOfTime, seat: int, space: int) -> str | None:
    """Return the kind of the card on a space."""
    found = s.kind[seat * C.spaces + space - 1]
    return None if found < 0 else KINDS[found]
